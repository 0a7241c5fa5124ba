//! The clocked view: the ports of `weft_sack_tx` and their values on every clock.
//!
//! The RTL spreads an event over many stages. This model decides the event in the clock in which it reads the
//! published state, and delays the outcome and the state that the event publishes. The co-simulation shows
//! that both are the same on every port and clock.

use super::event::{Event, Outcome};
use super::state::{Flow, Kind, Published, Stimulus};
use super::step::Card;
use super::timer::Timer;
use super::transaction::{Effect, SackTx, flag, timed};
use std::collections::VecDeque;
use weft_params::{SackParams, SackTxCsr};
use weft_word::{Bits, Concrete, Stored, Word};

/// Clocks from the acceptance of an event to the offer of its outcome.
pub const LATENCY: usize = 31;

/// Clocks after which an event finds the state that another event of its connection has published. An event
/// that enters at this distance or later finds it.
pub const PUBLISHED_AFTER: usize = 22;

/// Pipeline registers between the register that reads the published state and the output register.
const STAGES: usize = LATENCY - 2;

/// The stage that publishes, among these.
const PUBLISHING_STAGE: usize = PUBLISHED_AFTER - 1;

/// Clocks from the pop of the send queue to the request that its card makes.
const SCHEDULING: usize = 7;

/// Clocks from the scanner's read of a timer to the scanner's request.
const SCANNING: usize = 5;

/// Minimum number of clocks of a round of the scanner.
const SHORTEST_ROUND: u32 = 64;

/// The input ports during one clock. The `cfg_*` ports are set by [`Clocked::set_csr`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Synchronous reset.
    pub rst: bool,
    /// The time in ticks, 24 bits.
    pub now: u32,
    /// `s_axis_event_tvalid`
    pub event_valid: bool,
    /// `s_axis_event_tid`: the connection.
    pub event_id: u32,
    /// `s_axis_event_tdata`, low word first: bitmap in bits 255:0, PSN 279:256 or packets 271:256, trigger
    /// 303:280 or window 305:280, tag 343:312.
    pub event_data: [u64; 6],
    /// `s_axis_event_tuser`: the kind.
    pub event_user: u8,
    /// `m_axis_outcome_tready`
    pub outcome_ready: bool,
    /// `hold`: no packet is to leave.
    pub hold: bool,
    /// `query`: the connection that software queries.
    pub query: u32,
}

impl Inputs {
    /// Drives `event` on `s_axis_event`, and `now`.
    pub fn with_event(self, event: &Event) -> Self {
        let [a, b, c, d] = event.bitmap;
        let first = match event.kind {
            Kind::Post => u32::from(event.packets),
            _ => event.psn,
        };
        let second = match event.kind {
            Kind::Window | Kind::Open => event.cwnd_bytes,
            Kind::Nack => event.denied.into(),
            _ => event.trigger,
        };
        let e = u128::from(first) | u128::from(second) << 24 | u128::from(event.tag) << 56;
        Self {
            now: event.now_ticks,
            event_valid: true,
            event_id: event.connection,
            event_data: [a, b, c, d, e as u64, (e >> 64) as u64],
            event_user: event.kind as u8,
            ..self
        }
    }

    fn event(&self) -> Event {
        let [a, b, c, d, e, f] = self.event_data;
        let e = u128::from(e) | u128::from(f) << 64;
        Event {
            kind: Kind::ALL[usize::from(self.event_user & 7)],
            connection: self.event_id,
            psn: e as u32 & 0xFF_FFFF,
            trigger: (e >> 24) as u32 & 0xFF_FFFF,
            denied: e >> 24 & 1 == 1,
            bitmap: [a, b, c, d],
            packets: e as u16,
            cwnd_bytes: (e >> 24) as u32 & 0x3FF_FFFF,
            tag: (e >> 56) as u32,
            now_ticks: self.now & 0xFF_FFFF,
        }
    }
}

/// The output ports during one clock. All are registers or functions of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// `s_axis_event_tready`
    pub event_ready: bool,
    /// `sends`: a SEND enters.
    pub sends: bool,
    /// `window_view`: the view of software, low word first, see [`View::words`](super::View::words).
    pub window: [u64; 2],
    /// `m_axis_outcome_tvalid`
    pub outcome_valid: bool,
    /// `m_axis_outcome_tid`: the connection, which holds its value while `tvalid` is low, as do the next two.
    pub outcome_id: u32,
    /// `m_axis_outcome_tdata`, see [`Outcome::data`].
    pub outcome_data: [u64; 3],
    /// `m_axis_outcome_tuser`, see [`Outcome::user`].
    pub outcome_user: u16,
    /// `stat_not_open_events`: events from outside of connections that were not open; the port has its low 16 bits.
    pub not_open_events: u32,
    /// `stat_never_sent`: ACKs and NACKs of PSNs never sent, and bitmaps that had some; the port has its low 16 bits.
    pub never_sent: u32,
    /// `stat_stale`: ACKs and NACKs older than the window; the port has its low 16 bits.
    pub stale: u32,
    /// `stat_refused`: messages of 0 packets, or posted into a full queue; the port has its low 16 bits.
    pub refused: u32,
}

