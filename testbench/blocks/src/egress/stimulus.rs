//! Stimulus of `weft_egress`: orders with their read data, replies, frames of other software, peers.

use std::collections::VecDeque;
use weft_nic::block::egress::{Inputs, Outputs, Peer};
use weft_nic::words::{Beat, Listed, Order, Passed, Reply};
use weft_params::{EgressCsr, SackParams};
use weft_random::Rng;

/// Changes of peers during traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peers {
    /// Peers do not change.
    Still,
    /// Peers change at any time. No frame is offered for a connection whose peer is being changed.
    Careful,
    /// Peers change at any time, with any offers.
    Careless,
}

/// Load of the streams: clocks of 8 in which a word is offered or accepted; 8 fills the bus.
#[derive(Clone, Copy, Debug)]
pub struct Traffic {
    /// Replies.
    pub replies: u32,
    /// Orders.
    pub orders: u32,
    /// Read data.
    pub reads: u32,
    /// Frames of other software.
    pub others: u32,
    /// Acceptance by the net.
    pub net: u32,
    /// Maximum number of bytes of a payload.
    pub payload: u32,
    /// One packet of read data in this many does not fit its order; 0: all packets fit.
    pub errors: u32,
    /// Clocks in 256 with a word about packets that no longer need to leave.
    pub passes: u32,
    /// Changes of peers.
    pub peers: Peers,
}

impl Traffic {
    /// Random traffic.
    pub fn random(rng: &mut Rng) -> Self {
        let rate = |rng: &mut Rng| [0, 1, 4, 7, 8, 8][rng.below(6) as usize];
        Self {
            // At full rate, one stream uses all turns.
            replies: [0, 0, 1, 2, 8][rng.below(5) as usize],
            orders: rate(rng),
            reads: rate(rng).max(1),
            others: rate(rng),
            net: rate(rng).max(1),
            payload: [0, 46, 64, 300, 300, 2_000, 8_192][rng.below(7) as usize],
            errors: [0, 0, 4, 50][rng.below(4) as usize],
            passes: [0, 4, 4, 40][rng.below(4) as usize],
            peers: [Peers::Still, Peers::Careful, Peers::Careless][rng.below(3) as usize],
        }
    }
}

/// A packet of read data, and whether it fits its order.
#[derive(Clone, Debug)]
pub struct Packet {
    /// Words of the packet.
    pub beats: Vec<Beat>,
    /// The read data fits the order.
    pub right: bool,
}

/// A random word of 64 bytes.
fn word(rng: &mut Rng) -> [u64; 8] {
    std::array::from_fn(|_| rng.draw())
}

/// `bytes` bytes in words; bytes of the words beyond them are random.
pub fn beats(rng: &mut Rng, bytes: usize) -> Vec<Beat> {
    let count = bytes.div_ceil(Beat::BYTES);
    (1..=count)
        .map(|i| {
            let kept = (bytes - Beat::BYTES * (i - 1)).min(Beat::BYTES);
            Beat { data: word(rng), keep: u64::MAX >> (64 - kept), last: i == count, ..Beat::default() }
        })
        .collect()
}

/// CSRs with random values.
pub fn any_csr(rng: &mut Rng) -> EgressCsr {
    EgressCsr {
        mac: rng.draw() >> 16,
        ipv4: rng.draw() as u32,
        ipv6: u128::from(rng.draw()) << 64 | u128::from(rng.draw()),
        hop_limit: rng.draw() as u8,
        dscp_data: rng.below(64) as u8,
        dscp_again: rng.below(64) as u8,
        dscp_control: rng.below(64) as u8,
    }
}

/// A random peer.
pub fn any_peer(rng: &mut Rng, csr: &EgressCsr) -> Peer {
    let v6 = rng.below(2) == 0;
    let address = u128::from(rng.draw()) << 64 | u128::from(rng.draw());
    let mut peer = Peer {
        v6,
        address: if v6 { address } else { address & 0xFFFF_FFFF },
        mac: rng.draw() >> 16,
        tagged: rng.below(2) == 0,
        tag: rng.draw() as u16,
        qp: rng.below(1 << 24),
        pkey: rng.draw() as u16,
    };
    if !v6 && rng.below(2) == 0 {
        peer.address = carrying(csr, peer.address as u32).into();
    }
    peer
}

