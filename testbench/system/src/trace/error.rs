//! Why a capture cannot be replayed.

use std::io;
use std::net::IpAddr;
use weft_params::ParamError;
use weft_wire::capture::{ReadError, WriteError};

/// Why a capture cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The file cannot be read as a capture.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The capture is too large to be held.
    #[error("{file}: has more than {limit} {unit}; cut it with `editcap -r` or filter it with `tshark -w`")]
    TooLarge {
        /// Name of the file.
        file: String,
        /// Frames or bytes that it may have.
        limit: usize,
        /// "frames" or "bytes of frames".
        unit: &'static str,
    },
    /// There is nothing to replay.
    #[error(
        "{file}: no RoCEv2 data packet in {frames} frames ({roce} RoCEv2{others}); give a capture of RDMA traffic to UDP port 4791"
    )]
    NoData {
        /// Name of the file.
        file: String,
        /// Frames in it.
        frames: usize,
        /// How many are RoCEv2.
        roce: usize,
        /// What else there was: records left out, packets cut off.
        others: String,
    },
    /// The host asked for sends nothing.
    #[error("{file}: {host} sends no data; the data senders are {senders}")]
    NoSender {
        /// Name of the file.
        file: String,
        /// The host asked for.
        host: IpAddr,
        /// The hosts that do send.
        senders: String,
    },
    /// There are more connections than the block has.
    #[error(
        "{file}: has {found} connections and the block {have}; use a block with more, or one host's only"
    )]
    Connections {
        /// Name of the file.
        file: String,
        /// Connections in the capture, or the first number above the limit.
        found: usize,
        /// Connections of the block.
        have: usize,
    },
    /// Ticks of no length.
    #[error("a tick must last at least 1 ns; give another tick length")]
    Tick,
    /// What the capture says of its making is not possible.
    #[error("the capture says {key}={value}, which is not possible ({reason}); give these settings yourself")]
    Provenance {
        /// Key of the comment line.
        key: &'static str,
        /// What it says.
        value: String,
        /// Why that cannot be.
        reason: String,
    },
    /// Parameters that the block cannot have.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// Not one outcome for every event.
    #[error("{events} events have {outcomes} outcomes; hand back one for each")]
    Outcomes {
        /// Events of the trace.
        events: usize,
        /// Outcomes handed back.
        outcomes: usize,
    },
    /// A packet's EV cannot be rewritten.
    #[error("frame {frame}: {reason}")]
    Rewrite {
        /// Number of the frame, from 1.
        frame: usize,
        /// Why not.
        reason: weft_wire::ParseError,
    },
    /// The output cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}
