//! What stands at a host: the NIC's model, its RTL, or both in lockstep.

use super::{Device, DeviceError};
use crate::blocks::nic::{Rtl, verilator};
use serde::Serialize;
use std::sync::Arc;
use verilator_sys::{Library, Reset};
use weft_nic::nic::{Inputs, Outputs};
use weft_params::SackParams;

/// What stands at a host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// The Verilog under Verilator.
    Rtl,
    /// The clocked model.
    #[default]
    Model,
    /// Both, compared on every port and clock.
    Lockstep,
}

/// Makes devices of one shape; the Verilog is built once.
pub struct Maker {
    params: SackParams,
    library: Option<Arc<Library>>,
}

impl Maker {
    /// For devices that have RTL, if any has.
    pub fn new(params: SackParams, rtl: bool) -> Result<Self, crate::Error> {
        params.check()?;
        let library = if rtl { Some(verilator(&params)?.load()?) } else { None };
        Ok(Self { params, library })
    }

    /// A device; `seed` says what registers hold before reset.
    pub fn device(&self, _view: View, seed: u64) -> Result<AnyNic, DeviceError> {
        let Some(library) = &self.library else { panic!("no model yet") };
        Ok(AnyNic::Rtl(Box::new(Rtl::new(library, Reset::Random(seed as u32)).map_err(crate::Error::from)?)))
    }
}

/// A NIC in one of the views.
pub enum AnyNic {
    /// The RTL.
    Rtl(Box<Rtl>),
}

impl Device for AnyNic {
    fn outputs(&self) -> &Outputs {
        let Self::Rtl(rtl) = self;
        rtl.outputs()
    }

    fn clock(&mut self, inputs: &Inputs) -> Result<(), DeviceError> {
        let Self::Rtl(rtl) = self;
        rtl.clock(inputs).map_err(crate::Error::from)?;
        Ok(())
    }
}
