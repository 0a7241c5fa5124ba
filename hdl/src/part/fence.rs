//! `weft_*_fence`: waits until the words that entered before have left.

use crate::prelude::*;

/// Waits until the words that entered before have left, independent of later words. Words leave in the order
/// in which they entered, each in a later clock.
///
/// # Parameters
///
/// At most 2^W - 1 are inside.
#[derive(LogicBlock, Default)]
pub struct Fence<const W: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset: the fence is empty.
    pub rst: Signal<In, Bit>,
    /// A word enters.
    pub comes: Signal<In, Bit>,
    /// The first word leaves.
    pub goes: Signal<In, Bit>,
    /// From the first clock of this signal on, words that enter are not waited for.
    /// The signal stays high during the wait.
    pub waits: Signal<In, Bit>,
    /// Words that must still leave. While `waits` is low: all words inside. A register.
    pub ahead: Signal<Out, Bits<W>>,

    then: Signal<Local, Bits<W>>,
    held: Reg<Bits<W>>,
    left: Reg<Bits<W>>,
    leaves: Signal<Local, Bit>,
}

impl<const W: usize> Logic for Fence<W> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.then.next = self.held.q.val() + bit_cast::<W, 1>(self.comes.val().into())
            - bit_cast::<W, 1>(self.goes.val().into());
        self.held.reg = self.then.val();

        // Those that arrived later go later, so the first to go are those that are waited for.
        self.leaves.next = self.goes.val() & self.left.q.val().any();
        self.left.reg = if self.waits.val() {
            self.left.q.val() - bit_cast::<W, 1>(self.leaves.val().into())
        } else {
            self.then.val()
        };
        self.ahead.next = self.left.q.val();
    }
}
