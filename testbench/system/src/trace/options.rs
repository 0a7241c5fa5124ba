//! Options for reading a capture, and limits of its size.

use std::net::IpAddr;

/// Maximum number of frames that a trace may have.
pub const MAX_FRAMES: usize = 2_000_000;
/// Maximum number of bytes of frames that a trace may have.
pub const MAX_BYTES: usize = 1 << 30;
/// Maximum number of connections that a trace may have: those of the largest block.
pub const MAX_CONNECTIONS: usize = 4096;

/// Entropy value that an ACK returns to the block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Echo {
    /// The recorded value: the echo field of a weft ACK, the UDP source port of a plain one.
    #[default]
    Recorded,
    /// The entropy value that the block chose for the acknowledged packet. If this packet is missing in the
    /// capture, the ACK is not an event.
    Chosen,
}

/// Options for reading a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Nanoseconds of a tick.
    pub tick_ns: u64,
    /// Nanoseconds after the last transmission from which on a retransmission counts as a timeout.
    pub rto_ns: u64,
    /// Nanoseconds of silence after which a connection counts as idle; 0: no connection is ever idle.
    pub idle_ns: u64,
    /// Entropy value that an ACK returns.
    pub echo: Echo,
    /// Use only packets that this host sends as connections.
    pub host: Option<IpAddr>,
    /// Seed of the block's random numbers. Default: the capture's seed, else 1.
    pub seed: Option<u32>,
    /// Refuse captures with more frames.
    pub max_frames: usize,
    /// Refuse captures with more bytes of frames.
    pub max_bytes: usize,
}

impl Default for Options {
    /// Ticks of 32 ns, an RTO of 70 us, no idle connections, recorded EVs, all hosts.
    fn default() -> Self {
        Self {
            tick_ns: 32,
            rto_ns: 70_000,
            idle_ns: 0,
            echo: Echo::Recorded,
            host: None,
            seed: None,
            max_frames: MAX_FRAMES,
            max_bytes: MAX_BYTES,
        }
    }
}
