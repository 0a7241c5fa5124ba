use std::ptr::NonNull;

use crate::error::Error;
use crate::header::Direction;
use crate::instance::{Instance, load, load_words, mask, size, store, store_words};

/// Declares the ports of a top module as a type.
///
/// Every `in` becomes a method that drives it, every `out` one that reads it, both named like the port. A
/// port of at most 64 bits is a `u64`; a wider port has its width in brackets and is an array of `u64`, low
/// word first. Values lose the bits above the width. A width may be a constant (`in hash: HASH_BITS`) or a
/// constant expression in parentheses. Ports of the RTL may be left out: such an input stays 0.
///
/// `new` takes an [`Instance`] and checks name, direction and width of every port against the RTL.
///
/// ```
/// verilator_sys::ports! {
///     /// The ports of `rtl/swap.v`.
///     pub struct Swap {
///         in clk: 1,
///         in s_axis_tdata: [512],
///         out m_axis_tdata: [512],
///     }
/// }
///
/// fn swapped(dut: &mut Swap, beat: [u64; 8]) -> Result<[u64; 8], verilator_sys::Error> {
///     dut.s_axis_tdata(&beat);
///     dut.eval()?;
///     Ok(dut.m_axis_tdata())
/// }
/// ```
#[macro_export]
macro_rules! ports {
    ($(#[$meta:meta])* $vis:vis struct $Name:ident { $($direction:tt $port:ident : $width:tt),* $(,)? }) => {
        $(#[$meta])*
        #[allow(dead_code, non_snake_case)]
        $vis struct $Name {
            instance: $crate::Instance,
            $($port: $crate::Handle,)*
        }

        #[allow(dead_code, unsafe_code, non_snake_case, unused_parens)]
        impl $Name {
            /// Binds an instance after checking every declared port against the RTL.
            $vis fn new(instance: $crate::Instance) -> Result<Self, $crate::Error> {
                Ok(Self {
                    $($port: $crate::Handle::new(
                        &instance,
                        stringify!($port),
                        $crate::ports!(@direction $direction),
                        $crate::ports!(@width $width),
                    )?,)*
                    instance,
                })
            }

            /// Evaluates the model, see `verilator_sys::Instance::eval`.
            #[inline]
            $vis fn eval(&mut self) -> Result<(), $crate::Error> {
                self.instance.eval()
            }

            /// Writes to the waveforms, see `verilator_sys::Instance::dump`.
            $vis fn dump(&mut self, time: u64) -> Result<(), $crate::Error> {
                self.instance.dump(time)
            }

            /// Starts to record waveforms, see `verilator_sys::Instance::record`.
            $vis fn record(&mut self, path: impl AsRef<std::path::Path>) -> Result<(), $crate::Error> {
                self.instance.record(path)
            }

            /// Writes the coverage, see `verilator_sys::Instance::write_coverage`.
            $vis fn write_coverage(&mut self, path: impl AsRef<std::path::Path>) -> Result<(), $crate::Error> {
                self.instance.write_coverage(path)
            }

            /// The instance, for access by name. (Not mutable: the ports here point into it.)
            $vis fn instance(&self) -> &$crate::Instance {
                &self.instance
            }

            $($crate::ports! { @method $vis $direction $port $width })*
        }
    };

    (@method $vis:vis in $port:ident [$width:expr]) => {
        #[doc = concat!("Drives `", stringify!($port), "`.")]
        #[inline]
        $vis fn $port(&mut self, value: &[u64; ($width as usize).div_ceil(64)]) {
            // SAFETY: the handle was made for this width from the instance beside it, which is borrowed mutably.
            unsafe { self.$port.write::<{ $width }, { ($width as usize).div_ceil(64) }>(value) }
        }
    };
    (@method $vis:vis out $port:ident [$width:expr]) => {
        #[doc = concat!("Reads `", stringify!($port), "`.")]
        #[inline]
        $vis fn $port(&self) -> [u64; ($width as usize).div_ceil(64)] {
            // SAFETY: the handle was made for this width from the instance beside it, which is borrowed.
            unsafe { self.$port.read::<{ $width }, { ($width as usize).div_ceil(64) }>() }
        }
    };
    (@method $vis:vis in $port:ident $width:tt) => {
        #[doc = concat!("Drives `", stringify!($port), "`.")]
        #[inline]
        $vis fn $port(&mut self, value: u64) {
            // SAFETY: the handle was made for this width from the instance beside it, which is borrowed mutably.
            unsafe { self.$port.set::<{ $width }>(value) }
        }
    };
    (@method $vis:vis out $port:ident $width:tt) => {
        #[doc = concat!("Reads `", stringify!($port), "`.")]
        #[inline]
        $vis fn $port(&self) -> u64 {
            // SAFETY: the handle was made for this width from the instance beside it, which is borrowed.
            unsafe { self.$port.get::<{ $width }>() }
        }
    };

    (@direction in) => { $crate::Direction::In };
    (@direction out) => { $crate::Direction::Out };
    (@width [$width:expr]) => { $width };
    (@width $width:tt) => { $width };
}

/// The storage of a port whose width the `ports!` declaration has.
#[doc(hidden)]
#[derive(Debug)]
pub struct Handle(NonNull<u8>);

// SAFETY: a pointer into an instance, which is itself `Send` and always moves along.
unsafe impl Send for Handle {}

impl Handle {
    #[doc(hidden)]
    pub fn new(instance: &Instance, name: &str, direction: Direction, width: u32) -> Result<Self, Error> {
        let at = instance.place(name, direction, width)?;
        let unknown =
            || Error::PortUnknown { top: String::new(), port: name.to_owned(), known: String::new() };
        NonNull::new(at).map(Self).ok_or_else(unknown)
    }

    /// # Safety
    /// SAFETY: the handle was made for this width, and its instance lives and is borrowed.
    #[doc(hidden)]
    #[inline]
    pub unsafe fn get<const WIDTH: u32>(&self) -> u64 {
        const { assert!(WIDTH <= 64, "write the width of a port wider than 64 bits in brackets") };
        // SAFETY: as promised by the caller.
        unsafe { load(self.0.as_ptr(), const { size(WIDTH) }) }
    }

    /// # Safety
    /// SAFETY: the handle was made for this width, and its instance lives and is borrowed mutably.
    #[doc(hidden)]
    #[inline]
    pub unsafe fn set<const WIDTH: u32>(&self, value: u64) {
        const { assert!(WIDTH <= 64, "write the width of a port wider than 64 bits in brackets") };
        // SAFETY: as promised by the caller.
        unsafe { store(self.0.as_ptr(), const { size(WIDTH) }, value & const { mask(WIDTH) }) }
    }

    /// # Safety
    /// Safety as for `get`.
    #[doc(hidden)]
    #[inline]
    pub unsafe fn read<const WIDTH: u32, const WORDS: usize>(&self) -> [u64; WORDS] {
        let mut value = [0; WORDS];
        // SAFETY: as promised by the caller.
        unsafe { load_words(self.0.as_ptr(), WIDTH, &mut value) };
        value
    }

    /// # Safety
    /// Safety as for `set`.
    #[doc(hidden)]
    #[inline]
    pub unsafe fn write<const WIDTH: u32, const WORDS: usize>(&self, value: &[u64; WORDS]) {
        // SAFETY: as promised by the caller.
        unsafe { store_words(self.0.as_ptr(), WIDTH, value) }
    }
}
