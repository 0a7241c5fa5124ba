//! Random lockstep runs of the REPS block: resets with random values in the registers, idle clocks, bursts,
//! back-pressure, all modes, all CSRs. All choices depend only on the seed.

use super::plant::PLANTS;
use super::ports::Dut;
use super::stimulus::{Stimulus, random_csr};
use serde::Serialize;
use weft_bench::{After, Error, Events, Plant, RandomDriver, Subject};
use weft_hdl::Module;
use weft_nic::block::reps::{Clocked, Event, Inputs, LATENCY, Outputs};
use weft_params::{RepsCsr, RepsParams};
use weft_random::Rng;

/// Clocks between two configurations.
const SEGMENT_CLOCKS: u32 = 20_000;

/// Counts of a run. The counts show whether the run contained the cases that it must test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Events accepted.
    pub events: u64,
    /// Decisions accepted.
    pub decisions: u64,
    /// Events for connections that were not open.
    pub not_open: u64,
    /// Packets with a new entropy value.
    pub explored: u64,
    /// Packets with a cached entropy value.
    pub recycled: u64,
    /// Packets with a used entropy value, while frozen.
    pub reused: u64,
    /// Times that freezing mode began.
    pub freezes: u64,
    /// Times that freezing mode ended.
    pub thaws: u64,
    /// Clocks in which an event waited.
    pub stalls: u64,
    /// Resets.
    pub resets: u64,
}

impl Tally {
    /// Counts one clock.
    #[inline]
    pub fn count(&mut self, outputs: &Outputs, inputs: &Inputs) {
        self.events += u64::from(inputs.event_valid && outputs.event_ready);
        self.stalls += u64::from(inputs.event_valid && !outputs.event_ready);
        if outputs.decision_valid && inputs.decision_ready {
            let user = outputs.decision_user;
            let bit = |index: u32| u64::from(user >> index & 1);
            self.decisions += 1;
            self.not_open += 1 - bit(3);
            let source = user >> 4 & 3;
            self.explored += u64::from(source == 1);
            self.recycled += u64::from(source == 2);
            self.reused += u64::from(source == 3);
            self.freezes += bit(7) & bit(6);
            self.thaws += bit(7) & !bit(6);
        }
    }
}

/// Random events under random CSRs.
pub struct RandomEvents {
    params: RepsParams,
    stimulus: Stimulus,
    /// Counts so far.
    pub tally: Tally,
}

impl Events for RandomEvents {
    type Block = Dut;

    fn segment(&mut self, rng: &mut Rng, reset: bool) -> (RepsCsr, u32) {
        self.tally.resets += u64::from(reset);
        let csr = random_csr(rng, &self.params);
        self.stimulus = Stimulus::new(Rng::new(rng.draw()), self.params, &csr);
        (csr, SEGMENT_CLOCKS)
    }

    fn after(&self, rng: &mut Rng) -> After {
        if rng.below(2) == 0 { After::Reset } else { After::Drain(LATENCY as u32 + 2) }
    }

    #[inline]
    fn event(&mut self) -> Option<Event> {
        Some(self.stimulus.event().0)
    }

    #[inline]
    fn junk(&self, rng: &mut Rng) -> Inputs {
        let draw = rng.draw();
        Inputs {
            rst: false,
            now: draw as u32,
            event_valid: draw >> 32 & 1 == 1,
            event_id: (draw >> 40) as u32 & (self.params.connections - 1),
            event_data: (draw >> 20) as u32,
            event_user: (draw >> 60) as u8,
            decision_ready: draw >> 33 & 1 == 1,
        }
    }

    #[inline]
    fn silent(inputs: Inputs, decision_ready: bool) -> Inputs {
        Inputs { event_valid: false, decision_ready, ..inputs }
    }

    #[inline]
    fn clock(&mut self, outputs: &Outputs, inputs: &Inputs) {
        self.tally.count(outputs, inputs);
    }
}

impl Subject for Dut {
    type Params = RepsParams;
    type Driver = RandomDriver<RandomEvents>;
    type Tally = Tally;
    const PLANTS: &'static [Plant] = PLANTS;

    fn emit(params: &RepsParams) -> Result<Vec<Module>, Error> {
        params.check()?;
        Ok(weft_hdl::block::reps::emit(params)?)
    }

    fn model(params: &RepsParams) -> Clocked {
        Clocked::new(*params, RepsCsr::for_params(params))
    }

    fn driver(params: &RepsParams, seed: u64, cycles: u64) -> Self::Driver {
        RandomDriver::new(seed, cycles, |rng| RandomEvents {
            params: *params,
            stimulus: Stimulus::new(rng, *params, &RepsCsr::for_params(params)),
            tally: Tally::default(),
        })
    }

    fn tally(driver: &Self::Driver) -> Tally {
        driver.events.tally
    }
}
