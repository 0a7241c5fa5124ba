//! The queue of words: RTL and model compared on every port and clock, the model with a plain list on every
//! word.

use std::collections::VecDeque;
use verilator_sys::Reset;
use weft_bench::lockstep::{For, run as lockstep};
use weft_bench::{Block, Driver, Rtl, Visit, build};
use weft_hdl::Module;
use weft_hdl::part::fifo;
use weft_hdl::prelude::{Bits, Block as HdlBlock};
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

#[derive(Clone, Copy, Debug, Default)]
struct Outputs {
    level: usize,
    full: bool,
    offered: bool,
    word: u128,
}

/// The model, a list of committed words and a list of uncommitted words.
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

/// The queue.
struct Dut;

impl Block for Dut {
    const TOP: &'static str = "weft_fifo";
    type Model = Model;
    type Csr = ();
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(_model: &mut Model, (): &()) {}

    fn clock(model: &mut Model, inputs: &Inputs) {
        let Inputs { rst, push, commit, rollback, ready } = *inputs;
        if rst {
            *model = Model { taken: model.taken, ..Model::new(model.depth) };
            return;
        }
        if let Some(word) = model.fifo.offered().filter(|_| ready) {
            assert_eq!(model.committed.pop_front(), Some(word));
            model.taken += 1;
        }
        model.open.extend(push.filter(|_| model.fifo.level() < 1 << model.depth));
        if rollback {
            model.open.clear();
        } else if commit {
            model.committed.append(&mut model.open);
        }
        model.fifo.clock(push, commit, rollback, ready);
        let fifo = &model.fifo;
        model.outputs = Outputs {
            level: fifo.level(),
            full: fifo.level() == 1 << model.depth,
            offered: fifo.offered().is_some(),
            word: fifo.word(),
        };
    }

    fn outputs(model: &Model) -> &Outputs {
        &model.outputs
    }

    fn show_csr((): &(), _visit: &mut impl Visit) {}

    fn show_inputs(inputs: &Inputs, visit: &mut impl Visit) {
        visit("rst", &[inputs.rst.into()]);
        visit("in_valid", &[inputs.push.is_some().into()]);
        visit("in_word", &halves(inputs.push.unwrap_or_default()));
        visit("in_commit", &[inputs.commit.into()]);
        visit("in_rollback", &[inputs.rollback.into()]);
        visit("out_ready", &[inputs.ready.into()]);
    }

    fn show_outputs(outputs: &Outputs, visit: &mut impl Visit) {
        visit("level", &[outputs.level as u64]);
        visit("full", &[outputs.full.into()]);
        visit("out_valid", &[outputs.offered.into()]);
        visit("out_word", &halves(outputs.word));
    }
}

struct Random {
    rng: Rng,
    cycle: u64,
    /// Active clocks of 8.
    pushes: u32,
    takes: u32,
}

impl Driver<Dut> for Random {
    fn next(&mut self, _: &Outputs) -> Option<Inputs> {
        let rng = &mut self.rng;
        if self.cycle.is_multiple_of(500) {
            (self.pushes, self.takes) = (rng.below(9), rng.below(9));
        }
        let word = u128::from(rng.draw()) << 36 ^ u128::from(rng.draw());
        let inputs = Inputs {
            rst: self.cycle == 0 || rng.below(20_000) == 0,
            push: (rng.below(8) < self.pushes).then_some(word & (u128::MAX >> 28)),
            commit: rng.below(4) == 0,
            rollback: rng.below(16) == 0,
            ready: rng.below(8) < self.takes,
        };
        self.cycle += 1;
        Some(inputs)
    }

    fn csr(&self) -> &() {
        &()
    }
}

fn run(depth: u32, modules: &[Module], seed: u64) {
    let library = build(Dut::TOP, modules).load().unwrap();
    let mut rtl = Rtl::<Dut>::new(&library, Reset::Random(seed as u32)).unwrap();
    let mut model = Model::new(depth);
    let driver = Random { rng: Rng::new(seed), cycle: 0, pushes: 8, takes: 8 };
    let report = lockstep(&mut model, &mut rtl, &mut For { cycles: CLOCKS, driver }, &mut ()).unwrap();
    assert_eq!(report.mismatch, None, "seed {seed}");
    assert!(model.taken > CLOCKS / 16, "{} words came through", model.taken);
}

fn emit(mut block: impl HdlBlock) -> Vec<Module> {
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
