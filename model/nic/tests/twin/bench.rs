//! The two views side by side, their inputs and outputs, and the peer at the other end of the wire.

use super::device::{CONNECTIONS, Decision, Device, Seen};
use crate::common::{Flow, Network, configuration, connection, read};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use weft_nic::nic::transaction::{Incoming, Nic, Outgoing};
use weft_nic::words::{Beat, Place, Sent, Status, Work};
use weft_params::registers::{COUNTERS, NicCsr, Op, counters_of, offsets, writes};
use weft_params::{EvMode, SackParams};
use weft_random::Rng;

/// Quiet clocks after which the effects of data, and of any input, are over.
pub(super) const RECEIVED: u64 = 100;
pub(super) const OVER: u64 = 180;

/// Clocks of a tick while time does not advance, as a power of 2.
const STILL: u32 = 15;

/// A round needs fewer clocks than this.
const LONGEST: u64 = 8_000;

/// Number of reads, one of which fails.
const FAILS: u64 = 97;

/// Requests with ids from this one on must be refused.
pub(super) const REFUSED: u32 = 1 << 31;

/// The data of the n-th fetch.
fn fetched(n: u64, place: &Place) -> (Vec<u8>, bool) {
    (read(place.address, place.bytes), n % FAILS == FAILS - 1)
}

/// A stimulus.
#[derive(Clone, Debug)]
pub(crate) enum Stimulus {
    Frame(Vec<u8>, bool),
    Work(u32, Work),
    Bypass(Vec<u8>),
}

/// A frame in the network: time of its arrival, its number, its place, and its bytes.
pub(super) type Parcel = (u64, u64, usize, Vec<u8>);

pub(crate) struct Bench {
    pub(crate) device: Device,
    pub(crate) twin: Nic,
    /// The peer, and the frames that the peer gets.
    pub(super) peer: Nic,
    csr: NicCsr,
    pub(super) rng: Rng,
    pub(super) network: Network,
    pub(crate) now: u64,
    /// The arrivals: contents, time, and place.
    pub(super) parcels: BinaryHeap<Reverse<Parcel>>,
    serial: u64,
    /// Flows by sending NIC and connection.
    pub(crate) flows: [Vec<Flow>; 2],
    pub(super) open: [bool; CONNECTIONS as usize],
    pub(super) ids: u32,
    fetches: u64,
    pub(crate) packets: u64,
    pub(crate) rounds: u64,
    pub(crate) refused: u64,
    pub(crate) ties: u64,
}

