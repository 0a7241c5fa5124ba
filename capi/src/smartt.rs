//! SMaRTT: the congestion window (page `docs/blocks/smartt.md`).

use crate::error::{Fault, WEFT_OK, answer, below, bit, free, make, on, one_of, put, range};
use ::weft_nic::block::smartt::{Clocked, Event, Inputs, Kind, Outcome, Outputs, Smartt};
use weft_handle::Handle;
use weft_params::SmarttParams;

/// Kinds of events, by the names on the page. Packets were acknowledged.
pub const WEFT_SMARTT_ACK: u8 = 0;
/// A NACK of a trimmed packet.
pub const WEFT_SMARTT_TRIM: u8 = 1;
/// A timeout found bytes lost.
pub const WEFT_SMARTT_TIMEOUT: u8 = 2;
/// The connection is opened.
pub const WEFT_SMARTT_OPEN: u8 = 3;
/// The connection is closed.
pub const WEFT_SMARTT_CLOSE: u8 = 4;

/// An event, as `s_axis_event` carries it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_smartt_event {
    /// The connection.
    pub connection: u32,
    /// Bytes acknowledged or lost, below 2^24.
    pub bytes: u32,
    /// Bytes in the network after this event.
    pub in_flight_bytes: u32,
    /// The time in ticks, of which the low 20 bits are used.
    pub now_ticks: u32,
    /// ACK: round-trip time in ticks, 0 if unknown.
    pub rtt_ticks: u16,
    /// One of `WEFT_SMARTT_*`.
    pub kind: u8,
    /// Class of the connection, 0 to 3.
    pub rtt_class: u8,
    /// ACK: number of packets acknowledged, 1 to 16.
    pub packets: u8,
    /// ACK: 1 if marked.
    pub ecn: u8,
}

/// An answer of the block, as `m_axis_window` carries it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_smartt_outcome {
    /// The event's connection.
    pub connection: u32,
    /// The window after the event in whole bytes; 0 if the connection is closed.
    pub cwnd_bytes: u32,
    /// The event's kind.
    pub kind: u8,
    /// 1: the connection was open, or the event needs no open connection.
    pub accepted: u8,
    /// The case of the page: 0 none, 1 fair decrease, 2 multiplicative decrease, 3 fair increase, 4
    /// multiplicative increase, 5 held, 6 waiting, 7 ignored, 8 loss, 9 QuickAdapt, 10 fast increase, 11 fair
    /// and multiplicative increase.
    pub what: u8,
}

/// Input ports of `weft_smartt` during a clock.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_smartt_inputs {
    /// `s_axis_event_tdata`, low word first, 72 bits
    pub event_tdata: [u64; 2],
    /// `now`, 20 bits
    pub now: u32,
    /// `s_axis_event_tid`
    pub event_tid: u32,
    /// `s_axis_event_tuser`, 10 bits
    pub event_tuser: u16,
    /// `rst`
    pub rst: u8,
    /// `s_axis_event_tvalid`
    pub event_tvalid: u8,
    /// `m_axis_window_tready`
    pub window_tready: u8,
}

/// Output ports of `weft_smartt` during a clock.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_smartt_outputs {
    /// `m_axis_window_tid`
    pub window_tid: u32,
    /// `m_axis_window_tdata`
    pub window_tdata: u32,
    /// `stat_not_open_events`, 16 bits
    pub not_open_events: u32,
    /// `s_axis_event_tready`
    pub event_tready: u8,
    /// `m_axis_window_tvalid`
    pub window_tvalid: u8,
    /// `m_axis_window_tuser`
    pub window_tuser: u8,
}

/// SMaRTT: the congestion window of all connections.
pub struct weft_smartt(Handle<Smartt>);

/// The block with its ports, for all connections.
pub struct weft_smartt_clocked(Handle<Clocked>);

fn params(connections: u32) -> Result<SmarttParams, Fault> {
    let params = SmarttParams { connections };
    params.check()?;
    Ok(params)
}

/// Makes a block after reset. Connections: 4, 16, 64, 256, 1024, 4096 or 16384. NULL: see `weft_error`.
#[unsafe(no_mangle)]
pub extern "C" fn weft_smartt_new(connections: u32) -> *mut weft_smartt {
    make(|| Ok(weft_smartt(Handle::new(params(connections)?)?)))
}

/// Frees the handle. NULL is permitted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_smartt_free(smartt: *mut weft_smartt) {
    unsafe { free(smartt) }
}

/// Writes a register `WEFT_REG_SMARTT_*` of `weft_nic.h`. Later events use the value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_smartt_write(smartt: *mut weft_smartt, offset: u32, value: u32) -> i32 {
    unsafe { on(smartt, "smartt", |smartt| Ok(smartt.0.write(offset, value).map(|()| WEFT_OK)?)) }
}

