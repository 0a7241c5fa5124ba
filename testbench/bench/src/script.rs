//! Directed tests of blocks with one stream of events. A script performs acts, clock by clock, on RTL and
//! model, and records the ports.

use crate::block::{Block, FromPorts};
use crate::events::EventBlock;
use crate::lockstep::{self, Driver};
use crate::rtl::Rtl;
use crate::session::{Session, Subject};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use verilator_sys::{Library, Reset};

/// The next action.
#[derive(Clone, Copy, Debug)]
pub enum Act<Csr, Event> {
    /// One clock of reset.
    Reset,
    /// Sets the CSRs. Waits until the block is done, if the block has such a state.
    Configure(Csr),
    /// Sets the time.
    Now(u32),
    /// Offers an event until it is accepted.
    Offer(Event),
    /// A number of clocks without an event.
    Idle(u32),
    /// No event until the block has given a number of answers.
    Await(usize),
}

/// An act of a block.
pub type ActOf<B> = Act<<B as Block>::Csr, <B as EventBlock>::Event>;

/// The clocks in which answers are accepted.
pub type Ready = fn(u64) -> bool;

/// Accepts answers in every clock.
pub const ALWAYS: Ready = |_| true;

/// Accepts answers in every third clock.
pub const SELDOM: Ready = |clock| clock.is_multiple_of(3);

/// Runs acts and records the ports.
pub struct Script<B: EventBlock> {
    acts: VecDeque<ActOf<B>>,
    ready: Ready,
    csr: B::Csr,
    clock: u64,
    clocks_left: u64,
    now: u32,
    in_flight: u64,
    /// The clocks in which the block accepted an event.
    pub accepted: Vec<u64>,
    /// The clocks in which the bench accepted an answer.
    pub taken: Vec<u64>,
    /// The answers.
    pub answers: Vec<B::Answer>,
    /// The outputs at the end.
    pub outputs: B::Outputs,
}

impl<B: EventBlock> Script<B>
where
    B::Csr: Default,
{
    /// Makes a run of a list of acts.
    pub fn new(acts: impl IntoIterator<Item = ActOf<B>>, ready: Ready) -> Self {
        let acts: VecDeque<_> = acts.into_iter().collect();
        Self {
            ready,
            csr: B::Csr::default(),
            clock: 0,
            // Clocks at most: a sweep, and a few thousand for each act.
            clocks_left: 10_000 + 3_000 * acts.len() as u64,
            acts,
            now: 0,
            in_flight: 0,
            accepted: Vec::new(),
            taken: Vec::new(),
            answers: Vec::new(),
            outputs: B::Outputs::default(),
        }
    }
}

impl<B: EventBlock> Script<B> {
    /// Number of clocks so far.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Performs the acts that need no clock. `false` if the run is over.
    fn prepare(&mut self) -> bool {
        let done = B::OWN_EVENTS || self.in_flight == 0;
        loop {
            match self.acts.front() {
                None => return !done,
                Some(Act::Configure(csr)) if done => self.csr = csr.clone(),
                Some(Act::Now(now)) => self.now = *now,
                Some(Act::Await(count)) if self.answers.len() >= *count => {}
                Some(Act::Idle(0)) => {}
                _ => return true,
            }
            self.acts.pop_front();
        }
    }
}

impl<B: EventBlock> Driver<B> for Script<B> {
    fn next(&mut self, outputs: &B::Outputs) -> Option<B::Inputs> {
        self.outputs = outputs.clone();
        if !self.prepare() {
            return None;
        }
        let left = self.clocks_left.checked_sub(1);
        self.clocks_left = left.unwrap_or_else(|| panic!("the block hangs after {:?}", self.answers.last()));
        let ready = (self.ready)(self.clock);
        if let Some(answer) = B::answer(outputs).filter(|_| ready) {
            self.taken.push(self.clock);
            self.answers.push(answer);
            self.in_flight = self.in_flight.saturating_sub(1);
        }
        let mut inputs = B::inputs(None, ready);
        match self.acts.front_mut() {
            Some(Act::Reset) => {
                inputs = B::reset(inputs);
                self.in_flight = 0;
                self.acts.pop_front();
            }
            Some(Act::Offer(event)) => {
                inputs = B::inputs(Some(event), ready);
                if B::takes(outputs) {
                    self.accepted.push(self.clock);
                    self.in_flight += 1;
                    self.acts.pop_front();
                }
            }
            Some(Act::Idle(clocks)) => *clocks -= 1,
            _ => {}
        }
        self.clock += 1;
        Some(B::at(self.now, inputs))
    }

    fn csr(&self) -> &B::Csr {
        &self.csr
    }
}

/// The RTL of a shape, emitted and built once for all tests of a process.
pub fn library<B: Subject>(params: &B::Params) -> Arc<Library> {
    static LIBRARIES: OnceLock<Mutex<HashMap<String, Arc<Library>>>> = OnceLock::new();
    let libraries = LIBRARIES.get_or_init(Mutex::default);
    let mut libraries = libraries.lock().unwrap_or_else(PoisonError::into_inner);
    let build = || {
        let build = Session::new(params.clone(), 1).build::<B>().unwrap_or_else(|error| panic!("{error}"));
        build.load().unwrap_or_else(|error| panic!("{error}"))
    };
    libraries.entry(format!("{} {params:?}", B::TOP)).or_insert_with(build).clone()
}

