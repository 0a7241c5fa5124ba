//! Mutated frames into the RTL of the NIC. The NIC must not hang, write outside of opened regions, disturb a
//! connection that no frame attacks, or count wrongly (rules 2 and 3).

use std::collections::VecDeque;
use std::net::Ipv4Addr;
use verilator_sys::Reset;
use weft_blocks::nic::verilator;
use weft_nic::nic::Inputs;
use weft_nic::words::Beat;
use weft_params::{EvMode, NicParams};
use weft_random::Rng;
use weft_system::nic::{Alone, Connection, Driver, Identity, Rate, RegisterDriver, configuration};
use weft_wire::headers::{Peth, Reth, Xeth, nack_reason, opcode};
use weft_wire::{Ack, Body, Bth, Data, Ecn, Envelope, Nack, frame, icrc, packet};

const SEED: u64 = 1;
/// Open connections. No frame attacks the first connection. The second connection gets no data, because the
/// first forged packet would end it: frames of its peer thus meet a working sender.
const OPEN: u32 = 4;
const WITHOUT_DATA: u32 = 1;
const CONNECTIONS: u32 = 16;
const OWN: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const QP_BASE: u32 = 0x4560;
/// Bytes of each connection's region.
const REGION: u32 = 1 << 14;
/// Clocks after which an answer must have arrived.
const PATIENCE: u64 = 5_000;

fn peer(connection: u32) -> Ipv4Addr {
    Ipv4Addr::new(10, 0, 1, connection as u8)
}

fn base(connection: u32) -> u64 {
    0x7_0000_1003 + (u64::from(connection) << 20)
}

fn key(connection: u32) -> u32 {
    0xBEEF_0000 | connection
}

fn envelope(connection: u32, ev: u16, ecn: Ecn) -> Envelope {
    Envelope::v4(peer(connection), OWN, ev).marked(4, ecn)
}

/// A packet in the form of the connection's peer.
fn data(connection: u32, psn: u32, at: u32, payload: &[u8], last: bool) -> Vec<u8> {
    let reth = Reth::default()
        .with_va(base(connection) + u64::from(at))
        .with_r_key(key(connection))
        .with_dma_length(payload.len() as u32);
    let data = Data { reth, immediate: last.then_some(psn), xeth: Xeth::new(7, 0, 0), payload };
    let bth = Bth::data(QP_BASE + connection, psn);
    frame::encode(&envelope(connection, 0xC001, Ecn::Ect0), bth, &Body::Data(data)).unwrap()
}

fn ack(connection: u32, rng: &mut Rng) -> Vec<u8> {
    let cumulative = rng.draw() as u32 & 0xFF_FFFF;
    let ack = Ack::new(cumulative, cumulative.wrapping_add(rng.below(300)) & 0xFF_FFFF, 0xC001)
        .with_bitmap(std::array::from_fn(|_| rng.draw()));
    let bth = Bth::acknowledge(QP_BASE + connection, cumulative);
    let envelope = envelope(connection, 0xC001, Ecn::NotEct).marked(46, Ecn::NotEct);
    frame::encode(&envelope, bth, &Body::Ack(ack)).unwrap()
}

fn nack(connection: u32, rng: &mut Rng) -> Vec<u8> {
    let nack = Nack::new(rng.draw() as u32 & 0xFF_FFFF, nack_reason::TRIMMED, 0xC001, 7);
    let bth = Bth::acknowledge(QP_BASE + connection, 0);
    let envelope = envelope(connection, 0xC001, Ecn::NotEct).marked(46, Ecn::NotEct);
    frame::encode(&envelope, bth, &Body::Nack(nack)).unwrap()
}

fn probe(connection: u32) -> Vec<u8> {
    let bth = Bth::data(QP_BASE + connection, 0).with_opcode(opcode::PROBE).with_sprayed(false);
    frame::encode(&envelope(connection, 0xC001, Ecn::NotEct), bth, &Body::Probe(Peth::default())).unwrap()
}

/// Sets a right ICRC, so that only the contents of the frame are wrong.
fn seal(frame: &mut [u8]) {
    if let Some(right) = icrc::icrc(frame) {
        let end = frame.len();
        frame[end - 4..].copy_from_slice(&right.to_le_bytes());
    }
}

/// A right IPv4 header checksum.
fn checksum(frame: &mut [u8]) {
    frame[24..26].fill(0);
    let sum: u32 =
        frame[14..34].chunks(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]]))).sum();
    let sum = (sum & 0xFFFF) + (sum >> 16);
    let sum = (sum & 0xFFFF) + (sum >> 16);
    frame[24..26].copy_from_slice(&(!(sum as u16)).to_be_bytes());
}

