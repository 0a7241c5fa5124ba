//! The clocked view: the ports of `weft_ingress` and their values on every clock.
//!
//! The RTL spreads a frame over many stages. This model collects the frame, decides it as a whole when its
//! last word has arrived, and delays the results. The co-simulation shows that both are the same on every
//! port and clock.

use super::close::{Close, Events};
use super::state::{Cause, Packet, Peer, Stats, Verdict};
use super::step::{self, Room, admit, judge_in, meet};
use crate::part::fifo::Fifo;
use crate::words::{Acknowledgement, Arrival, Beat, Offer};
use std::collections::VecDeque;
use weft_params::{IngressCsr, SackParams};
use weft_word::{Bits, Concrete, Word};

/// Clocks from the acceptance of a frame's last word to the first offer of the frame's contents.
pub const LATENCY: usize = 20;
/// Latency of a frame of other software.
pub const BYPASS_LATENCY: usize = 8;

/// Clocks between a word's leaving and the arrival of its results in the queues.
const STAGES: usize = 15;
/// Stage that looks up the connection's peer.
const LOOKUP: usize = 1;
/// Stage in which the bypass reads the word.
const BYPASS: usize = 3;
/// Queues of words, of arrivals and of acknowledgements: log2 of their places.
const WORDS: u32 = 9;
const ARRIVALS: u32 = 6;
const ACKNOWLEDGEMENTS: u32 = 9;

/// The input ports during one clock. The `cfg_*` ports are set by [`Clocked::set_csr`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Synchronous reset.
    pub rst: bool,
    /// `s_axis_net`: always accepted.
    pub net: Option<Beat>,
    /// `s_axis_peer`: a connection and its peer.
    pub peer: Option<(u32, Peer)>,
    /// `m_axis_arrival_tready`
    pub arrival_ready: bool,
    /// `m_axis_payload_tready`
    pub payload_ready: bool,
    /// `m_axis_acknowledgement_tready`
    pub acknowledgement_ready: bool,
    /// `m_axis_bypass_tready`
    pub bypass_ready: bool,
}

/// The output ports during one clock. All are registers or functions of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// `s_axis_peer_tready`
    pub peer_ready: bool,
    /// `m_axis_arrival`
    pub arrival: Offer<Arrival>,
    /// `m_axis_payload`
    pub payload: Offer<Beat>,
    /// `m_axis_acknowledgement`
    pub acknowledgement: Offer<Acknowledgement>,
    /// `m_axis_bypass`
    pub bypass: Offer<Beat>,
    /// `stat_*`
    pub stats: Stats,
}

/// The results of a word that left.
#[derive(Clone, Copy, Debug, Default)]
struct Travelling {
    /// The word itself, for the bypass.
    beat: Option<Beat>,
    /// A word of payload, if the frame is data.
    payload: Option<Beat>,
    /// With the last word: the verdict on the frame.
    verdict: Option<Verdict>,
}

/// `weft_ingress`, clock for clock.
#[derive(Clone, Debug)]
pub struct Clocked {
    params: SackParams,
    /// PSNs of a window.
    psns: u32,
    csr: IngressCsr,
    peers: Vec<Peer>,
    /// Connections that the sweep after reset has closed (rule 11).
    swept: u32,
    /// The word that arrived last.
    newest: Option<Beat>,
    /// The word before the newest one. The word leaves when the next word of its frame has arrived, or at
    /// once if it is the last.
    older: Option<Beat>,
    /// The part of the older word's frame that has arrived.
    frame: Vec<u8>,
    /// Words of this frame that have left.
    left: usize,
    /// The youngest first.
    stages: VecDeque<Travelling>,
    /// A word of the frame's payload found no space; or a word of the frame itself in the bypass.
    lost: bool,
    bypass_lost: bool,
    arrivals: Fifo<(u32, Arrival)>,
    payloads: Fifo<Beat>,
    acknowledgements: Fifo<(u32, Acknowledgement)>,
    bypass: Fifo<Beat>,
    close: Close,
    outputs: Outputs,
}

