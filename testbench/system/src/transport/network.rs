//! The network between the two blocks: an adversary with a seed.

use super::TransportError;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use weft_random::Rng;
use weft_wire::{Dscp, frame};

/// What the network does to packets. Shares are of 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Network {
    /// Share of data packets that are lost.
    pub loss: f64,
    /// Packets that a loss takes with it, on average: 1 for losses that do not depend on each other.
    pub burst: f64,
    /// Share of data packets whose payload a switch cuts off.
    pub trim: f64,
    /// Share of packets, either way, of which a second copy arrives: one in eight of these very late.
    pub dup: f64,
    /// Share of packets, either way, of which one to three bits flip.
    pub corrupt: f64,
    /// A data packet is overtaken by up to so many of its connection.
    pub reorder: u32,
    /// Clocks from one end to the other.
    pub delay_clocks: u32,
    /// Share of packets, either way, that take the path that dies: those vanish in every second [`DEAD_CLOCKS`].
    pub dead_path: f64,
    /// Share of ACKs and NACKs that are lost.
    pub ack_loss: f64,
    /// An ACK or NACK is overtaken by up to so many of its connection.
    pub ack_reorder: u32,
    /// From this clock on nothing passes, and every message that is not through must end in an error.
    pub kill_after: Option<u64>,
}

/// Clocks for which the dying path is alive, and then dead.
pub const DEAD_CLOCKS: u64 = 1 << 15;

/// A packet that waits to be overtaken waits at most so many clocks for each that may overtake it.
const HOLD_CLOCKS: u64 = 48;

/// A very late copy comes up to so many clocks later: after its window has moved on.
const LATE_CLOCKS: u32 = 1 << 16;

/// Bytes of a frame before the UDP payload. What lies there, the ICRC covers only in part.
const UDP_PAYLOAD: u32 = 42;

impl Default for Network {
    /// Nothing is lost, in order, 400 clocks each way.
    fn default() -> Self {
        Self {
            loss: 0.0,
            burst: 1.0,
            trim: 0.0,
            dup: 0.0,
            corrupt: 0.0,
            reorder: 0,
            delay_clocks: 400,
            dead_path: 0.0,
            ack_loss: 0.0,
            ack_reorder: 0,
            kill_after: None,
        }
    }
}

impl Network {
    pub(super) fn check(&self) -> Result<(), TransportError> {
        let wrong = |name, value, rule| Err(TransportError::Setting { name, value, rule });
        let shares = [
            ("loss", self.loss),
            ("trim", self.trim),
            ("dup", self.dup),
            ("corrupt", self.corrupt),
            ("ack-loss", self.ack_loss),
            ("dead-path", self.dead_path),
        ];
        // Beyond this next to nothing passes, and back-off makes a run last for ever.
        if let Some((name, value)) = shares.into_iter().find(|(_, share)| !(0.0..=0.9).contains(share)) {
            return wrong(name, value, "0 to 0.9");
        }
        if !(1.0..=1000.0).contains(&self.burst) {
            return wrong("burst", self.burst, "1 to 1000");
        }
        for (name, value) in [("reorder", self.reorder), ("ack-reorder", self.ack_reorder)] {
            if value > 100_000 {
                return wrong(name, value.into(), "at most 100000");
            }
        }
        if self.delay_clocks > 1_000_000 {
            return wrong("delay", self.delay_clocks.into(), "at most 1000000");
        }
        Ok(())
    }

    /// Most clocks for which a packet is under way.
    pub(super) fn longest_clocks(&self) -> u64 {
        let held = HOLD_CLOCKS * u64::from(self.reorder.max(self.ack_reorder));
        held + u64::from(LATE_CLOCKS) + u64::from(self.delay_clocks)
    }

    /// What it does to data.
    pub(super) fn forward(&self) -> Fates {
        Fates { loss: self.loss, trim: self.trim, reorder: self.reorder, network: *self }
    }

    /// What it does to ACKs and NACKs.
    pub(super) fn backward(&self) -> Fates {
        Fates { loss: self.ack_loss, trim: 0.0, reorder: self.ack_reorder, network: *self }
    }
}

/// What can happen to the packets of one direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fates {
    loss: f64,
    trim: f64,
    reorder: u32,
    network: Network,
}

/// What happened to the packets of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LinkFigures {
    /// Packets that entered it.
    pub packets: u64,
    /// Lost by chance.
    pub lost: u64,
    /// Vanished on the dead path, or after the end of everything.
    pub dead: u64,
    /// Had bits flipped.
    pub corrupted: u64,
    /// Had their payload cut off.
    pub trimmed: u64,
    /// Second copies.
    pub duplicated: u64,
    /// Of these, the very late ones.
    pub late: u64,
    /// Packets that were let through because nothing of their connection had got through for too long.
    pub spared: u64,
}

