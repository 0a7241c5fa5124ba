//! Metrics of all uplinks in one cell, so that one access reads all of them. Metrics age: a metric that is
//! not renewed for one to two ages is 0, so a path that was congested is tried again (CONGA section 3.3).

/// Maximum number of uplinks of a leaf.
pub(super) const MOST_UPLINKS: usize = 14;
/// Bits of a metric.
pub(super) const METRIC_BITS: u32 = 3;

const ALL: u64 = (1 << (METRIC_BITS as usize * MOST_UPLINKS)) - 1;
const EACH: u64 = (1 << MOST_UPLINKS) - 1;

/// A cell: 14 metrics of 3 bits, for each metric a bit that says whether it was renewed in this age, 4 bits
/// of the age's number, 4 bits of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metrics {
    metrics: u64,
    renewed: u64,
    epoch: u64,
    turn: u64,
}

impl Metrics {
    /// A cell with its value in this age. Ages count modulo 16: a cell that is untouched for exactly 16 ages
    /// counts as fresh once.
    pub fn of(cell: u64, epoch: u64) -> Self {
        let (metrics, renewed, then) = (cell & ALL, cell >> 42 & EACH, cell >> 56 & 0xF);
        let turn = cell >> 60;
        match epoch.wrapping_sub(then) & 0xF {
            0 => Self { metrics, renewed, epoch, turn },
            1 => {
                let kept = (0..MOST_UPLINKS)
                    .filter(|at| renewed >> at & 1 == 1)
                    .map(|at| 7 << (3 * at))
                    .sum::<u64>();
                Self { metrics: metrics & kept, renewed: 0, epoch, turn }
            }
            _ => Self { metrics: 0, renewed: 0, epoch, turn },
        }
    }

    /// The cell.
    pub fn cell(self) -> u64 {
        self.turn << 60 | (self.epoch & 0xF) << 56 | self.renewed << 42 | self.metrics
    }

    /// Sets a metric; a missing uplink is ignored.
    pub fn set(&mut self, uplink: u64, metric: u64) {
        if uplink < MOST_UPLINKS as u64 {
            self.metrics = self.metrics & !(7 << (3 * uplink)) | metric.min(7) << (3 * uplink);
            self.renewed |= 1 << uplink;
        }
    }

    /// The next of `uplinks` in turn: its number, counted from 1, and its metric.
    pub fn tell(&mut self, uplinks: usize) -> [u64; 2] {
        let at = if self.turn < uplinks as u64 { self.turn } else { 0 };
        self.turn = at + 1;
        [at + 1, self.metrics >> (3 * at) & 7]
    }

    /// All metrics, 3 bits each.
    pub fn all(self) -> u64 {
        self.metrics
    }
}

/// The reachable uplinks whose worse metric, local or remote, is lowest (CONGA section 3.5).
pub fn best(local: u64, remote: u64, reachable: u64) -> u64 {
    let metric = |at: usize| (local >> (3 * at) & 7).max(remote >> (3 * at) & 7);
    let usable = || (0..MOST_UPLINKS).filter(|at| reachable >> at & 1 == 1);
    let least = usable().map(metric).min();
    usable().filter(|at| Some(metric(*at)) == least).map(|at| 1 << at).sum()
}

/// Chooses an element of a set by 16 random bits.
pub fn any(set: u64, draw: u64) -> u64 {
    let nth = (draw * u64::from(set.count_ones())) >> 16;
    (0..64).filter(|at| set >> at & 1 == 1).nth(nth as usize).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_age() {
        let mut metrics = Metrics::of(0, 15);
        metrics.set(0, 5);
        metrics.set(13, 7);
        metrics.set(14, 7);
        let cell = metrics.cell();
        assert_eq!(Metrics::of(cell, 15).all(), 7 << 39 | 5);
        // In the next age one of the metrics is renewed.
        let mut next = Metrics::of(cell, 0);
        next.set(0, 4);
        assert_eq!(next.all(), 7 << 39 | 4);
        assert_eq!(Metrics::of(next.cell(), 1).all(), 4);
        assert_eq!(Metrics::of(next.cell(), 2).all(), 0);
        assert_eq!(Metrics::of(Metrics::of(next.cell(), 1).cell(), 2).all(), 0);
    }

    #[test]
    fn feedback_goes_in_turn() {
        let mut metrics = Metrics::of(0, 0);
        metrics.set(1, 6);
        let told: Vec<[u64; 2]> = (0..4).map(|_| metrics.tell(3)).collect();
        assert_eq!(told, [[1, 0], [2, 6], [3, 0], [1, 0]]);
    }

    #[test]
    fn the_best_uplink_has_the_least_worse_metric() {
        let (local, remote) = (0o_0317, 0o_4130);
        // Worse metrics, from uplink 3: 4, 3, 3, 7.
        assert_eq!(best(local, remote, 0b1111), 0b0110);
        assert_eq!(best(local, remote, 0b1001), 0b1000);
        assert_eq!([0, 0x7FFF, 0x8000, 0xFFFF].map(|draw| any(0b0110, draw)), [1, 1, 2, 2]);
    }
}
