//! The resources of the hardware, and those that a program uses.

use serde::Serialize;

/// The resources of the hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Profile {
    /// Stages that a packet passes; ingress and egress share them.
    pub stages: usize,
    /// Register arrays of a stage, each with a stateful ALU.
    pub arrays_per_stage: usize,
    /// Tables and operations of a stage with their own numbers (logical tables).
    pub operations_per_stage: usize,
    /// Blocks of memory of a stage.
    pub memories_per_stage: usize,
    /// Number of bits of a block.
    pub memory_bits: usize,
    /// Number of fields that a register operation reads, including its index, besides its own cell.
    pub register_reads: usize,
    /// Number of fields that a register operation writes.
    pub register_writes: usize,
    /// Bits of all fields of a program together.
    pub field_bits: u32,
}

impl Default for Profile {
    /// A switch of the class in the paper (ConWeave section 3.4): 20 stages of 4 stateful ALUs and 80 blocks
    /// of 16 KiB.
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
    /// Number of stages that are in use.
    pub stages: usize,
    /// Last stage in use, counted from 1: the number of stages that a packet needs.
    pub depth: usize,
    /// Register arrays.
    pub arrays: usize,
    /// Bits of all register arrays together.
    pub register_bits: usize,
    /// Blocks of memory of arrays and tables.
    pub memories: usize,
    /// Operations of all kinds.
    pub operations: usize,
    /// Maximum number of fields that the operations of one stage write. Each is a VLIW instruction,
    /// independent of the operation.
    pub stage_actions: usize,
    /// Total number of bits of hash operations.
    pub hash_bits: u32,
    /// Maximum number of fields that an action reads: the key of a table that replaces the action.
    pub action_reads: usize,
    /// Maximum number of bits of the fields that an action reads.
    pub action_read_bits: u32,
    /// Maximum number of fields that a register operation reads, including its index, besides its own cell.
    pub register_reads: usize,
    /// Maximum number of bits of the fields that a register operation reads.
    pub register_read_bits: u32,
    /// Number of bits of the program's own fields.
    pub own_bits: u32,
    /// Number of bits of own fields that copies and further passes keep.
    pub carried_bits: u32,
}
