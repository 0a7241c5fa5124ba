//! ConWeave (SIGCOMM 2023): a ToR switch moves a connection off a path whose reply is late, and the ToR switch at the
//! other end holds back what came too early, so that hosts see packets in order. Page `docs/blocks/conweave.md`.
//!
//! * [`tor`]: the program of a ToR switch; [`transit`]: that of the switches between;
//! * [`Options`] and [`Preset`]: paper, ns-3, P4, and a switch for each difference between them;
//! * [`Control`]: the control plane of a switch, which fills the tables; [`install`] does it for a topology;
//! * [`counters`]: what the switches count.

mod control;
mod counters;
mod destination;
mod fields;
mod install;
mod options;
mod reorder;
pub(crate) mod scheme;
mod source;
#[cfg(test)]
mod tests;
mod tor;
mod transit;

pub use control::{Address, Control, Place};
pub use counters::{COPIES, EVENTS, EXTRAS, TRANSIT, counter, counters};
pub use install::install;
pub use options::{
    AfterTail, ClearAt, NoGoodPath, Notify, Options, PathTable, Preset, ReplyCompare, Sizes, Thetas,
};
pub use scheme::ConWeave;
pub use tor::tor;
pub use transit::transit;

/// Opcodes of the ConWeave header.
pub mod opcode {
    /// Data.
    pub const DATA: u64 = 1;
    /// Data that asks for an RTT_REPLY: the first packet of an epoch.
    pub const RTT_REQUEST: u64 = 2;
    /// Answer to a request.
    pub const RTT_REPLY: u64 = 3;
    /// All OLD packets of the epoch have come.
    pub const CLEAR: u64 = 4;
    /// The path is congested.
    pub const NOTIFY: u64 = 5;
}

/// The stages of a ToR switch.
mod stages {
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
}