impl Clocked {
    /// A block in its first clock after one with `rst`.
    pub fn new(params: SackParams, csr: IngressCsr) -> Self {
        Self::with_psns(params, SackParams::WINDOW, csr)
    }

    /// [`Self::new`], with a window of `psns`.
    pub fn with_psns(params: SackParams, psns: u32, csr: IngressCsr) -> Self {
        Self {
            params,
            psns,
            csr,
            peers: vec![Peer::default(); params.connections as usize],
            swept: 0,
            newest: None,
            older: None,
            frame: Vec::new(),
            left: 0,
            stages: VecDeque::from([Travelling::default(); STAGES]),
            lost: false,
            bypass_lost: false,
            arrivals: Fifo::new(ARRIVALS),
            payloads: Fifo::new(WORDS),
            acknowledgements: Fifo::new(ACKNOWLEDGEMENTS),
            bypass: Fifo::new(WORDS),
            close: Close::default(),
            outputs: Outputs::default(),
        }
    }

    /// Sets the `cfg_*` ports. CSRs must not change while a frame is in the pipeline.
    pub fn set_csr(&mut self, csr: IngressCsr) {
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
        // Rule 12: a word counts while it is offered, also before it is accepted.
        let offered = inputs.peer.filter(|_| self.swept == self.params.connections);
        if let Some((connection, peer)) = offered {
            self.peers[connection as usize] = peer;
        }
        let mut events = Events { looked_up: self.stages[LOOKUP].verdict.is_some(), ..Events::default() };
        self.swept = self.params.connections.min(self.swept + 1);
        self.lookup();
        let entering = self.leave();
        self.stages.push_front(entering);
        if let Some(arriving) = self.stages.pop_back() {
            self.store(&arriving, inputs, &mut events);
        }
        self.pass(self.stages[BYPASS], inputs.bypass_ready);
        self.close.clock(offered.map(|(_, peer)| peer.open), &events);
        self.older = self.newest.or(self.older.filter(|_| entering.beat.is_none()));
        self.newest = inputs.net;
        self.offer();
    }

    /// The word that leaves, and its results. The model makes a word of payload from the leaving word and the
    /// next two words; the last bytes need only the first of these two. A frame's last word has its verdict.
    fn leave(&mut self) -> Travelling {
        let ends = self.older.is_some_and(|beat| beat.last);
        let next = self.newest.filter(|_| !ends);
        self.frame.extend(next.iter().flat_map(Beat::bytes));
        let Some(beat) = self.older.filter(|_| ends || next.is_some()) else {
            if self.older.is_none() {
                self.begin();
            }
            return Travelling::default();
        };
        let payload = self.left.checked_sub(1).and_then(|index| self.payload(index));
        let verdict =
            ends.then(|| judge_in(&self.csr, self.params.connections, self.psns, &self.frame, beat.bad));
        self.left += 1;
        if ends {
            self.begin();
        }
        Travelling { beat: Some(beat), payload, verdict }
    }

    /// The newest word is a frame's first.
    fn begin(&mut self) {
        self.left = 0;
        self.frame.clear();
        self.frame.extend(self.newest.iter().flat_map(Beat::bytes));
    }

    /// Word `index` of the payload.
    fn payload(&self, index: usize) -> Option<Beat> {
        let all = step::payload(&self.csr, &self.frame)?;
        let start = all.start + Beat::BYTES * index;
        let end = all.end.min(start + Beat::BYTES);
        let beat = Beat::frame(self.frame.get(start..end)?).pop()?;
        Some(Beat { last: end == all.end, ..beat })
    }

    /// Rules 7 and 12: a packet reads the present peer of its connection.
    fn lookup(&mut self) {
        let verdict = &mut self.stages[LOOKUP].verdict;
        *verdict = verdict.map(|verdict| meet(verdict, |connection| self.peers[connection as usize]));
    }

