//! A minimal NIC: it sends the host's messages and writes received ones, without recovery and congestion
//! control.

use std::collections::{BTreeMap, VecDeque};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use weft_nic::nic::{AxilInputs, AxilOutputs, Inputs, Outputs};
use weft_nic::words::{Beat, Offer, Place, Received, Sent, Status, Work, Write};
use weft_system::nic::{Access, Axil, Breach, Connection, Device, DeviceError, Driver, Identity};
use weft_wire::headers::{Reth, Xeth};
use weft_wire::{Ack, Addresses, Body, Bth, Data, Ecn, Envelope, Vlan, frame, icrc, parse};

/// A bug of the toy NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bug {
    WrongPlace,
    WritesTwice,
    WrongByte,
    EarlyReceived,
    LostReceived,
    SentTwice,
    LongFetch,
    Unstable,
    Gap,
    RefusesRegister,
}

/// Registers of the toy. A host describes a connection in these registers, and a write of the connection's
/// number to [`OPEN`] opens it.
const OPEN: u16 = 0x00;
const DESCRIPTION: u16 = 0x10;
const WORDS: usize = 10;

/// Describes connections.
#[derive(Default)]
pub(crate) struct ToyDriver(Axil);

impl Driver for ToyDriver {
    fn connect(&mut self, connection: &Connection) {
        let (address, v6) = match connection.peer_address {
            IpAddr::V4(address) => (u128::from(u32::from(address)), 0),
            IpAddr::V6(address) => (u128::from(address), 1),
        };
        let [a, b, c, d, e, f] = connection.peer_mac;
        let words: [u32; WORDS] = [
            address as u32,
            (address >> 32) as u32,
            (address >> 64) as u32,
            (address >> 96) as u32,
            v6,
            connection.peer_qp,
            connection.send_psn,
            connection.receive_psn,
            u32::from_be_bytes([c, d, e, f]),
            u32::from_be_bytes([a, b, 0, 0]) | connection.tag.map_or(0, u32::from),
        ];
        for (word, at) in words.into_iter().zip(0..) {
            self.0.push(Access::Write(DESCRIPTION + 4 * at, word));
        }
        self.0.push(Access::Write(OPEN, connection.number));
    }

    fn poll(&mut self, bus: &AxilOutputs) -> Result<AxilInputs, Breach> {
        Ok(self.0.clock(bus)?.0)
    }

    fn is_idle(&self) -> bool {
        self.0.is_idle()
    }
}

/// A packet whose payload is being fetched.
struct Order {
    connection: u32,
    psn: u32,
    reth: Reth,
    immediate: Option<u32>,
    solicited: bool,
    message: u16,
}

struct Peer {
    envelope: Envelope,
    qp: u32,
    next_psn: u32,
    expected: u32,
    /// Last PSN and id of the messages that are not acknowledged.
    sending: VecDeque<(u32, u32)>,
    /// Packets that arrived beyond `expected`. The last packet of a message has its immediate, if the host
    /// gets a completion.
    ahead: BTreeMap<u32, (bool, Option<u32>)>,
    messages_sent: u16,
    messages_received: u32,
}

enum ToHost {
    Write(Write),
    Received(Received),
}

pub(crate) struct Toy {
    identity: Identity,
    bug: Option<Bug>,
    out: Outputs,
    registers: [u32; WORDS],
    address: Option<u16>,
    data: Option<u32>,
    peers: BTreeMap<u32, Peer>,
    fetches: VecDeque<(u32, Place)>,
    orders: VecDeque<Order>,
    read: Vec<u8>,
    net: VecDeque<Beat>,
    coming: Vec<u8>,
    to_host: VecDeque<(u32, ToHost)>,
    sent: VecDeque<(u32, Sent)>,
    ev: u16,
}

impl Toy {
    pub(crate) fn new(identity: Identity, bug: Option<Bug>) -> Self {
        Self {
            identity,
            bug,
            out: Outputs::default(),
            registers: [0; WORDS],
            address: None,
            data: None,
            peers: BTreeMap::new(),
            fetches: VecDeque::new(),
            orders: VecDeque::new(),
            read: Vec::new(),
            net: VecDeque::new(),
            coming: Vec::new(),
            to_host: VecDeque::new(),
            sent: VecDeque::new(),
            ev: 0,
        }
    }

    fn has(&self, bug: Bug) -> bool {
        self.bug == Some(bug)
    }

    fn registers(&mut self, bus: &AxilInputs) {
        let axil = &mut self.out.axil;
        axil.write_done &= !bus.write_ready;
        if axil.write_address_ready {
            self.address = bus.write_address;
        }
        if axil.write_data_ready {
            self.data = bus.write_data.map(|(data, _)| data);
        }
        if let (Some(address), Some(data), false) = (self.address, self.data, self.out.axil.write_done) {
            (self.address, self.data) = (None, None);
            match address {
                OPEN => self.open(data),
                _ => self.registers[usize::from(address - DESCRIPTION) / 4] = data,
            }
            let axil = &mut self.out.axil;
            axil.write_done = true;
            axil.write_response = if self.bug == Some(Bug::RefusesRegister) { 2 } else { 0 };
        }
        self.out.axil.write_address_ready = self.address.is_none();
        self.out.axil.write_data_ready = self.data.is_none();
    }

