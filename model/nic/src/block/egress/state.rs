//! The peers, and the counters.

pub use crate::words::EgressPeer as Peer;

/// The counters, modulo 2^32. The `stat_*` ports have the low 16 bits of the counts, and the low 24 bits of
/// the count of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// `stat_data_frames`
    pub data_frames: u32,
    /// `stat_ack_frames`
    pub ack_frames: u32,
    /// `stat_nack_frames`
    pub nack_frames: u32,
    /// `stat_bypass_frames`
    pub bypass_frames: u32,
    /// `stat_read_errors`: orders that were not sent because of their read data.
    pub read_errors: u32,
    /// `stat_bypass_overflows`: frames of other software that were too long.
    pub bypass_overflows: u32,
    /// `stat_data_bytes`: bytes of payload sent.
    pub data_bytes: u32,
}
