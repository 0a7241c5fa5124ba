//! `weft_ultra`: the value of the top's parameter LARGE_RAM.

use super::{TopParameter, instance};
use rust_hdl_core::prelude::*;

/// `weft_ultra`: whether the large memories are UltraRAM, given by the top's parameter LARGE_RAM. In Rust
/// they are block RAM.
#[derive(Clone, Debug, Default, LogicBlock)]
pub struct Ultra {
    /// The large memories are UltraRAM.
    pub q: Signal<Out, Bit>,
}

impl Logic for Ultra {
    fn update(&mut self) {
        self.q.next = false;
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        let parameter = ("LARGE_RAM", TopParameter::LargeRam.stands_for().to_owned());
        instance("weft_ultra", &[parameter], include_str!("../../verilog/prim/weft_ultra.v"))
    }
}