/// An event in the pipeline up to the stage that reads the published state.
#[derive(Clone, Copy, Debug)]
struct Entered {
    connection: u32,
    tag: u32,
    stimulus: Stimulus<Concrete>,
}

/// State after an event, in the pipeline up to the stages that write it.
#[derive(Clone, Copy, Debug)]
struct Decided<const N: usize> {
    effect: Effect,
    published: Published<Concrete, N>,
    card: Card<Concrete>,
    timer: Timer,
    view: [u64; 2],
}

/// A connection in the pipeline from the send queue to its request.
#[derive(Clone, Copy, Debug)]
struct Scheduled {
    connection: u32,
    card: Card<Concrete>,
    message: u16,
    /// A second packet follows in the same turn.
    more: bool,
}

impl Scheduled {
    /// Packets left of the message, including this one.
    fn packets(&self) -> u16 {
        match self.card.left.value() {
            0 => self.message,
            left => left as u16,
        }
    }

    /// The second packet of the turn.
    fn second(self) -> Self {
        let (psn, left) = (self.card.psn + Bits::lit(1), Bits::lit(self.packets().into()) - Bits::lit(1));
        Self { card: Card { psn, left, ..self.card }, more: false, ..self }
    }

    fn stimulus(&self, now_ticks: u32) -> Stimulus<Concrete> {
        Stimulus { more: Bits::lit(self.more.into()), ..self.card.stimulus(self.message, now_ticks) }
    }
}

/// A timer in the pipeline from the scanner's read to its request.
#[derive(Clone, Copy, Debug)]
struct Scanned {
    connection: u32,
    timer: Timer,
    /// The event that the block itself requests.
    asks: Option<Kind>,
    /// Late in a silence.
    silent: bool,
}

/// `weft_sack_tx`, clock for clock.
#[derive(Clone, Debug)]
pub struct Clocked<const S: usize = 8, const N: usize = 9, const L: usize = 2>
where
    Bits<N>: Stored,
{
    tx: SackTx<S, N, L>,
    /// State that an entering event finds, and the words of scheduler and scanner, by connection.
    published: Vec<Published<Concrete, N>>,
    cards: Vec<Card<Concrete>>,
    timers: Vec<Timer>,
    messages: Vec<u16>,
    /// Views of software, by connection; the query in the pipeline; and the number of clocks, at most 3,
    /// since the sweep's closes were published.
    views: Vec<[u64; 2]>,
    shown: [[u64; 2]; 2],
    known: u8,
    /// The next connection that the sweep after reset closes; `connections` when it is done (rule 1).
    sweep: u32,
    /// Clocks during which an accepted open or close, or the sweep, keeps out all later events.
    drain: usize,
    entered: Option<Entered>,
    /// Events in the stages after it, the youngest first.
    stages: [Option<Decided<N>>; STAGES],
    /// The outcome that came while the output register was full: then the pipeline stalls.
    skid: Option<Outcome>,
    /// Connections with packets to send.
    waiting: VecDeque<u32>,
    /// The front of the queue in the pipeline to a request, the youngest first. The last is the request.
    scheduled: [Option<Scheduled>; SCHEDULING],
    /// Number of the connection that sent last.
    last: u32,
    /// The timer that the scanner reads next.
    scan: u32,
    /// Timers in the pipeline to a request, the youngest first. The last is the request.
    scanned: [Option<Scanned>; SCANNING],
    /// An own event entered in the previous clock: outside events have the turn.
    turn: bool,
    /// The last own event was of a timer: the next turn is that of a SEND.
    sends: bool,
    /// No packet may leave.
    held: bool,
    outputs: Outputs,
}

