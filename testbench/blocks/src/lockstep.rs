//! Lockstep: two views of a block get the same inputs, and every output port is compared on every clock.

use std::fmt;
use verilator_sys::Error;

/// A view of a block that can be clocked: the model or the RTL.
pub trait Dut {
    /// What software sets: the configuration ports.
    type Config: Copy;
    /// Values of the other input ports during a clock.
    type Inputs: Copy;
    /// Values of all output ports during a clock. They are registers or functions of registers.
    type Outputs: Copy + PartialEq + Ports;

    /// Sets the configuration ports.
    fn configure(&mut self, config: &Self::Config);

    /// The output ports before the next clock edge.
    fn outputs(&self) -> Self::Outputs;

    /// A clock edge with these inputs.
    fn clock(&mut self, inputs: &Self::Inputs) -> Result<(), Error>;
}

/// Port values by name, for reports.
pub trait Ports {
    /// Every port and its value.
    fn ports(&self) -> Vec<(&'static str, u64)>;
}

/// What a driver does next.
pub enum Turn<D: Dut + ?Sized> {
    /// Sets the configuration ports.
    Configure(D::Config),
    /// Clocks the block.
    Clock(D::Inputs),
    /// Ends the run.
    End,
}

/// Drives the input ports. It sees the outputs, as whatever drives a stream does. The first clock of a
/// run resets the block: before, the RTL's outputs mean nothing.
pub trait Driver<D: Dut> {
    /// What to do after these outputs.
    fn next(&mut self, outputs: &D::Outputs) -> Turn<D>;
}

/// A lockstep run that can be told to stop and to say how far it is.
pub trait Watch {
    /// Called now and then with the number of clocks run; `false` stops the run.
    fn go_on(&mut self, cycles: u64) -> bool;
}

/// Nobody watches.
impl Watch for () {
    fn go_on(&mut self, _cycles: u64) -> bool {
        true
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Clocks run.
    pub cycles: u64,
    /// The first difference; the run ends there.
    pub mismatch: Option<Mismatch>,
    /// The watch stopped the run.
    pub stopped: bool,
}

/// Clocks between two calls of the watch.
const WATCH_PERIOD: u64 = 1 << 16;

/// Drives both views until the driver ends, the watch stops or an output differs.
pub fn run<M, R>(
    model: &mut M,
    rtl: &mut R,
    driver: &mut impl Driver<M>,
    watch: &mut impl Watch,
) -> Result<Report, Error>
where
    M: Dut,
    R: Dut<Config = M::Config, Inputs = M::Inputs, Outputs = M::Outputs>,
{
    let mut cycles = 0;
    loop {
        let outputs = model.outputs();
        if cycles > 0 {
            let rtl_outputs = rtl.outputs();
            if outputs != rtl_outputs {
                let mismatch = Mismatch::between(cycles, &outputs, &rtl_outputs);
                return Ok(Report { cycles, mismatch, stopped: false });
            }
        }
        match driver.next(&outputs) {
            Turn::Configure(config) => {
                model.configure(&config);
                rtl.configure(&config);
            }
            Turn::Clock(inputs) => {
                model.clock(&inputs)?;
                rtl.clock(&inputs)?;
                cycles += 1;
                if cycles.is_multiple_of(WATCH_PERIOD) && !watch.go_on(cycles) {
                    return Ok(Report { cycles, mismatch: None, stopped: true });
                }
            }
            Turn::End => return Ok(Report { cycles, mismatch: None, stopped: false }),
        }
    }
}

/// The first difference between the model and the RTL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Clocks since the start of the run.
    pub cycle: u64,
    /// The first port that differs.
    pub port: &'static str,
    /// Its value in the model.
    pub model: u64,
    /// Its value in the RTL.
    pub rtl: u64,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cycle, port, model, rtl } = self;
        write!(f, "mismatch in cycle {cycle} on {port}: model {model:#x}, RTL {rtl:#x}")
    }
}

impl Mismatch {
    /// The first port of `model` and `rtl` that differs.
    #[cold]
    pub fn between(cycle: u64, model: &impl Ports, rtl: &impl Ports) -> Option<Self> {
        let pairs = model.ports().into_iter().zip(rtl.ports());
        let differs = |&((_, model), (_, rtl)): &((_, u64), (_, u64))| model != rtl;
        pairs.into_iter().find(differs).map(|((port, model), (_, rtl))| Self { cycle, port, model, rtl })
    }
}
