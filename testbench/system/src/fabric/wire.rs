//! A wire between two neighbours, in one direction: its time, and when it is cut.

use super::figures::WireFigures;
use crate::network::path::meets;
use std::ops::Range;
use weft_switch::tm::{Rate, WIRE_MIN, WIRE_OVERHEAD};

/// The wire. Clocks are those of switches.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    rate: Rate,
    latency: u64,
    cuts: Vec<Range<u64>>,
    pub(super) figures: WireFigures,
}

impl Wire {
    pub(super) fn new(rate: Rate, latency: u64, cuts: Vec<Range<u64>>, to: String, up: bool) -> Self {
        Self { rate, latency, cuts, figures: WireFigures { to, up, ..WireFigures::default() } }
    }

    /// Sends the first byte of a frame; returns the clock in which its last byte is at the far end. Frames on
    /// the wire during a cut are lost.
    pub(super) fn send(&mut self, clock: u64, bytes: usize) -> Option<u64> {
        let bytes = (bytes as u64 + u64::from(WIRE_OVERHEAD)).max(WIRE_MIN.into());
        let end = clock + self.rate.clocks_of(bytes) + self.latency;
        let is_cut = self.cuts.iter().any(|cut| meets(cut, clock, end));
        self.figures.frames += 1;
        self.figures.bytes += bytes;
        self.figures.lost += u64::from(is_cut);
        (!is_cut).then_some(end)
    }

    /// Lets a frame arrive by the clock in which its last byte has left the wire. Returns whether the frame
    /// arrived.
    pub(super) fn arrive(&mut self, clock: u64, bytes: usize) -> bool {
        let time = self.rate.clocks_of(bytes as u64 + u64::from(WIRE_OVERHEAD)) + self.latency;
        self.send(clock.saturating_sub(time), bytes).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_takes_its_time_and_is_lost_on_a_cut_wire() {
        let mut wire =
            Wire::new(Rate::gbps(100), 500, vec![10_000..20_000, 30_000..u64::MAX], String::new(), true);
        // 1,000 bytes and 24 at 12.5 bytes a clock; a short frame is padded to 84.
        assert_eq!((wire.send(0, 1000), wire.send(100, 60)), (Some(582), Some(607)));
        // The frames are on the wire as the cut begins, as it lasts, and after it.
        assert_eq!((wire.send(9_417, 1000), wire.send(9_418, 1000)), (Some(9_999), None));
        assert_eq!((wire.send(19_999, 60), wire.send(20_000, 60)), (None, Some(20_507)));
        assert_eq!(wire.send(40_000, 60), None);
        assert!(wire.arrive(9_999, 1000) && !wire.arrive(10_000, 1000));
        assert!(!wire.arrive(20_581, 1000) && wire.arrive(20_582, 1000));
        assert_eq!((wire.figures.frames, wire.figures.lost), (11, 5));
    }
}
