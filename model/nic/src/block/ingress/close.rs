//! Decides when ingress accepts the word that opens or closes a connection.

use crate::part::fence::Fence;

/// The events of a clock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Events {
    /// A frame is looked up.
    pub(super) looked_up: bool,
    /// A frame has its verdict.
    pub(super) judged: bool,
    /// The frame with a verdict has an arrival.
    pub(super) arrival_in: bool,
    /// The frame with a verdict has payload.
    pub(super) payload_in: bool,
    /// The frame with a verdict has an acknowledgement.
    pub(super) acknowledgement_in: bool,
    /// The receiver accepts an arrival.
    pub(super) arrival_out: bool,
    /// The receiver accepts the last word of a packet's payload.
    pub(super) payload_out: bool,
    /// The sender accepts an acknowledgement.
    pub(super) acknowledgement_out: bool,
}

/// Rules 12 and 13: a word that closes waits for frames that were looked up before it, and does not wait for
/// later frames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Close {
    /// The word that was offered in the previous clock, and whether the word opens a connection.
    asked: Option<bool>,
    /// The events of the clock before.
    last: Events,
    frames: Fence,
    arrivals: Fence,
    payloads: Fence,
    acknowledgements: Fence,
}

impl Close {
    /// Ingress has judged all frames that were looked up while the connection was open.
    fn decided(&self) -> bool {
        self.asked == Some(false) && self.frames.ahead() == 0
    }

    /// The word is accepted.
    pub(super) fn ready(&self) -> bool {
        let brought = [&self.arrivals, &self.payloads, &self.acknowledgements];
        self.asked == Some(true) || (self.decided() && brought.iter().all(|fence| fence.ahead() == 0))
    }

    /// A clock edge: a word is offered, which opens or closes.
    pub(super) fn clock(&mut self, offered: Option<bool>, now: &Events) {
        let (decided, ready) = (self.decided(), self.ready());
        let last = std::mem::replace(&mut self.last, *now);
        self.frames.clock(now.looked_up, last.judged, self.asked == Some(false));
        self.arrivals.clock(last.arrival_in, now.arrival_out, decided);
        self.payloads.clock(last.payload_in, now.payload_out, decided);
        self.acknowledgements.clock(last.acknowledgement_in, now.acknowledgement_out, decided);
        self.asked = offered.filter(|_| !ready);
    }
}
