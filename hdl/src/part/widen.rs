//! `weft_*_widen`: a narrow stream as one of 64 bytes.

use crate::prelude::*;

/// A narrow stream as one of 64 bytes a word: narrow words are put side by side. Only a frame's last word may
/// be short.
///
/// # Parameters
///
/// Words of `W` bits, 128 or 256, `K = W / 8` bytes.
#[derive(LogicBlock, BlockDefault)]
pub struct Widen<const W: usize, const K: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A narrow word is offered.
    pub in_valid: Signal<In, Bit>,
    /// The word is accepted; a function of registers and of `out_ready`.
    pub in_ready: Signal<Out, Bit>,
    /// Bytes of the word.
    pub in_data: Signal<In, Bits<W>>,
    /// The bytes that count.
    pub in_keep: Signal<In, Bits<K>>,
    /// Last word of its frame.
    pub in_last: Signal<In, Bit>,
    /// In the last word: the frame is bad.
    pub in_user: Signal<In, Bit>,
    /// A wide word is offered; a register, like the next four ports.
    pub out_valid: Signal<Out, Bit>,
    /// The wide word is accepted.
    pub out_ready: Signal<In, Bit>,
    /// Bytes of the word.
    pub out_data: Signal<Out, Bits<512>>,
    /// The bytes that count.
    pub out_keep: Signal<Out, Bits<64>>,
    /// Last word of its frame.
    pub out_last: Signal<Out, Bit>,
    /// With the last word: the frame is bad.
    pub out_user: Signal<Out, Bit>,

    #[new((W as u64).to_bits())]
    bits: Constant<Bits<10>>,
    #[new((K as u64).to_bits())]
    bytes: Constant<Bits<7>>,
    #[new((K as u64 / 16).to_bits())]
    step: Constant<Bits<2>>,
    #[new((W as u64 / 128 * 2 - 1).to_bits())]
    quarters: Constant<Bits<4>>,
    run: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
    first: Signal<Local, Bit>,
    next_place: Signal<Local, Bits<2>>,
    ends: Signal<Local, Bit>,
    place: Reg<Bits<2>>,
    here: Signal<Local, Bits<4>>,
    once: Signal<Local, Bits<512>>,
    everywhere: Signal<Local, Bits<512>>,
    once_keep: Signal<Local, Bits<64>>,
    everywhere_keep: Signal<Local, Bits<64>>,
    data: [Pipe<Bits<128>>; 4],
    keep: [Pipe<Bits<16>>; 4],
    last: Pipe<Bit>,
    user: Pipe<Bit>,
    whole: Reg<Bit>,
}
impl<const W: usize, const K: usize> Logic for Widen<W, K> {
    #[clocked(en = taken)]
    #[hdl_gen]
    fn update(&mut self) {
        self.run.next = !self.whole.q.val() | self.out_ready.val();
        self.in_ready.next = self.run.val();
        self.taken.next = self.run.val() & self.in_valid.val();

        // Place of the word, in quarters of a wide one.
        self.first.next = !self.place.q.val().any();
        self.next_place.next = self.place.q.val() + self.step.val();
        self.ends.next = self.in_last.val() | !self.next_place.val().any();
        self.place.reg = if self.ends.val() { 0.into() } else { self.next_place.val() };
        self.here.next = self.quarters.val() << self.place.q.val();

        // The narrow word is offered to all places. A wide word's first narrow word clears the others.
        self.once.next = bit_cast::<512, W>(self.in_data.val())
            | (bit_cast::<512, W>(self.in_data.val()) << self.bits.val());
        self.everywhere.next = self.once.val() | (self.once.val() << 256);
        self.once_keep.next = bit_cast::<64, K>(self.in_keep.val())
            | (bit_cast::<64, K>(self.in_keep.val()) << self.bytes.val());
        self.everywhere_keep.next = self.once_keep.val() | (self.once_keep.val() << 32);
        for i in 0..4 {
            self.data[i].pipe = when(
                self.taken.val() & (self.first.val() | self.here.val().get_bit(i)),
                if self.here.val().get_bit(i) {
                    self.everywhere.val().get_bits::<128>(128 * i)
                } else {
                    0.into()
                },
            );
            self.keep[i].pipe = when(
                self.taken.val() & (self.first.val() | self.here.val().get_bit(i)),
                if self.here.val().get_bit(i) {
                    self.everywhere_keep.val().get_bits::<16>(16 * i)
                } else {
                    0.into()
                },
            );
        }
        self.last.pipe = self.in_last.val();
        self.user.pipe = self.in_user.val() & self.in_last.val();
        self.whole.reg = when(self.run.val(), self.taken.val() & self.ends.val());

        self.out_valid.next = self.whole.q.val();
        self.out_data.next = bit_cast::<512, 128>(self.data[0].q.val())
            | (bit_cast::<512, 128>(self.data[1].q.val()) << 128)
            | (bit_cast::<512, 128>(self.data[2].q.val()) << 256)
            | (bit_cast::<512, 128>(self.data[3].q.val()) << 384);
        self.out_keep.next = bit_cast::<64, 16>(self.keep[0].q.val())
            | (bit_cast::<64, 16>(self.keep[1].q.val()) << 16)
            | (bit_cast::<64, 16>(self.keep[2].q.val()) << 32)
            | (bit_cast::<64, 16>(self.keep[3].q.val()) << 48);
        self.out_last.next = self.last.q.val();
        self.out_user.next = self.user.q.val();
    }
}
