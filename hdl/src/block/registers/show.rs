//! `weft_registers_show`: a page of 16 words that software only reads.

use super::pick::Pick;
use crate::prelude::*;

/// A page of 16 words that software only reads: looks a word up in two clocks. Which page it is are numbers that do
/// not change.
#[derive(LogicBlock, BlockDefault)]
#[named]
pub struct Show {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// The page's number: its offset in pages.
    pub page: Signal<In, Bits<10>>,
    /// Bit i: the page has an i-th word.
    pub exists: Signal<In, Bits<16>>,
    /// Offset of the access, in words.
    pub at: Signal<In, Bits<14>>,
    /// The words.
    pub words: [Signal<In, Bits<32>>; 16],
    /// One clock later: the word is in this page.
    pub found: Signal<Out, Bit>,
    /// One clock later: the word, or 0 if it is not in this page.
    pub word: Signal<Out, Bits<32>>,

    pick: Pick,
    mine: Pipe<Bit>,
    picked: Pipe<Bits<32>>,
}

impl Logic for Show {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..16 {
            self.pick.words[i].next = self.words[i].val();
        }
        self.pick.index.next = self.at.val().get_bits::<4>(0);
        self.mine.pipe = (self.at.val().get_bits::<10>(4) == self.page.val())
            & self.exists.val().get_bit(self.at.val().get_bits::<4>(0).index());
        self.picked.pipe = self.pick.word.val();

        self.found.next = self.mine.q.val();
        self.word.next = if self.mine.q.val() { self.picked.q.val() } else { 0.into() };
    }
}