/// A packet that waits to be overtaken: connection, the packet of its connection after which it goes, its number.
type Held = (u32, u64, u64);

/// One direction of the network.
pub(super) struct Link {
    fates: Fates,
    rng: Rng,
    in_burst: bool,
    /// Packets so far, by connection and of all.
    sent: Vec<u64>,
    number: u64,
    held: BTreeMap<Held, Vec<u8>>,
    /// When what is held goes at the latest, in order.
    holds: VecDeque<(u64, Held)>,
    /// By the clock in which it arrives.
    flying: BTreeMap<(u64, u64), Vec<u8>>,
    pub(super) figures: LinkFigures,
}

impl Link {
    pub(super) fn new(fates: Fates, connections: u32, rng: Rng) -> Self {
        Self {
            fates,
            rng,
            in_burst: false,
            sent: vec![0; connections as usize],
            number: 0,
            held: BTreeMap::new(),
            holds: VecDeque::new(),
            flying: BTreeMap::new(),
            figures: LinkFigures::default(),
        }
    }

    /// Takes a frame. With `spare`, it is one that must get through.
    pub(super) fn send(&mut self, clock: u64, connection: u32, frame: Vec<u8>, spare: bool) {
        self.figures.packets += 1;
        let path = u16::from_be_bytes([frame[34], frame[35]]) & 0xFFF;
        let network = self.fates.network;
        let killed = network.kill_after.is_some_and(|kill| clock >= kill);
        let on_dead_path = (clock / DEAD_CLOCKS) % 2 == 1 && f64::from(path) < 4096.0 * network.dead_path;
        if killed || on_dead_path && !spare {
            self.figures.dead += 1;
            return;
        }
        if self.happens(network.dup) {
            let late = self.rng.below(8) == 0;
            self.figures.duplicated += 1;
            self.figures.late += u64::from(late);
            if let Some(copy) = self.survivor(frame.clone(), false) {
                if late {
                    let extra = self.rng.below(LATE_CLOCKS);
                    self.fly(clock + u64::from(extra), copy);
                } else {
                    self.hold(clock, connection, copy);
                }
            }
        }
        self.figures.spared += u64::from(spare);
        match self.survivor(frame, spare) {
            Some(frame) if spare => self.fly(clock, frame),
            Some(frame) => self.hold(clock, connection, frame),
            None => {}
        }
    }

    /// What is left of one copy, if it is not lost.
    fn survivor(&mut self, mut frame: Vec<u8>, spare: bool) -> Option<Vec<u8>> {
        let network = self.fates.network;
        if self.is_lost() && !spare {
            self.figures.lost += 1;
            return None;
        }
        if self.happens(network.corrupt) && !spare {
            self.figures.corrupted += 1;
            for _ in 0..=self.rng.below(3) {
                let bit = 8 * UDP_PAYLOAD + self.rng.below(8 * (frame.len() as u32 - UDP_PAYLOAD));
                frame[bit as usize / 8] ^= 1 << (bit % 8);
            }
        } else if self.happens(self.fates.trim)
            && !spare
            && let Ok(rest) = frame::trim(&frame, &Dscp::DEFAULT, self.rng.below(2) == 0)
        {
            // Probes have nothing to cut off.
            self.figures.trimmed += 1;
            frame = rest;
        }
        Some(frame)
    }

    /// Lets it be overtaken by as many as the dice say.
    fn hold(&mut self, clock: u64, connection: u32, frame: Vec<u8>) {
        let sent = &mut self.sent[connection as usize];
        *sent += 1;
        self.number += 1;
        let sent = *sent;
        // By turns all are held back, which mixes best, and one in eight, which the others overtake in full number.
        let mixing = sent >> 10 & 1 == 1;
        let wait = if mixing || self.rng.below(8) == 0 { self.rng.below(self.fates.reorder + 1) } else { 0 };
        let held = (connection, sent + u64::from(wait), self.number);
        self.held.insert(held, frame);
        self.holds.push_back((clock + HOLD_CLOCKS * u64::from(self.fates.reorder), held));
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

    fn fly(&mut self, clock: u64, frame: Vec<u8>) {
        self.number += 1;
        let arrival = clock + u64::from(self.fates.network.delay_clocks);
        self.flying.insert((arrival, self.number), frame);
    }

    /// A frame that arrives in this clock.
    pub(super) fn deliver(&mut self, clock: u64) -> Option<Vec<u8>> {
        while let Some(&(_, held)) = self.holds.front().filter(|(until, _)| *until <= clock) {
            self.holds.pop_front();
            self.release(clock, held);
        }
        let first = self.flying.first_entry().filter(|entry| entry.key().0 <= clock);
        first.map(|entry| entry.remove())
    }

    /// Nothing is under way.
    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty() && self.flying.is_empty()
    }

    fn happens(&mut self, share: f64) -> bool {
        happens(&mut self.rng, share)
    }

