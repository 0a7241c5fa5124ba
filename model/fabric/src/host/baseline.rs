//! Hosts of the papers' baselines, in place of the NIC (page `docs/baselines.md`). Every flow is a connection
//! of its own; the receiver answers each packet. Sequence numbers count packets.
//!
//! * [`rate`], `loss`: DCQCN with go-back-N or IRN;
//! * `window`, `rule`: the window of the REPS papers, and Swift; `bbr`; `credits`: EQDS; `split`: a flow in parts;
//! * `paths`: REPS and spraying; `choosers`: PLB, flowlets, BitMap, MP-RDMA's and MPTCP's values;
//! * `erasure`: the fixed rate and the ideal recovery of the OFAN paper; [`ways`]: HOST DR, and the rate that
//!   all hosts can have.

mod bbr;
mod bits;
mod choosers;
mod contents;
mod credits;
mod dcqcn;
mod erasure;
mod incoming;
mod loss;
mod paths;
pub mod rate;
mod rule;
pub mod settings;
mod split;
pub mod ways;
mod window;

use super::agenda::Agenda;
use super::ends::{AROUND, Departure};
use super::probe::ProbeCounts;
use super::registers::Transport;
use super::{Endpoint, NEVER, Signal, Told};
use crate::balance::hash;
use crate::engine::Faults;
use crate::flow::{Flow, Table};
use crate::network::Network;
use crate::packet::{CONTROL, ECN, Packet, TRIMMED};
pub use contents::{Answer, Cargo, Hold};
use credits::Credits;
use incoming::Incoming;
use paths::Paths;
use settings::{Baseline, By, Eqds, Paced};
use split::Split;
use std::collections::VecDeque;
use std::sync::Arc;
use ways::{Turns, Ways};
use weft_nic::block::sender::Cause;
use weft_params::{RepsCsr, SmarttCsr};
use weft_switch::schemes;
use weft_switch::topology::Host;

/// The data that all hosts of a run share.
#[derive(Clone, Debug)]
pub struct Shared {
    table: Arc<Table>,
    baseline: Baseline,
    network: Network,
    mtu: u32,
    /// The time from the end of a flow to the start of the next one at another host.
    signal_ps: u64,
    /// A BDP of the longest path, in packets.
    bdp_packets: u32,
    /// The block that chooses entropy values.
    reps: RepsCsr,
    /// The part of a host's rate with which it sends.
    share: f64,
    ways: Ways,
    /// The registers of SMaRTT and its tick, if it limits the packets in flight.
    smartt: Option<(SmarttCsr, u64)>,
}

/// Flows whose packets all have one entropy value. For switches each of these flows is a separate connection.
pub(crate) fn connections(seed: u64, flows: &[Flow]) -> Vec<schemes::Flow> {
    let of = |(number, flow): (u32, &Flow)| schemes::Flow {
        source: Host(flow.source),
        destination: Host(flow.destination),
        port: paths::value(seed, number),
    };
    (0..).zip(flows).map(of).collect()
}

impl Shared {
    /// The baseline for a network with the failures `faults`.
    pub fn new(
        network: &Network,
        table: Table,
        (hosts, baseline): (&Transport, Baseline),
        faults: &Faults,
    ) -> Self {
        let mtu = hosts.mtu;
        let ways = Ways::new(network, faults);
        let share = match &baseline {
            Baseline::Paced(Paced { share, .. }) => share.unwrap_or_else(|| ways.most(&table)),
            _ => 1.0,
        };
        let bdp_bytes = network.base_rtt_ps(mtu) * u64::from(network.tiers[0].gbps) / 8_000;
        let bdp_packets = (bdp_bytes / u64::from(mtu)).max(1) as u32;
        let reps = paths::registers(network, hosts, bdp_packets, baseline.rto_us());
        Self {
            table: Arc::new(table),
            baseline,
            network: network.clone(),
            mtu,
            signal_ps: network.wiring().delays_ps().1,
            bdp_packets,
            reps: RepsCsr { mode: baseline.ev_mode(hosts.ev_mode), ..reps },
            share,
            ways,
            smartt: hosts.cap(network).expect("a plan has asked"),
        }
    }

    fn packets(&self, flow: u32) -> u32 {
        self.table.flows[flow as usize].bytes.div_ceil(self.mtu.into()) as u32
    }

    /// Payload of a packet of a flow; a packet beyond the flow's last has the payload of the first.
    fn payload(&self, flow: u32, number: u32) -> u32 {
        let (all, mtu) = (self.table.flows[flow as usize].bytes, u64::from(self.mtu));
        let left = all.saturating_sub(u64::from(number) * mtu);
        if left > 0 { left.min(mtu) as u32 } else { all.min(mtu) as u32 }
    }

