//! Random lockstep runs of the SMaRTT block: resets with random values in the registers, idle clocks, bursts,
//! back-pressure, all cases, all CSRs. All choices depend only on the seed.

use super::plant::PLANTS;
use super::ports::Dut;
use super::stimulus::{Stimulus, any_csr, random_csr};
use serde::{Serialize, Serializer};
use weft_bench::{After, Error, Events, Plant, RandomDriver, Subject};
use weft_hdl::Module;
use weft_nic::block::smartt::{Case, Clocked, Event, Inputs, LATENCY, Outputs, SPACING};
use weft_params::{SmarttCsr, SmarttParams};
use weft_random::Rng;

/// Maximum number of clocks between two configurations.
const SEGMENT_CLOCKS: u32 = 100_000;

/// Counts of a run. The counts show whether the run contained the cases that it must test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Events accepted.
    pub events: u64,
    /// Answers accepted.
    pub answers: u64,
    /// Events of connections that were not open.
    pub not_open: u64,
    /// Answers of each case, by its code.
    #[serde(serialize_with = "by_name")]
    pub cases: [u64; Case::ALL.len()],
    /// Clocks in which an event waited.
    pub stalls: u64,
    /// Resets.
    pub resets: u64,
}

fn by_name<S: Serializer>(cases: &[u64; Case::ALL.len()], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Case::ALL.map(|case| (format!("{case:?}"), cases[case as usize])))
}

impl Tally {
    /// Counts one clock.
    #[inline]
    pub fn count(&mut self, outputs: &Outputs, inputs: &Inputs) {
        self.events += u64::from(inputs.event_valid && outputs.event_ready);
        self.stalls += u64::from(inputs.event_valid && !outputs.event_ready);
        if outputs.window_valid && inputs.window_ready {
            let user = outputs.window_user;
            self.answers += 1;
            self.not_open += u64::from(user >> 4 & 1 == 0);
            self.cases[usize::from(user & 15)] += 1;
        }
    }
}

/// Random inputs without a reset.
pub(crate) fn junk(rng: &mut Rng, connections: u32) -> Inputs {
    let (draw, data) = (rng.draw(), rng.draw());
    Inputs {
        now: draw as u32 & 0xF_FFFF,
        event_valid: draw >> 32 & 1 == 1,
        event_id: (draw >> 40) as u32 & (connections - 1),
        event_data: u128::from(data) << 8 | u128::from(draw & 0xFF),
        event_user: (draw >> 54) as u16,
        window_ready: draw >> 33 & 1 == 1,
        rst: false,
    }
}

/// Random events under random CSRs.
pub struct RandomEvents {
    params: SmarttParams,
    stimulus: Stimulus,
    /// Counts so far.
    pub tally: Tally,
}

impl Events for RandomEvents {
    type Block = Dut;

    fn segment(&mut self, rng: &mut Rng, reset: bool) -> (SmarttCsr, u32) {
        self.tally.resets += u64::from(reset);
        // Model and RTL must agree on invalid register values as well.
        let csr = if rng.below(8) == 0 { any_csr(rng) } else { random_csr(rng) };
        self.stimulus = Stimulus::new(Rng::new(rng.draw()), self.params, &csr);
        (csr, 1 + rng.below(SEGMENT_CLOCKS))
    }

    fn after(&self, rng: &mut Rng) -> After {
        // An event in the input register may still wait for the previous event.
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
    type Params = SmarttParams;
    type Driver = RandomDriver<RandomEvents>;
    type Tally = Tally;
    const PLANTS: &'static [Plant] = PLANTS;

    fn emit(params: &SmarttParams) -> Result<Vec<Module>, Error> {
        params.check()?;
        Ok(weft_hdl::block::smartt::emit(params)?)
    }

    fn model(params: &SmarttParams) -> Clocked {
        Clocked::new(*params, SmarttCsr::default())
    }

    fn driver(params: &SmarttParams, seed: u64, cycles: u64) -> Self::Driver {
        RandomDriver::new(seed, cycles, |rng| RandomEvents {
            params: *params,
            stimulus: Stimulus::new(rng, *params, &SmarttCsr::default()),
            tally: Tally::default(),
        })
    }

    fn tally(driver: &Self::Driver) -> Tally {
        driver.events.tally
    }
}