/// The address with another low half, for which the header checksum of an ACK needs two carries. This is
/// rare.
fn carrying(csr: &EgressCsr, address: u32) -> u32 {
    let tos = u32::from(csr.dscp_control) << 2;
    let length = 108;
    let words = [
        0x4500 | tos,
        length,
        0x4000,
        u32::from(csr.hop_limit) << 8 | 17,
        csr.ipv4 >> 16,
        csr.ipv4 & 0xFFFF,
        address >> 16,
    ];
    let low = 0xFFFF_u32.wrapping_sub(words.iter().sum()) & 0xFFFF;
    address & 0xFFFF_0000 | low
}

/// A random reply.
pub fn any_reply(rng: &mut Rng) -> Reply {
    let cumulative = rng.below(1 << 24);
    let reply = Reply {
        nack: rng.below(3) == 0,
        cumulative,
        psn: cumulative.wrapping_add(rng.below(512)).wrapping_sub(128) & 0xFF_FFFF,
        bitmap: std::array::from_fn(|_| rng.draw()),
        ce: rng.below(2) == 0,
        ev: rng.draw() as u16,
        stamp: rng.draw() as u16,
        out_of_order: rng.draw() as u8,
        received: rng.below(1 << 24),
        messages: rng.below(1 << 24),
        reason: rng.draw() as u8,
        probe: rng.below(2) == 0,
        ..Reply::default()
    };
    reply.with_list(any_list(rng))
}

/// List of an ACK, often empty. A place without an entry contains 0.
fn any_list(rng: &mut Rng) -> Listed {
    let there = if rng.below(2) == 0 { 0 } else { rng.draw() as u16 };
    let mut evs = [0; Listed::MOST];
    for (at, ev) in evs.iter_mut().enumerate().filter(|(at, _)| there >> at & 1 == 1) {
        *ev = rng.draw() as u16 ^ at as u16;
    }
    Listed { there, marked: 0, evs }
}

/// An order of `bytes` bytes.
pub fn any_order(rng: &mut Rng, bytes: u16) -> Order {
    Order {
        psn: rng.below(1 << 24),
        ev: rng.draw() as u16,
        again: rng.below(2) == 0,
        last: rng.below(2) == 0,
        solicited: rng.below(2) == 0,
        request: rng.below(2) == 0,
        address: rng.draw(),
        key: rng.draw() as u32,
        bytes,
        immediate: rng.draw() as u32,
        message: rng.draw() as u16,
    }
}

/// Read data of an order.
pub fn any_packet(rng: &mut Rng, bytes: u16, errors: u32) -> Packet {
    let mut beats = beats(rng, bytes.into());
    // Read data longer than the block's maximum is never right.
    let mut right = bytes <= 8_192;
    if errors > 0 && rng.below(errors) == 0 {
        right = false;
        let wanted = beats.len();
        match rng.below(6) {
            0 => beats[wanted - 1].bad = true,
            3 => {
                // Bytes are missing at the end, possibly all.
                let last = &mut beats[wanted - 1].keep;
                *last = last.checked_shr(1 + rng.below(last.count_ones())).unwrap_or(0);
            }
            4 => {
                // Otherwise bytes are missing before the end: the first one, or a random one.
                let last = &mut beats[wanted - 1].keep;
                let at = if *last >> 1 & 1 == 0 { 0 } else { rng.below(last.count_ones() - 1) };
                *last = (*last | *last << 1) & !(1 << at);
            }
            5 if wanted > 1 => {
                let word = rng.below(wanted as u32 - 1) as usize;
                let keep = &mut beats[word].keep;
                *keep =
                    if rng.below(2) == 0 { *keep >> (1 + rng.below(63)) } else { *keep ^ 1 << rng.below(64) };
            }
            1 if wanted > 1 => beats.truncate(1 + rng.below(wanted as u32 - 1) as usize),
            _ => {
                let more = [1, 2, 5, 200][rng.below(4) as usize];
                beats.extend((0..more).map(|_| Beat { keep: u64::MAX, ..Beat::default() }));
            }
        }
        let count = beats.len();
        beats.iter_mut().enumerate().for_each(|(i, beat)| beat.last = i + 1 == count);
    } else if rng.below(2) == 0
        && let Some(last) = beats.last_mut()
    {
        // A host may fill the last word.
        last.keep = u64::MAX >> rng.below(last.keep.leading_zeros() + 1);
    }
    Packet { beats, right }
}

