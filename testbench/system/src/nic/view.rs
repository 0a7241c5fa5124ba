//! Views of the NIC at a host: model, RTL, or both in lockstep.

use crate::host::device::{Device, DeviceError};
use crate::host::monitored::PortWatch;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use verilator_sys::{Library, Reset};
use weft_bench::{Block, Exchange, Rtl};
use weft_blocks::nic::{Dut, verilator};
use weft_nic::nic::{Inputs, Nic, Outputs};
use weft_params::NicParams;

/// View of the NIC at a host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// The Verilog under Verilator.
    Rtl,
    /// The clocked model.
    #[default]
    Model,
    /// RTL and model, compared on every port and clock.
    Lockstep,
}

/// Makes devices of one shape, with streams of 512 bits; the Verilog is built once.
pub struct Maker {
    params: NicParams,
    library: Option<Arc<Library>>,
}

impl Maker {
    /// Returns a maker of devices; `rtl`: whether any device has RTL.
    pub fn new(params: impl Into<NicParams>, rtl: bool) -> Result<Self, weft_bench::Error> {
        let params = params.into();
        params.check()?;
        let library = if rtl { Some(verilator(&params)?.load()?) } else { None };
        Ok(Self { params, library })
    }

    /// Makes a maker of devices of RTL in which modules replace emitted ones.
    pub fn with(params: impl Into<NicParams>, exchange: &Exchange) -> Result<Self, weft_bench::Error> {
        let params = params.into();
        params.check()?;
        let mut modules = weft_hdl::block::nic::emit(&params)?;
        exchange.apply(&mut modules)?;
        Ok(Self::of(params, weft_bench::build(Dut::<64>::TOP, &modules).load()?))
    }

    /// Makes a maker of devices of Verilog that was already built.
    pub fn of(params: impl Into<NicParams>, library: Arc<Library>) -> Self {
        Self { params: params.into(), library: Some(library) }
    }

    /// The shape of the devices.
    pub fn params(&self) -> NicParams {
        self.params
    }

    /// A device. `seed` decides on the values of registers before reset.
    pub fn device(&self, view: View, seed: u64) -> Result<AnyNic, DeviceError> {
        let model = || Box::new(Nic::of_shape(&self.params));
        let Some(library) = self.library.as_ref().filter(|_| view != View::Model) else {
            return Ok(AnyNic::Model { model: model(), watch: Box::new(PortWatch::begin()) });
        };
        let reset = Reset::Random(seed as u32);
        Ok(match view {
            View::Lockstep => {
                let rtl = Rtl::<Dut>::new(library, reset)?;
                AnyNic::Lockstep { model: model(), rtl: Box::new(rtl), clocks: 0 }
            }
            _ => AnyNic::Rtl(Box::new(Alone::new(library, reset)?)),
        })
    }
}

/// The RTL without its model.
pub struct Alone {
    rtl: Rtl<Dut>,
    outputs: Outputs,
}

impl Alone {
    /// An instance whose registers have the values of `reset` before the first reset.
    pub fn new(library: &Arc<Library>, reset: Reset) -> Result<Self, weft_bench::Error> {
        Ok(Self { rtl: Rtl::new(library, reset)?, outputs: Outputs::default() })
    }

    /// The output ports before the next clock edge.
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// A clock edge with these inputs.
    pub fn clock(&mut self, inputs: &Inputs) -> Result<(), weft_bench::Error> {
        self.rtl.clock(inputs)?;
        self.outputs = self.rtl.outputs();
        Ok(())
    }
}

/// A NIC in one of the views.
pub enum AnyNic {
    /// The model.
    Model {
        /// The model.
        model: Box<Nic>,
        /// Monitors of the ports. RTL has separate monitors.
        watch: Box<PortWatch>,
    },
    /// The RTL.
    Rtl(Box<Alone>),
    /// RTL and model.
    Lockstep {
        /// The model. The model's outputs are the device's.
        model: Box<Nic>,
        /// The RTL.
        rtl: Box<Rtl<Dut>>,
        /// Clocks run.
        clocks: u64,
    },
}

impl Device for AnyNic {
    fn outputs(&self) -> &Outputs {
        match self {
            Self::Model { model, .. } | Self::Lockstep { model, .. } => model.outputs(),
            Self::Rtl(rtl) => rtl.outputs(),
        }
    }

    fn clock(&mut self, inputs: &Inputs) -> Result<(), DeviceError> {
        match self {
            Self::Model { model, watch } => {
                watch.clock(inputs, model.outputs())?;
                model.clock(inputs);
            }
            Self::Rtl(rtl) => rtl.clock(inputs)?,
            Self::Lockstep { model, rtl, clocks } => {
                model.clock(inputs);
                rtl.clock(inputs)?;
                *clocks += 1;
                if let Some(mismatch) = rtl.compare(*clocks, model.outputs()) {
                    return Err(DeviceError::Mismatch(mismatch));
                }
            }
        }
        Ok(())
    }

    fn pass(&mut self, ticks: u32) -> bool {
        let Self::Model { model, .. } = self else { return false };
        model.pass(ticks);
        true
    }
}
