//! `weft_sender_closing`: the conditions that a close waits for after the transport has accepted it.

use crate::prelude::*;

/// The conditions that a close waits for after the transport has accepted it: the choice of paths, the box of
/// windows behind the congestion window's answer, the completions behind all orders.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock, Default)]
pub struct Closing<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The transport got the close of a connection.
    pub told: Signal<In, Bit>,
    /// The connection.
    pub id: Signal<In, Bits<A>>,
    /// The choice of paths has carried out a close.
    pub path_valid: Signal<In, Bit>,
    /// The connection.
    pub path_id: Signal<In, Bits<A>>,
    /// The reports of earlier freezes are to leave first.
    pub freezes_wait: Signal<Out, Bit>,
    /// A report of a freeze or of a drain has not yet left.
    pub unsaid: Signal<In, Bit>,
    /// The congestion window answers a close.
    pub answer_valid: Signal<In, Bit>,
    /// The connection.
    pub answer_id: Signal<In, Bits<A>>,
    /// The close enters the box of windows.
    pub boxed: Signal<Out, Bit>,
    /// The close leaves the box of windows.
    pub window: Signal<In, Bit>,
    /// The close leaves the completions.
    pub ended: Signal<In, Bit>,
    /// The NIC has no state of the connection any more; a function of registers.
    pub over: Signal<Out, Bit>,

    own_path: Signal<Local, Bit>,
    own_answer: Signal<Local, Bit>,
    all: Signal<Local, Bit>,
    paths: Reg<Bit>,
    answered: Reg<Bit>,
    windows: Reg<Bit>,
    endings: Reg<Bit>,
}

impl<const A: usize> Logic for Closing<A> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.own_path.next = self.told.val() & self.path_valid.val() & (self.path_id.val() == self.id.val());
        self.own_answer.next =
            self.told.val() & self.answer_valid.val() & (self.answer_id.val() == self.id.val());
        self.boxed.next = self.own_answer.val() & !self.answered.q.val();
        self.freezes_wait.next = self.paths.q.val();
        self.all.next = self.paths.q.val() & self.windows.q.val() & self.endings.q.val() & !self.unsaid.val();
        self.paths.reg = when(self.own_path.val() | self.all.val(), !self.all.val());
        self.answered.reg = when(self.own_answer.val() | self.all.val(), !self.all.val());
        self.windows.reg = when(self.window.val() | self.all.val(), !self.all.val());
        self.endings.reg = when(self.ended.val() | self.all.val(), !self.all.val());
        self.over.next = self.all.val();
    }
}
