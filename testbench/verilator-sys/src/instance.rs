use std::ffi::{CStr, CString, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use crate::error::Error;
use crate::header::Direction;
use crate::library::{Eval, Library, PortId};

// A wide port has words of 32 bits in memory, which are copied unchanged.
const _: () = assert!(cfg!(target_endian = "little"));

/// The values of registers before their reset. Verilator has no x: only runs with `Random` find a missing
/// reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reset {
    /// All zeros.
    Zeros,
    /// All ones.
    Ones,
    /// Random values from a seed. Another version of Verilator makes other values.
    Random(u32),
}

/// A model with its own state. An instance may be built, evaluated and dropped on different threads.
pub struct Instance {
    model: NonNull<c_void>,
    eval: Eval,
    ports: Box<[Place]>,
    state: State,
    recording: bool,
    library: Arc<Library>,
}

// SAFETY: the model, its context and all they own belong to this instance alone. Outside of these, evaluation
// touches only state of the runtime that is thread-local and written before it is read; construction and
// destruction take a lock (shim.cpp). The thread sanitizer watches this in tests/threads.rs.
unsafe impl Send for Instance {}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Running,
    Finished,
    Stopped,
}

/// Place of a port's value in memory.
#[derive(Clone, Copy)]
struct Place {
    at: *mut u8,
    /// The mask of a value's low word.
    mask: u64,
    width: u32,
    size: Size,
    direction: Direction,
}

impl Library {
    /// Makes an instance. All inputs of the instance are 0.
    pub fn instance(self: &Arc<Self>, reset: Reset) -> Result<Instance, Error> {
        Instance::new(Arc::clone(self), reset)
    }
}

impl Instance {
    pub(crate) fn new(library: Arc<Library>, reset: Reset) -> Result<Self, Error> {
        let (mode, seed) = match reset {
            Reset::Zeros => (0, 1),
            Reset::Ones => (1, 1),
            // Verilator treats 0 as "from the clock", and accepts no negative seeds.
            Reset::Random(seed) => (2, (seed % i32::MAX as u32) as i32 + 1),
        };
        // SAFETY: any mode and seed is valid.
        let model = unsafe { (library.calls.new)(mode, seed) };
        let Some(model) = NonNull::new(model) else {
            return Err(Error::Stopped {
                message: "while it was constructed (see standard error)".to_owned(),
            });
        };
        let place = |port: &crate::library::Port| Place {
            // SAFETY: the model exists, and the index is in the library's table.
            at: unsafe { (library.calls.port)(model.as_ptr(), port.id.0) }.cast(),
            mask: mask(port.width),
            width: port.width,
            size: size(port.width),
            direction: port.direction,
        };
        let ports = library.ports().iter().map(place).collect();
        let eval = library.calls.eval;
        Ok(Self { model, eval, ports, state: State::Running, recording: false, library })
    }

    /// The library of this instance.
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// Evaluates the model: outputs and registers follow the inputs. After `$fatal`, `$stop` or a failed
    /// assertion, this and every later evaluation is an error.
    #[inline]
    pub fn eval(&mut self) -> Result<(), Error> {
        if self.state == State::Stopped {
            return Err(self.stopped());
        }
        // SAFETY: the model exists, and `&mut self` makes this the only thread in the model.
        let status = unsafe { (self.eval)(self.model.as_ptr()) };
        if status == 0 { Ok(()) } else { self.settle(status) }
    }

    #[cold]
    fn settle(&mut self, status: i32) -> Result<(), Error> {
        if status == 1 {
            self.state = State::Finished;
            return Ok(());
        }
        self.state = State::Stopped;
        if self.recording
            && let Some(waves) = self.library.calls.waves
        {
            // SAFETY: as in `eval`; a recording exists only with waves.
            unsafe { (waves.flush)(self.model.as_ptr()) };
        }
        Err(self.stopped())
    }

    #[cold]
    fn stopped(&self) -> Error {
        Error::Stopped { message: self.message() }
    }

    fn message(&self) -> String {
        // SAFETY: the string belongs to the model and changes only by calls that need `&mut self`.
        unsafe { CStr::from_ptr((self.library.calls.message)(self.model.as_ptr())) }
            .to_string_lossy()
            .into_owned()
    }

    /// Whether the RTL called `$finish`. This is not an error, and later evaluations are possible.
    pub fn finished(&self) -> bool {
        self.state == State::Finished
    }

