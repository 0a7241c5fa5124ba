//! Captures of NIC traffic, replayed through the REPS block: the packets become its events, and its
//! decisions become the entropy values (EVs) of the packets.
//!
//! ```no_run
//! use weft_system::trace::{Options, Trace};
//! use weft_nic::block::reps::Reps;
//!
//! let trace = Trace::open("capture.pcapng", &Options::default())?;
//! let mut model = Reps::new(trace.provenance().params()?, trace.provenance().csr()?);
//! let events = trace.events(&mut model)?;
//! // Here the RTL handles `events`; the model has handled them already.
//! let outcomes: Vec<_> = events.iter().map(|event| event.outcome).collect();
//! trace.save("as-sent.pcapng", &events, &outcomes)?;
//! # Ok::<(), weft_system::trace::TraceError>(())
//! ```
//!
//! # What is what
//!
//! A **connection** is what one host sends to one destination QP of another; connections are numbered
//! by their first data packet. Every data sender of the capture is taken for a NIC with REPS, or only
//! [`Options::host`].
//!
//! | in the capture | becomes |
//! |---|---|
//! | first data packet of a connection | `Open` (with the packet's EV, for fixed connections), then `Send` |
//! | data packet: sprayed WRITE; plain SEND, WRITE, READ request, atomic | `Send` |
//! | the same PSN again, [`Options::rto_ns`] or more after it was last sent, and not asked for by a NAK since | `Timeout`, then `Send` |
//! | a new packet after [`Options::idle_ns`] or more without a packet or ACK of the connection | `Idle`, then `Send` |
//! | ACK | `Ack` with the EV by [`Options::echo`], the ECN mark and the RTT of the packet acknowledged |
//! | NACK, NAK, CNP, trimmed packet, READ response, probe and its answer, other opcodes | counted only: none of them is a failure |
//!
//! The ECN mark is the M field of a weft ACK and CE in the IP header of a plain one. The RTT is that
//! of the packet which made the receiver answer (plain: the highest PSN acknowledged); it is unknown
//! (0) when that packet was sent more than once (Karn) or is not in the capture.
//!
//! An ACK carries the *sender's* QP, which no data packet tells. The ACKs to one QP are those of the
//! connection between the same hosts that had sent the PSNs which the first of them name (weft: with
//! the EVs that they echo).

mod analysis;
mod capture;
mod decision;
mod pairing;
mod provenance;
mod replay;
mod summary;

pub use analysis::{Host, Packet, Step, What};
pub use capture::save;
pub use decision::{Decision, decisions, write_csv};
pub use provenance::{Fault, FaultKind, Provenance};
pub use replay::{TimedEvent, seed_event};
pub use summary::{ConnectionSummary, EcnCount, IcrcCount, Summary};

use std::io;
use std::net::IpAddr;
use std::path::Path;
use weft_params::ParamError;
use weft_wire::Frame;
use weft_wire::capture::{ReadError, WriteError};

/// Most frames that a trace may have.
pub const MAX_FRAMES: usize = 2_000_000;
/// Most bytes of frames that a trace may have.
pub const MAX_BYTES: usize = 1 << 30;
/// Most connections that a trace may have: those of the largest block.
pub const MAX_CONNECTIONS: usize = 4096;

/// Which EV an ACK gives back to the block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Echo {
    /// The recorded one: the echo field of a weft ACK, the UDP source port of a plain one.
    #[default]
    Recorded,
    /// The one that the block chose for the packet acknowledged. When that packet is not in the
    /// capture, the ACK is no event.
    Chosen,
}

/// How a capture is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Nanoseconds of a tick.
    pub tick_ns: u64,
    /// A packet sent again so many nanoseconds after its last transmission had a timeout.
    pub rto_ns: u64,
    /// A connection silent for so many nanoseconds was idle; 0: none ever is.
    pub idle_ns: u64,
    /// Which EV an ACK gives back.
    pub echo: Echo,
    /// Only what this host sends is a connection.
    pub host: Option<IpAddr>,
    /// Seed of the block's random numbers; else the one that the capture tells, else 1.
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
        "{file}: no RoCEv2 data packet in {frames} frames ({roce} RoCEv2); give a capture of RDMA traffic to UDP port 4791"
    )]
    NoData {
        /// Name of the file.
        file: String,
        /// Frames in it.
        frames: usize,
        /// How many are RoCEv2.
        roce: usize,
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

/// A capture, held in memory, and what its packets mean.
#[derive(Clone, Debug)]
pub struct Trace {
    options: Options,
    comments: Vec<String>,
    provenance: Provenance,
    frames: Vec<Frame>,
    steps: Vec<Step>,
    summary: Summary,
}

impl Trace {
    /// Reads a capture and finds its connections.
    pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<Self, TraceError> {
        let name = path.as_ref().display().to_string();
        let (frames, comments) = capture::read(path.as_ref(), &name, options)?;
        Self::of_frames(&name, frames, comments, options)
    }

    /// The same for frames that are in memory already; `name` stands in error messages.
    pub fn of_frames(
        name: &str,
        frames: Vec<Frame>,
        comments: Vec<String>,
        options: &Options,
    ) -> Result<Self, TraceError> {
        if options.tick_ns == 0 {
            return Err(TraceError::Tick);
        }
        let provenance = Provenance::of_comments(&comments);
        let (steps, summary) = analysis::analyse(name, &frames, options)?;
        Ok(Self { options: *options, comments, provenance, frames, steps, summary })
    }

    /// The frames as captured.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// What the packets of the connections mean, in the order of the capture.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Counts.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// How the capture came to be, as far as it tells.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// The seed of the block's random numbers: of the options, else of the capture, else 1.
    pub fn seed(&self) -> u32 {
        self.options.seed.or(self.provenance.seed).unwrap_or(1)
    }
}
