//! Blocks written by hand, to measure the emitted ones by. A test of each holds that it equals the block's model.

use crate::{Job, Target};
use weft_hdl::{Floor, Module};

/// A block that was written by hand, in its default shape.
#[derive(Clone, Copy, Debug)]
pub struct Yardstick {
    /// The block that it is measured beside.
    pub block: &'static str,
    /// Its name in tables.
    pub name: &'static str,
    /// Its module.
    pub top: &'static str,
    text: &'static str,
}

/// All of them.
pub const YARDSTICKS: &[Yardstick] = &[Yardstick {
    block: "reps",
    name: "reps by hand",
    top: "weft_reps_plain",
    text: include_str!("../../yardstick/weft_reps_plain.v"),
}];

impl Yardstick {
    /// The one of a block.
    pub fn of(block: &str) -> Option<&'static Yardstick> {
        YARDSTICKS.iter().find(|yardstick| yardstick.block == block)
    }

    /// Its Verilog.
    pub fn modules(&self) -> Vec<Module> {
        vec![Module { name: self.top.into(), text: self.text.into(), floor: Floor::Block }]
    }

    /// How it is measured: as `job`, which is that of its block.
    pub fn job<'a>(&self, block: &Job<'_>, modules: &'a [Module]) -> Job<'a> {
        let (shape, target, seeds) = (block.shape.clone(), block.target, block.seeds);
        Job { block: self.name, top: self.top, shape, modules, apart: &[], ultra: false, target, seeds }
    }

    /// The file of the results of a family, from the root.
    pub fn file(target: Target) -> String {
        format!("docs/results/yardstick_{target}.json")
    }
}