/// A frame with a fault, or a forged frame without one.
fn hostile(rng: &mut Rng) -> Vec<u8> {
    let connection = 1 + rng.below(CONNECTIONS - 1);
    let payload: Vec<u8> = (0..rng.below(200)).map(|_| rng.draw() as u8).collect();
    let mut bytes = match rng.below(8) {
        0 => ack(connection, rng),
        1 => nack(connection, rng),
        2 => probe(connection),
        3..6 if connection == WITHOUT_DATA => ack(connection, rng),
        _ if connection == WITHOUT_DATA => nack(connection, rng),
        _ => data(connection, rng.below(600), rng.below(REGION), &payload, rng.below(2) == 0),
    };
    let random_byte = |bytes: &mut Vec<u8>, rng: &mut Rng, from: u32| {
        let at = (from + rng.below(bytes.len() as u32 - from)) as usize;
        bytes[at] ^= 1 << rng.below(8);
    };
    match rng.below(14) {
        // Flipped bits that the FCS did not show.
        0 | 1 => (0..=rng.below(3)).for_each(|_| random_byte(&mut bytes, rng, 0)),
        // A frame cut off, or too long.
        2 => bytes.truncate(15 + rng.below(bytes.len() as u32 - 15) as usize),
        3 => bytes.extend((0..=rng.below(100)).map(|_| rng.draw() as u8)),
        // Lengths of IP and UDP.
        4 => {
            let at = [16, 38][rng.below(2) as usize];
            bytes[at..at + 2].copy_from_slice(&(rng.draw() as u16).to_be_bytes());
            checksum(&mut bytes);
        }
        // Checksum of the header.
        5 => bytes[24 + rng.below(2) as usize] ^= 1 + rng.below(255) as u8,
        // Versions, header lengths, fragments, protocols.
        6 => {
            bytes[[14, 20, 23, 43][rng.below(4) as usize]] = rng.draw() as u8;
            checksum(&mut bytes);
            seal(&mut bytes);
        }
        // Any field behind the UDP header, with a right ICRC: PSN, address, key, length, bitmap, queue pair,
        // opcode.
        7..=9 => {
            (0..=rng.below(3)).for_each(|_| random_byte(&mut bytes, rng, 42));
            seal(&mut bytes);
        }
        // A trimmed packet, or one marked as trimmed.
        10 => {
            bytes[15] = [12 << 2, 16 << 2][rng.below(2) as usize] | 2;
            checksum(&mut bytes);
        }
        // A frame of a VLAN, or of priority 0 to 7 and no VLAN.
        11 => {
            let tag = rng.draw() as u16 & [0xFFFF, 0xE000][rng.below(2) as usize];
            bytes.splice(12..12, [0x81, 0x00].into_iter().chain(tag.to_be_bytes()));
        }
        // A frame of another partition, or of a limited member, with a right ICRC.
        12 => {
            bytes[44 + rng.below(2) as usize] ^= 1 << rng.below(8);
            seal(&mut bytes);
        }
        // Random bytes.
        _ => bytes = (0..14 + rng.below(200)).map(|_| rng.draw() as u8).collect(),
    }
    bytes
}

/// The NIC and the checks on every clock.
struct Bench {
    nic: Alone,
    clock: u64,
    inputs: Inputs,
    /// Words of frames that have not yet been sent.
    feed: VecDeque<Beat>,
    /// Writes that the first connection has to make.
    due: VecDeque<(u64, Vec<u8>)>,
    /// The packet that is being written.
    written: Vec<u8>,
    packets: u64,
    /// The cumulative PSN that the first connection acknowledged last.
    acknowledged: Option<u32>,
    sending: Vec<u8>,
}

impl Bench {
    fn clock(&mut self) {
        let outputs = *self.nic.outputs();
        if let Some((connection, write)) = outputs.write.get() {
            self.written.extend(write.beat.bytes());
            if write.beat.last {
                self.packet(connection, write.place.address, usize::from(write.place.bytes));
            }
        }
        if let Some((_, beat)) = outputs.net.get() {
            self.sending.extend(beat.bytes());
            if beat.last {
                let said = packet::parse(&self.sending).expect("a frame of the NIC");
                if said.dest_qp() == 0x900 {
                    self.acknowledged = said.acknowledgement().and_then(|said| said.cumulative_psn);
                }
                self.sending.clear();
            }
        }
        let net = self.feed.pop_front();
        let open = Inputs {
            net_ready: true,
            bypass_ready: true,
            fetch_ready: true,
            write_ready: true,
            received_ready: true,
            sent_ready: true,
            ..self.inputs
        };
        self.nic.clock(&Inputs { net, ..open }).unwrap();
        self.clock += 1;
    }

    /// Checks a written packet: it is in its connection's region, and the first connection's packet has the
    /// sent bytes.
    fn packet(&mut self, connection: u32, address: u64, bytes: usize) {
        let payload = std::mem::take(&mut self.written);
        assert_eq!(payload.len(), bytes, "clock {}", self.clock);
        assert!((0..OPEN).contains(&connection), "clock {}: connection {connection} is not open", self.clock);
        let offset = address.checked_sub(base(connection)).expect("an address in front of the region");
        assert!(offset + bytes as u64 <= u64::from(REGION), "clock {}: beyond the region", self.clock);
        if connection == 0 {
            assert_eq!(self.due.pop_front(), Some((address, payload)), "clock {}", self.clock);
        }
        self.packets += 1;
    }

