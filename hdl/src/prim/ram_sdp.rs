//! `weft_ram_sdp`: the simple dual-port memory.

use super::collision::Collision;
use super::{RamStyle, instance, style};
use rust_hdl_core::prelude::*;

/// `weft_ram_sdp`: 2^A words of `T`, one write port, one read port, one clock.
///
/// Latency 1 clock, 2 with the output register. Reading the address being written in the same
/// clock gives an arbitrary word. Contents are undefined until written.
#[derive(Clone, Debug, LogicBlock)]
pub struct RamSdp<T: Synth, const A: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Write enable.
    pub we: Signal<In, Bit>,
    /// Write address.
    pub waddr: Signal<In, Bits<A>>,
    /// Word to write.
    pub wdata: Signal<In, T>,
    /// Read enable of the array.
    pub re: Signal<In, Bit>,
    /// Read address.
    pub raddr: Signal<In, Bits<A>>,
    /// Enable of the output register; without one, any value.
    pub oe: Signal<In, Bit>,
    /// Word read.
    pub rdata: Signal<Out, T>,
    _words: Vec<T>,
    _word: T,
    _out_reg: bool,
    _style: RamStyle,
    _collision: Collision,
}

impl<T: Synth, const A: usize> RamSdp<T, A> {
    /// A memory of the given style, with an output register if `out_reg`.
    pub fn new(out_reg: bool, style: RamStyle) -> Self {
        RamSdp {
            clk: Signal::default(),
            we: Signal::default(),
            waddr: Signal::default(),
            wdata: Signal::default(),
            re: Signal::default(),
            raddr: Signal::default(),
            oe: Signal::default(),
            rdata: Signal::default(),
            _words: vec![T::default(); 1 << A],
            _word: T::default(),
            _out_reg: out_reg,
            _style: style,
            _collision: Collision::default(),
        }
    }
}

impl<T: Synth, const A: usize> Default for RamSdp<T, A> {
    /// Block RAM with an output register.
    fn default() -> Self {
        Self::new(true, RamStyle::Block)
    }
}

impl<T: Synth, const A: usize> Logic for RamSdp<T, A> {
    fn update(&mut self) {
        if !self.clk.pos_edge() {
            return;
        }
        let before = self._word;
        let waddr = self.waddr.val().index();
        if self.re.val() {
            let raddr = self.raddr.val().index();
            let old = self._words[raddr];
            self._word = if self.we.val() && raddr == waddr {
                self._collision.pick([old, self.wdata.val(), T::default()])
            } else {
                old
            };
        }
        if self.we.val() {
            self._words[waddr] = self.wdata.val();
        }
        if !self._out_reg {
            self.rdata.next = self._word;
        } else if self.oe.val() {
            self.rdata.next = before;
        }
    }

    fn connect(&mut self) {
        self.rdata.connect();
    }

    fn hdl(&self) -> Verilog {
        instance(
            "weft_ram_sdp",
            &[
                ("W", T::BITS.to_string()),
                ("A", A.to_string()),
                ("OUT_REG", u8::from(self._out_reg).to_string()),
                ("RAM_STYLE", style(self._style, T::BITS, A)),
            ],
            include_str!("../../verilog/prim/weft_ram_sdp.v"),
        )
    }
}
