//! `weft_*_compressor`: six bits in, their number out, in every column of six rows.

use crate::prelude::*;

/// Six bits in, their number out, in every column of six rows. Two full adders and one for their carries: each
/// output bit is one LUT6.
///
/// # Parameters
///
/// Rows of `W` bits.
#[derive(LogicBlock, Default)]
pub struct Compressor<const W: usize> {
    /// Six rows.
    pub rows: [Signal<In, Bits<W>>; 6],
    /// Bit 0 of each column's count.
    pub ones: Signal<Out, Bits<W>>,
    /// Bit 1 of each column's count.
    pub twos: Signal<Out, Bits<W>>,
    /// Bit 2 of each column's count.
    pub fours: Signal<Out, Bits<W>>,

    sum: [Signal<Local, Bits<W>>; 2],
    carry: [Signal<Local, Bits<W>>; 3],
}

impl<const W: usize> Logic for Compressor<W> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..2 {
            self.sum[i].next =
                self.rows[3 * i].val() ^ self.rows[3 * i + 1].val() ^ self.rows[3 * i + 2].val();
            self.carry[i].next = (self.rows[3 * i].val() & self.rows[3 * i + 1].val())
                | (self.rows[3 * i].val() & self.rows[3 * i + 2].val())
                | (self.rows[3 * i + 1].val() & self.rows[3 * i + 2].val());
        }
        self.carry[2].next = self.sum[0].val() & self.sum[1].val();
        self.ones.next = self.sum[0].val() ^ self.sum[1].val();
        self.twos.next = self.carry[0].val() ^ self.carry[1].val() ^ self.carry[2].val();
        self.fours.next = (self.carry[0].val() & self.carry[1].val())
            | (self.carry[0].val() & self.carry[2].val())
            | (self.carry[1].val() & self.carry[2].val());
    }
}
