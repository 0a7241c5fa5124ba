//! The Verilog at chosen hosts of `weft sim` (page `docs/fabric-engine.md`, "The Verilog at a host"): a NIC under Verilator
//! with memory, DMA, MAC and driver around it, as in [`crate::nic`], in the fabric of [`weft_fabric`], whose other hosts keep
//! the transaction view.
//!
//! * `rtl`: the host, its clocks and the engine's time; `rings`: its memory, and the queues to the NIC;
//! * `seen`: the reasons for the NIC's packets, from the words at its ports;
//! * `far`: packets of the engine as frames, and back;
//! * `late`: the transaction view at such a host, with the same delays;
//! * [`Placing`]: the chosen hosts, and whether they are possible; [`Run`]: a run, its decisions, and the
//!   difference of two runs.

mod compare;
mod decision;
mod error;
mod far;
mod host;
mod late;
mod placing;
mod rings;
mod rtl;
mod seen;
mod timing;

pub use compare::{Difference, Spread};
pub use decision::Decision;
pub use error::PlaceError;
pub use placing::{But, Placing, Run};
