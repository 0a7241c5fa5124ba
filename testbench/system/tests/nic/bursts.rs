//! A whole window of answers at the NIC's wire. Bursts of ACKs and NACKs arrive in every second clock, as
//! fast as a bus of 64 bytes delivers them. The NIC loses none of them, for any number of connections ([what
//! ingress can absorb](../../../../docs/blocks/ingress.md)). A further test loses only the first packet of a
//! window.

use std::collections::{BTreeMap, VecDeque};
use std::net::Ipv4Addr;
use weft_nic::nic::Inputs;
use weft_nic::words::{Beat, Status, Work};
use weft_params::{EvMode, SackParams};
use weft_system::nic::{
    AnyNic, Connection, Device, Driver, Identity, Maker, Rate, RegisterDriver, View, configuration,
};
use weft_wire::headers::{Reth, Xeth, nack_reason};
use weft_wire::{Ack, Body, Bth, Data, Ecn, Envelope, Nack, frame, packet};

/// Packets that are answered in a row: a window of one connection.
const ANSWERS: u32 = 256;
const MTU: u32 = 1_024;
const OWN: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const PEER: Ipv4Addr = Ipv4Addr::new(10, 0, 1, 1);
const QP_BASE: u32 = 0x4_0000;
const PEER_QP: u32 = 0x900;

/// Beginning of a connection's region.
fn region(connection: u32) -> u64 {
    u64::from(connection) << 20
}

/// Connection of an ACK.
fn acknowledged(frame: &[u8]) -> Option<u32> {
    let said = packet::parse(frame).expect("a frame of the NIC");
    matches!(said.body, Body::Ack(_)).then(|| said.dest_qp() - PEER_QP)
}

/// A packet that the NIC sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sent {
    connection: u32,
    psn: u32,
    ev: u16,
    stamp: u16,
    address: u64,
    key: u32,
    again: bool,
}

impl Sent {
    fn read(frame: &[u8]) -> Option<Self> {
        let said = packet::parse(frame).expect("a frame of the NIC");
        let Body::Data(data) = &said.body else { return None };
        let (connection, ev) = (said.dest_qp() - PEER_QP, said.flow().source_port);
        Some(Self {
            connection,
            psn: said.psn(),
            ev,
            stamp: data.xeth.tx_timestamp(),
            address: data.reth.va(),
            key: data.reth.r_key(),
            again: said.bth.retransmission(),
        })
    }

    /// Frame that answers the packet: a NACK of a trimmed packet, or an ACK of all packets up to this one.
    fn answer(&self, nack: bool) -> Vec<u8> {
        if !nack {
            return self.acknowledged(self.psn, [0; 4]);
        }
        self.said(&Body::Nack(Nack::new(self.psn, nack_reason::TRIMMED, self.ev, self.stamp)))
    }

    /// Frame of an ACK of the packet: all PSNs up to `cumulative` have arrived, and the PSNs of the bitmap
    /// after it, bits 63..0 first.
    fn acknowledged(&self, cumulative: u32, bitmap: [u64; 4]) -> Vec<u8> {
        let mut ack = Ack::new(cumulative, self.psn, self.ev).with_bitmap(bitmap);
        ack.cc_state = ack.cc_state.with_tx_timestamp(self.stamp);
        self.said(&Body::Ack(ack))
    }

    fn said(&self, body: &Body) -> Vec<u8> {
        let Self { connection, psn, ev, .. } = *self;
        let envelope = Envelope::v4(PEER, OWN, ev).marked(46, Ecn::NotEct);
        frame::encode(&envelope, Bth::acknowledge(QP_BASE + connection, psn), body).unwrap()
    }
}

struct Bench {
    nic: AnyNic,
    driver: RegisterDriver,
    clock: u64,
    work: VecDeque<(u32, Work)>,
    read: VecDeque<Beat>,
    feed: VecDeque<Beat>,
    frame: Vec<u8>,
    data: VecDeque<Sent>,
    /// Connections for which ACKs left.
    acks: VecDeque<u32>,
    /// Connection and address of each write.
    written: VecDeque<(u32, u64)>,
    done: u32,
}

