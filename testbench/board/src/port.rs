//! Serial ports, and pseudo-terminals that replace them in tests.

use crate::error::Error;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{ControlModes, OptionalActions, QueueSelector, SpecialCodeIndex, isatty};
use rustix::termios::{tcflush, tcgetattr, tcsetattr};
use std::fs::File;
use std::io;
use std::os::fd::AsFd;

/// Bits per second.
const BAUD: u32 = 115_200;
/// Timeout of a read, in tenths of a second.
const WAIT_DS: u8 = 5;

/// Opens a serial port: 115,200 baud, 8N1, raw. A read that returns no bytes has waited for half a second.
pub fn open(port: &str) -> Result<File, Error> {
    let failed = |error: Errno| Error::Port { port: port.into(), what: io::Error::from(error).to_string() };
    // Without NONBLOCK some drivers wait here for a carrier.
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = rustix::fs::open(port, flags, Mode::empty()).map_err(failed)?;
    if !isatty(&file) {
        return Err(Error::Port { port: port.into(), what: "this is not a serial port".into() });
    }
    make_raw(&file).map_err(failed)?;
    rustix::io::ioctl_fionbio(&file, false).map_err(failed)?;
    tcflush(&file, QueueSelector::IOFlush).map_err(failed)?;
    Ok(File::from(file))
}

fn make_raw(terminal: impl AsFd) -> Result<(), Errno> {
    let mut modes = tcgetattr(&terminal)?;
    modes.make_raw();
    modes.set_speed(BAUD)?;
    // 8N1 without handshakes. The modem lines have no meaning.
    modes.control_modes.remove(ControlModes::CSTOPB | ControlModes::CRTSCTS);
    modes.control_modes.insert(ControlModes::CLOCAL | ControlModes::CREAD);
    modes.special_codes[SpecialCodeIndex::VMIN] = 0;
    modes.special_codes[SpecialCodeIndex::VTIME] = WAIT_DS;
    tcsetattr(&terminal, OptionalActions::Now, &modes)
}

/// A port without hardware. Bytes written into `port` come out of `end`, and bytes written into `end` come
/// out of `port`.
pub struct PseudoTerminal {
    /// One end. A read returns no bytes if none are available.
    pub end: File,
    /// The path of the other end.
    pub port: String,
    /// Keeps the far end open while no program uses it.
    _open: File,
}

impl PseudoTerminal {
    /// Makes a new pseudo-terminal.
    pub fn new() -> Result<Self, Error> {
        let failed = |error: Errno| Error::from(io::Error::from(error));
        let end = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).map_err(failed)?;
        grantpt(&end).map_err(failed)?;
        unlockpt(&end).map_err(failed)?;
        let port = ptsname(&end, Vec::new()).map_err(failed)?.to_string_lossy().into_owned();
        let _open = open(&port)?;
        rustix::io::ioctl_fionbio(&end, true).map_err(failed)?;
        Ok(Self { end: File::from(end), port, _open })
    }
}
