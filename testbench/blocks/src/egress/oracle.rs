//! Frames that `weft_egress` must send: those that `weft-wire` encodes, in the order of each stream.

use super::stimulus::Accepted;
use std::collections::VecDeque;
use std::net::{Ipv4Addr, Ipv6Addr};
use weft_nic::block::egress::{Counters, Peer};
use weft_nic::words::{Beat, Order, Passed, Reply};
use weft_params::{EgressCsr, SackParams};
use weft_wire::headers::{CcState, Evx, Reth, Xeth};
use weft_wire::{Ack, Addresses, Body, Bth, Data, Ecn, Envelope, Nack, Vlan, frame};

fn envelope(csr: &EgressCsr, peer: &Peer, dscp: u8, ecn: Ecn, source_port: u16) -> Envelope {
    let mac = |mac: u64| std::array::from_fn(|i| (mac >> (40 - 8 * i)) as u8);
    let ip = if peer.v6 {
        Addresses::V6 {
            src: Ipv6Addr::from_bits(csr.ipv6),
            dst: Ipv6Addr::from_bits(peer.address),
            flow_label: 0,
        }
    } else {
        Addresses::V4 { src: Ipv4Addr::from_bits(csr.ipv4), dst: Ipv4Addr::from_bits(peer.address as u32) }
    };
    Envelope {
        dst_mac: mac(peer.mac),
        src_mac: mac(csr.mac),
        vlans: [peer.tagged.then_some(Vlan { tpid: 0x8100, tci: peer.tag }), None],
        ip,
        dscp,
        ecn,
        ttl: csr.hop_limit,
        source_port,
    }
}

/// Frame of an order.
pub fn data(csr: &EgressCsr, peer: &Peer, order: &Order, stamp: u16, payload: &[u8]) -> Vec<u8> {
    let dscp = if order.again { csr.dscp_again } else { csr.dscp_data };
    let bth = Bth::data(peer.qp, order.psn)
        .with_p_key(peer.pkey)
        .with_solicited_event(order.solicited)
        .with_ack_request(order.request)
        .with_retransmission(order.again);
    let reth =
        Reth::default().with_va(order.address).with_r_key(order.key).with_dma_length(payload.len() as u32);
    let body = Body::Data(Data {
        reth,
        immediate: order.last.then_some(order.immediate),
        xeth: Xeth::new(stamp, 0, order.message),
        payload,
    });
    frame::encode(&envelope(csr, peer, dscp, Ecn::Ect0, order.ev), bth, &body).expect("short enough")
}

/// Frame of a reply, with a window of `psns`.
pub fn reply(csr: &EgressCsr, peer: &Peer, reply: &Reply, psns: u32) -> Vec<u8> {
    let envelope = envelope(csr, peer, csr.dscp_control, Ecn::NotEct, reply.ev);
    let (bth, body) = if reply.nack {
        let mut nack = Nack::new(reply.psn, reply.reason, reply.ev, reply.stamp);
        nack.aeth = nack.aeth.with_msn(reply.messages);
        nack.neth = nack.neth.with_m(reply.ce.into());
        (Bth::acknowledge(peer.qp, reply.psn).with_p_key(peer.pkey), Body::Nack(nack))
    } else {
        // Rule 13.
        let ahead = reply.psn.wrapping_sub(reply.cumulative).wrapping_sub(1) & 0xFF_FFFF;
        let base = if (256..psns).contains(&ahead) { ahead - 254 } else { 1 };
        let mut ack = Ack::new(reply.cumulative, reply.psn, reply.ev).with_bitmap(reply.bitmap);
        ack = ack.with_window(psns, reply.cumulative.wrapping_add(base));
        ack.aeth = ack.aeth.with_msn(reply.messages);
        ack.seth = ack.seth.with_m(reply.ce.into()).with_probe_reply(reply.probe);
        ack.cc_state = CcState::default()
            .with_tx_timestamp(reply.stamp)
            .with_ooo_count(reply.out_of_order.into())
            .with_rcvd_bytes(reply.received);
        let (there, evs) = (reply.there, reply.evs);
        if there != 0 {
            ack = ack.with_list(Evx::default().with_there(there).with_evs(evs));
        }
        (Bth::acknowledge(peer.qp, reply.cumulative).with_p_key(peer.pkey), Body::Ack(ack))
    };
    frame::encode(&envelope, bth, &body).expect("short enough")
}

