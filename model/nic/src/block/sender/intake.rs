//! Work requests, one every five clocks at most: posted as messages or refused.

use super::step::{Judged, judge, next};
use crate::words::Work;

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

    /// It has nothing to do: a work request can be accepted.
    pub(super) fn idle(&self) -> bool {
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
