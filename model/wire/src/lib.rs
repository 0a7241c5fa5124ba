//! RoCEv2 and weft headers, ICRC, pcap and pcapng.
//!
//! * [`capture`]: frames in and out of pcap and pcapng files;
//! * [`packet`]: a frame as a typed [`Packet`], plain RoCEv2 RC or weft's own format;
//! * [`frame`]: a packet as a frame; trimming; rewriting the entropy value (EV);
//! * [`headers`]: every header, field by field;
//! * [`icrc`](mod@icrc): the invariant CRC.
//!
//! The crate has no protocol: the NIC model decides which packets to send, and when.
//!
//! ```
//! use weft_wire::headers::{Reth, Xeth};
//! use weft_wire::{Body, Bth, Data, Ecn, Envelope, frame, icrc, packet};
//!
//! let envelope = Envelope::v4([10, 0, 0, 1].into(), [10, 0, 0, 2].into(), 0xC899).marked(4, Ecn::Ect0);
//! let data = Data {
//!     reth: Reth::default().with_va(0x1000).with_r_key(0x77).with_dma_length(5),
//!     immediate: None,
//!     xeth: Xeth::new(3, 0, 7),
//!     payload: b"hello",
//! };
//! let bytes = frame::encode(&envelope, Bth::data(0x45, 100), &Body::Data(data.clone()))?;
//!
//! let packet = packet::parse(&bytes)?;
//! assert_eq!((packet.dest_qp(), packet.psn(), packet.body), (0x45, 100, Body::Data(data)));
//! assert_eq!(icrc::icrc_ok(&bytes), Some(true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod capture;
mod datagram;
mod error;
pub mod frame;
pub mod headers;
pub mod icrc;
mod list;
pub mod packet;

pub use capture::{CaptureReader, CaptureWriter, Frame, cannot_write, write_atomically};
pub use datagram::{Addresses, Dscp, EV_PORTS, Ecn, Envelope, ROCE_PORT, Vlan};
pub use error::ParseError;
pub use headers::Bth;
pub use packet::{Ack, Acknowledgement, Body, Data, Nack, Packet, Plain, Trimmed, parse};
