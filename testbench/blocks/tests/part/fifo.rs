//! The queue of words: RTL and model on every port and clock, model and a plain list on every word.

use std::collections::VecDeque;
use weft_blocks::pins::{self, Clocked, Pins};
use weft_hdl::Module;
use weft_hdl::part::fifo;
use weft_hdl::prelude::{Bits, Block};
use weft_nic::part::fifo::Fifo;
use weft_random::Rng;

const CLOCKS: u64 = 200_000;

#[derive(Clone, Copy, Debug, Default)]
struct Inputs {
    rst: bool,
    push: Option<u128>,
    commit: bool,
    rollback: bool,
    ready: bool,
}

fn halves(word: u128) -> [u64; 2] {
    [word as u64, (word >> 64) as u64]
}

impl Pins for Inputs {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        visit("rst", &[self.rst.into()]);
        visit("in_valid", &[self.push.is_some().into()]);
        visit("in_word", &halves(self.push.unwrap_or_default()));
        visit("in_commit", &[self.commit.into()]);
        visit("in_rollback", &[self.rollback.into()]);
        visit("out_ready", &[self.ready.into()]);
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Outputs {
    level: usize,
    offered: bool,
    word: u128,
}

impl Pins for Outputs {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        visit("level", &[self.level as u64]);
        visit("out_valid", &[self.offered.into()]);
        visit("out_word", &halves(self.word));
    }
}

/// The model beside a list of what was committed and a list of what was not.
struct Model {
    depth: u32,
    fifo: Fifo<u128>,
    outputs: Outputs,
    committed: VecDeque<u128>,
    open: VecDeque<u128>,
    taken: u64,
}

impl Model {
    fn new(depth: u32) -> Self {
        let (committed, open) = Default::default();
        Self { depth, fifo: Fifo::new(depth), outputs: Outputs::default(), committed, open, taken: 0 }
    }
}

impl Clocked for Model {
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    fn clock(&mut self, inputs: &Inputs) {
        let Inputs { rst, push, commit, rollback, ready } = *inputs;
        if rst {
            *self = Self { taken: self.taken, ..Self::new(self.depth) };
            return;
        }
        if let Some(word) = self.fifo.offered().filter(|_| ready) {
            assert_eq!(self.committed.pop_front(), Some(word));
            self.taken += 1;
        }
        self.open.extend(push.filter(|_| self.fifo.level() < 1 << self.depth));
        if rollback {
            self.open.clear();
        } else if commit {
            self.committed.append(&mut self.open);
        }
        self.fifo.clock(push, commit, rollback, ready);
        let fifo = &self.fifo;
        self.outputs = Outputs { level: fifo.level(), offered: fifo.offered().is_some(), word: fifo.word() };
    }
}

fn run(depth: u32, modules: &[Module], seed: u64) {
    let mut rng = Rng::new(seed);
    let mut model = Model::new(depth);
    let (mut pushes, mut takes) = (8, 8);
    let drive = |cycle: u64, _: &Outputs| {
        if cycle.is_multiple_of(500) {
            (pushes, takes) = (rng.below(9), rng.below(9));
        }
        let word = u128::from(rng.draw()) << 36 ^ u128::from(rng.draw());
        Inputs {
            rst: cycle == 0 || rng.below(20_000) == 0,
            push: (rng.below(8) < pushes).then_some(word & (u128::MAX >> 28)),
            commit: rng.below(4) == 0,
            rollback: rng.below(16) == 0,
            ready: rng.below(8) < takes,
        }
    };
    let build = pins::build("weft_fifo", modules);
    let mismatch = pins::lockstep(&build, seed, CLOCKS, &mut model, drive, &mut ()).unwrap();
    assert_eq!(mismatch, None, "seed {seed}");
    assert!(model.taken > CLOCKS / 16, "{} words came through", model.taken);
}

fn emit(mut block: impl Block) -> Vec<Module> {
    weft_hdl::emit(&mut block, "weft_fifo").unwrap()
}

#[test]
fn shallow() {
    run(3, &emit(fifo::Fifo::<Bits<100>, 3, 4>::default()), 1);
}

#[test]
fn deep() {
    run(6, &emit(fifo::Fifo::<Bits<100>, 6, 7>::default()), 2);
}
