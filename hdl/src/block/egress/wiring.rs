//! `weft_egress_*_reverse`, `weft_egress_*_spread`: wires only, in lanes, because simulators are fast with 64 bits.

use crate::prelude::*;

/// Turns a number, highest byte first, into bytes in the order of the bus, first byte lowest. Wires only.
#[derive(LogicBlock, Default)]
pub struct Reverse {
    /// The number.
    pub number: Signal<In, Bits<1472>>,
    /// The 64 highest bytes of the number.
    pub low: Signal<Out, Bits<512>>,
    /// The next 64 bytes.
    pub mid: Signal<Out, Bits<512>>,
    /// The last 56 bytes.
    pub high: Signal<Out, Bits<448>>,

    // Each group of 64 bits is reversed, and the groups are in reverse order.
    lanes: [Signal<Local, Bits<64>>; 23],
}

impl Logic for Reverse {
    #[hdl_gen]
    fn update(&mut self) {
        for k in 0..23 {
            self.lanes[k].next = (self.number.val().get_bits::<64>(64 * k + 56) & 0xFF)
                | ((self.number.val().get_bits::<64>(64 * k + 48) & 0xFF) << 8)
                | ((self.number.val().get_bits::<64>(64 * k + 40) & 0xFF) << 16)
                | ((self.number.val().get_bits::<64>(64 * k + 32) & 0xFF) << 24)
                | ((self.number.val().get_bits::<64>(64 * k + 24) & 0xFF) << 32)
                | ((self.number.val().get_bits::<64>(64 * k + 16) & 0xFF) << 40)
                | ((self.number.val().get_bits::<64>(64 * k + 8) & 0xFF) << 48)
                | ((self.number.val().get_bits::<64>(64 * k) & 0xFF) << 56);
        }
        self.low.next = bit_cast::<512, 64>(self.lanes[22].val())
            | (bit_cast::<512, 64>(self.lanes[21].val()) << 64)
            | (bit_cast::<512, 64>(self.lanes[20].val()) << 128)
            | (bit_cast::<512, 64>(self.lanes[19].val()) << 192)
            | (bit_cast::<512, 64>(self.lanes[18].val()) << 256)
            | (bit_cast::<512, 64>(self.lanes[17].val()) << 320)
            | (bit_cast::<512, 64>(self.lanes[16].val()) << 384)
            | (bit_cast::<512, 64>(self.lanes[15].val()) << 448);
        self.mid.next = bit_cast::<512, 64>(self.lanes[14].val())
            | (bit_cast::<512, 64>(self.lanes[13].val()) << 64)
            | (bit_cast::<512, 64>(self.lanes[12].val()) << 128)
            | (bit_cast::<512, 64>(self.lanes[11].val()) << 192)
            | (bit_cast::<512, 64>(self.lanes[10].val()) << 256)
            | (bit_cast::<512, 64>(self.lanes[9].val()) << 320)
            | (bit_cast::<512, 64>(self.lanes[8].val()) << 384)
            | (bit_cast::<512, 64>(self.lanes[7].val()) << 448);
        self.high.next = bit_cast::<448, 64>(self.lanes[6].val())
            | (bit_cast::<448, 64>(self.lanes[5].val()) << 64)
            | (bit_cast::<448, 64>(self.lanes[4].val()) << 128)
            | (bit_cast::<448, 64>(self.lanes[3].val()) << 192)
            | (bit_cast::<448, 64>(self.lanes[2].val()) << 256)
            | (bit_cast::<448, 64>(self.lanes[1].val()) << 320)
            | (bit_cast::<448, 64>(self.lanes[0].val()) << 384);
    }
}

/// Makes eight equal bits of each bit, so that a mask of bytes becomes a mask of bits. Wires only.
#[derive(LogicBlock, Default)]
pub struct Spread {
    /// Bit i selects byte i.
    pub bytes: Signal<In, Bits<64>>,
    /// The mask.
    pub mask: Signal<Out, Bits<512>>,

    lanes: [Signal<Local, Bits<64>>; 8],
}

impl Logic for Spread {
    #[hdl_gen]
    fn update(&mut self) {
        for k in 0..8 {
            self.lanes[k].next = 0.into();
            if self.bytes.val().get_bit(8 * k) {
                self.lanes[k].next = self.lanes[k].val() | bits::<64>(0xFF);
            }
            if self.bytes.val().get_bit(8 * k + 1) {
                self.lanes[k].next = self.lanes[k].val() | (bits::<64>(0xFF) << 8);
            }
            if self.bytes.val().get_bit(8 * k + 2) {
                self.lanes[k].next = self.lanes[k].val() | (bits::<64>(0xFF) << 16);
            }
            if self.bytes.val().get_bit(8 * k + 3) {
                self.lanes[k].next = self.lanes[k].val() | (bits::<64>(0xFF) << 24);
            }
            if self.bytes.val().get_bit(8 * k + 4) {
                self.lanes[k].next = self.lanes[k].val() | (bits::<64>(0xFF) << 32);
            }
            if self.bytes.val().get_bit(8 * k + 5) {
                self.lanes[k].next = self.lanes[k].val() | (bits::<64>(0xFF) << 40);
            }
            if self.bytes.val().get_bit(8 * k + 6) {
                self.lanes[k].next = self.lanes[k].val() | (bits::<64>(0xFF) << 48);
            }
            if self.bytes.val().get_bit(8 * k + 7) {
                self.lanes[k].next = self.lanes[k].val() | (bits::<64>(0xFF) << 56);
            }
        }
        self.mask.next = bit_cast::<512, 64>(self.lanes[0].val())
            | (bit_cast::<512, 64>(self.lanes[1].val()) << 64)
            | (bit_cast::<512, 64>(self.lanes[2].val()) << 128)
            | (bit_cast::<512, 64>(self.lanes[3].val()) << 192)
            | (bit_cast::<512, 64>(self.lanes[4].val()) << 256)
            | (bit_cast::<512, 64>(self.lanes[5].val()) << 320)
            | (bit_cast::<512, 64>(self.lanes[6].val()) << 384)
            | (bit_cast::<512, 64>(self.lanes[7].val()) << 448);
    }
}

/// Puts eight lanes of 64 bits side by side: a bus word. Wires only.
#[derive(LogicBlock, Default)]
pub struct Join {
    /// The lanes, the first lowest.
    pub lanes: [Signal<In, Bits<64>>; 8],
    /// The word.
    pub word: Signal<Out, Bits<512>>,
}

impl Logic for Join {
    #[hdl_gen]
    fn update(&mut self) {
        self.word.next = bit_cast::<512, 64>(self.lanes[0].val())
            | (bit_cast::<512, 64>(self.lanes[1].val()) << 64)
            | (bit_cast::<512, 64>(self.lanes[2].val()) << 128)
            | (bit_cast::<512, 64>(self.lanes[3].val()) << 192)
            | (bit_cast::<512, 64>(self.lanes[4].val()) << 256)
            | (bit_cast::<512, 64>(self.lanes[5].val()) << 320)
            | (bit_cast::<512, 64>(self.lanes[6].val()) << 384)
            | (bit_cast::<512, 64>(self.lanes[7].val()) << 448);
    }
}
