//! The table of `recovery.md` section 3, row by row.

use super::setting::{Setting, Work};
use super::sim::{Figures, Sim};
use super::transport::{Transport, Weft};
use serde::Serialize;

/// What stands at the senders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Rules {
    /// The model of `weft_sender`, without a SACK gap or with one.
    Weft { gap: u32 },
}

impl Rules {
    fn make(self, setting: &Setting, seed: u64) -> Box<dyn Transport> {
        let Self::Weft { gap } = self;
        let csr = setting.csr(gap).expect("registers");
        Box::new(Weft::new(setting, csr, seed).expect("registers"))
    }

    pub(super) fn run(self, setting: Setting, work: Work, seed: u64, limit_us: f64) -> Figures {
        Sim::new(setting, work, seed, false, |seed| self.make(&setting, seed)).run(limit_us)
    }
}

/// A row: what is measured, and what is to be reached.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What is measured.
    pub name: String,
    /// By seed.
    pub values: Vec<f64>,
    /// What is to be reached, and whether it is the most or the least.
    pub goal: Option<(f64, bool)>,
}

impl Row {
    pub fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }
}

fn goodput(setting: &Setting, work: Work, figures: &Figures) -> f64 {
    let (packets, _) = work.messages();
    f64::from(figures.ended * packets) * setting.mtu_bytes as f64 * 8.0 / figures.us / 1e3
}

/// The rows for these rules, by the part of the table.
pub fn rows(part: &str, rules: Rules, seeds: std::ops::Range<u64>) -> Vec<Row> {
    let mut rows = vec![];
    let Rules::Weft { gap } = rules;
    for (name, base, fast) in [("100G", Setting::G100, false), ("400G", Setting::G400, true)] {
        let mut row = |what: &str, goal: Option<(f64, bool)>, of: &mut dyn FnMut(u64) -> f64| {
            rows.push(Row { name: format!("{name} {what}"), values: seeds.clone().map(of).collect(), goal });
        };
        let pick = |slow: f64, quick: f64| if fast { quick } else { slow };
        if part == "holes" {
            for (what, packets, hole, goal) in [
                ("lossless", 64, None, None),
                ("one hole", 64, Some(1), Some(pick(56.0, 35.0))),
                ("lost twice", 64, Some(2), Some(pick(70.0, 75.0))),
                ("tail", 64, Some(1), Some(pick(85.0, 35.0))),
                ("lone packet", 1, Some(1), Some(pick(40.0, 28.0))),
            ] {
                row(what, goal.map(|goal| (goal, false)), &mut |seed| {
                    let at = if packets == 1 { 0 } else if what == "tail" { 63 } else { 5 + (seed * 7 % 11) as u32 };
                    let setting = Setting { hole: hole.map(|times| (at, times)), ..base };
                    rules.run(setting, Work::One { packets, messages: 1 }, seed, 1e5).us
                });
            }
        }
        if part == "goodput" {
            let goals = match (fast, gap > 0) {
                (false, _) => [97.0, 95.0, 75.0],
                (true, false) => [350.0, 285.0, 150.0],
                (true, true) => [370.0, 330.0, 200.0],
            };
            for (loss, goal) in [0.0, 1e-3, 1e-2, 1e-1].into_iter().zip([0.0, goals[0], goals[1], goals[2]]) {
                row(&format!("goodput at {loss}"), Some((goal, true)), &mut |seed| {
                    let setting =
                        Setting { loss, ack_loss: loss, trims: false, ..base };
                    let work = Work::One { packets: 64, messages: 312 };
                    goodput(&setting, work, &rules.run(setting, work, seed, 3e5))
                });
            }
        }
        if part == "spurious" {
            for paths in [8, 64] {
                for (share, period) in [(0.25, 3.0), (0.5, 3.0), (1.0, 3.0), (0.5, 30.0), (1.0, 30.0)] {
                    row(&format!("{paths} paths, delays to {share} RTT for {period} us: spurious %"), Some((0.1, false)), &mut |seed| {
                        let setting = Setting { paths, jitter_us: share * base.rtt_us, jitter_period_us: period, ..base };
                        let figures = rules.run(setting, Work::One { packets: 1000, messages: 8 }, seed, 1e6);
                        100.0 * figures.again as f64 / figures.packets as f64
                    });
                }
            }
        }
        if part == "incast" {
            for (senders, queue_bdp) in [(8, 1.0), (32, 1.0), (32, 0.3)] {
                for trims in [true, false] {
                    let mut freezes = vec![];
                    let messages = if fast { 8 } else { 8 };
                    let of = |seed| {
                        let path_gbps = if senders == 32 { 2 * base.gbps } else { base.gbps };
                        let setting = Setting { hosts: senders + 1, trims, queue_bdp, path_gbps, ..base };
                        let packets = (1 << 20) / base.mtu_bytes as u32 / 8;
                        let figures = rules.run(setting, Work::Incast { packets, messages }, seed, 1e5);
                        freezes.push(figures.freezes as f64);
                        100.0 * figures.twice as f64 / figures.packets as f64
                    };
                    let values = seeds.clone().map(of).collect();
                    let what = format!("{name} incast {senders}:1, queue {queue_bdp} BDP, {}", if trims { "trims" } else { "drops" });
                    rows.push(Row { name: format!("{what}: spurious %"), values, goal: Some((0.2, false)) });
                    rows.push(Row { name: format!("{what}: freezes"), values: freezes, goal: trims.then_some((0.0, false)) });
                }
            }
            for (hosts, paths, messages) in [(8, 4, 8), (8, 4, 32), (16, 8, 8), (16, 8, 32)] { for trims in [true, false] {
                let of = |seed| {
                    let setting = Setting { hosts, paths, slow: Some(0), trims, ..base };
                    let figures = rules.run(setting, Work::Ring { packets: 128, messages }, seed, 1e5);
                    100.0 * figures.twice as f64 / figures.packets as f64
                };
                let values = seeds.clone().map(of).collect();
                let what = format!("{name} slow path {hosts} {paths} {messages}, {}", if trims { "trims" } else { "drops" });
                rows.push(Row { name: format!("{what}: spurious %"), values, goal: Some((0.2, false)) });
            } }
        }
        if part == "dead" {
            for trims in [true, false] {
                let bytes: u32 = if fast { 16 << 20 } else { 4 << 20 };
                let messages = bytes >> 20;
                let work = Work::Ring { packets: (1 << 20) / base.mtu_bytes as u32, messages };
                let setting = Setting { hosts: 16, trims, ..base };
                let healthy: Vec<f64> = seeds.clone().map(|seed| rules.run(setting, work, seed, 1e5).us).collect();
                let mut ratios = vec![];
                let mut freezes = vec![];
                let of = |(seed, healthy): (u64, &f64)| {
                    let figures = rules.run(Setting { dead: Some((1, 50.0, 1e9)), ..setting }, work, seed, 1e5);
                    ratios.push(figures.us / healthy);
                    freezes.push(figures.freezes as f64);
                    figures.dead as f64
                };
                let values = seeds.clone().zip(&healthy).map(of).collect();
                let what = format!("{name} dead path, {}", if trims { "trims" } else { "drops" });
                rows.push(Row { name: format!("{what}: packets lost"), values, goal: None });
                rows.push(Row { name: format!("{what}: completion over healthy"), values: ratios, goal: Some((pick(1.25, if gap > 0 { 1.2 } else { 1.4 }), false)) });
                rows.push(Row { name: format!("{what}: freezes"), values: freezes, goal: None });
            }
        }
    }
    rows
}
