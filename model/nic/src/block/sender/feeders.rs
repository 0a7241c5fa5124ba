//! The feeders of REPS and of the congestion window: REPS gets the entries of lists and then one or two
//! events, the window gets one to three.

use super::notes::{Feedback, News, Part};
use super::state::Control;
use super::step::paths_command;
use crate::block::{reps, window};
use crate::part::fifo::Fifo;

/// Maximum number of words in the pipeline when the queue reports space.
const ROOM: usize = 16;

/// The unit that sends reports to the choice of paths.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    news: Fifo<News>,
    /// Entries of the word in front that were reported or dropped.
    listed: u8,
    /// The first of the two events of the word in front was reported.
    half: bool,
}

impl Paths {
    pub(super) fn new() -> Self {
        Self { news: Fifo::new(5), listed: 0, half: false }
    }

    /// Whether the queue has space for the words in the pipeline.
    pub(super) fn room(&self) -> bool {
        self.news.level() < ROOM
    }

    /// The word in front has entries to report or drop.
    pub(super) fn lists(&self) -> bool {
        self.news.offered().is_some_and(|news| self.listed < news.listed)
    }

    /// The event that is offered: a command first; `entry` is the next one of the lists.
    pub(super) fn event(&self, aside: Option<(u32, Control)>, entry: (u16, bool)) -> reps::Inputs {
        let word = self.news.word();
        let (event, told) = match aside {
            Some((connection, control)) => (paths_command(connection, &control), true),
            None if self.lists() => (word.entry(entry), self.listed < word.told),
            None => (word.event(self.half), !word.silent),
        };
        let event_valid = aside.is_some() || self.news.offered().is_some() && told;
        reps::Inputs { event_valid, ..reps::Inputs::default().with_event(&event) }
    }

    /// Another event of the word in front follows.
    fn more(&self) -> bool {
        self.lists() || self.news.word().twice() && !self.half
    }

    /// A clock edge. The inputs: a report, and whether it is the turn of the report at the front.
    pub(super) fn clock(&mut self, news: Option<News>, turn: bool) {
        let (lists, more) = (self.lists(), self.more());
        if turn && self.news.offered().is_some() {
            self.half = more && !lists;
            self.listed = if more { self.listed + u8::from(lists) } else { 0 };
        }
        self.news.clock(news, true, false, turn && !more);
    }
}

/// The sender of feedback to the congestion window.
#[derive(Clone, Debug)]
pub(super) struct Congestion {
    /// PSNs of a window.
    psns: u32,
    feedbacks: Fifo<Feedback>,
    /// The word that is being reported.
    held: Option<Feedback>,
    /// Parts of the stored word that were reported.
    told: usize,
}

impl Congestion {
    pub(super) fn new(psns: u32) -> Self {
        Self { psns, feedbacks: Fifo::new(5), held: None, told: 0 }
    }

    /// Whether the queue has space for the words in the pipeline.
    pub(super) fn room(&self) -> bool {
        self.feedbacks.level() < ROOM
    }

    /// The event that is offered.
    pub(super) fn event(&self, mtu_shift: u8) -> window::Inputs {
        let word = self.held.unwrap_or_default();
        let part = word.parts().nth(self.told).unwrap_or(Part::Other);
        let event = word.event(part, mtu_shift);
        window::Inputs { event_valid: self.held.is_some(), ..window::Inputs::default().with_event(&event) }
    }

    /// A clock edge. The inputs: feedback, and whether it is the turn of the reported word.
    pub(super) fn clock(&mut self, feedback: Option<Feedback>, turn: bool) {
        let front = self.feedbacks.offered();
        let mut takes = self.held.is_none();
        let mut next = front;
        if let Some(word) = &self.held {
            let more = word.parts().count() > self.told + 1;
            if turn {
                takes = !more;
                self.told = if more { self.told + 1 } else { 0 };
            } else if self.told == 0 {
                // Rule 21: while a word waits, the word behind it joins it.
                next = front.and_then(|behind| word.joined(&behind, self.psns));
                takes = next.is_some();
            }
        }
        if takes {
            self.held = next;
        }
        self.feedbacks.clock(feedback, true, false, takes);
    }
}
