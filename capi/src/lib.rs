//! libweft: the bit-exact models of the blocks and of the NIC, and fabrics of them, behind a C ABI (page
//! `docs/libweft.md`).
//!
//! * Handles are opaque and belong to the caller: `weft_X_new` makes one, `weft_X_free` ends it. A handle is used by one
//!   thread at a time. There are no callbacks and no global state but the message of the last error of each thread.
//! * A function that can fail returns a code; below 0 is an error, and [`weft_error`] says what to do.
//!   No panic crosses the border.
//! * Registers have the offsets of `weft_nic.h`; blocks have those registers that are theirs.
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

/// Version of the interface: bits 31:16 change when a program must be compiled anew, bits 15:0 when something is added.
pub const WEFT_ABI_VERSION: u32 = 1 << 16 | 1;

/// The version of the library's interface. A program compares bits 31:16 with those of its `WEFT_ABI_VERSION`.
#[unsafe(no_mangle)]
pub extern "C" fn weft_abi_version() -> u32 {
    WEFT_ABI_VERSION
}
