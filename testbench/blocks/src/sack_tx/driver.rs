//! Random lockstep runs of the SACK sender: resets with random values in the registers, idle clocks, bursts,
//! back-pressure, a time that jumps, all CSRs. All choices depend only on the seed.

use super::plant::PLANTS;
use super::ports::{Windowed, outcome};
use super::stimulus::{Feedback, Stimulus, any_csr, random_csr};
use serde::Serialize;
use weft_bench::{After, Error, Events, Plant, RandomDriver, Subject};
use weft_hdl::Module;
use weft_nic::block::sack_tx::{Clocked, Event, Inputs, Kind, Outputs, Reason};
use weft_params::{SackParams, SackTxCsr};
use weft_random::Rng;
use weft_word::{Bits, Stored};

/// Counts of a run. The counts show whether the run contained the cases that it must test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Events accepted.
    pub events: u64,
    /// Outcomes accepted.
    pub outcomes: u64,
    /// Events of connections that were not open.
    pub not_open: u64,
    /// New packets sent.
    pub fresh: u64,
    /// Packets sent again.
    pub again: u64,
    /// Turns to send without a packet.
    pub idle_turns: u64,
    /// Packets acknowledged.
    pub acked: u64,
    /// ACKs that acknowledged a whole window.
    pub whole_windows: u64,
    /// Packets lost by verdicts.
    pub lost_by_verdict: u64,
    /// Packets lost by NACKs.
    pub lost_by_nack: u64,
    /// Packets lost by timeouts.
    pub lost_by_timeout: u64,
    /// Packets lost by probes.
    pub lost_by_probe: u64,
    /// Packets lost by epochs late in a silence.
    pub lost_by_epoch: u64,
    /// Epochs.
    pub epochs: u64,
    /// Outcomes of a congested network.
    pub congested: u64,
    /// ACKs that report a failure of a path.
    pub failing: u64,
    /// ACKs with an unsure round-trip time.
    pub unsure: u64,
    /// Timeouts.
    pub timeouts: u64,
    /// Connections that ran out of retries.
    pub failures: u64,
    /// Messages completed.
    pub completed: u64,
    /// Messages ended unfinished.
    pub errors: u64,
    /// ACKs and NACKs of PSNs never sent.
    pub never_sent: u64,
    /// ACKs whose bitmap names PSNs never sent.
    pub beyond: u64,
    /// ACKs and NACKs older than the window.
    pub stale: u64,
    /// Messages refused.
    pub refused: u64,
    /// Packets with PSN 0: the PSNs wrapped, or began with 0.
    pub psn_0: u64,
    /// Maximum number of packets outstanding.
    pub unacked_max: u64,
    /// Maximum number of events of one connection accepted in consecutive clocks.
    pub in_a_row_max: u64,
    /// Clocks in which an event waited.
    pub stalls: u64,
    /// Clocks in which `hold` kept packets from leaving.
    pub held: u64,
    /// Resets.
    pub resets: u64,
}

/// Counts the transfers at the ports.
#[derive(Clone, Copy, Debug, Default)]
struct Counter {
    tally: Tally,
    psns: u16,
    /// Connection of the last clock's event, and its events in a row.
    row: (Option<u32>, u64),
}

impl Counter {
    #[inline]
    fn count(&mut self, outputs: &Outputs, inputs: &Inputs) {
        let tally = &mut self.tally;
        tally.stalls += u64::from(inputs.event_valid && !outputs.event_ready);
        tally.held += u64::from(inputs.hold);
        let taken = (inputs.event_valid && outputs.event_ready).then_some(inputs.event_id);
        tally.events += u64::from(taken.is_some());
        let before = if self.row.0 == taken { self.row.1 } else { 0 };
        self.row = (taken, before + u64::from(taken.is_some()));
        tally.in_a_row_max = tally.in_a_row_max.max(self.row.1);
        if !outputs.outcome_valid || !inputs.outcome_ready {
            return;
        }
        let outcome = outcome(outputs);
        let lost = u64::from(outcome.lost);
        tally.outcomes += 1;
        tally.not_open += u64::from(!outcome.accepted);
        tally.fresh += u64::from(outcome.fresh);
        tally.again += u64::from(outcome.send && !outcome.fresh);
        tally.idle_turns += u64::from(outcome.kind == Kind::Send && !outcome.send);
        tally.acked += u64::from(outcome.acked);
        tally.whole_windows += u64::from(outcome.acked == self.psns);
        tally.lost_by_verdict += if outcome.kind == Kind::Ack { lost } else { 0 };
        tally.lost_by_epoch += if outcome.kind == Kind::Epoch { lost } else { 0 };
        tally.lost_by_probe += if outcome.kind == Kind::Probe { lost } else { 0 };
        tally.epochs += u64::from(outcome.kind == Kind::Epoch);
        tally.congested += u64::from(outcome.congested);
        tally.failing += u64::from(outcome.failure);
        tally.unsure += u64::from(outcome.unsure);
        tally.lost_by_nack += if outcome.kind == Kind::Nack { lost } else { 0 };
        tally.lost_by_timeout += if outcome.kind == Kind::Timeout { lost } else { 0 };
        tally.timeouts += u64::from(outcome.kind == Kind::Timeout);
        tally.failures += u64::from(outcome.failed);
        tally.completed += u64::from(outcome.completed);
        tally.errors += u64::from(outcome.errors);
        tally.never_sent += u64::from(outcome.reason == Reason::NeverSent);
        tally.beyond += u64::from(outcome.beyond);
        tally.stale += u64::from(outcome.reason == Reason::Stale);
        tally.refused += u64::from(outcome.reason == Reason::Refused);
        tally.psn_0 += u64::from(outcome.fresh && outcome.psn == 0);
        tally.unacked_max = tally.unacked_max.max(outcome.unacked.into());
    }
}

