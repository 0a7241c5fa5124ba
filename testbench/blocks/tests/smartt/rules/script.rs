//! Drives the block clock by clock: idle clocks, back-pressure and resets where a test wants them.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use verilator_sys::{Library, Reset};
use weft_blocks::lockstep::{self, Driver, Turn};
use weft_blocks::smartt::views::{Rtl, build, verilog};
use weft_nic::block::smartt::{Clocked, Event, Inputs, Outputs};
use weft_params::{SmarttCsr, SmarttParams};

/// What to do next. Resets aside, all of it waits for the block.
#[derive(Clone, Copy)]
pub(crate) enum Act {
    /// One clock of reset.
    Reset,
    /// Waits until all answers are out, then sets the CSRs.
    Configure(SmarttCsr),
    /// Offers an event until it is taken.
    Offer(Event),
    /// So many clocks without an event.
    Idle(u32),
}

/// The answer port when an answer was taken: clock, tid, tdata, tuser.
pub(crate) type Taken = (u64, u32, u32, u8);

/// Runs acts and writes down what the ports did.
pub(crate) struct Script {
    acts: VecDeque<Act>,
    ready: fn(u64) -> bool,
    clock: u64,
    clocks_left: u64,
    in_flight: u64,
    /// The clocks in which an event was accepted.
    pub(crate) accepted: Vec<u64>,
    /// The answers.
    pub(crate) taken: Vec<Taken>,
    /// `stat_not_open_events` in the end.
    pub(crate) not_open: u32,
}

impl Script {
    /// `ready` says in which clocks answers are taken.
    fn new(acts: impl IntoIterator<Item = Act>, ready: fn(u64) -> bool) -> Self {
        let acts: VecDeque<_> = acts.into_iter().collect();
        // Generous: a sweep, and a hundred clocks an act.
        let clocks_left = 10_000 + 100 * acts.len() as u64;
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
        assert!(self.clocks_left > 0, "the block hangs: {} events have no answer", self.in_flight);
        let mut inputs = Inputs { window_ready: (self.ready)(self.clock), ..Inputs::default() };
        if outputs.window_valid && inputs.window_ready {
            let Outputs { window_id, window_data, window_user, .. } = *outputs;
            self.taken.push((self.clock, window_id, window_data, window_user));
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

/// The RTL of the default shape, emitted and built once for all tests.
fn library() -> Arc<Library> {
    static LIBRARY: OnceLock<Arc<Library>> = OnceLock::new();
    let built = LIBRARY.get_or_init(|| {
        let modules = verilog(&SmarttParams::default()).expect("a shape that can be emitted");
        build(&modules).load().unwrap_or_else(|error| panic!("{error}"))
    });
    Arc::clone(built)
}

/// Runs RTL and model in lockstep; they must agree.
pub(crate) fn run(acts: impl IntoIterator<Item = Act>, ready: fn(u64) -> bool) -> Script {
    let mut rtl = Rtl::new(&library(), Reset::Random(1)).expect("the ports of weft_smartt");
    let mut model = Clocked::new(SmarttParams::default(), SmarttCsr::default());
    let mut script = Script::new([Act::Reset].into_iter().chain(acts), ready);
    let report = lockstep::run(&mut model, &mut rtl, &mut script, &mut ()).expect("a run");
    if let Some(mismatch) = report.mismatch {
        panic!("{mismatch}");
    }
    script
}
