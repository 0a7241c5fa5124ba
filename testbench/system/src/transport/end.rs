//! One end of the transport: its RTL, its model, or both side by side.

use serde::Serialize;
use weft_bench::Error;
use weft_blocks::lockstep::{Dut, Mismatch};

/// What stands at an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// The RTL alone.
    Rtl,
    /// The clocked model alone.
    Model,
    /// Both, compared on every output and clock.
    Lockstep,
}

/// A block as one of its views.
pub(super) enum End<M, R> {
    Rtl(R),
    Model(M),
    Lockstep(M, R),
}

impl<M, R> End<M, R>
where
    M: Dut,
    R: Dut<Config = M::Config, Inputs = M::Inputs, Outputs = M::Outputs>,
{
    pub(super) fn new(
        view: View,
        model: impl FnOnce() -> M,
        rtl: impl FnOnce() -> Result<R, Error>,
    ) -> Result<Self, Error> {
        Ok(match view {
            View::Rtl => Self::Rtl(rtl()?),
            View::Model => Self::Model(model()),
            View::Lockstep => Self::Lockstep(model(), rtl()?),
        })
    }

    pub(super) fn configure(&mut self, config: &M::Config) {
        if let Self::Model(model) | Self::Lockstep(model, _) = self {
            model.configure(config);
        }
        if let Self::Rtl(rtl) | Self::Lockstep(_, rtl) = self {
            rtl.configure(config);
        }
    }

    pub(super) fn outputs(&self) -> M::Outputs {
        match self {
            Self::Rtl(rtl) => rtl.outputs(),
            Self::Model(model) | Self::Lockstep(model, _) => model.outputs(),
        }
    }

    /// A clock edge, the `clock`th; then both views, if there are two, must show the same.
    pub(super) fn clock(&mut self, clock: u64, inputs: &M::Inputs) -> Result<Option<Mismatch>, Error> {
        match self {
            Self::Rtl(rtl) => rtl.clock(inputs)?,
            Self::Model(model) => model.clock(inputs)?,
            Self::Lockstep(model, rtl) => {
                model.clock(inputs)?;
                rtl.clock(inputs)?;
                let (model, rtl) = (model.outputs(), rtl.outputs());
                if model != rtl {
                    return Ok(Mismatch::between(clock, &model, &rtl));
                }
            }
        }
        Ok(None)
    }

    pub(super) fn model(&self) -> Option<&M> {
        match self {
            Self::Rtl(_) => None,
            Self::Model(model) | Self::Lockstep(model, _) => Some(model),
        }
    }
}