/// Time stamp in a data frame to this peer.
pub fn stamp_of(peer: &Peer, order: &Order, frame: &[u8]) -> Option<u16> {
    let header = if peer.tagged { 18 } else { 14 } + if peer.v6 { 40 } else { 20 } + 8 + 12 + 16;
    let at = header + if order.last { 4 } else { 0 };
    frame.get(at..at + 2).map(|bytes| u16::from_be_bytes([bytes[0], bytes[1]]))
}

/// Payload of a packet of read data.
pub fn payload(beats: &[Beat], bytes: u16) -> Vec<u8> {
    beats.iter().flat_map(|beat| (0..Beat::BYTES).map(|at| beat.byte(at))).take(bytes.into()).collect()
}

/// A frame that must leave.
#[derive(Clone, Debug)]
struct Expected {
    connection: u32,
    peers: Vec<Peer>,
    order: Order,
    payload: Vec<u8>,
    /// Number of the order's packet of read data, if it has one.
    read: Option<u64>,
    /// At some time since the read data arrived, the packet had to be sent.
    goes: bool,
    /// At some time since the read data arrived, the packet had to be left out.
    stays: bool,
}

impl Expected {
    /// Rule 12 of the page: the PSN is up to 512, or up to a larger window, before the lowest that is not acknowledged,
    /// or all messages have ended.
    fn looks(&mut self, passed: Option<&Passed>, psns: u32) {
        let (most, all) = (psns.max(512), 2 * psns.max(512));
        let before = |passed: &Passed| {
            (1..=most).contains(&((u32::from(passed.una) + all - self.order.psn % all) % all))
        };
        let past = passed.is_some_and(|passed| passed.ended || before(passed));
        self.goes |= !past;
        self.stays |= past;
    }
}

/// Clocks until a word on packets that need not leave takes effect.
const TOLD: u64 = 4;

/// Oracle of frames. A frame goes to the peer that was set when its order or reply was accepted, or to the
/// peer whose word was offered at that time. CSRs must not change while frames are in the pipeline.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// The CSRs.
    pub csr: EgressCsr,
    /// PSNs of a window.
    pub psns: u32,
    peers: Vec<Peer>,
    /// Connection whose word was offered and not accepted in the previous clock.
    changes: Option<u32>,
    replies: VecDeque<Vec<Vec<u8>>>,
    orders: VecDeque<Expected>,
    others: VecDeque<Vec<Beat>>,
    other: Vec<Beat>,
    sent: Vec<Beat>,
    clock: u64,
    /// Packets of each connection that need not leave; words that may not be effective yet.
    passed: Vec<Option<Passed>>,
    passing: VecDeque<(u64, u32, Passed)>,
    /// Packets of read data requested, and packets complete.
    asked: u64,
    whole: u64,
    /// Counters that are due when all frames have left.
    pub counters: Counters,
    /// The time stamp of the last data frame.
    pub stamp: u16,
    /// Frames seen.
    pub frames: u64,
    /// Orders that no longer needed to leave, and did not leave.
    pub left_out: u64,
}

impl Oracle {
    /// An oracle without frames, in which every peer is 0.
    pub fn new(csr: EgressCsr, connections: u32) -> Self {
        Self {
            csr,
            psns: SackParams::WINDOW,
            peers: vec![Peer::default(); connections as usize],
            changes: None,
            replies: VecDeque::new(),
            orders: VecDeque::new(),
            others: VecDeque::new(),
            other: Vec::new(),
            sent: Vec::new(),
            clock: 0,
            passed: vec![None; connections as usize],
            passing: VecDeque::new(),
            asked: 0,
            whole: 0,
            counters: Counters::default(),
            stamp: 0,
            frames: 0,
            left_out: 0,
        }
    }

    /// Whether all frames have left.
    pub fn idle(&self) -> bool {
        self.replies.is_empty() && self.orders.is_empty() && self.others.is_empty() && self.sent.is_empty()
    }

    /// Ends the wait: no frame is in the pipeline, so the orders that need not leave have not left.
    pub fn settle(&mut self) {
        let left = self.orders.iter().take_while(|order| order.stays).count();
        self.orders.drain(..left);
    }

    /// Records, for orders with complete read data, whether the orders must leave.
    fn look(&mut self, passed: Option<(u32, Passed)>) {
        self.clock += 1;
        self.passing.extend(passed.map(|(connection, passed)| (self.clock, connection, passed)));
        let old = self.passing.iter().take_while(|(clock, ..)| *clock + TOLD < self.clock).count();
        for (_, connection, passed) in self.passing.drain(..old) {
            self.passed[connection as usize] = Some(passed);
        }
        for order in &mut self.orders {
            if order.read.is_some_and(|read| read < self.whole) {
                let id = order.connection;
                order.looks(self.passed[id as usize].as_ref(), self.psns);
                let words: Vec<_> = self.passing.iter().filter(|(_, of, _)| *of == id).collect();
                words.iter().for_each(|(.., passed)| order.looks(Some(passed), self.psns));
            }
        }
    }