    /// Rules 8 and 10: the results enter the queues in the order of the frames' last words, if the queues
    /// have space.
    fn store(&mut self, arriving: &Travelling, inputs: &Inputs, events: &mut Events) {
        let full = |level: usize, places: u32| level == 1 << places;
        self.lost |= arriving.payload.is_some() && full(self.payloads.level(), WORDS);
        let arrival_room = !full(self.arrivals.level(), ARRIVALS);
        let acknowledgement_room = !full(self.acknowledgements.level(), ACKNOWLEDGEMENTS);
        let stats = &mut self.outputs.stats;
        let (mut arrival, mut acknowledgement, mut keep_payload) = (None, None, false);
        let counter = match arriving.verdict {
            None | Some(Verdict::Foreign) => None,
            Some(Verdict::Dropped(cause)) => Some(stats.dropped(cause)),
            Some(Verdict::Sound { connection, packet, .. }) => {
                let bit = |bit: bool| Bits::<1>::truncated(bit.into());
                let room = Room {
                    arrival: bit(arrival_room),
                    payload: bit(!self.lost),
                    acknowledgement: bit(acknowledgement_room),
                };
                let entry = admit::<Concrete>(Bits::truncated(packet.kind() as u128), Bits::default(), &room);
                let connection = connection.unwrap_or_default();
                match packet {
                    Packet::Arrival(word) => arrival = entry.arrival.decide().then_some((connection, word)),
                    Packet::Acknowledgement(word) => {
                        acknowledgement = entry.acknowledgement.decide().then_some((connection, word));
                    }
                }
                keep_payload = entry.payload.decide();
                Some(match Cause::of(entry.cause) {
                    None => stats.accepted(&packet),
                    Some(cause) => stats.dropped(cause),
                })
            }
        };
        if let Some(counter) = counter {
            *counter = counter.wrapping_add(1);
        }
        let ends = arriving.verdict.is_some();
        events.judged = ends;
        events.arrival_in = arrival.is_some();
        events.payload_in = arrival.is_some_and(|(_, word)| word.bytes > 0);
        events.acknowledgement_in = acknowledgement.is_some();
        events.arrival_out = self.arrivals.offered().is_some() && inputs.arrival_ready;
        let paid = self.payloads.offered().filter(|_| inputs.payload_ready);
        events.payload_out = paid.is_some_and(|beat| beat.last);
        events.acknowledgement_out =
            self.acknowledgements.offered().is_some() && inputs.acknowledgement_ready;
        self.arrivals.clock(arrival, true, false, inputs.arrival_ready);
        self.acknowledgements.clock(acknowledgement, true, false, inputs.acknowledgement_ready);
        self.payloads.clock(arriving.payload, keep_payload, ends && !keep_payload, inputs.payload_ready);
        self.lost &= !ends;
    }

    /// The travelling word reaches the bypass, in which frames of other software are unchanged, if there is
    /// space (rules 2 and 8).
    fn pass(&mut self, travelling: Travelling, ready: bool) {
        self.bypass_lost |= travelling.beat.is_some() && self.bypass.level() == 1 << WORDS;
        let ends = travelling.verdict.is_some();
        let foreign = matches!(travelling.verdict, Some(Verdict::Foreign));
        let keep = foreign && !self.bypass_lost;
        let stats = &mut self.outputs.stats;
        let counter = if keep { &mut stats.bypassed } else { &mut stats.bypass_overflows };
        *counter = counter.wrapping_add(foreign.into());
        self.bypass.clock(travelling.beat, keep, ends && !keep, ready);
        self.bypass_lost &= !ends;
    }

    fn offer(&mut self) {
        fn of<T: Copy + Default>(fifo: &Fifo<T>) -> Offer<T> {
            Offer { valid: fifo.offered().is_some(), id: 0, word: fifo.word() }
        }
        fn with_id<T: Copy + Default>(fifo: &Fifo<(u32, T)>) -> Offer<T> {
            let (id, word) = fifo.word();
            Offer { valid: fifo.offered().is_some(), id, word }
        }
        self.outputs.peer_ready = self.close.ready();
        self.outputs.arrival = with_id(&self.arrivals);
        self.outputs.payload = of(&self.payloads);
        self.outputs.acknowledgement = with_id(&self.acknowledgements);
        self.outputs.bypass = of(&self.bypass);
    }
}
