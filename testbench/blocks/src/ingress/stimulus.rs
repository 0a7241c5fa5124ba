//! Frames sent to the block with pauses, streams accepted with pauses, and a record of all words that left.

use super::frames::{Frame, Frames, Mix};
use super::identity::Identity;
use super::oracle::{Drop, Fate, fate};
use super::ports::Inputs;
use std::collections::VecDeque;
use weft_nic::block::ingress::{Outputs, Peer, Stats};
use weft_nic::words::{Acknowledgement, Arrival, ArrivalKind, Beat};
use weft_params::{IngressCsr, SackParams};
use weft_random::Rng;

/// Clocks of one kind of traffic.
const PHASE: u64 = 1500;

/// Settings of a run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Mix of the frames. `None`: all mixes in turns.
    pub mix: Option<Mix>,
    /// Frames to send.
    pub frames: u64,
    /// Pauses between and in frames.
    pub pauses: bool,
    /// Streams that stall.
    pub pressure: bool,
    /// Peers that change, and resets.
    pub unrest: bool,
}

/// Eighths of the clocks in which an input or output is active.
#[derive(Clone, Copy, Debug)]
struct Rates {
    net: u32,
    ready: [u32; 4],
    peers: u32,
}

/// Drives the block and records the words that enter and leave.
#[derive(Clone, Debug)]
pub struct Traffic {
    plan: Plan,
    /// PSNs of a window.
    psns: u32,
    rng: Rng,
    frames: Frames,
    csr: IngressCsr,
    mix: Mix,
    rates: Rates,
    peers: Vec<Peer>,
    peers_to_set: VecDeque<(u32, Peer)>,
    identity: Identity,
    beats: VecDeque<Beat>,
    /// Clocks so far, and clocks since the last word was sent.
    cycle: u64,
    quiet: u64,
    /// The counters.
    stats: Stats,
    /// Frames that entered.
    pub sent: Vec<Frame>,
    /// Words of the sent frames.
    pub words_sent: u64,
    /// Arrivals that left.
    pub arrivals: Vec<(u32, Arrival)>,
    /// Payloads that left whole.
    pub payloads: Vec<Vec<u8>>,
    /// Acknowledgements that left.
    pub acknowledgements: Vec<(u32, Acknowledgement)>,
    /// Frames of other software that left whole.
    pub bypassed: Vec<Frame>,
    /// Clocks in which a bypass word or an arrival left: the first, the last, and their number.
    pub busy: Option<(u64, u64, u64)>,
    payload: Vec<u8>,
    frame: Vec<u8>,
}

impl Traffic {
    /// Traffic for a block of `connections` connections.
    pub fn new(seed: u64, connections: u32, plan: Plan) -> Self {
        let frames = Frames::new(seed ^ 0xF4A3, connections);
        let peers: Vec<_> = (0..connections).map(|id| frames.peer(id)).collect();
        let peers_to_set = (0..).zip(peers.iter().copied()).collect();
        Self {
            plan,
            psns: SackParams::WINDOW,
            rng: Rng::new(seed),
            csr: frames.csr(),
            frames,
            mix: plan.mix.unwrap_or(Mix::All),
            rates: Rates { net: 8, ready: [8; 4], peers: 2 },
            peers,
            peers_to_set,
            identity: Identity::new(connections),
            beats: VecDeque::new(),
            cycle: 0,
            quiet: 0,
            stats: Stats::default(),
            sent: Vec::new(),
            words_sent: 0,
            arrivals: Vec::new(),
            payloads: Vec::new(),
            acknowledgements: Vec::new(),
            bypassed: Vec::new(),
            busy: None,
            payload: Vec::new(),
            frame: Vec::new(),
        }
    }

    /// The same, for a window of `psns`.
    pub fn with_psns(self, psns: u32) -> Self {
        Self { psns, ..self }
    }

    /// Like [`Self::new`], with no connection open.
    pub fn closed(seed: u64, connections: u32, plan: Plan) -> Self {
        let mut traffic = Self::new(seed, connections, plan);
        traffic.peers.fill(Peer::default());
        traffic.peers_to_set.clear();
        traffic
    }

    /// Registers of the run.
    pub fn csr(&self) -> &IngressCsr {
        &self.csr
    }

    /// The counters before the last clock.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Words that closed a connection.
    pub fn closes(&self) -> u64 {
        self.identity.closes
    }

