//! The resources of the hardware, and those that a program uses.

use serde::Serialize;

/// The resources of the hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Profile {
    /// Stages that a packet passes; ingress and egress share them.
    pub stages: usize,
    /// Register arrays of a stage, each with a stateful ALU.
    pub arrays_per_stage: usize,
    /// Tables and operations of a stage that have a number of their own (logical tables).
    pub operations_per_stage: usize,
    /// Blocks of memory of a stage.
    pub memories_per_stage: usize,
    /// Bits of one.
    pub memory_bits: usize,
    /// Fields, besides its own cell, that a register operation reads, with its index.
    pub register_reads: usize,
    /// Fields that it writes.
    pub register_writes: usize,
    /// Bits of all fields of a program together.
    pub field_bits: u32,
}

impl Default for Profile {
    /// A switch of the class of the paper's (ConWeave section 3.4): 20 stages of 4 stateful ALUs and 80 blocks of
    /// 16 KiB.
    fn default() -> Self {
        Self {
            stages: 20,
            arrays_per_stage: 4,
            operations_per_stage: 16,
            memories_per_stage: 80,
            memory_bits: 128 * 1024,
            register_reads: 6,
            register_writes: 3,
            field_bits: 4096,
        }
    }
}

/// The resources that a program uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Stages that hold something.
    pub stages: usize,
    /// Last stage that holds something, counted from 1: the stages that a packet needs.
    pub depth: usize,
    /// Register arrays.
    pub arrays: usize,
    /// Bits of all register arrays together.
    pub register_bits: usize,
    /// Blocks of memory of arrays and tables.
    pub memories: usize,
    /// Operations of all kinds.
    pub operations: usize,
    /// Fields that operations of one stage write, at most: a VLIW instruction each, independent of the operation.
    pub stage_actions: usize,
    /// Bits that hash operations give, all together.
    pub hash_bits: u32,
    /// Fields that an action reads, at most, and their bits: the key of a table in its place.
    pub action_reads: usize,
    /// See above.
    pub action_read_bits: u32,
    /// The same of register operations, their index among them, and their own cell besides.
    pub register_reads: usize,
    /// See above.
    pub register_read_bits: u32,
    /// Bits of the program's own fields.
    pub own_bits: u32,
    /// Those that copies and further passes keep.
    pub carried_bits: u32,
}
