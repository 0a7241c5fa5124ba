//! `weft_ram_tdp`: the true dual-port memory.

use super::collision::Collision;
use super::{RamStyle, instance};
use rust_hdl_core::prelude::*;

/// `weft_ram_tdp`: 2^A words of `T`, ports `a` and `b`, one clock.
///
/// In one clock a port either writes or reads; its output stays the same while it writes. Latency 1 clock, 2
/// with the output registers. If one port writes the address that the other reads, the read word is
/// arbitrary. If both ports write it, the stored word is arbitrary.
#[derive(Clone, Debug, LogicBlock)]
pub struct RamTdp<T: Synth, const A: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Port a acts in this clock.
    pub a_en: Signal<In, Bit>,
    /// Port a writes; 0: it reads.
    pub a_we: Signal<In, Bit>,
    /// Address of port a.
    pub a_addr: Signal<In, Bits<A>>,
    /// Word that port a writes.
    pub a_wdata: Signal<In, T>,
    /// Enable of port a's output register; without one, any value.
    pub a_oe: Signal<In, Bit>,
    /// Word that port a read.
    pub a_rdata: Signal<Out, T>,
    /// Port b acts in this clock.
    pub b_en: Signal<In, Bit>,
    /// Port b writes; 0: it reads.
    pub b_we: Signal<In, Bit>,
    /// Address of port b.
    pub b_addr: Signal<In, Bits<A>>,
    /// Word that port b writes.
    pub b_wdata: Signal<In, T>,
    /// Enable of port b's output register; without one, any value.
    pub b_oe: Signal<In, Bit>,
    /// Word that port b read.
    pub b_rdata: Signal<Out, T>,
    _words: Vec<T>,
    _word: [T; 2],
    _out_reg: bool,
    _style: RamStyle,
    _collision: Collision,
}

impl<T: Synth, const A: usize> RamTdp<T, A> {
    /// A memory of the given style, with output registers if `out_reg`.
    pub fn new(out_reg: bool, style: RamStyle) -> Self {
        RamTdp {
            clk: Signal::default(),
            a_en: Signal::default(),
            a_we: Signal::default(),
            a_addr: Signal::default(),
            a_wdata: Signal::default(),
            a_oe: Signal::default(),
            a_rdata: Signal::default(),
            b_en: Signal::default(),
            b_we: Signal::default(),
            b_addr: Signal::default(),
            b_wdata: Signal::default(),
            b_oe: Signal::default(),
            b_rdata: Signal::default(),
            _words: vec![T::default(); 1 << A],
            _word: [T::default(); 2],
            _out_reg: out_reg,
            _style: style,
            _collision: Collision::default(),
        }
    }
}

impl<T: Synth, const A: usize> Default for RamTdp<T, A> {
    /// Block RAM with output registers.
    fn default() -> Self {
        Self::new(true, RamStyle::Block)
    }
}

impl<T: Synth, const A: usize> Logic for RamTdp<T, A> {
    fn update(&mut self) {
        if !self.clk.pos_edge() {
            return;
        }
        let before = self._word;
        let addr = [self.a_addr.val().index(), self.b_addr.val().index()];
        let data = [self.a_wdata.val(), self.b_wdata.val()];
        let write = [self.a_en.val() && self.a_we.val(), self.b_en.val() && self.b_we.val()];
        let read = [self.a_en.val() && !self.a_we.val(), self.b_en.val() && !self.b_we.val()];
        for port in 0..2 {
            let other = 1 - port;
            if read[port] {
                let old = self._words[addr[port]];
                self._word[port] = if write[other] && addr[0] == addr[1] {
                    self._collision.pick([old, data[other], T::default()])
                } else {
                    old
                };
            }
        }
        if write[0] && write[1] && addr[0] == addr[1] {
            self._words[addr[0]] = self._collision.pick([data[0], data[1], T::default()]);
        } else {
            for port in 0..2 {
                if write[port] {
                    self._words[addr[port]] = data[port];
                }
            }
        }
        if !self._out_reg || self.a_oe.val() {
            self.a_rdata.next = if self._out_reg { before[0] } else { self._word[0] };
        }
        if !self._out_reg || self.b_oe.val() {
            self.b_rdata.next = if self._out_reg { before[1] } else { self._word[1] };
        }
    }

    fn connect(&mut self) {
        self.a_rdata.connect();
        self.b_rdata.connect();
    }

    fn hdl(&self) -> Verilog {
        instance(
            "weft_ram_tdp",
            &[
                ("W", T::BITS.to_string()),
                ("A", A.to_string()),
                ("OUT_REG", u8::from(self._out_reg).to_string()),
                ("RAM_STYLE", format!("\"{}\"", self._style)),
            ],
            include_str!("../../verilog/prim/weft_ram_tdp.v"),
        )
    }
}