    fn sender(&self, flow: u32) -> Box<dyn Sender> {
        let packets = self.packets(flow);
        let one = |packets: u32, parts: u32| -> Box<dyn Sender> {
            match &self.baseline {
                Baseline::Dcqcn(settings) => Box::new(dcqcn::Flow::new(settings, self, (flow, packets))),
                Baseline::Dctcp(settings) => Box::new(window::Flow::dctcp(settings, self, packets, parts)),
                Baseline::Swift(settings) => Box::new(window::Flow::swift(settings, self, packets, parts)),
                Baseline::Bbr(settings) => Box::new(window::Flow::bbr(settings, self, (flow, packets))),
                Baseline::Eqds(settings) => Box::new(window::Flow::eqds(settings, self, packets)),
                Baseline::Paced(settings) => Box::new(erasure::Flow::new(settings, packets)),
            }
        };
        match self.baseline.paths().name {
            By::Mptcp => {
                let part = |packets| one(packets, choosers::PARTS);
                Box::new(Split::new(packets, choosers::part(packets), part))
            }
            _ => one(packets, 1),
        }
    }

    /// EQDS: packets of a flow that leave without credit.
    fn first_packets(&self) -> u32 {
        let Baseline::Eqds(Eqds { first_bdp, .. }) = &self.baseline else { return 0 };
        (first_bdp * f64::from(self.bdp_packets)).max(1.0) as u32
    }
}

/// The sender of a flow.
trait Sender: Send {
    /// The time at which the next packet may leave, if one may leave.
    fn ready_ps(&mut self, now_ps: u64) -> Option<u64>;
    /// Sends the next packet. `wire_bytes` gives its time on the wire in bytes. Returns the packet's number
    /// and, if it left before, the detection of its loss.
    fn send(&mut self, now_ps: u64, wire_bytes: &dyn Fn(u32) -> u32) -> (u32, Option<Cause>);
    /// Handles an answer.
    fn answer(&mut self, answer: &Answer, now_ps: u64);
    /// Handles a credit: the receiver permits one more packet.
    fn credit(&mut self, _now_ps: u64) {}
    /// The time at which the sender detects the next loss.
    fn due(&self) -> u64;
    /// Handles the loss that is detected at the time of `due`.
    fn expire(&mut self, now_ps: u64);
    /// Whether all packets have arrived.
    fn is_done(&self) -> bool;
}

/// A flow that this host sends.
struct Outgoing {
    flow: u32,
    place: usize,
    hash: u32,
    sender: Box<dyn Sender>,
}

/// The host.
pub struct BaselineHost {
    number: u32,
    shared: Arc<Shared>,
    agenda: Agenda,
    /// Flows in order of their turns. `turn` is the place of the next.
    outgoing: Vec<Outgoing>,
    turn: usize,
    incoming: Vec<Incoming>,
    answers: VecDeque<Packet>,
    /// Whether the last sent packet was an answer.
    has_answered: bool,
    paths: Paths,
    turns: Turns,
    credits: Credits,
    /// Data of all flows wait until this time.
    free_ps: u64,
    /// The earliest time at which a timeout expires or a packet is ready.
    timer_ps: u64,
    ready_ps: u64,
}

impl BaselineHost {
    /// The host of this number.
    pub fn new(number: u32, shared: &Arc<Shared>) -> Self {
        let agenda = Agenda::new(number, &shared.table, shared.signal_ps);
        Self {
            number,
            shared: Arc::clone(shared),
            outgoing: Vec::new(),
            turn: 0,
            incoming: vec![Incoming::default(); agenda.came.len()],
            agenda,
            answers: VecDeque::new(),
            has_answered: false,
            paths: Paths::new(number, shared),
            turns: Turns::default(),
            credits: Credits::default(),
            free_ps: 0,
            timer_ps: NEVER,
            ready_ps: NEVER,
        }
    }