    fn open(&mut self, number: u32) {
        let [a0, a1, a2, a3, v6, qp, next_psn, expected, low, high] = self.registers;
        let wide = [a3, a2, a1, a0].iter().fold(0, |wide: u128, word| wide << 32 | u128::from(*word));
        let ip = match self.identity.address {
            IpAddr::V6(src) if v6 == 1 => Addresses::V6 { src, dst: Ipv6Addr::from(wide), flow_label: 0 },
            IpAddr::V4(src) => Addresses::V4 { src, dst: Ipv4Addr::from(a0) },
            IpAddr::V6(_) => return,
        };
        let [a, b, ..] = high.to_be_bytes();
        let [c, d, e, f] = low.to_be_bytes();
        let tag = (high as u16 != 0).then_some(Vlan { tpid: 0x8100, tci: high as u16 });
        let envelope = Envelope {
            dst_mac: [a, b, c, d, e, f],
            src_mac: self.identity.mac,
            vlans: [tag, None],
            ip,
            ..Envelope::v4([0; 4].into(), [0; 4].into(), 0)
        };
        let peer = Peer {
            envelope,
            qp,
            next_psn,
            expected,
            sending: VecDeque::new(),
            ahead: BTreeMap::new(),
            messages_sent: 0,
            messages_received: 0,
        };
        self.peers.insert(number, peer);
    }

    /// Cuts a message into packets.
    fn work(&mut self, connection: u32, work: &Work) {
        let (mtu, long) = (self.identity.mtu, self.has(Bug::LongFetch));
        let Some(peer) = self.peers.get_mut(&connection) else { return };
        let mut at = 0;
        while at < work.length {
            let bytes = (work.length - at).min(mtu) as u16;
            let last = at + u32::from(bytes) == work.length;
            let reth = Reth::default().with_va(work.remote + u64::from(at)).with_r_key(work.key);
            self.orders.push_back(Order {
                connection,
                psn: peer.next_psn,
                reth: reth.with_dma_length(bytes.into()),
                immediate: last.then_some(work.immediate),
                solicited: work.with_immediate,
                message: peer.messages_sent,
            });
            let address = work.local + u64::from(at);
            let bytes = if long { bytes + 64 } else { bytes };
            self.fetches.push_back((connection, Place { address, bytes }));
            if last {
                peer.sending.push_back((peer.next_psn, work.id));
            }
            peer.next_psn = (peer.next_psn + 1) & 0xFF_FFFF;
            at += mtu;
        }
        peer.messages_sent = peer.messages_sent.wrapping_add(1);
    }

    /// Sends the oldest order whose payload has been read.
    fn send_data(&mut self) {
        let payload = std::mem::take(&mut self.read);
        let Some(order) = self.orders.pop_front() else { return };
        let peer = &self.peers[&order.connection];
        self.ev = self.ev.wrapping_add(1);
        let envelope = Envelope { source_port: 0xC000 | self.ev, ..peer.envelope }.marked(4, Ecn::Ect0);
        let bth = Bth::data(peer.qp, order.psn).with_solicited_event(order.solicited);
        let xeth = Xeth::new(0, 0, order.message);
        let body = Body::Data(Data { reth: order.reth, immediate: order.immediate, xeth, payload: &payload });
        self.send(&envelope, bth, &body);
    }

    fn send(&mut self, envelope: &Envelope, bth: Bth, body: &Body<'_>) {
        let frame = frame::encode(envelope, bth, body).expect("a packet is no longer than the MTU");
        self.net.extend(Beat::frame(&frame));
    }

    fn receive(&mut self) {
        let frame = std::mem::take(&mut self.coming);
        let packet = match parse(&frame) {
            Ok(packet) if icrc::icrc_ok(&frame) == Some(true) => packet,
            _ => return,
        };
        let connection = packet.dest_qp().wrapping_sub(self.identity.qp_base);
        let Some(peer) = self.peers.get_mut(&connection) else { return };
        match packet.body {
            Body::Data(ref data) => {
                let psn = packet.psn();
                let offset = psn.wrapping_sub(peer.expected) & 0xFF_FFFF;
                if offset < 1 << 23 && !peer.ahead.contains_key(&psn) {
                    let told = data.immediate.filter(|_| packet.bth.solicited_event());
                    peer.ahead.insert(psn, (data.immediate.is_some(), told));
                    self.place(connection, data);
                }
                self.acknowledge(connection, psn, packet.envelope.source_port);
            }
            Body::Ack(ack) => {
                let reached = |psn: u32| ack.seth.cack_psn().wrapping_sub(psn) & 0xFF_FFFF < 1 << 23;
                while let Some((_, id)) = peer.sending.front().copied().filter(|(psn, _)| reached(*psn)) {
                    peer.sending.pop_front();
                    let sent = (connection, Sent { id, status: Status::Done });
                    self.sent.push_back(sent);
                    if self.bug == Some(Bug::SentTwice) {
                        self.sent.push_back(sent);
                    }
                }
            }
            _ => {}
        }
    }

