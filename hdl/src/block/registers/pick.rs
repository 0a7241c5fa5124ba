//! `weft_registers_pick`: one of 16 words.

use crate::prelude::*;

/// One of 16 words. Combinational: a tree, which every tool maps to two LUTs in a row; a long choice may take
/// more.
#[derive(LogicBlock, BlockDefault)]
#[named]
pub struct Pick {
    /// The words.
    pub words: [Signal<In, Bits<32>>; 16],
    /// Number of the word.
    pub index: Signal<In, Bits<4>>,
    /// The word.
    pub word: Signal<Out, Bits<32>>,

    of_two: [Signal<Local, Bits<32>>; 8],
    of_four: [Signal<Local, Bits<32>>; 4],
    of_eight: [Signal<Local, Bits<32>>; 2],
}

impl Logic for Pick {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..8 {
            self.of_two[i].next = if self.index.val().get_bit(0) {
                self.words[2 * i + 1].val()
            } else {
                self.words[2 * i].val()
            };
        }
        for i in 0..4 {
            self.of_four[i].next = if self.index.val().get_bit(1) {
                self.of_two[2 * i + 1].val()
            } else {
                self.of_two[2 * i].val()
            };
        }
        for i in 0..2 {
            self.of_eight[i].next = if self.index.val().get_bit(2) {
                self.of_four[2 * i + 1].val()
            } else {
                self.of_four[2 * i].val()
            };
        }
        self.word.next =
            if self.index.val().get_bit(3) { self.of_eight[1].val() } else { self.of_eight[0].val() };
    }
}
