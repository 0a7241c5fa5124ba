//! Tests that PFC loses no packet: a traffic manager sends over two links to another one, whose output is
//! slower.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Longest frame.
const FRAME: u32 = 1500;
const LINK: Rate = Rate::gbps(100);
const CLASS: u8 = 3;
const BACK_BYTES: u32 = 1 << 20;

/// An arrival at the end of a link.
enum Arrival {
    /// An item at the port of its receiver.
    Data(Thing),
    /// A PFC frame at the sender's port.
    Pause(u16, Pause),
}

/// Two ports of a sender, and a receiver with two ports towards them and a slow output.
struct Links {
    sender: TrafficManager<Thing>,
    receiver: TrafficManager<Thing>,
    delay: u64,
    /// Arrivals by clock and number.
    arrivals: BTreeMap<(u64, u64), Arrival>,
    arrived: u64,
    sent: u64,
    /// Numbers of the items that left, by their ingress port.
    out: [Vec<u64>; 2],
}

impl Links {
    fn new(delay: u64, headroom_bytes: u32, shared: u64, denominator: u32) -> Self {
        let port = |rate, headroom_bytes| {
            let mut port = Port { headroom_bytes, ..Port::new(rate, 0) };
            // Packets in the reverse direction have a space of their own.
            port.queues[1].reserve_bytes = BACK_BYTES;
            port
        };
        let sender = Settings::new(vec![port(LINK, 0), port(LINK, 0)], 1 << 30);
        let ports = vec![port(LINK, headroom_bytes), port(LINK, headroom_bytes), port(Rate::gbps(40), 0)];
        let buffer = u64::from(headroom_bytes) * 2 + u64::from(BACK_BYTES) * 3 + shared;
        let pfc = Pfc { alpha: Alpha { numerator: 1, denominator }, quanta: MIN_QUANTA, ..Pfc::CONWEAVE };
        let receiver = Settings { pfc: Some(pfc), ..Settings::new(ports, buffer) };
        Self {
            sender: build(sender),
            receiver: build(receiver),
            delay,
            arrivals: BTreeMap::new(),
            arrived: 0,
            sent: 0,
            out: Default::default(),
        }
    }

    /// Gives the sender frames of data for a link.
    fn burst(&mut self, clock: u64, link: u16, bytes: u32, frames: u64) {
        for _ in 0..frames {
            let thing = Thing { came_by: link, trims_to: 0, ..Thing::new(self.sent, bytes) };
            self.sent += 1;
            self.sender.enqueue(clock, link, 0, thing, None);
        }
    }

    /// Gives the receiver frames in the reverse direction of a link: a PFC frame waits for one of these
    /// frames.
    fn burst_back(&mut self, clock: u64, link: u16, bytes: u32, frames: u64) {
        for _ in 0..frames {
            self.receiver.enqueue(clock, link, 1, Thing { trims_to: 0, ..Thing::new(0, bytes) }, None);
        }
    }

    fn arrive(&mut self, clock: u64, bytes: u32, arrival: Arrival) {
        // The last byte is in when preamble, frame and FCS have been on the wire.
        let at = clock + LINK.clocks_of(u64::from(bytes) + 12) + self.delay;
        self.arrived += 1;
        self.arrivals.insert((at, self.arrived), arrival);
    }

    /// Runs up to a clock, or until nothing can happen.
    fn run(&mut self, from: u64, to: u64) {
        let mut clock = from;
        loop {
            let first = self.arrivals.keys().next().map(|(at, _)| *at);
            let next =
                [first, self.sender.next(clock), self.receiver.next(clock)].into_iter().flatten().min();
            let Some(at) = next.filter(|at| *at < to) else { return };
            while let Some(entry) = self.arrivals.first_entry().filter(|entry| entry.key().0 == at) {
                match entry.remove() {
                    Arrival::Data(thing) => {
                        self.receiver.enqueue(at, 2, 0, thing, None);
                    }
                    Arrival::Pause(port, pause) => self.sender.peer_pause(at, port, &pause),
                }
            }
            while let Some((port, pause)) = self.receiver.take_pause(at) {
                self.arrive(at, 60, Arrival::Pause(port, pause));
            }
            if let Some(departure) = self.sender.dequeue(at) {
                self.arrive(at, departure.item.bytes, Arrival::Data(departure.item));
            }
            if let Some(departure) = self.receiver.dequeue(at).filter(|departure| departure.port == 2) {
                self.out[usize::from(departure.item.came_by)].push(departure.item.number);
            }
            clock = at + 1;
        }
    }

    fn lost(&self) -> u64 {
        self.receiver.counters().dropped.total()
    }
}

fn headroom(delay: u64) -> u32 {
    Port::headroom_for(LINK, 2 * delay, FRAME)
}

/// Number of lost frames in long bursts on both links, against the longest frames in the reverse direction.
/// An occasional short frame shifts the two directions against each other, so that a pause meets the wires in
/// many states.
fn worst(delay: u64, headroom_bytes: u32) -> u64 {
    let mut links = Links::new(delay, headroom_bytes, 20_000, 16);
    for link in 0..2 {
        for short in 0..100 {
            links.burst(0, link, FRAME, 9);
            links.burst(0, link, 60 + 13 * short, 1);
        }
        links.burst_back(0, link, FRAME, 600);
    }
    links.run(0, u64::MAX);
    links.lost()
}

#[test]
fn headroom_is_what_keeps_frames() {
    for delay in [0, 100, 1000] {
        let enough = headroom(delay);
        assert_eq!(worst(delay, enough), 0);
        let least = (0..=enough).step_by(100).find(|bytes| worst(delay, *bytes) == 0).unwrap();
        // The headroom is close to the need.
        assert!(least + 2 * FRAME > enough, "delay {delay}: {least} bytes are enough, of {enough}");
    }
    // Without delay, the headroom must hold the frame that met the threshold and one frame on each wire. Two
    // frames, as in ConWeave's simulations, are too few.
    assert!(worst(0, 3 * FRAME - 1) > 0);
    assert_eq!(worst(0, 3 * FRAME), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn nothing_is_lost_and_all_comes_in_order(
        delay in 0u64..2000,
        shared in 0u64..100_000,
        denominator in 1u32..17,
        bursts in prop::collection::vec((0u64..3000, 0u16..2, 60..=FRAME, 1u64..200, any::<bool>()), 1..20),
    ) {
        let mut links = Links::new(delay, headroom(delay), shared, denominator);
        let mut clock = 0;
        for (gap, link, bytes, frames, is_back) in bursts {
            if is_back {
                links.burst_back(clock, link, bytes, frames.min(20));
            } else {
                links.burst(clock, link, bytes, frames);
            }
            links.run(clock, clock + gap);
            clock += gap;
        }
        links.run(clock, u64::MAX);
        prop_assert_eq!(links.lost(), 0);
        prop_assert_eq!(links.out.iter().map(|out| out.len() as u64).sum::<u64>(), links.sent);
        for out in &links.out {
            prop_assert!(out.is_sorted());
        }
        prop_assert!(!links.receiver.is_stopped(0, CLASS) && !links.receiver.is_stopped(1, CLASS));
        prop_assert_eq!(links.receiver.shared_bytes().0, 0);
    }
}
