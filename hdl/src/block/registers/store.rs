//! `weft_registers_*`, a page of 16 words that software writes.

use super::pick::Pick;
use crate::prelude::*;
use weft_params::registers::{Page, Register, WORD};

/// A page of 16 words that software writes: looks a word up in two clocks and writes it in the third.
#[derive(LogicBlock, BlockDefault)]
#[given(page: &Page)]
#[named]
pub struct Store {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset: all words are written.
    pub rst: Signal<In, Bit>,
    /// Offset of the access, in words; constant until the write.
    pub at: Signal<In, Bits<14>>,
    /// Write, if the word is in this page.
    pub write: Signal<In, Bit>,
    /// Data of the write.
    pub data: Signal<In, Bits<32>>,
    /// One clock after `at`: the word is in this page.
    pub found: Signal<Out, Bit>,
    /// One clock after `at`: the word, or 0 if the word is not in this page.
    pub word: Signal<Out, Bits<32>>,
    /// The words.
    pub words: [Signal<Out, Bits<32>>; 16],

    #[new(page.number().to_bits())]
    page: Constant<Bits<10>>,
    #[new(page.exists().to_bits())]
    exists: Constant<Bits<16>>,
    #[default(words(page, Register::mask).map(|bits| Constant::new(bits.to_bits())))]
    kept: [Constant<Bits<32>>; 16],
    pick: Pick,
    mine: Pipe<Bit>,
    picked: Pipe<Bits<32>>,
    hits: Signal<Local, Bits<16>>,
    #[default(words(page, Register::word).map(|word| Constant::new(word.to_bits())))]
    initial: [Constant<Bits<32>>; 16],
    resets: Signal<Local, Bits<32>>,
    stored: [Pipe<Bits<32>>; 16],
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

        // Reset writes all words: so it drives the data and the enables, not the registers.
        self.hits.next = if self.rst.val() {
            0xFFFF.into()
        } else if self.mine.q.val() & self.write.val() {
            bits::<16>(1) << self.at.val().get_bits::<4>(0)
        } else {
            0.into()
        };
        self.resets.next = if self.rst.val() { !bits::<32>(0) } else { 0.into() };
        for i in 0..16 {
            self.stored[i].pipe = when(
                self.hits.val().get_bit(i),
                (self.data.val() & self.kept[i].val() & !self.resets.val())
                    | (self.initial[i].val() & self.resets.val()),
            );
            self.words[i].next = self.stored[i].q.val();
        }
    }
}

/// A value of every word of the page, 0 without a register.
fn words(page: &Page, of: fn(&Register, u16) -> u32) -> [u64; 16] {
    let mut words = [0; 16];
    for (word, register) in page.words() {
        let part = word - (register.offset - page.offset) / WORD;
        words[usize::from(word)] = of(register, part).into();
    }
    words
}