/// Reads a register.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_smartt_read(smartt: *mut weft_smartt, offset: u32, value: *mut u32) -> i32 {
    unsafe { on(smartt, "smartt", |smartt| put(value, smartt.0.read(offset)?, "value")) }
}

/// Handles an event.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_smartt_step(
    smartt: *mut weft_smartt,
    happens: *const weft_smartt_event,
    outcome: *mut weft_smartt_outcome,
) -> i32 {
    unsafe {
        answer(
            (smartt, "smartt"),
            (happens, "event"),
            (outcome, "outcome"),
            |weft_smartt(handle), happens| {
                let event = event(happens, handle.params.connections)?;
                Ok(outcome_of(&handle.model.step(&event)))
            },
        )
    }
}

/// Makes the block with its ports, after reset; see `weft_smartt_new`.
#[unsafe(no_mangle)]
pub extern "C" fn weft_smartt_clocked_new(connections: u32) -> *mut weft_smartt_clocked {
    make(|| Ok(weft_smartt_clocked(Handle::new(params(connections)?)?)))
}

/// Frees the handle. NULL is permitted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_smartt_clocked_free(smartt: *mut weft_smartt_clocked) {
    unsafe { free(smartt) }
}

/// Sets `cfg_*` ports as a register `WEFT_REG_SMARTT_*` would, from the next clock on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_smartt_clocked_write(
    smartt: *mut weft_smartt_clocked,
    offset: u32,
    value: u32,
) -> i32 {
    unsafe { on(smartt, "smartt", |smartt| Ok(smartt.0.write(offset, value).map(|()| WEFT_OK)?)) }
}

/// Runs a rising edge with these inputs. Returns the outputs after the clock edge.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_smartt_clock(
    smartt: *mut weft_smartt_clocked,
    inputs: *const weft_smartt_inputs,
    outputs: *mut weft_smartt_outputs,
) -> i32 {
    unsafe {
        answer(
            (smartt, "smartt"),
            (inputs, "inputs"),
            (outputs, "outputs"),
            |weft_smartt_clocked(handle), given| {
                below("event_tid", given.event_tid, handle.params.connections)?;
                handle.model.clock(&ports(given)?);
                Ok(seen(handle.model.outputs()))
            },
        )
    }
}

fn event(event: &weft_smartt_event, connections: u32) -> Result<Event, Fault> {
    let &weft_smartt_event {
        connection,
        bytes,
        in_flight_bytes,
        now_ticks,
        rtt_ticks,
        rtt_class: class,
        packets,
        ..
    } = event;
    below("connection", connection, connections)?;
    below("bytes", bytes, 1 << 24)?;
    below("rtt_class", class.into(), SmarttParams::CLASSES as u32)?;
    let kind = one_of("kind", event.kind, &Kind::ALL)?;
    // The port holds the number minus one. Only an ACK uses the number.
    if kind == Kind::Ack && !(1..=16).contains(&packets) {
        return Err(range("packets", packets, "1 to 16"));
    }
    let ecn = bit("ecn", event.ecn)?;
    Ok(Event {
        kind,
        connection,
        class,
        ecn,
        packets: packets.clamp(1, 16),
        bytes,
        rtt_ticks,
        in_flight_bytes,
        now_ticks,
    })
}

fn outcome_of(told: &Outcome) -> weft_smartt_outcome {
    weft_smartt_outcome {
        connection: told.connection,
        cwnd_bytes: told.cwnd_bytes,
        kind: told.kind as u8,
        accepted: told.accepted.into(),
        what: told.case as u8,
    }
}

fn ports(given: &weft_smartt_inputs) -> Result<Inputs, Fault> {
    let [low, high] = given.event_tdata;
    below("event_tuser", given.event_tuser.into(), 1 << 10)?;
    if high > 0xFF {
        return Err(range("event_tdata's high word", high, "0 to 255"));
    }
    Ok(Inputs {
        rst: bit("rst", given.rst)?,
        now: given.now & 0xF_FFFF,
        event_valid: bit("event_tvalid", given.event_tvalid)?,
        event_id: given.event_tid,
        event_data: u128::from(high) << 64 | u128::from(low),
        event_user: given.event_tuser,
        window_ready: bit("window_tready", given.window_tready)?,
    })
}

fn seen(told: &Outputs) -> weft_smartt_outputs {
    weft_smartt_outputs {
        window_tid: told.window_id,
        window_tdata: told.window_data,
        not_open_events: told.not_open_events & 0xFFFF,
        event_tready: told.event_ready.into(),
        window_tvalid: told.window_valid.into(),
        window_tuser: told.window_user,
    }
}
