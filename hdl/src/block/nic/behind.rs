//! `weft_nic_behind`: keeps completions behind the data that a width converter still holds.

use crate::prelude::*;

/// Maximum number of narrow words in the converter: those of one wide word, and two at the converter's
/// output.
const HELD: u64 = 6;

/// Keeps completions behind the data that a width converter still holds.
///
/// # Parameters
///
/// Words of `X` bits.
#[derive(LogicBlock, BlockDefault)]
pub struct Behind<const X: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A completion is offered.
    pub in_valid: Signal<In, Bit>,
    /// The completion is accepted; a register.
    pub in_ready: Signal<Out, Bit>,
    /// The completion.
    pub in_word: Signal<In, Bits<X>>,
    /// A narrow word of data leaves the converter.
    pub leaves: Signal<In, Bit>,
    /// The converter contains no word.
    pub idle: Signal<In, Bit>,
    /// A completion is offered.
    pub out_valid: Signal<Out, Bit>,
    /// The completion is accepted.
    pub out_ready: Signal<In, Bit>,
    /// The completion; a register without reset.
    pub out_word: Signal<Out, Bits<X>>,

    #[new(HELD.to_bits())]
    held: Constant<Bits<3>>,
    taken: Signal<Local, Bit>,
    due: Signal<Local, Bit>,
    some: Reg<Bit>,
    word: Pipe<Bits<X>>,
    left: Reg<Bits<3>>,
}
impl<const X: usize> Logic for Behind<X> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.taken.next = self.in_valid.val() & !self.some.q.val();
        self.due.next = self.some.q.val() & !self.left.q.val().any();
        self.in_ready.next = !self.some.q.val();
        self.some.reg = self.taken.val() | (self.some.q.val() & !(self.due.val() & self.out_ready.val()));
        self.word.pipe = when(self.taken.val(), self.in_word.val());

        // The words that the converter held when the completion came have left after as many words, or when the
        // converter is empty.
        self.left.reg = if self.taken.val() {
            self.held.val()
        } else if self.idle.val() {
            0.into()
        } else if self.leaves.val() & self.left.q.val().any() {
            self.left.q.val() - 1
        } else {
            self.left.q.val()
        };
        self.out_valid.next = self.due.val();
        self.out_word.next = self.word.q.val();
    }
}
