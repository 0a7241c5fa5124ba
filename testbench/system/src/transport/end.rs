//! One end of the transport: its RTL, its model, or both side by side.

use serde::Serialize;
use weft_bench::{Error, FromPorts, Mismatch, Rtl};

/// The views of a block at one end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// The RTL alone.
    Rtl,
    /// The clocked model alone.
    Model,
    /// RTL and model, compared on every output and clock.
    Lockstep,
}

/// A block as one of its views.
pub(super) enum End<B: FromPorts> {
    Rtl(Rtl<B>),
    Model(B::Model),
    Lockstep(B::Model, Rtl<B>),
}

impl<B: FromPorts> End<B> {
    pub(super) fn new(
        view: View,
        model: impl FnOnce() -> B::Model,
        rtl: impl FnOnce() -> Result<Rtl<B>, Error>,
    ) -> Result<Self, Error> {
        Ok(match view {
            View::Rtl => Self::Rtl(rtl()?),
            View::Model => Self::Model(model()),
            View::Lockstep => Self::Lockstep(model(), rtl()?),
        })
    }

    pub(super) fn configure(&mut self, csr: &B::Csr) -> Result<(), Error> {
        if let Self::Model(model) | Self::Lockstep(model, _) = self {
            B::configure(model, csr);
        }
        if let Self::Rtl(rtl) | Self::Lockstep(_, rtl) = self {
            rtl.configure(csr)?;
        }
        Ok(())
    }

    pub(super) fn outputs(&self) -> B::Outputs {
        match self {
            Self::Rtl(rtl) => rtl.outputs(),
            Self::Model(model) | Self::Lockstep(model, _) => B::outputs(model).clone(),
        }
    }

    /// Clock edge number `clock`. Two views must then show the same outputs.
    pub(super) fn clock(&mut self, clock: u64, inputs: &B::Inputs) -> Result<Option<Mismatch>, Error> {
        match self {
            Self::Rtl(rtl) => rtl.clock(inputs)?,
            Self::Model(model) => B::clock(model, inputs),
            Self::Lockstep(model, rtl) => {
                B::clock(model, inputs);
                rtl.clock(inputs)?;
                return Ok(rtl.compare(clock, B::outputs(model)));
            }
        }
        Ok(None)
    }

    pub(super) fn model(&self) -> Option<&B::Model> {
        match self {
            Self::Rtl(_) => None,
            Self::Model(model) | Self::Lockstep(model, _) => Some(model),
        }
    }
}
