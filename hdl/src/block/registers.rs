//! `weft_registers`: the registers behind AXI4-Lite (page `docs/blocks/registers.md`).
//!
//! The description of the registers is [`weft_params::registers`]; `weft registers` generates [`top`] from it.

pub mod bus;
pub mod command;
pub mod count;
pub mod pick;
pub mod show;
pub mod status;
pub mod store;
pub mod ticks;
pub mod top;
pub mod totals;
pub mod words;

use crate::block::told;
use crate::emit::{EmitError, Module};
use top::Registers;
use weft_params::SackParams;

/// The Verilog of `weft_registers`, one module per file, for parameters that were checked.
pub fn emit(params: &SackParams) -> Result<Vec<Module>, EmitError> {
    emit_with(params, SackParams::WINDOW)
}

/// [`emit`], for a NIC with a window of `psns`: 256, 512 or 1,024.
pub fn emit_with(params: &SackParams, psns: u32) -> Result<Vec<Module>, EmitError> {
    let emitter = told(crate::part::emitter().parameter("connections", params.connections), psns);
    // Widths are types in Rust-HDL: every shape is an instance of its own.
    macro_rules! shape {
        ($a:literal) => {
            match psns {
                SackParams::WINDOW => emitter.emit_new::<Registers<$a, { $a + 1 }, 119, 0>>("weft_registers"),
                _ => emitter.emit_new::<Registers<$a, { $a + 1 }, 123, 1>>("weft_registers"),
            }
        };
    }
    by_connections!(params.connections, shape)
}
