//! Senders for the receiver: packets lost, duplicated, trimmed, out of order, outside their region; streams
//! with idle clocks and back-pressure; and an [`Oracle`] if the senders follow the protocol.

use super::oracle::Oracle;
use super::tally::Tally;
use std::collections::VecDeque;
use weft_nic::block::receiver::{Bar, Control, Inputs, Outputs};
use weft_nic::words::{Arrival, ArrivalKind, Beat};
use weft_params::{ReceiverCsr, SackParams, SackRxCsr};
use weft_random::Rng;

/// Messages that a sender may have outstanding.
const MESSAGES: u32 = 16;
/// Clocks of a segment, from one reset to the next. In the last part of a segment no new packet arrives.
const SEGMENT: u64 = 30_000;
const QUIET: u64 = 8_000;
/// Clocks of a tick.
const TICK: u64 = 8;

/// A packet that has not been acknowledged.
#[derive(Clone, Debug)]
struct Packet {
    arrival: Arrival,
    sent: bool,
}

/// One peer.
#[derive(Clone, Debug, Default)]
struct Sender {
    control: Option<Control>,
    /// First PSN that is not acknowledged, and the packets from it on.
    una: u32,
    packets: VecDeque<Packet>,
    /// Message that is being cut, its remaining packets, and whether it is reported.
    message: u32,
    to_go: u32,
    solicited: bool,
    /// Messages acknowledged.
    done: u32,
}

/// Parameters of a segment.
#[derive(Clone, Copy, Debug, Default)]
struct Mood {
    active: u32,
    /// Active clocks of 256 for each stream.
    arrivals: u32,
    payload: u32,
    replies: u32,
    writes: u32,
    received: u32,
    /// Maximum number of packets of a message.
    packets: u32,
    /// Maximum number of bytes of a packet.
    bytes: u32,
    /// Maximum number of packets by which a packet is out of order.
    spread: u32,
    /// One packet in this many is lost, trimmed, duplicated or denied.
    trouble: u32,
    /// Mean clocks between long stalls of an output.
    stalls: u32,
    /// Mean clocks between changes of a connection's treatment.
    bars: u32,
}

/// Drives the block and checks its outputs.
#[derive(Debug)]
pub struct Traffic {
    rng: Rng,
    /// PSNs that a sender may have outstanding.
    psns: u32,
    connections: u32,
    /// Senders keep to the window and to their messages.
    obedient: bool,
    senders: Vec<Sender>,
    mood: Mood,
    csr: ReceiverCsr,
    /// Clock of the segment.
    at: u64,
    time: u32,
    ev: u16,
    arrival: Option<(u32, Arrival, Vec<u8>)>,
    beats: VecDeque<Beat>,
    payload: Option<Beat>,
    control: Option<(u32, Control)>,
    /// Number of clocks during which the word is offered.
    offered: u64,
    /// Connection whose packet may still be in the first stage. `None` before the sweep is over.
    first_stage: Option<Option<u32>>,
    /// Clocks for which each output stalls, and the generator of stalls.
    stalled: [u32; 4],
    stalls: Rng,
    oracle: Oracle,
    total: Tally,
}

impl Traffic {
    /// Senders for `connections` connections. Only obedient senders have an oracle.
    pub fn new(connections: u32, seed: u64, obedient: bool) -> Self {
        Self::with_psns(connections, SackParams::WINDOW, seed, obedient)
    }

    /// The same, for a window of `psns`.
    pub fn with_psns(connections: u32, psns: u32, seed: u64, obedient: bool) -> Self {
        Self {
            rng: Rng::new(seed),
            psns,
            connections,
            obedient,
            senders: Vec::new(),
            mood: Mood::default(),
            csr: ReceiverCsr::default(),
            at: SEGMENT,
            time: 0,
            ev: 0,
            arrival: None,
            beats: VecDeque::new(),
            payload: None,
            control: None,
            offered: 0,
            first_stage: None,
            stalled: [0; 4],
            stalls: Rng::new(!seed),
            oracle: Oracle::new(connections, psns, ReceiverCsr::default()),
            total: Tally::default(),
        }
    }

    /// Counts so far.
    pub fn tally(&self) -> Tally {
        self.total.and(&self.oracle.tally)
    }

    /// Registers of the segment.
    pub fn csr(&self) -> &ReceiverCsr {
        &self.csr
    }

    /// First fault found.
    pub fn complaint(&self) -> Option<&str> {
        self.oracle.complaint.as_deref()
    }

