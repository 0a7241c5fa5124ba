//! The two views of `weft_sack_rx` that a lockstep run compares.

use crate::lockstep::{Dut, Ports};
use crate::session;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use verilator_sys::{Build, Error, Instance, Library, PortId, Reset};
use weft_nic::block::sack_rx::{Clocked, Inputs, Outputs};
use weft_params::SackRxCsr;

/// The Verilog of a block.
pub use weft_hdl::block::sack_rx::emit as verilog;

impl Ports for Outputs {
    fn ports(&self) -> Vec<(&'static str, u64)> {
        const DATA: [&str; 7] = [
            "m_axis_outcome_tdata[63:0]",
            "m_axis_outcome_tdata[127:64]",
            "m_axis_outcome_tdata[191:128]",
            "m_axis_outcome_tdata[255:192]",
            "m_axis_outcome_tdata[319:256]",
            "m_axis_outcome_tdata[383:320]",
            "m_axis_outcome_tdata[407:384]",
        ];
        let words = [
            ("s_axis_event_tready", self.event_ready.into()),
            ("m_axis_outcome_tvalid", self.outcome_valid.into()),
            ("m_axis_outcome_tid", self.outcome_id.into()),
            ("m_axis_outcome_tuser", self.outcome_user.into()),
            ("stat_not_open_events", self.not_open_events.into()),
            ("stat_duplicates", self.duplicates.into()),
            ("stat_outside", self.outside.into()),
        ];
        words.into_iter().chain(DATA.into_iter().zip(self.outcome_data)).collect()
    }
}

impl Dut for Clocked {
    type Config = SackRxCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(&mut self, csr: &SackRxCsr) {
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

/// The Verilog of `weft_sack_rx` as Verilator builds it. Build it once, make many [`Rtl`] of it.
pub fn build(modules: &[weft_hdl::emit::Module]) -> Build {
    modules.iter().fold(Build::new("weft_sack_rx"), |build, module| {
        build.text(format!("{}.v", module.name), &module.text)
    })
}

/// `weft_sack_rx` under Verilator.
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
    duplicates: PortId,
    outside: PortId,
    ack_packets: PortId,
    ack_bytes: PortId,
}

impl Rtl {
    /// An instance whose registers hold what `reset` says before the first reset.
    pub fn new(library: &Arc<Library>, reset: Reset) -> Result<Self, Error> {
        let port = |name| library.port(name).map(|port| port.id);
        let ports = PortIds {
            clk: port("clk")?,
            rst: port("rst")?,
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
            duplicates: port("stat_duplicates")?,
            outside: port("stat_outside")?,
            ack_packets: port("cfg_ack_packets")?,
            ack_bytes: port("cfg_ack_bytes")?,
        };
        Ok(Self { instance: library.instance(reset)?, ports, time: 0, recorder: None })
    }

    /// Records a waveform from clock `cycle` on; the library must be built with waves.
    pub fn record_from(&mut self, cycle: u64, path: &Path) {
        self.recorder = Some((2 * cycle, path.to_owned()));
    }
}

impl session::Rtl for Rtl {
    const TOP: &'static str = "weft_sack_rx";

    fn new(library: &Arc<Library>, reset: Reset) -> Result<Self, Error> {
        Self::new(library, reset)
    }

    fn record_from(&mut self, cycle: u64, path: &Path) {
        self.record_from(cycle, path);
    }
}

impl Dut for Rtl {
    type Config = SackRxCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(&mut self, csr: &SackRxCsr) {
        self.instance.set(self.ports.ack_packets, csr.ack_packets.into());
        self.instance.set(self.ports.ack_bytes, csr.ack_bytes.into());
    }

    #[inline]
    fn outputs(&self) -> Outputs {
        let (dut, ports) = (&self.instance, &self.ports);
        let mut outcome_data = [0; 7];
        dut.read(ports.outcome_data, &mut outcome_data);
        Outputs {
            event_ready: dut.get(ports.event_ready) != 0,
            outcome_valid: dut.get(ports.outcome_valid) != 0,
            outcome_id: dut.get(ports.outcome_id) as u32,
            outcome_data,
            outcome_user: dut.get(ports.outcome_user) as u16,
            not_open_events: dut.get(ports.not_open_events) as u32,
            duplicates: dut.get(ports.duplicates) as u32,
            outside: dut.get(ports.outside) as u32,
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
        dut.set(ports.event_valid, inputs.event_valid.into());
        dut.set(ports.event_id, inputs.event_id.into());
        dut.write(ports.event_data, &[inputs.event_data as u64, (inputs.event_data >> 64) as u64]);
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
