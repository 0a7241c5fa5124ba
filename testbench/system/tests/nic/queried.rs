//! The registers of the connection in QUERY (rules 23 and 24 of page `docs/blocks/registers.md`), compared
//! with a ledger of the frames on the wire.

use crate::loopback::driver;
use crate::reuse::to_nic;
use std::collections::{BTreeSet, VecDeque};
use weft_nic::nic::{Inputs, Outputs};
use weft_nic::words::{Beat, Work};
use weft_params::registers::{self, Op, offsets};
use weft_params::{EvMode, SackParams};
use weft_system::nic::{
    Access, Axil, Device, Driver, Identity, Maker, Rate, RegisterDriver, View, configuration,
};
use weft_wire::headers::nack_reason;
use weft_wire::{Ack, Body, Bth, Nack, packet};

const CONNECTIONS: u32 = 4;
const MTU: u32 = 1024;
/// Queue pair of connection 0 and first PSN, from `loopback`.
const QP: u32 = 8;
const PSN: u32 = 5;
/// Number of clocks after which all effects of an event are over, and no silence is long yet.
const CALM: u32 = 1_500;

/// Packets and answers of connection 0 that the test has seen on the wire.
#[derive(Default)]
struct Ledger {
    sent: BTreeSet<u32>,
    acked: BTreeSet<u32>,
    frames: u32,
}

impl Ledger {
    fn unacked(&self) -> Vec<u32> {
        self.sent.difference(&self.acked).copied().collect()
    }

    fn next(&self) -> u32 {
        self.sent.last().map_or(PSN, |psn| psn + 1)
    }
}

/// A NIC, its software, a memory of zeros, and a wire that the test observes.
struct Queried<D> {
    nic: D,
    driver: RegisterDriver,
    axil: Axil,
    answers: VecDeque<u32>,
    wire: VecDeque<Beat>,
    reads: VecDeque<Beat>,
    work: Option<Work>,
    frame: Vec<u8>,
    ledger: Ledger,
}

impl<D: Device> Queried<D> {
    fn new(mut nic: D) -> Self {
        nic.clock(&Inputs { rst: true, ..Inputs::default() }).expect("it runs");
        let mut it = Self {
            nic,
            driver: driver(MTU, 0, 1 << 20),
            axil: Axil::default(),
            answers: VecDeque::new(),
            wire: VecDeque::new(),
            reads: VecDeque::new(),
            work: None,
            frame: Vec::new(),
            ledger: Ledger::default(),
        };
        while !it.driver.is_idle() {
            it.clock();
        }
        it
    }

    fn clock(&mut self) {
        let outputs: Outputs = *self.nic.outputs();
        let axil = if self.driver.is_idle() {
            let (inputs, answer) = self.axil.clock(&outputs.axil).expect("registers answer");
            self.answers.extend(answer.map(|(_, value)| value));
            inputs
        } else {
            self.driver.poll(&outputs.axil).expect("registers answer")
        };
        let inputs = Inputs {
            axil,
            net: self.wire.pop_front(),
            read: self.reads.front().copied(),
            work: self.work.map(|work| (0, work)),
            ..Inputs::taking()
        };
        if outputs.work_ready {
            self.work = None;
        }
        if inputs.read.is_some() && outputs.read_ready {
            self.reads.pop_front();
        }
        if let Some((_, place)) = outputs.fetch.get() {
            self.reads.extend(Beat::frame(&vec![0; place.bytes.into()]));
        }
        if let Some((_, beat)) = outputs.net.get() {
            self.frame.extend(beat.bytes());
            if beat.last {
                let frame = std::mem::take(&mut self.frame);
                let parsed = packet::parse(&frame).expect("a frame of ours");
                if let Body::Data(_) = parsed.body {
                    self.ledger.sent.insert(parsed.bth.psn());
                    self.ledger.frames += 1;
                }
            }
        }
        self.nic.clock(&inputs).expect("it runs");
    }

    fn run(&mut self, clocks: u32) {
        (0..clocks).for_each(|_| self.clock());
    }

    fn access(&mut self, access: Access) -> u32 {
        self.axil.push(access);
        while self.answers.is_empty() {
            self.clock();
        }
        self.answers.pop_front().expect("an answer")
    }

    fn query(&mut self, connection: u32) {
        self.access(Access::Write(offsets::QUERY, connection));
    }

    fn read(&mut self, offset: u16) -> u32 {
        self.access(Access::Read(offset))
    }

    /// A field of a register of this name.
    fn field(&mut self, name: &str, field: &str) -> u32 {
        let register = registers::register(name).expect("a register");
        let field = register.field(field).expect("a field");
        self.read(register.offset) >> field.lsb & ((1 << field.width) - 1)
    }

    fn post(&mut self, packets: u32) {
        self.work = Some(Work { key: crate::loopback::KEY, length: packets * MTU, ..Work::default() });
        self.run(CALM);
    }

    /// Sends the NIC an ACK that answers `trigger`: all packets before `expected` have arrived, and so have those
    /// in `more`.
    fn ack(&mut self, expected: u32, trigger: u32, more: &[u32]) {
        let bitmap = more.iter().fold([0; 4], |mut bits: [u64; 4], psn| {
            bits[0] |= 1 << (psn - expected);
            bits
        });
        let ack = Ack::new(expected - 1, trigger, 0xC000).with_bitmap(bitmap);
        let frame = to_nic(Bth::acknowledge(QP, expected - 1), &Body::Ack(ack), 0xC000);
        self.wire.extend(Beat::frame(&frame));
        self.ledger.acked.extend((PSN..expected).chain(more.iter().copied()));
        self.run(CALM);
    }

