//! Whole co-simulations of a block: build, run, and on a mismatch record the last clocks.

use crate::lockstep::{self, Driver, Dut, Report, Watch};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use verilator_sys::{Build, Library, Reset, Waves};
use weft_bench::Error;

/// Clocks that a waveform shows.
pub const WAVE_CLOCKS: u64 = 2_000;

/// A block under Verilator.
pub trait Rtl: Dut + Sized {
    /// The top module.
    const TOP: &'static str;

    /// An instance whose registers hold what `reset` says before the first reset.
    fn new(library: &Arc<Library>, reset: Reset) -> Result<Self, verilator_sys::Error>;

    /// Records a waveform from clock `cycle` on; the library must be built with waves.
    fn record_from(&mut self, cycle: u64, path: &Path);
}

/// What a co-simulation found.
#[derive(Clone, Debug)]
pub struct Finding<T> {
    /// The top module.
    pub top: &'static str,
    /// How the run ended.
    pub report: Report,
    /// What happened in it.
    pub tally: T,
    /// How long the lockstep run took, the building not counted.
    pub time: Duration,
    /// The waveform that was written.
    pub wave: Option<PathBuf>,
}

impl Finding<()> {
    /// With what happened.
    pub fn with<T>(self, tally: T) -> Finding<T> {
        let Self { top, report, time, wave, .. } = self;
        Finding { top, report, tally, time, wave }
    }
}

/// Builds the RTL and runs it in lockstep with its model; `seed` says what the registers hold before reset. The
/// driver comes back. With `wave`, or after a mismatch, the last clocks are run again and recorded.
pub fn run<M, R, D>(
    verilator: Build,
    seed: u64,
    wave: Option<&Path>,
    model: impl Fn() -> M,
    driver: impl Fn() -> D,
    watch: &mut impl Watch,
) -> Result<(Finding<()>, D), Error>
where
    M: Dut,
    R: Rtl<Config = M::Config, Inputs = M::Inputs, Outputs = M::Outputs>,
    D: Driver<M>,
{
    tracing::debug!(seed, top = R::TOP, "building with Verilator");
    let reset = Reset::Random(seed as u32);
    let mut rtl = R::new(&verilator.load()?, reset)?;
    let mut first = driver();
    let begin = Instant::now();
    let report = lockstep::run(&mut model(), &mut rtl, &mut first, watch)?;
    let time = begin.elapsed();
    tracing::debug!(?report, ?time, "lockstep run ended");

    let mut wave = wave.map(Path::to_owned);
    if report.mismatch.is_some() && wave.is_none() {
        wave = Some(PathBuf::from(format!("{}_seed{seed}.vcd", R::TOP)));
    }
    if let Some(path) = &wave {
        // The same run again, with a recorder for its last clocks.
        let verilator = verilator.waves(format_of(path));
        let mut rtl = R::new(&verilator.load()?, reset)?;
        rtl.record_from(report.cycles.saturating_sub(WAVE_CLOCKS), path);
        lockstep::run(&mut model(), &mut rtl, &mut driver(), &mut Until(report.cycles))?;
    }
    Ok((Finding { top: R::TOP, report, tally: (), time, wave }, first))
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
