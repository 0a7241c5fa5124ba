use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::path::Path;

use crate::error::Error;
use crate::header::Direction;

/// A port of the top, resolved once by [`Library::port`]. A port is valid for instances of that library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PortId(pub(crate) u32);

/// The description of a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    /// Number for accesses.
    pub id: PortId,
    /// Name in the Verilog.
    pub name: String,
    /// Seen from the RTL.
    pub direction: Direction,
    /// Width in bits.
    pub width: u32,
}

impl Port {
    /// The number of `u64` that hold a value.
    pub fn words(&self) -> usize {
        self.width.div_ceil(64) as usize
    }
}

/// A loaded model. The library is unloaded with its last instance.
pub struct Library {
    top: String,
    ports: Vec<Port>,
    pub(crate) calls: Calls,
    /// The code that `calls` points into.
    _code: libloading::Library,
}

type Handle = *mut c_void;
pub(crate) type Eval = unsafe extern "C" fn(Handle) -> c_int;

/// The functions of shim.cpp.
pub(crate) struct Calls {
    pub(crate) new: unsafe extern "C" fn(c_int, c_int) -> Handle,
    pub(crate) delete: unsafe extern "C" fn(Handle),
    pub(crate) eval: Eval,
    pub(crate) message: unsafe extern "C" fn(Handle) -> *const c_char,
    pub(crate) time: unsafe extern "C" fn(Handle, u64),
    pub(crate) port: unsafe extern "C" fn(Handle, c_uint) -> *mut c_void,
    pub(crate) waves: Option<WaveCalls>,
    pub(crate) coverage: Option<unsafe extern "C" fn(Handle, *const c_char) -> c_int>,
}

#[derive(Clone, Copy)]
pub(crate) struct WaveCalls {
    pub(crate) open: unsafe extern "C" fn(Handle, *const c_char) -> c_int,
    pub(crate) dump: unsafe extern "C" fn(Handle, u64) -> c_int,
    pub(crate) flush: unsafe extern "C" fn(Handle),
}

impl Library {
    pub(crate) fn open(top: &str, path: &Path) -> Result<Self, Error> {
        // SAFETY: the file was built by this crate from its own shim, whose functions have the types named in `Calls`;
        // its static constructors are those of Verilator's runtime and touch nothing outside the library.
        unsafe {
            let code = libloading::Library::new(path)?;
            let ports: unsafe extern "C" fn() -> *const c_char = *code.get(c"vsys_ports")?;
            let ports = CStr::from_ptr(ports()).to_string_lossy().lines().filter_map(parse_port).collect();
            let waves = match code.get(c"vsys_waves_open") {
                Ok(open) => Some(WaveCalls {
                    open: *open,
                    dump: *code.get(c"vsys_waves_dump")?,
                    flush: *code.get(c"vsys_waves_flush")?,
                }),
                Err(_) => None,
            };
            let calls = Calls {
                new: *code.get(c"vsys_new")?,
                delete: *code.get(c"vsys_delete")?,
                eval: *code.get(c"vsys_eval")?,
                message: *code.get(c"vsys_message")?,
                time: *code.get(c"vsys_time")?,
                port: *code.get(c"vsys_port")?,
                waves,
                coverage: code.get(c"vsys_coverage").ok().map(|call| *call),
            };
            let mut library = Self { top: top.to_owned(), ports, calls, _code: code };
            for (index, port) in library.ports.iter_mut().enumerate() {
                port.id = PortId(index as u32);
            }
            Ok(library)
        }
    }

    /// The top module.
    pub fn top(&self) -> &str {
        &self.top
    }

    /// The ports of the top, parameters resolved.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// Finds a port by name.
    pub fn port(&self, name: &str) -> Result<&Port, Error> {
        self.ports.iter().find(|port| port.name == name).ok_or_else(|| {
            let known: Vec<&str> = self.ports.iter().map(|port| port.name.as_str()).collect();
            Error::PortUnknown { top: self.top.clone(), port: name.to_owned(), known: known.join(", ") }
        })
    }
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Library").field("top", &self.top).field("ports", &self.ports).finish_non_exhaustive()
    }
}

/// A line of the shim's table: `in 48 now`.
fn parse_port(line: &str) -> Option<Port> {
    let mut words = line.splitn(3, ' ');
    let direction = if words.next()? == "in" { Direction::In } else { Direction::Out };
    let width = words.next()?.parse().ok()?;
    Some(Port { id: PortId(0), name: words.next()?.to_owned(), direction, width })
}