/// Offered words, and the state behind them.
#[derive(Debug)]
pub struct Streams {
    rng: Rng,
    /// PSNs of a window.
    pub psns: u32,
    connections: u32,
    /// The CSRs.
    pub csr: EgressCsr,
    /// Load of the streams.
    pub traffic: Traffic,
    /// Time in ticks.
    pub now: u32,
    reply: Option<(u32, Reply)>,
    order: Option<(u32, Order)>,
    peer: Option<(u32, Peer)>,
    /// Read data of orders that were offered.
    reads: VecDeque<Beat>,
    read: Option<Beat>,
    others: VecDeque<Beat>,
    other: Option<Beat>,
    /// Read data of the order that is offered.
    packet: Option<Packet>,
    /// Recent orders: connection and PSN.
    ordered: VecDeque<(u32, u32)>,
    /// Payload sizes to use before random ones.
    pub sizes: VecDeque<u16>,
    /// Length of the first frame of other software, if it is not random.
    first: Option<u32>,
}

/// Transfers of a clock.
#[derive(Clone, Debug, Default)]
pub struct Accepted {
    /// An accepted reply.
    pub reply: Option<(u32, Reply)>,
    /// An accepted order and its read data, if it requests any.
    pub order: Option<(u32, Order, Option<Packet>)>,
    /// An accepted word of other software.
    pub other: Option<Beat>,
    /// A peer that is offered.
    pub offered: Option<(u32, Peer)>,
    /// An accepted peer.
    pub peer: Option<(u32, Peer)>,
    /// An accepted word about packets that no longer need to leave.
    pub passed: Option<(u32, Passed)>,
    /// The last word of a packet of read data was accepted.
    pub whole: bool,
    /// A beat that left.
    pub sent: Option<Beat>,
}

impl Streams {
    /// Streams of a block with `connections` connections.
    pub fn new(seed: u64, connections: u32) -> Self {
        let mut rng = Rng::new(seed);
        let traffic = Traffic::random(&mut rng);
        // The longest frame possible, in every second run.
        let first = (rng.below(2) == 0).then_some(64 * 256);
        Self {
            first,
            csr: any_csr(&mut rng),
            psns: SackParams::WINDOW,
            rng,
            connections,
            traffic,
            now: 0,
            reply: None,
            order: None,
            peer: None,
            reads: VecDeque::new(),
            read: None,
            others: VecDeque::new(),
            other: None,
            packet: None,
            ordered: VecDeque::new(),
            sizes: VecDeque::new(),
        }
    }

    /// The generator.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// Whether no word is offered and no read data is pending.
    pub fn idle(&self) -> bool {
        self.reply.is_none()
            && self.order.is_none()
            && self.peer.is_none()
            && self.reads.is_empty()
            && self.read.is_none()
            && self.others.is_empty()
            && self.other.is_none()
    }

    /// Offers the peer of a connection.
    pub fn set_peer(&mut self, connection: u32, peer: Peer) {
        self.peer = Some((connection, peer));
    }

    fn size(&mut self) -> u16 {
        if let Some(size) = self.sizes.pop_front() {
            return size;
        }
        match self.rng.below(8) {
            0 => 0,
            // A byte less in odd ticks: 8,192 and 8,191 bytes are one byte less than may wait.
            1 => self.traffic.payload.saturating_sub(self.now & 1) as u16,
            2 if self.traffic.errors > 0 && self.rng.below(16) == 0 => 8_193 + self.rng.below(2_000) as u16,
            _ => self.rng.below(self.traffic.payload + 1) as u16,
        }
    }

    /// Queues a frame of other software.
    fn frame(&mut self) {
        let any = match self.rng.below(32) {
            0 => 64 * (255 + self.rng.below(3)),
            1..4 => 1_518,
            4..16 => 1 + self.rng.below(64),
            _ => 1 + self.rng.below(300),
        };
        let length = self.first.take().unwrap_or(any);
        let mut frame = beats(&mut self.rng, length as usize);
        if let Some(last) = frame.last_mut() {
            last.bad = self.rng.below(8) == 0;
        }
        self.others.extend(frame);
    }

