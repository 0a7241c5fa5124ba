//! What tells REPS and SMaRTT the news: one or two events each.

use super::notes::{Feedback, News};
use super::state::Control;
use super::step::paths_command;
use crate::block::{reps, smartt};
use crate::part::fifo::Fifo;

/// Words that may be on their way when there is room.
const ROOM: usize = 16;

/// Tells the choice of paths.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    news: Fifo<News>,
    /// The first of the two events of the word in front was told.
    half: bool,
}

impl Paths {
    pub(super) fn new() -> Self {
        Self { news: Fifo::new(5), half: false }
    }

    /// The queue has room for what is on its way.
    pub(super) fn room(&self) -> bool {
        self.news.level() < ROOM
    }

    /// The event that is offered: a command first.
    pub(super) fn event(&self, aside: Option<(u32, Control)>) -> reps::Inputs {
        let event = match aside {
            Some((connection, control)) => paths_command(connection, &control),
            None => self.news.word().event(self.half),
        };
        let event_valid = aside.is_some() || self.news.offered().is_some();
        reps::Inputs { event_valid, ..reps::Inputs::default().with_event(&event) }
    }

    /// Another event of the word in front follows.
    fn more(&self) -> bool {
        self.news.word().twice() && !self.half
    }

    /// A clock: news come; the front's turn has come.
    pub(super) fn clock(&mut self, news: Option<News>, turn: bool) {
        let more = self.more();
        if turn && self.news.offered().is_some() {
            self.half = more;
        }
        self.news.clock(news, true, false, turn && !more);
    }
}

/// Tells the congestion window.
#[derive(Clone, Debug)]
pub(super) struct Congestion {
    feedbacks: Fifo<Feedback>,
    /// The ACK in front was told, what comes with it was not.
    acked: bool,
}

impl Congestion {
    pub(super) fn new() -> Self {
        Self { feedbacks: Fifo::new(5), acked: false }
    }

    /// The queue has room for what is on its way.
    pub(super) fn room(&self) -> bool {
        self.feedbacks.level() < ROOM
    }

    fn acks(&self) -> bool {
        self.feedbacks.word().ack && !self.acked
    }

    fn both(&self) -> bool {
        self.acks() && self.feedbacks.word().other.is_some()
    }

    /// The event that is offered: the ACK first.
    pub(super) fn event(&self, mtu_shift: u8) -> smartt::Inputs {
        let event = self.feedbacks.word().event(self.acks(), mtu_shift);
        let event_valid = self.feedbacks.offered().is_some();
        smartt::Inputs { event_valid, ..smartt::Inputs::default().with_event(&event) }
    }

    /// A clock: feedback comes; the front's turn has come.
    pub(super) fn clock(&mut self, feedback: Option<Feedback>, turn: bool) {
        let both = self.both();
        if turn && self.feedbacks.offered().is_some() {
            self.acked = both;
        }
        self.feedbacks.clock(feedback, true, false, turn && !both);
    }
}
