//! Captures of NIC traffic, replayed through the REPS block: the packets become the block's events, and the
//! block's decisions become the entropy values (EVs) of the packets.
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
//! # Connections and events
//!
//! A **connection** is the traffic from one host to one destination QP of another host. Connections are
//! numbered in the order of their first data packets. Every data sender of the capture counts as a NIC with
//! REPS, or only [`Options::host`].
//!
//! | in the capture | becomes |
//! |---|---|
//! | first data packet of a connection | `Open` (with the packet's EV, for fixed connections), then `Send` |
//! | data packet: sprayed WRITE; plain SEND, WRITE, READ request, atomic, FLUSH | `Send` |
//! | the same PSN again, [`Options::rto_ns`] or more after it was last sent, and not requested by a NAK since | `Timeout`, then `Send` |
//! | a new packet after [`Options::idle_ns`] or more without a packet or ACK of the connection | `Idle`, then `Send` |
//! | ACK | `Ack` with the EV by [`Options::echo`], the ECN mark and the RTT of the packet acknowledged |
//! | NACK, NAK, CNP, trimmed packet, READ response, probe and its answer, other opcodes | counted only: none of them is a failure |
//!
//! A packet that the capture has twice (a mirror port) counts once: the copy has a lower TTL, or follows
//! within half of the shortest round trip between its hosts.
//!
//! The ECN mark is the M field of a weft ACK and CE in the IP header of a plain one. The RTT is that of the
//! packet which made the receiver answer (plain: the highest PSN acknowledged). The RTT is unknown (0) when
//! that packet was sent more than once (Karn) or is not in the capture.
//!
//! An ACK carries the *sender's* QP, which data packets do not have. The ACKs to one QP belong to the
//! connection between the same hosts that had sent the PSNs of the first ACKs (weft: with the EVs that these
//! ACKs echo).

mod analysis;
pub(crate) mod capture;
mod decision;
pub(crate) mod error;
mod file;
mod frames;
mod mirror;
mod options;
mod pairing;
pub(crate) mod provenance;
mod recent;
pub(crate) mod replay;
mod step;
mod summary;

pub use capture::save;
pub use decision::{Decision, decisions, write_csv};
pub use error::TraceError;
pub use file::Trace;
pub use options::{Echo, MAX_BYTES, MAX_CONNECTIONS, MAX_FRAMES, Options};
pub use provenance::{Fault, FaultKind, Provenance};
pub use replay::{TimedEvent, seed_event};
pub use step::{Host, Packet, Step, What};
pub use summary::{ConnectionSummary, EcnCount, IcrcCount, Summary};