impl Bench {
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let shift = [8, 10][seed as usize % 2];
        let mut csrs = [0, 1].map(|number| configuration(number, shift));
        for csr in &mut csrs {
            csr.tick_shift = STILL as u8;
            let modes = [EvMode::Reps, EvMode::Reps, EvMode::Ops, EvMode::Reps2024, EvMode::Fixed];
            csr.sender.reps.mode = *rng.pick(&modes);
            csr.sender.reps.freeze_timeout_ticks = 1_000;
            csr.sender.reps.bdp_packets = 16;
            csr.sender.idle_ticks = *rng.pick(&[0, 200]);
            let sack = csr.sender.sack.with_gap(*rng.pick(&[0, 4, 16])).with_rto(400 + rng.below(200));
            csr.sender.sack = sack.with_backoff(2).with_retries(*rng.pick(&[3, 7]));
            csr.receiver.sack.ack_packets = 1 + rng.below(4);
            csr.receiver.ack_timeout_ticks = *rng.pick(&[0, 60, 125]);
            for class in &mut csr.sender.smartt.classes {
                class.mtu_bytes = 1 << shift;
                class.max_cwnd_bytes = 24 << shift;
            }
        }
        let params = SackParams { connections: CONNECTIONS };
        let flows = || (0..CONNECTIONS).map(Flow::new).collect();
        let mut bench = Self {
            device: Device::new(fetched),
            twin: Nic::new(params, csrs[0]),
            peer: Nic::new(params, csrs[1]),
            csr: csrs[0],
            network: Network {
                loss: rng.below(50),
                twice: rng.below(50),
                mark: rng.below(300),
                trim: rng.below(50),
                damage: rng.below(20),
                delay: 20,
                jitter: *rng.pick(&[0, 60, 300]),
                down: (0, 0),
            },
            rng,
            now: 0,
            parcels: BinaryHeap::new(),
            serial: 0,
            flows: [flows(), flows()],
            open: [false; CONNECTIONS as usize],
            ids: 0,
            fetches: 0,
            packets: 0,
            rounds: 0,
            refused: 0,
            ties: 0,
        };
        bench.device.registers(writes(&bench.csr));
        bench.device.settle(OVER);
        // The time may have advanced before the register stopped it.
        bench.now = bench.device.nic.now().into();
        for seed in [5, 77] {
            bench.device.registers([(offsets::SEED, seed), (offsets::COMMAND, Op::Seed.command(0))]);
            bench.twin.seed(seed, bench.now);
        }
        for id in 0..CONNECTIONS {
            bench.open(id);
        }
        bench
    }

    /// Opens a connection at both ends.
    pub(super) fn open(&mut self, id: u32) {
        let psns = [self.rng.below(1 << 24), self.rng.below(1 << 24)];
        let ours = connection(0, id, psns[0], psns[1]);
        self.device.registers(ours.writes());
        self.device.registers([(offsets::COMMAND, Op::Open.command(id))]);
        self.twin.open(id, &ours, self.now);
        self.peer.open(id, &connection(1, id, psns[1], psns[0]), self.now);
        self.round(Vec::new(), OVER);
        self.peer_ends();
        self.flows.iter_mut().for_each(|flows| flows[id as usize].reopen());
        self.open[id as usize] = true;
    }

    /// Closes a connection at both ends.
    pub(super) fn close(&mut self, id: u32) {
        self.device.registers([(offsets::COMMAND, Op::Close.command(id))]);
        self.twin.close(id, self.now);
        self.peer.close(id, self.now);
        self.open[id as usize] = false;
        self.round(Vec::new(), OVER);
        self.peer_ends();
    }

    /// The clocks that are left until an unwanted tick.
    fn left(&self) -> u64 {
        (1 << STILL) - (self.device.clock & ((1 << STILL) - 1))
    }

    /// Advances time by a number of ticks; by one tick if a timer is due.
    fn advance(&mut self, ticks: u64) {
        let (shift, clocks) = if ticks < 16 { (4, 16 * ticks) } else { (0, ticks) };
        let before = self.now;
        if self.left() < clocks + LONGEST + 100 {
            let left = self.left() + 2;
            (0..left).for_each(|_| self.device.step());
            self.now += 1;
        } else {
            self.device.registers([(offsets::TICK_SHIFT, shift)]);
            (0..clocks).for_each(|_| self.device.step());
            self.device.registers([(offsets::TICK_SHIFT, STILL)]);
            (0..16).for_each(|_| self.device.step());
            self.now += ticks;
        }
        assert_eq!(u64::from(self.device.nic.now()), self.now, "from {before}");
    }

    /// Advances time by a number of ticks, or by one. Timers that are due by then expire. No timer is due
    /// earlier.
    pub(super) fn pass(&mut self, ticks: u64) {
        let due = self.twin.next_deadline(self.now);
        self.advance(ticks);
        if due.is_some_and(|due| due <= self.now) {
            self.round(Vec::new(), OVER);
        }
    }

    /// Gives both views these stimuli at once, and compares their outputs.
    pub(super) fn round(&mut self, stimuli: Vec<Stimulus>, quiet: u64) {
        if self.left() < LONGEST {
            self.pass(1);
        }
        let now = self.now;
        let mut twin = Seen::default();
        for stimulus in &stimuli {
            match stimulus {
                Stimulus::Frame(frame, bad) => {
                    self.packets += 1;
                    self.device.receive(frame, *bad);
                    match self.twin.receive(frame, *bad, now) {
                        Incoming::Taken { connection, write: Some((address, bytes)) } => {
                            let place = Place { address, bytes: bytes.len() as u16 };
                            twin.writes.push((connection, place, bytes.to_vec()));
                        }
                        Incoming::Foreign => twin.bypassed.push((frame.clone(), *bad)),
                        _ => {}
                    }
                }
                Stimulus::Work(id, work) => {
                    self.device.works.push_back((*id, *work));
                    self.twin.work(*id, work, now);
                }
                Stimulus::Bypass(frame) => {
                    self.device.bypass.extend(Beat::frame(frame));
                    self.twin.bypass(frame.clone());
                }
            }
        }
        self.device.settle(quiet);
        assert_eq!(u64::from(self.device.nic.now()), now, "it took longer than a tick");

        // The transaction view follows, in the order of the clocked view's decisions.
        self.twin.expire(now);
        let replies = |nic: &Nic| nic.receiver().stats().acks + nic.receiver().stats().nacks;
        let framed =
            |nic: &Nic| nic.counters()[weft_params::registers::counters_of("egress")][1..3].iter().sum();
        while replies(&self.twin) != framed(&self.twin) {
            let outgoing = self.twin.next(now).expect("a reply");
            twin.frame(self.twin.frame(outgoing, None, now).expect("a frame"));
        }
        let mut decisions = std::mem::take(&mut self.device.decisions);
        decisions.sort();
        for (_, decision) in decisions {
            match decision {
                Decision::Window => assert!(self.twin.window(now), "a window changed"),
                Decision::Send => assert!(self.transmit(&mut twin, None), "a packet too many was sent"),
                Decision::Second(id) => {
                    assert!(self.transmit(&mut twin, Some(id)), "a second packet too many was sent");
                }
            }
        }
        while self.twin.window(now) {}
        assert!(!self.transmit(&mut twin, None), "a packet was not sent: {:?}", twin.data.last());
        twin.received.extend(std::iter::from_fn(|| self.twin.received()));
        twin.sent.extend(std::iter::from_fn(|| self.twin.sent()));
        let seen = std::mem::take(&mut self.device.seen);
        assert_eq!(seen, twin, "round {}, {stimuli:?}", self.rounds);
        let [device, twin] = [self.device.nic.counters(), self.twin.counters()].map(untimed);
        assert_eq!(device, twin, "round {}", self.rounds);
        self.rounds += 1;
        if self.rounds.is_multiple_of(8) {
            self.compare_states();
        }
        self.host(seen);
    }

    /// The next data frame, of connection `of` if given, and the frames sent before it.
    fn transmit(&mut self, seen: &mut Seen, of: Option<u32>) -> bool {
        let next = |twin: &mut Nic, now| match of {
            None => twin.next(now),
            Some(id) => twin.next_of(id, now),
        };
        while let Some(outgoing) = next(&mut self.twin, self.now) {
            let is_data = matches!(outgoing, Outgoing::Data(_));
            let mut payload = (Vec::new(), false);
            if let Outgoing::Data(ordered) = &outgoing
                && let Some(place) = ordered.fetch
            {
                seen.fetches.push((ordered.connection, place));
                payload = fetched(self.fetches, &place);
                self.fetches += 1;
            }
            let payload = (!payload.1).then_some(&payload.0[..]);
            if let Some(frame) = self.twin.frame(outgoing, payload, self.now) {
                seen.frame(frame);
            }
            if is_data {
                return true;
            }
        }
        false
    }

    /// Windows, paths and transport of every connection.
    pub(super) fn compare_states(&self) {
        let (device, twin) = (self.device.nic.sender(), self.twin.sender());
        let (receiver, twin_receiver) = (self.device.nic.receiver().sack(), self.twin.receiver().sack());
        for id in 0..CONNECTIONS {
            let same = |what: &str, device: &dyn std::fmt::Debug, twin: &dyn std::fmt::Debug| {
                assert_eq!(
                    format!("{device:?}"),
                    format!("{twin:?}"),
                    "{what} of {id}, round {}",
                    self.rounds
                );
            };
            same("window", &device.smartt().control(id), &twin.smartt().control(id));
            same("paths", &device.reps().control(id), &twin.reps().control(id));
            same("EVs", &device.reps().evs(id), &twin.reps().evs(id));
            same("flow", &device.sack_tx().flow(id), &twin.sack_tx().flow(id));
            same("rings", device.sack_tx().rings(id), twin.sack_tx().rings(id));
            same("messages", device.sack_tx().messages(id), twin.sack_tx().messages(id));
            same("receiver", &receiver.state(id), &twin_receiver.state(id));
        }
    }

    /// Passes the outgoing words to their targets.
    fn host(&mut self, seen: Seen) {
        for (id, place, bytes) in seen.writes {
            self.flows[1][id as usize].write(place.address, &bytes);
        }
        for (id, received) in seen.received {
            self.flows[1][id as usize].received(&received);
        }
        for (id, sent) in seen.sent {
            self.ended(0, id, &sent);
        }
        for frame in seen.replies.into_iter().flatten().chain(seen.data) {
            self.packets += 1;
            self.put(1, &frame);
        }
    }

    fn ended(&mut self, from: usize, id: u32, sent: &Sent) {
        if sent.id & REFUSED != 0 {
            assert_eq!(sent.status, Status::Refused);
            self.refused += 1;
        } else {
            self.flows[from][id as usize].sent(sent);
        }
    }

    fn put(&mut self, to: usize, frame: &[u8]) {
        for (time, frame) in self.network.pass(&mut self.rng, frame, self.now) {
            self.serial += 1;
            // Arrivals at the same time come back to back.
            self.parcels.push(Reverse((time.next_multiple_of(64), self.serial, to, frame)));
        }
    }

    /// Gives the peer a frame, or lets the peer transmit.
    pub(super) fn peer(&mut self, frame: Option<&[u8]>) {
        if let Some(frame) = frame
            && let Incoming::Taken { connection, write: Some((address, bytes)) } =
                self.peer.receive(frame, false, self.now)
        {
            self.flows[0][connection as usize].write(address, bytes);
        }
        self.peer_ends();
        while let Some(outgoing) = self.peer.poll(self.now) {
            let fetch = if let Outgoing::Data(ordered) = &outgoing { ordered.fetch } else { None };
            let payload = fetch.map_or(Vec::new(), |place| read(place.address, place.bytes));
            let frame = self.peer.frame(outgoing, Some(&payload), self.now).expect("a frame");
            self.put(0, &frame);
        }
        self.peer_ends();
    }

    fn peer_ends(&mut self) {
        while let Some((id, received)) = self.peer.received() {
            self.flows[0][id as usize].received(&received);
        }
        while let Some((id, sent)) = self.peer.sent() {
            self.ended(1, id, &sent);
        }
    }
}

/// All counters except those of clocks, which the transaction view does not have.
fn untimed(mut counters: [u32; COUNTERS]) -> [u32; COUNTERS] {
    counters[counters_of("holds")].fill(0);
    counters
}