    /// Runs until the driver has no more accesses.
    fn settle(&mut self, driver: &mut RegisterDriver) {
        while !driver.is_idle() {
            self.inputs.axil = driver.poll(&self.nic.outputs().axil).unwrap();
            self.clock();
        }
        self.inputs.axil = Default::default();
    }
}

#[test]
fn mutated_frames() {
    attack(60_000);
}

#[test]
#[ignore = "soak: ten minutes of frames"]
fn a_million_mutated_frames() {
    attack(1_000_000);
}

fn attack(frames: u64) {
    let params = NicParams { connections: CONNECTIONS, ..NicParams::default() };
    let library = verilator(&params).unwrap().load().unwrap();
    let nic = Alone::new(&library, Reset::Random(SEED as u32)).unwrap();
    let mut bench = Bench {
        nic,
        clock: 0,
        inputs: Inputs { rst: true, ..Inputs::default() },
        feed: VecDeque::new(),
        due: VecDeque::new(),
        written: Vec::new(),
        packets: 0,
        acknowledged: None,
        sending: Vec::new(),
    };
    bench.nic.clock(&bench.inputs).unwrap();
    bench.inputs.rst = false;
    let identity = Identity {
        number: 0,
        mac: [2, 0, 10, 0, 0, 1],
        address: OWN.into(),
        qp_base: QP_BASE,
        connections: CONNECTIONS,
        mtu: 1024,
        rate: Rate::GBPS_100,
        base_rtt_clocks: 3_000,
        trims: true,
        pauses: false,
        seed: SEED,
    };
    let mut driver = RegisterDriver::new(&identity, &configuration(&identity, EvMode::Reps).unwrap());
    for number in 0..OPEN {
        driver.connect(&Connection {
            number,
            peer_mac: [2, 0, 10, 0, 1, number as u8],
            peer_address: peer(number).into(),
            tag: None,
            peer_qp: 0x900 + number,
            send_psn: 0,
            receive_psn: 0,
            region_base: base(number),
            region_length: REGION,
            region_key: key(number),
            class: 0,
            ev: 0,
        });
    }
    bench.settle(&mut driver);

    let mut rng = Rng::new(SEED);
    let (mut good, mut fed) = (0u32, 0u64);
    while fed < frames {
        let mut bad = false;
        let frame = if rng.below(16) == 0 && bench.due.len() < 32 {
            let payload: Vec<u8> = (0..1 + rng.below(300)).map(|_| rng.draw() as u8).collect();
            let at = rng.below(REGION - 300);
            bench.due.push_back((base(0) + u64::from(at), payload.clone()));
            good += 1;
            data(0, good - 1, at, &payload, good.is_multiple_of(5))
        } else {
            bad = rng.below(50) == 0;
            hostile(&mut rng)
        };
        fed += 1;
        bench.feed.extend(Beat::frame(&frame));
        if let Some(last) = bench.feed.back_mut() {
            last.bad = bad;
        }
        while !bench.feed.is_empty() {
            bench.clock();
        }
    }
    let end = bench.clock + PATIENCE;
    while bench.acknowledged != Some((good - 1) & 0xFF_FFFF) {
        bench.clock();
        assert!(bench.clock < end, "the first connection's packets are not acknowledged: it hangs");
    }
    assert!(bench.due.is_empty());

    driver.read_counters();
    bench.settle(&mut driver);
    let counters = driver.counters();
    let count = |name: &str| counters.iter().find(|(known, _)| known == name).map_or(0, |(_, count)| *count);
    let causes = [
        "data",
        "trims",
        "acks",
        "nacks",
        "probes",
        "bypassed",
        "mac_errors",
        "malformed",
        "checksum_errors",
        "icrc_errors",
        "unknown_connections",
        "wrong_peers",
        "wrong_vlans",
        "wrong_pkeys",
        "overflows",
        "bypass_overflows",
    ];
    let counted: Vec<(&str, u64)> = causes.map(|cause| (cause, count(&format!("ingress_{cause}")))).to_vec();
    println!("{} clocks, {} packets written, {counted:?}", bench.clock, bench.packets);
    assert_eq!(counted.iter().map(|(_, count)| count).sum::<u64>(), fed, "every frame is counted once");
    let tried =
        causes.iter().filter(|cause| !["wrong_peers", "overflows", "bypass_overflows"].contains(cause));
    for cause in tried {
        assert!(count(&format!("ingress_{cause}")) > frames / 1_000, "{cause} was hardly tried");
    }
    let answered =
        ["receiver_access_errors", "sack_rx_outside", "sack_tx_not_open_events", "sack_tx_never_sent"];
    assert!(answered.iter().all(|name| count(name) > frames / 1_000));
}
