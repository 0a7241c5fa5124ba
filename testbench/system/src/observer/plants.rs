//! Faults at the joints of the NIC, as edits of its Verilog: the observer has to find each.

use weft_bench::Plant;

/// All of them.
pub const PLANTS: &[Plant] = &[];
