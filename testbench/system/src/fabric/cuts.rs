//! Links that are cut, and the cuts that routing has learned.

use super::error::{SetupError, ensure};
use super::setup::{Cut, Setup, Shape};
use super::timing::SWITCH_CLOCKS;
use crate::network::leaf_spine::{DeadPath, Wires};
use std::ops::Range;
use weft_fabric::setup::source::Wrong;
use weft_switch::topology::{Failed, Link};

/// Switch clocks in `us` microseconds; 0 for negative times and for NaN.
fn switch_clocks(us: f64) -> u64 {
    (us * 1e3) as u64
}

impl Setup {
    /// The first cut, in NIC clocks, for a plot.
    pub fn first_cut(&self) -> Option<DeadPath> {
        let clocks = |us: f64| switch_clocks(us) / SWITCH_CLOCKS;
        let cut = self.cuts.first()?;
        let until = cut.until_us.map_or(u64::MAX, clocks);
        Some(DeadPath { wires: Wires::of_path(0), from: clocks(cut.from_us), until })
    }

    /// Cut links and the times of their cuts, in switch clocks.
    pub(super) fn cuts(&self) -> Result<Vec<(Link, Range<u64>)>, SetupError> {
        let topology = self.topology()?;
        let cut = |(at, Cut { a, b, from_us, until_us }): (usize, &Cut)| {
            let node = |key: &str, name: &str| {
                let example = match self.topology {
                    Shape::LeafSpine { .. } => "host-0, leaf-0, spine-0",
                    Shape::FatTree { .. } | Shape::Htsim { .. } | Shape::Ns3 { .. } => {
                        "host-0, edge-0, agg-0, core-0"
                    }
                };
                let what = format!("there is no {name}; nodes are {example} and so on");
                topology.node(name).ok_or(Wrong { key: format!("cut.{at}.{key}"), what })
            };
            let what = format!("{a} and {b} are not neighbours; name both ends of a link");
            let link = topology.between(node("a", a)?, node("b", b)?);
            let link = link.ok_or(Wrong { key: format!("cut.{at}.b"), what })?;
            let until = until_us.unwrap_or(f64::INFINITY);
            ensure(*from_us >= 0.0 && *from_us < until, &format!("cut.{at}.from_us"), || {
                format!("{from_us} is not possible; use 0 or more, and less than until_us")
            })?;
            Ok((link, switch_clocks(*from_us)..switch_clocks(until)))
        };
        self.cuts.iter().enumerate().map(cut).collect()
    }

    /// The sets of failed links that routing has learned, each from a switch clock on.
    pub(super) fn convergence(&self, cuts: &[(Link, Range<u64>)]) -> Vec<(u64, Failed)> {
        let Some(after) = self.routing.converge_us.map(switch_clocks) else { return Vec::new() };
        let mut times: Vec<u64> = cuts.iter().flat_map(|(_, cut)| [cut.start, cut.end]).collect();
        times.retain(|time| *time < u64::MAX);
        times.sort_unstable();
        times.dedup();
        let failed =
            |time: u64| cuts.iter().filter(|(_, cut)| cut.contains(&time)).map(|(link, _)| *link).collect();
        times.into_iter().map(|time| (time + after, failed(time))).collect()
    }
}
