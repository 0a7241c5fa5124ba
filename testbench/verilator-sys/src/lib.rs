//! Build, cache, load and drive Verilated models.
//!
//! A [`Build`] names sources and options. [`Build::load`] runs Verilator and a C++ compiler when the model is
//! first needed, stores the result in a cache, and loads it as a [`Library`]. A library makes any number of
//! [`Instance`]s, each with state of its own, which may move between threads. `cargo build` itself runs no
//! Verilator.
//!
//! Ports can be accessed in two ways. [`ports!`] declares them in Rust: the declaration is checked against
//! the RTL when an instance is bound to it, and access is as fast as in C++. Tools that work on any model get
//! its [`Port`]s from the library and use [`Instance::get`] and its relatives.
//!
//! ```no_run
//! # fn main() -> Result<(), verilator_sys::Error> {
//! use verilator_sys::{Build, Reset, ports};
//!
//! ports! {
//!     /// A counter.
//!     pub struct Counter {
//!         in clk: 1,
//!         in rst: 1,
//!         out count: 48,
//!     }
//! }
//!
//! let library = Build::new("counter").source("rtl/counter.v").load()?;
//! let mut counter = Counter::new(library.instance(Reset::Random(7))?)?;
//! counter.clk(1);
//! counter.eval()?;
//! println!("{}", counter.count());
//! # Ok(())
//! # }
//! ```
//!
//! # Tools and cache
//!
//! Verilator 5.006 or newer and g++ are needed only when a model is built: `VERILATOR` and `CXX` can name
//! other programs than those in `PATH`. Built libraries are kept in `WEFT_VERILATOR_CACHE`, else in
//! `verilator-cache` of the cargo target directory of the running program, else in `weft` of the user's cache
//! directory. A library is built again when a source, an included file, an option or a tool has changed. A
//! library stays mapped until the threads that used it have ended.
//!
//! # What the RTL must not use
//!
//! `$random`, `$fopen`, `$time` formats and DPI use Verilator's context of the thread, which an instance that
//! moves to another thread does not have. Delays and inout or array ports at the top are not supported.

mod build;
mod cache;
mod compile;
mod error;
mod find;
mod hash;
mod header;
mod instance;
mod library;
mod ports;

pub mod bench;

pub use build::{Build, Waves};
pub use cache::root as cache_folder;
pub use error::Error;
pub use find::{Tool, find};
pub use header::Direction;
pub use instance::{Instance, Reset};
pub use library::{Library, Port, PortId};
#[doc(hidden)]
pub use ports::Handle;