impl Bench {
    /// A NIC with these of its connections open.
    fn new(maker: &Maker, view: View, connections: u32, opened: impl IntoIterator<Item = u32>) -> Self {
        let identity = Identity {
            number: 0,
            mac: [2, 0, 10, 0, 0, 1],
            address: OWN.into(),
            qp_base: QP_BASE,
            connections,
            mtu: MTU,
            rate: Rate::GBPS_100,
            // A bandwidth-delay product of 390 packets, so that windows have space for the packets of all
            // answers.
            base_rtt_clocks: 8_000,
            trims: true,
            pauses: false,
            seed: 1,
        };
        let mut driver = RegisterDriver::new(&identity, &configuration(&identity, EvMode::Reps).unwrap());
        for number in opened {
            driver.connect(&Connection {
                number,
                peer_mac: [2, 0, 10, 0, 1, 1],
                peer_address: PEER.into(),
                tag: None,
                peer_qp: PEER_QP + number,
                send_psn: 0,
                receive_psn: 0,
                region_base: region(number),
                region_length: MTU,
                region_key: 1,
                class: 0,
                ev: 0,
            });
        }
        let nic = maker.device(view, 1).unwrap();
        let (work, read, feed, frame, data, acks, written) = Default::default();
        let mut bench = Self { nic, driver, clock: 0, work, read, feed, frame, data, acks, written, done: 0 };
        bench.nic.clock(&Inputs { rst: true, ..Inputs::default() }).unwrap();
        bench.settle();
        bench
    }

    fn clock(&mut self) {
        let outputs = *self.nic.outputs();
        let work = self.work.front().copied();
        let inputs = Inputs {
            axil: self.driver.poll(&outputs.axil).unwrap(),
            net: self.feed.pop_front(),
            read: self.read.front().copied(),
            work,
            ..Inputs::taking()
        };
        if work.is_some() && outputs.work_ready {
            self.work.pop_front();
        }
        if inputs.read.is_some() && outputs.read_ready {
            self.read.pop_front();
        }
        if let Some((_, place)) = outputs.fetch.get() {
            self.read.extend(Beat::frame(&vec![0x5A; place.bytes.into()]));
        }
        if let Some((_, beat)) = outputs.net.get() {
            self.frame.extend(beat.bytes());
            if beat.last {
                self.data.extend(Sent::read(&self.frame));
                self.acks.extend(acknowledged(&self.frame));
                self.frame.clear();
            }
        }
        if let Some((connection, write)) = outputs.write.get() {
            self.written.push_back((connection, write.place.address));
        }
        if let Some((_, sent)) = outputs.sent.get() {
            assert_eq!(sent.status, Status::Done);
            self.done += 1;
        }
        self.nic.clock(&inputs).unwrap();
        self.clock += 1;
    }

    fn settle(&mut self) {
        while !self.driver.is_idle() {
            self.clock();
        }
    }

    /// Waits until `packets` packets have left.
    fn leave(&mut self, packets: usize) -> Vec<Sent> {
        let end = self.clock + 100_000;
        while self.data.len() < packets {
            self.clock();
            assert!(self.clock < end, "{} packets of {packets}", self.data.len());
        }
        self.data.drain(..).collect()
    }

    /// Feeds the answers to `sent`, frames of two words without a pause.
    fn answer(&mut self, sent: &[Sent], nack: bool) {
        for it in sent {
            let words = Beat::frame(&it.answer(nack));
            assert_eq!(words.len(), 2);
            self.feed.extend(words);
        }
    }

    fn counters(&mut self) -> BTreeMap<String, u64> {
        self.driver.read_counters();
        self.settle();
        self.driver.counters().into_iter().collect()
    }
}

