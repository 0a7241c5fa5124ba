//! The width converters: RTL and model on every port and clock, and frames that come out as they went in.

use weft_blocks::pins::{self, Clocked, Pins};
use weft_hdl::part::{narrow as hdl_narrow, widen as hdl_widen};
use weft_hdl::prelude::Block;
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
    bytes: usize,
}

fn show(
    prefix: [&'static str; 5],
    valid: bool,
    beat: &Beat,
    bytes: usize,
    visit: &mut dyn FnMut(&'static str, &[u64]),
) {
    let [tvalid, data, keep, last, user] = prefix;
    visit(tvalid, &[valid.into()]);
    visit(data, &beat.data[..bytes / 8]);
    visit(keep, &[beat.keep]);
    visit(last, &[beat.last.into()]);
    visit(user, &[beat.bad.into()]);
}

impl Pins for Inputs {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        visit("rst", &[self.rst.into()]);
        visit("out_ready", &[self.ready.into()]);
        let user = if self.bytes == Beat::BYTES { "in_side" } else { "in_user" };
        let names = ["in_valid", "in_data", "in_keep", "in_last", user];
        show(names, self.beat.is_some(), &self.beat.unwrap_or_default(), self.bytes, visit);
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Outputs {
    ready: bool,
    valid: bool,
    beat: Beat,
    bytes: usize,
}

impl Pins for Outputs {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        visit("in_ready", &[self.ready.into()]);
        let user = if self.bytes == Beat::BYTES { "out_user" } else { "out_side" };
        let names = ["out_valid", "out_data", "out_keep", "out_last", user];
        show(names, self.valid, &self.beat, self.bytes, visit);
    }
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

impl Clocked for Model {
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    fn clock(&mut self, inputs: &Inputs) {
        if inputs.rst {
            *self = Self::new(matches!(self.converter, Converter::Widen(_)), self.bytes);
        } else {
            match &mut self.converter {
                Converter::Widen(widen) => widen.clock(inputs.beat.as_ref(), inputs.ready),
                Converter::Narrow(narrow) => narrow.clock(inputs.beat.map(|beat| (beat, ())), inputs.ready),
            }
        }
        self.outputs = match &self.converter {
            Converter::Widen(widen) => {
                let output = widen.output();
                Outputs {
                    ready: widen.ready(),
                    valid: output.offers(),
                    beat: output.word(),
                    bytes: Beat::BYTES,
                }
            }
            Converter::Narrow(narrow) => {
                let output = narrow.output();
                Outputs {
                    ready: narrow.ready(),
                    valid: output.offers(),
                    beat: output.word().0,
                    bytes: self.bytes,
                }
            }
        };
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

fn run(mut block: impl Block, widen: bool, bytes: usize, seed: u64) {
    let modules = weft_hdl::emit(&mut block, "weft_width").unwrap();
    let build = pins::build("weft_width", &modules);
    let (enters, leaves) = if widen { (bytes, Beat::BYTES) } else { (Beat::BYTES, bytes) };
    let mut rng = Rng::new(seed);
    let mut model = Model::new(widen, bytes);
    let (mut sending, mut due, mut taken) = (Vec::new(), std::collections::VecDeque::new(), 0);
    let mut offered = None;
    let (mut idle, mut stall) = (0, 0);
    let drive = |cycle: u64, outputs: &Outputs| {
        if cycle.is_multiple_of(1000) {
            (idle, stall) = (rng.below(5), rng.below(5));
        }
        // The clock before, as it was.
        let ready = rng.below(8) >= stall;
        if cycle > 1 && outputs.valid && ready {
            assert_eq!(due.pop_front(), Some(outputs.beat), "cycle {cycle}");
            taken += 1;
        }
        if offered.is_none() && rng.below(8) >= idle && cycle > 1 {
            if sending.is_empty() {
                let frame: Vec<u8> = (0..1 + rng.below(300)).map(|_| rng.draw() as u8).collect();
                let bad = rng.below(4) == 0;
                sending = cut(&frame, enters, bad);
                sending.reverse();
                let mut narrow = cut(&frame, leaves, bad);
                if !widen {
                    // What goes along goes with every part of the last wide word.
                    let parts = narrow.len() - (sending.len() - 1) * (Beat::BYTES / leaves);
                    narrow.iter_mut().rev().take(parts).for_each(|beat| beat.bad = bad);
                }
                due.extend(narrow);
            }
            offered = sending.pop();
        }
        let beat = offered;
        if outputs.ready && cycle > 1 {
            offered = None;
        }
        Inputs { rst: cycle == 0, beat, ready, bytes: enters }
    };
    let mismatch = pins::lockstep(&build, seed, CLOCKS, &mut model, drive, &mut ()).unwrap();
    assert_eq!(mismatch, None);
    assert!(taken > CLOCKS / 8);
}

#[test]
fn wider() {
    run(hdl_widen::Widen::<128, 16>::default(), true, 16, 1);
    run(hdl_widen::Widen::<256, 32>::default(), true, 32, 2);
}

#[test]
fn narrower() {
    run(hdl_narrow::Narrow::<128, 16, 1, 146>::default(), false, 16, 3);
    run(hdl_narrow::Narrow::<256, 32, 1, 290>::default(), false, 32, 4);
}
