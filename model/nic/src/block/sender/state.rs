//! What a connection is told, its messages, and what is counted.

use crate::words::Work;

/// Messages of a connection that can be outstanding.
pub const SLOTS: u8 = 16;

/// What a command does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum ControlKind {
    /// Closes the connection.
    #[default]
    Close = 0,
    /// Opens it.
    Open = 1,
    /// Seeds the generator of entropy values.
    Seed = 2,
    /// A probe says that the failed path is back.
    PathOk = 3,
}

/// A command for one connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// What it does.
    pub kind: ControlKind,
    /// Open: first PSN, 24 bits.
    pub psn: u32,
    /// Open: class of round-trip time, 2 bits.
    pub class: u8,
    /// Open: entropy value of a connection with a fixed one.
    pub ev: u16,
    /// Seed.
    pub seed: u32,
}

/// The `stat_*` ports, all saturating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// `stat_sack_tx_not_open_events`
    pub sack_tx_not_open_events: u32,
    /// `stat_sack_tx_never_sent`
    pub sack_tx_never_sent: u32,
    /// `stat_sack_tx_stale`
    pub sack_tx_stale: u32,
    /// `stat_sack_tx_refused`
    pub sack_tx_refused: u32,
    /// `stat_smartt_not_open_events`
    pub smartt_not_open_events: u32,
    /// `stat_reps_not_open_events`
    pub reps_not_open_events: u32,
    /// `stat_posted`: work requests posted as messages.
    pub posted: u32,
    /// `stat_refused`: completions of work requests that were refused.
    pub refused: u32,
    /// `stat_orders`: orders handed out.
    pub orders: u32,
}

/// The work requests of all slots, by connection.
pub(super) type Messages = Vec<[Work; SLOTS as usize]>;
