//! `weft_*_narrow`: a stream of 64 bytes as a narrow one.

use crate::part::skid::Skid;
use crate::prelude::*;

/// Turns a stream of 64 bytes a word into a narrow one: each word is split into narrow words, and its side
/// data accompanies each of them.
///
/// # Parameters
///
/// Words of `W` bits, 128 or 256, `K = W / 8` bytes; `X` bits of side data; `S = W + K + 1 + X`.
#[derive(LogicBlock, BlockDefault)]
pub struct Narrow<const W: usize, const K: usize, const X: usize, const S: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A wide word is offered.
    pub in_valid: Signal<In, Bit>,
    /// The wide word is accepted; a function of registers.
    pub in_ready: Signal<Out, Bit>,
    /// Bytes of the word.
    pub in_data: Signal<In, Bits<512>>,
    /// The bytes that count.
    pub in_keep: Signal<In, Bits<64>>,
    /// Last word of its frame.
    pub in_last: Signal<In, Bit>,
    /// Side data of the word.
    pub in_side: Signal<In, Bits<X>>,
    /// No word is stored; a function of registers.
    pub idle: Signal<Out, Bit>,
    /// A narrow word is offered; a register, like the next four ports.
    pub out_valid: Signal<Out, Bit>,
    /// The narrow word is accepted.
    pub out_ready: Signal<In, Bit>,
    /// Bytes of the word.
    pub out_data: Signal<Out, Bits<W>>,
    /// The bytes that count.
    pub out_keep: Signal<Out, Bits<K>>,
    /// Last word of its frame.
    pub out_last: Signal<Out, Bit>,
    /// Side data of the wide word.
    pub out_side: Signal<Out, Bits<X>>,

    #[new((W as u64).to_bits())]
    keep_at: Constant<Bits<10>>,
    #[new(((W + K) as u64).to_bits())]
    last_at: Constant<Bits<10>>,
    #[new(((W + K + 1) as u64).to_bits())]
    side_at: Constant<Bits<10>>,
    #[new((K as u64 / 16).to_bits())]
    step: Constant<Bits<2>>,
    skid: Skid<S>,
    run: Signal<Local, Bit>,
    next_place: Signal<Local, Bits<2>>,
    goes_on: Signal<Local, Bit>,
    done: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
    cuts: Reg<Bit>,
    place: Reg<Bits<2>>,
    data: Pipe<Bits<512>>,
    keep: Pipe<Bits<64>>,
    last: Pipe<Bit>,
    side: Pipe<Bits<X>>,
    half: Signal<Local, Bits<256>>,
    quarter: Signal<Local, Bits<256>>,
    half_keep: Signal<Local, Bits<32>>,
    quarter_keep: Signal<Local, Bits<32>>,
}
impl<const W: usize, const K: usize, const X: usize, const S: usize> Logic for Narrow<W, K, X, S> {
    #[clocked(en = taken)]
    #[hdl_gen]
    fn update(&mut self) {
        self.run.next = self.skid.run.val();

        // Part that leaves, by its first quarter of the wide word; another part follows if its first byte counts.
        self.next_place.next = self.place.q.val() + self.step.val();
        self.goes_on.next = if self.next_place.val() == 1 {
            self.keep.q.val().get_bit(16)
        } else if self.next_place.val() == 2 {
            self.keep.q.val().get_bit(32)
        } else if self.next_place.val() == 3 {
            self.keep.q.val().get_bit(48)
        } else {
            false
        };
        self.done.next = !self.cuts.q.val() | (self.run.val() & !self.goes_on.val());
        self.cuts.reg = when(self.done.val(), self.in_valid.val());
        self.place.reg = when(
            self.done.val() | self.run.val(),
            if self.done.val() { 0.into() } else { self.next_place.val() },
        );

        // The word that is cut: the next one arrives when its last part leaves.
        self.in_ready.next = self.done.val();
        self.taken.next = self.in_valid.val() & self.done.val();
        self.data.pipe = self.in_data.val();
        self.keep.pipe = self.in_keep.val();
        self.last.pipe = self.in_last.val();
        self.side.pipe = self.in_side.val();
        self.half.next = if self.place.q.val().get_bit(1) {
            self.data.q.val().get_bits::<256>(256)
        } else {
            self.data.q.val().get_bits::<256>(0)
        };
        self.quarter.next =
            if self.place.q.val().get_bit(0) { self.half.val() >> 128 } else { self.half.val() };
        self.half_keep.next = if self.place.q.val().get_bit(1) {
            self.keep.q.val().get_bits::<32>(32)
        } else {
            self.keep.q.val().get_bits::<32>(0)
        };
        self.quarter_keep.next =
            if self.place.q.val().get_bit(0) { self.half_keep.val() >> 16 } else { self.half_keep.val() };

        // A narrow word leaves; only the last one of a frame has `last`.
        wire!(self.skid.* <- self.*: clk, rst);
        self.skid.in_valid.next = self.cuts.q.val();
        self.skid.in_word.next = bit_cast::<S, W>(self.quarter.val().get_bits::<W>(0))
            | (bit_cast::<S, K>(self.quarter_keep.val().get_bits::<K>(0)) << self.keep_at.val())
            | (bit_cast::<S, 1>((!self.goes_on.val() & self.last.q.val()).into()) << self.last_at.val())
            | (bit_cast::<S, X>(self.side.q.val()) << self.side_at.val());
        self.skid.out_ready.next = self.out_ready.val();
        self.idle.next = !self.cuts.q.val() & self.run.val() & !self.skid.out_valid.val();
        self.out_valid.next = self.skid.out_valid.val();
        self.out_data.next = self.skid.out_word.val().get_bits::<W>(0);
        self.out_keep.next = self.skid.out_word.val().get_bits::<K>(self.keep_at.val().index());
        self.out_last.next = self.skid.out_word.val().get_bit(self.last_at.val().index());
        self.out_side.next = self.skid.out_word.val().get_bits::<X>(self.side_at.val().index());
    }
}
