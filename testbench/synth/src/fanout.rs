//! Number of pins that an enable or reset drives.

use crate::cell::{Kind, Role};
use crate::{Error, Module};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::HashMap;

/// A net and the pins that it drives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Load {
    /// Name of the net in the source.
    pub net: String,
    /// Number of pins of the kind in question.
    pub pins: u32,
}

/// Number of pins that an enable or a reset may drive.
pub(crate) const PINS: u32 = 1000;

/// The nets with the highest fan-out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fanout {
    /// The net that drives the most clock-enable pins.
    pub enable: Option<Load>,
    /// The net that drives the most reset pins.
    pub reset: Option<Load>,
}

impl Fanout {
    /// The nets that drive more than 1,000 pins, each with its kind.
    pub(crate) fn excessive(&self) -> impl Iterator<Item = (&'static str, &Load)> {
        let loads = [("enable", &self.enable), ("reset", &self.reset)].into_iter();
        loads.filter_map(|(what, load)| Some((what, load.as_ref().filter(|load| load.pins > PINS)?)))
    }

    /// Counts the pins of the registers, memories and multipliers of a flat module.
    pub fn of(module: &Module) -> Result<Self, Error> {
        let (mut enables, mut resets) = (HashMap::new(), HashMap::new());
        for cell in module.cells.values() {
            let kind = Kind::of(&cell.kind)?;
            for (pin, net) in cell.inputs() {
                match kind.role(pin) {
                    Role::Enable => *enables.entry(net).or_insert(0) += 1,
                    Role::Reset => *resets.entry(net).or_insert(0) += 1,
                    Role::Other => {}
                }
            }
        }
        let names = module.names();
        let largest = |pins: HashMap<u32, u32>| {
            let (net, pins) = pins.into_iter().max_by_key(|&(net, pins)| (pins, Reverse(net)))?;
            let net = names.get(&net).cloned().unwrap_or_else(|| UNNAMED.to_owned());
            Some(Load { net, pins })
        };
        Ok(Self { enable: largest(enables), reset: largest(resets) })
    }
}

/// Name of a net that has no name in the source.
pub(crate) const UNNAMED: &str = "(logic)";