    /// Rule 2: peers that a frame may go to if it is accepted while this word is offered.
    fn peers(&self, connection: u32, offered: Option<(u32, Peer)>) -> impl Iterator<Item = Peer> + use<> {
        let own = offered.filter(|(id, _)| *id == connection && self.changes == Some(connection));
        [self.peers[connection as usize]].into_iter().chain(own.map(|(_, peer)| peer))
    }

    /// Notes the transfers of a clock. An error reports the fault of a frame that has ended.
    pub fn clock(&mut self, accepted: Accepted) -> Result<(), String> {
        if let Some((connection, word)) = accepted.reply {
            let counters = &mut self.counters;
            *(if word.nack { &mut counters.nack_frames } else { &mut counters.ack_frames }) += 1;
            let peers = self.peers(connection, accepted.offered);
            self.replies.push_back(peers.map(|peer| reply(&self.csr, &peer, &word, self.psns)).collect());
        }
        if let Some((connection, order, packet)) = accepted.order {
            let read = packet.as_ref().map(|_| self.asked);
            self.asked += u64::from(read.is_some());
            if packet.as_ref().is_none_or(|packet| packet.right) {
                let payload = packet.map_or(Vec::new(), |packet| payload(&packet.beats, order.bytes));
                let peers = self.peers(connection, accepted.offered).collect();
                let (goes, stays) = (read.is_none(), false);
                self.orders.push_back(Expected { connection, peers, order, payload, read, goes, stays });
            } else {
                self.counters.read_errors += 1;
            }
        }
        self.whole += u64::from(accepted.whole);
        self.look(accepted.passed);
        if let Some((connection, peer)) = accepted.peer {
            self.peers[connection as usize] = peer;
        }
        self.changes = accepted.offered.filter(|_| accepted.peer.is_none()).map(|(id, _)| id);
        if let Some(beat) = accepted.other {
            self.other.push(beat);
            if beat.last {
                let frame = std::mem::take(&mut self.other);
                if frame.len() <= 256 {
                    self.others.push_back(frame);
                    self.counters.bypass_frames += 1;
                } else {
                    self.counters.bypass_overflows += 1;
                }
            }
        }
        match accepted.sent {
            Some(beat) => self.sent(beat),
            None => Ok(()),
        }
    }

    fn sent(&mut self, beat: Beat) -> Result<(), String> {
        self.sent.push(beat);
        if !beat.last {
            return Ok(());
        }
        self.frames += 1;
        let frame = std::mem::take(&mut self.sent);
        if self.others.front() == Some(&frame) {
            self.others.pop_front();
            return Ok(());
        }
        let bytes: Vec<u8> = frame.iter().flat_map(Beat::bytes).collect();
        if frame != Beat::frame(&bytes) {
            return Err(format!(
                "bytes are missing inside, or not 0 behind the end, or it is bad: {frame:x?}"
            ));
        }
        if self.replies.front().is_some_and(|frames| frames.contains(&bytes)) {
            self.replies.pop_front();
            return Ok(());
        }
        // An order that need not leave may be left out.
        for (skipped, Expected { peers, order, payload, goes, stays, .. }) in self.orders.iter().enumerate() {
            let stamps = peers.iter().map(|peer| (peer, stamp_of(peer, order, &bytes).unwrap_or_default()));
            let mut right = stamps.filter(|&(peer, it)| data(&self.csr, peer, order, it, payload) == bytes);
            if let Some((_, stamp)) = right.next().filter(|_| *goes) {
                self.stamp = stamp;
                self.counters.data_frames += 1;
                self.counters.data_bytes += u32::from(order.bytes);
                self.left_out += self.orders.drain(..=skipped).count() as u64 - 1;
                return Ok(());
            }
            if !stays {
                break;
            }
        }
        let next = |Expected { peers, order, payload, .. }: &Expected| -> Vec<_> {
            peers.iter().map(|peer| data(&self.csr, peer, order, 0, payload)).collect()
        };
        let next = self.orders.front().map(next);
        Err(format!(
            "a frame that is not next of any stream:\n{bytes:02x?}\nreply {:02x?}\norder {next:02x?}\nother {:x?}",
            self.replies.front(),
            self.others.front(),
        ))
    }
}