/// All answers of a burst count: every packet of a NACK leaves once more and no other packet does, and every
/// message ends once. With `in_turn` the answers of the connections alternate; otherwise those of one
/// connection arrive in a row.
fn burst(maker: &Maker, view: View, (shape, active): (u32, u32), nack: bool, in_turn: bool) {
    let mut bench = Bench::new(maker, view, shape, 0..shape);
    let each = ANSWERS / active;
    let local = Work { key: 1, length: each * MTU, ..Work::default() };
    bench.work.extend((0..active).map(|connection| (connection, Work { id: connection, ..local })));
    let mut sent = bench.leave(ANSWERS as usize);
    sent.sort_by_key(|it| if in_turn { (it.psn, it.connection) } else { (it.connection, it.psn) });
    bench.answer(&sent, nack);
    let begin = bench.clock;
    let what = format!("{view:?}, {active} connections, NACKs {nack}, in turn {in_turn}");
    if nack {
        // Packets that leave again are acknowledged at once.
        let mut again = Vec::new();
        while again.len() < ANSWERS as usize {
            let it = bench.leave(1);
            bench.answer(&it, false);
            again.extend(it);
        }
        println!("{what}: all have left again after {} clocks", bench.clock - begin);
        again.sort_by_key(|it| (it.connection, it.psn));
        sent.sort_by_key(|it| (it.connection, it.psn));
        let names = |list: &[Sent]| list.iter().map(|it| (it.connection, it.psn)).collect::<Vec<_>>();
        assert_eq!(names(&again), names(&sent), "{what}");
    }
    (0..20_000).for_each(|_| bench.clock());
    assert!(bench.data.is_empty() && bench.done == active, "{what}: {} messages have ended", bench.done);
    let counters = bench.counters();
    let counts =
        ["ingress_overflows", "ingress_nacks", "ingress_acks", "recovery_lost_by_nack", "recovery_again"];
    let nacks = u64::from(if nack { ANSWERS } else { 0 });
    let due = [0, nacks, u64::from(ANSWERS), nacks, nacks];
    assert_eq!(counts.map(|name| counters[name]), due, "{what}: {counts:?}");
    let rtts: u64 =
        counters.iter().filter(|(name, _)| name.starts_with("rtt_")).map(|(_, count)| count).sum();
    assert_eq!(rtts, u64::from(ANSWERS), "{what}: ACKs with a round-trip time");
}

fn bursts(view: View, shape: u32, active: &[u32]) {
    let maker = Maker::new(SackParams { connections: shape }, view != View::Model).unwrap();
    for &active in active {
        for (nack, in_turn) in [(false, true), (true, true), (false, false), (true, false)] {
            burst(&maker, view, (shape, active), nack, in_turn);
        }
    }
}

/// The first packet of a full window is lost and all others arrive. No packet beyond the window leaves until
/// the first one has arrived. The first packet leaves again, alone, with the address and key of its message.
fn first_is_lost(view: View, shape: u32) {
    let maker = Maker::new(SackParams { connections: shape }, view != View::Model).unwrap();
    let connection = shape - 1;
    let mut bench = Bench::new(&maker, view, shape, [connection]);
    // 16 messages of 17 packets: 16 packets more than a window.
    let (messages, each) = (16, 17);
    let all = messages * each;
    let place = |psn: u32| (0x50_0000 + u64::from(psn) * u64::from(MTU), 100 + psn / each);
    bench.work.extend((0..messages).map(|id| {
        let (remote, key) = place(id * each);
        (connection, Work { id, key, remote, length: each * MTU, ..Work::default() })
    }));
    let sent = bench.leave(ANSWERS as usize);
    let mut bitmap = [0; 4];
    for it in &sent[1..] {
        bitmap[it.psn as usize / 64] |= 1 << (it.psn % 64);
        bench.feed.extend(Beat::frame(&it.acknowledged(0xFF_FFFF, bitmap)));
    }
    let again = bench.leave(1);
    (0..5_000).for_each(|_| bench.clock());
    assert!(bench.data.is_empty() && bench.done == 0, "{view:?}: {:?} beside {again:?}", bench.data);
    bench.feed.extend(Beat::frame(&again[0].acknowledged(ANSWERS - 1, [0; 4])));
    let rest = bench.leave((all - ANSWERS) as usize);
    bench.feed.extend(Beat::frame(&rest.last().unwrap().acknowledged(all - 1, [0; 4])));
    (0..20_000).for_each(|_| bench.clock());
    assert!(bench.data.is_empty() && bench.done == messages, "{view:?}: {} messages have ended", bench.done);
    let due = (0..ANSWERS).chain([0]).chain(ANSWERS..all);
    let due = due.enumerate().map(|(at, psn)| (psn, place(psn), at as u32 == ANSWERS));
    let left = sent.iter().chain(&again).chain(&rest).map(|it| (it.psn, (it.address, it.key), it.again));
    assert_eq!(left.collect::<Vec<_>>(), due.collect::<Vec<_>>(), "{view:?}");
}

