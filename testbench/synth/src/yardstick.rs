//! Hand-written blocks, to compare the emitted blocks with. For each hand-written block a test checks that it
//! equals the block's model.

use crate::{Job, Target};
use weft_hdl::{Floor, Module};

/// A hand-written block in its default shape.
#[derive(Clone, Copy, Debug)]
pub struct Yardstick {
    /// The emitted block to compare with.
    pub block: &'static str,
    /// Name of the hand-written block in tables.
    pub name: &'static str,
    /// Name of its top module.
    pub top: &'static str,
    text: &'static str,
}

/// All hand-written blocks.
pub const YARDSTICKS: &[Yardstick] = &[Yardstick {
    block: "reps",
    name: "reps by hand",
    top: "weft_reps_plain",
    text: include_str!("../../yardstick/weft_reps_plain.v"),
}];

impl Yardstick {
    /// The hand-written block for a block.
    pub fn of(block: &str) -> Option<&'static Yardstick> {
        YARDSTICKS.iter().find(|yardstick| yardstick.block == block)
    }

    /// Verilog of the hand-written block.
    pub fn modules(&self) -> Vec<Module> {
        vec![Module { name: self.top.into(), text: self.text.into(), floor: Floor::Block }]
    }

    /// The job that measures the hand-written block. `block` is the job of the emitted one.
    pub fn job<'a>(&self, block: &Job<'_>, modules: &'a [Module]) -> Job<'a> {
        let (shape, target, seeds) = (block.shape.clone(), block.target, block.seeds);
        Job { block: self.name, top: self.top, shape, modules, apart: &[], ultra: false, target, seeds }
    }

    /// The file of the results of a family, from the root.
    pub fn file(target: Target) -> String {
        format!("docs/results/yardstick_{target}.json")
    }
}
