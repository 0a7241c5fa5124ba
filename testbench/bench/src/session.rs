//! Whole co-simulations of a block: emit, plant, build, run, and on a mismatch record the last clocks.

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
    /// Counts of a run, so that a run which tests nothing is visible.
    type Tally: Clone + Debug + Serialize;

    /// Bugs that a run finds.
    const PLANTS: &'static [Plant];

    /// The Verilog of a shape that can be.
    fn emit(params: &Self::Params) -> Result<Vec<Module>, Error>;

    /// The model of a shape.
    fn model(params: &Self::Params) -> Self::Model;

    /// Random stimulus for so many clocks; all of it follows from the seed.
    fn driver(params: &Self::Params, seed: u64, cycles: u64) -> Self::Driver;

    /// The counts so far.
    fn tally(driver: &Self::Driver) -> Self::Tally;
}

/// The result of a co-simulation.
#[derive(Clone, Debug)]
pub struct Finding<T> {
    /// The top module.
    pub top: &'static str,
    /// How the run ended.
    pub report: Report,
    /// The first fault that the oracle found.
    pub complaint: Option<String>,
    /// The counts of the run.
    pub tally: T,
    /// How long the lockstep run took, the building not counted.
    pub time: Duration,
    /// The waveform that was written.
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
    /// Parameters of the Verilog's top that are not to have their defaults.
    pub verilog: Vec<(&'static str, u32)>,
    /// The seed of the stimulus, and of the contents of registers before reset.
    pub seed: u64,
    /// The modules that take the place of emitted ones: a bug, or somebody's own.
    pub exchange: Option<Exchange>,
    /// Where to write a waveform of the last clocks. A mismatch writes one in any case.
    pub wave: Option<PathBuf>,
}

impl<P: Clone> Session<P> {
    /// The Verilog as it is emitted.
    pub fn new(params: P, seed: u64) -> Self {
        Self { params, verilog: Vec::new(), seed, exchange: None, wave: None }
    }

    /// The Verilog, with its parameters and what is exchanged, as Verilator builds it.
    pub fn build<B: Subject<Params = P>>(&self) -> Result<Build, Error> {
        let mut modules = B::emit(&self.params)?;
        if let Some(exchange) = &self.exchange {
            exchange.apply(&mut modules)?;
        }
        let build = self
            .verilog
            .iter()
            .fold(build(B::TOP, &modules), |build, (name, value)| build.param(*name, value));
        // A bug shows within thousands of clocks: then a fast build is worth more than a fast run.
        Ok(if matches!(self.exchange, Some(Exchange::Plant(_))) { build.quick() } else { build })
    }

    /// Random stimulus for `cycles` clocks.
    pub fn random<B: Subject<Params = P>>(
        &self,
        cycles: u64,
        watch: &mut impl Watch,
    ) -> Result<Finding<B::Tally>, Error> {
        let driver = || B::driver(&self.params, self.seed, cycles);
        let (finding, driver) = self.run::<B, _>(driver, watch)?;
        Ok(finding.map(|()| B::tally(&driver)))
    }

    /// Any stimulus. The driver comes back. With `wave`, or after a mismatch, the last clocks are run again and
    /// recorded.
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
            // The same run again, with a recorder for its last clocks.
            let verilator = self.build::<B>()?.waves(format_of(path));
            let mut rtl = Rtl::<B>::new(&verilator.load()?, self.reset())?;
            rtl.record_from(cycles.saturating_sub(WAVE_CLOCKS), path);
            lockstep::run(&mut B::model(&self.params), &mut rtl, &mut driver(), &mut Until(cycles))?;
        }
        Ok((finding, first))
    }

    /// [`run`](Self::run) that records nothing.
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

    /// Random stimulus for `cycles` clocks, on Verilog that was built already; `port`, which the block does not show,
    /// has this value.
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

    /// The contents of registers before reset.
    fn reset(&self) -> Reset {
        Reset::Random(self.seed as u32)
    }
}

/// Stops a repetition where the first run was stopped.
struct Until(u64);

impl Watch for Until {
    fn go_on(&mut self, cycles: u64) -> bool {
        cycles < self.0
    }
}

/// The format that a waveform file's name asks for.
pub fn format_of(path: &Path) -> Waves {
    if path.extension().is_some_and(|extension| extension == "fst") { Waves::Fst } else { Waves::Vcd }
}
