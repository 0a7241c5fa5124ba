//! What has become of every connection, and the events that tell of it, clock for clock.

use super::standing::{News, Standing};
use crate::block::receiver::Bar;
use crate::part::fifo::Fifo;
use crate::words::{Offer, Status};

/// What may happen in a clock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sources {
    pub(super) sent: Option<(u32, Status)>,
    pub(super) freeze: Option<(u32, bool)>,
    pub(super) breach: Option<u32>,
    pub(super) buffer: Option<(u32, u8)>,
    pub(super) control: Option<(u32, bool)>,
    pub(super) drained: Option<u32>,
    pub(super) event_ready: bool,
    /// The connection whose state is shown.
    pub(super) query: u32,
}

/// A connection, and what is new of it; else its event is due.
type Piece = (u32, Option<News>);

/// Where a piece of news is, until it is written while the next is chosen.
#[derive(Clone, Copy, Debug)]
enum Step {
    Choose,
    Read(Piece),
    Take(Piece),
}

/// The status of all connections, clock for clock.
#[derive(Clone, Debug)]
pub(super) struct Book {
    standings: Vec<Standing>,
    /// They wait in the queue of events.
    waiting: Vec<bool>,
    swept: usize,
    /// A failure that waits.
    failure: Option<(u32, News)>,
    turn: usize,
    step: Step,
    /// What is written.
    writes: Option<Piece>,
    queue: Fifo<u32>,
    event: Offer<u8>,
    bar: Offer<Bar>,
    /// The state asked for, on its way.
    shown: [u8; 2],
    known: u8,
}

impl Book {
    /// Turns of those who have news; the last is that of the queue of events.
    pub(super) const FREEZE: usize = 0;
    pub(super) const BREACH: usize = 1;
    pub(super) const BUFFER: usize = 2;
    pub(super) const CONTROL: usize = 3;
    pub(super) const DRAINED: usize = 4;
    const EVENT: usize = 5;

    /// Before the sweep after reset.
    pub(super) fn new(connections: u32) -> Self {
        Self {
            standings: vec![Standing::default(); connections as usize],
            waiting: vec![false; connections as usize],
            swept: 0,
            failure: None,
            turn: 0,
            step: Step::Choose,
            writes: None,
            queue: Fifo::new(connections.ilog2()),
            event: Offer::default(),
            bar: Offer::default(),
            shown: [0; 2],
            known: 0,
        }
    }

    fn sweeping(&self) -> bool {
        self.swept < self.standings.len()
    }

    /// Whose turn it is.
    pub(super) fn turn(&self) -> Option<usize> {
        let choosing = matches!(self.step, Step::Choose) && !self.sweeping() && self.failure.is_none();
        choosing.then_some(self.turn)
    }

    /// It is the turn of the connection that is opened or closed, and what was told of it has been taken.
    pub(super) fn hears(&self, control: Option<(u32, bool)>) -> bool {
        let untold = |(id, _): &(u32, bool)| self.event.valid && self.event.id == *id;
        self.turn() == Some(Self::CONTROL) && control.is_some_and(|control| !untold(&control))
    }

    /// The event that is offered.
    pub(super) fn event(&self) -> Offer<u8> {
        self.event
    }

    /// How a connection's packets are to be treated.
    pub(super) fn bar(&self) -> Offer<Bar> {
        self.bar
    }

    /// The register STATE.
    pub(super) fn state(&self) -> u8 {
        if self.known == 2 { self.shown[1] } else { 0 }
    }

    /// A clock edge.
    pub(super) fn clock(&mut self, sources: &Sources) {
        let mut pushed = None;
        let mut told = None;
        self.bar.valid = false;
        let turn = self.turn();
        let choosing = matches!(self.step, Step::Choose) && !self.sweeping();
        let chosen = if let Some((id, news)) = self.failure.filter(|_| choosing) {
            self.failure = None;
            Some((id, Some(news)))
        } else {
            match turn {
                Some(Self::FREEZE) => sources.freeze.map(|(id, began)| (id, Some(News::Freeze(began)))),
                Some(Self::BREACH) => sources.breach.map(|id| (id, Some(News::Breach))),
                Some(Self::BUFFER) => sources.buffer.map(|(id, word)| (id, Some(News::Buffer(word & 3)))),
                Some(Self::CONTROL) => sources.control.map(|(id, open)| (id, Some(News::Control(open)))),
                Some(Self::DRAINED) => sources.drained.map(|id| (id, Some(News::Drained))),
                Some(_) => self.queue.offered().filter(|_| !self.event.valid).map(|id| (id, None)),
                None => None,
            }
        };
        let pops = turn == Some(Self::EVENT) && chosen.is_some();
        if turn.is_some() {
            self.turn = (self.turn + 1) % (Self::EVENT + 1);
        }
        if let Some((id, news)) = self.writes.take() {
            let at = id as usize;
            let standing = &mut self.standings[at];
            let event = news.is_some_and(|news| standing.hear(news));
            pushed = (event && !self.waiting[at]).then_some(id);
            self.waiting[at] = event || self.waiting[at] && news.is_some();
            told = news.is_none().then(|| (id, standing.word()));
            self.bar = Offer { valid: true, id, word: standing.bar() };
        }
        self.step = match self.step {
            Step::Choose => chosen.map_or(Step::Choose, Step::Read),
            Step::Read(piece) => Step::Take(piece),
            Step::Take(piece) => {
                self.writes = Some(piece);
                Step::Choose
            }
        };
        self.queue.clock(pushed, true, false, pops);
        self.event.valid &= !sources.event_ready;
        if let Some((id, word)) = told {
            self.event = Offer { valid: true, id, word };
        }
        let failure = sources.sent.and_then(|(id, status)| Some((id, News::of_sent(status)?)));
        self.failure = failure.or(self.failure);
        self.known = if self.sweeping() { 0 } else { 2.min(self.known + 1) };
        self.swept = self.standings.len().min(self.swept + 1);
        let asked = self.standings[sources.query as usize % self.standings.len()];
        self.shown = [asked.word(), self.shown[0]];
    }
}
