//! The two views of `weft_reps` that a lockstep run compares.

use crate::lockstep::{Dut, Ports};
use crate::session;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use verilator_sys::{Build, Error, Instance, Library, PortId, Reset};
use weft_nic::block::reps::{Clocked, Inputs, Outputs};
use weft_params::RepsCsr;

/// The Verilog of a block.
pub use weft_hdl::block::reps::emit as verilog;

impl Ports for Outputs {
    fn ports(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("s_axis_event_tready", self.event_ready.into()),
            ("m_axis_decision_tvalid", self.decision_valid.into()),
            ("m_axis_decision_tid", self.decision_id.into()),
            ("m_axis_decision_tdata", self.decision_data.into()),
            ("m_axis_decision_tuser", self.decision_user.into()),
            ("stat_not_open_events", self.not_open_events.into()),
        ]
    }
}

impl Dut for Clocked {
    type Config = RepsCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(&mut self, csr: &RepsCsr) {
        self.set_csr(*csr);
    }

    #[inline]
    fn outputs(&self) -> Outputs {
        *Clocked::outputs(self)
    }

    #[inline]
    fn clock(&mut self, inputs: &Inputs) -> Result<(), Error> {
        Clocked::clock(self, inputs);
        Ok(())
    }
}

/// The Verilog of `weft_reps` as Verilator builds it. Build it once, make many [`Rtl`] of it.
pub fn build(modules: &[weft_hdl::emit::Module]) -> Build {
    modules
        .iter()
        .fold(Build::new("weft_reps"), |build, module| build.text(format!("{}.v", module.name), &module.text))
}

/// `weft_reps` under Verilator.
pub struct Rtl {
    instance: Instance,
    ports: PortIds,
    /// Half clocks since the start, the time of a waveform.
    time: u64,
    /// When to start recording, and where to.
    recorder: Option<(u64, PathBuf)>,
}

struct PortIds {
    clk: PortId,
    rst: PortId,
    now: PortId,
    event_valid: PortId,
    event_ready: PortId,
    event_id: PortId,
    event_data: PortId,
    event_user: PortId,
    decision_valid: PortId,
    decision_ready: PortId,
    decision_id: PortId,
    decision_data: PortId,
    decision_user: PortId,
    not_open_events: PortId,
    config: [PortId; 9],
}

impl Rtl {
    /// An instance whose registers hold what `reset` says before the first reset.
    pub fn new(library: &Arc<Library>, reset: Reset) -> Result<Self, Error> {
        let port = |name| library.port(name).map(|port| port.id);
        let ports = PortIds {
            clk: port("clk")?,
            rst: port("rst")?,
            now: port("now")?,
            event_valid: port("s_axis_event_tvalid")?,
            event_ready: port("s_axis_event_tready")?,
            event_id: port("s_axis_event_tid")?,
            event_data: port("s_axis_event_tdata")?,
            event_user: port("s_axis_event_tuser")?,
            decision_valid: port("m_axis_decision_tvalid")?,
            decision_ready: port("m_axis_decision_tready")?,
            decision_id: port("m_axis_decision_tid")?,
            decision_data: port("m_axis_decision_tdata")?,
            decision_user: port("m_axis_decision_tuser")?,
            not_open_events: port("stat_not_open_events")?,
            config: [
                port("cfg_mode")?,
                port("cfg_ev_base")?,
                port("cfg_evs_size")?,
                port("cfg_freeze_timeout")?,
                port("cfg_bdp_packets")?,
                port("cfg_trimming")?,
                port("cfg_thaw_reset")?,
                port("cfg_rtt_high")?,
                port("cfg_rtt_window")?,
            ],
        };
        Ok(Self { instance: library.instance(reset)?, ports, time: 0, recorder: None })
    }

    /// Records a waveform from clock `cycle` on; the library must be built with waves.
    pub fn record_from(&mut self, cycle: u64, path: &Path) {
        self.recorder = Some((2 * cycle, path.to_owned()));
    }
}

impl session::Rtl for Rtl {
    const TOP: &'static str = "weft_reps";

    fn new(library: &Arc<Library>, reset: Reset) -> Result<Self, Error> {
        Self::new(library, reset)
    }

    fn record_from(&mut self, cycle: u64, path: &Path) {
        self.record_from(cycle, path);
    }
}

impl Dut for Rtl {
    type Config = RepsCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(&mut self, csr: &RepsCsr) {
        let values = [
            csr.mode as u32,
            csr.ev_base,
            csr.evs_size,
            csr.freeze_timeout_ticks,
            csr.bdp_packets,
            csr.trimming.into(),
            csr.thaw_reset.into(),
            csr.rtt_high_ticks,
            csr.rtt_window_ticks,
        ];
        for (port, value) in self.ports.config.into_iter().zip(values) {
            self.instance.set(port, value.into());
        }
    }

    #[inline]
    fn outputs(&self) -> Outputs {
        let (dut, ports) = (&self.instance, &self.ports);
        Outputs {
            event_ready: dut.get(ports.event_ready) != 0,
            decision_valid: dut.get(ports.decision_valid) != 0,
            decision_id: dut.get(ports.decision_id) as u32,
            decision_data: dut.get(ports.decision_data) as u16,
            decision_user: dut.get(ports.decision_user) as u8,
            not_open_events: dut.get(ports.not_open_events) as u32,
        }
    }

    #[inline]
    fn clock(&mut self, inputs: &Inputs) -> Result<(), Error> {
        if let Some((_, path)) = self.recorder.take_if(|(from, _)| *from <= self.time) {
            self.instance.record(&path)?;
        }
        let (dut, ports) = (&mut self.instance, &self.ports);
        dut.set(ports.clk, 0);
        dut.set(ports.rst, inputs.rst.into());
        dut.set(ports.now, inputs.now.into());
        dut.set(ports.event_valid, inputs.event_valid.into());
        dut.set(ports.event_id, inputs.event_id.into());
        dut.set(ports.event_data, inputs.event_data.into());
        dut.set(ports.event_user, inputs.event_user.into());
        dut.set(ports.decision_ready, inputs.decision_ready.into());
        for level in [0, 1] {
            dut.set(ports.clk, level);
            dut.eval()?;
            dut.dump(self.time)?;
            self.time += 1;
        }
        Ok(())
    }
}
