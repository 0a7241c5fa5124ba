//! The clocked view: the ports of `weft_egress` and their values on every clock.
//!
//! The RTL makes a frame beat by beat in many stages. This model makes the whole frame in the clock of the
//! choice, and then delays its beats.

use super::change::{Change, Events};
use super::intake::Intake;
use super::sound::{self, Stored};
use super::state::{Counters, Peer};
use super::step;
use super::store::{Others, Packet, Reads};
use super::turn;
use crate::part::fifo::Fifo;
use crate::part::skid::Skid;
use crate::words::{Beat, Offer, Order, Passed, Reply};
use std::collections::VecDeque;
use weft_params::{EgressCsr, SackParams};
use weft_word::{Bits, Concrete, Word};

/// Clocks from the choice of a frame, whose time is the frame's stamp, to the offer of its first beat.
pub const LATENCY: usize = 18;

/// Stages between the one that makes a beat and the output register.
const STAGES: usize = LATENCY - 2;

/// Maximum number of orders in the queue, as a power of 2.
const QUEUE_LOG2: u32 = 5;

/// Number of bytes in the queue at which egress stops accepting orders.
const QUEUE_BYTES: u32 = 16 * 1024;

/// The input ports during one clock. The `cfg_*` ports are set by [`Clocked::set_csr`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Synchronous reset.
    pub rst: bool,
    /// `now`: ticks.
    pub now: u32,
    /// `s_axis_reply`: an ACK or NACK of a connection.
    pub reply: Option<(u32, Reply)>,
    /// `s_axis_order`: a data packet of a connection.
    pub order: Option<(u32, Order)>,
    /// `s_axis_passed`: packets of a connection need not be sent any more; always accepted.
    pub passed: Option<(u32, Passed)>,
    /// `s_axis_read`: payload of the orders that have any.
    pub read: Option<Beat>,
    /// `s_axis_bypass`: frames of other software.
    pub bypass: Option<Beat>,
    /// `s_axis_peer`: the NIC at the other end of a connection.
    pub peer: Option<(u32, Peer)>,
    /// `m_axis_net_tready`
    pub net_ready: bool,
}

/// The output ports during one clock. All are registers or functions of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// `s_axis_reply_tready`
    pub reply_ready: bool,
    /// `s_axis_order_tready`
    pub order_ready: bool,
    /// `s_axis_read_tready`
    pub read_ready: bool,
    /// `s_axis_bypass_tready`
    pub bypass_ready: bool,
    /// `s_axis_peer_tready`
    pub peer_ready: bool,
    /// `m_axis_net`
    pub net: Offer<Beat>,
    /// `stat_*`
    pub counters: Counters,
}

/// Source of the word of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pull {
    Nothing,
    Read,
    Other,
}

/// The action of a clock: a beat, unless egress discards words; and which store loses a word.
#[derive(Clone, Copy, Debug)]
struct Step {
    beat: Option<Beat>,
    pull: Pull,
}

/// An order with its read data.
#[derive(Clone, Copy, Debug)]
struct Joined {
    order: Order,
    peer: Peer,
    packet: Option<Packet>,
    /// The packet no longer needs to leave.
    past: bool,
}

/// Source of the next frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Reply,
    Order,
    /// An order that is discarded.
    Nothing,
    Other,
}

/// The actions of the pipeline in a clock.
#[derive(Default)]
struct Moved {
    /// The word of read data that the beat before this one left over.
    read: bool,
    /// The word of other software that leaves as this beat.
    other: bool,
    /// Source of the next frame, if one was chosen.
    source: Option<Source>,
}

/// `weft_egress`, clock for clock.
#[derive(Clone, Debug)]
pub struct Clocked {
    params: SackParams,
    /// PSNs of a window.
    psns: u32,
    csr: EgressCsr,
    peers: Vec<Peer>,
    /// A peer that was accepted and is written in this clock.
    taken: Option<(u32, Peer)>,
    /// The next peer that the sweep after reset clears; `connections` after the sweep (rule 1).
    sweep: u32,
    replies: Intake<Reply>,
    /// Orders that wait, above all for their read data.
    queue: Fifo<(u32, Order)>,
    /// Bytes of these orders.
    queue_bytes: u32,
    orders: Intake<Order>,
    /// Packets of each connection that need not be sent any more (rule 12); and a word of the last clock.
    passed: Vec<Option<Passed>>,
    passing: Option<(u32, Passed)>,
    joined: Option<Joined>,
    reads: Reads,
    others: Others,
    /// Orders and frames of other software take turns: the next turn is that of an order.
    order_turn: bool,
    /// The rest of the frame that is being made.
    steps: VecDeque<Step>,
    /// The previous beat uses a word of read data, or a word is discarded: the word leaves when the pipeline
    /// advances.
    reading: bool,
    /// Beats in the pipeline, the youngest first.
    stages: [Option<Beat>; STAGES],
    skid: Skid<Beat>,
    change: Change,
    outputs: Outputs,
}

