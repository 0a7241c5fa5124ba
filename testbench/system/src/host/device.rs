//! NICs as devices: models or RTL.

use weft_bench::{Broken, Mismatch};
use weft_nic::nic::{Inputs, Outputs};

/// A NIC: outputs are registers or functions of registers, so they are read before the clock that changes them.
pub trait Device {
    /// The output ports.
    fn outputs(&self) -> &Outputs;

    /// Runs a clock edge with these inputs.
    fn clock(&mut self, inputs: &Inputs) -> Result<(), DeviceError>;

    /// Lets `ticks` ticks pass at once, if the device supports this, as a model does. Returns whether the
    /// ticks passed.
    fn pass(&mut self, _ticks: u32) -> bool {
        false
    }
}

impl<D: Device + ?Sized> Device for Box<D> {
    fn outputs(&self) -> &Outputs {
        self.as_ref().outputs()
    }

    fn clock(&mut self, inputs: &Inputs) -> Result<(), DeviceError> {
        self.as_mut().clock(inputs)
    }

    fn pass(&mut self, ticks: u32) -> bool {
        self.as_mut().pass(ticks)
    }
}

/// Reason why a device cannot continue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The RTL could not be built or run.
    #[error(transparent)]
    Rtl(weft_bench::Error),
    /// A port breaks a rule.
    #[error(transparent)]
    Port(#[from] Broken),
    /// RTL and model differ.
    #[error("{0}")]
    Mismatch(Mismatch),
}

impl From<weft_bench::Error> for DeviceError {
    fn from(error: weft_bench::Error) -> Self {
        match error {
            weft_bench::Error::Port(broken) => Self::Port(broken),
            error => Self::Rtl(error),
        }
    }
}
