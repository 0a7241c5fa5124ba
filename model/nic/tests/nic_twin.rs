//! The clocked NIC and the NIC as transactions get the same frames, work requests and commands, and hand out the same:
//! every frame, fetch, write and completion, all counters, and the state of every connection.
//!
//! Stimuli are spaced: the time, which the clocked NIC counts in ticks, stands still while it works one off, and moves
//! on between them (by the register TICK_SHIFT). What is not equal for the asking, and what the test does about it:
//!
//! * SMaRTT's answer takes the clocked NIC some hundred clocks; up to four packets of the connection leave before. So
//!   the test looks at which packets these were and tells the other view the window after them.
//! * ACKs and data have their own order each: on the wire ACKs overtake data that waits for its payload. ACKs of
//!   different connections that their timers ask for in the same tick come in the order of the scanner; so ACKs are
//!   compared by connection.
//! * Retransmission timers that expire in the same tick: in the order of the scanner. The random paths of their packets
//!   would depend on it, so one of the connections is closed before.
//! * Several data frames at once, and several work requests at once, are no such cases: they come back to back.

mod common;
mod twin;

use common::{Flow, Network, Rng, configuration, connection, read};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use twin::{CONNECTIONS, Decision, Device, Seen};
use weft_nic::nic::step::{Incoming, Nic, Outgoing};
use weft_nic::words::{Beat, Place, Sent, Status, Work};
use weft_params::registers::{NicCsr, Op, offsets, writes};
use weft_params::{EvMode, SackParams};

/// Quiet clocks after which what comes of data, and what comes of anything, is over.
const RECEIVED: u64 = 100;
const OVER: u64 = 180;

/// Clocks of a tick while time stands still, as a power of 2.
const STILL: u32 = 15;

/// More clocks than a round takes.
const LONGEST: u64 = 8_000;

/// Every so many-th read fails.
const FAILS: u64 = 97;

/// Requests with such ids are to be refused.
const REFUSED: u32 = 1 << 31;

/// What is read for the n-th fetch.
fn fetched(n: u64, place: &Place) -> (Vec<u8>, bool) {
    (read(place.address, place.bytes), n % FAILS == FAILS - 1)
}

/// A stimulus.
#[derive(Clone, Debug)]
enum Stimulus {
    Frame(Vec<u8>, bool),
    Work(u32, Work),
    Bypass(Vec<u8>),
}

/// When it arrives, its number, where, and the frame.
type Parcel = (u64, u64, usize, Vec<u8>);

struct Bench {
    device: Device,
    twin: Nic,
    /// The other end, and what it sees.
    peer: Nic,
    csr: NicCsr,
    rng: Rng,
    network: Network,
    now: u64,
    /// What arrives when, and where.
    parcels: BinaryHeap<Reverse<Parcel>>,
    serial: u64,
    /// By sending NIC and connection.
    flows: [Vec<Flow>; 2],
    open: [bool; CONNECTIONS as usize],
    ids: u32,
    fetches: u64,
    packets: u64,
    rounds: u64,
    refused: u64,
    ties: u64,
}