    /// Fault of the words that left. The bytes are checked once all words have left.
    pub fn complaint(&self) -> Option<String> {
        let verify = || self.verify(&self.stats).err().filter(|_| self.done() && !self.plan.unrest);
        self.identity.complaint.clone().or_else(verify)
    }

    /// Whether all frames were sent and have left.
    pub fn done(&self) -> bool {
        self.quiet > 3000
    }

    /// Inputs of the next clock.
    pub fn drive(&mut self, outputs: &Outputs) -> Inputs {
        let cycle = self.cycle;
        self.cycle += 1;
        self.stats = outputs.stats;
        if cycle.is_multiple_of(PHASE) {
            self.change();
        }
        let mut inputs = Inputs { noise: self.rng.draw(), ..Inputs::default() };
        let ports = &mut inputs.ports;
        ports.rst = cycle == 0 || (self.plan.unrest && self.rng.below(5_000) == 0);
        if ports.rst {
            self.identity.reset();
        }
        if ports.rst && cycle > 0 {
            // For a while no connection is opened again.
            self.peers_to_set.clear();
            self.rates.peers = 0;
        }
        let done = self.sent.len() as u64 == self.plan.frames && self.beats.is_empty();
        self.quiet = if done { self.quiet + 1 } else { 0 };
        let mut ready = self.rates.ready.map(|rate| done || self.rng.below(8) < rate);
        if ports.rst {
            ready = [false; 4];
        }
        [ports.arrival_ready, ports.payload_ready, ports.acknowledgement_ready, ports.bypass_ready] = ready;
        if !ports.rst {
            if self.plan.unrest && self.peers_to_set.is_empty() && self.rng.below(8) < self.rates.peers {
                self.peers_to_set.push_back(self.frames.any_peer());
            }
            ports.peer = self.peers_to_set.front().copied();
            if let Some((connection, peer)) = ports.peer.filter(|_| outputs.peer_ready) {
                self.identity.peer(connection, peer.open);
                self.peers_to_set.pop_front();
            }
            let set = self.peers_to_set.is_empty() || self.plan.unrest;
            if set && self.rng.below(8) < self.rates.net {
                ports.net = self.word();
            }
        }
        if !inputs.ports.rst && cycle > 0 {
            self.take(cycle, outputs, ready);
        }
        inputs
    }

    fn word(&mut self) -> Option<Beat> {
        if self.beats.is_empty() && (self.sent.len() as u64) < self.plan.frames {
            let frame = self.frames.frame(self.mix);
            let mut beats: VecDeque<_> = Beat::frame(&frame.bytes).into();
            if let Some(last) = beats.back_mut() {
                last.bad = frame.bad;
                // Bytes that are not enabled are noise.
                let kept = last.keep.count_ones() as usize;
                for at in kept..Beat::BYTES {
                    last.data[at / 8] |= (self.rng.draw() & 0xFF) << (8 * (at % 8));
                }
            }
            self.words_sent += beats.len() as u64;
            self.beats = beats;
            self.sent.push(frame);
        }
        self.beats.pop_front()
    }

    fn change(&mut self) {
        let Plan { mix, pauses, pressure, unrest, .. } = self.plan;
        let mut one = |of: [u32; 6]| of[self.rng.below(6) as usize];
        self.rates.net = if pauses { one([8, 8, 7, 4, 2, 8]) } else { 8 };
        for ready in &mut self.rates.ready {
            *ready = if pressure { one([8, 8, 7, 4, 1, 0]) } else { 8 };
        }
        if unrest {
            self.rates.peers = one([0, 1, 1, 2, 2, 8]);
        }
        let other = Mix::ALL[self.rng.below(6) as usize];
        self.mix = mix.unwrap_or(if self.rng.below(2) == 0 { Mix::All } else { other });
        // The queue of acknowledgements is long: it overflows only if the sender accepts none for a while.
        if pressure && self.mix == Mix::Answers && self.rng.below(2) == 0 {
            self.rates.net = 8;
            self.rates.ready[2] = 0;
        }
    }

