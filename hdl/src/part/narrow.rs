//! `weft_*_narrow`: a stream of 64 bytes as a narrow one.

use crate::part::skid::Skid;
use crate::prelude::*;

/// A stream of 64 bytes a word as a narrow one: each word is cut into narrow ones, and what goes along with it
/// stays beside them.
///
/// # Parameters
///
/// Words of `W` bits, 128 or 256, `K = W / 8` bytes; `X` bits go along; `S = W + K + 1 + X`.
#[derive(LogicBlock, BlockDefault)]
pub struct Narrow<const W: usize, const K: usize, const X: usize, const S: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A wide word is offered.
    pub in_valid: Signal<In, Bit>,
    /// It is taken; a register.
    pub in_ready: Signal<Out, Bit>,
    /// Its bytes.
    pub in_data: Signal<In, Bits<512>>,
    /// Which of them count.
    pub in_keep: Signal<In, Bits<64>>,
    /// Last of its frame.
    pub in_last: Signal<In, Bit>,
    /// What goes along.
    pub in_side: Signal<In, Bits<X>>,
    /// No word is in here; a function of registers.
    pub idle: Signal<Out, Bit>,
    /// A narrow word is offered; a register, as are the next four.
    pub out_valid: Signal<Out, Bit>,
    /// It is taken.
    pub out_ready: Signal<In, Bit>,
    /// Its bytes.
    pub out_data: Signal<Out, Bits<W>>,
    /// Which of them count.
    pub out_keep: Signal<Out, Bits<K>>,
    /// Last of its frame.
    pub out_last: Signal<Out, Bit>,
    /// What goes along, with each of its narrow words.
    pub out_side: Signal<Out, Bits<X>>,

    #[new((W as u64).to_bits())]
    bits: Constant<Bits<10>>,
    #[new((K as u64).to_bits())]
    bytes: Constant<Bits<7>>,
    #[new((W as u64).to_bits())]
    keep_at: Constant<Bits<10>>,
    #[new(((W + K) as u64).to_bits())]
    last_at: Constant<Bits<10>>,
    #[new(((W + K + 1) as u64).to_bits())]
    side_at: Constant<Bits<10>>,
    skid: Skid<S>,
    run: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
    rest_keep: Signal<Local, Bits<64>>,
    done: Signal<Local, Bit>,
    more: Signal<Local, Bit>,
    waits: Reg<Bit>,
    next_data: Pipe<Bits<512>>,
    next_keep: Pipe<Bits<64>>,
    next_last: Pipe<Bit>,
    next_side: Pipe<Bits<X>>,
    cuts: Reg<Bit>,
    step: Signal<Local, Bit>,
    data: Pipe<Bits<512>>,
    keep: Pipe<Bits<64>>,
    last: Pipe<Bit>,
    side: Pipe<Bits<X>>,
    final_word: Signal<Local, Bit>,
}
impl<const W: usize, const K: usize, const X: usize, const S: usize> Logic for Narrow<W, K, X, S> {
    #[clocked(en = taken)]
    #[hdl_gen]
    fn update(&mut self) {
        self.run.next = self.skid.run.val();
        self.in_ready.next = !self.waits.q.val();
        self.taken.next = self.in_valid.val() & !self.waits.q.val();

        // The word that is cut, and one that waits behind it.
        self.rest_keep.next = self.keep.q.val() >> self.bytes.val();
        self.done.next = !self.cuts.q.val() | (self.run.val() & !self.rest_keep.val().any());
        self.more.next = self.waits.q.val() | self.taken.val();
        self.waits.reg = when(true, self.more.val() & !self.done.val());
        self.next_data.pipe = self.in_data.val();
        self.next_keep.pipe = self.in_keep.val();
        self.next_last.pipe = self.in_last.val();
        self.next_side.pipe = self.in_side.val();
        self.cuts.reg = when(self.done.val(), self.more.val());
        self.step.next = self.done.val() | self.run.val();
        self.data.pipe = when(self.step.val(), self.data.q.val() >> self.bits.val());
        self.keep.pipe = when(self.step.val(), self.rest_keep.val());
        self.last.pipe = when(self.step.val(), self.last.q.val());
        self.side.pipe = when(self.step.val(), self.side.q.val());
        if self.done.val() {
            self.data.d.next = self.in_data.val();
            self.keep.d.next = self.in_keep.val();
            self.last.d.next = self.in_last.val();
            self.side.d.next = self.in_side.val();
            if self.waits.q.val() {
                self.data.d.next = self.next_data.q.val();
                self.keep.d.next = self.next_keep.q.val();
                self.last.d.next = self.next_last.q.val();
                self.side.d.next = self.next_side.q.val();
            }
        }

        // A narrow word leaves; only the last one of a frame tells that it is.
        self.final_word.next = !self.rest_keep.val().any();
        wire!(self.skid.* <- self.*: clk, rst);
        self.skid.in_valid.next = self.cuts.q.val();
        self.skid.in_word.next = bit_cast::<S, W>(self.data.q.val().get_bits::<W>(0))
            | (bit_cast::<S, K>(self.keep.q.val().get_bits::<K>(0)) << self.keep_at.val())
            | (bit_cast::<S, 1>((self.final_word.val() & self.last.q.val()).into()) << self.last_at.val())
            | (bit_cast::<S, X>(self.side.q.val()) << self.side_at.val());
        self.skid.out_ready.next = self.out_ready.val();
        self.idle.next =
            !self.cuts.q.val() & !self.waits.q.val() & self.run.val() & !self.skid.out_valid.val();
        self.out_valid.next = self.skid.out_valid.val();
        self.out_data.next = self.skid.out_word.val().get_bits::<W>(0);
        self.out_keep.next = self.skid.out_word.val().get_bits::<K>(self.keep_at.val().index());
        self.out_last.next = self.skid.out_word.val().get_bit(self.last_at.val().index());
        self.out_side.next = self.skid.out_word.val().get_bits::<X>(self.side_at.val().index());
    }
}
