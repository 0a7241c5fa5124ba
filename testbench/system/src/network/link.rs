//! A link in one direction, with latency and faults.

use super::counts::LinkCounts;
use super::fault::{Faults, Injector};
use super::flight::Flight;
use super::seam::{Frame, Network};
use serde::Serialize;
use weft_random::Rng;

/// Faults of wires. Shares are of 1, of every frame on every wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Impairments {
    /// Frames that are lost.
    pub loss: f64,
    /// Frames of which a second copy arrives.
    pub duplicate: f64,
    /// Frames that other frames may overtake.
    pub reorder: f64,
    /// Maximum number of clocks by which such frames are late.
    pub reorder_clocks: u32,
    /// Frames of which bits flip on the wire: the MAC sees the wrong FCS and marks the frame for the NIC.
    pub corrupt: f64,
    /// Frames in which a switch flips a bit and makes a new FCS: a receiver drops them for a wrong ICRC or
    /// IPv4 checksum. Trimmed packets have neither and are spared.
    pub damage: f64,
}

impl Impairments {
    /// All faults at once, each so frequent that it happens often in a short run.
    pub const EVERYTHING: Self = Self {
        loss: 0.03,
        duplicate: 0.05,
        reorder: 0.1,
        reorder_clocks: 3_000,
        corrupt: 0.02,
        damage: 0.02,
    };

    fn faults(&self) -> Faults {
        let Self { loss, duplicate, corrupt, damage, .. } = *self;
        Faults { loss, duplicate, corrupt, damage, ..Faults::default() }
    }
}

/// A link in one direction.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    latency_clocks: u64,
    impairments: Impairments,
    injector: Injector,
    flight: Flight<Frame>,
}

impl Link {
    pub(crate) fn new(latency_clocks: u64, impairments: Impairments, rng: Rng) -> Self {
        let injector = Injector::new(impairments.faults(), rng);
        Self { latency_clocks, impairments, injector, flight: Flight::new() }
    }

    /// Counts of the frames that entered the link.
    pub(crate) fn counts(&self) -> LinkCounts {
        self.injector.counts
    }

    /// Next frame that has arrived.
    pub(crate) fn deliver(&mut self, clock: u64) -> Option<Frame> {
        self.flight.land(clock)
    }

    fn fly(&mut self, clock: u64, frame: Frame) {
        let Impairments { reorder, reorder_clocks, .. } = self.impairments;
        let Some(frame) = self.injector.strike(frame, false) else { return };
        let mut arrival = clock + self.latency_clocks;
        if self.injector.happens(reorder) {
            self.injector.counts.reordered += 1;
            arrival += u64::from(1 + self.injector.below(reorder_clocks.max(1)));
        }
        self.flight.launch(arrival, frame);
    }
}

/// The link as a network: frames that enter at end 0 leave at end 1.
impl Network<Frame> for Link {
    fn send(&mut self, clock: u64, _from: u32, frame: Frame) {
        self.injector.counts.frames += 1;
        if self.injector.doubles() {
            self.fly(clock, frame.clone());
        }
        self.fly(clock, frame);
    }

    fn poll(&mut self, clock: u64, out: &mut dyn FnMut(u32, Frame)) {
        while let Some(frame) = self.deliver(clock) {
            out(1, frame);
        }
    }

    fn is_empty(&self) -> bool {
        self.flight.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_wire::{Body, Bth, Data, Dscp, Envelope, frame, headers};

    fn link(impairments: Impairments) -> Link {
        Link::new(100, impairments, Rng::new(5))
    }

    fn numbered(number: u32) -> Frame {
        Frame { bytes: [&number.to_be_bytes()[..], &[0; 60]].concat(), bad: false }
    }

    /// Sends a frame every fourth clock. Returns the frames that arrive, with their clocks.
    fn through(link: &mut Link, frames: u32) -> Vec<(u64, Frame)> {
        let mut arrived = Vec::new();
        for clock in 0..4 * u64::from(frames) + 1000 {
            if clock % 4 == 0 && clock < 4 * u64::from(frames) {
                link.send(clock, 0, numbered((clock / 4) as u32));
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
        let LinkCounts { frames, lost, duplicated, corrupted, damaged, reordered, .. } = link.counts();
        assert_eq!((frames, reordered), (50_000, 0));
        assert_eq!(arrived.len() as u64, frames + duplicated - lost);
        let close = |count: u64, of: u64, share: f64| (count as f64 / of as f64 / share - 1.0).abs() < 0.1;
        assert!(close(duplicated, frames, 0.1) && close(lost, frames + duplicated, 0.2));
        assert!(close(corrupted, arrived.len() as u64, 0.05));
        assert!(close(damaged, arrived.len() as u64 - corrupted, 0.02), "{damaged}");
        let flips = |frame: &Frame| {
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
        let number = |frame: &Frame| u32::from_be_bytes([0, frame.bytes[1], frame.bytes[2], frame.bytes[3]]);
        let late = |(clock, frame): &(u64, Frame)| clock - 100 - 4 * u64::from(number(frame));
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
        link.send(0, 0, Frame { bytes: trimmed.clone(), bad: false });
        link.send(1, 0, Frame { bytes: whole.clone(), bad: false });
        assert_eq!(link.deliver(200).map(|frame| frame.bytes), Some(trimmed));
        assert_ne!(link.deliver(200).map(|frame| frame.bytes), Some(whole));
    }
}
