//! Drives the block clock by clock: idle clocks, back-pressure and resets where a test wants them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use verilator_sys::{Library, Reset};
use weft_blocks::lockstep::{self, Driver, Dut, Turn};
use weft_blocks::reps::views::{Rtl, build, verilog};
use weft_nic::block::reps::{Clocked, Event, Inputs, Outputs};
use weft_params::{RepsCsr, RepsParams};

/// What to do next. Resets aside, all of it waits for the block.
#[derive(Clone, Copy)]
pub(crate) enum Act {
    /// One clock of reset.
    Reset,
    /// Waits until all decisions are out, then sets the CSRs.
    Configure(RepsCsr),
    /// Offers an event until it is taken.
    Offer(Event),
    /// So many clocks without an event.
    Idle(u32),
}

/// The decision port when a decision was taken: clock, tid, tdata, tuser.
pub(crate) type Taken = (u64, u32, u16, u8);

/// Runs acts and writes down what the ports did.
pub(crate) struct Script {
    acts: VecDeque<Act>,
    ready: fn(u64) -> bool,
    clock: u64,
    clocks_left: u64,
    in_flight: u64,
    /// The clocks in which an event was accepted.
    pub(crate) accepted: Vec<u64>,
    /// The decisions.
    pub(crate) taken: Vec<Taken>,
    /// `stat_not_open_events` in the end.
    pub(crate) not_open: u32,
}

impl Script {
    /// `ready` says in which clocks decisions are taken.
    pub(crate) fn new(acts: impl IntoIterator<Item = Act>, ready: fn(u64) -> bool) -> Self {
        let acts: VecDeque<_> = acts.into_iter().collect();
        // Generous: a sweep, and forty clocks an act.
        let clocks_left = 10_000 + 40 * acts.len() as u64;
        Self {
            acts,
            ready,
            clock: 0,
            clocks_left,
            in_flight: 0,
            accepted: vec![],
            taken: vec![],
            not_open: 0,
        }
    }
}

impl Driver<Clocked> for Script {
    fn next(&mut self, outputs: &Outputs) -> Turn<Clocked> {
        self.not_open = outputs.not_open_events;
        match self.acts.front().copied() {
            None if self.in_flight == 0 => return Turn::End,
            Some(Act::Configure(csr)) if self.in_flight == 0 => {
                self.acts.pop_front();
                return Turn::Configure(csr);
            }
            _ => {}
        }
        assert!(self.clocks_left > 0, "the block hangs: {} events have no decision", self.in_flight);
        let mut inputs = Inputs { decision_ready: (self.ready)(self.clock), ..Inputs::default() };
        if outputs.decision_valid && inputs.decision_ready {
            let Outputs { decision_id, decision_data, decision_user, .. } = *outputs;
            self.taken.push((self.clock, decision_id, decision_data, decision_user));
            self.in_flight -= 1;
        }
        match self.acts.front_mut() {
            Some(Act::Reset) => {
                inputs.rst = true;
                self.in_flight = 0;
                self.acts.pop_front();
            }
            Some(Act::Offer(event)) => {
                inputs = inputs.with_event(event);
                if outputs.event_ready {
                    self.accepted.push(self.clock);
                    self.in_flight += 1;
                    self.acts.pop_front();
                }
            }
            Some(Act::Idle(clocks)) if *clocks > 1 => *clocks -= 1,
            Some(Act::Idle(_)) => _ = self.acts.pop_front(),
            Some(Act::Configure(_)) | None => {}
        }
        self.clock += 1;
        self.clocks_left -= 1;
        Turn::Clock(inputs)
    }
}

/// The RTL of a shape, emitted and built once for all tests.
fn library(params: RepsParams) -> Arc<Library> {
    static LIBRARIES: Mutex<Vec<(RepsParams, Arc<Library>)>> = Mutex::new(Vec::new());
    let mut libraries = LIBRARIES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, library)) = libraries.iter().find(|(built, _)| *built == params) {
        return Arc::clone(library);
    }
    let modules = verilog(&params).expect("a shape that can be emitted");
    let library = build(&modules).load().unwrap_or_else(|error| panic!("{error}"));
    libraries.push((params, Arc::clone(&library)));
    library
}

/// Runs RTL and model in lockstep; they must agree.
pub(crate) fn run(params: RepsParams, acts: impl IntoIterator<Item = Act>, ready: fn(u64) -> bool) -> Script {
    let mut rtl = Rtl::new(&library(params), Reset::Random(1)).expect("the ports of weft_reps");
    let mut model = Clocked::new(params, RepsCsr::default());
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
