//! Work requests, one every five clocks at most: posted as messages or refused.

use super::SLOTS;
use crate::words::Work;

/// A message to be posted, or a request to be refused.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged {
    pub(super) connection: u32,
    pub(super) work: Work,
    /// Of a message to be posted.
    pub(super) packets: Option<u16>,
    /// The message's slot.
    pub(super) slot: u8,
}

#[derive(Clone, Copy, Debug, Default)]
enum Step {
    #[default]
    Waiting,
    /// The counts of the connection are read.
    Reading,
    Rounding(u8),
    Judging(u8),
    /// Waits until it is posted or its completion taken.
    Over(Judged),
}

/// The intake.
#[derive(Clone, Debug)]
pub(super) struct Intake {
    step: Step,
    held: (u32, Work),
    /// By connection, messages posted and ended, modulo 32.
    posted: Vec<u8>,
    ended: Vec<u8>,
}

impl Intake {
    pub(super) fn new(connections: u32) -> Self {
        let counts = vec![0; connections as usize];
        Self { step: Step::Waiting, held: Default::default(), posted: counts.clone(), ended: counts }
    }

    /// A work request can be accepted.
    pub(super) fn ready(&self) -> bool {
        matches!(self.step, Step::Waiting)
    }

    /// The message that is to be posted.
    pub(super) fn post(&self) -> Option<Judged> {
        self.judged().filter(|judged| judged.packets.is_some())
    }

    /// The request that is to be refused.
    pub(super) fn refusal(&self) -> Option<Judged> {
        self.judged().filter(|judged| judged.packets.is_none())
    }

    fn judged(&self) -> Option<Judged> {
        match self.step {
            Step::Over(judged) => Some(judged),
            _ => None,
        }
    }

    /// A clock: a request is offered if it may be, a message has ended, what was judged is taken.
    pub(super) fn clock(
        &mut self,
        work: Option<(u32, Work)>,
        done: Option<(u32, u8)>,
        taken: bool,
        mtu_shift: u8,
    ) {
        if let Some((connection, count)) = done {
            self.ended[connection as usize] = count;
        }
        let (connection, request) = self.held;
        let index = connection as usize;
        self.step = match self.step {
            Step::Waiting => {
                self.held = work.unwrap_or(self.held);
                if work.is_some() { Step::Reading } else { Step::Waiting }
            }
            Step::Reading => Step::Rounding(self.ended[index]),
            Step::Rounding(ended) => Step::Judging(ended),
            Step::Judging(ended) => {
                Step::Over(judge(connection, &request, self.posted[index], ended, mtu_shift))
            }
            Step::Over(judged) if taken => {
                self.posted[index] = next(self.posted[index], judged.packets.is_some());
                Step::Waiting
            }
            step => step,
        };
    }
}

/// Rule 2. Messages posted and ended count modulo 32.
pub(super) fn judge(connection: u32, work: &Work, posted: u8, ended: u8, mtu_shift: u8) -> Judged {
    let full = posted.wrapping_sub(ended) & SLOTS != 0;
    Judged {
        connection,
        work: *work,
        packets: packets(work.length, mtu_shift).filter(|_| !full),
        slot: posted & (SLOTS - 1),
    }
}

/// A count of messages, with one more.
pub(super) fn next(count: u8, more: bool) -> u8 {
    (count + u8::from(more)) & (2 * SLOTS - 1)
}

/// Packets of a message, at least one; none if they are too many.
fn packets(length: u32, mtu_shift: u8) -> Option<u16> {
    let rounded = (u64::from(length) + u64::from(super::mtu(mtu_shift))).wrapping_sub(1) & 0x1_FFFF_FFFF;
    u16::try_from(rounded >> mtu_shift).ok().map(|packets| packets.max(1))
}
