//! The two views of `weft_smartt` that a lockstep run compares.

use crate::lockstep::{Dut, Ports};
use crate::session;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use verilator_sys::{Build, Error, Instance, Library, PortId, Reset};
use weft_nic::block::smartt::{Clocked, Inputs, Outputs};
use weft_params::{SmarttClass, SmarttCsr};

/// The Verilog of a block.
pub use weft_hdl::block::smartt::emit as verilog;

impl Ports for Outputs {
    fn ports(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("s_axis_event_tready", self.event_ready.into()),
            ("m_axis_window_tvalid", self.window_valid.into()),
            ("m_axis_window_tid", self.window_id.into()),
            ("m_axis_window_tdata", self.window_data.into()),
            ("m_axis_window_tuser", self.window_user.into()),
            ("stat_not_open_events", self.not_open_events.into()),
        ]
    }
}

impl Dut for Clocked {
    type Config = SmarttCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(&mut self, csr: &SmarttCsr) {
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

/// The Verilog of `weft_smartt` as Verilator builds it. Build it once, make many [`Rtl`] of it.
pub fn build(modules: &[weft_hdl::emit::Module]) -> Build {
    modules.iter().fold(Build::new("weft_smartt"), |build, module| {
        build.text(format!("{}.v", module.name), &module.text)
    })
}

/// `weft_smartt` under Verilator.
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
    window_valid: PortId,
    window_ready: PortId,
    window_id: PortId,
    window_data: PortId,
    window_user: PortId,
    not_open_events: PortId,
    classes: [PortId; CLASS_PORTS.len()],
    shared: [PortId; 8],
}

/// A constant of each class: its port, the bits of one lane, the constant.
type ClassPort = (&'static str, u32, fn(&SmarttClass) -> u32);

const CLASS_PORTS: [ClassPort; 8] = [
    ("cfg_mtu", 14, |class| class.mtu_bytes),
    ("cfg_max_cwnd", 26, |class| class.max_cwnd_bytes),
    ("cfg_fair_decrease", 26, |class| class.fair_decrease_bytes),
    ("cfg_base_rtt", 16, |class| class.base_rtt_ticks),
    ("cfg_target_rtt", 16, |class| class.target_rtt_ticks),
    ("cfg_fast_rtt", 16, |class| class.fast_rtt_ticks),
    ("cfg_multiplicative_increase", 32, |class| class.multiplicative_increase),
    ("cfg_fair_increase", 30, |class| class.fair_increase),
];

impl Rtl {
    /// An instance whose registers hold what `reset` says before the first reset.
    pub fn new(library: &Arc<Library>, reset: Reset) -> Result<Self, Error> {
        let port = |name| library.port(name).map(|port| port.id);
        let mut classes = [port("clk")?; CLASS_PORTS.len()];
        for (id, (name, ..)) in classes.iter_mut().zip(CLASS_PORTS) {
            *id = port(name)?;
        }
        let ports = PortIds {
            clk: port("clk")?,
            rst: port("rst")?,
            now: port("now")?,
            event_valid: port("s_axis_event_tvalid")?,
            event_ready: port("s_axis_event_tready")?,
            event_id: port("s_axis_event_tid")?,
            event_data: port("s_axis_event_tdata")?,
            event_user: port("s_axis_event_tuser")?,
            window_valid: port("m_axis_window_tvalid")?,
            window_ready: port("m_axis_window_tready")?,
            window_id: port("m_axis_window_tid")?,
            window_data: port("m_axis_window_tdata")?,
            window_user: port("m_axis_window_tuser")?,
            not_open_events: port("stat_not_open_events")?,
            classes,
            shared: [
                port("cfg_multiplicative_decrease")?,
                port("cfg_qa_scaling")?,
                port("cfg_wtd_alpha")?,
                port("cfg_wtd_threshold")?,
                port("cfg_granularity")?,
                port("cfg_fast_mtus")?,
                port("cfg_signals")?,
                port("cfg_late_losses")?,
            ],
        };
        Ok(Self { instance: library.instance(reset)?, ports, time: 0, recorder: None })
    }

    /// Records a waveform from clock `cycle` on; the library must be built with waves.
    pub fn record_from(&mut self, cycle: u64, path: &Path) {
        self.recorder = Some((2 * cycle, path.to_owned()));
    }
}

/// The constants of all classes side by side, class 0 in the low bits.
fn lanes(csr: &SmarttCsr, bits: u32, constant: fn(&SmarttClass) -> u32) -> [u64; 2] {
    let lane = |word: u128, class| word << bits | u128::from(constant(class));
    let word = csr.classes.iter().rev().fold(0, lane);
    [word as u64, (word >> 64) as u64]
}

impl session::Rtl for Rtl {
    const TOP: &'static str = "weft_smartt";

    fn new(library: &Arc<Library>, reset: Reset) -> Result<Self, Error> {
        Self::new(library, reset)
    }

    fn record_from(&mut self, cycle: u64, path: &Path) {
        self.record_from(cycle, path);
    }
}

impl Dut for Rtl {
    type Config = SmarttCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(&mut self, csr: &SmarttCsr) {
        for (port, (_, bits, constant)) in self.ports.classes.into_iter().zip(CLASS_PORTS) {
            self.instance.write(port, &lanes(csr, bits, constant));
        }
        let shared = [
            csr.multiplicative_decrease,
            csr.qa_scaling,
            csr.wtd_alpha,
            csr.wtd_threshold,
            csr.granularity,
            csr.fast_mtus,
            csr.signals as u32,
            csr.late_losses.into(),
        ];
        for (port, value) in self.ports.shared.into_iter().zip(shared) {
            self.instance.set(port, value.into());
        }
    }

    #[inline]
    fn outputs(&self) -> Outputs {
        let (dut, ports) = (&self.instance, &self.ports);
        Outputs {
            event_ready: dut.get(ports.event_ready) != 0,
            window_valid: dut.get(ports.window_valid) != 0,
            window_id: dut.get(ports.window_id) as u32,
            window_data: dut.get(ports.window_data) as u32,
            window_user: dut.get(ports.window_user) as u8,
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
        dut.write(ports.event_data, &[inputs.event_data as u64, (inputs.event_data >> 64) as u64]);
        dut.set(ports.event_user, inputs.event_user.into());
        dut.set(ports.window_ready, inputs.window_ready.into());
        for level in [0, 1] {
            dut.set(ports.clk, level);
            dut.eval()?;
            dut.dump(self.time)?;
            self.time += 1;
        }
        Ok(())
    }
}
