//! An adversary with a seed between two ends. The adversary loses, trims, duplicates, damages, delays and
//! reorders frames.

use super::counts::LinkCounts;
use super::fault::{Faults, Injector};
use super::flight::Flight;
use super::seam::{Frame, Network};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use weft_random::Rng;

/// Faults of the frames in one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) faults: Faults,
    /// Maximum number of frames of its connection that overtake a frame.
    pub(crate) reorder: u32,
    /// Clocks from one end to the other.
    pub(crate) delay_clocks: u32,
    /// Share of frames that use the path that dies. Such frames are lost in every second period of
    /// [`DEAD_CLOCKS`].
    pub(crate) dead_path: f64,
    /// Clock from which on no frame passes.
    pub(crate) kill_after: Option<u64>,
}

/// Number of clocks for which the dying path works, and then for which it is dead.
pub const DEAD_CLOCKS: u64 = 1 << 15;

/// Maximum number of clocks that a held frame waits for each frame that may overtake it.
const HOLD_CLOCKS: u64 = 48;

/// Maximum number of clocks by which one second copy in eight is late: its window has then moved on.
const LATE_CLOCKS: u32 = 1 << 16;

impl Way {
    /// Maximum number of clocks that a frame can be in transit.
    pub(crate) fn longest_clocks(&self) -> u64 {
        HOLD_CLOCKS * u64::from(self.reorder) + u64::from(LATE_CLOCKS) + u64::from(self.delay_clocks)
    }
}

/// A held frame: its connection, the frame of its connection after which it leaves, and its number.
type Held = (u32, u64, u64);

/// State of one direction.
struct Direction {
    way: Way,
    injector: Injector,
    /// Frames so far, by connection and in total.
    sent: BTreeMap<u32, u64>,
    number: u64,
    held: BTreeMap<Held, Frame>,
    /// Latest clock in which each held frame leaves, in order.
    holds: VecDeque<(u64, Held)>,
    flight: Flight<Frame>,
}

/// UDP source port and queue pair of a frame: RoCEv2 over IPv4 without a tag.
fn path_and_connection(frame: &[u8]) -> (u16, u32) {
    let byte = |at: usize| frame.get(at).copied().unwrap_or_default();
    (u16::from_be_bytes([byte(34), byte(35)]), u32::from_be_bytes([0, byte(47), byte(48), byte(49)]))
}

impl Direction {
    fn new(way: Way, rng: Rng) -> Self {
        Self {
            way,
            injector: Injector::new(way.faults, rng),
            sent: BTreeMap::new(),
            number: 0,
            held: BTreeMap::new(),
            holds: VecDeque::new(),
            flight: Flight::new(),
        }
    }

    /// Accepts a frame. A frame of a spared connection is delivered.
    fn send(&mut self, clock: u64, frame: Frame, spared: &BTreeSet<u32>) {
        let (path, connection) = path_and_connection(&frame.bytes);
        let spare = spared.contains(&connection);
        let Way { dead_path, kill_after, .. } = self.way;
        self.injector.counts.frames += 1;
        let killed = kill_after.is_some_and(|kill| clock >= kill);
        let dies = f64::from(path & 0xFFF) < 4096.0 * dead_path;
        if killed || (clock / DEAD_CLOCKS) % 2 == 1 && dies && !spare {
            self.injector.counts.dead += 1;
            return;
        }
        if self.injector.doubles() {
            let late = self.injector.below(8) == 0;
            self.injector.counts.late += u64::from(late);
            if let Some(copy) = self.injector.strike(frame.clone(), false) {
                if late {
                    let extra = self.injector.below(LATE_CLOCKS);
                    self.fly(clock + u64::from(extra), copy);
                } else {
                    self.hold(clock, connection, copy);
                }
            }
        }
        self.injector.counts.spared += u64::from(spare);
        match self.injector.strike(frame, spare) {
            Some(frame) if spare => self.fly(clock, frame),
            Some(frame) => self.hold(clock, connection, frame),
            None => {}
        }
    }

    /// Holds a frame until a random number of frames has overtaken it.
    fn hold(&mut self, clock: u64, connection: u32, frame: Frame) {
        let reorder = self.way.reorder;
        let sent = self.sent.entry(connection).or_default();
        *sent += 1;
        self.number += 1;
        let sent = *sent;
        // Phases alternate. In one phase all frames are held, which mixes most; in the other phase one frame
        // in eight is held, which all others can overtake.
        let mixing = sent >> 10 & 1 == 1;
        let wait = if mixing || self.injector.below(8) == 0 { self.injector.below(reorder + 1) } else { 0 };
        let held = (connection, sent + u64::from(wait), self.number);
        self.held.insert(held, frame);
        self.holds.push_back((clock + HOLD_CLOCKS * u64::from(reorder), held));
        let due = self.held.range((connection, 0, 0)..=(connection, sent, u64::MAX));
        for held in due.map(|(held, _)| *held).collect::<Vec<_>>() {
            self.release(clock, held);
        }
    }

    fn release(&mut self, clock: u64, held: Held) {
        if let Some(frame) = self.held.remove(&held) {
            self.fly(clock, frame);
        }
    }

    fn fly(&mut self, clock: u64, frame: Frame) {
        self.flight.launch(clock + u64::from(self.way.delay_clocks), frame);
    }

    fn deliver(&mut self, clock: u64) -> Option<Frame> {
        while let Some(&(_, held)) = self.holds.front().filter(|(until, _)| *until <= clock) {
            self.holds.pop_front();
            self.release(clock, held);
        }
        self.flight.land(clock)
    }

    fn is_empty(&self) -> bool {
        self.held.is_empty() && self.flight.is_empty()
    }
}

