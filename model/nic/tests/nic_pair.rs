//! Two NICs as transactions, without clocks. The network loses, duplicates, reorders, trims, marks and
//! damages frames. Every message ends with the right bytes, each written once. A measurement shows the speed
//! of the pair.

mod common;

use common::{Flow, Network, configuration, connection, read};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;
use weft_nic::block::ingress::Packet;
use weft_nic::nic::transaction::{Incoming, Nic, Outgoing};
use weft_params::{EvMode, SackParams, SackTxCsr};
use weft_random::Rng;

/// A parcel: a frame, or its packet for tests that need no bytes; or a NIC is to be polled.
enum Parcel {
    Frame(Vec<u8>),
    Packet(u32, Packet),
    Wake,
}

struct Settings {
    connections: u32,
    /// Per connection and direction.
    messages: u32,
    longest: u32,
    mtu_shift: u8,
    mode: EvMode,
    network: Network,
    /// Rules of loss detection.
    sack: SackTxCsr,
    /// Frames as bytes.
    bytes: bool,
    /// Whether the payload is compared; otherwise the payload is zeros.
    check: bool,
    seed: u64,
}

struct Pair {
    settings: Settings,
    rng: Rng,
    nics: [Nic; 2],
    /// Flows by sending NIC and connection.
    flows: [Vec<Flow>; 2],
    posted: [Vec<u32>; 2],
    /// Times at which the wires are free.
    free: [u64; 2],
    events: BinaryHeap<Reverse<(u64, u64)>>,
    parcels: std::collections::HashMap<u64, (usize, Parcel)>,
    serial: u64,
    packets: u64,
    /// Time of the last event.
    now: u64,
}

impl Pair {
    fn new(settings: Settings) -> Self {
        let params = SackParams { connections: settings.connections };
        let nics = [0, 1].map(|number| {
            let mut csr = configuration(number, settings.mtu_shift);
            csr.sender.reps.mode = settings.mode;
            csr.sender.sack = settings.sack;
            csr.sender.sack.mtu_bytes = 1 << settings.mtu_shift;
            csr.receiver.sack.ack_packets = 2;
            let mut nic = Nic::new(params, csr);
            for id in 0..settings.connections {
                let psns = [0xFF_FF00 + id, 77 * id];
                let (ours, theirs) = (psns[number as usize], psns[1 - number as usize]);
                nic.open(id, &connection(number, id, ours, theirs), 0);
            }
            nic.seed(number + 5, 0);
            nic
        });
        let flows = || (0..settings.connections).map(Flow::new).collect();
        let none = vec![0; settings.connections as usize];
        Self {
            rng: Rng::new(settings.seed),
            nics,
            flows: [flows(), flows()],
            posted: [none.clone(), none],
            free: [0; 2],
            events: BinaryHeap::new(),
            parcels: Default::default(),
            serial: 0,
            packets: 0,
            now: 0,
            settings,
        }
    }

    fn put(&mut self, time: u64, nic: usize, parcel: Parcel) {
        self.serial += 1;
        self.events.push(Reverse((time, self.serial)));
        self.parcels.insert(self.serial, (nic, parcel));
    }

    /// Posts while there is space.
    fn post(&mut self, at: usize, now: u64) {
        for id in 0..self.settings.connections {
            let index = id as usize;
            while self.posted[at][index] < self.settings.messages && self.flows[at][index].outstanding() < 16
            {
                let length = self.rng.below(self.settings.longest);
                let work = self.flows[at][index].post(self.posted[at][index], length, self.rng.chance(1, 2));
                self.posted[at][index] += 1;
                self.nics[at].work(id, &work, now);
            }
        }
    }