    /// Losses by chance, or in runs: then a run ends after each packet with the same chance, and the chance that
    /// one begins makes the share of losses what it is to be.
    fn is_lost(&mut self) -> bool {
        let (loss, burst) = (self.fates.loss, self.fates.network.burst);
        if burst <= 1.0 {
            return self.happens(loss);
        }
        let share = if self.in_burst { 1.0 - 1.0 / burst } else { loss / (burst * (1.0 - loss)) };
        self.in_burst = self.happens(share);
        self.in_burst
    }
}

/// Throws the dice.
pub(super) fn happens(rng: &mut Rng, share: f64) -> bool {
    ((rng.draw() >> 11) as f64) < share * (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_wire::{Body, Bth, Envelope};

    fn link(network: Network) -> Link {
        Link::new(network.forward(), 4, Rng::new(1))
    }

    fn frame(number: u32) -> Vec<u8> {
        let envelope = Envelope::v4([10, 0, 0, 1].into(), [10, 0, 0, 2].into(), 0xC000);
        frame::encode(&envelope, Bth::cnp(number), &Body::Cnp).expect("a short frame")
    }

    fn number(frame: &[u8]) -> u32 {
        u32::from_be_bytes([0, frame[47], frame[48], frame[49]])
    }

    /// Sends so many packets, one every four clocks, and gives back what arrives.
    fn through(link: &mut Link, packets: u32) -> Vec<u32> {
        let mut arrived = Vec::new();
        for clock in 0.. {
            if clock % 4 == 0 && clock / 4 < u64::from(packets) {
                link.send(clock, 0, frame((clock / 4) as u32), false);
            }
            arrived.extend(link.deliver(clock).map(|frame| number(&frame)));
            if clock / 4 >= u64::from(packets) && link.is_empty() {
                break;
            }
        }
        arrived
    }

    #[test]
    fn a_good_network_keeps_the_order() {
        assert!(through(&mut link(Network::default()), 1000).into_iter().eq(0..1000));
    }

    #[test]
    fn a_packet_is_overtaken_by_as_many_as_may_and_no_more() {
        let mut link = link(Network { reorder: 50, ..Network::default() });
        let arrived = through(&mut link, 20_000);
        assert_eq!(arrived.len(), 20_000);
        let overtaken = |at: usize| arrived[..at].iter().filter(|&&other| other > arrived[at]).count();
        let most = (0..arrived.len()).step_by(7).map(overtaken).max().unwrap_or(0);
        assert!((45..=50).contains(&most), "{most}");
    }

    #[test]
    fn the_shares_are_what_they_are_called() {
        for burst in [1.0, 8.0] {
            let network = Network { loss: 0.3, burst, dup: 0.1, corrupt: 0.05, ..Network::default() };
            let mut link = link(network);
            let arrived = through(&mut link, 100_000);
            let LinkFigures { packets, lost, corrupted, duplicated, late, .. } = link.figures;
            assert_eq!(packets, 100_000);
            assert_eq!(arrived.len() as u64, packets + duplicated - lost);
            let close =
                |count: u64, of: u64, share: f64| (count as f64 / of as f64 / share - 1.0).abs() < 0.1;
            assert!(close(duplicated, packets, 0.1) && close(late, duplicated, 0.125));
            assert!(close(lost, packets + duplicated, 0.3), "{lost}");
            assert!(close(corrupted, arrived.len() as u64, 0.05), "{corrupted}");
        }
    }

    #[test]
    fn a_dead_path_takes_its_share_for_its_time() {
        let mut link = link(Network { dead_path: 0.25, ..Network::default() });
        let packets = (4 * DEAD_CLOCKS / 4) as u32;
        // All packets of these frames take one path, and it is the one that dies.
        let arrived = through(&mut link, packets);
        assert_eq!(arrived.len() as u64, u64::from(packets) - link.figures.dead);
        assert_eq!(link.figures.dead, 2 * DEAD_CLOCKS / 4);
    }

    #[test]
    fn impossible_networks_are_refused() {
        let refused = |network: Network, message: &str| {
            assert_eq!(network.check().expect_err(message).to_string(), message);
        };
        let good = Network::default();
        assert!(good.check().is_ok());
        refused(Network { loss: 1.0, ..good }, "--loss 1 is not possible; use 0 to 0.9");
        refused(Network { trim: -0.1, ..good }, "--trim -0.1 is not possible; use 0 to 0.9");
        refused(Network { dup: f64::NAN, ..good }, "--dup NaN is not possible; use 0 to 0.9");
        refused(Network { burst: 0.5, ..good }, "--burst 0.5 is not possible; use 1 to 1000");
        refused(
            Network { reorder: 1 << 20, ..good },
            "--reorder 1048576 is not possible; use at most 100000",
        );
        refused(
            Network { delay_clocks: 1 << 20, ..good },
            "--delay 1048576 is not possible; use at most 1000000",
        );
    }
}
