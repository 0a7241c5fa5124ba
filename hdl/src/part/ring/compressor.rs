//! `weft_*_compressor`: six bits in, their number out, in every column of six rows.

use crate::prelude::*;

/// Six bits in, their number out, in every column of six rows. Each output bit is one LUT6. Each compressor
/// divides the rows into its own groups of three, so that no tool moves common terms into smaller LUTs.
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

    odd: [Signal<Local, Bits<W>>; 4],
    two: [Signal<Local, Bits<W>>; 4],
    both: Signal<Local, Bits<W>>,
}

impl<const W: usize> Logic for Compressor<W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.ones.next = (self.rows[0].val() ^ self.rows[3].val())
            ^ (self.rows[1].val() ^ self.rows[4].val())
            ^ (self.rows[2].val() ^ self.rows[5].val());

        // For the first three rows and the last three: whether an odd number is set, and whether two are.
        for i in 0..2 {
            self.odd[i].next =
                self.rows[3 * i].val() ^ self.rows[3 * i + 1].val() ^ self.rows[3 * i + 2].val();
            self.two[i].next = (self.rows[3 * i].val() & self.rows[3 * i + 1].val())
                | (self.rows[3 * i].val() & self.rows[3 * i + 2].val())
                | (self.rows[3 * i + 1].val() & self.rows[3 * i + 2].val());
        }
        self.twos.next = self.two[0].val() ^ self.two[1].val() ^ (self.odd[0].val() & self.odd[1].val());

        // The same of every other row.
        for i in 0..2 {
            self.odd[i + 2].next = self.rows[i].val() ^ self.rows[i + 2].val() ^ self.rows[i + 4].val();
            self.two[i + 2].next = (self.rows[i].val() & self.rows[i + 2].val())
                | (self.rows[i].val() & self.rows[i + 4].val())
                | (self.rows[i + 2].val() & self.rows[i + 4].val());
        }
        self.both.next = self.odd[2].val() & self.odd[3].val();
        self.fours.next = (self.two[2].val() & self.two[3].val())
            | (self.two[2].val() & self.both.val())
            | (self.two[3].val() & self.both.val());
    }
}
