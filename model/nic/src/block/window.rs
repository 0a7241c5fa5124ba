//! The interface of congestion control: the sender's reports to the keeper of its windows, and the answer.
//!
//! An algorithm is a block with the ports of `weft_smartt` and a model that implements [`Window`]. [`Windows`] has the
//! algorithms that a NIC can be built with, [`Clocked`] the same with their clocks.

use super::nscc::{self, Nscc};
use super::smartt::{self, Smartt};
use crate::part::ahead::Ask;
use std::convert::Infallible;
use weft_params::{NsccCsr, NsccParams, SmarttCsr, SmarttParams, WindowAlgorithm};

pub use super::smartt::{Case, Event, Inputs, Kind, Outcome, Outputs};

/// A keeper of congestion windows: an event in, the window out.
pub trait Window {
    /// The reason why there is no answer. A model always has an answer.
    type Error;

    /// Number of connections of the block.
    fn connections(&self) -> u32;

    /// Handles one event of a connection below [`Self::connections`]. The window of the outcome counts at once.
    fn event(&mut self, event: &Event) -> Result<Outcome, Self::Error>;
}

impl Window for Smartt {
    type Error = Infallible;

    fn connections(&self) -> u32 {
        self.params().connections
    }

    fn event(&mut self, event: &Event) -> Result<Outcome, Infallible> {
        Ok(self.step(event))
    }
}

impl Window for Nscc {
    type Error = Infallible;

    fn connections(&self) -> u32 {
        self.params().connections
    }

    fn event(&mut self, event: &Event) -> Result<Outcome, Infallible> {
        Ok(self.step(event))
    }
}

/// The windows of a NIC, by the algorithm that the NIC was built with. The registers are those of SMaRTT,
/// interpreted by the algorithm.
#[derive(Clone, Debug)]
pub enum Windows {
    /// SMaRTT.
    Smartt(Smartt),
    /// NSCC.
    Nscc(Nscc),
}

impl Windows {
    /// Windows after reset: every connection closed.
    pub fn new(algorithm: WindowAlgorithm, connections: u32, csr: SmarttCsr) -> Self {
        match algorithm {
            WindowAlgorithm::Smartt => Self::Smartt(Smartt::new(SmarttParams { connections }, csr)),
            WindowAlgorithm::Nscc => Self::Nscc(Nscc::new(NsccParams { connections }, NsccCsr::from(&csr))),
        }
    }

    /// Sets the registers from the next event on.
    pub fn set_csr(&mut self, csr: SmarttCsr) {
        match self {
            Self::Smartt(smartt) => smartt.set_csr(csr),
            Self::Nscc(nscc) => nscc.set_csr(NsccCsr::from(&csr)),
        }
    }

    /// Handles one event.
    #[inline]
    pub fn step(&mut self, event: &Event) -> Outcome {
        match self {
            Self::Smartt(smartt) => smartt.step(event),
            Self::Nscc(nscc) => nscc.step(event),
        }
    }

    /// Prefetches the memory of a connection.
    #[inline]
    pub(crate) fn ahead(&self, connection: u32, memory: &impl Ask) {
        match self {
            Self::Smartt(smartt) => smartt.ahead(connection, memory),
            Self::Nscc(nscc) => nscc.ahead(connection, memory),
        }
    }
}

/// [`Windows`], clock for clock: the block in the sender.
#[derive(Clone, Debug)]
pub enum Clocked {
    /// `weft_smartt`.
    Smartt(smartt::Clocked),
    /// `weft_nscc`.
    Nscc(nscc::Clocked),
}

impl Clocked {
    /// A block in its first clock after one with `rst`.
    pub fn new(algorithm: WindowAlgorithm, connections: u32, csr: SmarttCsr) -> Self {
        match algorithm {
            WindowAlgorithm::Smartt => Self::Smartt(smartt::Clocked::new(SmarttParams { connections }, csr)),
            WindowAlgorithm::Nscc => {
                Self::Nscc(nscc::Clocked::new(NsccParams { connections }, NsccCsr::from(&csr)))
            }
        }
    }

    /// Sets the `cfg_*` ports. CSRs must not change while an event is in the pipeline.
    pub fn set_csr(&mut self, csr: SmarttCsr) {
        match self {
            Self::Smartt(smartt) => smartt.set_csr(csr),
            Self::Nscc(nscc) => nscc.set_csr(NsccCsr::from(&csr)),
        }
    }

    /// The algorithm of the block.
    pub fn algorithm(&self) -> WindowAlgorithm {
        match self {
            Self::Smartt(_) => WindowAlgorithm::Smartt,
            Self::Nscc(_) => WindowAlgorithm::Nscc,
        }
    }

    /// The output ports before the next clock edge.
    #[inline]
    pub fn outputs(&self) -> &Outputs {
        match self {
            Self::Smartt(smartt) => smartt.outputs(),
            Self::Nscc(nscc) => nscc.outputs(),
        }
    }

    /// A clock edge with these inputs.
    #[inline]
    pub fn clock(&mut self, inputs: &Inputs) {
        match self {
            Self::Smartt(smartt) => smartt.clock(inputs),
            Self::Nscc(nscc) => nscc.clock(inputs),
        }
    }
}
