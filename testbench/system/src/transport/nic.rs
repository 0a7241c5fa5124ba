//! Parts of a NIC around the two blocks: at the sender the descriptors of packets in flight, at the receiver
//! the ACK timers. Both parts exchange frames with the network (`docs/transport.md`).

use super::buffers::payload;
use super::message::{Arrival, Message};
use std::collections::VecDeque;
use std::net::Ipv4Addr;
use weft_nic::block::sack_rx::{self, Response, Verdict};
use weft_nic::block::sack_tx;
use weft_random::Rng;
use weft_wire::headers::{Reth, Xeth, nack_reason};
use weft_wire::{Ack, Body, Bth, Data, Dscp, Ecn, Envelope, Nack, frame, icrc, packet};

const SENDER: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const RECEIVER: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);
const EV_BASE: u16 = 0xC000;
/// Numbers of packets of which one is ECN-marked, one requests an ACK, and one is followed by a probe.
const CE: u32 = 16;
const REQUEST: u32 = 32;
const PROBE: u32 = 64;
/// PSNs of the window: descriptors of a connection.
const WINDOW: usize = 256;

/// Payload that is sent under a PSN.
#[derive(Clone, Copy, Debug)]
struct Descriptor {
    psn: u32,
    message: u32,
    packet: u32,
    bytes: u32,
    last: bool,
}

/// The sender's NIC.
pub(super) struct SenderNic {
    rng: Rng,
    seed: u64,
    mtu: u32,
    connections: Vec<Sending>,
    /// Frames with a wrong ICRC.
    pub(super) damaged: u64,
}

#[derive(Clone, Debug)]
struct Sending {
    opening: u32,
    messages: VecDeque<Message>,
    /// Packets of the first of these messages that were sent.
    sent: u32,
    descriptors: [Option<Descriptor>; WINDOW],
}

impl SenderNic {
    pub(super) fn new(seed: u64, rng: Rng, mtu: u32, connections: u32) -> Self {
        let closed = Sending { opening: 0, messages: VecDeque::new(), sent: 0, descriptors: [None; WINDOW] };
        Self { rng, seed, mtu, connections: vec![closed; connections as usize], damaged: 0 }
    }

    pub(super) fn open(&mut self, connection: u32, opening: u32) {
        let (messages, sent) = (VecDeque::new(), 0);
        self.connections[connection as usize] =
            Sending { opening, messages, sent, descriptors: [None; WINDOW] };
    }

    pub(super) fn post(&mut self, connection: u32, message: Message) {
        self.connections[connection as usize].messages.push_back(message);
    }

    /// Frames that an outcome of the sender sends: a data frame, and in some cases a probe after it. The list
    /// is empty if the sender has no descriptor for the PSN.
    pub(super) fn frames(&mut self, outcome: &sack_tx::Outcome, now_ticks: u32) -> Vec<Vec<u8>> {
        let sending = &mut self.connections[outcome.connection as usize];
        let slot = outcome.psn as usize % WINDOW;
        if outcome.fresh {
            let Some(message) = sending.messages.front() else { return Vec::new() };
            sending.descriptors[slot] = Some(Descriptor {
                psn: outcome.psn,
                message: message.number,
                packet: sending.sent,
                bytes: if outcome.last { message.last_bytes } else { self.mtu },
                last: outcome.last,
            });
            sending.sent += 1;
            // The block marks the last packet of a message, as it does for a NIC.
            if outcome.last {
                sending.messages.pop_front();
                sending.sent = 0;
            }
        }
        let opening = sending.opening;
        let Some(descriptor) = sending.descriptors[slot].filter(|it| it.psn == outcome.psn) else {
            return Vec::new();
        };
        let Descriptor { psn, message, packet, bytes, last } = descriptor;
        let again = !outcome.fresh;
        let payload = payload(self.seed, outcome.connection, opening, message, packet, bytes);
        let data = Data {
            reth: Reth::default()
                .with_va(address(message, u64::from(packet) * u64::from(self.mtu)))
                .with_r_key(opening)
                .with_dma_length(bytes),
            immediate: last.then_some(message),
            xeth: Xeth::new(now_ticks as u16, 0, message as u16),
            payload: &payload,
        };
        let bth = Bth::data(outcome.connection, psn)
            .with_retransmission(again)
            .with_ack_request(again || self.rng.below(REQUEST) == 0);
        let dscp = if again { Dscp::DEFAULT.trimmable_retransmission } else { Dscp::DEFAULT.trimmable };
        // The ECN mark of a queue on the way.
        let ecn = if self.rng.below(CE) == 0 { Ecn::Ce } else { Ecn::Ect0 };
        let path = EV_BASE | self.rng.below(4096) as u16;
        let mut frames = vec![encode(SENDER, RECEIVER, path, (dscp, ecn), bth, &Body::Data(data))];
        if self.rng.below(PROBE) == 0 {
            let probe = Body::Probe(weft_wire::headers::Peth::new(0, now_ticks as u16));
            let bth = Bth::probe(outcome.connection, psn);
            frames.push(encode(SENDER, RECEIVER, path, (Dscp::DEFAULT.control, Ecn::NotEct), bth, &probe));
        }
        frames
    }

