//! Rows of the table in `recovery.md` section 3.

use super::plain::{Host, Plain};
use super::setting::{Setting, Work};
use super::sim::{Figures, Sim};
use super::transport::{Transport, Weft};
use serde::Serialize;
use std::ops::Range;
use weft_params::ParamError;

/// Rule set of the senders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Rules {
    /// The model of `weft_sender`, with the SACK gap for the network or a given SACK gap.
    Weft(Option<u32>),
    /// The project's rules before ages (commit 4eb8183), with a SACK gap.
    Before(u32),
    /// Go-back-N.
    GoBackN,
    /// RACK-TLP (RFC 8985).
    Rack,
}

impl Rules {
    fn make(self, setting: &Setting, seed: u64) -> Result<Box<dyn Transport>, ParamError> {
        let gap = if let Self::Weft(gap) = self { gap } else { Some(0) };
        let csr = setting.csr(gap)?;
        let plain = match self {
            Self::Weft(_) => return Ok(Box::new(Weft::new(setting, csr, seed)?)),
            Self::Before(gap) => Plain::Before { gap: gap.into() },
            Self::GoBackN => Plain::GoBackN,
            Self::Rack => Plain::Rack,
        };
        Ok(Box::new(Host::new(plain, &csr, seed)))
    }

    /// Whether the rules have a SACK gap. The SACK gap determines the goals of some rows.
    fn has_gap(self, setting: &Setting) -> Result<bool, ParamError> {
        match self {
            Self::Weft(gap) => Ok(setting.csr(gap)?.sack.classes[0].gap > 0),
            Self::Before(gap) => Ok(gap > 0),
            Self::GoBackN | Self::Rack => Ok(false),
        }
    }

    pub(super) fn run(self, setting: Setting, work: Work, seed: u64) -> Result<Figures, ParamError> {
        let make = |seed| self.make(&setting, seed);
        Sim::new(setting, work, seed, self == Self::GoBackN, make).map(|sim| sim.run(LIMIT_US))
    }
}

/// Longest time of a run.
const LIMIT_US: f64 = 3e5;

/// A part of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Part {
    /// Packets of one message that are lost once or twice.
    Holes,
    /// Goodput where packets and ACKs are lost at random.
    Goodput,
    /// Spurious retransmissions where no packet is lost and delays change.
    Delays,
    /// Spurious retransmissions and freezes where queues fill: incasts, a slow path.
    Queues,
    /// A path that dies.
    DeadPath,
    /// Losses of a whole window or of all ACKs, and longer round trips.
    Cases,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 6] =
        [Self::Holes, Self::Goodput, Self::Delays, Self::Queues, Self::DeadPath, Self::Cases];
}

/// Goal of a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Goal {
    /// The mean is at least this value.
    Least(f64),
    /// The mean is at most this value.
    Most(f64),
}

/// A row: a measured figure and its goal.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Name of the figure, with its unit.
    pub name: String,
    /// Values by seed.
    pub values: Vec<f64>,
    /// Goal for the mean.
    pub goal: Option<Goal>,
}

impl Row {
    /// Mean over the seeds.
    pub fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }

    /// Smallest and largest value.
    pub fn spread(&self) -> (f64, f64) {
        self.values
            .iter()
            .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)))
    }

    /// Whether the mean reaches the goal, if there is one.
    pub fn reached(&self) -> Option<bool> {
        self.goal.map(|goal| match goal {
            Goal::Least(goal) => self.mean() >= goal,
            Goal::Most(goal) => self.mean() <= goal,
        })
    }
}

/// The rows of a part for these rules.
///
/// # Errors
/// A network has no registers.
pub fn rows(part: Part, rules: Rules, seeds: &Range<u64>) -> Result<Vec<Row>, ParamError> {
    let mut rows = Vec::new();
    for (name, base) in [("100G", Setting::G100), ("400G", Setting::G400)] {
        let gap = rules.has_gap(&base)?;
        let mut of = Of { name, base, gap, rules, seeds, rows: &mut rows };
        match part {
            Part::Holes => of.holes()?,
            Part::Goodput => of.goodput()?,
            Part::Delays => of.delays()?,
            Part::Queues => of.queues()?,
            Part::DeadPath => of.dead_path()?,
            Part::Cases => of.cases()?,
        }
    }
    Ok(rows)
}