#[test]
fn the_first_packet_of_a_full_window_is_sent_again() {
    first_is_lost(View::Model, 256);
    first_is_lost(View::Model, 16_384);
}

#[test]
#[ignore = "soak: a build of the NIC"]
fn and_by_the_verilog_of_the_largest_shape() {
    first_is_lost(View::Rtl, 16_384);
}

/// Connections whose numbers differ in one bit only. Packets and ACKs of each connection go to its own peer,
/// and data of its peer is written to its own region.
fn told_apart(view: View, shape: u32) {
    let maker = Maker::new(SackParams { connections: shape }, view != View::Model).unwrap();
    let numbers = || (0..shape.ilog2()).map(|bit| 1 << bit).chain([0]);
    let mut bench = Bench::new(&maker, view, shape, numbers());
    bench.work.extend(numbers().map(|id| (id, Work { id, key: 1, length: MTU, ..Work::default() })));
    let sent = bench.leave(numbers().count());
    bench.answer(&sent, false);
    for number in numbers() {
        let reth = Reth::default().with_va(region(number)).with_r_key(1).with_dma_length(MTU);
        let payload = vec![0xA5; MTU as usize];
        let data =
            Body::Data(Data { reth, immediate: Some(number), xeth: Xeth::new(7, 0, 0), payload: &payload });
        let envelope = Envelope::v4(PEER, OWN, 0xC001).marked(4, Ecn::Ect0);
        let frame = frame::encode(&envelope, Bth::data(QP_BASE + number, 0), &data).unwrap();
        bench.feed.extend(Beat::frame(&frame));
    }
    (0..20_000).for_each(|_| bench.clock());
    let sorted = |found: &mut dyn Iterator<Item = u32>| {
        let mut found: Vec<u32> = found.collect();
        found.sort_unstable();
        found
    };
    let due = sorted(&mut numbers());
    assert_eq!(sorted(&mut sent.iter().map(|it| it.connection)), due, "{view:?}: packets");
    assert_eq!(sorted(&mut bench.acks.iter().copied()), due, "{view:?}: ACKs");
    assert_eq!(bench.done as usize, due.len(), "{view:?}: messages that ended");
    for &(connection, address) in &bench.written {
        assert_eq!(address, region(connection), "{view:?}: written for {connection}");
    }
    bench.written.make_contiguous().sort_unstable();
    let mut written: Vec<u32> = bench.written.iter().map(|&(connection, _)| connection).collect();
    written.dedup();
    assert_eq!(written, due, "{view:?}: written");
}

#[test]
fn connections_are_told_apart() {
    told_apart(View::Model, 16_384);
}

#[test]
fn and_by_the_verilog_too() {
    told_apart(View::Rtl, 16_384);
}

#[test]
fn a_window_of_answers_is_heard() {
    bursts(View::Model, 256, &[1, 4, 256]);
}

#[test]
fn and_by_the_verilog() {
    bursts(View::Rtl, 16, &[1, 4, 16]);
}

#[test]
#[ignore = "soak: a build of the default shape"]
fn and_by_the_verilog_of_the_default_shape() {
    bursts(View::Rtl, 256, &[1, 4, 256]);
}
