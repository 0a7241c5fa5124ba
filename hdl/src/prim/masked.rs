//! `weft_masked`: the data register of bytes under a mask.

use super::instance;
use rust_hdl_core::prelude::*;

/// `weft_masked`: a data register of `B` bytes, `W = 8 B` bits, without reset; bytes that a mask leaves out are 0. The
/// mask becomes the registers' reset and takes no LUT.
#[derive(Clone, Debug, LogicBlock)]
pub struct Masked<const W: usize, const B: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Bit i: byte i is loaded; 0: the byte becomes 0.
    pub keep: Signal<In, Bits<B>>,
    /// The bytes.
    pub d: Signal<In, Bits<W>>,
    /// The register.
    pub q: Signal<Out, Bits<W>>,
    _q: Bits<W>,
}

impl<const W: usize, const B: usize> Default for Masked<W, B> {
    fn default() -> Self {
        assert_eq!(W, 8 * B, "bits of the bytes");
        Masked {
            clk: Signal::default(),
            keep: Signal::default(),
            d: Signal::default(),
            q: Signal::default(),
            _q: Bits::default(),
        }
    }
}

impl<const W: usize, const B: usize> Logic for Masked<W, B> {
    fn update(&mut self) {
        if self.clk.pos_edge() {
            let mut q = self.d.val();
            for byte in (0..B).filter(|byte| !self.keep.val().get_bit(*byte)) {
                for bit in 8 * byte..8 * byte + 8 {
                    q = q.replace_bit(bit, false);
                }
            }
            self._q = q;
        }
        self.q.next = self._q;
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        instance("weft_masked", &[("B", B.to_string())], include_str!("../../verilog/prim/weft_masked.v"))
    }
}
