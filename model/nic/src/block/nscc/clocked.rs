//! The clocked view: `weft_nscc`, clock for clock.

use super::transaction::Nscc;
use crate::part::paced::{self, Timed};
use weft_params::{NsccCsr, NsccParams};

pub use paced::{Inputs, Outputs};

/// `weft_nscc`, clock for clock.
pub type Clocked = paced::Clocked<Nscc>;

/// Clocks from the acceptance of an event to the offer of its outcome, if neither waits.
pub const LATENCY: usize = 53;

/// Clocks between two events of one connection (rule 16).
pub const SPACING: usize = 42;

impl Timed for Nscc {
    type Params = NsccParams;
    type Csr = NsccCsr;
    const LATENCY: usize = LATENCY;
    const SPACING: usize = SPACING;

    fn after_reset(params: NsccParams, csr: NsccCsr) -> Self {
        Self::new(params, csr)
    }

    /// All connections are closed; the clocked view closes them one by one (rule 1).
    fn reset(&self) -> Self {
        Self::new(*self.params(), *self.csr())
    }

    fn set_registers(&mut self, csr: NsccCsr) {
        self.set_csr(csr);
    }
}
