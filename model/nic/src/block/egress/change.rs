//! Decides when egress accepts the word that sets a connection's peer.

use crate::part::fence::Fence;

/// The events of a clock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Events {
    /// A reply is accepted.
    pub(super) reply_in: bool,
    /// An order is accepted.
    pub(super) order_in: bool,
    /// The frame of a reply begins.
    pub(super) reply_out: bool,
    /// The frame of an order begins, or the order is dropped.
    pub(super) order_out: bool,
    /// A frame begins.
    pub(super) begins: bool,
    /// The last beat of a frame is accepted.
    pub(super) sent: bool,
}

/// Rules 10 and 11: a word for the peers waits for earlier orders and replies, and does not wait for later
/// ones.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Change {
    /// Whether a word was offered in the previous clock.
    asked: bool,
    /// The events of the clock before.
    last: Events,
    replies: Fence,
    orders: Fence,
    frames: Fence,
}

impl Change {
    /// The frames of all earlier orders and replies have begun.
    fn begun(&self) -> bool {
        self.asked && self.replies.ahead() == 0 && self.orders.ahead() == 0
    }

    /// The word is accepted.
    pub(super) fn ready(&self) -> bool {
        self.begun() && self.frames.ahead() == 0
    }

    /// A clock edge: a word is offered.
    pub(super) fn clock(&mut self, offered: bool, now: &Events) {
        let (begun, ready) = (self.begun(), self.ready());
        let last = std::mem::replace(&mut self.last, *now);
        self.replies.clock(now.reply_in, last.reply_out, self.asked);
        self.orders.clock(now.order_in, last.order_out, self.asked);
        self.frames.clock(last.begins, now.sent, begun);
        self.asked = offered && !ready;
    }
}