    /// Hands payload to the host.
    fn place(&mut self, connection: u32, data: &Data<'_>) {
        let mut place = Place { address: data.reth.va(), bytes: data.payload.len() as u16 };
        let mut payload = data.payload.to_vec();
        if self.has(Bug::WrongPlace) {
            place.address += 64;
        }
        if self.has(Bug::WrongByte) {
            payload[0] ^= 1;
        }
        if self.has(Bug::EarlyReceived) && data.immediate.is_some() {
            // The bug leaves out the last packet.
            return;
        }
        for _ in 0..if self.has(Bug::WritesTwice) { 2 } else { 1 } {
            let words = Beat::frame(&payload).into_iter().map(|beat| Write { beat, place });
            self.to_host.extend(words.map(|word| (connection, ToHost::Write(word))));
        }
    }

    fn acknowledge(&mut self, connection: u32, psn: u32, ev: u16) {
        let lost = self.has(Bug::LostReceived);
        let Some(peer) = self.peers.get_mut(&connection) else { return };
        while let Some((last, told)) = peer.ahead.remove(&peer.expected) {
            peer.expected = (peer.expected + 1) & 0xFF_FFFF;
            let message = peer.messages_received;
            peer.messages_received += u32::from(last);
            if let (Some(immediate), false) = (told, lost && message % 8 == 3) {
                let word = ToHost::Received(Received { immediate, message });
                self.to_host.push_back((connection, word));
            }
        }
        let cumulative = peer.expected.wrapping_sub(1) & 0xFF_FFFF;
        let envelope = Envelope { source_port: ev, ..peer.envelope }.marked(46, Ecn::NotEct);
        let qp = peer.qp;
        self.send(&envelope, Bth::acknowledge(qp, cumulative), &Body::Ack(Ack::new(cumulative, psn, ev)));
    }
}

/// Removes the front of a queue if it was accepted, and offers the next entry.
fn offer<T: Copy>(queue: &mut VecDeque<(u32, T)>, out: &mut Offer<T>, ready: bool) {
    if out.valid && ready {
        queue.pop_front();
    }
    if let Some(&(id, word)) = queue.front() {
        *out = Offer { valid: true, id, word };
    } else {
        out.valid = false;
    }
}

impl Device for Toy {
    fn outputs(&self) -> &Outputs {
        &self.out
    }

    fn clock(&mut self, inputs: &Inputs) -> Result<(), DeviceError> {
        if inputs.rst {
            *self = Self::new(self.identity, self.bug);
            return Ok(());
        }
        if self.out.write.valid && inputs.write_ready || self.out.received.valid && inputs.received_ready {
            self.to_host.pop_front();
        }
        if self.out.net.valid && inputs.net_ready {
            self.net.pop_front();
        }
        self.registers(&inputs.axil);
        if let (Some((connection, work)), true) = (inputs.work, self.out.work_ready) {
            self.work(connection, &work);
        }
        if let (Some(beat), true) = (inputs.read, self.out.read_ready) {
            self.read.extend(beat.bytes());
            if beat.last {
                self.send_data();
            }
        }
        if let Some(beat) = inputs.net {
            self.coming.extend(beat.bytes());
            match (beat.last, beat.bad) {
                (true, true) => self.coming.clear(),
                (true, false) => self.receive(),
                (false, _) => {}
            }
        }

        let gap = self.has(Bug::Gap) && !self.out.net.word.last && self.out.net.valid;
        let unstable = self.has(Bug::Unstable) && self.out.write.valid && !inputs.write_ready;
        let out = &mut self.out;
        offer(&mut self.fetches, &mut out.fetch, inputs.fetch_ready);
        offer(&mut self.sent, &mut out.sent, inputs.sent_ready);
        out.net.valid = !self.net.is_empty() && !gap;
        out.net.word = self.net.front().copied().unwrap_or(out.net.word);
        (out.write.valid, out.received.valid) = (false, false);
        match self.to_host.front() {
            Some((id, ToHost::Write(word))) => out.write = Offer { valid: !unstable, id: *id, word: *word },
            Some((id, ToHost::Received(word))) => out.received = Offer { valid: true, id: *id, word: *word },
            None => {}
        }
        (out.work_ready, out.read_ready) = (self.orders.len() < 64, self.net.len() < 512);
        Ok(())
    }
}
