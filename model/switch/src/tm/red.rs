//! ECN marking, between two thresholds at random.

use super::error::SettingsError;
use serde::Serialize;
use weft_random::Rng;

/// The event at which an item is marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum At {
    /// The arrival of a packet, by the bytes that wait before it.
    Enqueue,
    /// The departure of a packet, by the bytes that wait behind it.
    #[default]
    Dequeue,
}

/// The value that is compared with the thresholds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Over {
    /// The item's queue.
    #[default]
    Queue,
    /// All marked queues of the port.
    Port,
}

/// ECN as in RED (Floyd and Jacobson 1993) and DCQCN (Zhu et al. 2015, figure 5), but by the bytes that wait now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Red {
    /// Bytes up to which no item is marked.
    pub kmin_bytes: u32,
    /// Bytes above which every item is marked.
    pub kmax_bytes: u32,
    /// Probability at `kmax_bytes` in 1/65536, up to which the probability grows from 0.
    pub pmax: u32,
    /// The event at which an item is marked.
    pub at: At,
    /// The bytes that count.
    pub over: Over,
}

impl Red {
    /// ConWeave's simulations: 100 kB, 400 kB, 0.2.
    pub const CONWEAVE: Self =
        Self { kmin_bytes: 100_000, kmax_bytes: 400_000, pmax: 13_107, at: At::Dequeue, over: Over::Queue };

    pub(super) fn check(&self) -> Result<(), SettingsError> {
        if self.kmin_bytes > self.kmax_bytes {
            return Err(SettingsError::Thresholds { kmin: self.kmin_bytes, kmax: self.kmax_bytes });
        }
        if self.pmax > 1 << 16 {
            return Err(SettingsError::Pmax { pmax: self.pmax });
        }
        Ok(())
    }

    /// Whether an item is marked when `depth` bytes wait. Draws a random number only between the thresholds.
    #[inline]
    pub fn marks(&self, depth: u32, random: &mut Rng) -> bool {
        if depth <= self.kmin_bytes {
            return false;
        }
        if depth > self.kmax_bytes {
            return true;
        }
        // draw / 2^32 < pmax / 2^16 x (depth - kmin) / (kmax - kmin), without a division; all below 2^64, as the
        // differences are below 2^32.
        let (above, range) =
            (u64::from(depth - self.kmin_bytes), u64::from(self.kmax_bytes - self.kmin_bytes));
        (random.draw() >> 32) * range < (u64::from(self.pmax) << 16) * above
    }
}
