//! Reasons why a capture cannot be replayed.

use std::io;
use std::net::IpAddr;
use weft_params::ParamError;
use weft_wire::capture::{ReadError, WriteError};

/// Reason why a capture cannot be replayed.
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
        /// Maximum number of frames or bytes.
        limit: usize,
        /// "frames" or "bytes of frames".
        unit: &'static str,
    },
    /// The capture has no data packet to replay.
    #[error(
        "{file}: no RoCEv2 data packet in {frames} frames ({roce} RoCEv2{others}); give a capture of RDMA traffic to UDP port 4791"
    )]
    NoData {
        /// Name of the file.
        file: String,
        /// Frames in the file.
        frames: usize,
        /// RoCEv2 frames in the file.
        roce: usize,
        /// Description of unusable parts: records left out, packets cut off.
        others: String,
    },
    /// The chosen host sends no data.
    #[error("{file}: {host} sends no data; the data senders are {senders}")]
    NoSender {
        /// Name of the file.
        file: String,
        /// The chosen host.
        host: IpAddr,
        /// Hosts that send data.
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
    /// The tick length is 0.
    #[error("a tick must last at least 1 ns; give another tick length")]
    Tick,
    /// The comments of the capture describe an impossible origin.
    #[error("the capture says {key}={value}, which is not possible ({reason}); give these settings yourself")]
    Provenance {
        /// Key of the comment line.
        key: &'static str,
        /// Value of the line.
        value: String,
        /// Reason why the value is impossible.
        reason: String,
    },
    /// The block cannot have these parameters.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The number of outcomes differs from that of events.
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
        /// Reason for the failure.
        reason: weft_wire::ParseError,
    },
    /// The output cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}
