//! The settings of a connection, and the counters.

pub use crate::words::{Bar, ReceiverControl as Control};

/// The counters, modulo 2^32. The `stat_*` ports have the low 16 bits of the counts, and the low 24 bits of
/// the count of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Events of connections that were not open.
    pub not_open_events: u32,
    /// Packets received before.
    pub duplicates: u32,
    /// Packets beyond the window.
    pub outside: u32,
    /// Packets that were denied.
    pub access_errors: u32,
    /// Packets placed.
    pub placed: u32,
    /// ACKs.
    pub acks: u32,
    /// NACKs.
    pub nacks: u32,
    /// Completions.
    pub received: u32,
    /// Data packets that arrived with a CE mark.
    pub marks: u32,
    /// Bytes of payload placed.
    pub bytes: u32,
    /// Packets that were held back.
    pub held: u32,
}
