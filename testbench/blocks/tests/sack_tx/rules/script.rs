//! Drives the block clock by clock: idle clocks, back-pressure and resets where a test wants them.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use verilator_sys::{Library, Reset};
use weft_blocks::lockstep::{self, Driver, Dut, Turn};
use weft_blocks::sack_tx::ports::outcome;
use weft_blocks::sack_tx::views::{Rtl, build, verilog};
use weft_nic::block::sack_tx::{Clocked, Event, Inputs, Outcome, Outputs};
use weft_params::{SackParams, SackTxCsr};

/// What to do next.
#[derive(Clone, Copy)]
pub(crate) enum Act {
    /// One clock of reset.
    Reset,
    /// Sets the CSRs.
    Configure(SackTxCsr),
    /// From now on it is this time.
    Now(u32),
    /// Offers an event until it is taken.
    Offer(Event),
    /// So many clocks without an event.
    Idle(u32),
    /// No event until there were so many outcomes.
    Await(usize),
}

/// Runs acts and writes down what the ports did.
pub(crate) struct Script {
    acts: VecDeque<Act>,
    ready: fn(u64) -> bool,
    clock: u64,
    clocks_left: u64,
    now: u32,
    /// The clocks in which an event was accepted.
    pub(crate) accepted: Vec<u64>,
    /// The clocks in which an outcome was taken.
    pub(crate) taken: Vec<u64>,
    /// The outcomes.
    pub(crate) outcomes: Vec<Outcome>,
    /// `stat_not_open_events`, `stat_never_sent`, `stat_stale`, `stat_refused` in the end.
    pub(crate) counters: [u32; 4],
}

impl Script {
    /// `ready` says in which clocks outcomes are taken.
    pub(crate) fn new(acts: impl IntoIterator<Item = Act>, ready: fn(u64) -> bool) -> Self {
        let acts: VecDeque<_> = acts.into_iter().collect();
        // Generous: a sweep, and a few hundred clocks an act.
        let clocks_left = 10_000 + 3_000 * acts.len() as u64;
        let (accepted, taken, outcomes, counters) = Default::default();
        Self { acts, ready, clock: 0, clocks_left, now: 0, accepted, taken, outcomes, counters }
    }

    /// Clocks so far.
    pub(crate) fn clock(&self) -> u64 {
        self.clock
    }
}

impl Driver<Clocked> for Script {
    fn next(&mut self, outputs: &Outputs) -> Turn<Clocked> {
        self.counters = [outputs.not_open_events, outputs.never_sent, outputs.stale, outputs.refused];
        let outcomes = self.outcomes.len();
        loop {
            match self.acts.front().copied() {
                None => return Turn::End,
                Some(Act::Configure(csr)) => {
                    self.acts.pop_front();
                    return Turn::Configure(csr);
                }
                Some(Act::Now(now)) => self.now = now,
                Some(Act::Await(count)) if outcomes >= count => {}
                Some(Act::Idle(0)) => {}
                _ => break,
            }
            self.acts.pop_front();
        }
        assert!(self.clocks_left > 0, "the block hangs after outcome {:?}", self.outcomes.last());
        let (now, outcome_ready) = (self.now, (self.ready)(self.clock));
        let mut inputs = Inputs { now, outcome_ready, ..Inputs::default() };
        if outputs.outcome_valid && outcome_ready {
            self.taken.push(self.clock);
            self.outcomes.push(outcome(outputs));
        }
        match self.acts.front_mut() {
            Some(Act::Reset) => {
                inputs.rst = true;
                self.acts.pop_front();
            }
            Some(Act::Offer(event)) => {
                inputs = Inputs { now, ..inputs.with_event(event) };
                if outputs.event_ready {
                    self.accepted.push(self.clock);
                    self.acts.pop_front();
                }
            }
            Some(Act::Idle(clocks)) => *clocks -= 1,
            _ => {}
        }
        self.clock += 1;
        self.clocks_left -= 1;
        Turn::Clock(inputs)
    }
}

/// The RTL of the default shape, emitted and built once for all tests.
fn library() -> Arc<Library> {
    static LIBRARY: OnceLock<Arc<Library>> = OnceLock::new();
    let built = LIBRARY.get_or_init(|| {
        let modules = verilog(&SackParams::default()).expect("a shape that can be emitted");
        build(&modules).load().unwrap_or_else(|error| panic!("{error}"))
    });
    Arc::clone(built)
}

/// Runs RTL and model in lockstep; they must agree.
pub(crate) fn run(acts: impl IntoIterator<Item = Act>, ready: fn(u64) -> bool) -> Script {
    let mut rtl = Rtl::new(&library(), Reset::Random(1)).expect("the ports of weft_sack_tx");
    let mut model = Clocked::new(SackParams::default(), SackTxCsr::default());
    let mut script = Script::new([Act::Reset].into_iter().chain(acts), ready);
    let report = lockstep::run(&mut model, &mut rtl, &mut script, &mut ()).expect("a run");
    if let Some(mismatch) = report.mismatch {
        panic!("{mismatch}");
    }
    script
}

/// Runs RTL that the model is no twin of. Before the reset its outputs mean nothing.
pub(crate) fn run_alone(rtl: &mut Rtl, script: &mut Script) {
    let mut outputs = Outputs::default();
    loop {
        match script.next(&outputs) {
            Turn::Configure(csr) => rtl.configure(&csr),
            Turn::Clock(inputs) => rtl.clock(&inputs).expect("a clock"),
            Turn::End => return,
        }
        outputs = rtl.outputs();
    }
}
