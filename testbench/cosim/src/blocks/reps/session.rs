//! Whole co-simulations of the REPS block: build, run, and on a mismatch record the last clocks.

use super::plant::Plant;
use super::random::{RandomDriver, Tally};
use super::replay::ReplayDriver;
use super::views::{Rtl, build, verilog};
use crate::Error;
use crate::lockstep::{self, Driver, Report, Watch};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use verilator_sys::{Reset, Waves};
use weft_nic::reps::{Clocked, Event, Outcome};
use weft_params::{RepsCsr, RepsParams};

/// Clocks that a waveform shows.
pub const WAVE_CLOCKS: u64 = 2_000;

/// What every co-simulation of the block has.
#[derive(Clone, Debug)]
pub struct Session {
    /// The shape of the block.
    pub params: RepsParams,
    /// Of the stimulus, and of what the registers hold before reset.
    pub seed: u64,
    /// A bug in the RTL.
    pub plant: Option<Plant>,
    /// Where to write a waveform of the last clocks. A mismatch writes one in any case.
    pub wave: Option<PathBuf>,
}

/// What a co-simulation found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// How the run ended.
    pub report: Report,
    /// What happened in it.
    pub tally: Tally,
    /// How long the lockstep run took, the building not counted.
    pub time: Duration,
    /// The waveform that was written.
    pub wave: Option<PathBuf>,
}

impl Session {
    /// Random stimulus for `cycles` clocks.
    pub fn random(&self, cycles: u64, watch: &mut impl Watch) -> Result<Finding, Error> {
        let driver = || RandomDriver::new(self.seed, self.params, cycles);
        self.run(driver, |driver| driver.tally, RepsCsr::for_params(&self.params), watch)
            .map(|(finding, _)| finding)
    }

    /// The events of a trace. Each event's decision comes back, in order.
    pub fn replay(
        &self,
        csr: RepsCsr,
        events: &[Event],
        watch: &mut impl Watch,
    ) -> Result<(Finding, Vec<Outcome>), Error> {
        let driver = || ReplayDriver::new(csr, events);
        let (finding, driver) = self.run(driver, |driver| driver.tally, csr, watch)?;
        Ok((finding, driver.decisions))
    }

    fn run<D: Driver<Clocked>>(
        &self,
        driver: impl Fn() -> D,
        tally: impl Fn(&D) -> Tally,
        csr: RepsCsr,
        watch: &mut impl Watch,
    ) -> Result<(Finding, D), Error> {
        self.params.check()?;
        let mut modules = verilog(&self.params)?;
        if let Some(plant) = self.plant {
            plant.apply(&mut modules);
        }
        let verilator = build(&modules);
        tracing::debug!(seed = self.seed, ?self.params, ?self.plant, "building weft_reps with Verilator");
        let reset = Reset::Random(self.seed as u32);
        let mut rtl = Rtl::new(&verilator.load()?, reset)?;
        let mut model = Clocked::new(self.params, csr);
        let mut first = driver();
        let begin = Instant::now();
        let report = lockstep::run(&mut model, &mut rtl, &mut first, watch)?;
        let time = begin.elapsed();

        tracing::debug!(?report, ?time, "lockstep run ended");
        let mut wave = self.wave.clone();
        if report.mismatch.is_some() && wave.is_none() {
            wave = Some(PathBuf::from(format!("weft_reps_seed{}.vcd", self.seed)));
        }
        if let Some(path) = &wave {
            // The same run again, with a recorder for its last clocks.
            let verilator = verilator.waves(format_of(path));
            let mut rtl = Rtl::new(&verilator.load()?, reset)?;
            rtl.record_from(report.cycles.saturating_sub(WAVE_CLOCKS), path);
            let mut model = Clocked::new(self.params, csr);
            lockstep::run(&mut model, &mut rtl, &mut driver(), &mut Until(report.cycles))?;
        }
        let tally = tally(&first);
        Ok((Finding { report, tally, time, wave }, first))
    }
}

/// Stops a repetition where the first run was stopped.
struct Until(u64);

impl Watch for Until {
    fn go_on(&mut self, cycles: u64) -> bool {
        cycles < self.0
    }
}

fn format_of(path: &Path) -> Waves {
    if path.extension().is_some_and(|extension| extension == "fst") { Waves::Fst } else { Waves::Vcd }
}
