//! A block under Verilator.

use crate::Error;
use crate::block::{Block, FromPorts, Visit};
use crate::mismatch::Mismatch;
use crate::monitor::{Monitor, Pins, Port, WORDS_MAX, valid_of};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use verilator_sys::{Build, Direction, Instance, Library, PortId, Reset};
use weft_hdl::Module;

/// Words of all outputs of a block.
const OUTPUT_WORDS_MAX: usize = 128;

/// The build of a block's Verilog under Verilator. Build it once, and make any number of [`Rtl`] from it.
pub fn build(top: &str, modules: &[Module]) -> Build {
    modules
        .iter()
        .fold(Build::new(top), |build, module| build.text(format!("{}.v", module.name), &module.text))
}

/// A block under Verilator.
pub struct Rtl<B: Block> {
    instance: Instance,
    library: Arc<Library>,
    clk: PortId,
    inputs: Vec<PortId>,
    outputs: Vec<PortId>,
    /// The `tvalid` that validates each output.
    meant: Vec<Option<PortId>>,
    /// Inputs, then outputs, in the order of the monitors.
    ports: Vec<PortId>,
    /// Judges every stream on every clock.
    monitor: Monitor,
    /// Half clocks since the start, the time of a waveform.
    time: u64,
    /// Clock at which recording starts, and the file.
    recorder: Option<(u64, PathBuf)>,
    recording: bool,
    block: PhantomData<fn() -> B>,
}

