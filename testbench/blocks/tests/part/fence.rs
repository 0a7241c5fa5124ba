//! The fence: RTL and model compared on every port and clock, and both with a queue of numbers.

use std::collections::VecDeque;
use verilator_sys::Reset;
use weft_bench::lockstep::{For, run as lockstep};
use weft_bench::{Block, Driver, Rtl, Visit, build};
use weft_hdl::part::fence;
use weft_nic::part::fence::Fence;
use weft_random::Rng;

const CLOCKS: u64 = 200_000;
/// Bits of the count.
const BITS: usize = 4;

#[derive(Clone, Copy, Debug, Default)]
struct Inputs {
    rst: bool,
    comes: bool,
    goes: bool,
    waits: bool,
}

/// The model, and a plain list of the numbers of the entries inside, with the first number that the fence
/// does not wait for.
#[derive(Default)]
struct Model {
    fence: Fence,
    ahead: u32,
    inside: VecDeque<u64>,
    next: u64,
    before: Option<u64>,
    /// Waits that ended while other words were inside.
    ends: u64,
}

/// The fence.
struct Dut;

impl Block for Dut {
    const TOP: &'static str = "weft_fence";
    type Model = Model;
    type Csr = ();
    type Inputs = Inputs;
    type Outputs = u32;

    fn configure(_model: &mut Model, (): &()) {}

    fn clock(model: &mut Model, inputs: &Inputs) {
        let Inputs { rst, comes, goes, waits } = *inputs;
        if rst {
            *model = Model { ends: model.ends, ..Model::default() };
            return;
        }
        let before = if waits { model.before.or(Some(model.next)) } else { None };
        if comes {
            model.inside.push_back(model.next);
            model.next += 1;
        }
        if goes {
            model.inside.pop_front();
        }
        model.before = before;
        let counts = |number: &&u64| before.is_none_or(|before| **number < before);
        let ahead = model.inside.iter().filter(counts).count() as u32;
        model.ends += u64::from(waits && model.ahead == 1 && ahead == 0 && !model.inside.is_empty());
        model.fence.clock(comes, goes, waits);
        model.ahead = model.fence.ahead();
        assert_eq!(model.ahead, ahead);
    }

    fn outputs(model: &Model) -> &u32 {
        &model.ahead
    }

    fn show_csr((): &(), _visit: &mut impl Visit) {}

    fn show_inputs(inputs: &Inputs, visit: &mut impl Visit) {
        visit("rst", &[inputs.rst.into()]);
        visit("comes", &[inputs.comes.into()]);
        visit("goes", &[inputs.goes.into()]);
        visit("waits", &[inputs.waits.into()]);
    }

    fn show_outputs(outputs: &u32, visit: &mut impl Visit) {
        visit("ahead", &[(*outputs).into()]);
    }
}

/// Random entries and exits up to the limit. The stimulus waits until no entry is ahead, or gives up.
struct Random {
    rng: Rng,
    cycle: u64,
    /// Active clocks of 8.
    rates: [u32; 2],
    inside: u32,
    waits: bool,
}

impl Driver<Dut> for Random {
    fn next(&mut self, ahead: &u32) -> Option<Inputs> {
        let rng = &mut self.rng;
        if self.cycle.is_multiple_of(200) {
            self.rates = [rng.below(9), rng.below(9)];
        }
        let rst = self.cycle == 0 || rng.below(5_000) == 0;
        self.cycle += 1;
        self.waits = if self.waits { *ahead > 0 && rng.below(100) > 0 } else { rng.below(8) == 0 };
        let goes = self.inside > 0 && rng.below(8) < self.rates[1];
        let comes = self.inside < (1 << BITS) - 1 && rng.below(8) < self.rates[0];
        self.inside = if rst { 0 } else { self.inside + u32::from(comes) - u32::from(goes) };
        Some(Inputs { rst, comes, goes, waits: self.waits })
    }

    fn csr(&self) -> &() {
        &()
    }
}

#[test]
fn waits_for_what_came_before() {
    let modules = weft_hdl::emit(&mut fence::Fence::<BITS>::default(), Dut::TOP).unwrap();
    let library = build(Dut::TOP, &modules).load().unwrap();
    let mut rtl = Rtl::<Dut>::new(&library, Reset::Random(1)).unwrap();
    let mut model = Model::default();
    let driver = Random { rng: Rng::new(1), cycle: 0, rates: [8; 2], inside: 0, waits: false };
    let report = lockstep(&mut model, &mut rtl, &mut For { cycles: CLOCKS, driver }, &mut ()).unwrap();
    assert_eq!(report.mismatch, None);
    assert!(model.ends > CLOCKS / 200, "{} waits ended", model.ends);
}
