//! The width converters: RTL and model on every port and clock, and frames that leave as they entered.

use std::collections::VecDeque;
use verilator_sys::Reset;
use weft_bench::lockstep::{For, run as lockstep};
use weft_bench::{Block, Driver, Rtl, Visit, build};
use weft_hdl::part::{narrow as hdl_narrow, widen as hdl_widen};
use weft_hdl::prelude::Block as HdlBlock;
use weft_nic::part::narrow::Narrow;
use weft_nic::part::widen::Widen;
use weft_nic::words::Beat;
use weft_random::Rng;

const CLOCKS: u64 = 100_000;

#[derive(Clone, Copy, Debug, Default)]
struct Inputs {
    rst: bool,
    beat: Option<Beat>,
    ready: bool,
}

fn show(prefix: [&'static str; 5], valid: bool, beat: &Beat, bytes: usize, visit: &mut impl Visit) {
    let [tvalid, data, keep, last, user] = prefix;
    visit(tvalid, &[valid.into()]);
    visit(data, &beat.data[..bytes / 8]);
    visit(keep, &[beat.keep]);
    visit(last, &[beat.last.into()]);
    visit(user, &[beat.bad.into()]);
}

#[derive(Clone, Copy, Debug, Default)]
struct Outputs {
    ready: bool,
    valid: bool,
    beat: Beat,
}

enum Converter {
    Widen(Widen),
    Narrow(Narrow<()>),
}

struct Model {
    converter: Converter,
    bytes: usize,
    outputs: Outputs,
}

impl Model {
    fn new(widen: bool, bytes: usize) -> Self {
        let converter =
            if widen { Converter::Widen(Widen::new(bytes)) } else { Converter::Narrow(Narrow::new(bytes)) };
        Self { converter, bytes, outputs: Outputs::default() }
    }
}

/// A converter to or from words of 64 bytes. The narrow side has words of `BYTES` bytes.
struct Dut<const WIDER: bool, const BYTES: usize>;

impl<const WIDER: bool, const BYTES: usize> Dut<WIDER, BYTES> {
    const ENTERS: usize = if WIDER { BYTES } else { Beat::BYTES };
    const LEAVES: usize = if WIDER { Beat::BYTES } else { BYTES };
}

impl<const WIDER: bool, const BYTES: usize> Block for Dut<WIDER, BYTES> {
    const TOP: &'static str = "weft_width";
    type Model = Model;
    type Csr = ();
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(_model: &mut Model, (): &()) {}

    fn clock(model: &mut Model, inputs: &Inputs) {
        if inputs.rst {
            *model = Model::new(matches!(model.converter, Converter::Widen(_)), model.bytes);
        } else {
            match &mut model.converter {
                Converter::Widen(widen) => widen.clock(inputs.beat.as_ref(), inputs.ready),
                Converter::Narrow(narrow) => narrow.clock(inputs.beat.map(|beat| (beat, ())), inputs.ready),
            }
        }
        model.outputs = match &model.converter {
            Converter::Widen(widen) => Outputs {
                ready: widen.ready(inputs.ready),
                valid: widen.offered().is_some(),
                beat: widen.word(),
            },
            Converter::Narrow(narrow) => {
                let output = narrow.output();
                Outputs { ready: narrow.ready(), valid: output.offers(), beat: output.word().0 }
            }
        };
    }

    fn outputs(model: &Model) -> &Outputs {
        &model.outputs
    }

    fn show_csr((): &(), _visit: &mut impl Visit) {}

    fn show_inputs(inputs: &Inputs, visit: &mut impl Visit) {
        visit("rst", &[inputs.rst.into()]);
        visit("out_ready", &[inputs.ready.into()]);
        let user = if Self::ENTERS == Beat::BYTES { "in_side" } else { "in_user" };
        let names = ["in_valid", "in_data", "in_keep", "in_last", user];
        show(names, inputs.beat.is_some(), &inputs.beat.unwrap_or_default(), Self::ENTERS, visit);
    }

    fn show_outputs(outputs: &Outputs, visit: &mut impl Visit) {
        visit("in_ready", &[outputs.ready.into()]);
        let user = if Self::LEAVES == Beat::BYTES { "out_user" } else { "out_side" };
        let names = ["out_valid", "out_data", "out_keep", "out_last", user];
        show(names, outputs.valid, &outputs.beat, Self::LEAVES, visit);
    }
}

/// A frame in words of `bytes` bytes.
fn cut(frame: &[u8], bytes: usize, bad: bool) -> Vec<Beat> {
    let count = frame.len().div_ceil(bytes);
    let word = |(i, chunk): (usize, &[u8])| {
        let last = i + 1 == count;
        Beat { last, bad: last && bad, ..Beat::frame(chunk)[0] }
    };
    frame.chunks(bytes).enumerate().map(word).collect()
}

/// Frames with pauses, and the words that must leave.
struct Frames<const WIDER: bool, const BYTES: usize> {
    rng: Rng,
    cycle: u64,
    sending: Vec<Beat>,
    due: VecDeque<Beat>,
    taken: u64,
    offered: Option<Beat>,
    idle: u32,
    stall: u32,
}

impl<const WIDER: bool, const BYTES: usize> Driver<Dut<WIDER, BYTES>> for Frames<WIDER, BYTES> {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        if self.cycle.is_multiple_of(1000) {
            (self.idle, self.stall) = (self.rng.below(5), self.rng.below(5));
        }
        // The clock before, as it was.
        let ready = self.rng.below(8) >= self.stall;
        if self.cycle > 1 && outputs.valid && ready {
            assert_eq!(self.due.pop_front(), Some(outputs.beat), "cycle {}", self.cycle);
            self.taken += 1;
        }
        if self.offered.is_none() && self.rng.below(8) >= self.idle && self.cycle > 1 {
            if self.sending.is_empty() {
                let frame: Vec<u8> = (0..1 + self.rng.below(300)).map(|_| self.rng.draw() as u8).collect();
                let bad = self.rng.below(4) == 0;
                self.sending = cut(&frame, Dut::<WIDER, BYTES>::ENTERS, bad);
                self.sending.reverse();
                let mut narrow = cut(&frame, Dut::<WIDER, BYTES>::LEAVES, bad);
                if !WIDER {
                    // Side data accompanies every part of the last wide word.
                    let parts =
                        narrow.len() - (self.sending.len() - 1) * (Beat::BYTES / Dut::<WIDER, BYTES>::LEAVES);
                    narrow.iter_mut().rev().take(parts).for_each(|beat| beat.bad = bad);
                }
                self.due.extend(narrow);
            }
            self.offered = self.sending.pop();
        }
        let beat = self.offered;
        // An accepted wide word makes space in the same clock.
        let takes = if WIDER { !outputs.valid || ready } else { outputs.ready };
        if takes && self.cycle > 1 {
            self.offered = None;
        }
        self.cycle += 1;
        Some(Inputs { rst: self.cycle == 1, beat, ready })
    }

    fn csr(&self) -> &() {
        &()
    }
}

