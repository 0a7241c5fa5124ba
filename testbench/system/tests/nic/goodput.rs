//! Share of a wire that a NIC fills with packets of each size, with the latency of host memory over PCIe.
//! Enough DMA reads must be in progress.

use std::collections::VecDeque;
use std::net::Ipv4Addr;
use weft_nic::nic::{Inputs, Nic};
use weft_nic::words::{Beat, Work};
use weft_params::{EvMode, SackParams};
use weft_system::nic::{
    CLOCK_NS, Connection, Driver, HostSettings, Identity, OVERHEAD, Rate, RegisterDriver, configuration,
};

/// Connections between the two NICs in most runs.
const CONNECTIONS: u32 = 16;
/// A message of several packets.
const MESSAGE: u32 = 1 << 16;
/// Smallest MTU that SMaRTT's windows are calculated for. Shorter packets are messages of one packet.
const SHORTEST_MTU: u32 = 1_024;
/// Maximum number of unfinished messages of a connection (page of the NIC, rule 4).
const MESSAGES: u32 = 16;
/// Clocks of the wire.
const WIRE_CLOCKS: u64 = 250;
/// A round trip: DMA, pipelines of two NICs, two wires.
const BASE_RTT_CLOCKS: u64 = 1_400;
/// Remote key of all regions.
const KEY: u32 = 7;

/// Words that arrive a fixed number of clocks after they were sent.
struct Late<T> {
    clocks: u64,
    words: VecDeque<(u64, T)>,
}

impl<T: Copy> Late<T> {
    fn new(clocks: u64) -> Self {
        Self { clocks, words: VecDeque::new() }
    }

    fn send(&mut self, clock: u64, word: T) {
        self.words.push_back((clock + self.clocks, word));
    }

    fn offered(&self, clock: u64) -> Option<T> {
        self.words.front().filter(|(due, _)| *due <= clock).map(|(_, word)| *word)
    }
}

/// A NIC, its driver, the work of its host, and the wire that leaves it.
struct Host {
    nic: Nic,
    driver: RegisterDriver,
    reads: Late<Beat>,
    /// Bytes that the wire has yet to send.
    debt: usize,
    wire: Late<Beat>,
    /// DMA reads that have not ended, and the largest number of them at once.
    reading: u32,
    most_reads: u32,
    /// Bytes written to the host's memory.
    written: u64,
    /// Messages of each connection that are unfinished.
    unfinished: Vec<u32>,
    turn: u32,
}

impl Host {
    fn new(number: u32, mtu: u32, connections: u32) -> Self {
        let address = |number: u32| Ipv4Addr::from(0x0A00_0001 + number).into();
        let mac = |number: u32| [2, 0, 0, 0, 0, number as u8];
        let identity = Identity {
            number,
            mac: mac(number),
            address: address(number),
            qp_base: 0,
            connections,
            mtu,
            rate: Rate::GBPS_100,
            base_rtt_clocks: BASE_RTT_CLOCKS,
            trims: true,
            pauses: false,
            seed: number.into(),
        };
        let mut driver = RegisterDriver::new(&identity, &configuration(&identity, EvMode::Reps).unwrap());
        for connection in 0..connections {
            driver.connect(&Connection {
                number: connection,
                peer_mac: mac(1 - number),
                peer_address: address(1 - number),
                tag: None,
                peer_qp: connection,
                send_psn: 0,
                receive_psn: 0,
                region_base: 0,
                region_length: MESSAGE,
                region_key: KEY,
                class: 0,
                ev: 0,
            });
        }
        let mut nic = Nic::new(SackParams { connections });
        nic.clock(&Inputs { rst: true, ..Inputs::default() });
        Self {
            nic,
            driver,
            reads: Late::new(HostSettings::default().dma_latency_clocks),
            debt: 0,
            wire: Late::new(WIRE_CLOCKS),
            reading: 0,
            most_reads: 0,
            written: 0,
            unfinished: vec![0; connections as usize],
            turn: 0,
        }
    }

    /// One clock. The host posts messages on `posts` connections.
    fn clock(&mut self, clock: u64, net: Option<Beat>, posts: u32, length: u32) {
        let outputs = *self.nic.outputs();
        self.debt = self.debt.saturating_sub(Rate::GBPS_100.bytes as usize);
        let mut inputs = Inputs {
            axil: self.driver.poll(&outputs.axil).unwrap(),
            net,
            net_ready: self.debt < Rate::GBPS_100.bytes as usize,
            read: self.reads.offered(clock),
            ..Inputs::taking()
        };
        if posts > 0 && outputs.work_ready {
            let connection = self.turn % posts;
            self.turn += 1;
            let unfinished = &mut self.unfinished[connection as usize];
            if *unfinished < MESSAGES {
                *unfinished += 1;
                inputs.work = Some((connection, Work { key: KEY, length, ..Work::default() }));
            }
        }
        if let Some((_, place)) = outputs.fetch.get() {
            Beat::frame(&vec![0x5A; place.bytes.into()])
                .into_iter()
                .for_each(|beat| self.reads.send(clock, beat));
            self.reading += 1;
            self.most_reads = self.most_reads.max(self.reading);
        }
        if outputs.read_ready
            && let Some(beat) = inputs.read
        {
            self.reads.words.pop_front();
            self.reading -= u32::from(beat.last);
        }
        if inputs.net_ready
            && let Some((_, beat)) = outputs.net.get()
        {
            self.debt += beat.keep.count_ones() as usize + if beat.last { OVERHEAD } else { 0 };
            self.wire.send(clock, beat);
        }
        if let Some((_, write)) = outputs.write.get() {
            self.written += u64::from(write.beat.keep.count_ones());
        }
        if let Some((connection, _)) = outputs.sent.get() {
            self.unfinished[connection as usize] -= 1;
        }
        self.nic.clock(&inputs);
    }
}