    /// Handles a data packet.
    fn data(&mut self, desk: &mut Hold, packet: &Packet, (flow, number, sent_ps): (u32, u32, u64)) {
        let now_ps = packet.time_ps;
        let shared = Arc::clone(&self.shared);
        let place = self.agenda.place_came(flow);
        let (all, is_marked) = (shared.packets(flow), packet.flags & ECN != 0);
        let it = &mut self.incoming[place];
        let ends = &mut self.agenda.came[place];
        ends.packets += 1;
        ends.marks += u32::from(is_marked);
        let is_trimmed = packet.flags & TRIMMED != 0;
        ends.trims += u32::from(is_trimmed);
        let before = it.count;
        if matches!(shared.baseline, Baseline::Eqds(_)) {
            // The receiver requests a trimmed packet again.
            let asks = if it.is_known { 0 } else { all.saturating_sub(shared.first_packets()) };
            it.is_known = true;
            self.credits.add((flow, packet.source), asks + u32::from(is_trimmed), now_ps);
        }
        let said = if is_trimmed {
            Some([true, is_marked])
        } else {
            it.take(&shared.baseline, (number, all), is_marked, now_ps)
        };
        if let Some(early) = it.early(&shared.baseline)
            && !is_trimmed
        {
            desk.seen.early(early, now_ps);
        }
        let Some([is_nack, is_marked]) = said else { return };
        let answer = Answer { flow, number, next: it.next, is_nack, is_marked, sent_ps };
        if it.count > before {
            // Under erasure coding any packet replaces the expected one.
            let number = if matches!(shared.baseline, Baseline::Paced(_)) { before } else { number };
            ends.bytes += u64::from(shared.payload(flow, number));
            ends.addresses = ends.addresses.wrapping_add(u64::from(number) % AROUND * u64::from(shared.mtu));
            if it.count == all {
                it.forget();
                self.credits.end(flow);
                self.agenda.received(flow, now_ps);
            }
        }
        let ev = self.turn_of(packet.source, true).unwrap_or(packet.ev);
        self.tell(desk, packet.source, ev, Cargo::Answer(answer));
    }

    /// Queues a control packet for sending.
    fn tell(&mut self, desk: &mut Hold, to: u32, ev: u16, cargo: Cargo) {
        self.answers.push_back(Packet {
            source: self.number,
            destination: to,
            hash: hash::of_flow(self.number, to),
            word: desk.put(cargo),
            ev,
            bytes: self.shared.network.wire.ack_bytes,
            flags: CONTROL,
            ..Packet::default()
        });
    }

    /// EQDS: queues a credit for sending, if it is time. Credits of a flow travel on the flow's own entropy
    /// value.
    fn give(&mut self, desk: &mut Hold, now_ps: u64) {
        let Baseline::Eqds(Eqds { pull_share, .. }) = self.shared.baseline else { return };
        let wire = &self.shared.network.wire;
        let bytes = self.shared.mtu + u32::from(wire.header_bytes) + u32::from(wire.gap_bytes);
        let gbps = f64::from(self.shared.network.line_gbps(self.number)) * pull_share;
        if let Some((flow, to)) = self.credits.next(now_ps, (f64::from(bytes) * 8e3 / gbps) as u64) {
            self.tell(desk, to, paths::value(self.shared.network.seed, flow), Cargo::Credit(flow));
        }
    }

    /// HOST DR: the path of the next packet to a host.
    fn turn_of(&mut self, to: u32, is_answer: bool) -> Option<u16> {
        let rotates = self.shared.baseline.rotates();
        rotates.then(|| self.turns.next(&self.shared.ways, (self.number, to), is_answer))
    }

    /// Handles an answer to a packet with this entropy value.
    fn answer(&mut self, answer: &Answer, ev: u16, now_ps: u64) {
        // An answer to a flow that has ended is late.
        let Some(at) = self.outgoing.iter().position(|it| it.flow == answer.flow) else { return };
        let it = &mut self.outgoing[at];
        it.sender.answer(answer, now_ps);
        self.paths.answer(it.place, ev, answer, now_ps);
        self.timer_ps = self.timer_ps.min(it.sender.due());
        if it.sender.is_done() {
            self.paths.close(it.place, now_ps);
            self.outgoing.remove(at);
            self.turn -= usize::from(at < self.turn);
            self.agenda.acknowledged(answer.flow, now_ps);
        }
    }

    /// Handles all timeouts up to a time.
    fn expire(&mut self, now_ps: u64) {
        if self.timer_ps > now_ps {
            return;
        }
        for it in &mut self.outgoing {
            if it.sender.due() <= now_ps {
                it.sender.expire(now_ps);
                let has_frozen = self.paths.timeout(it.place, now_ps);
                self.agenda.sent[it.place].freezes += u32::from(has_frozen);
            }
        }
        self.timer_ps = self.outgoing.iter().map(|it| it.sender.due()).min().unwrap_or(NEVER);
    }

    /// The next flow in turn among the flows that may send. If no flow may send, the time when the first one
    /// may.
    fn ready(&mut self, now_ps: u64) -> Option<usize> {
        self.ready_ps = NEVER;
        let count = self.outgoing.len();
        for at in 0..count {
            let at = (self.turn + at) % count;
            let ready_ps = self.outgoing[at].sender.ready_ps(now_ps);
            match ready_ps.map(|ready_ps| ready_ps.max(self.free_ps)) {
                Some(ready_ps) if ready_ps <= now_ps => return Some(at),
                ready_ps => self.ready_ps = self.ready_ps.min(ready_ps.unwrap_or(NEVER)),
            }
        }
        None
    }
}

impl From<BaselineHost> for Told {
    fn from(host: BaselineHost) -> Self {
        let played = host.agenda.played();
        let Agenda { sent, came, .. } = host.agenda;
        let (counters, events) = (Vec::new(), Vec::new());
        Self { sent, came, counters, probes: ProbeCounts::default(), played, events }
    }
}

