//! `weft_*_first`: the first set bit of 16.

use crate::prelude::*;

/// The first set bit of 16, by groups of four, so that it is three LUTs deep.
#[derive(LogicBlock, Default)]
pub struct First {
    /// The bits.
    pub vec: Signal<In, Bits<16>>,
    /// A bit is set.
    pub found: Signal<Out, Bit>,
    /// Number of the first; 15 if none is set.
    pub index: Signal<Out, Bits<4>>,

    four: [Signal<Local, Bits<4>>; 4],
    place: [Signal<Local, Bits<2>>; 4],
    group: Signal<Local, Bits<2>>,
    low: Signal<Local, Bits<2>>,
}

impl Logic for First {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..4 {
            self.four[i].next = self.vec.val().get_bits::<4>(4 * i);
            self.place[i].next = if self.four[i].val().get_bit(0) {
                0.into()
            } else if self.four[i].val().get_bit(1) {
                1.into()
            } else if self.four[i].val().get_bit(2) {
                2.into()
            } else {
                3.into()
            };
        }
        self.group.next = 3.into();
        self.low.next = self.place[3].val();
        if self.four[0].val().any() {
            self.group.next = 0.into();
            self.low.next = self.place[0].val();
        } else if self.four[1].val().any() {
            self.group.next = 1.into();
            self.low.next = self.place[1].val();
        } else if self.four[2].val().any() {
            self.group.next = 2.into();
            self.low.next = self.place[2].val();
        }
        self.found.next = self.vec.val().any();
        self.index.next = (bit_cast::<4, 2>(self.group.val()) << 2) | bit_cast::<4, 2>(self.low.val());
    }
}
