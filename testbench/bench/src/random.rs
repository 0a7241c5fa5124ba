//! Random runs of blocks with one stream of events: resets with random values in the registers, idle clocks,
//! bursts, back-pressure, changes of software's settings. All choices depend only on the seed.

use crate::block::Block;
use crate::events::EventBlock;
use crate::lockstep::Driver;
use weft_random::Rng;

type CsrOf<E> = <<E as Events>::Block as Block>::Csr;
type InputsOf<E> = <<E as Events>::Block as Block>::Inputs;
type OutputsOf<E> = <<E as Events>::Block as Block>::Outputs;
type EventOf<E> = <<E as Events>::Block as EventBlock>::Event;

/// Idle clocks and back-pressure: the number of clocks in 256 without an event, and the number in 256 without
/// space for an answer.
#[derive(Clone, Copy, Debug)]
struct Pace {
    idle: u32,
    stall: u32,
}

impl Pace {
    fn draw(rng: &mut Rng, brisk: bool) -> Self {
        if brisk {
            return Self { idle: 0, stall: 0 };
        }
        let (idle, stall) = ([0, 0, 20, 128, 250], [0, 0, 20, 128, 240]);
        Self { idle: idle[rng.below(5) as usize], stall: stall[rng.below(5) as usize] }
    }

    /// Draws whether a clock has an event, and whether it has space for an answer.
    #[inline]
    fn of_clock(self, rng: &mut Rng) -> (bool, bool) {
        let draw = rng.draw() as u32;
        (draw & 255 >= self.idle, draw >> 8 & 255 >= self.stall)
    }
}

/// The action after a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// A reset.
    Reset,
    /// A number of clocks without an event, in which the pipeline of the block empties.
    Drain(u32),
}

/// Random events of a block, and the counts of a run.
pub trait Events {
    /// The block.
    type Block: EventBlock;

    /// Begins a segment: its CSRs, and its number of clocks. `reset`: a reset begins the segment.
    fn segment(&mut self, rng: &mut Rng, reset: bool) -> (CsrOf<Self>, u32);

    /// Whether the segment has neither idle clocks nor back-pressure.
    fn brisk(&self) -> bool {
        false
    }

    /// The action after a segment.
    fn after(&self, rng: &mut Rng) -> After;

    /// The next event, if there is one in this clock.
    fn event(&mut self) -> Option<EventOf<Self>>;

    /// Arbitrary values on all ports.
    fn junk(&self, rng: &mut Rng) -> InputsOf<Self>;

    /// The inputs without their event.
    fn silent(inputs: InputsOf<Self>, ready: bool) -> InputsOf<Self>;

    /// Advances the time by a clock. A block may have a port for the time.
    fn tick(&mut self, _rng: &mut Rng, inputs: InputsOf<Self>) -> InputsOf<Self> {
        inputs
    }

    /// Counts a clock outside of reset with its ports.
    fn clock(&mut self, outputs: &OutputsOf<Self>, inputs: &InputsOf<Self>);
}

enum State {
    /// Clocks of reset that remain.
    Reset(u32),
    Run,
    /// Clocks to wait until the pipeline is empty.
    Drain(u32),
}

/// Drives a block for a number of clocks.
pub struct RandomDriver<E: Events> {
    rng: Rng,
    clocks_left: u64,
    segment_left: u32,
    state: State,
    csr: CsrOf<E>,
    /// The event that the driver offers and that the block has not yet accepted.
    offered: Option<EventOf<E>>,
    pace: Pace,
    /// The events, and the counts so far.
    pub events: E,
}

impl<E: Events> RandomDriver<E> {
    /// Makes a driver for `clocks` clocks.
    pub fn new(seed: u64, clocks: u64, events: impl FnOnce(Rng) -> E) -> Self {
        let mut rng = Rng::new(seed);
        let mut events = events(Rng::new(rng.draw()));
        let (csr, segment_left) = events.segment(&mut rng, true);
        let pace = Pace::draw(&mut rng, events.brisk());
        let state = State::Reset(1 + rng.below(3));
        Self { rng, clocks_left: clocks, segment_left, state, csr, offered: None, pace, events }
    }

    fn segment(&mut self, reset: bool) {
        (self.csr, self.segment_left) = self.events.segment(&mut self.rng, reset);
        self.pace = Pace::draw(&mut self.rng, self.events.brisk());
    }

    fn begin_reset(&mut self) {
        self.segment(true);
        self.state = State::Reset(1 + self.rng.below(3));
    }

    fn clock(&mut self, inputs: InputsOf<E>, outputs: &OutputsOf<E>) -> InputsOf<E> {
        let inputs = self.events.tick(&mut self.rng, inputs);
        self.events.clock(outputs, &inputs);
        inputs
    }
}

impl<E: Events> Driver<E::Block> for RandomDriver<E> {
    #[inline]
    fn next(&mut self, outputs: &OutputsOf<E>) -> Option<InputsOf<E>> {
        self.clocks_left = self.clocks_left.checked_sub(1)?;
        if matches!(self.state, State::Run) && self.segment_left == 0 {
            if E::Block::OWN_EVENTS || self.offered.is_none() {
                match self.events.after(&mut self.rng) {
                    After::Reset => self.begin_reset(),
                    After::Drain(clocks) => self.state = State::Drain(clocks),
                }
            }
        } else if matches!(self.state, State::Drain(0)) {
            self.state = State::Run;
            self.segment(false);
        }
        Some(match self.state {
            // All other ports have arbitrary values. In reset the block accepts no event, for any values of
            // its ports.
            State::Reset(left) => {
                self.state = if left == 1 { State::Run } else { State::Reset(left - 1) };
                self.offered = None;
                E::Block::reset(self.events.junk(&mut self.rng))
            }
            State::Drain(left) => {
                self.state = State::Drain(left - 1);
                self.clock(E::Block::inputs(None, true), outputs)
            }
            State::Run => {
                self.segment_left = self.segment_left.saturating_sub(1);
                let (busy, ready) = self.pace.of_clock(&mut self.rng);
                if self.offered.is_none() && self.segment_left > 0 && busy {
                    self.offered = self.events.event();
                }
                let inputs = match &self.offered {
                    Some(event) => E::Block::inputs(Some(event), ready),
                    // Junk beside a low tvalid must not matter.
                    None => E::silent(self.events.junk(&mut self.rng), ready),
                };
                if E::Block::takes(outputs) {
                    self.offered = None;
                }
                self.clock(inputs, outputs)
            }
        })
    }

    #[inline]
    fn csr(&self) -> &CsrOf<E> {
        &self.csr
    }
}