    /// Inputs of a clock. `outputs` are those before its edge.
    pub fn drive(&mut self, outputs: &Outputs) -> Inputs {
        if self.at == SEGMENT {
            return self.restart();
        }
        self.at += 1;
        if self.at.is_multiple_of(TICK) {
            self.time = self.time.wrapping_add(1);
        }
        let quiet = self.at > SEGMENT - QUIET;
        if !quiet {
            self.stimulate();
        }
        if self.payload.is_none() && (quiet || self.rng.below(256) < self.mood.payload) {
            self.payload = self.beats.pop_front();
        }
        let mood = self.mood;
        let bar = if quiet { None } else { self.a_bar() };
        let inputs = Inputs {
            rst: false,
            bar,
            breach_ready: quiet || self.ready(3, mood.received.max(60)),
            now: self.time,
            arrival: self.arrival.as_ref().map(|&(id, arrival, _)| (id, arrival)),
            payload: self.payload,
            control: self.control,
            reply_ready: quiet || self.ready(0, mood.replies),
            write_ready: quiet || self.ready(1, mood.writes),
            received_ready: quiet || self.ready(2, mood.received),
        };
        self.accept(outputs, &inputs);
        if self.obedient && self.at == SEGMENT {
            self.oracle.end();
        }
        inputs
    }

    /// Whether an output accepts a word, with a chance of `often` in 256.
    fn ready(&mut self, output: usize, often: u32) -> bool {
        if self.stalled[output] == 0 && self.stalls.below(self.mood.stalls) == 0 {
            self.stalled[output] = 1 + self.stalls.below(2_000);
        }
        let stalled = self.stalled[output] > 0;
        self.stalled[output] = self.stalled[output].saturating_sub(1);
        !stalled && self.rng.below(256) < often
    }

    fn restart(&mut self) -> Inputs {
        let rng = &mut self.rng;
        let pick = |rng: &mut Rng, list: &[u32]| list[rng.below(list.len() as u32) as usize];
        let active = pick(rng, &[1, 2, 4, 30, self.connections]).min(self.connections);
        self.mood = Mood {
            active,
            arrivals: pick(rng, &[256, 256, 128, 20]),
            payload: pick(rng, &[256, 256, 200, 60]),
            replies: pick(rng, &[256, 256, 200, 20]),
            writes: pick(rng, &[256, 256, 200, 60]),
            received: pick(rng, &[256, 256, 128, 5]),
            packets: pick(rng, &[1, 1, 3, 20]),
            bytes: pick(rng, &[0, 64, 130, 1_100, 8_192]),
            spread: pick(rng, &[0, 3, 20, self.psns - 1]),
            trouble: pick(rng, &[4, 20, 1_000]),
            stalls: pick(&mut self.stalls, &[u32::MAX, u32::MAX, 20_000]),
            bars: pick(&mut self.stalls, &[u32::MAX, u32::MAX, 20_000, 2_000]),
        };
        self.csr = ReceiverCsr {
            sack: SackRxCsr {
                ack_packets: pick(rng, &[1, 1, 2, 8, 255]),
                ack_bytes: pick(rng, &[0, 0, 16_384, 65_535]),
            },
            ack_timeout_ticks: pick(rng, &[0, 1, 20, 125]) as u16,
        };
        self.time = pick(rng, &[0, 0xFFFF_FF00, 0x00FF_FF80, 0xFF80]);
        self.at = 0;
        self.total = self.tally();
        let complaint = self.oracle.complaint.take();
        self.oracle = Oracle::new(self.connections, self.psns, self.csr);
        self.oracle.complaint = complaint;
        self.senders = vec![Sender::default(); self.connections as usize];
        (self.arrival, self.payload, self.control) = (None, None, None);
        self.first_stage = None;
        self.stalled = [0; 4];
        self.beats.clear();
        Inputs { rst: true, ..Inputs::default() }
    }

    /// Offers a new word on every stream without an offered word.
    fn stimulate(&mut self) {
        let id = self.rng.below(self.mood.active);
        let there = |offered: Option<u32>| offered == Some(id);
        if self.control.is_none() && !there(self.arrival.as_ref().map(|it| it.0)) {
            let open = self.senders[id as usize].control.is_some();
            if self.rng.below(if open { 4_000 } else { 4 }) == 0 {
                let control = self.a_control(open);
                (self.control, self.offered) = (Some((id, control)), 0);
            }
        }
        if self.arrival.is_none() && self.rng.below(256) < self.mood.arrivals {
            let id = self.rng.below(self.mood.active);
            if self.obedient && self.control.is_some_and(|it| it.0 == id) {
                return;
            }
            if let Some(arrival) = self.an_arrival(id) {
                let bytes = match arrival.kind {
                    ArrivalKind::Data => (0..arrival.bytes).map(|_| self.rng.draw() as u8).collect(),
                    _ => Vec::new(),
                };
                self.beats.extend(Beat::frame(&bytes));
                self.arrival = Some((id, arrival, bytes));
            }
        }
    }

