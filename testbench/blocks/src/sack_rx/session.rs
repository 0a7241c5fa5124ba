//! Whole co-simulations of the SACK receiver.

use super::plant::Plant;
use super::random::{RandomDriver, Tally};
use super::views::{Rtl, build, verilog};
use crate::lockstep::Watch;
use crate::session;
use std::path::PathBuf;
use weft_bench::Error;
use weft_nic::block::sack_rx::Clocked;
use weft_params::{SackParams, SackRxCsr};

/// What a co-simulation found.
pub type Finding = session::Finding<Tally>;

/// What every co-simulation of the block has.
#[derive(Clone, Debug)]
pub struct Session {
    /// The shape of the block.
    pub params: SackParams,
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
        self.params.check()?;
        let mut modules = verilog(&self.params)?;
        if let Some(plant) = self.plant {
            plant.apply(&mut modules);
        }
        let model = || Clocked::new(self.params, SackRxCsr::default());
        let driver = || RandomDriver::new(self.seed, self.params, cycles);
        let wave = self.wave.as_deref();
        let (finding, driver) =
            session::run::<_, Rtl, _>(build(&modules), self.seed, wave, model, driver, watch)?;
        Ok(finding.with(driver.tally()))
    }
}
