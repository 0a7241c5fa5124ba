//! A fabric that accepts flows while it runs (page `docs/ai-simulators.md`). A program sends flows, advances
//! the time, and gets the completions.

use crate::error::{
    Fault, WEFT_NULL, WEFT_OK, WEFT_ONE, WEFT_ORDER, WEFT_RANGE, WEFT_ROOM, WEFT_SETUP, at, bytes, call,
    free, make, on, put, range,
};
use ::weft_fabric::live::{Done, Fabric, SendError};
use ::weft_fabric::plan::Plan;
use ::weft_fabric::setup::SetupError;
use std::collections::VecDeque;
use std::ffi::{CStr, CString, c_char};
use std::path::Path;

/// A time that is never reached: `weft_fabric_advance` runs until flows end.
pub const WEFT_NEVER: u64 = u64::MAX;

/// A fabric.
pub struct weft_fabric {
    /// `None` after the report.
    live: Option<Fabric>,
    /// Completions that did not fit into the caller's array.
    waiting: VecDeque<Done>,
    warnings: CString,
    report: CString,
}

/// The end of a flow at one of its hosts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct weft_done {
    /// The caller's own number of the flow.
    pub user: u64,
    /// Time of the end in picoseconds.
    pub at_ps: u64,
    /// Number of bytes.
    pub bytes: u64,
    /// Number of the flow, from 0, in the order in which the program sent flows.
    pub flow: u32,
    /// The host that sent.
    pub source: u32,
    /// The host that received.
    pub destination: u32,
    /// 0: the receiver has all bytes. 1: the sender has learned that the receiver has all bytes.
    pub is_sender: u8,
}

/// Flows with a start time in a window that had already run. These flows started in the next window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct weft_late {
    /// Number of late flows.
    pub flows: u64,
    /// Sum of the delays of these flows.
    pub sum_ps: u64,
    /// Greatest delay of a flow.
    pub most_ps: u64,
}

impl From<SetupError> for Fault {
    fn from(error: SetupError) -> Self {
        Self(WEFT_SETUP, error.to_string())
    }
}

impl From<SendError> for Fault {
    fn from(error: SendError) -> Self {
        Self(WEFT_RANGE, error.to_string())
    }
}

/// A line of text without a NUL inside.
fn text(of: String) -> CString {
    CString::new(of.replace('\0', " ")).unwrap_or_default()
}

/// Reads the caller's text.
///
/// # Safety
/// NULL, or a text that ends with a NUL and does not change during the call.
unsafe fn string<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Fault> {
    if pointer.is_null() {
        return Err(Fault(WEFT_NULL, format!("{name} is NULL")));
    }
    let text = unsafe { CStr::from_ptr(pointer) }.to_str();
    text.map_err(|_| Fault(WEFT_SETUP, format!("{name} is not UTF-8 text")))
}

/// Reads keys to set, as KEY=VALUE.
///
/// # Safety
/// `sets` is an array of `count` pointers, each as for [`string`].
unsafe fn keys(sets: *const *const c_char, count: usize) -> Result<Vec<String>, Fault> {
    if sets.is_null() && count > 0 {
        return Err(Fault(WEFT_NULL, "sets is NULL".to_owned()));
    }
    let key = |at| unsafe { string(*sets.add(at), "a text of sets") }.map(str::to_owned);
    (0..count).map(key).collect()
}

fn fabric(plan: Plan) -> Result<weft_fabric, Fault> {
    let warnings = text(plan.warnings().join("\n"));
    let live = Some(Fabric::new(plan)?);
    Ok(weft_fabric { live, waiting: VecDeque::new(), warnings, report: CString::default() })
}

/// Makes a fabric from a setup of `weft sim` with `workload.kind = "none"`. `bytes` bytes of text are the
/// setup; `count` keys as KEY=VALUE replace keys of the text. Names of files are relative to `folder`, if
/// that is not NULL. NULL: see `weft_error`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_fabric_new(
    toml: *const c_char,
    bytes: usize,
    folder: *const c_char,
    sets: *const *const c_char,
    count: usize,
) -> *mut weft_fabric {
    make(|| {
        let toml = unsafe { self::bytes(toml.cast(), bytes, "toml") }?;
        let toml =
            std::str::from_utf8(toml).map_err(|_| Fault(WEFT_SETUP, "toml is not UTF-8 text".to_owned()))?;
        let folder = if folder.is_null() { "" } else { unsafe { string(folder, "folder") }? };
        fabric(Plan::parse("setup", toml, Path::new(folder), &unsafe { keys(sets, count) }?)?)
    })
}

/// Makes a fabric from a file with a setup.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_fabric_read(
    file: *const c_char,
    sets: *const *const c_char,
    count: usize,
) -> *mut weft_fabric {
    make(|| {
        let file = unsafe { string(file, "file") }?;
        fabric(Plan::read(Path::new(file), &unsafe { keys(sets, count) }?)?)
    })
}

/// Frees the handle. NULL is permitted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_fabric_free(fabric: *mut weft_fabric) {
    unsafe { free(fabric) }
}

impl weft_fabric {
    fn live(&mut self) -> Result<&mut Fabric, Fault> {
        self.live.as_mut().ok_or_else(|| Fault(WEFT_ORDER, "weft_fabric_report has ended the run".to_owned()))
    }
}