impl<const S: usize, const N: usize, const L: usize> Clocked<S, N, L>
where
    Bits<N>: Stored,
{
    /// A block in its first clock after one with `rst`.
    pub fn new(params: SackParams, csr: SackTxCsr) -> Self {
        let connections = params.connections as usize;
        Self {
            tx: SackTx::new(params, csr),
            published: vec![Flow::closed().published; connections],
            cards: vec![Card::none(); connections],
            timers: vec![Timer::default(); connections],
            messages: vec![0; connections * SackParams::QUEUE as usize],
            views: vec![[0; 2]; connections],
            shown: [[0; 2]; 2],
            known: 0,
            sweep: 0,
            drain: 0,
            entered: None,
            stages: [None; STAGES],
            skid: None,
            waiting: VecDeque::new(),
            scheduled: [None; SCHEDULING],
            last: 0,
            scan: 0,
            scanned: [None; SCANNING],
            turn: false,
            sends: false,
            held: false,
            outputs: Outputs::default(),
        }
    }

    /// Sets the `cfg_*` ports. CSRs must not change while an event is in the pipeline.
    pub fn set_csr(&mut self, csr: SackTxCsr) {
        self.tx.set_csr(csr);
    }

    /// The transaction view inside; it runs ahead of the ports by the pipeline.
    pub fn tx(&self) -> &SackTx<S, N, L> {
        &self.tx
    }

    /// The output ports before the next clock edge.
    #[inline]
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// A clock edge with these inputs.
    #[inline]
    pub fn clock(&mut self, inputs: &Inputs) {
        if inputs.rst {
            *self = Self::new(*self.tx.params(), *self.tx.csr());
            return;
        }
        let is_settled = self.open_for_all();
        let running = self.skid.is_none();
        let free = inputs.outcome_ready || !self.outputs.outcome_valid;
        if running {
            self.advance(inputs, free);
        } else if free {
            let held = self.skid.take();
            self.offer(held);
        }
        self.show(inputs.query, is_settled);
        let (runs, own_turn) = (self.skid.is_none(), self.own_turn());
        self.outputs.event_ready = runs && self.open_for_all() && !own_turn;
        self.outputs.sends = runs && own_turn && !self.timer_goes();
    }

    /// Rule 24: the answer to a query of software, two clocks later.
    fn show(&mut self, query: u32, is_settled: bool) {
        self.shown = [self.views[query as usize], self.shown[0]];
        if is_settled || self.known > 0 {
            self.known = 3.min(self.known + 1);
        }
        self.outputs.window = if self.known == 3 { self.shown[1] } else { [0; 2] };
    }

    /// No sweep, open or close keeps events out.
    fn open_for_all(&self) -> bool {
        self.sweep == self.tx.params().connections && self.drain == 0
    }

    /// An own event enters in this clock: at most in every second.
    fn own_turn(&self) -> bool {
        let requested = self.scanned[SCANNING - 1].is_some() || self.asks();
        requested && !self.turn && self.open_for_all()
    }

    /// Whether a packet requests to leave and may leave.
    fn asks(&self) -> bool {
        self.scheduled[SCHEDULING - 1].is_some() && !self.held
    }

    /// Timers and packets take turns: the next of the block's own events is that of a timer.
    fn timer_goes(&self) -> bool {
        self.scanned[SCANNING - 1].is_some() && !(self.sends && self.asks())
    }

    fn advance(&mut self, inputs: &Inputs, free: bool) {
        let now = inputs.now & 0xFF_FFFF;
        let own_turn = self.own_turn();
        let open_for_all = self.open_for_all();
        let connections = self.tx.params().connections;

        // A read finds the words that the publishing stage writes in the same clock. A connection that it puts in the send
        // queue can leave it in the next clock at the earliest.
        let mut enqueued = None;
        if let Some(Decided { effect, published, card, timer, view }) = &self.stages[PUBLISHING_STAGE] {
            let connection = effect.outcome.connection;
            let index = connection as usize;
            self.published[index] = *published;
            self.cards[index] = *card;
            self.timers[index] = *timer;
            self.views[index] = *view;
            if let Some((place, packets)) = effect.posted {
                self.messages[index * SackParams::QUEUE as usize + usize::from(place)] = packets;
            }
            enqueued = effect.enqueue.then_some(connection);
        }
        let leaving = self.stages[STAGES - 1].map(|decided| decided.effect.outcome);
        if let Some(outcome) = &leaving {
            self.count(outcome);
        }
        let decided = self.entered.take().map(|entered| {
            let Entered { connection, tag, stimulus } = entered;
            let seen = self.published[connection as usize];
            let effect = self.tx.step_seeing(&seen, connection, tag, &stimulus);
            let flow = self.tx.flow(connection);
            let (published, timer) = (flow.published, Timer::of(&flow));
            let view = flow.view().words();
            Decided { effect, published, card: self.tx.card(connection), timer, view }
        });
        self.stages.copy_within(0..STAGES - 1, 1);
        self.stages[0] = decided;
        if free {
            self.offer(leaving);
        } else {
            self.skid = leaving;
        }
        self.drain = self.drain.saturating_sub(1);

        // The block's own events.
        let timed_out = if own_turn && self.timer_goes() { self.scanned[SCANNING - 1].take() } else { None };
        let scan_moves = self.scanned[SCANNING - 1].is_none() && timed_out.is_none() && open_for_all;
        let sent = if own_turn && timed_out.is_none() { self.scheduled[SCHEDULING - 1].take() } else { None };
        self.scheduled[SCHEDULING - 1] =
            self.scheduled[SCHEDULING - 1].or(sent.filter(|sent| sent.more).map(Scheduled::second));
        let schedule_moves = self.scheduled[SCHEDULING - 1].is_none();
        if own_turn {
            self.sends = timed_out.is_some();
        }
        if let Some(Scanned { connection, asks: Some(kind), silent, .. }) = timed_out {
            self.entered = Some(Entered { connection, tag: 0, stimulus: timed(kind, silent, now) });
        } else if let Some(sent) = sent {
            let stimulus = sent.stimulus(now);
            self.entered = Some(Entered { connection: sent.connection, tag: 0, stimulus });
        } else if self.outputs.event_ready && inputs.event_valid {
            let event = inputs.event();
            if matches!(event.kind, Kind::Open | Kind::Close) {
                self.drain = PUBLISHED_AFTER - 1;
            }
            self.entered =
                Some(Entered { connection: event.connection, tag: event.tag, stimulus: event.stimulus() });
        }
        (self.turn, self.held) = (own_turn, inputs.hold);
        if schedule_moves {
            self.schedule();
        }
        if scan_moves {
            self.scan(now);
        }
        self.waiting.extend(enqueued);
        if self.sweep < connections {
            self.sweep += 1;
            // The last close must also have left the pipeline.
            self.drain = PUBLISHED_AFTER - 1;
        }
    }

    /// A clock of the scheduler. Its steps: pop, two clocks, read the card, two clocks, read the message, two
    /// clocks.
    fn schedule(&mut self) {
        let alone = self.waiting.is_empty() && self.scheduled[..SCHEDULING - 2].iter().all(Option::is_none);
        self.scheduled.copy_within(0..SCHEDULING - 1, 1);
        self.scheduled[0] = self.waiting.pop_front().map(|connection| Scheduled {
            connection,
            card: Card::none(),
            message: 0,
            more: false,
        });
        if let Some(scheduled) = &mut self.scheduled[2] {
            scheduled.card = self.cards[scheduled.connection as usize];
        }
        if let Some(Scheduled { connection, card, message, .. }) = &mut self.scheduled[4] {
            *message = self.messages[(*connection * SackParams::QUEUE) as usize + card.head.value() as usize];
        }
        if let Some(asked) = &mut self.scheduled[SCHEDULING - 1] {
            asked.more =
                alone && asked.connection == self.last && flag(asked.card.pair) && asked.packets() > 1;
            self.last = asked.connection;
        }
    }

    /// A clock of the scanner: reads a timer; two clocks later its age, the due events, and the first of
    /// them.
    fn scan(&mut self, now: u32) {
        let connections = self.tx.params().connections;
        self.scanned.copy_within(0..SCANNING - 1, 1);
        let connection = self.scan;
        self.scanned[0] = (connection < connections).then(|| Scanned {
            connection,
            timer: self.timers[connection as usize],
            asks: None,
            silent: false,
        });
        if let Some(Scanned { timer, asks, silent, .. }) = &mut self.scanned[2] {
            *asks = timer.due(self.tx.csr(), now);
            *silent = timer.is_silent(now);
        }
        let request = &mut self.scanned[SCANNING - 1];
        *request = request.filter(|scanned| scanned.asks.is_some());
        self.scan = (connection + 1) % connections.max(SHORTEST_ROUND);
    }

    fn count(&mut self, outcome: &Outcome) {
        let Outputs { not_open_events, never_sent, stale, refused, .. } = &mut self.outputs;
        for (counter, one) in [not_open_events, never_sent, stale, refused].into_iter().zip(outcome.counts())
        {
            *counter = counter.wrapping_add(one.into());
        }
    }

    fn offer(&mut self, outcome: Option<Outcome>) {
        self.outputs.outcome_valid = outcome.is_some();
        if let Some(outcome) = outcome {
            self.outputs.outcome_id = outcome.connection;
            self.outputs.outcome_data = outcome.data();
            self.outputs.outcome_user = outcome.user();
        }
    }
}