impl Clocked {
    /// A block in its first clock after one with `rst`.
    pub fn new(params: SackParams, csr: EgressCsr) -> Self {
        Self::with_psns(params, SackParams::WINDOW, csr)
    }

    /// [`Self::new`], with a window of `psns`.
    pub fn with_psns(params: SackParams, psns: u32, csr: EgressCsr) -> Self {
        Self {
            params,
            psns,
            csr,
            peers: vec![Peer::default(); params.connections as usize],
            taken: None,
            sweep: 0,
            replies: Intake::new(),
            queue: Fifo::new(QUEUE_LOG2),
            queue_bytes: 0,
            orders: Intake::new(),
            passed: vec![None; params.connections as usize],
            passing: None,
            joined: None,
            reads: Reads::new(),
            others: Others::new(),
            order_turn: false,
            steps: VecDeque::new(),
            reading: false,
            stages: [None; STAGES],
            skid: Skid::default(),
            change: Change::default(),
            outputs: Outputs { read_ready: true, bypass_ready: true, ..Outputs::default() },
        }
    }

    /// Sets the `cfg_*` ports. CSRs must not change while egress makes a frame.
    pub fn set_csr(&mut self, csr: EgressCsr) {
        self.csr = csr;
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
        let swept = self.sweep == self.params.connections;
        let taken = inputs.peer.filter(|_| self.outputs.peer_ready);
        let written = std::mem::replace(&mut self.taken, taken).map(|(connection, peer)| {
            self.peers[connection as usize] = peer;
            connection
        });
        let Outputs { reply_ready, order_ready, net, .. } = self.outputs;

        // Rule 4: an order enters the next stage when it has its read data and the previous order has left.
        let packet = self.reads.packets.offered();
        let joins = self
            .orders
            .waiting
            .filter(|(_, order, _)| self.joined.is_none() && (order.bytes == 0 || packet.is_some()));
        let Moved { read, other, source } = self.advance(inputs);
        let order_out = matches!(source, Some(Source::Order | Source::Nothing));
        let events = Events {
            reply_in: reply_ready && inputs.reply.is_some(),
            order_in: order_ready && inputs.order.is_some(),
            reply_out: source == Some(Source::Reply),
            order_out,
            begins: source.is_some_and(|source| source != Source::Nothing),
            sent: net.valid && inputs.net_ready && net.word.last,
        };
        self.change.clock(inputs.peer.is_some() && swept, &events);

        if order_out {
            self.joined = None;
        }
        let mut found = false;
        if let Some((id, order, peer)) = joins {
            let packet = packet.filter(|_| order.bytes > 0);
            found = packet.is_some();
            let past =
                packet.is_some() && self.passed[id as usize].is_some_and(|it| it.has(order.psn, self.psns));
            self.joined = Some(Joined { order, peer, packet, past });
        }
        if let Some((connection, passed)) = self.passing {
            self.passed[connection as usize] = Some(passed);
        }
        self.passing = inputs.passed.filter(|_| swept);
        self.reads.clock(inputs.read.as_ref(), read, found);
        let overflow = self.others.clock(inputs.bypass.as_ref(), other);
        let overflows = &mut self.outputs.counters.bypass_overflows;
        *overflows = overflows.wrapping_add(overflow.into());
        let reply = inputs.reply.filter(|_| swept);
        self.replies.clock(reply, &self.peers, written, source == Some(Source::Reply));
        let (queued, moves) = (self.queue.offered(), !self.orders.stands());
        self.orders.clock(queued, &self.peers, written, joins.is_some());
        let order = inputs.order.filter(|_| order_ready);
        let bytes = |order: Option<(u32, Order)>| order.map_or(0, |(_, order)| u32::from(order.bytes));
        self.queue_bytes = self.queue_bytes + bytes(order) - bytes(queued.filter(|_| moves));
        self.queue.clock(order, true, false, moves);
        self.sweep += u32::from(!swept);

        let swept = self.sweep == self.params.connections;
        self.outputs.peer_ready = self.change.ready();
        self.outputs.reply_ready = swept && !self.replies.stands();
        self.outputs.order_ready =
            swept && self.queue.level() < 1 << QUEUE_LOG2 && self.queue_bytes < QUEUE_BYTES;
        self.outputs.read_ready = self.reads.ready();
        self.outputs.bypass_ready = self.others.ready();
    }

