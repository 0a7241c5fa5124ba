//! Random lockstep runs of the SACK receiver: resets with random values in the registers, idle clocks,
//! bursts, back-pressure, all CSRs. All choices depend only on the seed.

use super::plant::PLANTS;
use super::ports::Windowed;
use super::stimulus::{Feedback, Stimulus, random_csr};
use serde::Serialize;
use weft_bench::{After, Error, Events, Plant, RandomDriver, Subject};
use weft_hdl::Module;
use weft_nic::block::sack_rx::{Clocked, Event, Inputs, LATENCY, Outputs, Response, Verdict};
use weft_params::{SackParams, SackRxCsr};
use weft_random::Rng;
use weft_word::{Bits, Stored};

/// Maximum number of clocks between two configurations.
const SEGMENT_CLOCKS: u32 = 100_000;

/// Counts of a run. The counts show whether the run contained the cases that it must test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Events accepted.
    pub events: u64,
    /// Outcomes accepted.
    pub outcomes: u64,
    /// Events of connections that were not open.
    pub not_open: u64,
    /// New packets.
    pub placed: u64,
    /// Packets received before.
    pub duplicates: u64,
    /// Packets beyond the window.
    pub outside: u64,
    /// Trimmed packets whose PSN had not arrived before.
    pub trimmed: u64,
    /// ACKs to send.
    pub acks: u64,
    /// NACKs to send.
    pub nacks: u64,
    /// Packets that wait for an ACK.
    pub gathered: u64,
    /// Messages completed.
    pub messages: u64,
    /// Packets that moved the window by all its PSNs.
    pub full_windows: u64,
    /// Packets that completed as many messages as a window has PSNs.
    pub full_of_messages: u64,
    /// Maximum number of packets received beyond the cumulative PSN.
    pub out_of_order_max: u64,
    /// Maximum number of events of one connection accepted in consecutive clocks.
    pub in_a_row_max: u64,
    /// Clocks in which an event waited.
    pub stalls: u64,
    /// Resets.
    pub resets: u64,
}

/// Counts the transfers at the ports.
#[derive(Clone, Debug)]
struct Counter {
    tally: Tally,
    psns: u32,
    /// Cumulative PSN of every connection.
    expected: Vec<u32>,
    /// Connection of the last clock's event, and its events in a row.
    row: (Option<u32>, u64),
}

impl Counter {
    #[inline]
    fn count(&mut self, outputs: &Outputs, inputs: &Inputs) {
        let tally = &mut self.tally;
        tally.stalls += u64::from(inputs.event_valid && !outputs.event_ready);
        let taken = (inputs.event_valid && outputs.event_ready).then_some(inputs.event_id);
        tally.events += u64::from(taken.is_some());
        let before = if self.row.0 == taken { self.row.1 } else { 0 };
        self.row = (taken, before + u64::from(taken.is_some()));
        tally.in_a_row_max = tally.in_a_row_max.max(self.row.1);
        if !outputs.outcome_valid || !inputs.outcome_ready {
            return;
        }
        let (user, last) = (outputs.outcome_user, outputs.outcome_data[6]);
        let verdict = Verdict::ALL.get(usize::from(user >> 4 & 7));
        let response = Response::ALL.get(usize::from(user >> 7 & 3));
        let completed = last & 0xFFFF;
        tally.outcomes += 1;
        tally.not_open += u64::from(user >> 3 & 1 == 0);
        tally.placed += u64::from(verdict == Some(&Verdict::Placed));
        tally.duplicates += u64::from(verdict == Some(&Verdict::Duplicate));
        tally.outside += u64::from(verdict == Some(&Verdict::Outside));
        tally.trimmed += u64::from(verdict == Some(&Verdict::Trimmed));
        tally.acks += u64::from(response == Some(&Response::Ack));
        tally.nacks += u64::from(response == Some(&Response::Nack));
        tally.gathered += u64::from(verdict == Some(&Verdict::Placed) && response == Some(&Response::None));
        tally.messages += completed;
        tally.full_of_messages += u64::from(completed == u64::from(self.psns));
        let expected = outputs.outcome_data[4] as u32 & 0xFF_FFFF;
        let before = std::mem::replace(&mut self.expected[outputs.outcome_id as usize], expected);
        let moved = expected.wrapping_sub(before) & 0xFF_FFFF;
        tally.full_windows += u64::from(verdict == Some(&Verdict::Placed) && moved == self.psns);
        tally.out_of_order_max = tally.out_of_order_max.max(last >> 16 & 0xFF);
    }
}

