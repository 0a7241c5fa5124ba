//! `weft_registers_*`, a page of 16 words that software writes.

use super::pick::Pick;
use crate::prelude::*;
use weft_params::registers::{Page, WORD};

/// A page of 16 words that software writes: looks a word up in two clocks and writes it in the third.
#[derive(LogicBlock)]
pub struct Store {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset of all words.
    pub rst: Signal<In, Bit>,
    /// Offset of the access, in words; stands still until the write.
    pub at: Signal<In, Bits<14>>,
    /// Write, if the word is in this page.
    pub write: Signal<In, Bit>,
    /// What to write.
    pub data: Signal<In, Bits<32>>,
    /// One clock after `at`: the word is in this page.
    pub found: Signal<Out, Bit>,
    /// One clock after `at`: the word, 0 if it is not in this page.
    pub word: Signal<Out, Bits<32>>,
    /// The words.
    pub words: [Signal<Out, Bits<32>>; 16],

    page: Constant<Bits<10>>,
    exists: Constant<Bits<16>>,
    kept: [Constant<Bits<32>>; 16],
    pick: Pick,
    mine: Pipe<Bit>,
    picked: Pipe<Bits<32>>,
    hits: Signal<Local, Bits<16>>,
    stored: [Reg<Bits<32>>; 16],
}

impl Store {
    /// A page of the description.
    pub fn new(page: &Page) -> Self {
        let mut resets = [0u64; 16];
        let mut kept = [0u64; 16];
        for (word, register) in page.words() {
            let part = word - (register.offset - page.offset) / WORD;
            resets[usize::from(word)] = register.word(part).into();
            kept[usize::from(word)] = register.mask(part).into();
        }
        Store {
            clk: Default::default(),
            rst: Default::default(),
            at: Default::default(),
            write: Default::default(),
            data: Default::default(),
            found: Default::default(),
            word: Default::default(),
            words: Default::default(),
            page: Constant::new(page.number().to_bits()),
            exists: Constant::new(page.exists().to_bits()),
            kept: kept.map(|bits| Constant::new(bits.to_bits())),
            pick: Default::default(),
            mine: Default::default(),
            picked: Default::default(),
            hits: Default::default(),
            stored: resets.map(|word| Reg::new(word.to_bits())),
        }
    }
}

impl Logic for Store {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..16 {
            self.pick.words[i].next = self.stored[i].q.val();
        }
        self.pick.index.next = self.at.val().get_bits::<4>(0);
        self.mine.pipe = (self.at.val().get_bits::<10>(4) == self.page.val())
            & self.exists.val().get_bit(self.at.val().get_bits::<4>(0).index());
        self.picked.pipe = self.pick.word.val();

        self.found.next = self.mine.q.val();
        self.word.next = if self.mine.q.val() { self.picked.q.val() } else { 0.into() };

        self.hits.next = if self.mine.q.val() & self.write.val() {
            bits::<16>(1) << self.at.val().get_bits::<4>(0)
        } else {
            0.into()
        };
        for i in 0..16 {
            self.stored[i].reg = when(self.hits.val().get_bit(i), self.data.val() & self.kept[i].val());
            self.words[i].next = self.stored[i].q.val();
        }
    }
}
