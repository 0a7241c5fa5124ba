//! Parameters of the SMaRTT window (page `docs/blocks/smartt.md`).

mod constant;
mod csr;
mod limits;
mod network;
mod preset;
mod ratio;

pub use constant::{Constant, Constants};
pub(crate) use csr::weights;
pub use csr::{Signals, SmarttClass, SmarttCsr, SmarttParams};
pub use network::{ClassSizing, Network, Sizing};
pub use preset::Preset;
