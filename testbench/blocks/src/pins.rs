//! Lockstep of blocks whose ports are visited by name.

use crate::lockstep::Watch;
use std::sync::Arc;
use verilator_sys::{Build, Instance, Library, PortId, Reset};
use weft_bench::Error;
use weft_hdl::Module;

/// Ports by name, each with its value in 64-bit words, the lowest first. Always the same ports in the same order.
pub trait Pins {
    /// Shows every port, named as in the Verilog.
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64]));
}

/// Port values that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Clocks since the start of the run.
    pub cycle: u64,
    /// The first port that differs.
    pub port: &'static str,
    /// Its value in the model, lowest word first.
    pub model: Vec<u64>,
    /// Its value in the RTL.
    pub rtl: Vec<u64>,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hex = |words: &[u64]| words.iter().rev().map(|word| format!("{word:016x}")).collect::<String>();
        let Self { cycle, port, model, rtl } = self;
        write!(f, "mismatch in cycle {cycle} on {port}: model {}, RTL {}", hex(model), hex(rtl))
    }
}

/// A model that can be clocked.
pub trait Clocked {
    /// All input ports but the clock, `cfg_*` among them.
    type Inputs: Pins + Default;
    /// All output ports: registers or functions of registers.
    type Outputs: Pins;

    /// The output ports before the next clock edge.
    fn outputs(&self) -> &Self::Outputs;

    /// A clock edge with these inputs.
    fn clock(&mut self, inputs: &Self::Inputs);
}

/// A block under Verilator.
pub struct Rtl {
    instance: Instance,
    library: Arc<Library>,
    clk: PortId,
    inputs: Vec<PortId>,
    outputs: Vec<PortId>,
    time: u64,
}

impl Rtl {
    /// An instance whose registers hold what `reset` says before the first reset.
    pub fn new(library: &Arc<Library>, reset: Reset) -> Result<Self, verilator_sys::Error> {
        Ok(Self {
            instance: library.instance(reset)?,
            library: library.clone(),
            clk: library.port("clk")?.id,
            inputs: Vec::new(),
            outputs: Vec::new(),
            time: 0,
        })
    }

    /// Records a waveform from now on; the library must be built with waves.
    pub fn record(&mut self, path: &std::path::Path) -> Result<(), verilator_sys::Error> {
        self.instance.record(path)
    }

    /// The value of an output port.
    pub fn read(&self, port: &str) -> Result<Vec<u64>, verilator_sys::Error> {
        let port = self.library.port(port)?;
        let mut words = vec![0; port.width.div_ceil(64) as usize];
        self.instance.read(port.id, &mut words);
        Ok(words)
    }

    /// A clock edge with these inputs.
    pub fn clock(&mut self, inputs: &impl Pins) -> Result<(), verilator_sys::Error> {
        if self.inputs.is_empty() {
            self.inputs = ids(&self.library, inputs)?;
        }
        self.instance.set(self.clk, 0);
        let (instance, mut ids) = (&mut self.instance, self.inputs.iter());
        inputs.pins(&mut |_, words| {
            if let Some(&id) = ids.next() {
                match words {
                    [word] => instance.set(id, *word),
                    words => instance.write(id, words),
                }
            }
        });
        for level in [0, 1] {
            self.instance.set(self.clk, level);
            self.instance.eval()?;
            self.instance.dump(self.time)?;
            self.time += 1;
        }
        Ok(())
    }

    /// The values of all output ports that `like` has, in its order.
    pub fn words(&mut self, like: &impl Pins, words: &mut Vec<u64>) -> Result<(), verilator_sys::Error> {
        if self.outputs.is_empty() {
            self.outputs = ids(&self.library, like)?;
        }
        words.clear();
        let mut ids = self.outputs.iter();
        like.pins(&mut |_, like| {
            let Some(&id) = ids.next() else { return };
            let at = words.len();
            words.resize(at + like.len(), 0);
            if let [word] = &mut words[at..] {
                *word = self.instance.get(id);
            } else {
                self.instance.read(id, &mut words[at..]);
            }
        });
        Ok(())
    }

    /// The first output port on which the RTL differs from `model`.
    pub fn compare(
        &mut self,
        cycle: u64,
        model: &impl Pins,
    ) -> Result<Option<Mismatch>, verilator_sys::Error> {
        if self.outputs.is_empty() {
            self.outputs = ids(&self.library, model)?;
        }
        let mut found = None;
        let mut ids = self.outputs.iter();
        let mut rtl = [0u64; 16];
        model.pins(&mut |port, words| {
            let Some(&id) = ids.next() else { return };
            let rtl = &mut rtl[..words.len()];
            if let [word] = rtl {
                *word = self.instance.get(id);
            } else {
                self.instance.read(id, rtl);
            }
            if found.is_none() && rtl != words {
                found = Some(Mismatch { cycle, port, model: words.to_vec(), rtl: rtl.to_vec() });
            }
        });
        Ok(found)
    }
}

fn ids(library: &Library, pins: &impl Pins) -> Result<Vec<PortId>, verilator_sys::Error> {
    let mut ids = Vec::new();
    let mut error = None;
    pins.pins(&mut |name, _| match library.port(name) {
        Ok(port) => ids.push(port.id),
        Err(problem) => error = error.take().or(Some(problem)),
    });
    match error {
        Some(error) => Err(error),
        None => Ok(ids),
    }
}

/// Builds modules with Verilator.
pub fn build(top: &str, modules: &[Module]) -> Build {
    modules
        .iter()
        .fold(Build::new(top), |build, module| build.text(format!("{}.v", module.name), &module.text))
}

/// Runs model and RTL side by side for `cycles` clocks, with the inputs that `drive` makes of the model's outputs and
/// the clock's number; in clock 0 it must reset. Gives back the first difference.
pub fn lockstep<M: Clocked>(
    verilator: &Build,
    seed: u64,
    cycles: u64,
    model: &mut M,
    mut drive: impl FnMut(u64, &M::Outputs) -> M::Inputs,
    watch: &mut impl Watch,
) -> Result<Option<Mismatch>, Error> {
    let mut rtl = Rtl::new(&verilator.load()?, Reset::Random(seed as u32))?;
    for cycle in 0..cycles {
        if cycle > 0
            && let Some(mismatch) = rtl.compare(cycle, model.outputs())?
        {
            return Ok(Some(mismatch));
        }
        let inputs = drive(cycle, model.outputs());
        model.clock(&inputs);
        rtl.clock(&inputs)?;
        if cycle.is_multiple_of(1 << 16) && !watch.go_on(cycle) {
            break;
        }
    }
    Ok(None)
}
