//! `weft_egress_change`: when egress accepts the word that sets a connection's peer.

use crate::part::fence::Fence;
use crate::prelude::*;

/// Decides when egress accepts the word that sets a connection's peer: when all orders and replies from before
/// the word have left.
#[derive(LogicBlock, Default)]
pub struct Change {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A word is offered.
    pub offered: Signal<In, Bit>,
    /// The word is accepted.
    pub ready: Signal<Out, Bit>,
    /// A reply is accepted.
    pub reply_in: Signal<In, Bit>,
    /// An order is accepted.
    pub order_in: Signal<In, Bit>,
    /// Stage 0: the frame of a reply begins.
    pub reply_out: Signal<In, Bit>,
    /// Stage 0: the frame of an order begins, or is dropped.
    pub order_out: Signal<In, Bit>,
    /// Stage 0: the order is dropped.
    pub drops: Signal<In, Bit>,
    /// Stage 0: a frame of other software begins.
    pub other_out: Signal<In, Bit>,
    /// The output accepts the last beat of a frame.
    pub sent: Signal<In, Bit>,

    asked: Reg<Bit>,
    taken: Signal<Local, Bit>,
    begun: Signal<Local, Bit>,
    s1_reply: Reg<Bit>,
    s1_order: Reg<Bit>,
    s1_frame: Reg<Bit>,
    replies: Fence<3>,
    orders: Fence<6>,
    frames: Fence<5>,
}
impl Logic for Change {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.s1_reply.reg = self.reply_out.val();
        self.s1_order.reg = self.order_out.val();
        self.s1_frame.reg =
            self.reply_out.val() | self.other_out.val() | (self.order_out.val() & !self.drops.val());

        // First all of these frames begin; then all frames that have begun are sent.
        wire!(self.replies.*, self.orders.*, self.frames.* <- self.*: clk, rst);
        self.replies.comes.next = self.reply_in.val();
        self.replies.goes.next = self.s1_reply.q.val();
        self.replies.waits.next = self.asked.q.val();
        self.orders.comes.next = self.order_in.val();
        self.orders.goes.next = self.s1_order.q.val();
        self.orders.waits.next = self.asked.q.val();
        self.begun.next =
            self.asked.q.val() & !self.replies.ahead.val().any() & !self.orders.ahead.val().any();
        self.frames.comes.next = self.s1_frame.q.val();
        self.frames.goes.next = self.sent.val();
        self.frames.waits.next = self.begun.val();

        self.taken.next = self.begun.val() & !self.frames.ahead.val().any();
        self.asked.reg = self.offered.val() & !self.taken.val();
        self.ready.next = self.taken.val();
    }
}
