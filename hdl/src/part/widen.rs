//! `weft_*_widen`: a narrow stream as one of 64 bytes.

use crate::part::skid::Skid;
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
    /// It is taken; a register.
    pub in_ready: Signal<Out, Bit>,
    /// Its bytes.
    pub in_data: Signal<In, Bits<W>>,
    /// Which of them count.
    pub in_keep: Signal<In, Bits<K>>,
    /// Last of its frame.
    pub in_last: Signal<In, Bit>,
    /// With the last word: the frame is bad.
    pub in_user: Signal<In, Bit>,
    /// A wide word is offered; a register, as are the next four.
    pub out_valid: Signal<Out, Bit>,
    /// It is taken.
    pub out_ready: Signal<In, Bit>,
    /// Its bytes.
    pub out_data: Signal<Out, Bits<512>>,
    /// Which of them count.
    pub out_keep: Signal<Out, Bits<64>>,
    /// Last of its frame.
    pub out_last: Signal<Out, Bit>,
    /// With the last word: the frame is bad.
    pub out_user: Signal<Out, Bit>,

    #[new((K as u64).to_bits())]
    step: Constant<Bits<7>>,
    skid: Skid<578>,
    run: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
    after: Signal<Local, Bits<7>>,
    ends: Signal<Local, Bit>,
    next_place: Signal<Local, Bits<6>>,
    place: Reg<Bits<6>>,
    kept: Signal<Local, Bits<512>>,
    kept_keep: Signal<Local, Bits<64>>,
    shift: Signal<Local, Bits<10>>,
    data: Pipe<Bits<512>>,
    keep: Pipe<Bits<64>>,
    last: Pipe<Bit>,
    user: Pipe<Bit>,
    whole: Reg<Bit>,
}
impl<const W: usize, const K: usize> Logic for Widen<W, K> {
    #[clocked(en = taken)]
    #[hdl_gen]
    fn update(&mut self) {
        self.run.next = self.skid.run.val();
        self.in_ready.next = self.run.val();
        self.taken.next = self.run.val() & self.in_valid.val();

        // Where the next word goes, in bytes; 64 is 0.
        self.after.next = bit_cast::<7, 6>(self.place.q.val()) + self.step.val();
        self.ends.next = self.in_last.val() | self.after.val().get_bit(6);
        self.next_place.next = if self.in_last.val() { 0.into() } else { self.after.val().get_bits::<6>(0) };
        self.place.reg = self.next_place.val();

        // A frame's or a wide word's first narrow word clears the rest.
        self.kept.next = self.data.q.val();
        self.kept_keep.next = self.keep.q.val();
        if !self.place.q.val().any() {
            self.kept.next = 0.into();
            self.kept_keep.next = 0.into();
        }
        self.shift.next = bit_cast::<10, 6>(self.place.q.val()) << 3;
        self.data.pipe = self.kept.val() | (bit_cast::<512, W>(self.in_data.val()) << self.shift.val());
        self.keep.pipe = self.kept_keep.val() | (bit_cast::<64, K>(self.in_keep.val()) << self.place.q.val());
        self.last.pipe = self.in_last.val();
        self.user.pipe = self.in_user.val() & self.in_last.val();
        self.whole.reg = when(self.run.val(), self.taken.val() & self.ends.val());

        wire!(self.skid.* <- self.*: clk, rst);
        self.skid.in_valid.next = self.whole.q.val();
        self.skid.in_word.next = bit_cast::<578, 512>(self.data.q.val())
            | (bit_cast::<578, 64>(self.keep.q.val()) << 512)
            | (bit_cast::<578, 1>(self.last.q.val().into()) << 576)
            | (bit_cast::<578, 1>(self.user.q.val().into()) << 577);
        self.skid.out_ready.next = self.out_ready.val();
        self.out_valid.next = self.skid.out_valid.val();
        self.out_data.next = self.skid.out_word.val().get_bits::<512>(0);
        self.out_keep.next = self.skid.out_word.val().get_bits::<64>(512);
        self.out_last.next = self.skid.out_word.val().get_bit(576);
        self.out_user.next = self.skid.out_word.val().get_bit(577);
    }
}