    /// Changes the treatment of a connection's packets, at a time when the first affected packet is known.
    fn a_bar(&mut self) -> Option<(u32, Bar)> {
        let first_stage = self.first_stage?;
        let id = self.stalls.below(self.mood.active);
        if self.stalls.below(self.mood.bars) > 0 || first_stage == Some(id) {
            return None;
        }
        let word = [0, 0, 0, 1, 1, 2, 3][self.stalls.below(7) as usize];
        let bar = Bar { held: word & 1 != 0, failed: word & 2 != 0 };
        self.oracle.bar(id, bar);
        Some((id, bar))
    }

    fn a_control(&mut self, open: bool) -> Control {
        let rng = &mut self.rng;
        let length = [0, 1, 100, 8_192, 20_000, 1 << 20, u32::MAX][rng.below(7) as usize];
        let base = match rng.below(4) {
            0 => 0u64.wrapping_sub(u64::from(length / 2)),
            1 => 0,
            2 => 0u64.wrapping_sub(length.into()),
            _ => rng.draw(),
        };
        Control {
            open: !open || rng.below(2) == 0,
            psn: if rng.below(4) == 0 { 0xFF_FF80 + rng.below(128) } else { rng.below(1 << 24) },
            base,
            length,
            key: rng.draw() as u32,
        }
    }

    fn an_arrival(&mut self, id: u32) -> Option<Arrival> {
        let mood = self.mood;
        let Some(control) = self.senders[id as usize].control else {
            let closed = Control { length: 1 << 16, ..Control::default() };
            return (self.rng.below(8) == 0).then(|| self.a_packet(&closed));
        };
        let expected = self.oracle.expected(id).unwrap_or_default();
        let trouble = self.rng.below(mood.trouble) == 0;
        let psn_of = |psn: u32| psn & 0xFF_FFFF;
        let kind = if trouble { self.rng.below(9) } else { 9 };
        let mut arrival = match kind {
            // A packet outside the window.
            0 if self.obedient => {
                let psn = expected.wrapping_add(self.psns + self.rng.below(1 << 20));
                Arrival { psn: psn_of(psn), ..self.a_packet(&control) }
            }
            0 => {
                let far =
                    [self.rng.below(1 << 24), self.rng.below(self.psns + 144), 0x7F_FFFF + self.rng.below(3)];
                let psn = expected.wrapping_add(far[self.rng.below(3) as usize]);
                Arrival { psn: psn_of(psn), message: self.rng.draw() as u16, ..self.a_packet(&control) }
            }
            1 => {
                let psn = self.senders[id as usize].una.wrapping_sub(1 + self.rng.below(300));
                Arrival { psn: psn_of(psn), ..self.a_packet(&control) }
            }
            2 => Arrival { kind: ArrivalKind::Probe, ..self.a_packet(&control) },
            3 => Arrival { kind: ArrivalKind::None, ..self.a_packet(&control) },
            _ => self.of_window(id, &control, kind)?,
        };
        // The oracle identifies replies by the entropy value.
        self.ev = self.ev.wrapping_add(0x9E37);
        arrival.ev = self.ev;
        arrival.stamp = self.rng.draw() as u16;
        arrival.ce = self.rng.below(50) == 0;
        arrival.request = self.rng.below(50) == 0;
        Some(arrival)
    }

    /// One of the sender's outstanding packets, or its next packet.
    fn of_window(&mut self, id: u32, control: &Control, kind: u32) -> Option<Arrival> {
        let spread = self.rng.below(self.mood.spread + 1) as usize;
        let first = self.senders[id as usize].packets.iter().position(|packet| !packet.sent);
        let first = first.unwrap_or(self.senders[id as usize].packets.len());
        let at = if kind == 8 { self.rng.below(self.psns) as usize } else { first + spread };
        while self.senders[id as usize].packets.len() <= at.min(self.psns as usize - 1) {
            if !self.cut(id, control) {
                break;
            }
        }
        let sender = &mut self.senders[id as usize];
        let at = at.min(sender.packets.len().checked_sub(1)?);
        let packet = &mut sender.packets[at];
        // A packet sent before is repeated rarely.
        if packet.sent && self.rng.below(8) > 0 {
            return None;
        }
        let mut arrival = packet.arrival;
        match kind {
            4 => {
                let last_hop = self.rng.below(2) == 0;
                arrival = Arrival { kind: ArrivalKind::Trimmed, last_hop, bytes: 0, ..arrival };
            }
            5 => arrival.key ^= 1 << self.rng.below(32),
            6 => {
                let beyond =
                    u64::from(control.length) + 1 - u64::from(arrival.bytes).min(control.length.into());
                let ahead = [beyond, u64::MAX, 1 << 32, 1 << 63][self.rng.below(4) as usize];
                arrival.address = control.base.wrapping_add(ahead);
            }
            7 => {} // Lost: the next time.
            _ => packet.sent = true,
        }
        (kind != 7).then_some(arrival)
    }

