//! The registers of the NIC (page `docs/blocks/registers.md`). From this one description `weft registers`
//! generates the AXI4-Lite block, the Rust constants, the C header and the table `docs/registers.md`.

pub mod codes;
mod counted;
mod csr;
mod description;
mod lookup;
mod map;
mod nscc;
pub mod offsets;
#[cfg(test)]
mod tests;
mod writes;

pub use csr::NicCsr;
pub use description::{
    Access, COUNTER, COUNTER_BITS, COUNTERS_AT, Control, DEFAULT_PKEY, Field, Kind, Op, PAGE, PAGE_WORDS,
    Page, Part, Port, Register, WORD,
};
pub use lookup::{
    COUNTERS, at, controls, counter_at, counters, counters_of, page, pages, register, registers,
};
pub use map::{ID, SHAPE, VERSION, VIEW_BITS, VIEW_MORE_BITS, shape};
pub use writes::{Staged, decode, writes};
