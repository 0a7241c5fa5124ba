//! What tells REPS and SMaRTT the news: one or two events each.

use super::dispatch::{Feedback, News};
use super::{Control, ControlKind};
use crate::block::{reps, smartt};
use crate::part::fifo::Fifo;

/// Words that may be on their way when there is room.
const ROOM: usize = 16;

impl News {
    /// The event for REPS, at time 0: the IDLE before a SEND, or the news itself.
    pub(super) fn event(&self, idle: bool) -> reps::Event {
        reps::Event {
            kind: if idle { reps::Kind::Idle } else { self.kind },
            connection: self.connection,
            ev: self.ev,
            ecn: self.ce && !idle,
            rtt_ticks: self.rtt,
            now_ticks: 0,
        }
    }
}

/// The event for REPS, at time 0, of a command that goes to it directly.
pub(super) fn of_command(connection: u32, control: &Control) -> reps::Event {
    let seeds = control.kind == ControlKind::Seed;
    reps::Event {
        kind: if seeds { reps::Kind::Seed } else { reps::Kind::PathOk },
        connection,
        ev: control.seed as u16,
        ecn: false,
        rtt_ticks: (control.seed >> 16) as u16,
        now_ticks: 0,
    }
}

impl Feedback {
    /// The event for SMaRTT, at time 0: the ACK, or what comes with it.
    pub(super) fn event(&self, acks: bool, mtu_shift: u8) -> smartt::Event {
        let (kind, packets) = match self.other {
            Some(kind) if !acks => (kind, self.lost),
            _ => (smartt::Kind::Ack, self.acked),
        };
        smartt::Event {
            kind,
            connection: self.connection,
            class: self.class,
            ecn: self.ce,
            bytes: u32::from(packets) << mtu_shift & 0xFF_FFFF,
            rtt_ticks: self.rtt,
            unacked_bytes: u32::from(self.unacked) << mtu_shift,
            now_ticks: 0,
        }
    }
}

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

    /// The queue has room for what is on its way.
    pub(super) fn room(&self) -> bool {
        self.news.level() < ROOM
    }

    /// The event that is offered: a command first.
    pub(super) fn event(&self, aside: Option<(u32, Control)>) -> reps::Inputs {
        let event = match aside {
            Some((connection, control)) => of_command(connection, &control),
            None => self.news.word().event(self.idles()),
        };
        let event_valid = aside.is_some() || self.news.offered().is_some();
        reps::Inputs { event_valid, ..reps::Inputs::default().with_event(&event) }
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