    /// Transmits if the wire is free, and schedules the next transmission.
    fn pump(&mut self, at: usize, now: u64) {
        if self.free[at] > now {
            return;
        }
        let nic = &mut self.nics[at];
        let Some(outgoing) = nic.poll(now) else {
            if let Some(time) = nic.next_deadline(now) {
                assert!(time > now, "a timer that has expired is left");
                self.put(time, at, Parcel::Wake);
            }
            return;
        };
        self.packets += 1;
        let mut length = 130;
        if self.settings.bytes {
            let fetch = if let Outgoing::Data(ordered) = &outgoing { ordered.fetch } else { None };
            let payload = fetch.map_or(Vec::new(), |place| match self.settings.check {
                true => read(place.address, place.bytes),
                false => vec![0; place.bytes.into()],
            });
            let frame = nic.frame(outgoing, Some(&payload), now).expect("a frame");
            length = frame.len();
            for (time, frame) in self.settings.network.pass(&mut self.rng, &frame, now) {
                self.put(time, 1 - at, Parcel::Frame(frame));
            }
        } else {
            let packet = nic.packet_of(&outgoing, now).expect("a packet");
            let id = match &outgoing {
                Outgoing::Reply(id, _) => *id,
                Outgoing::Data(ordered) => {
                    length = 100 + usize::from(ordered.order.bytes);
                    ordered.connection
                }
                Outgoing::Other(_) => unreachable!(),
            };
            if !self.rng.chance(self.settings.network.loss, 1000) {
                let delay =
                    self.settings.network.delay + u64::from(self.rng.below(self.settings.network.jitter + 1));
                self.put(now + delay, 1 - at, Parcel::Packet(id, packet));
            }
        }
        // 100 Gb/s are 400 bytes a tick.
        self.free[at] = now + 1 + length as u64 / 400;
        self.put(self.free[at], at, Parcel::Wake);
    }

    fn run(&mut self) {
        let all = self.settings.connections * self.settings.messages;
        for at in [0, 1] {
            self.post(at, 0);
            self.pump(at, 0);
        }
        while let Some(Reverse((now, serial))) = self.events.pop() {
            self.now = now;
            let (at, parcel) = self.parcels.remove(&serial).expect("a parcel");
            let peer = 1 - at;
            match parcel {
                Parcel::Frame(frame) => {
                    if let Incoming::Taken { connection, write: Some((address, bytes)) } =
                        self.nics[at].receive(&frame, false, now)
                    {
                        let flow = &mut self.flows[peer][connection as usize];
                        match self.settings.check {
                            true => flow.write(address, bytes),
                            false => flow.place(address, bytes.len() as u16),
                        }
                    }
                }
                Parcel::Packet(id, packet) => {
                    if let Some(place) = self.nics[at].receive_packet(id, &packet, now) {
                        self.flows[peer][id as usize].place(place.address, place.bytes);
                    }
                }
                Parcel::Wake => {}
            }
            while let Some((id, received)) = self.nics[at].received() {
                self.flows[peer][id as usize].received(&received);
            }
            let mut ended = false;
            while let Some((id, sent)) = self.nics[at].sent() {
                self.flows[at][id as usize].sent(&sent);
                ended = true;
            }
            if ended {
                self.post(at, now);
            }
            self.pump(at, now);
            let done = |flows: &Vec<Flow>| flows.iter().map(|flow| flow.done).sum::<u32>();
            if ended && self.flows.iter().all(|flows| done(flows) == all) {
                return;
            }
        }
        panic!("nothing happens any more: {:?}", self.flows.each_ref().map(|flows| flows[0].done));
    }
}

const BAD: Network =
    Network { loss: 30, twice: 30, mark: 100, trim: 30, damage: 20, delay: 40, jitter: 60, down: (0, 0) };
const GOOD: Network =
    Network { loss: 0, twice: 0, mark: 0, trim: 0, damage: 0, delay: 40, jitter: 0, down: (0, 0) };

#[test]
fn every_message_is_done_and_each_byte_is_written_once() {
    for seed in 0..6 {
        let mode = [EvMode::Reps, EvMode::Ops, EvMode::Fixed, EvMode::Reps2024][seed as usize % 4];
        let mut pair = Pair::new(Settings {
            connections: 16,
            messages: 60,
            longest: 20_000,
            mtu_shift: [8, 10, 12][seed as usize % 3],
            mode,
            network: BAD,
            sack: SackTxCsr::default().with_backoff(1).with_rto(1_000),
            bytes: true,
            check: true,
            seed,
        });
        pair.run();
        let counters = pair.nics[0].counters();
        println!("{} packets, counters of NIC 0: {counters:?}", pair.packets);
        assert!(pair.flows.iter().flatten().all(|flow| (flow.done, flow.failed) == (60, 0)));
    }
}