    /// The event that an answer of the peer causes. `None` if the answer's frame is damaged.
    pub(super) fn event(&mut self, frame: &[u8]) -> Option<sack_tx::Event> {
        let Some(packet) = whole(frame) else {
            self.damaged += 1;
            return None;
        };
        let connection = packet.bth.dest_qp();
        match packet.body {
            Body::Ack(ack) => Some(sack_tx::Event {
                psn: ack.sack_base(),
                trigger: ack.trigger_psn(),
                bitmap: ack.bitmap(),
                // The time stamp stays here until the ACK enters the block and the round-trip time is known.
                tag: u32::from(ack.cc_state.tx_timestamp()) << 16,
                ..sack_tx::Event::new(sack_tx::Kind::Ack, connection)
            }),
            Body::Nack(nack) => Some(sack_tx::Event {
                psn: nack.neth.nack_psn(),
                ..sack_tx::Event::new(sack_tx::Kind::Nack, connection)
            }),
            _ => None,
        }
    }
}

/// Clocks after which a packet that waits for an ACK is answered.
const ACK_CLOCKS: u64 = 512;

/// The receiver's NIC.
pub(super) struct ReceiverNic {
    /// Clock in which the ACK timer of each connection was started.
    waiting: Vec<Option<u64>>,
    timers: VecDeque<(u64, u32)>,
    /// Frames whose ICRC was wrong.
    pub(super) damaged: u64,
}

impl ReceiverNic {
    pub(super) fn new(connections: u32) -> Self {
        Self { waiting: vec![None; connections as usize], timers: VecDeque::new(), damaged: 0 }
    }

    /// The event of a frame, and the fields that arrived with the frame. `None` if the frame is damaged.
    pub(super) fn event(&mut self, frame: &[u8]) -> Option<(sack_rx::Event, Arrival)> {
        let Some(packet) = whole(frame) else {
            self.damaged += 1;
            return None;
        };
        let (connection, psn) = (packet.bth.dest_qp(), packet.bth.psn());
        let mut arrival = Arrival { path: packet.envelope.source_port, ..Arrival::default() };
        let mut event = sack_rx::Event {
            bytes: packet.payload_len as u16,
            ce: packet.envelope.ecn == Ecn::Ce,
            request: packet.bth.ack_request(),
            ..sack_rx::Event::new(sack_rx::Kind::Data, connection, psn)
        };
        match packet.body {
            Body::Data(data) => {
                event.last = data.immediate.is_some();
                arrival.opening = data.reth.r_key();
                arrival.address = data.reth.va();
                arrival.payload = data.payload.to_vec();
                arrival.timestamp = data.xeth.tx_timestamp();
            }
            Body::Trimmed(trimmed) => {
                event.kind = sack_rx::Kind::Trimmed;
                arrival.opening = trimmed.reth.map_or(0, |reth| reth.r_key());
                arrival.timestamp = trimmed.xeth.map_or(0, |xeth| xeth.tx_timestamp());
            }
            Body::Probe(probe) => {
                event.kind = sack_rx::Kind::Probe;
                arrival.timestamp = probe.tx_timestamp();
                arrival.probe = true;
            }
            _ => return None,
        }
        Some((event, arrival))
    }