/// Random events under random CSRs.
pub struct RandomEvents<const S: usize, const N: usize, const L: usize> {
    params: SackParams,
    stimulus: Stimulus,
    counter: Counter,
}

impl<const S: usize, const N: usize, const L: usize> Events for RandomEvents<S, N, L>
where
    Bits<S>: Stored,
    Bits<N>: Stored,
{
    type Block = Windowed<S, N, L>;

    fn segment(&mut self, rng: &mut Rng, reset: bool) -> (SackRxCsr, u32) {
        if reset {
            self.counter.tally.resets += 1;
            let obedient = rng.below(2) == 0;
            self.stimulus = Stimulus::with_psns(Rng::new(rng.draw()), self.params, 1 << S, obedient);
        }
        // Model and RTL must agree on invalid register values as well.
        let any = SackRxCsr { ack_packets: rng.below(1 << 8), ack_bytes: rng.below(1 << 16) };
        let csr = if rng.below(8) == 0 { any } else { random_csr(rng) };
        (csr, 1 + rng.below(SEGMENT_CLOCKS))
    }

    fn after(&self, rng: &mut Rng) -> After {
        if rng.below(4) == 0 { After::Reset } else { After::Drain(LATENCY as u32 + 2) }
    }

    #[inline]
    fn event(&mut self) -> Option<Event> {
        self.stimulus.event()
    }

    fn junk(&self, rng: &mut Rng) -> Inputs {
        let (draw, data) = (rng.draw(), rng.draw());
        Inputs {
            event_valid: draw >> 32 & 1 == 1,
            event_id: (draw >> 40) as u32 & (self.params.connections - 1),
            event_data: u128::from(data) << 8 | u128::from(draw & 0xFF),
            event_user: (draw >> 58) as u8,
            outcome_ready: draw >> 33 & 1 == 1,
            rst: false,
        }
    }

    fn silent(inputs: Inputs, outcome_ready: bool) -> Inputs {
        Inputs { event_valid: false, outcome_ready, ..inputs }
    }

    #[inline]
    fn clock(&mut self, outputs: &Outputs, inputs: &Inputs) {
        self.counter.count(outputs, inputs);
        if outputs.outcome_valid && inputs.outcome_ready {
            self.stimulus.learn(Feedback::from(outputs));
        }
    }
}

impl<const S: usize, const N: usize, const L: usize> Subject for Windowed<S, N, L>
where
    Bits<S>: Stored,
    Bits<N>: Stored,
{
    type Params = SackParams;
    type Driver = RandomDriver<RandomEvents<S, N, L>>;
    type Tally = Tally;
    const PLANTS: &'static [Plant] = PLANTS;

    fn emit(params: &SackParams) -> Result<Vec<Module>, Error> {
        params.check()?;
        Ok(weft_hdl::block::sack_rx::emit_with(params, 1 << S)?)
    }

    fn model(params: &SackParams) -> Clocked<S, N, L> {
        Clocked::new(*params, SackRxCsr::default())
    }

    fn driver(params: &SackParams, seed: u64, cycles: u64) -> Self::Driver {
        RandomDriver::new(seed, cycles, |rng| RandomEvents {
            params: *params,
            stimulus: Stimulus::with_psns(rng, *params, 1 << S, true),
            counter: Counter {
                tally: Tally::default(),
                psns: 1 << S,
                expected: vec![0; params.connections as usize],
                row: (None, 0),
            },
        })
    }

    fn tally(driver: &Self::Driver) -> Tally {
        driver.events.counter.tally
    }
}
