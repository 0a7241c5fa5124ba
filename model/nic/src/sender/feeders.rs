//! What tells REPS and SMaRTT the news: one or two events each.

use super::dispatch::{Feedback, News};
use super::{Control, ControlKind};
use crate::fifo::Fifo;
use crate::{reps, smartt};

/// Words that may be on their way when there is room.
const ROOM: usize = 16;

/// Tells the choice of paths.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    news: Fifo<News>,
    /// The IDLE before the SEND in front was told.
    idled: bool,
}

impl Paths {
    pub(super) fn new() -> Self {
        Self { news: Fifo::new(5), idled: false }
    }

    /// There is room.
    pub(super) fn room(&self) -> bool {
        self.news.level() < ROOM
    }

    /// The event that is offered: a command first.
    pub(super) fn event(&self, aside: Option<(u32, Control)>) -> reps::Inputs {
        let (id, data, user) = if let Some((connection, control)) = aside {
            let seeds = control.kind == ControlKind::Seed;
            let kind = if seeds { reps::Kind::Seed } else { reps::Kind::PathOk };
            (connection, control.seed, kind as u8)
        } else {
            let news = self.news.word();
            let kind =
                if self.idles() { reps::Kind::Idle as u8 } else { news.kind as u8 | u8::from(news.ce) << 3 };
            (news.connection, u32::from(news.ev) | u32::from(news.rtt) << 16, kind)
        };
        reps::Inputs {
            event_valid: aside.is_some() || self.news.offered().is_some(),
            event_id: id,
            event_data: data,
            event_user: user,
            ..Default::default()
        }
    }

    fn idles(&self) -> bool {
        self.news.word().idle && !self.idled
    }

    /// A clock: news come; the front's turn has come.
    pub(super) fn clock(&mut self, news: Option<News>, turn: bool) {
        let idles = self.idles();
        if turn && self.news.offered().is_some() {
            self.idled = idles;
        }
        self.news.clock(news, true, false, turn && !idles);
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

    /// There is room.
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
        let feedback = self.feedbacks.word();
        let (kind, packets) = match feedback.other {
            Some(kind) if !self.acks() => (kind, feedback.lost),
            _ => (smartt::Kind::Ack, feedback.acked),
        };
        let bytes = u32::from(packets) << mtu_shift & 0xFF_FFFF;
        smartt::Inputs {
            event_valid: self.feedbacks.offered().is_some(),
            event_id: feedback.connection,
            event_data: u128::from(bytes)
                | u128::from(feedback.rtt) << 24
                | u128::from(u32::from(feedback.unacked) << mtu_shift) << 40,
            event_user: kind as u8 | u8::from(feedback.ce) << 3 | feedback.class << 4,
            ..Default::default()
        }
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
