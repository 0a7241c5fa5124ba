//! libweft: the bit-exact models of the blocks and of the NIC, and fabrics of them, behind a C ABI (page
//! `docs/libweft.md`).
//!
//! * Handles are opaque and belong to the caller: `weft_X_new` makes one, `weft_X_free` frees it. Only one
//!   thread at a time uses a handle. The library makes no callbacks. The only global state is the message of
//!   the last error of each thread.
//! * A function that can fail returns a code. A code below 0 is an error, and [`weft_error`] says what to do.
//!   No panic leaves the library.
//! * Registers have the offsets of `weft_nic.h`. A block has only its own registers.
//! * `weft_X_step` is the transaction view, `weft_X_clock` every port on every clock.

#![allow(non_camel_case_types, reason = "names of C")]
#![allow(clippy::missing_safety_doc, reason = "the safety of all functions is said once, above")]

mod error;
mod fabric;
mod nic;
mod nic_clocked;
mod reps;
mod sack_rx;
mod sack_tx;
mod scoreboard;
mod smartt;
mod words;

pub use error::*;
pub use fabric::*;
pub use nic::*;
pub use nic_clocked::*;
pub use reps::*;
pub use sack_rx::*;
pub use sack_tx::*;
pub use scoreboard::*;
pub use smartt::*;
pub use words::*;

/// Version of the interface. A change of bits 31:16 means that programs must be compiled again; a change of
/// bits 15:0 means that functions were added.
pub const WEFT_ABI_VERSION: u32 = 1 << 16 | 2;

/// Returns the version of the library's interface. A program compares bits 31:16 with those of its
/// `WEFT_ABI_VERSION`.
#[unsafe(no_mangle)]
pub extern "C" fn weft_abi_version() -> u32 {
    WEFT_ABI_VERSION
}
