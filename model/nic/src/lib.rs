//! Bit-exact models of the NIC's blocks.
//!
//! [`block`] has a folder for each block: its state and events, `step()` (written once over a [word
//! type](weft_word)), the transaction view, and the clocked view with the ports and the latency of the RTL.
//! [`part`] has the parts that several blocks use, [`words`] the words of their streams, [`nic`] the whole.
//! The protocol code is sans-IO: it uses no clocks, threads, floats or randomness of its own, except the
//! seeded [`part::prng`].
//!
//! Two NICs send a message. The caller is the wire, the DMA engine and the clock:
//!
//! ```
//! use weft_nic::prelude::*;
//!
//! // Connection 0 of each end, in a network of two.
//! let mut nics = [1, 2].map(|own| {
//!     let mut csr = NicCsr::default();
//!     csr.ingress.ipv4 = 0x0A00_0000 + own;
//!     csr.egress.ipv4 = 0x0A00_0000 + own;
//!     let peer = Staged {
//!         peer_address: u128::from(0x0A00_0003 - own),
//!         region_length: 1 << 16,
//!         region_key: 7,
//!         ..Staged::default()
//!     };
//!     let mut nic = Nic::new(SackParams { connections: 4 }, csr);
//!     nic.open(0, &peer, 0);
//!     nic
//! });
//! let mut memories = [vec![0x5A; 1 << 16], vec![0; 1 << 16]];
//! let work = Work { remote: 4096, key: 7, length: 10_000, id: 1, ..Work::default() };
//! nics[0].work(0, &work, 0);
//!
//! let sent = (1..10_000).find_map(|now_ticks| {
//!     for from in [0, 1] {
//!         while let Some(outgoing) = nics[from].poll(now_ticks) {
//!             let fetch = match &outgoing {
//!                 Outgoing::Data(data) => data.fetch.unwrap_or_default(),
//!                 _ => Place::default(),
//!             };
//!             let begin = fetch.address as usize;
//!             let payload = memories[from][begin..begin + usize::from(fetch.bytes)].to_vec();
//!             let Some(frame) = nics[from].frame(outgoing, Some(&payload), now_ticks) else { continue };
//!             if let Incoming::Taken { write: Some((address, bytes)), .. } =
//!                 nics[1 - from].receive(&frame, false, now_ticks)
//!             {
//!                 memories[1 - from][address as usize..][..bytes.len()].copy_from_slice(bytes);
//!             }
//!         }
//!     }
//!     nics[0].sent()
//! });
//! assert_eq!(sent.map(|(_, sent)| (sent.id, sent.status)), Some((1, Status::Done)));
//! assert_eq!(memories[0][..10_000], memories[1][4096..14_096]);
//! ```

#![forbid(unsafe_code)]

pub mod block;
pub mod nic;
pub mod part;
pub mod words;

/// The transaction views and their words: the imports of a program that uses the models.
pub mod prelude {
    pub use crate::block::reps::Reps;
    pub use crate::block::sack_rx::SackRx;
    pub use crate::block::sack_tx::SackTx;
    pub use crate::block::smartt::Smartt;
    pub use crate::nic::transaction::{Incoming, Nic, Outgoing};
    pub use crate::words::{Place, Received, Sent, Status, Work};
    pub use weft_params::registers::{NicCsr, Staged};
    pub use weft_params::{RepsCsr, RepsParams, SackParams, SmarttCsr, SmarttParams};
}