/// A number that `of` reads from a fabric; 0 if there is no fabric.
unsafe fn number<T: Default>(fabric: *mut weft_fabric, of: impl FnOnce(&Fabric) -> T) -> T {
    let mut number = T::default();
    unsafe {
        on(fabric, "fabric", |fabric| {
            number = of(fabric.live()?);
            Ok(WEFT_OK)
        })
    };
    number
}

/// Returns the length of a window in picoseconds: the greatest delay of the reaction to a completion. 0: see
/// `weft_error`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_fabric_window_ps(fabric: *mut weft_fabric) -> u64 {
    unsafe { number(fabric, Fabric::window_ps) }
}

/// Returns the start of the next window: the earliest time at which a flow can start.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_fabric_now_ps(fabric: *mut weft_fabric) -> u64 {
    unsafe { number(fabric, Fabric::now_ps) }
}

/// Returns the number of hosts of the network. 0: see `weft_error`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_fabric_hosts(fabric: *mut weft_fabric) -> u32 {
    unsafe { number(fabric, Fabric::hosts) }
}

/// Returns settings that are possible but probably not intended, one per line. The text is empty if there are
/// none. The text belongs to the fabric.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_fabric_warnings(fabric: *mut weft_fabric) -> *const c_char {
    let mut text = std::ptr::null();
    unsafe {
        on(fabric, "fabric", |fabric| {
            text = fabric.warnings.as_ptr();
            Ok(WEFT_OK)
        })
    };
    text
}

/// Opens `count` connections from one host to another, if none are open. The pair then gets no further
/// connections. Without this call, a flow opens a connection if all connections of its pair are in use, up to
/// `hosts.pair_connections`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_fabric_connect(
    fabric: *mut weft_fabric,
    source: u32,
    destination: u32,
    count: u32,
) -> i32 {
    unsafe {
        on(fabric, "fabric", |fabric| {
            fabric.live()?.connect(source, destination, count)?;
            Ok(WEFT_OK)
        })
    }
}

/// Sends bytes from one host to another, at a given time. A time before `weft_fabric_now_ps` is replaced with
/// that time, and the flow counts as late. Completions return `user`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_fabric_send(
    fabric: *mut weft_fabric,
    source: u32,
    destination: u32,
    bytes: u64,
    at_ps: u64,
    user: u64,
) -> i32 {
    unsafe {
        on(fabric, "fabric", |fabric| {
            fabric.live()?.send(source, destination, bytes, at_ps, user)?;
            Ok(WEFT_OK)
        })
    }
}

/// Runs the windows that end at `until_ps` at the latest, and stops after the first window in which flows
/// end. Writes these ends, at most `room` of them, in the order of time, and writes their number. `WEFT_ONE`:
/// flows ended; call the function again, because it then returns the ends that did not fit. `WEFT_OK`:
/// everything has happened up to that time, or, with `WEFT_NEVER`, every flow has ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_fabric_advance(
    fabric: *mut weft_fabric,
    until_ps: u64,
    done: *mut weft_done,
    room: usize,
    count: *mut usize,
) -> i32 {
    call(|| {
        let (fabric, first) = unsafe { (at(fabric, "fabric")?, at(done, "done")?) };
        let count = unsafe { at(count, "count") }?;
        if room == 0 {
            return Err(Fault(WEFT_ROOM, "room 0: at least 1 is needed".to_owned()));
        }
        let (is_open, live) = (fabric.waiting.is_empty(), fabric.live()?);
        if is_open {
            let ended = live.advance(until_ps);
            fabric.waiting.extend(ended);
        }
        *count = room.min(fabric.waiting.len());
        let places = unsafe { std::slice::from_raw_parts_mut(first, *count) };
        for (place, it) in places.iter_mut().zip(fabric.waiting.drain(..*count)) {
            let Done { flow, user, source, destination, bytes, at_ps, is_sender } = it;
            *place = weft_done { user, at_ps, bytes, flow, source, destination, is_sender: is_sender.into() };
        }
        Ok(if *count > 0 { WEFT_ONE } else { WEFT_OK })
    })
}

/// `WEFT_ONE`: every flow has ended at both hosts, and no packet is in transit. `WEFT_OK`: otherwise.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_fabric_is_idle(fabric: *mut weft_fabric) -> i32 {
    unsafe { on(fabric, "fabric", |fabric| Ok(if fabric.live()?.is_idle() { WEFT_ONE } else { WEFT_OK })) }
}

/// Returns the flows that started late so far.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_fabric_late(fabric: *mut weft_fabric, late: *mut weft_late) -> i32 {
    unsafe {
        on(fabric, "fabric", |fabric| {
            let it = fabric.live()?.late();
            put(late, weft_late { flows: it.flows, sum_ps: it.sum_ps, most_ps: it.most_ps }, "late")
        })
    }
}

/// Ends the run. Returns the JSON of `weft sim`, and its number of bytes without the NUL behind them. The
/// text belongs to the fabric. Later calls return the same JSON.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_fabric_report(
    fabric: *mut weft_fabric,
    json: *mut *const c_char,
    bytes: *mut usize,
) -> i32 {
    call(|| {
        let fabric = unsafe { at(fabric, "fabric") }?;
        let (json, bytes) = unsafe { (at(json, "json")?, at(bytes, "bytes")?) };
        if let Some(live) = fabric.live.take() {
            let report = serde_json::to_string_pretty(&live.finish());
            fabric.report = text(report.map_err(|error| range("report", error, "a finite number"))? + "\n");
        }
        (*json, *bytes) = (fabric.report.as_ptr(), fabric.report.as_bytes().len());
        Ok(WEFT_OK)
    })
}
