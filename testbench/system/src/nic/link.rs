//! A wire in one direction: latency, and what it does to frames.

use super::mac::Received;
use serde::Serialize;
use std::collections::BTreeMap;
use weft_random::Rng;
use weft_wire::{Body, parse};

/// What wires do to frames. Shares are of 1, of every frame on every wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Impairments {
    /// Frames that are lost.
    pub loss: f64,
    /// Frames of which a second copy arrives.
    pub duplicate: f64,
    /// Frames that others may overtake,
    pub reorder: f64,
    /// because they come up to so many clocks later.
    pub reorder_clocks: u32,
    /// Frames of which bits flip on the wire: the MAC sees it by the FCS and tells the NIC.
    pub corrupt: f64,
    /// Frames of which a bit flips inside a switch, which makes a new FCS: the ICRC or the IPv4 checksum keeps them
    /// out. Trimmed packets have nothing that could, and are spared.
    pub damage: f64,
}

/// What became of the frames of a wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LinkCounts {
    /// Sent.
    pub frames: u64,
    /// Lost.
    pub lost: u64,
    /// Second copies.
    pub duplicated: u64,
    /// Held back.
    pub reordered: u64,
    /// Flipped on the wire.
    pub corrupted: u64,
    /// Flipped in a switch.
    pub damaged: u64,
}

impl std::ops::AddAssign for LinkCounts {
    fn add_assign(&mut self, other: Self) {
        self.frames += other.frames;
        self.lost += other.lost;
        self.duplicated += other.duplicated;
        self.reordered += other.reordered;
        self.corrupted += other.corrupted;
        self.damaged += other.damaged;
    }
}

/// The wire.
#[derive(Clone, Debug)]
pub(super) struct Link {
    latency_clocks: u64,
    impairments: Impairments,
    rng: Rng,
    /// By the clock of their arrival, then in the order in which they were sent.
    flying: BTreeMap<(u64, u64), Received>,
    number: u64,
    pub(super) counts: LinkCounts,
}

impl Link {
    pub(super) fn new(latency_clocks: u64, impairments: Impairments, rng: Rng) -> Self {
        let (flying, counts) = (BTreeMap::new(), LinkCounts::default());
        Self { latency_clocks, impairments, rng, flying, number: 0, counts }
    }

    /// A frame goes in.
    pub(super) fn send(&mut self, clock: u64, frame: Received) {
        let Impairments { loss, duplicate, .. } = self.impairments;
        self.counts.frames += 1;
        let copies = if self.happens(duplicate) { 2 } else { 1 };
        self.counts.duplicated += copies - 1;
        for _ in 0..copies {
            if self.happens(loss) {
                self.counts.lost += 1;
            } else {
                self.fly(clock, frame.clone());
            }
        }
    }

    fn fly(&mut self, clock: u64, mut frame: Received) {
        let Impairments { reorder, reorder_clocks, corrupt, damage, .. } = self.impairments;
        let mut arrival = clock + self.latency_clocks;
        if self.happens(reorder) {
            self.counts.reordered += 1;
            arrival += u64::from(1 + self.rng.below(reorder_clocks.max(1)));
        }
        if self.happens(corrupt) {
            self.counts.corrupted += 1;
            (0..=self.rng.below(3)).for_each(|_| self.flip(&mut frame.bytes));
            frame.bad = true;
        } else if self.happens(damage) && is_protected(&frame.bytes) {
            self.counts.damaged += 1;
            self.flip(&mut frame.bytes);
        }
        self.number += 1;
        self.flying.insert((arrival, self.number), frame);
    }

    fn flip(&mut self, bytes: &mut [u8]) {
        let bit = self.rng.below(8 * bytes.len() as u32);
        bytes[bit as usize / 8] ^= 1 << (bit % 8);
    }

    /// The next of the frames that have arrived.
    pub(super) fn deliver(&mut self, clock: u64) -> Option<Received> {
        let first = self.flying.first_entry().filter(|entry| entry.key().0 <= clock);
        first.map(|entry| entry.remove())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.flying.is_empty()
    }

    /// Throws the dice, if there is a choice: what a wire does not do changes nothing else.
    fn happens(&mut self, share: f64) -> bool {
        share > 0.0 && ((self.rng.draw() >> 11) as f64) < share * (1u64 << 53) as f64
    }
}