/// Runs RTL and model in lockstep. Panics if they differ.
pub fn run<B>(params: &B::Params, acts: impl IntoIterator<Item = ActOf<B>>, ready: Ready) -> Script<B>
where
    B: EventBlock + Subject,
    B::Csr: Default,
{
    let mut rtl = Rtl::new(&library::<B>(params), Reset::Random(1)).unwrap_or_else(|error| panic!("{error}"));
    let mut script = Script::new([Act::Reset].into_iter().chain(acts), ready);
    let report = lockstep::run(&mut B::model(params), &mut rtl, &mut script, &mut ());
    if let Some(mismatch) = report.unwrap_or_else(|error| panic!("{error}")).mismatch {
        panic!("{mismatch}");
    }
    script
}

/// Runs RTL that has no model. The outputs have no meaning before the reset.
pub fn run_alone<B: FromPorts + EventBlock>(rtl: &mut Rtl<B>, script: &mut Script<B>) {
    let (mut outputs, mut csr) = (B::Outputs::default(), None);
    while let Some(inputs) = script.next(&outputs) {
        if csr.as_ref() != Some(&script.csr) {
            rtl.configure(&script.csr).unwrap_or_else(|error| panic!("{error}"));
            csr = Some(script.csr.clone());
        }
        rtl.clock(&inputs).unwrap_or_else(|error| panic!("{error}"));
        outputs = rtl.outputs();
    }
}

/// The expected results: CSRs, and events with their answers.
pub type Part<B> = (<B as Block>::Csr, Vec<(<B as EventBlock>::Event, <B as EventBlock>::Answer)>);

/// Runs parts with a number of clocks between the events, with and without back-pressure. Panics if an answer
/// differs from the expected one, or a value that `counters` reads from the outputs at the end.
pub fn drive<B, C>(
    params: &B::Params,
    parts: &[Part<B>],
    idle: &[u32],
    counters: impl Fn(&B::Outputs) -> C,
    counted: C,
) where
    B: EventBlock + Subject,
    B::Csr: Default,
    C: std::fmt::Debug + PartialEq,
{
    let expected: Vec<_> = parts.iter().flat_map(|(_, events)| events).map(|(_, answer)| answer).collect();
    for (&idle, ready) in idle.iter().flat_map(|idle| [(idle, ALWAYS), (idle, SELDOM)]) {
        let acts = parts.iter().flat_map(|(csr, events)| {
            let offer = move |(event, _): &(B::Event, _)| [Act::Idle(idle), Act::Offer(event.clone())];
            [Act::Configure(csr.clone())].into_iter().chain(events.iter().flat_map(offer))
        });
        let script = run::<B>(params, acts, ready);
        for (index, (got, expected)) in script.answers.iter().zip(&expected).enumerate() {
            assert_eq!(
                &got, expected,
                "step {index}, {idle} clocks apart: model and RTL (left), expected (right)"
            );
        }
        assert_eq!(script.answers.len(), expected.len(), "answers");
        assert_eq!(counters(&script.outputs), counted, "counters");
    }
}

/// The values of the ports in a number of clocks.
pub type Recording<B> = Vec<(<B as Block>::Inputs, <B as Block>::Outputs)>;

/// Records the RTL from an idle clock on, after the events `before` and `settled` clocks. Offers each event
/// from the event's clock on, until the block accepts it.
pub fn record<B>(
    params: &B::Params,
    before: &[B::Event],
    settled: usize,
    offers: &[(u64, B::Event)],
    clocks: u64,
    ready: impl Fn(u64) -> bool,
) -> Recording<B>
where
    B: EventBlock + FromPorts + Subject,
    B::Csr: Default,
{
    let mut rtl = Rtl::<B>::new(&library::<B>(params), Reset::Random(1)).expect("the ports");
    rtl.configure(&B::Csr::default()).expect("the CSRs");
    let mut clock = |inputs: &B::Inputs| {
        rtl.clock(inputs).expect("a clock");
        rtl.outputs()
    };
    let idle = B::inputs(None, true);
    let mut outputs = clock(&B::reset(idle.clone()));
    while !B::takes(&outputs) {
        outputs = clock(&idle);
    }
    for event in before {
        outputs = clock(&B::inputs(Some(event), true));
    }
    for _ in 0..settled {
        outputs = clock(&idle);
    }
    let mut offers = offers.iter().peekable();
    let mut recorded = Vec::new();
    for at in 0..clocks {
        let offer = offers.peek().filter(|(from, _)| *from <= at).map(|(_, event)| event);
        let inputs = B::inputs(offer, ready(at));
        if offer.is_some() && B::takes(&outputs) {
            offers.next();
        }
        let after = clock(&inputs);
        recorded.push((inputs, std::mem::replace(&mut outputs, after)));
    }
    recorded
}
