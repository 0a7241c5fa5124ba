//! Random lockstep runs of the NSCC block, in the same form as the runs of SMaRTT.

use super::plant::PLANTS;
use super::ports::Dut;
use super::stimulus::{Stimulus, any_csr, random_csr};
use crate::smartt::driver::{Tally, junk};
use weft_bench::{After, Error, Events, Plant, RandomDriver, Subject};
use weft_hdl::Module;
use weft_nic::block::nscc::{Clocked, Event, Inputs, LATENCY, Outputs, SPACING};
use weft_params::{NsccCsr, NsccParams};
use weft_random::Rng;

/// Maximum number of clocks between two configurations.
const SEGMENT_CLOCKS: u32 = 100_000;

/// Random events under random CSRs.
pub struct RandomEvents {
    params: NsccParams,
    stimulus: Stimulus,
    /// The events so far.
    pub tally: Tally,
}

impl Events for RandomEvents {
    type Block = Dut;

    fn segment(&mut self, rng: &mut Rng, reset: bool) -> (NsccCsr, u32) {
        self.tally.resets += u64::from(reset);
        let csr = if rng.below(8) == 0 { any_csr(rng) } else { random_csr(rng) };
        self.stimulus = Stimulus::new(Rng::new(rng.draw()), self.params, &csr);
        (csr, 1 + rng.below(SEGMENT_CLOCKS))
    }

    fn after(&self, rng: &mut Rng) -> After {
        if rng.below(2) == 0 { After::Reset } else { After::Drain((LATENCY + SPACING) as u32) }
    }

    #[inline]
    fn event(&mut self) -> Option<Event> {
        Some(self.stimulus.event().0)
    }

    fn junk(&self, rng: &mut Rng) -> Inputs {
        junk(rng, self.params.connections)
    }

    fn silent(inputs: Inputs, window_ready: bool) -> Inputs {
        Inputs { event_valid: false, window_ready, ..inputs }
    }

    #[inline]
    fn clock(&mut self, outputs: &Outputs, inputs: &Inputs) {
        self.tally.count(outputs, inputs);
    }
}

impl Subject for Dut {
    type Params = NsccParams;
    type Driver = RandomDriver<RandomEvents>;
    type Tally = Tally;
    const PLANTS: &'static [Plant] = PLANTS;

    fn emit(params: &NsccParams) -> Result<Vec<Module>, Error> {
        params.check()?;
        Ok(weft_hdl::block::nscc::emit(params)?)
    }

    fn model(params: &NsccParams) -> Clocked {
        Clocked::new(*params, NsccCsr::default())
    }

    fn driver(params: &NsccParams, seed: u64, cycles: u64) -> Self::Driver {
        RandomDriver::new(seed, cycles, |rng| RandomEvents {
            params: *params,
            stimulus: Stimulus::new(rng, *params, &NsccCsr::default()),
            tally: Tally::default(),
        })
    }

    fn tally(driver: &Self::Driver) -> Tally {
        driver.events.tally
    }
}