/// The adversary between the ends.
pub(crate) struct Adversary {
    /// Directions by the end that sends.
    directions: [Direction; 2],
    spared: BTreeSet<u32>,
}

impl Adversary {
    /// An adversary with the faults for frames of end 0 and of end 1.
    pub(crate) fn new(ways: [Way; 2], mut rng: impl FnMut() -> Rng) -> Self {
        Self { directions: ways.map(|way| Direction::new(way, rng())), spared: BTreeSet::new() }
    }

    /// Begins or ends the protection of a connection's frames, which are then all delivered.
    pub(crate) fn spare(&mut self, connection: u32, spares: bool) {
        if spares {
            self.spared.insert(connection);
        } else {
            self.spared.remove(&connection);
        }
    }

    /// Counts of the frames that one end sent: lost, delayed, doubled and so on.
    pub(crate) fn counts(&self, from: usize) -> LinkCounts {
        self.directions[from].injector.counts
    }
}

impl Network<Frame> for Adversary {
    fn send(&mut self, clock: u64, from: u32, frame: Frame) {
        self.directions[from as usize].send(clock, frame, &self.spared);
    }

    fn poll(&mut self, clock: u64, out: &mut dyn FnMut(u32, Frame)) {
        for (direction, to) in self.directions.iter_mut().zip([1, 0]) {
            while let Some(frame) = direction.deliver(clock) {
                out(to, frame);
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.directions.iter().all(Direction::is_empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_wire::{Body, Bth, Envelope, frame, parse};

    const NONE: Faults = Faults {
        loss: 0.0,
        burst: 1.0,
        duplicate: 0.0,
        corrupt: 0.0,
        damage: 0.0,
        damage_bits: 3,
        damage_from: 42,
        trim: 0.0,
    };
    const GOOD: Way = Way { faults: NONE, reorder: 0, delay_clocks: 400, dead_path: 0.0, kill_after: None };

    fn adversary(way: Way) -> Adversary {
        let mut seeds = Rng::new(1);
        Adversary::new([way; 2], || Rng::new(seeds.draw()))
    }

    /// A frame of the only connection, on the only path.
    fn numbered(number: u32) -> Frame {
        let envelope = Envelope::v4([10, 0, 0, 1].into(), [10, 0, 0, 2].into(), 0xC000);
        let bytes =
            frame::encode(&envelope, Bth::cnp(3).with_psn(number), &Body::Cnp).expect("a short frame");
        Frame { bytes, bad: false }
    }

    /// Sends `packets` packets, one every four clocks. Returns the packets that arrive.
    fn through(network: &mut Adversary, packets: u32) -> Vec<u32> {
        let mut arrived = Vec::new();
        for clock in 0.. {
            if clock % 4 == 0 && clock / 4 < u64::from(packets) {
                network.send(clock, 0, numbered((clock / 4) as u32));
            }
            network.poll(clock, &mut |to, frame| {
                assert_eq!(to, 1);
                arrived.push(u32::from_be_bytes([0, frame.bytes[51], frame.bytes[52], frame.bytes[53]]));
            });
            if clock / 4 >= u64::from(packets) && network.is_empty() {
                break;
            }
        }
        arrived
    }

    #[test]
    fn a_good_network_keeps_the_order() {
        assert!(through(&mut adversary(GOOD), 1000).into_iter().eq(0..1000));
    }

    #[test]
    fn a_packet_is_overtaken_by_as_many_as_may_and_no_more() {
        let arrived = through(&mut adversary(Way { reorder: 50, ..GOOD }), 20_000);
        assert_eq!(arrived.len(), 20_000);
        let overtaken = |at: usize| arrived[..at].iter().filter(|&&other| other > arrived[at]).count();
        let most = (0..arrived.len()).step_by(7).map(overtaken).max().unwrap_or(0);
        assert!((45..=50).contains(&most), "{most}");
    }

    #[test]
    fn the_shares_are_what_they_are_called() {
        for burst in [1.0, 8.0] {
            let faults = Faults { loss: 0.3, burst, duplicate: 0.1, damage: 0.05, ..NONE };
            let mut network = adversary(Way { faults, ..GOOD });
            let arrived = through(&mut network, 100_000);
            let LinkCounts { frames, lost, damaged, duplicated, late, .. } = network.counts(0);
            assert_eq!(frames, 100_000);
            assert_eq!(arrived.len() as u64, frames + duplicated - lost);
            let close =
                |count: u64, of: u64, share: f64| (count as f64 / of as f64 / share - 1.0).abs() < 0.1;
            assert!(close(duplicated, frames, 0.1) && close(late, duplicated, 0.125));
            assert!(close(lost, frames + duplicated, 0.3), "{lost}");
            assert!(close(damaged, arrived.len() as u64, 0.05), "{damaged}");
        }
    }

    #[test]
    fn a_dead_path_takes_its_share_for_its_time() {
        let mut network = adversary(Way { dead_path: 0.25, ..GOOD });
        let packets = (4 * DEAD_CLOCKS / 4) as u32;
        // All packets of these frames use the path that dies.
        let arrived = through(&mut network, packets);
        let dead = network.counts(0).dead;
        assert_eq!(arrived.len() as u64, u64::from(packets) - dead);
        assert_eq!(dead, 2 * DEAD_CLOCKS / 4);
    }

    #[test]
    fn paths_and_connections_are_read_from_frames() {
        let frame = numbered(7);
        let packet = parse(&frame.bytes).expect("ours");
        let due = (packet.envelope.source_port, packet.dest_qp());
        assert_eq!((path_and_connection(&frame.bytes), path_and_connection(&[])), (due, (0, 0)));
    }
}