impl Endpoint for BaselineHost {
    type Desk = Hold;
    type Body = Cargo;

    fn holds_ps(&self) -> [u64; 2] {
        [0; 2]
    }

    fn due(&self) -> u64 {
        self.agenda.next_ps().min(self.timer_ps).min(self.ready_ps).min(self.credits.due())
    }

    fn wake(&mut self, desk: &mut Hold, now_ps: u64) {
        self.give(desk, now_ps);
        if self.ready_ps <= now_ps {
            self.ready_ps = NEVER;
        }
        self.expire(now_ps);
        while let Some((flow, place)) = self.agenda.start(now_ps) {
            let sender = self.shared.sender(flow);
            let hash = hash::of_flow(self.number, self.agenda.flow(flow).destination);
            self.paths.open(place, flow, &self.shared, now_ps);
            self.outgoing.push(Outgoing { flow, place, hash, sender });
        }
    }

    #[inline]
    fn fetch(&self, _: &Hold, _: &[Packet]) {}

    #[inline]
    fn fetch_behind(&self, _: &Hold, _: &[Packet]) {}

    fn arrive(&mut self, desk: &mut Hold, packet: &Packet) {
        match *desk.take(packet.word) {
            Cargo::Data { flow, number, sent_ps } => self.data(desk, packet, (flow, number, sent_ps)),
            Cargo::Answer(answer) => {
                if !answer.is_nack {
                    desk.seen.rtt.add(packet.time_ps - answer.sent_ps);
                }
                self.answer(&answer, packet.ev, packet.time_ps);
            }
            Cargo::Credit(flow) => {
                let of_flow = self.outgoing.iter_mut().find(|it| it.flow == flow);
                of_flow.into_iter().for_each(|it| it.sender.credit(packet.time_ps));
            }
        }
    }

    fn poll(&mut self, desk: &mut Hold, now_ps: u64) -> Option<Packet> {
        self.expire(now_ps);
        // Answers go first; in the OFAN paper data and answers in turn.
        let yields = self.has_answered && matches!(self.shared.baseline, Baseline::Paced(_));
        let ready = if self.answers.is_empty() || yields { self.ready(now_ps) } else { None };
        let Some(at) = ready else {
            self.has_answered = true;
            return self.answers.pop_front();
        };
        self.has_answered = false;
        let shared = Arc::clone(&self.shared);
        let it = &mut self.outgoing[at];
        let bytes = |number| shared.payload(it.flow, number) + u32::from(shared.network.wire.header_bytes);
        let on_wire = |number| bytes(number) + u32::from(shared.network.wire.gap_bytes);
        let (number, cause) = it.sender.send(now_ps, &on_wire);
        if shared.share < 1.0 {
            let line = f64::from(shared.network.line_gbps(self.number));
            self.free_ps = now_ps + (f64::from(on_wire(number)) * 8e3 / (line * shared.share)) as u64;
        }
        let bytes = bytes(number) as u16;
        self.timer_ps = self.timer_ps.min(it.sender.due());
        let (flow, place, hash) = (it.flow, it.place, it.hash);
        self.turn = (at + 1) % self.outgoing.len();
        self.agenda.sent[place].freezes += u32::from(self.paths.is_forced(place, now_ps));
        let (ev, choice) = self.paths.send(place, (number, cause), now_ps);
        let choice = if shared.baseline.rotates() { 0 } else { choice };
        self.agenda.sent[place].sends(&Departure { flow, again: cause.is_some(), cause, choice });
        let destination = self.agenda.flow(flow).destination;
        Some(Packet {
            source: self.number,
            destination,
            hash,
            word: desk.put(Cargo::Data { flow, number, sent_ps: now_ps }),
            ev: self.turn_of(destination, false).unwrap_or(ev),
            bytes,
            ..Packet::default()
        })
    }

    fn signals(&mut self) -> &mut Vec<Signal> {
        &mut self.agenda.signals
    }

    fn signal(&mut self, signal: Signal) {
        self.agenda.signal(signal);
    }

    fn expected(&self) -> u32 {
        self.agenda.expected()
    }

    fn finished(&self) -> u32 {
        self.agenda.finished
    }

    fn put(desk: &mut Hold, body: Cargo) -> u32 {
        desk.put(body)
    }

    fn lose(desk: &mut Hold, packet: &Packet) -> Option<u32> {
        match *desk.take(packet.word) {
            Cargo::Data { flow, .. } | Cargo::Answer(Answer { flow, .. }) | Cargo::Credit(flow) => Some(flow),
        }
    }

    fn take(desk: &mut Hold, word: u32) -> Cargo {
        *desk.take(word)
    }
}