    /// Connection of the next reply or order.
    fn connection(&mut self) -> u32 {
        let connection = self.rng.below(self.connections);
        let changes = self.peer.filter(|(id, _)| *id == connection && self.traffic.peers != Peers::Careless);
        if changes.is_some() { (connection + 1) % self.connections } else { connection }
    }

    fn now_and_then(&mut self, rate: u32) -> bool {
        self.rng.below(8) < rate
    }

    /// A word about packets that no longer need to leave. Its limit is often just before or just behind a
    /// recent order.
    fn passed(&mut self) -> Option<(u32, Passed)> {
        if self.rng.below(256) >= self.traffic.passes {
            return None;
        }
        let at = self.rng.below(40) as usize;
        let any = (self.rng.below(self.connections), self.rng.below(1 << 24));
        let (connection, psn) = self.ordered.get(at).copied().unwrap_or(any);
        let half = self.psns.max(512);
        let any = self.rng.below(2 * half);
        let una = psn.wrapping_add([0, 1, half - 1, half, half + 1, any][self.rng.below(6) as usize]);
        Some((connection, Passed { una: (una % (2 * half)) as u16, ended: self.rng.below(4) == 0 }))
    }

    /// Inputs of the next clock. An offered word stays until it is accepted.
    pub fn drive(&mut self) -> Inputs {
        let traffic = self.traffic;
        if self.reply.is_none() && self.now_and_then(traffic.replies) {
            let (connection, mut reply) = (self.connection(), any_reply(&mut self.rng));
            if self.psns > SackParams::WINDOW && self.rng.below(2) == 0 {
                reply.psn = (reply.cumulative + 1 + self.rng.below(self.psns + 40)) & 0xFF_FFFF;
            }
            self.reply = Some((connection, reply));
        }
        if self.order.is_none() && self.reads.len() < 1_000 && self.now_and_then(traffic.orders) {
            let bytes = self.size();
            let (connection, order) = (self.connection(), any_order(&mut self.rng, bytes));
            self.order = Some((connection, order));
            self.ordered.push_front((connection, order.psn));
            self.ordered.truncate(40);
            self.packet = (bytes > 0).then(|| any_packet(&mut self.rng, bytes, traffic.errors));
            self.reads.extend(self.packet.iter().flat_map(|packet| &packet.beats));
        }
        if self.read.is_none() && self.now_and_then(traffic.reads) {
            self.read = self.reads.pop_front();
        }
        if self.others.is_empty() && self.rng.below(8) < traffic.others {
            self.frame();
        }
        if self.other.is_none() && self.now_and_then(traffic.others.max(4)) {
            self.other = self.others.pop_front();
        }
        if traffic.peers != Peers::Still && self.peer.is_none() && self.rng.below(8) == 0 {
            let peer = any_peer(&mut self.rng, &self.csr);
            let connection = self.rng.below(self.connections);
            let speak = [self.reply.map(|(id, _)| id), self.order.map(|(id, _)| id)];
            if traffic.peers == Peers::Careless || !speak.contains(&Some(connection)) {
                self.peer = Some((connection, peer));
            }
        }
        Inputs {
            rst: false,
            now: self.now,
            reply: self.reply,
            order: self.order,
            passed: self.passed(),
            read: self.read,
            bypass: self.other,
            peer: self.peer,
            net_ready: self.now_and_then(traffic.net),
        }
    }

    /// Transfers of the clock for a block with these outputs.
    pub fn accept(&mut self, inputs: &Inputs, outputs: &Outputs) -> Accepted {
        self.now = self.now.wrapping_add(u32::from(self.rng.below(4) == 0));
        let read = self.read.take_if(|_| outputs.read_ready);
        let order = self.order.take_if(|_| outputs.order_ready);
        Accepted {
            reply: self.reply.take_if(|_| outputs.reply_ready),
            order: order.map(|(connection, order)| (connection, order, self.packet.take())),
            other: self.other.take_if(|_| outputs.bypass_ready),
            offered: self.peer,
            peer: self.peer.take_if(|_| outputs.peer_ready),
            passed: inputs.passed,
            whole: read.is_some_and(|read| read.last),
            sent: Some(outputs.net.word).filter(|_| outputs.net.valid && inputs.net_ready),
        }
    }
}
