//! Accepts work requests, at most one every five clocks, and posts them as messages or refuses them. Also
//! notes connections that are to drain.

use super::drains::Mark;
use super::step::{Counts, Judged, judge, next};
use crate::words::Work;

#[derive(Clone, Copy, Debug, Default)]
enum Step {
    #[default]
    Waiting,
    /// The counts of the connection are read.
    Reading,
    Rounding(u8, bool),
    Judging(u8, bool),
    /// The request waits until it is posted or its completion is accepted.
    Over(Judged),
    /// A drain: number of clocks until the connection is marked.
    Asked(u8),
    Marking,
    /// The number of ended messages is read again.
    Looking,
    Looked(bool),
    /// Whether the connection has no outstanding work. The step ends after this.
    Telling(bool),
}

/// The events of a clock.
pub(super) struct Steps {
    /// The offered request, if it may be offered.
    pub(super) work: Option<(u32, Work)>,
    /// The connection of a message that has ended, and its number of ended messages.
    pub(super) done: Option<(u32, u8)>,
    /// Whether the judged request is accepted.
    pub(super) taken: bool,
    /// The connection that is to drain.
    pub(super) drains: Option<u32>,
    /// Whether the current connection drains.
    pub(super) draining: bool,
    /// Whether the intake found that the connection has no outstanding work.
    pub(super) settled: bool,
    /// Whether a report of a drain is due.
    pub(super) telling: bool,
}

/// The intake.
#[derive(Clone, Debug)]
pub(super) struct Intake {
    step: Step,
    held: (u32, Work),
    /// Whether a drain was carried out and its command is still offered.
    passed: bool,
    /// Numbers of messages posted and ended, by connection, modulo 32.
    posted: Vec<u8>,
    ended: Vec<u8>,
}

impl Intake {
    pub(super) fn new(connections: u32) -> Self {
        let counts = vec![0; connections as usize];
        Self {
            step: Step::Waiting,
            held: Default::default(),
            passed: false,
            posted: counts.clone(),
            ended: counts,
        }
    }

    /// Whether the intake is idle.
    pub(super) fn idle(&self) -> bool {
        matches!(self.step, Step::Waiting)
    }

    /// Whether a work request can be accepted. A drain has priority.
    pub(super) fn ready(&self, drains: Option<u32>) -> bool {
        self.idle() && (drains.is_none() || self.passed)
    }

    /// The current connection.
    pub(super) fn connection(&self) -> u32 {
        self.held.0
    }

    /// The connection that drains from now on, and its number of messages.
    pub(super) fn mark(&self) -> Option<(u32, Mark)> {
        let connection = self.connection();
        matches!(self.step, Step::Marking).then(|| (connection, Some(self.posted[connection as usize])))
    }

    /// The connection that drains and has no outstanding work.
    pub(super) fn settled(&self) -> Option<u32> {
        matches!(self.step, Step::Telling(true)).then(|| self.connection())
    }

    /// Whether a drain is carried out, and all its reports have left.
    pub(super) fn drain_over(&self, telling: bool) -> bool {
        self.passed && !telling
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

    /// A clock.
    pub(super) fn clock(&mut self, steps: &Steps, mtu_shift: u8) {
        if let Some((connection, count)) = steps.done {
            self.ended[connection as usize] = count;
        }
        let asked = steps.drains.filter(|_| self.idle() && !self.passed);
        let (connection, request) = self.held;
        let index = connection as usize;
        let over = self.drain_over(steps.telling);
        let ends = match self.step {
            Step::Telling(even) => !even || steps.settled,
            _ => false,
        };
        self.passed = ends || self.passed && !over;
        self.step = match self.step {
            Step::Waiting => {
                self.held = asked.map_or(steps.work.unwrap_or(self.held), |connection| (connection, request));
                match (asked, steps.work) {
                    (Some(_), _) => Step::Asked(2),
                    (None, Some(_)) => Step::Reading,
                    (None, None) => Step::Waiting,
                }
            }
            Step::Reading => Step::Rounding(self.ended[index], steps.draining),
            Step::Rounding(ended, draining) => Step::Judging(ended, draining),
            Step::Judging(ended, draining) => {
                let counts = Counts { posted: self.posted[index], ended, draining };
                Step::Over(judge(connection, &request, &counts, mtu_shift))
            }
            Step::Over(judged) if steps.taken => {
                self.posted[index] = next(self.posted[index], judged.packets.is_some());
                Step::Waiting
            }
            Step::Asked(0) => Step::Marking,
            Step::Asked(clocks) => Step::Asked(clocks - 1),
            Step::Marking => Step::Looking,
            Step::Looking => Step::Looked(self.ended[index] == self.posted[index]),
            Step::Looked(even) => Step::Telling(even),
            Step::Telling(_) if ends => Step::Waiting,
            step => step,
        };
    }
}