/// Rows of one network.
pub(super) struct Of<'a> {
    name: &'static str,
    pub(super) base: Setting,
    gap: bool,
    pub(super) rules: Rules,
    pub(super) seeds: &'a Range<u64>,
    rows: &'a mut Vec<Row>,
}

impl Of<'_> {
    /// Goal for this network.
    fn pick<T>(&self, at_100: T, at_400: T) -> T {
        if self.base.gbps == 100 { at_100 } else { at_400 }
    }

    pub(super) fn row(
        &mut self,
        what: &str,
        goal: Option<Goal>,
        of: impl FnMut(u64) -> Result<f64, ParamError>,
    ) -> Result<(), ParamError> {
        let values: Result<Vec<f64>, ParamError> = self.seeds.clone().map(of).collect();
        self.add(what, goal, values?);
        Ok(())
    }

    pub(super) fn add(&mut self, what: &str, goal: Option<Goal>, values: Vec<f64>) {
        self.rows.push(Row { name: format!("{} {what}", self.name), values, goal });
    }

    fn holes(&mut self) -> Result<(), ParamError> {
        let (rules, base) = (self.rules, self.base);
        for (what, packets, times, goal) in [
            ("64 packets, us", 64, 0, None),
            ("64 packets, one lost, us", 64, 1, Some(self.pick(56.0, 35.0))),
            ("64 packets, one lost twice, us", 64, 2, Some(self.pick(70.0, 75.0))),
            ("64 packets, the last lost, us", 64, 1, Some(self.pick(85.0, 35.0))),
            ("one packet, lost, us", 1, 1, Some(self.pick(40.0, 28.0))),
        ] {
            self.row(what, goal.map(Goal::Most), |seed| {
                let at = match packets {
                    1 => 0,
                    _ if what.contains("last") => 63,
                    _ => 5 + (seed * 7 % 11) as u32,
                };
                let setting = Setting { hole: Some((at, times)), ..base };
                Ok(rules.run(setting, Work::One { packets, messages: 1 }, seed)?.us)
            })?;
        }
        Ok(())
    }

    fn goodput(&mut self) -> Result<(), ParamError> {
        let (rules, base) = (self.rules, self.base);
        let goals = self
            .pick([97.0, 95.0, 75.0], if self.gap { [370.0, 330.0, 200.0] } else { [350.0, 285.0, 150.0] });
        for (loss, goal) in [1e-3, 1e-2, 1e-1].into_iter().zip(goals) {
            let what = format!("{loss} of packets and ACKs lost, no trimming: goodput, Gb/s");
            self.row(&what, Some(Goal::Least(goal)), |seed| {
                let setting = Setting { loss, ack_loss: loss, trims: false, ..base };
                let figures = rules.run(setting, Work::One { packets: 64, messages: 312 }, seed)?;
                Ok(f64::from(figures.ended * 64) * base.mtu_bytes as f64 * 8.0 / figures.us / 1e3)
            })?;
        }
        Ok(())
    }

    fn delays(&mut self) -> Result<(), ParamError> {
        let (rules, base) = (self.rules, self.base);
        for paths in [8, 64] {
            for (share, jitter_period_us) in [(0.5, 3.0), (1.0, 3.0), (1.0, 30.0)] {
                let what = format!(
                    "{paths} paths, delays up to {share} RTT, drawn anew every {jitter_period_us} us: spurious, %"
                );
                self.row(&what, Some(Goal::Most(0.1)), |seed| {
                    let setting = Setting { paths, jitter_us: share * base.rtt_us, jitter_period_us, ..base };
                    let figures = rules.run(setting, Work::One { packets: 1_000, messages: 8 }, seed)?;
                    Ok(100.0 * figures.again as f64 / figures.packets as f64)
                })?;
            }
        }
        Ok(())
    }

    fn queues(&mut self) -> Result<(), ParamError> {
        let base = self.base;
        let packets = (1 << 20) / base.mtu_bytes as u32;
        for trims in [true, false] {
            let how = if trims { "trims" } else { "drops" };
            for (senders, queue_bdp) in [(8, 1.0), (32, 1.0), (32, 0.3)] {
                let path_gbps = if senders == 32 { 2 * base.gbps } else { base.gbps };
                let setting = Setting { hosts: senders + 1, trims, queue_bdp, path_gbps, ..base };
                let work = Work::Incast { packets: packets / 8, messages: 8 };
                let what = format!("incast {senders}:1, queues of {queue_bdp} BDP, {how}");
                self.spurious(&what, setting, work, trims)?;
            }
            let setting = Setting { hosts: 16, slow: Some((0, 2)), trims, ..base };
            let messages = self.pick(4, 16);
            self.spurious(
                &format!("one of 8 paths slow, {how}"),
                setting,
                Work::Ring { packets, messages },
                false,
            )?;
        }
        Ok(())
    }

    fn spurious(
        &mut self,
        what: &str,
        setting: Setting,
        work: Work,
        freezes: bool,
    ) -> Result<(), ParamError> {
        let runs: Result<Vec<Figures>, ParamError> =
            self.seeds.clone().map(|seed| self.rules.run(setting, work, seed)).collect();
        let runs = runs?;
        let share = |figures: &Figures| 100.0 * figures.twice as f64 / figures.packets as f64;
        self.add(&format!("{what}: spurious, %"), Some(Goal::Most(0.2)), runs.iter().map(share).collect());
        if freezes {
            let freezes = runs.iter().map(|figures| figures.freezes as f64).collect();
            self.add(&format!("{what}: freezes"), Some(Goal::Most(0.0)), freezes);
        }
        Ok(())
    }

    fn dead_path(&mut self) -> Result<(), ParamError> {
        let (rules, base, seeds) = (self.rules, self.base, self.seeds.clone());
        let packets = (1 << 20) / base.mtu_bytes as u32;
        let work = Work::Ring { packets, messages: self.pick(4, 16) };
        let slower = self.pick(1.25, if self.gap { 1.2 } else { 1.4 });
        for trims in [true, false] {
            let (mut lost, mut longer) = (Vec::new(), Vec::new());
            let setting = Setting { hosts: 16, trims, ..base };
            let dead = Setting { dead: Some((1, 50.0, f64::MAX)), ..setting };
            let most = match self.pick(true, false) {
                // 1.1 times the loss of the rules before ages without a gap.
                true => {
                    let before =
                        seeds.clone().map(|seed| Ok(Rules::Before(0).run(dead, work, seed)?.dead as f64));
                    let before: Result<Vec<f64>, ParamError> = before.collect();
                    1.1 * before?.iter().sum::<f64>() / (seeds.end - seeds.start) as f64
                }
                // 1.25 times the most bytes in flight to one of eight paths: a largest window of each host.
                false => 1.25 * 16.0 / 8.0 * 1.25 * base.bdp_bytes() as f64 / base.mtu_bytes as f64,
            };
            for seed in seeds.clone() {
                let healthy = rules.run(setting, work, seed)?;
                let figures = rules.run(dead, work, seed)?;
                lost.push(figures.dead as f64);
                longer.push(figures.us / healthy.us);
            }
            let how = if trims { "trims" } else { "drops" };
            self.add(&format!("one of 8 paths dies, {how}: packets lost"), Some(Goal::Most(most)), lost);
            self.add(&format!("one of 8 paths dies, {how}: times as long"), Some(Goal::Most(slower)), longer);
        }
        Ok(())
    }
}
