//! The fault injector. One seeded generator decides on all faults of a frame.

use super::counts::LinkCounts;
use super::seam::Frame;
use weft_random::Rng;
use weft_wire::{Body, Dscp, frame, parse};

/// Faults of frames. Shares are of 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faults {
    /// Frames that are lost.
    pub(crate) loss: f64,
    /// Mean number of frames that a loss removes: 1 for independent losses.
    pub(crate) burst: f64,
    /// Frames of which a second copy arrives.
    pub(crate) duplicate: f64,
    /// Frames of which one to three bits flip on the wire, so that the FCS is wrong.
    pub(crate) corrupt: f64,
    /// Frames in which a switch flips bits and makes a new FCS: a receiver drops them for a wrong ICRC or
    /// IPv4 checksum. Trimmed packets have neither and are spared.
    pub(crate) damage: f64,
    /// Maximum number of bits that such damage flips, and the number of bytes at the beginning that it leaves
    /// unchanged.
    pub(crate) damage_bits: u32,
    pub(crate) damage_from: u32,
    /// Data packets whose payload a switch cuts off.
    pub(crate) trim: f64,
}

impl Default for Faults {
    /// No faults.
    fn default() -> Self {
        let (loss, duplicate, corrupt, damage, trim) = (0.0, 0.0, 0.0, 0.0, 0.0);
        Self { loss, burst: 1.0, duplicate, corrupt, damage, damage_bits: 1, damage_from: 0, trim }
    }
}

/// The injector and its counts.
#[derive(Clone, Debug)]
pub(crate) struct Injector {
    faults: Faults,
    rng: Rng,
    in_burst: bool,
    pub(crate) counts: LinkCounts,
}

impl Injector {
    pub(crate) fn new(faults: Faults, rng: Rng) -> Self {
        Self { faults, rng, in_burst: false, counts: LinkCounts::default() }
    }

    /// Draws whether a second copy of a frame arrives.
    pub(crate) fn doubles(&mut self) -> bool {
        let doubles = happens(&mut self.rng, self.faults.duplicate);
        self.counts.duplicated += u64::from(doubles);
        doubles
    }

    /// Applies the faults to one copy. Returns the frame, or `None` if it is lost. With `spare` the frame is
    /// unchanged, but the draws are made.
    pub(crate) fn strike(&mut self, mut frame: Frame, spare: bool) -> Option<Frame> {
        let Faults { corrupt, damage, damage_bits, damage_from, trim, .. } = self.faults;
        if self.is_lost() && !spare {
            self.counts.lost += 1;
            return None;
        }
        let chance = self.rng.draw();
        let flips = !spare && is_below(chance, corrupt + damage);
        if flips && is_below(chance, corrupt) {
            self.counts.corrupted += 1;
            self.flip(&mut frame.bytes, 3, 0);
            frame.bad = true;
        } else if flips && is_protected(&frame.bytes) {
            self.counts.damaged += 1;
            self.flip(&mut frame.bytes, damage_bits, damage_from);
        } else if happens(&mut self.rng, trim)
            && !spare
            && let Ok(rest) = frame::trim(&frame.bytes, &Dscp::DEFAULT, self.rng.below(2) == 0)
        {
            // Probes have no payload to cut off.
            self.counts.trimmed += 1;
            frame.bytes = rest;
        }
        Some(frame)
    }

    /// Draws whether a further fault happens.
    pub(crate) fn happens(&mut self, share: f64) -> bool {
        happens(&mut self.rng, share)
    }

    /// A random number below `bound`.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.rng.below(bound)
    }

    /// Losses by chance, or in bursts. A burst ends after each frame with the same chance. The probability
    /// that a burst begins is chosen so that the share of losses is `loss`.
    fn is_lost(&mut self) -> bool {
        let Faults { loss, burst, .. } = self.faults;
        if burst <= 1.0 {
            return self.happens(loss);
        }
        let share = if self.in_burst { 1.0 - 1.0 / burst } else { loss / (burst * (1.0 - loss)) };
        self.in_burst = self.happens(share);
        self.in_burst
    }

    /// Flips one to `most` bits behind the first `from` bytes.
    fn flip(&mut self, bytes: &mut [u8], most: u32, from: u32) {
        for _ in 0..=self.rng.below(most) {
            let bit = 8 * from + self.rng.below(8 * (bytes.len() as u32 - from));
            bytes[bit as usize / 8] ^= 1 << (bit % 8);
        }
    }
}

/// Draws whether an event of this share happens.
pub(crate) fn happens(rng: &mut Rng, share: f64) -> bool {
    is_below(rng.draw(), share)
}

/// Whether a draw is in this share of all draws.
fn is_below(draw: u64, share: f64) -> bool {
    ((draw >> 11) as f64) < share * (1u64 << 53) as f64
}

/// Whether the ICRC or checksum of the frame shows a flipped bit.
fn is_protected(frame: &[u8]) -> bool {
    !parse(frame).is_ok_and(|packet| matches!(packet.body, Body::Trimmed(_)))
}
