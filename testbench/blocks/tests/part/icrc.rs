//! The invariant CRC: RTL and model compared on every port and clock. The model's own tests compare it with
//! the definition.

use weft_bench::{Block, Rtl, Visit, build};
use weft_hdl::part::icrc as hdl;
use weft_nic::part::icrc::{self, Icrc, Word};
use weft_random::Rng;

const CLOCKS: u64 = 100_000;

#[derive(Clone, Copy, Debug, Default)]
struct Inputs {
    rst: bool,
    /// The CRC advances in this clock: a register of the RTL.
    run: bool,
    next_run: bool,
    word: Option<Word>,
}

/// The CRC port has a meaning only while a CRC is offered.
#[derive(Clone, Copy, Debug, Default)]
struct Outputs(Option<u32>);

struct Model(Icrc, Outputs);

/// The CRC.
struct Dut;

impl Block for Dut {
    const TOP: &'static str = "weft_icrc";
    type Model = Model;
    type Csr = ();
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(_model: &mut Model, (): &()) {}

    fn clock(model: &mut Model, inputs: &Inputs) {
        if inputs.rst {
            model.0 = Icrc::new();
        } else {
            model.0.clock(inputs.run, inputs.word.as_ref());
        }
        model.1 = Outputs(model.0.offered());
    }

    fn outputs(model: &Model) -> &Outputs {
        &model.1
    }

    fn show_csr((): &(), _visit: &mut impl Visit) {}

    fn show_inputs(inputs: &Inputs, visit: &mut impl Visit) {
        let word = inputs.word.unwrap_or_default();
        visit("rst", &[inputs.rst.into()]);
        visit("next_run", &[inputs.next_run.into()]);
        visit("in_valid", &[inputs.word.is_some().into()]);
        visit("in_first", &[word.first.into()]);
        visit("in_tagged", &[word.tagged.into()]);
        visit("in_data", &word.data);
        visit("in_last", &[word.last.into()]);
        visit("in_quads", &[word.quads.into()]);
    }

    fn show_outputs(outputs: &Outputs, visit: &mut impl Visit) {
        visit("out_valid", &[outputs.0.is_some().into()]);
    }
}

#[test]
fn frames_of_any_length() {
    assert_eq!((hdl::RESIDUE, hdl::LATENCY), (icrc::RESIDUE, icrc::LATENCY));
    let modules = hdl::emit().unwrap();
    let library = build("weft_icrc", &modules).load().unwrap();
    let mut rtl = Rtl::<Dut>::new(&library, verilator_sys::Reset::Random(1)).unwrap();
    let mut model = Model(Icrc::new(), Outputs::default());
    let mut rng = Rng::new(1);
    // Words of the frame that are still to come, and whether none has been accepted yet.
    let (mut left, mut first, mut crcs) = (0, true, 0);
    let mut next_run = true;
    for cycle in 0..CLOCKS {
        if left == 0 {
            (left, first) = (1 + rng.below(4), true);
        }
        let word = Word {
            data: std::array::from_fn(|_| rng.draw()),
            first,
            tagged: rng.below(2) == 0,
            last: left == 1,
            quads: rng.below(16) as u8,
        };
        let rst = cycle == 0;
        let run = std::mem::replace(&mut next_run, rst || rng.below(8) > 0);
        let inputs = Inputs { rst, run, next_run, word: (rng.below(8) > 0).then_some(word) };
        if inputs.run && inputs.word.is_some() && !inputs.rst {
            (left, first) = (left - 1, false);
        }
        Dut::clock(&mut model, &inputs);
        rtl.clock(&inputs).unwrap();
        assert_eq!(rtl.compare(cycle, Dut::outputs(&model)), None);
        if let Outputs(Some(crc)) = Dut::outputs(&model) {
            assert_eq!(rtl.read("out_crc").unwrap(), [u64::from(*crc)], "clock {cycle}");
            crcs += 1;
        }
    }
    assert!(crcs > CLOCKS / 8);
}
