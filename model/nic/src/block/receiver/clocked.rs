//! The clocked view: the ports of `weft_receiver` and their values on every clock, around the clocked view of
//! [`sack_rx`].

use super::drain::Drain;
use super::front::{Front, Side};
use super::settle::{self, Settle, Settled, Token};
use super::state::{Bar, Control, Stats};
use super::timer::Timer;
use crate::block::sack_rx::{self, Inputs as SackInputs};
use crate::part::fence::Fence;
use crate::part::fifo::Fifo;
use crate::words::{Arrival, ArrivalKind, Beat, Listed, Offer, Received, Reply, Write};
use weft_params::{ReceiverCsr, SackParams};

/// Clocks from the acceptance of a packet to the offer of its reply, if neither waits.
pub const REPLY_LATENCY: u64 = 35;

/// Clocks from the acceptance of a packet to the acceptance of its first word of payload, if neither waits.
pub const PAYLOAD_LATENCY: u64 = 35;

/// A queue of breaches is full at this number of words.
const BREACHES: usize = 8;

/// Words of each queue, as a power of 2.
const DEPTH: u32 = 5;

/// Number of words at which a queue is full for its writers: the remaining places are for words in the
/// pipeline.
const LIMIT: usize = 24;

/// The input ports during one clock. The `cfg_*` ports are set by [`Clocked::set_csr`]. A stream that is `None` has
/// `tvalid` low.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Synchronous reset.
    pub rst: bool,
    /// The time in ticks.
    pub now: u32,
    /// `s_axis_arrival`: packets, with their connection.
    pub arrival: Option<(u32, Arrival)>,
    /// `s_axis_payload`: payload of the data packets that have any.
    pub payload: Option<Beat>,
    /// `s_axis_control`
    pub control: Option<(u32, Control)>,
    /// `s_axis_bar`: treatment of a connection's packets.
    pub bar: Option<(u32, Bar)>,
    /// `m_axis_breach_tready`
    pub breach_ready: bool,
    /// `m_axis_reply_tready`
    pub reply_ready: bool,
    /// `m_axis_write_tready`
    pub write_ready: bool,
    /// `m_axis_received_tready`
    pub received_ready: bool,
}

/// The output ports during one clock: registers, or functions of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// `s_axis_arrival_tready`
    pub arrival_ready: bool,
    /// `s_axis_payload_tready`
    pub payload_ready: bool,
    /// `s_axis_control_tready`
    pub control_ready: bool,
    /// `m_axis_breach`: packets that were not permitted to write to their address.
    pub breach: Offer<()>,
    /// `m_axis_reply`: ACKs and NACKs.
    pub reply: Offer<Reply>,
    /// `m_axis_write`: payload for host memory.
    pub write: Offer<Write>,
    /// `m_axis_received`: messages that are complete.
    pub received: Offer<Received>,
    /// `stat_*`
    pub stats: Stats,
}

/// `weft_receiver`, clock for clock.
#[derive(Clone, Debug)]
pub struct Clocked {
    params: SackParams,
    /// PSNs of a window.
    psns: u32,
    csr: ReceiverCsr,
    front: Front,
    sack: sack_rx::ShapedClocked,
    sides: Fifo<Side>,
    settle: Settle,
    timer: Timer,
    replies: Fifo<(u32, Reply)>,
    /// The lists of replies.
    lists: Fifo<Listed>,
    tokens: Fifo<Token>,
    drain: Drain,
    reports: Fifo<(u32, Received)>,
    breaches: Fifo<u32>,
    breaches_fence: Fence,
    /// The fences of a close in the output queues, and whether the close has passed them.
    replies_fence: Fence,
    reports_fence: Fence,
    replies_wait: bool,
    reports_wait: bool,
    /// The queues had space for replies and tokens in the previous clock.
    room: bool,
    /// The queue had space for reports in the previous clock.
    report_room: bool,
    outputs: Outputs,
}

impl Clocked {
    /// A block in its first clock after one with `rst`. `params` and `csr` must have passed their checks.
    pub fn new(params: SackParams, csr: ReceiverCsr) -> Self {
        Self::with_psns(params, SackParams::WINDOW, csr)
    }

    /// [`Self::new`], with a window of `psns`.
    pub fn with_psns(params: SackParams, psns: u32, csr: ReceiverCsr) -> Self {
        Self {
            params,
            psns,
            csr,
            front: Front::new(params.connections),
            sack: sack_rx::ShapedClocked::new(params, psns, csr.sack),
            sides: Fifo::new(DEPTH),
            settle: Settle::new(params.connections, psns),
            timer: Timer::new(params.connections),
            replies: Fifo::new(DEPTH),
            lists: Fifo::new(DEPTH),
            tokens: Fifo::new(DEPTH),
            drain: Drain::default(),
            reports: Fifo::new(DEPTH),
            breaches: Fifo::new(4),
            breaches_fence: Fence::default(),
            replies_fence: Fence::default(),
            reports_fence: Fence::default(),
            replies_wait: false,
            reports_wait: false,
            room: false,
            report_room: false,
            outputs: Outputs::default(),
        }
    }

    /// Sets the `cfg_*` ports. The CSRs of `weft_sack_rx` must not change while an event is in the pipeline.
    pub fn set_csr(&mut self, csr: ReceiverCsr) {
        self.csr = csr;
        self.sack.set_csr(csr.sack);
    }

