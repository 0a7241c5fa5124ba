//! The clocked view: `weft_smartt`, clock for clock.

use super::transaction::Smartt;
use crate::part::paced::{self, Timed};
use weft_params::{SmarttCsr, SmarttParams};

pub use paced::{Inputs, Outputs};

/// `weft_smartt`, clock for clock.
pub type Clocked = paced::Clocked<Smartt>;

/// Clocks from the acceptance of an event to the offer of its outcome, if neither waits.
pub const LATENCY: usize = 50;

/// Clocks between two events of one connection (rule 26).
pub const SPACING: usize = 24;

impl Timed for Smartt {
    type Params = SmarttParams;
    type Csr = SmarttCsr;
    const LATENCY: usize = LATENCY;
    const SPACING: usize = SPACING;

    fn after_reset(params: SmarttParams, csr: SmarttCsr) -> Self {
        Self::new(params, csr)
    }

    /// All connections are closed; the clocked view closes them one by one (rule 1).
    fn reset(&self) -> Self {
        Self::new(*self.params(), *self.csr())
    }

    fn set_registers(&mut self, csr: SmarttCsr) {
        self.set_csr(csr);
    }
}

impl Clocked {
    /// The transaction view inside; it runs ahead of the ports by the pipeline.
    pub fn smartt(&self) -> &Smartt {
        self.block()
    }
}
