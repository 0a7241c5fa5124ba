//! The clocked view: the ports of `weft_sack_rx` and their values on every clock.
//!
//! The RTL spreads an event over many stages. This model decides the event in the clock in which it reads the
//! published state, and delays the outcome. The co-simulation shows that both are the same on every port and
//! clock.

use super::state::{Kind, Published, Verdict};
use super::transaction::{Event, Outcome, SackRx};
use weft_params::{SackParams, SackRxCsr};
use weft_word::{Bits, Concrete, Stored};

/// Clocks from the acceptance of an event to the offer of its outcome.
pub const LATENCY: usize = 23;

/// Clocks after which an event reads the words that another event of its connection has published. An event
/// that enters at this distance or later reads them.
pub const PUBLISHED_AFTER: usize = LATENCY - 2;

/// Pipeline registers before the output register.
const STAGES: usize = LATENCY - 1;

/// The input ports during one clock. The `cfg_*` ports are set by [`Clocked::set_csr`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Synchronous reset.
    pub rst: bool,
    /// `s_axis_event_tvalid`
    pub event_valid: bool,
    /// `s_axis_event_tid`: the connection.
    pub event_id: u32,
    /// `s_axis_event_tdata`: PSN in bits 23:0, bytes 39:24, tag 71:40.
    pub event_data: u128,
    /// `s_axis_event_tuser`: kind in bits 2:0, ECN mark 3, ACK request 4, last 5.
    pub event_user: u8,
    /// `m_axis_outcome_tready`
    pub outcome_ready: bool,
}

impl Inputs {
    /// Drives `event` on `s_axis_event`.
    pub fn with_event(self, event: &Event) -> Self {
        Self {
            event_valid: true,
            event_id: event.connection,
            event_data: u128::from(event.tag) << 40 | u128::from(event.bytes) << 24 | u128::from(event.psn),
            event_user: event.kind as u8
                | u8::from(event.ce) << 3
                | u8::from(event.request) << 4
                | u8::from(event.last) << 5,
            ..self
        }
    }

    fn event(&self) -> Event {
        Event {
            kind: Kind::ALL[usize::from(self.event_user & 7)],
            connection: self.event_id,
            psn: self.event_data as u32 & 0xFF_FFFF,
            bytes: (self.event_data >> 24) as u16,
            ce: self.event_user & 8 != 0,
            request: self.event_user & 16 != 0,
            last: self.event_user & 32 != 0,
            tag: (self.event_data >> 40) as u32,
        }
    }
}

/// The output ports during one clock. All are registers or functions of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// `s_axis_event_tready`
    pub event_ready: bool,
    /// `m_axis_outcome_tvalid`
    pub outcome_valid: bool,
    /// `m_axis_outcome_tid`: the connection. The port holds its value while `tvalid` is low, as do the next two.
    pub outcome_id: u32,
    /// `m_axis_outcome_tdata`, see [`Outcome::data`].
    pub outcome_data: [u64; 7],
    /// `m_axis_outcome_tuser`, see [`Outcome::user`].
    pub outcome_user: u16,
    /// `stat_not_open_events`: events of connections that were not open; the port has its low 16 bits.
    pub not_open_events: u32,
    /// `stat_duplicates`: packets received before; the port has its low 16 bits.
    pub duplicates: u32,
    /// `stat_outside`: packets beyond the window; the port has its low 16 bits.
    pub outside: u32,
}

/// An event in the pipeline: its outcome and the words to publish.
#[derive(Clone, Copy, Debug)]
struct Travelling<const N: usize> {
    outcome: Outcome,
    published: Published<Concrete, N>,
}

/// `weft_sack_rx`, clock for clock.
#[derive(Clone, Debug)]
pub struct Clocked<const S: usize = 8, const N: usize = 9, const L: usize = 2>
where
    Bits<S>: Stored,
    Bits<N>: Stored,
{
    rx: SackRx<S, N, L>,
    /// The published state that an event reads when it enters, by connection.
    published: Vec<Published<Concrete, N>>,
    /// The next connection that the sweep after reset closes; `connections` when it is done (rule 1).
    sweep: u32,
    /// Clocks during which an accepted open or close, or the sweep, keeps out all later events.
    drain: usize,
    /// The event in stage 1, which reads the published words.
    entered: Option<Event>,
    /// Events in the stages after it, the youngest first.
    stages: [Option<Travelling<N>>; STAGES - 1],
    /// The outcome that the pipeline delivered while the output register was full: then the pipeline stalls.
    skid: Option<Outcome>,
    outputs: Outputs,
}

impl<const S: usize, const N: usize, const L: usize> Clocked<S, N, L>
where
    Bits<S>: Stored,
    Bits<N>: Stored,
{
    /// A block in its first clock after one with `rst`.
    pub fn new(params: SackParams, csr: SackRxCsr) -> Self {
        Self {
            rx: SackRx::new(params, csr),
            published: vec![Published::closed(); params.connections as usize],
            sweep: 0,
            drain: 0,
            entered: None,
            stages: [None; STAGES - 1],
            skid: None,
            outputs: Outputs::default(),
        }
    }

    /// Sets the `cfg_*` ports. CSRs must not change while an event is in the pipeline.
    pub fn set_csr(&mut self, csr: SackRxCsr) {
        self.rx.set_csr(csr);
    }

    /// The transaction view inside; it runs ahead of the ports by the pipeline.
    pub fn rx(&self) -> &SackRx<S, N, L> {
        &self.rx
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
            *self = Self::new(*self.rx.params(), *self.rx.csr());
            return;
        }
        let running = self.skid.is_none();
        let free = inputs.outcome_ready || !self.outputs.outcome_valid;
        if running {
            self.advance(inputs, free);
        } else if free {
            let held = self.skid.take();
            self.offer(held);
        }
        let swept = self.sweep == self.rx.params().connections;
        self.outputs.event_ready = self.skid.is_none() && swept && self.drain == 0;
    }

    fn advance(&mut self, inputs: &Inputs, free: bool) {
        // The last stage publishes and counts; an event that reads in the same clock finds it.
        let leaving = self.stages[STAGES - 2];
        if let Some(Travelling { outcome, published }) = leaving {
            self.published[outcome.connection as usize] = published;
            let count = |counter: &mut u32, one: bool| *counter = counter.wrapping_add(one.into());
            count(&mut self.outputs.not_open_events, !outcome.accepted);
            count(&mut self.outputs.duplicates, outcome.verdict == Verdict::Duplicate);
            count(&mut self.outputs.outside, outcome.verdict == Verdict::Outside);
        }
        let decided = self.entered.take().map(|event| {
            let seen = self.published[event.connection as usize];
            let outcome = self.rx.step_seeing(&seen, &event);
            Travelling { outcome, published: self.rx.state(event.connection).published }
        });
        self.stages.copy_within(0..STAGES - 2, 1);
        self.stages[0] = decided;
        if free {
            self.offer(leaving.map(|event| event.outcome));
        } else {
            self.skid = leaving.map(|event| event.outcome);
        }
        self.drain = self.drain.saturating_sub(1);
        if self.outputs.event_ready && inputs.event_valid {
            let event = inputs.event();
            if matches!(event.kind, Kind::Open | Kind::Close) {
                self.drain = PUBLISHED_AFTER - 1;
            }
            self.entered = Some(event);
        }
        if self.sweep < self.rx.params().connections {
            self.sweep += 1;
            // The last close must also have left the pipeline.
            self.drain = PUBLISHED_AFTER - 1;
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