    fn nack(&mut self, psn: u32, reason: u8) {
        let body = Body::Nack(Nack::new(psn, reason, 0xC000, 0));
        let frame = to_nic(Bth::acknowledge(QP, psn), &body, 0xC000);
        self.wire.extend(Beat::frame(&frame));
        self.run(CALM);
    }

    /// Checks that the registers agree with the wire; `lost` packets wait to be sent again.
    fn check(&mut self, lost: usize) {
        self.query(0);
        let unacked = self.ledger.unacked();
        let next = self.ledger.next();
        assert_eq!(self.read(offsets::QUERY_UNA), unacked.first().copied().unwrap_or(next));
        assert_eq!(self.read(offsets::QUERY_NEXT), next);
        assert_eq!(self.field("query_packets", "unacked"), unacked.len() as u32);
        assert_eq!(self.field("query_packets", "in_flight"), (unacked.len() - lost) as u32);
    }
}

fn says_what_the_wire_says(view: View) {
    let maker = Maker::new(SackParams { connections: CONNECTIONS }, view != View::Model).expect("it builds");
    let mut it = Queried::new(maker.device(view, 1).expect("a NIC"));
    let identity = Identity {
        number: 0,
        mac: [0; 6],
        address: std::net::Ipv4Addr::LOCALHOST.into(),
        qp_base: QP,
        connections: CONNECTIONS,
        mtu: MTU,
        rate: Rate::GBPS_100,
        base_rtt_clocks: 2_000,
        trims: true,
        pauses: false,
        seed: 1,
    };
    let csr = configuration(&identity, EvMode::Reps).expect("possible").sender;
    let largest = csr.smartt.classes[0].max_cwnd_bytes;
    // No packet was sent: the largest window, the shortest epoch.
    it.check(0);
    assert_eq!(it.read(offsets::QUERY_CWND), largest);
    assert_eq!(it.field("query_timer", "epoch"), csr.sack.classes[0].epoch_ticks);
    assert_eq!(it.field("query_timer", "timeouts"), 0);
    assert_eq!(it.field("query_timer", "class"), 0);
    // Packets leave and are acknowledged, in order and not.
    it.post(6);
    assert_eq!(it.ledger.frames, 6);
    it.check(0);
    it.ack(PSN + 2, PSN + 1, &[]);
    it.check(0);
    it.ack(PSN + 2, PSN + 4, &[PSN + 4]);
    it.check(0);
    // One packet is requested again: it is in flight again when it has left, and uses no new PSN.
    it.nack(PSN + 2, nack_reason::TRIMMED);
    assert_eq!(it.ledger.frames, 7);
    it.check(0);
    it.ack(PSN + 6, PSN + 2, &[]);
    it.check(0);
    assert_eq!(it.ledger.unacked().len(), 0);
    // The work exceeds the window: as many packets leave as fit, and there is no space for another.
    it.post(200);
    it.run(2_500);
    it.check(0);
    let (cwnd, in_flight) = (it.read(offsets::QUERY_CWND), it.field("query_packets", "in_flight"));
    assert!((MTU..=largest).contains(&cwnd), "{cwnd}");
    assert_eq!(in_flight, (cwnd / MTU).max(1), "{cwnd} bytes");
    // Nobody answers. Other connections have other words.
    it.run(120_000);
    let timeouts = registers::register("recovery_timeouts").expect("a counter").offset;
    let counted = it.read(timeouts);
    assert!(counted > 0);
    it.query(0);
    assert_eq!(it.field("query_timer", "timeouts"), counted);
    it.query(1);
    assert_eq!((it.read(offsets::QUERY_UNA), it.read(offsets::QUERY_NEXT)), (PSN, PSN));
    assert_eq!((it.read(offsets::QUERY_CWND), it.read(offsets::QUERY_PACKETS)), (largest, 0));
    assert_eq!(it.field("query_timer", "timeouts"), 0);
    // An answer ends the row of timeouts.
    let next = it.ledger.next();
    it.ack(next, next - 1, &[]);
    it.run(2_500);
    it.query(0);
    assert_eq!(it.field("query_timer", "timeouts"), 0);
    it.check(0);
    // The peer denies a packet: no packet is left, and the cause stays even if another owner opens the index.
    let una = it.read(offsets::QUERY_UNA);
    it.nack(una, nack_reason::UNEXP_EVENT);
    const FROZEN: u32 = 1 << 2;
    const DENIED: u32 = 1 << 5;
    assert_eq!(it.read(offsets::STATE) & !FROZEN, 1 | DENIED);
    let freezes = registers::register("paths_freezes").expect("a counter").offset;
    assert_eq!(it.field("query_history", "freezes"), it.read(freezes));
    for offset in [offsets::QUERY_CWND, offsets::QUERY_UNA, offsets::QUERY_NEXT, offsets::QUERY_PACKETS] {
        assert_eq!(it.read(offset), 0, "{offset:#x}");
    }
    for op in [Op::Close, Op::Open] {
        assert_eq!(it.field("query_history", "causes"), DENIED >> 4, "{op:?}");
        it.driver.command(op, 0);
        it.run(CALM);
    }
    assert_eq!(it.read(offsets::STATE), 1);
    assert_eq!(it.read(offsets::QUERY_HISTORY), DENIED << 4);
    it.ledger = Ledger::default();
    it.check(0);
}

#[test]
fn registers_say_what_the_wire_says() {
    says_what_the_wire_says(View::Model);
}

#[test]
fn registers_of_the_rtl_say_what_the_wire_says() {
    says_what_the_wire_says(View::Lockstep);
}
