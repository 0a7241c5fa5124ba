//! `weft_*_hot`: one slot of a ring as a mask.

use crate::prelude::*;

/// A register with one bit set, or none.
#[derive(LogicBlock, Default)]
pub struct Hot {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// The slot.
    pub index: Signal<In, Bits<8>>,
    /// Set its bit.
    pub en: Signal<In, Bit>,
    /// One clock later: the mask.
    pub one: Signal<Out, Bits<256>>,

    slots: Signal<Local, Bits<16>>,
    group: Signal<Local, Bits<16>>,
    word: Signal<Local, Bits<16>>,
    joined: Signal<Local, Bits<256>>,
    mask: Pipe<Bits<256>>,
}

impl Logic for Hot {
    #[hdl_gen]
    fn update(&mut self) {
        // Groups of 16 slots and slots in the group, then both: a decoder of two small ones.
        self.slots.next = bits::<16>(1) << self.index.val().get_bits::<4>(0);
        self.group.next = bit_cast::<16, 1>(self.en.val().into()) << self.index.val().get_bits::<4>(4);
        self.joined.next = 0.into();
        for g in 0..16 {
            self.word.next = 0.into();
            if self.group.val().get_bit(g) {
                self.word.next = self.slots.val();
            }
            self.joined.next = (self.joined.val() >> 16) | (bit_cast::<256, 16>(self.word.val()) << 240);
        }
        self.mask.clk.next = self.clk.val();
        self.mask.en.next = self.run.val();
        self.mask.d.next = self.joined.val();
        self.one.next = self.mask.q.val();
    }
}