/// The ICRC shows that a bit of it flipped.
fn is_protected(frame: &[u8]) -> bool {
    !parse(frame).is_ok_and(|packet| matches!(packet.body, Body::Trimmed(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_wire::{Bth, Data, Dscp, Envelope, frame, headers};

    fn link(impairments: Impairments) -> Link {
        Link::new(100, impairments, Rng::new(5))
    }

    fn numbered(number: u32) -> Received {
        Received { bytes: [&number.to_be_bytes()[..], &[0; 60]].concat(), bad: false }
    }

    /// A frame every fourth clock; what arrives, and when.
    fn through(link: &mut Link, frames: u32) -> Vec<(u64, Received)> {
        let mut arrived = Vec::new();
        for clock in 0..4 * u64::from(frames) + 1000 {
            if clock % 4 == 0 && clock < 4 * u64::from(frames) {
                link.send(clock, numbered((clock / 4) as u32));
            }
            arrived.extend(std::iter::from_fn(|| link.deliver(clock)).map(|frame| (clock, frame)));
        }
        assert!(link.is_empty());
        arrived
    }

    #[test]
    fn a_good_wire_delays_and_no_more() {
        let arrived = through(&mut link(Impairments::default()), 1000);
        let sent = (0..1000).map(|number| (100 + 4 * u64::from(number), numbered(number)));
        assert!(arrived.into_iter().eq(sent));
    }

    #[test]
    fn shares_are_what_they_are_called() {
        let impairments =
            Impairments { loss: 0.2, duplicate: 0.1, corrupt: 0.05, damage: 0.02, ..Impairments::default() };
        let mut link = link(impairments);
        let arrived = through(&mut link, 50_000);
        let LinkCounts { frames, lost, duplicated, corrupted, damaged, reordered } = link.counts;
        assert_eq!((frames, reordered), (50_000, 0));
        assert_eq!(arrived.len() as u64, frames + duplicated - lost);
        let close = |count: u64, of: u64, share: f64| (count as f64 / of as f64 / share - 1.0).abs() < 0.1;
        assert!(close(duplicated, frames, 0.1) && close(lost, frames + duplicated, 0.2));
        assert!(close(corrupted, arrived.len() as u64, 0.05));
        assert!(close(damaged, arrived.len() as u64 - corrupted, 0.02), "{damaged}");
        let flips = |frame: &Received| {
            frame.bytes.iter().skip(4).map(|byte| byte.count_ones()).sum::<u32>() > 0 && !frame.bad
        };
        assert!(arrived.iter().filter(|(_, frame)| frame.bad).count() as u64 == corrupted);
        assert!(arrived.iter().any(|(_, frame)| flips(frame)));
    }

    #[test]
    fn some_frames_are_overtaken() {
        let impairments = Impairments { reorder: 0.1, reorder_clocks: 40, ..Impairments::default() };
        let mut link = link(impairments);
        let arrived = through(&mut link, 10_000);
        assert_eq!(arrived.len(), 10_000);
        let number =
            |frame: &Received| u32::from_be_bytes([0, frame.bytes[1], frame.bytes[2], frame.bytes[3]]);
        let late = |(clock, frame): &(u64, Received)| clock - 100 - 4 * u64::from(number(frame));
        assert_eq!(arrived.iter().map(late).max(), Some(40));
        let overtaken = arrived.windows(2).filter(|pair| number(&pair[0].1) > number(&pair[1].1)).count();
        assert!((700..1000).contains(&overtaken), "{overtaken}");
    }

    #[test]
    fn trimmed_packets_are_not_damaged() {
        let envelope = Envelope::v4([10, 0, 0, 1].into(), [10, 0, 0, 2].into(), 0xC000);
        let (reth, xeth) = (headers::Reth::default(), headers::Xeth::default());
        let body = Body::Data(Data { reth, immediate: None, xeth, payload: &[1; 100] });
        let whole = frame::encode(&envelope, Bth::data(1, 2), &body).expect("a short frame");
        let trimmed = frame::trim(&whole, &Dscp::DEFAULT, false).expect("data");
        let mut link = link(Impairments { damage: 1.0, ..Impairments::default() });
        link.send(0, Received { bytes: trimmed.clone(), bad: false });
        link.send(1, Received { bytes: whole.clone(), bad: false });
        assert_eq!(link.deliver(200).map(|frame| frame.bytes), Some(trimmed));
        assert_ne!(link.deliver(200).map(|frame| frame.bytes), Some(whole));
    }
}
