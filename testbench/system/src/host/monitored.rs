//! The monitors of the ports around a NIC that has no pins.

use super::device::{Device, DeviceError};
use weft_bench::{Broken, Monitor, Shown};
use weft_blocks::nic::Dut;
use weft_nic::nic::{Inputs, Outputs};

/// Judges the ports of a NIC.
pub struct PortWatch {
    monitor: Monitor,
    shown: Shown<Dut>,
}

impl PortWatch {
    /// A monitor that records from the first clock on.
    pub fn begin() -> Self {
        let (monitor, shown) = Monitor::of::<Dut>();
        Self { monitor, shown }
    }

    /// Judges a clock, before its edge.
    pub fn clock(&mut self, inputs: &Inputs, outputs: &Outputs) -> Result<(), Broken> {
        self.monitor.clock(self.shown.show(inputs, outputs))
    }
}

/// A device with monitors at its ports.
pub struct Monitored<D> {
    device: D,
    watch: PortWatch,
}

impl<D> Monitored<D> {
    /// A monitored device, from its first clock on.
    pub fn new(device: D) -> Self {
        Self { device, watch: PortWatch::begin() }
    }
}

impl<D: Device> Device for Monitored<D> {
    fn outputs(&self) -> &Outputs {
        self.device.outputs()
    }

    fn clock(&mut self, inputs: &Inputs) -> Result<(), DeviceError> {
        self.watch.clock(inputs, self.device.outputs())?;
        self.device.clock(inputs)
    }
}
