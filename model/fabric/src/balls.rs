//! Balls into bins, as REPS section 5.1 models the ports of a switch: bins are ports, balls are packets. In a
//! step every bin that is not empty loses its oldest ball, then new balls are thrown. Balls thrown at random
//! are sprayed packets. A *recycled* ball goes to a bin that a ball of the same colour has left, if that bin
//! was not too full.

use std::collections::VecDeque;
use weft_random::Rng;

/// `load` counts in this part of the bins.
pub const WHOLE: u32 = 10_000;

/// The balls and bins of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balls {
    /// Bins, at least 1.
    pub bins: usize,
    /// The share of new balls in a step, as a fraction of the bins. There is one chance per bin; each chance
    /// adds a ball with this probability, in [`WHOLE`]ths.
    pub load: u32,
    /// Recycling; with `None` every ball goes to a random bin.
    pub recycle: Option<Recycle>,
}

/// Recycled balls into bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recycle {
    /// Maximum number of balls in a bin (tau): in a bin with more balls, the colour of a leaving ball does
    /// not remember the bin.
    pub threshold: usize,
    /// Colours for each bin (b), at least 1.
    pub colors_per_bin: usize,
    /// One in this number of balls reports its bin when the ball leaves. The colours of all other balls
    /// forget their bins. The number is at least 1; with 1 every ball reports.
    pub every: usize,
}

impl Recycle {
    /// The least values of theorem 5.1: a threshold of 4 ln n, and 2.4 ln n colours for each bin.
    pub fn of_theorem(bins: usize) -> Self {
        let log = (bins as f64).ln();
        Self {
            threshold: (4.0 * log).ceil() as usize,
            colors_per_bin: (2.4 * log).ceil().max(1.0) as usize,
            every: 1,
        }
    }
}

/// A run of [`Balls`], step by step.
#[derive(Clone, Debug)]
pub struct Throws {
    balls: Balls,
    /// The colours of each bin's balls, the oldest ball first.
    bins: Vec<VecDeque<usize>>,
    /// The bin that each colour remembers.
    remembered: Vec<Option<usize>>,
    /// The colour that is thrown next.
    color: usize,
    taken: usize,
    random: Rng,
}

impl Throws {
    /// Makes empty bins; no colour remembers a bin.
    pub fn new(balls: Balls, seed: u64) -> Self {
        let colors = balls.recycle.map_or(1, |recycle| recycle.colors_per_bin * balls.bins);
        Self {
            balls,
            bins: vec![VecDeque::new(); balls.bins],
            remembered: vec![None; colors],
            color: 0,
            taken: 0,
            random: Rng::new(seed),
        }
    }

    /// Removes a ball from each bin, throws the next ones, and returns the number of balls in the fullest
    /// bin.
    pub fn step(&mut self) -> usize {
        self.take();
        for _ in 0..self.balls.bins {
            if self.balls.load >= WHOLE || self.random.chance(self.balls.load, WHOLE) {
                let color = self.color;
                self.color = (color + 1) % self.remembered.len();
                let bin = self.remembered[color].unwrap_or_else(|| self.random.index(self.balls.bins));
                self.bins[bin].push_back(color);
            }
        }
        self.loads().max().unwrap_or(0)
    }

    /// Balls in each bin.
    pub fn loads(&self) -> impl Iterator<Item = usize> {
        self.bins.iter().map(VecDeque::len)
    }

    fn take(&mut self) {
        for (at, bin) in self.bins.iter_mut().enumerate() {
            let load = bin.len();
            let (Some(color), Some(recycle)) = (bin.pop_front(), self.balls.recycle) else { continue };
            self.taken += 1;
            let is_told = self.taken.is_multiple_of(recycle.every);
            let remembered = &mut self.remembered[color];
            *remembered = (is_told && load <= recycle.threshold).then(|| remembered.unwrap_or(at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peak(balls: Balls, seed: u64, steps: usize) -> usize {
        let mut throws = Throws::new(balls, seed);
        (0..steps).map(|_| throws.step()).max().unwrap_or(0)
    }

    /// Computed by hand: one bin, full load. Each step throws and removes one ball, with any rule of
    /// throwing.
    #[test]
    fn one_bin_holds_one_ball() {
        let recycle = Recycle { threshold: 1, colors_per_bin: 1, every: 1 };
        for recycle in [None, Some(recycle)] {
            assert_eq!(peak(Balls { bins: 1, load: WHOLE, recycle }, 1, 100), 1);
        }
        assert_eq!(peak(Balls { bins: 1, load: 0, recycle: None }, 1, 100), 0);
    }

    /// With a threshold above that of theorem 5.1, most runs settle: from some step on they throw no ball at
    /// random, and all bins stay at the threshold or below. The remaining runs stay near the threshold;
    /// without recycling, bins would grow further.
    #[test]
    fn recycled_balls_come_to_rest_below_the_threshold() {
        let recycle = Recycle { threshold: 16, colors_per_bin: 5, every: 1 };
        let mut at_rest = 0;
        for seed in 1..=20 {
            let mut throws = Throws::new(Balls { bins: 8, load: WHOLE, recycle: Some(recycle) }, seed);
            let most = (0..10_000).map(|_| throws.step()).max();
            assert!(most < Some(32), "seed {seed}: {most:?}");
            let random = throws.random.clone();
            let after = (0..1_000).map(|_| throws.step()).max();
            if throws.random == random {
                assert!(after <= Some(16), "seed {seed}: {after:?}");
                at_rest += 1;
            }
        }
        assert!(at_rest > 10, "{at_rest} of 20");
        assert!((1..=20).all(|seed| peak(Balls { bins: 8, load: WHOLE, recycle: None }, seed, 10_000) > 32));
    }

    /// At full load, a bin that was empty has missed a step for good, so the fullest bin grows. At half load
    /// the fullest bin does not grow. (REPS 5.1: "oblivious random spraying leads to unbounded queue
    /// lengths".)
    #[test]
    fn thrown_at_random_they_pile_up_at_full_load() {
        let of = |load, steps| -> usize {
            (1..=5).map(|seed| peak(Balls { bins: 16, load, recycle: None }, seed, steps)).sum()
        };
        assert!(of(WHOLE, 40_000) > 2 * of(WHOLE, 2_500));
        assert!(of(WHOLE / 2, 40_000) < 2 * of(WHOLE / 2, 2_500));
    }

    /// One in two balls reports its bin: a bin may exceed the threshold, because the remaining balls are
    /// thrown at random.
    #[test]
    fn fewer_told_are_fuller_bins() {
        let of = |every| -> usize {
            let recycle = Recycle { every, ..Recycle::of_theorem(16) };
            (1..=5)
                .map(|seed| peak(Balls { bins: 16, load: WHOLE, recycle: Some(recycle) }, seed, 2_000))
                .sum()
        };
        assert!(of(1) < of(4) && of(4) < of(16));
    }
}
