//! The conditions that a close waits for after the transport got it (rule 14).

/// The conditions that are already met, for the connection that closes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Closing {
    /// The choice of paths has carried out the close.
    paths: bool,
    /// The congestion window has answered: the close is in the box of windows.
    answered: bool,
    /// The close has left the box behind all windows.
    windows: bool,
    /// The close has left the completions after all of them, and so after all orders.
    ended: bool,
}

/// The events of a clock.
pub(super) struct Steps {
    /// The choice of paths has carried out the close of this connection.
    pub(super) paths: Option<u32>,
    /// The congestion window answers the close of this connection.
    pub(super) answer: Option<u32>,
    /// A close leaves the box of windows.
    pub(super) window: bool,
    /// A close leaves the completions.
    pub(super) ended: bool,
    /// Whether a report of a freeze or of a drain has not yet left.
    pub(super) unsaid: bool,
}

impl Closing {
    /// Whether the NIC has no state of the connection any more, after the reports of its freezes and drains
    /// have left.
    pub(super) fn over(&self, unsaid: bool) -> bool {
        self.paths && self.windows && self.ended && !unsaid
    }

    /// Reports of the connection's earlier freezes must leave first.
    pub(super) fn waits_for_freezes(&self) -> bool {
        self.paths
    }

    /// The close that enters the mailbox of windows, once.
    pub(super) fn boxed(&self, closing: Option<u32>, answer: Option<u32>) -> Option<u32> {
        answer.filter(|_| answer == closing && !self.answered)
    }

    /// A clock edge; `closing` is the connection, once the transport has the close.
    pub(super) fn clock(&mut self, closing: Option<u32>, steps: &Steps) {
        if self.over(steps.unsaid) {
            *self = Self::default();
            return;
        }
        let own = |other: Option<u32>| other.is_some() && other == closing;
        self.paths |= own(steps.paths);
        self.answered |= own(steps.answer);
        self.windows |= steps.window;
        self.ended |= steps.ended;
    }
}