/// A link is down for half a second, with default registers: no connection gives up.
#[test]
fn a_link_down_for_half_a_second_loses_nothing() {
    const MS: u64 = 31_250;
    for seed in 0..5 {
        let mut pair = Pair::new(Settings {
            connections: 16,
            messages: 40,
            longest: 20_000,
            mtu_shift: 12,
            mode: EvMode::Reps,
            network: Network { down: (300, 300 + 500 * MS), ..GOOD },
            sack: SackTxCsr::default(),
            bytes: true,
            check: true,
            seed,
        });
        pair.run();
        let ended_ms = pair.now / MS;
        println!("seed {seed}: all done after {ended_ms} ms");
        assert!((500..510).contains(&ended_ms), "{ended_ms} ms");
        assert!(pair.flows.iter().flatten().all(|flow| (flow.done, flow.failed) == (40, 0)));
    }
}

/// The packets without bytes equal the packets that ingress finds in the frames.
#[test]
fn packets_without_bytes_are_the_packets_of_the_frames() {
    use weft_nic::block::ingress::{Verdict, judge};
    let mut rng = Rng::new(3);
    let [mut nic, mut twin] = [0, 1].map(|_| Nic::new(SackParams { connections: 4 }, configuration(0, 10)));
    let peer = configuration(1, 10).ingress;
    nic.open(2, &connection(0, 2, 7, 9), 0);
    for _ in 0..2_000 {
        let (mut order, mut reply) = (weft_nic::words::Order::default(), weft_nic::words::Reply::default());
        // Still to be sent: the frame of one that was acknowledged does not leave.
        order.psn = rng.below(1 << 14) << 10 | (7 + rng.below(500));
        (order.ev, order.message) = (rng.draw() as u16, rng.draw() as u16);
        (order.again, order.last, order.solicited) = (rng.chance(1, 2), rng.chance(1, 2), rng.chance(1, 2));
        (order.request, order.address, order.key) = (rng.chance(1, 2), rng.draw(), rng.draw() as u32);
        (order.bytes, order.immediate) = (rng.below(1025) as u16, rng.draw() as u32);
        reply.nack = rng.chance(1, 2);
        reply.cumulative = rng.below(1 << 24);
        reply.psn = (reply.cumulative + rng.below(600)).wrapping_sub(300) & 0xFF_FFFF;
        reply.bitmap = [rng.draw(), rng.draw(), rng.draw(), rng.draw()];
        (reply.ce, reply.probe, reply.ev, reply.stamp) =
            (rng.chance(1, 2), rng.chance(1, 2), rng.draw() as u16, rng.draw() as u16);
        if reply.nack {
            reply.reason = rng.draw() as u8;
        }
        let now = rng.draw();
        let payload = read(0, order.bytes);
        let ordered = weft_nic::block::sender::Ordered { connection: 2, order, ..Default::default() };
        for outgoing in [Outgoing::Data(ordered), Outgoing::Reply(2, reply)] {
            let found = twin.packet_of(&outgoing, now).expect("a packet");
            let frame = nic.frame(outgoing, Some(&payload), now).expect("a frame");
            match judge(&peer, 4, &frame, false) {
                Verdict::Sound { connection: Some(2), packet, .. } => assert_eq!(packet, found),
                verdict => panic!("{verdict:?}"),
            }
        }
    }
    assert_eq!(nic.counters(), twin.counters());
}

/// Packets in a second, each made by one NIC and accepted by the other NIC, on a perfect network. Run one of
/// the three tests below with `--nocapture`.
fn throughput(bytes: bool, mtu_shift: u8) {
    let settings = Settings {
        connections: 64,
        messages: 100,
        longest: 20 << mtu_shift,
        mtu_shift,
        mode: EvMode::Reps,
        network: GOOD,
        sack: SackTxCsr::default(),
        bytes,
        check: false,
        seed: 1,
    };
    let mut pair = Pair::new(settings);
    let start = Instant::now();
    pair.run();
    let seconds = start.elapsed().as_secs_f64();
    println!("{} packets in {seconds:.2} s, {:.0} a second", pair.packets, pair.packets as f64 / seconds);
    assert!(pair.packets > 200_000);
}

#[test]
fn throughput_of_long_frames() {
    throughput(true, 12);
}

#[test]
fn throughput_of_short_frames() {
    throughput(true, 8);
}

#[test]
fn throughput_of_packets_without_bytes() {
    throughput(false, 12);
}
