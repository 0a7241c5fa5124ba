//! Whole co-simulations of a block: emit, plant, build, run. After a mismatch the session records the last
//! clocks.

use crate::block::Block;
use crate::lockstep::{self, Driver, Report, Watch};
use crate::rtl::{Rtl, build};
use crate::{Error, Exchange, Plant};
use serde::Serialize;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use verilator_sys::{Build, Library, Reset, Waves};
use weft_hdl::Module;

/// Clocks that a waveform shows.
pub const WAVE_CLOCKS: u64 = 2_000;

/// A block under test: its shapes, its Verilog, its random stimulus.
pub trait Subject: Block {
    /// The shape.
    type Params: Clone + Debug + Send + Sync;
    /// The random stimulus.
    type Driver: Driver<Self>;
    /// Counts of a run. The counts show whether the run contained the cases that it must test.
    type Tally: Clone + Debug + Serialize;

    /// Bugs that a run finds.
    const PLANTS: &'static [Plant];

    /// The Verilog of a shape. Fails if the shape is not possible.
    fn emit(params: &Self::Params) -> Result<Vec<Module>, Error>;

    /// The model of a shape.
    fn model(params: &Self::Params) -> Self::Model;

    /// Random stimulus for a number of clocks. The seed determines the whole stimulus.
    fn driver(params: &Self::Params, seed: u64, cycles: u64) -> Self::Driver;

    /// The counts so far.
    fn tally(driver: &Self::Driver) -> Self::Tally;
}

/// The result of a co-simulation.
#[derive(Clone, Debug)]
pub struct Finding<T> {
    /// The top module.
    pub top: &'static str,
    /// The end of the run.
    pub report: Report,
    /// The first fault that the oracle found.
    pub complaint: Option<String>,
    /// The counts of the run.
    pub tally: T,
    /// Duration of the lockstep run without the build.
    pub time: Duration,
    /// The waveform, if the session wrote one.
    pub wave: Option<PathBuf>,
}

impl<T> Finding<T> {
    /// The same finding with its tally converted.
    pub fn map<U>(self, tell: impl FnOnce(T) -> U) -> Finding<U> {
        let Self { top, report, complaint, tally, time, wave } = self;
        Finding { top, report, complaint, tally: tell(tally), time, wave }
    }
}

/// The settings common to all co-simulations of a block.
#[derive(Clone, Debug)]
pub struct Session<P> {
    /// The shape of the block.
    pub params: P,
    /// Parameters of the Verilog's top that differ from their defaults.
    pub verilog: Vec<(&'static str, u32)>,
    /// The seed of the stimulus, and of the contents of registers before reset.
    pub seed: u64,
    /// The modules that replace emitted ones: a bug, or modules of a user.
    pub exchange: Option<Exchange>,
    /// The file for a waveform of the last clocks. A mismatch writes a waveform in any case.
    pub wave: Option<PathBuf>,
}

impl<P: Clone> Session<P> {
    /// A session with the Verilog as emitted.
    pub fn new(params: P, seed: u64) -> Self {
        Self { params, verilog: Vec::new(), seed, exchange: None, wave: None }
    }

    /// The build of the Verilog under Verilator, with its parameters and replaced modules.
    pub fn build<B: Subject<Params = P>>(&self) -> Result<Build, Error> {
        let mut modules = B::emit(&self.params)?;
        if let Some(exchange) = &self.exchange {
            exchange.apply(&mut modules)?;
        }
        let build = self
            .verilog
            .iter()
            .fold(build(B::TOP, &modules), |build, (name, value)| build.param(*name, value));
        // A bug shows within thousands of clocks: then the time of the build counts more than the speed of
        // the run.
        Ok(if matches!(self.exchange, Some(Exchange::Plant(_))) { build.quick() } else { build })
    }

    /// Runs random stimulus for `cycles` clocks.
    pub fn random<B: Subject<Params = P>>(
        &self,
        cycles: u64,
        watch: &mut impl Watch,
    ) -> Result<Finding<B::Tally>, Error> {
        let driver = || B::driver(&self.params, self.seed, cycles);
        let (finding, driver) = self.run::<B, _>(driver, watch)?;
        Ok(finding.map(|()| B::tally(&driver)))
    }

    /// Runs any stimulus and returns the driver. With `wave`, or after a mismatch, runs the last clocks again
    /// and records them.
    pub fn run<B: Subject<Params = P>, D: Driver<B>>(
        &self,
        driver: impl Fn() -> D,
        watch: &mut impl Watch,
    ) -> Result<(Finding<()>, D), Error> {
        let (mut finding, first) = self.run_once::<B, D>(driver(), watch)?;
        let cycles = finding.report.cycles;
        finding.wave.clone_from(&self.wave);
        if finding.report.mismatch.is_some() && finding.wave.is_none() {
            finding.wave = Some(PathBuf::from(format!("{}_seed{}.vcd", B::TOP, self.seed)));
        }
        if let Some(path) = &finding.wave {
            // Runs the stimulus again, with a recorder for its last clocks.
            let verilator = self.build::<B>()?.waves(format_of(path));
            let mut rtl = Rtl::<B>::new(&verilator.load()?, self.reset())?;
            rtl.record_from(cycles.saturating_sub(WAVE_CLOCKS), path);
            lockstep::run(&mut B::model(&self.params), &mut rtl, &mut driver(), &mut Until(cycles))?;
        }
        Ok((finding, first))
    }

    /// Like [`run`](Self::run), without a recording.
    pub fn run_once<B: Subject<Params = P>, D: Driver<B>>(
        &self,
        mut driver: D,
        watch: &mut impl Watch,
    ) -> Result<(Finding<()>, D), Error> {
        tracing::debug!(self.seed, top = B::TOP, "building with Verilator");
        let mut rtl = Rtl::<B>::new(&self.build::<B>()?.load()?, self.reset())?;
        let begin = Instant::now();
        let report = lockstep::run(&mut B::model(&self.params), &mut rtl, &mut driver, watch)?;
        let time = begin.elapsed();
        tracing::debug!(?report, ?time, "lockstep run ended");
        let complaint = driver.complaint();
        Ok((Finding { top: B::TOP, report, complaint, tally: (), time, wave: None }, driver))
    }

    /// Runs random stimulus for `cycles` clocks, on Verilog that is already built. A port without a value:
    /// `port` gets a value, but the block does not show this port.
    pub fn random_in<B: Subject<Params = P>>(
        &self,
        library: &Arc<Library>,
        port: (&str, u64),
        cycles: u64,
        watch: &mut impl Watch,
    ) -> Result<Report, Error> {
        let mut rtl = Rtl::<B>::new(library, self.reset())?;
        rtl.set(port.0, port.1)?;
        let mut driver = B::driver(&self.params, self.seed, cycles);
        lockstep::run(&mut B::model(&self.params), &mut rtl, &mut driver, watch)
    }

    /// The values of registers before reset.
    fn reset(&self) -> Reset {
        Reset::Random(self.seed as u32)
    }
}

/// Stops the second run at the clock at which the first run ended.
struct Until(u64);

impl Watch for Until {
    fn go_on(&mut self, cycles: u64) -> bool {
        cycles < self.0
    }
}

/// The format of a waveform file, by the extension of its name.
pub fn format_of(path: &Path) -> Waves {
    if path.extension().is_some_and(|extension| extension == "fst") { Waves::Fst } else { Waves::Vcd }
}
