//! The state of every connection, and the events that report its changes, clock for clock.

use super::standing::{News, Standing};
use crate::block::receiver::Bar;
use crate::part::fifo::Fifo;
use crate::words::{Offer, Status};

/// Reports of a clock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sources {
    pub(super) failed: Option<(u32, bool)>,
    pub(super) freeze: Option<(u32, bool)>,
    pub(super) breach: Option<u32>,
    pub(super) buffer: Option<(u32, u8)>,
    pub(super) control: Option<(u32, bool)>,
    pub(super) drained: Option<u32>,
    pub(super) event_ready: bool,
    pub(super) failure_ready: bool,
    /// The connection whose state is shown.
    pub(super) query: u32,
}

/// A connection and its report. `None`: its event is due.
type Piece = (u32, Option<News>);

/// The stage of a report, until the report is written while the next one is chosen.
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
    /// Whether each connection is in the queue of events.
    waiting: Vec<bool>,
    swept: usize,
    /// A failure that the sender has reported, which waits.
    failed: Option<(u32, bool)>,
    /// Connections that failed at this end, until the sender accepts them. `true`: the host's buffer failed.
    /// Whether there were no events in the previous clock; then the next field is valid.
    failures: Fifo<(u32, bool)>,
    clear: bool,
    turn: usize,
    step: Step,
    /// The report that is written.
    writes: Option<Piece>,
    queue: Fifo<u32>,
    event: Offer<u8>,
    bar: Offer<Bar>,
    /// The requested state, in the pipeline.
    shown: [Standing; 2],
    known: u8,
}

impl Book {
    /// Turns of the sources of reports (rule 16). The last turn is that of the queue of events.
    pub(super) const FREEZE: usize = 0;
    pub(super) const BREACH: usize = 1;
    pub(super) const BUFFER: usize = 2;
    pub(super) const CONTROL: usize = 3;
    pub(super) const DRAINED: usize = 4;
    const EVENT: usize = 5;

    /// The state before the sweep after reset.
    pub(super) fn new(connections: u32) -> Self {
        Self {
            standings: vec![Standing::default(); connections as usize],
            waiting: vec![false; connections as usize],
            swept: 0,
            failed: None,
            failures: Fifo::new(connections.ilog2()),
            clear: false,
            turn: 0,
            step: Step::Choose,
            writes: None,
            queue: Fifo::new(connections.ilog2()),
            event: Offer::default(),
            bar: Offer::default(),
            shown: [Standing::default(); 2],
            known: 0,
        }
    }

    fn sweeping(&self) -> bool {
        self.swept < self.standings.len()
    }

    fn choosing(&self) -> bool {
        matches!(self.step, Step::Choose) && !self.sweeping()
    }

    /// Whether the block accepts a failure that the sender reports.
    pub(super) fn failed_ready(&self) -> bool {
        self.failed.is_none()
    }

    /// The source that is served next.
    pub(super) fn turn(&self) -> Option<usize> {
        (self.choosing() && self.failed.is_none()).then_some(self.turn)
    }

    /// The failure that is reported to the sender. `true`: the host's buffer failed.
    pub(super) fn failure(&self) -> Offer<bool> {
        let (id, word) = self.failures.word();
        Offer { valid: self.failures.offered().is_some(), id, word }
    }

    /// Whether the block accepts the report of COMMAND. Three conditions must hold: it is COMMAND's turn, the
    /// sender has accepted all earlier failures, and the host has accepted the event of the connection.
    pub(super) fn hears(&self, control: Option<(u32, bool)>) -> bool {
        let untold = |(id, _): &(u32, bool)| self.event.valid && self.event.id == *id;
        self.turn() == Some(Self::CONTROL) && self.clear && control.is_some_and(|control| !untold(&control))
    }

    /// The event that is offered.
    pub(super) fn event(&self) -> Offer<u8> {
        self.event
    }

    /// Treatment of a connection's packets.
    pub(super) fn bar(&self) -> Offer<Bar> {
        self.bar
    }

    /// The register STATE (rule 17).
    pub(super) fn state(&self) -> u32 {
        if self.known == 2 { self.shown[1].word().into() } else { 0 }
    }

    /// The register QUERY_HISTORY (rule 24).
    pub(super) fn history(&self) -> u32 {
        if self.known == 2 { self.shown[1].history() } else { 0 }
    }

    /// A clock edge.
    pub(super) fn clock(&mut self, sources: &Sources) {
        let mut pushed = None;
        let mut told = None;
        self.bar.valid = false;
        let turn = self.turn();
        let told_of = sources.failed.filter(|_| self.failed_ready());
        let mut failing = None;
        let chosen = if let Some((id, denied)) = self.failed.filter(|_| self.choosing()) {
            self.failed = None;
            Some((id, Some(News::Failed(denied))))
        } else {
            match turn {
                Some(Self::FREEZE) => sources.freeze.map(|(id, began)| (id, Some(News::Freeze(began)))),
                Some(Self::BREACH) => sources.breach.map(|id| (id, Some(News::Breach))),
                Some(Self::BUFFER) => sources.buffer.map(|(id, word)| (id, Some(News::Buffer(word & 3)))),
                Some(Self::CONTROL) => {
                    let control = sources.control;
                    control.map(|(id, open)| (id, Some(News::Control(open))))
                }
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
            let before = *standing;
            let event = news.is_some_and(|news| standing.hear(news));
            pushed = (event && !self.waiting[at]).then_some(id);
            self.waiting[at] = event || self.waiting[at] && news.is_some();
            told = news.is_none().then(|| (id, standing.word()));
            self.bar = Offer { valid: true, id, word: standing.bar() };
            let cause = news.and_then(|news| standing.cause(&before, news));
            failing = cause.map(|cause| (id, cause == Status::Broken));
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
        self.clear = self.failures.level() == 0 && self.failures.offered().is_none() && failing.is_none();
        self.failures.clock(failing, true, false, sources.failure_ready);
        self.failed = told_of.or(self.failed);
        self.event.valid &= !sources.event_ready;
        if let Some((id, word)) = told {
            self.event = Offer { valid: true, id, word };
        }
        self.known = if self.sweeping() { 0 } else { 2.min(self.known + 1) };
        self.swept = self.standings.len().min(self.swept + 1);
        let asked = self.standings[sources.query as usize % self.standings.len()];
        self.shown = [asked, self.shown[0]];
    }
}