    /// Records the words that leave in this clock.
    fn take(&mut self, cycle: u64, outputs: &Outputs, ready: [bool; 4]) {
        let [arrival, payload, acknowledgement, bypass] = ready;
        let arrival = outputs.arrival.get().filter(|_| arrival);
        let bypass = outputs.bypass.get().filter(|_| bypass);
        if arrival.is_some() || bypass.is_some() {
            let (first, _, count) = self.busy.unwrap_or((cycle, cycle, 0));
            self.busy = Some((first, cycle, count + 1));
        }
        let acknowledgement = outputs.acknowledgement.get().filter(|_| acknowledgement);
        if let Some((connection, word)) = arrival {
            self.identity.arrival(connection, word.bytes);
        }
        if let Some((connection, _)) = acknowledgement {
            self.identity.acknowledgement(connection);
        }
        self.arrivals.extend(arrival);
        self.acknowledgements.extend(acknowledgement);
        if let Some((_, beat)) = outputs.payload.get().filter(|_| payload) {
            self.payload.extend(beat.bytes());
            if beat.last {
                self.identity.payload();
                self.payloads.push(std::mem::take(&mut self.payload));
            }
        }
        if let Some((_, beat)) = bypass {
            self.frame.extend(beat.bytes());
            if beat.last {
                self.bypassed.push(Frame { bytes: std::mem::take(&mut self.frame), bad: beat.bad });
            }
        }
    }

    /// Compares all words that left, and the counters, with the oracle, in the order of the frames (rule 10).
    /// Frames may be missing only as a whole, and only if they are counted as overflows (rule 8).
    pub fn verify(&self, stats: &Stats) -> Result<Stats, String> {
        let mut tally = Stats::default();
        let connections = self.peers.len();
        let (mut arrivals, mut payloads) = (self.arrivals.iter().peekable(), self.payloads.iter());
        let mut acknowledgements = self.acknowledgements.iter().peekable();
        let mut bypassed = self.bypassed.iter().peekable();
        for (number, frame) in self.sent.iter().enumerate() {
            let fate = fate(&self.csr, &self.peers, frame, self.psns);
            let fault = |what: &str| {
                format!("frame {number} of {connections} connections, {what}: {frame:02x?}, {fate:?}")
            };
            match &fate {
                Fate::Dropped(cause) => *counter(&mut tally, *cause) += 1,
                Fate::Bypass if bypassed.next_if_eq(&frame).is_some() => tally.bypassed += 1,
                Fate::Bypass => tally.bypass_overflows += 1,
                Fate::Acknowledgement(id, said) if acknowledgements.next_if_eq(&&(*id, *said)).is_some() => {
                    *(if said.nack { &mut tally.nacks } else { &mut tally.acks }) += 1;
                }
                Fate::Arrival(id, said, payload) if arrivals.next_if_eq(&&(*id, *said)).is_some() => {
                    match said.kind {
                        ArrivalKind::Data => tally.data += 1,
                        ArrivalKind::Probe => tally.probes += 1,
                        _ => tally.trims += 1,
                    }
                    if !payload.is_empty() && payloads.next() != Some(payload) {
                        return Err(fault("wrong payload"));
                    }
                }
                _ => tally.overflows += 1,
            }
        }
        if let Some(extra) = arrivals.next() {
            return Err(format!("an arrival that nothing accounts for: {extra:?}"));
        }
        if let Some(extra) = acknowledgements.next() {
            return Err(format!("an acknowledgement that nothing accounts for: {extra:?}"));
        }
        if let Some(extra) = bypassed.next() {
            return Err(format!("a bypassed frame that nothing accounts for: {extra:02x?}"));
        }
        if payloads.next().is_some() || !self.payload.is_empty() || !self.frame.is_empty() {
            return Err("payload or bypass words that nothing accounts for".into());
        }
        if *stats == tally { Ok(tally) } else { Err(format!("counters {stats:?}, expected {tally:?}")) }
    }
}

fn counter(stats: &mut Stats, cause: Drop) -> &mut u32 {
    match cause {
        Drop::Mac => &mut stats.mac_errors,
        Drop::Malformed => &mut stats.malformed,
        Drop::Checksum => &mut stats.checksum_errors,
        Drop::Icrc => &mut stats.icrc_errors,
        Drop::Unknown => &mut stats.unknown_connections,
        Drop::Stranger => &mut stats.wrong_peers,
        Drop::Vlan => &mut stats.wrong_vlans,
        Drop::Partition => &mut stats.wrong_pkeys,
    }
}