    /// The values of the `cfg_*` ports.
    pub fn csr(&self) -> &ReceiverCsr {
        &self.csr
    }

    /// The transport inside, which must have the usual window; it runs ahead of the ports by its pipeline.
    pub fn sack(&self) -> &sack_rx::SackRx {
        self.sack.usual()
    }

    /// The output ports before the next clock edge.
    #[inline]
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// A clock edge with these inputs.
    pub fn clock(&mut self, inputs: &Inputs) {
        if inputs.rst {
            *self = Self::with_psns(self.params, self.psns, self.csr);
            return;
        }
        let sack = *self.sack.outputs();
        let entry = self.front.entry();
        let outcome = sack.outcome_valid.then(|| settle::decode(&sack));

        // All decisions of this clock, from registers and inputs.
        let settled = self.settle.decide(self.room, outcome.as_ref(), &self.sides.word());
        let leaving = self.settle.leaving();
        let drained =
            self.drain.decide(self.report_room, self.tokens.offered(), inputs.payload, inputs.write_ready);
        let hears = self.front.hears_flush(sack.event_ready, &self.timer);
        let control = self.front.control_enters(sack.event_ready, &self.timer);
        let out = self.out();
        let marked =
            inputs.arrival.is_some_and(|(_, arrival)| arrival.ce && arrival.kind == ArrivalKind::Data);
        self.count(&settled, drained.report.is_some(), marked && self.outputs.arrival_ready);
        let taken = entry.filter(|_| sack.event_ready);

        // The edge.
        self.room =
            self.replies.level() < LIMIT && self.tokens.level() < LIMIT && self.breaches.level() < BREACHES;
        self.report_room = self.reports.level() < LIMIT;
        let sack_inputs = SackInputs { outcome_ready: settled.ready, ..SackInputs::default() };
        self.sack.clock(&entry.map_or(sack_inputs, |(event, _)| sack_inputs.with_event(&event)));
        self.sides.clock(taken.map(|(_, side)| side), true, false, outcome.is_some() && settled.ready);
        self.front.clock(inputs.arrival, inputs.control, sack.event_ready, &self.timer, out, inputs.bar);
        let listed = self.settle.clock(&settled);
        self.timer.clock(inputs.now, self.csr.ack_timeout_ticks, control, settled.mark, hears);
        let replied = inputs.reply_ready && self.outputs.reply.valid;
        self.replies_fence.clock(settled.reply.is_some(), replied, self.replies_wait);
        let noted = inputs.breach_ready && self.breaches.offered().is_some();
        self.breaches_fence.clock(settled.breach, noted, self.replies_wait);
        let breach = outcome.filter(|_| settled.breach).map(|outcome| outcome.connection);
        self.breaches.clock(breach, true, false, inputs.breach_ready);
        self.replies_wait = settled.closes || self.replies_wait && !out;
        self.replies.clock(settled.reply, true, false, replied);
        self.lists.clock(listed, true, false, replied);
        self.tokens.clock(leaving, true, false, drained.ends);
        let reported = inputs.received_ready && self.reports.offered().is_some();
        self.reports_fence.clock(drained.report.is_some(), reported, self.reports_wait);
        self.reports_wait = drained.closed || self.reports_wait && !out;
        self.reports.clock(drained.report, true, false, inputs.received_ready);
        self.drain.clock(&drained);
        self.offer();
    }

    /// Whether all work from before a close has left (rule 16).
    fn out(&self) -> bool {
        let left = [&self.replies_fence, &self.breaches_fence, &self.reports_fence].map(Fence::ahead);
        self.reports_wait && left == [0; 3]
    }

    fn count(&mut self, settled: &Settled, report: bool, marked: bool) {
        let stats = &mut self.outputs.stats;
        let count = |counter: &mut u32, one: bool| *counter = counter.wrapping_add(one.into());
        count(&mut stats.access_errors, settled.denied);
        count(&mut stats.placed, settled.placed);
        count(&mut stats.acks, settled.reply.is_some_and(|(_, reply)| !reply.nack));
        count(&mut stats.nacks, settled.reply.is_some_and(|(_, reply)| reply.nack));
        count(&mut stats.received, report);
        count(&mut stats.marks, marked);
        stats.bytes = stats.bytes.wrapping_add(settled.bytes.into());
        count(&mut stats.held, settled.held);
    }

    /// The output ports after the edge.
    fn offer(&mut self) {
        let sack = self.sack.outputs();
        let out = self.out();
        let outputs = &mut self.outputs;
        outputs.arrival_ready = self.front.arrival_ready(sack.event_ready, &self.timer);
        outputs.control_ready = self.front.control_ready(sack.event_ready, &self.timer, out);
        outputs.payload_ready = self.drain.accepts(self.report_room, self.tokens.offered());
        outputs.breach =
            Offer { valid: self.breaches.offered().is_some(), id: self.breaches.word(), word: () };
        let (id, word) = self.replies.word();
        let word = word.with_list(self.lists.word());
        let valid = self.replies.offered().is_some() && self.lists.offered().is_some();
        outputs.reply = Offer { valid, id, word };
        outputs.write = self.drain.offer();
        let (id, word) = self.reports.word();
        outputs.received = Offer { valid: self.reports.offered().is_some(), id, word };
        outputs.stats.not_open_events = sack.not_open_events;
        outputs.stats.duplicates = sack.duplicates;
        outputs.stats.outside = sack.outside;
    }
}
