//! The times at which switches learn of cuts.

use super::Setup;
use super::source::{Wrong, wrong};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use weft_switch::topology::{Node, Switch, Topology};

/// A time in us, or never.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Said", into = "Said")]
pub struct Delay(pub f64);

/// The form of a delay in a file: a number, including `inf`, or `"never"`.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(untagged, expecting = "give a time in us, inf or \"never\"")]
enum Said {
    Us(f64),
    Word(Word),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Never,
}

impl From<Said> for Delay {
    fn from(said: Said) -> Self {
        match said {
            Said::Us(us) => Self(us),
            Said::Word(Word::Never) => Self(f64::INFINITY),
        }
    }
}

impl From<Delay> for Said {
    fn from(Delay(us): Delay) -> Self {
        if us == f64::INFINITY { Self::Word(Word::Never) } else { Self::Us(us) }
    }
}

/// The reaction of routing to links that are cut.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Routing {
    /// The time after which a switch learns that a link was cut, or works again. By default a switch never
    /// learns of cuts.
    pub converge_us: Option<Delay>,
    /// The time for single switches (`agg-1`), and for all switches with a name (`agg`). The entry of a
    /// single switch has priority.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub own: BTreeMap<String, Delay>,
}

impl Routing {
    /// Switches that learn of cuts after the same time, in ps. Switches that never learn are left out.
    pub(super) fn by_time(&self, topology: &Topology) -> Vec<(u64, Arc<[u32]>)> {
        let mut found: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        for switch in 0..topology.switches() {
            let name = topology.name(Node::Switch(Switch(switch)));
            let of = |name: &str| self.own.get(name).copied();
            let role = name.split('-').next().unwrap_or_default();
            let Some(Delay(us)) = of(&name).or_else(|| of(role)).or(self.converge_us) else { continue };
            if us.is_finite() {
                found.entry((us * 1e6).round() as u64).or_default().push(switch);
            }
        }
        found.into_iter().map(|(after_ps, who)| (after_ps, who.into())).collect()
    }
}

impl Setup {
    /// Refuses impossible times and missing switches.
    pub(super) fn check_routing(&self, topology: &Topology) -> Result<(), Wrong> {
        let own = self.routing.own.iter().map(|(name, delay)| (format!("routing.own.{name}"), *delay));
        let all = self.routing.converge_us.map(|delay| ("routing.converge_us".to_owned(), delay));
        for (key, Delay(us)) in own.chain(all) {
            if !((0.0..=1e9).contains(&us) || us == f64::INFINITY) {
                return wrong(&key, format!("{us} is not possible; use 0 to 1e9, or inf"));
            }
        }
        let name = |switch: u32| topology.name(Node::Switch(Switch(switch)));
        for own in self.routing.own.keys() {
            let is_role =
                || (0..topology.switches()).any(|switch| name(switch).split('-').next() == Some(own));
            if !matches!(topology.node(own), Some(Node::Switch(_))) && !is_role() {
                return wrong(&format!("routing.own.{own}"), format!("there is no switch {own}"));
            }
        }
        Ok(())
    }
}