impl Bench {
    fn new(seed: u64) -> Self {
        let mut rng = Rng(seed);
        let shift = [8, 10][seed as usize % 2];
        let mut csrs = [0, 1].map(|number| configuration(number, shift));
        for csr in &mut csrs {
            csr.tick_shift = STILL as u8;
            let modes = [EvMode::Reps, EvMode::Reps, EvMode::Ops, EvMode::Reps2024, EvMode::Fixed];
            csr.sender.reps.mode = modes[rng.below(5) as usize];
            csr.sender.reps.freeze_timeout_ticks = 1_000;
            csr.sender.reps.bdp_packets = 16;
            csr.sender.idle_ticks = [0, 200][rng.below(2) as usize];
            csr.sender.sack.gap = [0, 4, 16][rng.below(3) as usize];
            csr.sender.sack.rto_ticks = 400 + rng.below(200) as u32;
            csr.sender.sack.backoff_limit = 2;
            csr.sender.sack.retry_limit = [3, 7][rng.below(2) as usize];
            csr.receiver.sack.ack_packets = 1 + rng.below(4) as u32;
            csr.receiver.ack_timeout_ticks = [0, 60, 125][rng.below(3) as usize];
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
                jitter: [0, 60, 300][rng.below(3) as usize],
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
        // Before time stood still it may have moved.
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
    fn open(&mut self, id: u32) {
        let psns = [self.rng.below(1 << 24) as u32, self.rng.below(1 << 24) as u32];
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
    fn close(&mut self, id: u32) {
        self.device.registers([(offsets::COMMAND, Op::Close.command(id))]);
        self.twin.close(id, self.now);
        self.peer.close(id, self.now);
        self.open[id as usize] = false;
        self.round(Vec::new(), OVER);
        self.peer_ends();
    }

    /// The clocks that are left until a tick that nobody asked for.
    fn left(&self) -> u64 {
        (1 << STILL) - (self.device.clock & ((1 << STILL) - 1))
    }

    /// Lets so many ticks pass, or one if that is due by itself.
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

    /// Lets so many ticks pass, or one; timers that are due by then expire. None is due earlier.
    fn pass(&mut self, ticks: u64) {
        let due = self.twin.next_deadline(self.now);
        self.advance(ticks);
        if due.is_some_and(|due| due <= self.now) {
            self.round(Vec::new(), OVER);
        }
    }

    /// Both get these stimuli at once, and what comes of them is the same.
    fn round(&mut self, stimuli: Vec<Stimulus>, quiet: u64) {
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

        // The other view, in the order in which the clocked one decided.
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
                Decision::Send => assert!(self.transmit(&mut twin), "a packet too many was sent"),
            }
        }
        while self.twin.window(now) {}
        assert!(!self.transmit(&mut twin), "a packet was not sent: {:?}", twin.data.last());
        twin.received.extend(std::iter::from_fn(|| self.twin.received()));
        twin.sent.extend(std::iter::from_fn(|| self.twin.sent()));
        let device = std::mem::take(&mut self.device.seen);
        assert_eq!(device, twin, "round {}, {stimuli:?}", self.rounds);
        assert_eq!(self.device.nic.counters(), self.twin.counters(), "round {}", self.rounds);
        self.rounds += 1;
        if self.rounds.is_multiple_of(8) {
            self.compare_states();
        }
        self.host(device);
    }

    /// The next data frame, and what others send before it.
    fn transmit(&mut self, seen: &mut Seen) -> bool {
        while let Some(outgoing) = self.twin.next(self.now) {
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
    fn compare_states(&self) {
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
            same("window", device.smartt().control(id), twin.smartt().control(id));
            same("paths", device.reps().control(id), twin.reps().control(id));
            same("EVs", &device.reps().evs(id), &twin.reps().evs(id));
            same("flow", device.sack_tx().flow(id), twin.sack_tx().flow(id));
            same("rings", device.sack_tx().rings(id), twin.sack_tx().rings(id));
            same("messages", &device.sack_tx().pending(id), &twin.sack_tx().pending(id));
            same("receiver", receiver.state(id), twin_receiver.state(id));
        }
    }

    /// What was handed out goes its way.
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

    /// The other end gets a frame, or is asked.
    fn peer(&mut self, frame: Option<&[u8]>) {
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

    /// Work requests for both ends; some of them are to be refused.
    fn works(&mut self, id: u32) {
        let longest = [300, 3_000, 12_000][self.rng.below(3) as usize];
        let mut stimuli = Vec::new();
        for _ in 0..1 + self.rng.below(4) {
            let length = self.rng.below(longest) as u32;
            let immediate = self.rng.chance(500);
            self.ids += 1;
            let full = self.flows[0][id as usize].outstanding() == 16;
            if full || !self.open[id as usize] {
                let work = Work { id: self.ids | REFUSED, length, ..Work::default() };
                stimuli.push(Stimulus::Work(id, work));
            } else {
                stimuli
                    .push(Stimulus::Work(id, self.flows[0][id as usize].post(self.ids, length, immediate)));
            }
        }
        if self.rng.chance(100) {
            let mut frame = vec![0xEE; 60 + self.rng.below(1_000) as usize];
            frame[12] = 0x86;
            stimuli.push(Stimulus::Bypass(frame));
        }
        self.round(stimuli, OVER);
        if self.rng.chance(50) {
            // It is refused at once, and so would overtake others.
            self.ids += 1;
            let work = Work { id: self.ids | REFUSED, length: u32::MAX, ..Work::default() };
            self.round(vec![Stimulus::Work(id, work)], OVER);
        }
        let most = self.rng.below(17) as usize;
        while self.open[id as usize] && self.flows[1][id as usize].outstanding() < most {
            let length = self.rng.below(longest) as u32;
            self.ids += 1;
            let work = self.flows[1][id as usize].post(self.ids, length, self.rng.chance(500));
            self.peer.work(id, &work, self.now);
        }
        self.peer(None);
    }

    /// Everything that arrives by now: at this NIC the data back to back, of acknowledgements one after the other.
    fn arrivals(&mut self) {
        let (mut stimuli, mut quiet) = (Vec::new(), RECEIVED);
        while let Some(Reverse((time, ..))) = self.parcels.peek()
            && *time <= self.now
        {
            let Some(Reverse((_, _, to, mut frame))) = self.parcels.pop() else { break };
            if to == 1 {
                self.peer(Some(&frame));
                continue;
            }
            let mut bad = false;
            if self.rng.chance(10) {
                // Of the frames of others, of the MAC's errors, of strangers.
                match self.rng.below(3) {
                    0 => frame[12] ^= 0x40,
                    1 => bad = true,
                    _ => frame[29] ^= 1,
                }
            }
            let acknowledges = frame[42] == 0x11;
            if stimuli.len() == 24 || (acknowledges && quiet == OVER) {
                self.round(std::mem::take(&mut stimuli), quiet);
                quiet = RECEIVED;
            }
            if acknowledges {
                quiet = OVER;
            }
            stimuli.push(Stimulus::Frame(frame, bad));
        }
        if !stimuli.is_empty() {
            self.round(stimuli, quiet);
        }
    }

    /// Of connections whose timers would expire in the same tick by then all but one are closed.
    fn untie(&mut self, by: u64) {
        let times: Vec<_> = (0..CONNECTIONS).map(|id| self.twin.sender().deadline(id, self.now)).collect();
        for id in 1..CONNECTIONS as usize {
            if times[id].is_some_and(|time| time <= by) && times[..id].contains(&times[id]) {
                self.ties += 1;
                self.close(id as u32);
            }
        }
    }

    /// Goes on to the next thing that happens.
    fn tick(&mut self) {
        let mut next = self.now + 1 + self.rng.below(60);
        if let Some(Reverse((time, ..))) = self.parcels.peek() {
            next = next.min(*time);
        }
        for time in [self.twin.next_deadline(self.now), self.peer.next_deadline(self.now)] {
            next = next.min(time.unwrap_or(u64::MAX));
        }
        self.untie(next);
        self.pass(next.max(self.now + 1) - self.now);
        self.peer(None);
        self.arrivals();
    }

    /// Frames in and out, until there were so many; then all messages end.
    fn run(&mut self, packets: u64) {
        while self.packets < packets {
            self.tick();
            let id = self.rng.below(CONNECTIONS.into()) as u32;
            if self.rng.chance(150) {
                self.works(id);
            }
            if self.rng.chance(if self.open[id as usize] { 2 } else { 500 }) {
                if self.open[id as usize] { self.close(id) } else { self.open(id) }
            }
        }
        self.network = Network { loss: 0, twice: 0, mark: 0, trim: 0, damage: 0, ..self.network };
        let mut left = 100_000;
        while self.flows.iter().flatten().any(|flow| flow.outstanding() > 0) {
            self.tick();
            left -= 1;
            assert!(left > 0, "messages do not end");
        }
        self.compare_states();
    }
}

/// A run; packets, and a line about it.
fn run(seed: u64, packets: u64) -> (u64, String) {
    let mut bench = Bench::new(seed);
    bench.run(packets);
    let (done, failed) = bench
        .flows
        .iter()
        .flatten()
        .fold((0, 0), |(done, failed), flow| (done + flow.done, failed + flow.failed));
    let Bench { packets, rounds, now, refused, ties, .. } = bench;
    let clocks = bench.device.clock;
    let line = format!(
        "seed {seed}: {packets} packets, {rounds} rounds, {clocks} clocks, {now} ticks; {done} messages done, \
         {failed} failed, {refused} refused, {ties} ties\n{:?}",
        bench.twin.counters()
    );
    (packets, line)
}

#[test]
fn both_views_of_the_nic_are_the_same() {
    let runs: Vec<_> = std::thread::scope(|scope| {
        let half =
            |from: u64| scope.spawn(move || (from..10).step_by(2).map(|seed| run(seed, 32_000)).collect());
        let halves: [std::thread::ScopedJoinHandle<'_, Vec<_>>; 2] = [half(0), half(1)];
        halves.into_iter().flat_map(|half| half.join().expect("a run")).collect()
    });
    runs.iter().for_each(|(_, line)| println!("{line}"));
    assert!(runs.iter().map(|(packets, _)| packets).sum::<u64>() >= 300_000);
}