fn run<const WIDER: bool, const BYTES: usize>(mut block: impl HdlBlock, seed: u64) {
    let modules = weft_hdl::emit(&mut block, "weft_width").unwrap();
    let library = build("weft_width", &modules).load().unwrap();
    let mut rtl = Rtl::<Dut<WIDER, BYTES>>::new(&library, Reset::Random(seed as u32)).unwrap();
    let mut model = Model::new(WIDER, BYTES);
    let (sending, due, offered) = Default::default();
    let rng = Rng::new(seed);
    let driver = Frames { rng, cycle: 0, sending, due, taken: 0, offered, idle: 0, stall: 0 };
    let mut driver = For { cycles: CLOCKS, driver };
    let report = lockstep(&mut model, &mut rtl, &mut driver, &mut ()).unwrap();
    assert_eq!(report.mismatch, None);
    assert!(driver.driver.taken > CLOCKS / 8);
}

#[test]
fn wider() {
    run::<true, 16>(hdl_widen::Widen::<128, 16>::default(), 1);
    run::<true, 32>(hdl_widen::Widen::<256, 32>::default(), 2);
}

#[test]
fn narrower() {
    run::<false, 16>(hdl_narrow::Narrow::<128, 16, 1, 146>::default(), 3);
    run::<false, 32>(hdl_narrow::Narrow::<256, 32, 1, 290>::default(), 4);
}
