//! Bugs planted in the Verilog of `weft_ingress`.

use weft_bench::Plant;

/// All of them.
pub const PLANTS: &[Plant] = &[];
