//! `weft_ram_lut`: the memory that is read without a clock.

use super::instance;
use rust_hdl_core::prelude::*;

/// `weft_ram_lut`: 2^A words of `T` in LUTs, one write port, one port that is read without a clock.
///
/// A word can be read from the clock after its write on. Contents are undefined until written.
#[derive(Clone, Debug, LogicBlock)]
pub struct RamLut<T: Synth, const A: usize> {
    /// Clock of the write port, rising edge.
    pub clk: Signal<In, Clock>,
    /// A word is written.
    pub we: Signal<In, Bit>,
    /// The address to write.
    pub waddr: Signal<In, Bits<A>>,
    /// The word to write.
    pub wdata: Signal<In, T>,
    /// The address to read.
    pub raddr: Signal<In, Bits<A>>,
    /// The word at the address, in the same clock.
    pub rdata: Signal<Out, T>,
    _words: Vec<T>,
}

impl<T: Synth, const A: usize> Default for RamLut<T, A> {
    fn default() -> Self {
        RamLut {
            clk: Signal::default(),
            we: Signal::default(),
            waddr: Signal::default(),
            wdata: Signal::default(),
            raddr: Signal::default(),
            rdata: Signal::default(),
            _words: vec![T::default(); 1 << A],
        }
    }
}

impl<T: Synth, const A: usize> Logic for RamLut<T, A> {
    fn update(&mut self) {
        if self.clk.pos_edge() && self.we.val() {
            self._words[self.waddr.val().index()] = self.wdata.val();
        }
        self.rdata.next = self._words[self.raddr.val().index()];
    }

    fn connect(&mut self) {
        self.rdata.connect();
    }

    fn hdl(&self) -> Verilog {
        instance(
            "weft_ram_lut",
            &[("W", T::BITS.to_string()), ("A", A.to_string())],
            include_str!("../../verilog/prim/weft_ram_lut.v"),
        )
    }
}
