//! The stages of a ToR switch.

/// Silence of the source, class of the epoch at the destination, rows of the path-busy table.
pub(super) const ACTIVE: usize = 4;
pub(super) const ROWS: usize = 4;
pub(super) const SPOTS: usize = 4;
pub(super) const ORDER: usize = 5;
/// Path-busy table, four stages.
pub(super) const PATHS: usize = 5;
pub(super) const OLD_PATH: usize = 6;
pub(super) const RESUME: usize = 9;
pub(super) const CANDIDATE: usize = 9;
/// Reorder queues, four stages.
pub(super) const QUEUES: usize = 9;
pub(super) const WATCH: usize = 10;
pub(super) const EPOCH: usize = 11;
pub(super) const DECIDE: usize = 13;
pub(super) const FORWARD: usize = 15;