    /// Whether the RTL stopped with an error.
    pub fn failed(&self) -> bool {
        self.state == State::Stopped
    }

    /// Returns the value of a port, or the low 64 bits of a wider port.
    ///
    /// # Panics
    /// The port belongs to another library, and this library has no such port.
    #[inline]
    pub fn get(&self, port: PortId) -> u64 {
        let place = &self.ports[port.0 as usize];
        // SAFETY: `place` has the place and width of the port; the borrow excludes writers.
        unsafe { load(place.at, place.size) }
    }

    /// Drives an input. Bits above its width are ignored. If the input is wider than 64 bits, its higher bits
    /// become 0.
    ///
    /// # Panics
    /// The port is an output, or belongs to another library.
    #[inline]
    pub fn set(&mut self, port: PortId, value: u64) {
        let place = self.input(port);
        // SAFETY: as in `get`, with a mutable borrow.
        unsafe {
            if place.size == Size::Wide {
                ptr::write_bytes(place.at, 0, bytes(place.width));
            }
            store(place.at, place.size, value & place.mask);
        }
    }

    /// Reads a port of any width, low word first. Words beyond the port are 0.
    ///
    /// # Panics
    /// If the port belongs to another library and this library has no such port.
    #[inline]
    pub fn read(&self, port: PortId, value: &mut [u64]) {
        let place = &self.ports[port.0 as usize];
        // SAFETY: as in `get`.
        unsafe { load_words(place.at, place.width, value) };
    }

    /// Drives an input of any width, low word first. Missing words are 0, and bits above its width are
    /// ignored.
    ///
    /// # Panics
    /// If the port is an output, or of another library.
    #[inline]
    pub fn write(&mut self, port: PortId, value: &[u64]) {
        let place = self.input(port);
        // SAFETY: as in `set`.
        unsafe { store_words(place.at, place.width, value) };
    }

    #[inline]
    fn input(&self, port: PortId) -> &Place {
        let place = &self.ports[port.0 as usize];
        assert!(place.direction == Direction::In, "an output cannot be driven");
        place
    }

    /// Starts to record waveforms. The model must be built with [`waves`](crate::Build::waves).
    pub fn record(&mut self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let waves = self.waves()?;
        if self.failed() {
            return Err(self.stopped());
        }
        let name = c_path(path)?;
        // SAFETY: as in `eval`; the name is copied.
        let status = unsafe { (waves.open)(self.model.as_ptr(), name.as_ptr()) };
        if status == 2 {
            self.state = State::Stopped;
            return Err(Error::Io {
                path: path.to_path_buf(),
                source: std::io::Error::other(self.message()),
            });
        }
        self.recording = true;
        Ok(())
    }

    /// Sets the time, which must grow, and writes the state to a recorded waveform.
    pub fn dump(&mut self, time: u64) -> Result<(), Error> {
        // SAFETY: as in `eval`.
        unsafe { (self.library.calls.time)(self.model.as_ptr(), time) };
        if !self.recording {
            return Ok(());
        }
        let waves = self.waves()?;
        // SAFETY: as in `eval`; a recording exists only with waves.
        if unsafe { (waves.dump)(self.model.as_ptr(), time) } == 2 {
            return self.settle(2);
        }
        Ok(())
    }

    fn waves(&self) -> Result<crate::library::WaveCalls, Error> {
        self.library
            .calls
            .waves
            .ok_or(Error::NotBuilt { what: "waveforms", call: ".waves(Waves::Vcd) or .waves(Waves::Fst)" })
    }

    /// Writes the coverage so far, in the format of `verilator_coverage`. The model must be built with
    /// [`line_coverage`](crate::Build::line_coverage).
    pub fn write_coverage(&mut self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let Some(coverage) = self.library.calls.coverage else {
            return Err(Error::NotBuilt { what: "coverage", call: ".line_coverage()" });
        };
        let name = c_path(path)?;
        // Verilator prints no reason for a failure. The attempt to open the file here gives the reason.
        std::fs::File::create(path).map_err(Error::io(path))?;
        // SAFETY: as in `eval`; the name is copied.
        unsafe { coverage(self.model.as_ptr(), name.as_ptr()) };
        Ok(())
    }

