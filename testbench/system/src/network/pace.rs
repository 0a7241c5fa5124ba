//! Pace of a wire.

use serde::Serialize;

/// Nanoseconds of a clock at 250 MHz.
pub const CLOCK_NS: u64 = 4;

/// Bytes per clock, as a fraction: 100 Gb/s at 250 MHz are 50 / 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rate {
    /// Bytes that pass in `clocks` clocks.
    pub bytes: u32,
    /// Number of clocks in which `bytes` bytes pass.
    pub clocks: u32,
}

impl Rate {
    /// 100 Gb/s at 250 MHz.
    pub const GBPS_100: Self = Self { bytes: 50, clocks: 1 };

    /// Rate of `gbps` Gb/s at 250 MHz.
    pub const fn of_gbps(gbps: u32) -> Self {
        Self { bytes: gbps, clocks: 2 }
    }

    /// Gb/s at 250 MHz, rounded up.
    pub fn gbps(self) -> u64 {
        (u64::from(self.bytes) * 8).div_ceil(u64::from(self.clocks) * CLOCK_NS)
    }

    /// Half of the rate.
    #[must_use]
    pub fn halved(self) -> Self {
        Self { clocks: 2 * self.clocks, ..self }
    }

    /// Ratio of this rate to another.
    pub fn over(self, other: Self) -> f64 {
        f64::from(self.bytes) / f64::from(self.clocks) * f64::from(other.clocks) / f64::from(other.bytes)
    }

    /// Clocks that `bytes` bytes take, rounded up.
    pub fn clocks_of(self, bytes: usize) -> u64 {
        (bytes as u64 * u64::from(self.clocks)).div_ceil(self.bytes.into())
    }
}

/// Bytes that a frame occupies on the wire beyond its own: 20 of preamble and gap, 4 of FCS.
pub const OVERHEAD: usize = 24;
/// The shortest frame, without FCS; shorter ones are padded.
pub const SHORTEST: usize = 60;

/// Bytes that a frame occupies on the wire.
pub fn on_wire(bytes: usize) -> usize {
    bytes.max(SHORTEST) + OVERHEAD
}

/// Bytes of a bus word.
const BEAT: i64 = 64;

/// A counter that shows when the wire is free.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pacer {
    rate: Rate,
    /// Bytes sent and not yet carried, times the rate's clocks; below 0 if the wire could have carried more.
    debt: i64,
    /// Bytes were sent in this clock.
    is_busy: bool,
}

impl Pacer {
    pub(crate) fn new(rate: Rate) -> Self {
        Self { rate, debt: 0, is_busy: false }
    }

    pub(crate) fn rate(&self) -> Rate {
        self.rate
    }

    /// Advances by one clock. A busy wire keeps its rate exactly. A beat of few bytes does not slow the wire,
    /// because the MAC's buffer compensates for such a beat. An idle wire saves up at most one beat.
    pub(crate) fn clock(&mut self) {
        let Rate { bytes, clocks } = self.rate;
        let most = (BEAT * i64::from(clocks)).max(i64::from(bytes));
        let saved = if self.is_busy { i64::MAX } else { most };
        self.debt = (self.debt - i64::from(bytes)).max(-saved);
        self.is_busy = false;
    }

    /// Whether bytes may be sent.
    pub(crate) fn is_free(&self) -> bool {
        self.debt <= 0
    }

    /// Notes that `bytes` bytes are sent.
    pub(crate) fn spend(&mut self, bytes: i64) {
        self.debt += bytes * i64::from(self.rate.clocks);
        self.is_busy = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clocks to send `pieces` pieces as fast as possible.
    fn clocks(rate: Rate, pieces: u64, bytes: usize) -> u64 {
        let (mut pacer, mut sent) = (Pacer::new(rate), 0);
        for clock in 0.. {
            if sent == pieces {
                return clock;
            }
            pacer.clock();
            if pacer.is_free() {
                pacer.spend(bytes as i64);
                sent += 1;
            }
        }
        0
    }

    #[test]
    fn a_busy_wire_keeps_its_rate() {
        // 1.28 and 1.65 clocks a beat; 1.68 clocks a shortest frame; a beat a clock.
        assert!(clocks(Rate::GBPS_100, 100_000, 64).abs_diff(128_000) <= 4);
        assert!(clocks(Rate { bytes: 1280, clocks: 33 }, 100_000, 64).abs_diff(165_000) <= 4);
        assert!(clocks(Rate::GBPS_100, 100_000, on_wire(14)).abs_diff(168_000) <= 4);
        assert!(clocks(Rate::GBPS_100.halved(), 100_000, on_wire(14)).abs_diff(336_000) <= 6);
        assert_eq!(clocks(Rate { bytes: 64, clocks: 1 }, 1000, 64), 1000);
        assert_eq!(Rate::GBPS_100.clocks_of(101), 3);
        assert_eq!([1, 25, 100, 1600].map(|gbps| Rate::of_gbps(gbps).gbps()), [1, 25, 100, 1600]);
        assert_eq!((Rate::GBPS_100.gbps(), Rate { bytes: 7 * 50, clocks: 8 }.gbps()), (100, 88));
    }

    #[test]
    fn an_idle_wire_saves_a_beat_up_and_no_more() {
        let mut pacer = Pacer::new(Rate::GBPS_100);
        (0..1000).for_each(|_| pacer.clock());
        pacer.spend(64 + 150);
        for _ in 0..3 {
            assert!(!pacer.is_free());
            pacer.clock();
        }
        assert!(pacer.is_free());
    }
}