impl<B: Block> Rtl<B> {
    /// An instance whose registers before the first reset follow `reset`.
    pub fn new(library: &Arc<Library>, reset: Reset) -> Result<Self, Error> {
        let (mut inputs, mut outputs) = (Finder::new(library), Finder::new(library));
        B::show_inputs(&B::Inputs::default(), &mut |name: &'static str, _: &[u64]| inputs.see(name));
        B::show_outputs(&B::Outputs::default(), &mut |name: &'static str, _: &[u64]| outputs.see(name));
        let (inputs, outputs) = (inputs.found?, outputs.found?);
        let all = [&inputs[..], &outputs[..]].concat();
        Ok(Self {
            instance: library.instance(reset)?,
            clk: library.port("clk")?.id,
            monitor: Monitor::new(&all.iter().map(|(_, port)| *port).collect::<Vec<_>>(), &B::STREAMS),
            meant: outputs.iter().map(|(_, port)| meant(port.name, &outputs)).collect(),
            ports: ids(&all),
            inputs: ids(&inputs),
            outputs: ids(&outputs),
            library: library.clone(),
            time: 0,
            recorder: None,
            recording: false,
            block: PhantomData,
        })
    }

    /// Runs without monitors, for inputs that break rules.
    pub fn unwatched(mut self) -> Self {
        self.monitor = Monitor::new(&[], &B::STREAMS);
        self
    }

    /// Records a waveform from clock `cycle` on; the library must be built with waves.
    pub fn record_from(&mut self, cycle: u64, path: &Path) {
        self.recorder = Some((2 * cycle, path.to_owned()));
    }

    /// Sets an input port that the block does not show.
    pub fn set(&mut self, port: &str, value: u64) -> Result<(), Error> {
        let port = self.library.port(port)?;
        self.instance.set(port.id, value);
        Ok(())
    }

    /// Sets the ports that software sets.
    pub fn configure(&mut self, csr: &B::Csr) -> Result<(), Error> {
        let mut finder = Finder::new(&self.library);
        B::show_csr(csr, &mut |name: &'static str, _: &[u64]| finder.see(name));
        let ids = ids(&finder.found?);
        B::show_csr(csr, &mut driving(&mut self.instance, &ids));
        Ok(())
    }

    /// Runs a clock edge with these inputs. Fails if a stream breaks a rule in this clock.
    #[inline]
    pub fn clock(&mut self, inputs: &B::Inputs) -> Result<(), Error> {
        if let Some((_, path)) = self.recorder.take_if(|(from, _)| *from <= self.time) {
            self.instance.record(&path)?;
            self.recording = true;
        }
        B::show_inputs(inputs, &mut driving(&mut self.instance, &self.inputs));
        for level in [0, 1] {
            self.instance.set(self.clk, level);
            self.instance.eval()?;
            if self.recording {
                self.instance.dump(self.time)?;
            }
            self.time += 1;
            let pins = Live { instance: &self.instance, ports: &self.ports };
            match level {
                0 => self.monitor.clock(&pins)?,
                _ => self.monitor.settle(&pins),
            }
        }
        Ok(())
    }

    /// The first output port on which the RTL differs from `model`, after the end of the first reset. The
    /// data of a stream are compared while its `tvalid` is high.
    #[inline]
    pub fn compare(&self, cycle: u64, model: &B::Outputs) -> Option<Mismatch> {
        // Two steps of time are a clock.
        let late = match self.time {
            0..2 => return None,
            2..4 => B::LATE,
            _ => &[],
        };
        let (mut same, mut meant) = (true, self.meant.iter());
        self.against(model, |port, model, rtl| {
            let valid = meant.next();
            same &= model == rtl || !self.means(valid) || late.contains(&port);
        });
        if same { None } else { self.mismatch(cycle, model, late) }
    }

    /// Whether a port has a meaning, given the `tvalid` of its stream if there is one.
    #[inline]
    fn means(&self, valid: Option<&Option<PortId>>) -> bool {
        valid.is_none_or(|valid| valid.is_none_or(|valid| self.instance.get(valid) & 1 == 1))
    }

    #[cold]
    fn mismatch(&self, cycle: u64, model: &B::Outputs, late: &[&str]) -> Option<Mismatch> {
        let (mut found, mut meant) = (None, self.meant.iter());
        self.against(model, |port, model, rtl| {
            let means = self.means(meant.next());
            if found.is_none() && model != rtl && means && !late.contains(&port) {
                found = Some(Mismatch { cycle, port, model: model.to_vec(), rtl: rtl.to_vec() });
            }
        });
        found
    }

    /// Shows every output port of the model and of the RTL.
    #[inline]
    fn against(&self, model: &B::Outputs, mut see: impl FnMut(&'static str, &[u64], &[u64])) {
        let mut ids = self.outputs.iter();
        let mut words = [0; WORDS_MAX];
        B::show_outputs(model, &mut |port: &'static str, model: &[u64]| {
            let Some(&id) = ids.next() else { return };
            if let [model] = model {
                see(port, &[*model], &[self.instance.get(id)]);
            } else {
                let rtl = &mut words[..model.len()];
                self.instance.read(id, rtl);
                see(port, model, rtl);
            }
        });
    }

    /// The value of a port that the block does not show.
    pub fn read(&self, port: &str) -> Result<Vec<u64>, Error> {
        let port = self.library.port(port)?;
        let mut words = vec![0; port.width.div_ceil(64) as usize];
        self.instance.read(port.id, &mut words);
        Ok(words)
    }
}

impl<B: FromPorts> Rtl<B> {
    /// The output ports before the next clock edge.
    pub fn outputs(&self) -> B::Outputs {
        let (mut all, mut count) = ([0; OUTPUT_WORDS_MAX], 0);
        self.against(&B::Outputs::default(), |_, _, words| {
            all[count..count + words.len()].copy_from_slice(words);
            count += words.len();
        });
        let mut words = all[..count].iter();
        B::outputs_from(&mut || words.next().copied().unwrap_or_default())
    }
}

/// Drives a port that is shown with the next of `ids`.
#[inline]
fn driving<'a>(instance: &'a mut Instance, ids: &'a [PortId]) -> impl Visit + 'a {
    let mut ids = ids.iter();
    move |_: &'static str, words: &[u64]| {
        let Some(&id) = ids.next() else { return };
        match words {
            [word] => instance.set(id, *word),
            words => instance.write(id, words),
        }
    }
}

/// The pins of an instance.
struct Live<'a> {
    instance: &'a Instance,
    ports: &'a [PortId],
}

impl Pins for Live<'_> {
    #[inline]
    fn bit(&self, port: usize) -> bool {
        self.instance.get(self.ports[port]) & 1 == 1
    }

    #[inline]
    fn words(&self, port: usize, words: &mut [u64]) {
        self.instance.read(self.ports[port], words);
    }
}

fn ids(found: &[(PortId, Port)]) -> Vec<PortId> {
    found.iter().map(|(id, _)| *id).collect()
}

/// The `tvalid` among `outputs` of the stream that carries `port`.
fn meant(port: &'static str, outputs: &[(PortId, Port)]) -> Option<PortId> {
    let valid = valid_of(port)?;
    outputs.iter().find(|(_, port)| port.name == valid).map(|(id, _)| *id)
}

/// Finds ports as they are shown.
struct Finder<'a> {
    library: &'a Library,
    found: Result<Vec<(PortId, Port)>, Error>,
}

impl<'a> Finder<'a> {
    fn new(library: &'a Library) -> Self {
        Self { library, found: Ok(Vec::new()) }
    }

    fn see(&mut self, name: &'static str) {
        if let Ok(found) = &mut self.found {
            match self.library.port(name) {
                Ok(port) => {
                    let is_output = port.direction == Direction::Out;
                    found.push((port.id, Port { name, is_output, bits: port.width }));
                }
                Err(error) => self.found = Err(error.into()),
            }
        }
    }
}
