//! Whole co-simulations of the REPS block.

use super::plant::Plant;
use super::random::{RandomDriver, Tally};
use super::replay::ReplayDriver;
use super::views::{Rtl, build, verilog};
use crate::lockstep::{Driver, Watch};
use crate::session;
use std::path::PathBuf;
use weft_bench::Error;
use weft_nic::block::reps::{Clocked, Event, Outcome};
use weft_params::{RepsCsr, RepsParams};

/// What a co-simulation found.
pub type Finding = session::Finding<Tally>;

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
        let model = || Clocked::new(self.params, csr);
        let wave = self.wave.as_deref();
        let (report, driver) =
            session::run::<_, Rtl, _>(build(&modules), self.seed, wave, model, driver, watch)?;
        let tally = tally(&driver);
        Ok((report.with(tally), driver))
    }
}