    /// The frame that an outcome of the receiver sends.
    pub(super) fn answer(
        &mut self,
        clock: u64,
        outcome: &sack_rx::Outcome,
        came: &Arrival,
    ) -> Option<Vec<u8>> {
        let connection = outcome.connection;
        let waiting = &mut self.waiting[connection as usize];
        let cumulative = outcome.expected.wrapping_sub(1) & 0xFF_FFFF;
        let (bth, body) = match outcome.response {
            Response::None => {
                if outcome.verdict == Verdict::Placed && waiting.is_none() {
                    *waiting = Some(clock);
                    self.timers.push_back((clock, connection));
                }
                return None;
            }
            Response::Ack => {
                *waiting = None;
                let trigger = trigger(outcome, cumulative);
                let mut ack = Ack::new(cumulative, trigger, came.path).with_bitmap(outcome.bitmap);
                ack.aeth = ack.aeth.with_msn(outcome.messages);
                ack.seth = ack.seth.with_m(u8::from(outcome.ce)).with_probe_reply(came.probe);
                ack.cc_state = ack
                    .cc_state
                    .with_tx_timestamp(came.timestamp)
                    .with_ooo_count(outcome.out_of_order.into())
                    .with_rcvd_bytes(outcome.received);
                (Bth::acknowledge(connection, cumulative), Body::Ack(ack))
            }
            Response::Nack => {
                let reason = match outcome.verdict {
                    Verdict::Outside => nack_reason::PSN_OOR_WINDOW,
                    _ => nack_reason::TRIMMED,
                };
                let nack = Nack::new(outcome.psn, reason, came.path, came.timestamp);
                (Bth::acknowledge(connection, outcome.psn), Body::Nack(nack))
            }
        };
        let path = if came.path == 0 { EV_BASE } else { came.path };
        Some(encode(RECEIVER, SENDER, path, (Dscp::DEFAULT.control, Ecn::NotEct), bth, &body))
    }

    /// A connection whose ACK is due.
    pub(super) fn flush(&mut self, clock: u64) -> Option<sack_rx::Event> {
        while let Some(&(since, connection)) =
            self.timers.front().filter(|(since, _)| since + ACK_CLOCKS <= clock)
        {
            self.timers.pop_front();
            let waiting = &mut self.waiting[connection as usize];
            if *waiting == Some(since) {
                *waiting = None;
                return Some(sack_rx::Event::new(sack_rx::Kind::Flush, connection, 0));
            }
        }
        None
    }

    pub(super) fn open(&mut self, connection: u32) {
        self.waiting[connection as usize] = None;
    }
}

/// PSN that an ACK answers. The packet must have arrived, and its PSN must be within the 16 bits that the
/// wire has for the distance. A flush, a probe and an old packet are answered with the cumulative PSN.
fn trigger(outcome: &sack_rx::Outcome, cumulative: u32) -> u32 {
    let distance = (outcome.psn.wrapping_sub(cumulative) << 8).cast_signed() >> 8;
    let came = matches!(outcome.verdict, Verdict::Placed | Verdict::Duplicate);
    if came && i16::try_from(distance).is_ok() { outcome.psn } else { cumulative }
}

/// The virtual address of a byte of a message.
fn address(message: u32, offset: u64) -> u64 {
    u64::from(message) << 32 | offset
}

/// The packet of an undamaged frame. A trimmed packet has no ICRC.
fn whole(frame: &[u8]) -> Option<packet::Packet<'_>> {
    let packet = packet::parse(frame).ok()?;
    let trimmed = matches!(packet.body, Body::Trimmed(_));
    (trimmed || icrc::icrc_ok(frame) == Some(true)).then_some(packet)
}

fn encode(
    from: Ipv4Addr,
    to: Ipv4Addr,
    path: u16,
    (dscp, ecn): (u8, Ecn),
    bth: Bth,
    body: &Body<'_>,
) -> Vec<u8> {
    let envelope = Envelope::v4(from, to, path).marked(dscp, ecn);
    frame::encode(&envelope, bth, body).expect("the settings bound the MTU")
}
