//! Bugs planted in the Verilog of `weft_registers`.

use weft_bench::Plant;

/// All of them.
pub const PLANTS: &[Plant] = &[];