/// Random events under random CSRs.
pub struct RandomEvents<const S: usize, const N: usize, const L: usize> {
    params: SackParams,
    stimulus: Stimulus,
    /// The time jumps in every clock.
    wild: bool,
    /// No stream stalls.
    brisk: bool,
    /// Mean clocks between changes of `hold`; 0: it stays low.
    holds: u32,
    holding: bool,
    /// The queried connection: one that had an outcome.
    query: u32,
    counter: Counter,
}

impl<const S: usize, const N: usize, const L: usize> Events for RandomEvents<S, N, L>
where
    Bits<N>: Stored,
{
    type Block = Windowed<S, N, L>;

    /// The block's own events never end, so registers change at a reset only.
    fn segment(&mut self, rng: &mut Rng, reset: bool) -> (SackTxCsr, u32) {
        self.counter.tally.resets += u64::from(reset);
        // Model and RTL must agree on invalid register values as well.
        let csr = if rng.below(8) == 0 { any_csr(rng) } else { random_csr(rng) };
        self.stimulus = Stimulus::with_psns(Rng::new(rng.draw()), self.params, 1 << S, &csr);
        self.wild = rng.below(16) == 0;
        (self.holds, self.holding) = ([0, 0, 4, 100][rng.below(4) as usize], false);
        // Many runs are short, so that many resets fall among the events of a busy block.
        let clocks = [500, 500, 500, 1_000, 10_000, 30_000, 200_000][rng.below(7) as usize];
        let clocks = 1 + rng.below(clocks);
        // Whole windows need some ten thousand clocks without interference.
        self.brisk = self.stimulus.is_patient() && rng.below(4) > 0;
        if self.brisk {
            (self.holds, self.wild) = (0, false);
            return (csr, 40_000);
        }
        (csr, clocks)
    }

    fn brisk(&self) -> bool {
        self.brisk
    }

    fn after(&self, _rng: &mut Rng) -> After {
        After::Reset
    }

    #[inline]
    fn event(&mut self) -> Option<Event> {
        self.stimulus.event()
    }

    fn junk(&self, rng: &mut Rng) -> Inputs {
        let (draw, data) = (rng.draw(), rng.draw());
        Inputs {
            now: (draw >> 8) as u32 & 0xFF_FFFF,
            event_valid: draw >> 32 & 1 == 1,
            event_id: (draw >> 40) as u32 & (self.params.connections - 1),
            event_data: [data, draw, !data, data ^ draw, draw.rotate_left(9), data & 0xFF_FFFF],
            event_user: (draw >> 58) as u8 & 7,
            outcome_ready: draw >> 33 & 1 == 1,
            hold: draw >> 34 & 1 == 1,
            query: (draw >> 36) as u32 & (self.params.connections - 1),
            rst: false,
        }
    }

    fn silent(inputs: Inputs, outcome_ready: bool) -> Inputs {
        Inputs { event_valid: false, outcome_ready, ..inputs }
    }

    fn tick(&mut self, rng: &mut Rng, inputs: Inputs) -> Inputs {
        let now = if self.wild { rng.draw() as u32 } else { self.stimulus.now() as u32 };
        self.stimulus.tick();
        self.holding ^= self.holds > 0 && rng.below(self.holds) == 0;
        Inputs { now: now & 0xFF_FFFF, hold: self.holding, query: self.query, ..inputs }
    }

    #[inline]
    fn clock(&mut self, outputs: &Outputs, inputs: &Inputs) {
        self.counter.count(outputs, inputs);
        if outputs.outcome_valid && inputs.outcome_ready {
            // The interval is long enough to see changes of this connection and of others.
            let tally = &self.counter.tally;
            self.query = if tally.outcomes.is_multiple_of(32) { outputs.outcome_id } else { self.query };
            self.stimulus.learn(Feedback::from(outputs));
        }
    }
}

impl<const S: usize, const N: usize, const L: usize> Subject for Windowed<S, N, L>
where
    Bits<N>: Stored,
{
    type Params = SackParams;
    type Driver = RandomDriver<RandomEvents<S, N, L>>;
    type Tally = Tally;
    const PLANTS: &'static [Plant] = PLANTS;

    fn emit(params: &SackParams) -> Result<Vec<Module>, Error> {
        params.check()?;
        Ok(weft_hdl::block::sack_tx::emit_with(params, 1 << S)?)
    }

    fn model(params: &SackParams) -> Clocked<S, N, L> {
        Clocked::new(*params, SackTxCsr::default())
    }

    fn driver(params: &SackParams, seed: u64, cycles: u64) -> Self::Driver {
        RandomDriver::new(seed, cycles, |rng| RandomEvents {
            params: *params,
            stimulus: Stimulus::with_psns(rng, *params, 1 << S, &SackTxCsr::default()),
            wild: false,
            brisk: false,
            holds: 0,
            holding: false,
            query: 0,
            counter: Counter { psns: 1 << S, ..Counter::default() },
        })
    }

    fn tally(driver: &Self::Driver) -> Tally {
        driver.events.counter.tally
    }
}
