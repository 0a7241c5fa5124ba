//! `weft_ram_sdp_be`: the simple dual-port memory with byte enables.

use super::collision::Collision;
use super::{RamStyle, instance, style};
use rust_hdl_core::prelude::*;

/// `weft_ram_sdp_be`: as [`RamSdp`](super::RamSdp) with words of `W` bits = `B` bytes, of which
/// bit `i` of `we` writes byte `i`.
#[derive(Clone, Debug, LogicBlock)]
pub struct RamSdpBe<const W: usize, const B: usize, const A: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Write enable of each byte.
    pub we: Signal<In, Bits<B>>,
    /// Write address.
    pub waddr: Signal<In, Bits<A>>,
    /// Word to write.
    pub wdata: Signal<In, Bits<W>>,
    /// Read enable of the array.
    pub re: Signal<In, Bit>,
    /// Read address.
    pub raddr: Signal<In, Bits<A>>,
    /// Enable of the output register; without one, any value.
    pub oe: Signal<In, Bit>,
    /// Word read.
    pub rdata: Signal<Out, Bits<W>>,
    _words: Vec<Bits<W>>,
    _word: Bits<W>,
    _out_reg: bool,
    _style: RamStyle,
    _collision: Collision,
}

impl<const W: usize, const B: usize, const A: usize> RamSdpBe<W, B, A> {
    /// A memory of the given style, with an output register if `out_reg`. Compiles only if W = 8 B.
    pub fn new(out_reg: bool, style: RamStyle) -> Self {
        const { assert!(W == 8 * B, "RamSdpBe<W, B, A> needs W = 8 * B") };
        RamSdpBe {
            clk: Signal::default(),
            we: Signal::default(),
            waddr: Signal::default(),
            wdata: Signal::default(),
            re: Signal::default(),
            raddr: Signal::default(),
            oe: Signal::default(),
            rdata: Signal::default(),
            _words: vec![Bits::default(); 1 << A],
            _word: Bits::default(),
            _out_reg: out_reg,
            _style: style,
            _collision: Collision::default(),
        }
    }
}

impl<const W: usize, const B: usize, const A: usize> Default for RamSdpBe<W, B, A> {
    /// Block RAM with an output register.
    fn default() -> Self {
        Self::new(true, RamStyle::Block)
    }
}

impl<const W: usize, const B: usize, const A: usize> Logic for RamSdpBe<W, B, A> {
    fn update(&mut self) {
        if !self.clk.pos_edge() {
            return;
        }
        let before = self._word;
        let waddr = self.waddr.val().index();
        let mut new = self._words[waddr];
        for byte in 0..B {
            if self.we.val().get_bit(byte) {
                new.set_bits::<8>(8 * byte, self.wdata.val().get_bits::<8>(8 * byte));
            }
        }
        if self.re.val() {
            let raddr = self.raddr.val().index();
            let old = self._words[raddr];
            self._word = if self.we.val().any() && raddr == waddr {
                self._collision.pick([old, new, !old])
            } else {
                old
            };
        }
        self._words[waddr] = new;
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
            "weft_ram_sdp_be",
            &[
                ("B", B.to_string()),
                ("A", A.to_string()),
                ("OUT_REG", u8::from(self._out_reg).to_string()),
                ("RAM_STYLE", style(self._style, W, A)),
            ],
            include_str!("../../verilog/prim/weft_ram_sdp_be.v"),
        )
    }
}
