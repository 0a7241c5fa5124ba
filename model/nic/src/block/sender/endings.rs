//! Completions one by one in the order of the posting; completions of refused requests may overtake them
//! (rule 3).

use super::packets::Ending;
use super::state::Messages;
use super::step::{after, completion};
use crate::words::{Offer, Sent, Status};

/// The state of the block that reports endings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Step {
    #[default]
    Waiting,
    /// Reads the id of the first ended message: the clocks still needed.
    Reading(u8),
    Offering,
}

/// The endings.
#[derive(Clone, Debug, Default)]
pub(super) struct Endings {
    step: Step,
    ending: Ending,
    /// The completion that is offered, or that was offered last.
    sent: Offer<Sent>,
}

impl Endings {
    /// The step for the offered ending, or for a refusal without one. The end of a message waits for earlier
    /// packets, so that no packet is fetched after its message's completion (rule 9). Reports of drains that
    /// are due have priority.
    pub(super) fn take(&self, ending: Option<Ending>, handed: u8, telling: bool) -> Option<Option<Ending>> {
        let due = |ending: &Ending| !telling && handed.wrapping_sub(ending.after) & 0x80 == 0;
        (self.step == Step::Waiting).then(|| ending.filter(due))
    }

    /// The completion that is offered.
    pub(super) fn sent(&self) -> Offer<Sent> {
        Offer { valid: self.step == Step::Offering, ..self.sent }
    }

    /// A close that follows all completions is over; a close without messages is over at once.
    pub(super) fn closed(&self, ending: Option<Ending>, sent_ready: bool) -> bool {
        let last = self.step == Step::Offering && sent_ready && self.ending.count == 1;
        ending.is_some_and(|ending| ending.closes && ending.count == 0) || last && self.ending.closes
    }

    /// The connection whose message has ended, and its number of ended messages, modulo 32: the slot is free.
    pub(super) fn done(&self, sent_ready: bool) -> Option<(u32, u8)> {
        let counts = self.step == Step::Offering && sent_ready && self.ending.count != 0;
        counts.then_some((self.ending.connection, after(self.ending.done)))
    }

    /// A clock edge. The inputs: messages that end or a refusal, both only if they may be accepted; whether
    /// the completion is accepted.
    pub(super) fn clock(
        &mut self,
        ending: Option<Ending>,
        refusal: Option<(u32, u32)>,
        sent_ready: bool,
        messages: &Messages,
    ) {
        self.step = match self.step {
            Step::Waiting => {
                if ending.is_some_and(|ending| ending.count == 0) {
                    Step::Waiting
                } else if let Some(ending) = ending {
                    self.ending = ending;
                    self.sent.id = ending.connection;
                    self.sent.word.status = ending.status;
                    Step::Reading(2)
                } else if let Some((connection, id)) = refusal {
                    self.ending.count = 0;
                    self.sent.id = connection;
                    self.sent.word = Sent { id, status: Status::Refused };
                    Step::Offering
                } else {
                    Step::Waiting
                }
            }
            Step::Reading(0) => {
                let Ending { connection, done, .. } = self.ending;
                (self.sent.word.id, _) = completion(&messages[connection as usize], done);
                Step::Offering
            }
            Step::Reading(clocks) => Step::Reading(clocks - 1),
            Step::Offering if !sent_ready => Step::Offering,
            Step::Offering => {
                let ending = &mut self.ending;
                ending.count = ending.count.saturating_sub(1);
                ending.done = after(ending.done);
                if ending.count > 0 { Step::Reading(2) } else { Step::Waiting }
            }
        };
    }
}