/// Payload in Gb/s from one NIC to the other over this many connections, and the maximum number of DMA reads
/// in progress.
fn goodput(bytes: u32, connections: u32) -> (f64, u32) {
    let length = if bytes < SHORTEST_MTU { bytes } else { MESSAGE };
    let shape = connections.max(CONNECTIONS);
    let mut hosts = [0, 1].map(|number| Host::new(number, bytes.max(SHORTEST_MTU), shape));
    let (mut clock, mut up) = (0, 0);
    let mut run = |hosts: &mut [Host; 2], clocks: u64| {
        for _ in 0..clocks {
            let idle = hosts.iter().all(|host| host.driver.is_idle());
            let net = [1, 0].map(|from: usize| {
                let net = hosts[from].wire.offered(clock)?;
                hosts[from].wire.words.pop_front();
                Some(net)
            });
            hosts[0].clock(clock, net[0], if idle { connections } else { 0 }, length);
            hosts[1].clock(clock, net[1], 0, length);
            clock += 1;
            up += u64::from(idle);
        }
        up
    };
    while run(&mut hosts, 1) == 0 {}
    run(&mut hosts, WARM_UP);
    let before = hosts[1].written;
    run(&mut hosts, MEASURED);
    // No packet is lost, so the NIC must not report a lost packet.
    let recovery = hosts[0].nic.sender().outputs().counters.recovery;
    assert_eq!((recovery.again, recovery.timeouts), (0, 0), "{bytes} bytes: {recovery:?}");
    ((hosts[1].written - before) as f64 * 8.0 / (MEASURED * CLOCK_NS) as f64, hosts[0].most_reads)
}

/// Clocks until the traffic is steady, and clocks of the measurement: 40 and 200 us.
const WARM_UP: u64 = 10_000;
const MEASURED: u64 = 50_000;

/// Payload in Gb/s that a wire of 100 Gb/s can carry in packets of this size. The rest is headers and ICRC
/// over IPv4, and the immediate in a message's last packet.
fn wire(bytes: u32) -> f64 {
    let around = OVERHEAD as u32 + if bytes < SHORTEST_MTU { 86 } else { 82 };
    100.0 * f64::from(bytes) / f64::from(bytes + around)
}

/// Host memory answers after 0.8 us. In that time the wire carries 9 packets of 1 KiB or 27 of 256 bytes.
/// With that many reads in progress the wire never waits.
#[test]
fn short_packets_fill_the_wire() {
    for bytes in [256, 512, 1024, 2048, 4096, 8192] {
        let (gbps, reads) = goodput(bytes, CONNECTIONS);
        println!("{bytes} bytes: {gbps:.1} Gb/s of {:.1}, {reads} reads under way", wire(bytes));
        // A tolerance of 1 %: the measurement cuts a packet at either end (24,000 of 2.5 million bytes at
        // most), ACKs change windows, and the last packet of a long message is four bytes longer.
        assert!(gbps > 0.99 * wire(bytes), "{bytes} bytes: {gbps} of {} Gb/s", wire(bytes));
        // Rule 4 of egress: 32 orders or 16 KiB in the queue.
        assert!(reads >= 32.min(16 * 1_024 / bytes), "{bytes} bytes: {reads} reads");
    }
}

/// 256 connections share a wire that is always full. No timer expires (`goodput` checks that), although each
/// connection sends rarely and has its own epochs and probes.
#[test]
fn many_connections_fill_the_wire_and_none_times_out() {
    for bytes in [1024, 4096] {
        let (gbps, _) = goodput(bytes, 256);
        println!("256 connections, {bytes} bytes: {gbps:.1} Gb/s of {:.1}", wire(bytes));
        assert!(gbps > 0.99 * wire(bytes), "{bytes} bytes: {gbps} of {} Gb/s", wire(bytes));
    }
}

/// A single connection has two packets in a turn of the transport, one in 16.5 clocks (rule 16 of the SACK
/// sender). The connection's ACKs arrive every 22.6 clocks. SMaRTT accepts one ACK in 24 clocks, so the
/// sender merges ACKs (rule 21 of the sender).
#[test]
fn one_connection_fills_the_wire() {
    for bytes in [1024, 2048, 4096] {
        let (gbps, _) = goodput(bytes, 1);
        println!("one connection, {bytes} bytes: {gbps:.1} Gb/s of {:.1}", wire(bytes));
        assert!(gbps > 0.99 * wire(bytes), "{bytes} bytes: {gbps} of {} Gb/s", wire(bytes));
    }
}