    /// Moves the pipeline, if it runs.
    fn advance(&mut self, inputs: &Inputs) -> Moved {
        let run = self.skid.run();
        self.skid.clock(self.stages[STAGES - 1], inputs.net_ready);
        self.outputs.net = Offer { valid: self.skid.offers(), id: 0, word: self.skid.word() };
        if !run {
            return Moved::default();
        }
        let step = self.steps.pop_front();
        self.stages.copy_within(0..STAGES - 1, 1);
        self.stages[0] = step.and_then(|step| step.beat);
        let source = if self.steps.is_empty() { self.choose(inputs.now as u16) } else { None };
        let pull = step.map_or(Pull::Nothing, |step| step.pull);
        let read = std::mem::replace(&mut self.reading, pull == Pull::Read);
        Moved { read, other: pull == Pull::Other, source }
    }

    /// The next frame: replies first, orders and frames of other software in turn (rule 3). `stamp` is the
    /// time of this clock (rule 6).
    fn choose(&mut self, stamp: u16) -> Option<Source> {
        let count = |counter: &mut u32| *counter = counter.wrapping_add(1);
        let counters = &mut self.outputs.counters;
        let bit = |waits: bool| Bits::truncated(waits.into());
        let next = turn::turn::<Concrete>(
            bit(self.replies.waiting.is_some()),
            bit(self.joined.is_some()),
            bit(self.others.some()),
            bit(self.order_turn),
        );
        self.order_turn = next.order_next.decide();
        if let Some((_, reply, peer)) = self.replies.waiting {
            count(if reply.nack { &mut counters.nack_frames } else { &mut counters.ack_frames });
            let bytes = step::reply(&self.csr, &peer, &reply, self.psns);
            self.steps = Beat::frame(&bytes)
                .into_iter()
                .map(|beat| Step { beat: Some(beat), pull: Pull::Nothing })
                .collect();
            return Some(Source::Reply);
        }
        if let Some(Joined { order, peer, packet, past }) = self.joined.filter(|_| next.order.decide()) {
            let words = usize::from(order.bytes).div_ceil(Beat::BYTES);
            let mut payload = Vec::new();
            if let Some(packet) = packet {
                payload = self.reads.begin();
                // Rule 5.
                let wrong = sound::wrong::<Concrete>(
                    &Stored {
                        words: Bits::truncated(packet.words as u128),
                        bytes: Bits::truncated(packet.bytes as u128),
                        bad: bit(packet.bad),
                    },
                    Bits::truncated(order.bytes.into()),
                )
                .decide();
                if wrong {
                    count(&mut counters.read_errors);
                }
                if wrong || past {
                    self.steps = (0..packet.words).map(|_| Step { beat: None, pull: Pull::Read }).collect();
                    return Some(Source::Nothing);
                }
            }
            payload.truncate(order.bytes.into());
            count(&mut counters.data_frames);
            counters.data_bytes = counters.data_bytes.wrapping_add(order.bytes.into());
            let bytes = step::data(&self.csr, &peer, &order, stamp, &payload);
            // The first beat has only header bytes; each further beat uses a word of payload while there is
            // one.
            self.steps = Beat::frame(&bytes)
                .into_iter()
                .enumerate()
                .map(|(i, beat)| Step {
                    beat: Some(beat),
                    pull: if (1..=words).contains(&i) { Pull::Read } else { Pull::Nothing },
                })
                .collect();
            return Some(Source::Order);
        }
        if next.other.decide() {
            count(&mut counters.bypass_frames);
            self.steps = self
                .others
                .begin()
                .into_iter()
                .map(|beat| Step { beat: Some(beat), pull: Pull::Other })
                .collect();
            return Some(Source::Other);
        }
        None
    }
}