    /// The place of a declared port in memory. Fails if the declaration is wrong.
    pub(crate) fn place(&self, name: &str, direction: Direction, width: u32) -> Result<*mut u8, Error> {
        let port = self.library.port(name)?;
        if (port.direction, port.width) != (direction, width) {
            return Err(Error::PortMismatch {
                top: self.library.top().to_owned(),
                port: name.to_owned(),
                declared: format!("{direction} {width}"),
                actual: format!("{} {}", port.direction, port.width),
            });
        }
        Ok(self.ports[port.id.0 as usize].at)
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: this instance owns the model and does not use it again.
        unsafe { (self.library.calls.delete)(self.model.as_ptr()) };
    }
}

impl std::fmt::Debug for Instance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instance").field("top", &self.library.top()).finish_non_exhaustive()
    }
}

fn c_path(path: &Path) -> Result<CString, Error> {
    CString::new(path.as_os_str().as_bytes()).map_err(|_| Error::Name {
        what: "file name",
        name: path.display().to_string(),
        wanted: "leave out the zero byte",
    })
}

/// The type of a port in memory: the smallest C++ integer into which it fits, or an array of 32-bit integers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    One,
    Two,
    Four,
    Eight,
    Wide,
}

#[inline]
pub(crate) const fn size(width: u32) -> Size {
    match width {
        0..=8 => Size::One,
        9..=16 => Size::Two,
        17..=32 => Size::Four,
        33..=64 => Size::Eight,
        _ => Size::Wide,
    }
}

/// Number of bytes of a port in memory.
#[inline]
const fn bytes(width: u32) -> usize {
    match size(width) {
        Size::One => 1,
        Size::Two => 2,
        Size::Four => 4,
        Size::Eight => 8,
        Size::Wide => width.div_ceil(32) as usize * 4,
    }
}

/// The mask of a port's bits in its low 64 bits.
#[inline]
pub(crate) const fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// # Safety
/// `at` is the storage of a port of this size, and no writer uses it at the same time.
#[inline]
pub(crate) unsafe fn load(at: *const u8, size: Size) -> u64 {
    // SAFETY: the storage is a C++ integer of this size, so it is aligned; a wide one is aligned to 4.
    unsafe {
        match size {
            Size::One => u64::from(at.read()),
            Size::Two => u64::from(at.cast::<u16>().read()),
            Size::Four => u64::from(at.cast::<u32>().read()),
            Size::Eight | Size::Wide => at.cast::<u64>().read_unaligned(),
        }
    }
}

/// Stores a value. Verilator assumes that bits above the width are 0: `value` must be masked.
///
/// # Safety
/// `at` is the storage of a port of this size, and no other user uses it at the same time.
#[inline]
pub(crate) unsafe fn store(at: *mut u8, size: Size, value: u64) {
    // SAFETY: as in `load`.
    unsafe {
        match size {
            Size::One => at.write(value as u8),
            Size::Two => at.cast::<u16>().write(value as u16),
            Size::Four => at.cast::<u32>().write(value as u32),
            Size::Eight | Size::Wide => at.cast::<u64>().write_unaligned(value),
        }
    }
}

/// # Safety
/// Safety as for `load`.
#[inline]
pub(crate) unsafe fn load_words(at: *const u8, width: u32, value: &mut [u64]) {
    let size = bytes(width).min(size_of_val(value));
    // SAFETY: `size` is within both; a byte copy needs no alignment.
    unsafe { ptr::copy_nonoverlapping(at, value.as_mut_ptr().cast(), size) };
    let whole = size.div_ceil(8);
    if let (Some(last), rest @ 1..) = (value[..whole].last_mut(), size % 8) {
        *last &= mask(rest as u32 * 8);
    }
    value[whole..].fill(0);
}

/// # Safety
/// Safety as for `store`.
#[inline]
pub(crate) unsafe fn store_words(at: *mut u8, width: u32, value: &[u64]) {
    let bytes = bytes(width);
    let size = bytes.min(size_of_val(value));
    // SAFETY: `size` is within both, `bytes` within the port; a byte copy needs no alignment.
    unsafe {
        ptr::copy_nonoverlapping(value.as_ptr().cast(), at, size);
        ptr::write_bytes(at.add(size), 0, bytes - size);
        if !width.is_multiple_of(8) {
            *at.add(width as usize / 8) &= mask(width % 8) as u8;
        }
        let used = width.div_ceil(8) as usize;
        ptr::write_bytes(at.add(used), 0, bytes - used);
    }
}