    /// Makes the sender's next packet, if the sender may have one more outstanding.
    fn cut(&mut self, id: u32, control: &Control) -> bool {
        let mut arrival = self.a_packet(control);
        let sender = &mut self.senders[id as usize];
        if sender.to_go == 0 {
            if self.obedient && sender.message >= sender.done + MESSAGES {
                return false;
            }
            sender.to_go = 1 + self.rng.below(self.mood.packets);
            sender.solicited = self.rng.below(4) > 0;
        }
        sender.to_go -= 1;
        arrival.psn = sender.una.wrapping_add(sender.packets.len() as u32) & 0xFF_FFFF;
        arrival.message = sender.message as u16;
        arrival.solicited = sender.solicited;
        arrival.last = sender.to_go == 0;
        arrival.immediate = if arrival.last { self.rng.draw() as u32 } else { 0 };
        sender.message += u32::from(arrival.last);
        sender.packets.push_back(Packet { arrival, sent: false });
        true
    }

    /// A packet somewhere in the region, often at its edges.
    fn a_packet(&mut self, control: &Control) -> Arrival {
        let rng = &mut self.rng;
        let most = self.mood.bytes.min(control.length);
        let bytes = match rng.below(4) {
            0 => most,
            1 => most.min(64 * rng.below(4)),
            _ => rng.below(most + 1),
        };
        let room = control.length - bytes;
        let ahead = [0, room, ((u64::from(rng.draw() as u32) * u64::from(room)) >> 32) as u32];
        Arrival {
            psn: rng.below(1 << 24),
            address: control.base.wrapping_add(ahead[rng.below(3) as usize].into()),
            key: control.key,
            bytes: bytes as u16,
            ..Arrival::default()
        }
    }

    /// Passes the words to the oracle that the next edge accepts.
    fn accept(&mut self, outputs: &Outputs, inputs: &Inputs) {
        // A packet leaves the first stage in a clock in which the stage would accept another.
        if outputs.arrival_ready {
            self.first_stage = Some(self.arrival.as_ref().map(|it| it.0));
        }
        if let Some((id, ())) = outputs.breach.get().filter(|_| inputs.breach_ready) {
            self.oracle.breach(id);
        }
        if outputs.arrival_ready
            && let Some((id, arrival, bytes)) = self.arrival.take()
        {
            self.oracle.arrival(id, arrival, &bytes);
        }
        if outputs.payload_ready {
            self.payload = None;
        }
        self.offered += 1;
        if outputs.control_ready
            && let Some((id, control)) = self.control.take()
        {
            self.oracle.control(id, control);
            self.oracle.tally.closed_late += u64::from(!control.open && self.offered > 200);
            let control = Some(control).filter(|control| control.open);
            let una = control.map_or(0, |control| control.psn);
            self.senders[id as usize] = Sender { control, una, ..Sender::default() };
        }
        if !self.obedient {
            self.oracle.complaint = None;
        }
        self.oracle.outputs(outputs, inputs.reply_ready, inputs.write_ready, inputs.received_ready);
        if let Some((id, reply)) = outputs.reply.get().filter(|_| inputs.reply_ready) {
            let (now, then) = self.oracle.openings(id);
            if now == then || !self.obedient {
                self.senders[id as usize].acknowledged(reply.cumulative);
            }
        }
        if !self.obedient {
            self.oracle.complaint = None;
        }
    }
}

impl Sender {
    fn acknowledged(&mut self, cumulative: u32) {
        let count = cumulative.wrapping_add(1).wrapping_sub(self.una) as usize & 0xFF_FFFF;
        if count <= self.packets.len() {
            self.una = self.una.wrapping_add(count as u32) & 0xFF_FFFF;
            self.done += self.packets.drain(..count).filter(|packet| packet.arrival.last).count() as u32;
        }
    }
}
