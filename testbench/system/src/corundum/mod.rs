//! Two cards with Corundum's application block (page `docs/corundum.md`) on a wire that loses, duplicates,
//! reorders and damages frames. Each has the shell's DMA engine, a driver that uses the registers, and frames
//! of its host besides those of the NIC.
//!
//! The judge reads host memory and the wire. The bench compares every written packet with the bytes of the
//! message at that place, each entry of a completion ring with the data written before it, and each frame
//! that arrives with the frame that left the peer host.

mod block;
mod books;
mod card;
mod frames;
mod reads;
mod ring;
mod run;
mod segments;
mod writes;

pub use block::build;
pub use run::{Failure, Report, Setting, run};
