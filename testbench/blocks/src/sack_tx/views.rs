//! The two views of `weft_sack_tx` that a lockstep run compares.

use crate::lockstep::Dut;
use crate::session;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use verilator_sys::{Build, Error, Instance, Library, PortId, Reset};
use weft_nic::block::sack_tx::{Clocked, Inputs, Outputs};
use weft_params::SackTxCsr;

/// The Verilog of a block.
pub use weft_hdl::block::sack_tx::emit as verilog;

impl Dut for Clocked {
    type Config = SackTxCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(&mut self, csr: &SackTxCsr) {
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

/// The Verilog of `weft_sack_tx` as Verilator builds it. Build it once, make many [`Rtl`] of it.
pub fn build(modules: &[weft_hdl::emit::Module]) -> Build {
    modules.iter().fold(Build::new("weft_sack_tx"), |build, module| {
        build.text(format!("{}.v", module.name), &module.text)
    })
}

/// `weft_sack_tx` under Verilator.
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
    outcome_valid: PortId,
    outcome_ready: PortId,
    outcome_id: PortId,
    outcome_data: PortId,
    outcome_user: PortId,
    not_open_events: PortId,
    never_sent: PortId,
    stale: PortId,
    refused: PortId,
    config: [PortId; 5],
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
            outcome_valid: port("m_axis_outcome_tvalid")?,
            outcome_ready: port("m_axis_outcome_tready")?,
            outcome_id: port("m_axis_outcome_tid")?,
            outcome_data: port("m_axis_outcome_tdata")?,
            outcome_user: port("m_axis_outcome_tuser")?,
            not_open_events: port("stat_not_open_events")?,
            never_sent: port("stat_never_sent")?,
            stale: port("stat_stale")?,
            refused: port("stat_refused")?,
            config: [
                port("cfg_mtu")?,
                port("cfg_gap")?,
                port("cfg_rto")?,
                port("cfg_backoff_limit")?,
                port("cfg_retry_limit")?,
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
    const TOP: &'static str = "weft_sack_tx";

    fn new(library: &Arc<Library>, reset: Reset) -> Result<Self, Error> {
        Self::new(library, reset)
    }

    fn record_from(&mut self, cycle: u64, path: &Path) {
        self.record_from(cycle, path);
    }
}

impl Dut for Rtl {
    type Config = SackTxCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(&mut self, csr: &SackTxCsr) {
        let values = [csr.mtu_bytes, csr.gap, csr.rto_ticks, csr.backoff_limit, csr.retry_limit];
        for (port, value) in self.ports.config.into_iter().zip(values) {
            self.instance.set(port, value.into());
        }
    }

    #[inline]
    fn outputs(&self) -> Outputs {
        let (dut, ports) = (&self.instance, &self.ports);
        let mut outcome_data = [0; 3];
        dut.read(ports.outcome_data, &mut outcome_data);
        Outputs {
            event_ready: dut.get(ports.event_ready) != 0,
            outcome_valid: dut.get(ports.outcome_valid) != 0,
            outcome_id: dut.get(ports.outcome_id) as u32,
            outcome_data,
            outcome_user: dut.get(ports.outcome_user) as u16,
            not_open_events: dut.get(ports.not_open_events) as u32,
            never_sent: dut.get(ports.never_sent) as u32,
            stale: dut.get(ports.stale) as u32,
            refused: dut.get(ports.refused) as u32,
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
        dut.write(ports.event_data, &inputs.event_data);
        dut.set(ports.event_user, inputs.event_user.into());
        dut.set(ports.outcome_ready, inputs.outcome_ready.into());
        for level in [0, 1] {
            dut.set(ports.clk, level);
            dut.eval()?;
            dut.dump(self.time)?;
            self.time += 1;
        }
        Ok(())
    }
}
