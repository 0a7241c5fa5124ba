//! The invariant CRC: RTL and model on every port and clock; the model's own tests hold it against the definition.

use weft_blocks::pins::{self, Clocked, Pins};
use weft_hdl::part::icrc as hdl;
use weft_nic::part::icrc::{self, Icrc, Word};
use weft_random::Rng;

const CLOCKS: u64 = 100_000;

#[derive(Clone, Copy, Debug, Default)]
struct Inputs {
    rst: bool,
    en: bool,
    word: Option<Word>,
}

impl Pins for Inputs {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        let word = self.word.unwrap_or_default();
        visit("rst", &[self.rst.into()]);
        visit("en", &[self.en.into()]);
        visit("in_valid", &[self.word.is_some().into()]);
        visit("in_first", &[word.first.into()]);
        visit("in_tagged", &[word.tagged.into()]);
        visit("in_data", &word.data);
        visit("in_last", &[word.last.into()]);
        visit("in_zeros", &[word.zeros.into()]);
    }
}

/// The CRC port means something only while a CRC is offered.
#[derive(Clone, Copy, Debug, Default)]
struct Outputs(Option<u32>);

impl Pins for Outputs {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        visit("out_valid", &[self.0.is_some().into()]);
    }
}

struct Model(Icrc, Outputs);

impl Clocked for Model {
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn outputs(&self) -> &Outputs {
        &self.1
    }

    fn clock(&mut self, inputs: &Inputs) {
        if inputs.rst {
            self.0 = Icrc::new();
        } else {
            self.0.clock(inputs.en, inputs.word.as_ref());
        }
        self.1 = Outputs(self.0.offered());
    }
}

#[test]
fn frames_of_any_length() {
    assert_eq!((hdl::RESIDUE, hdl::LATENCY), (icrc::RESIDUE.into(), icrc::LATENCY));
    let modules = hdl::emit().unwrap();
    let library = pins::build("weft_icrc", &modules).load().unwrap();
    let mut rtl = pins::Rtl::new(&library, verilator_sys::Reset::Random(1)).unwrap();
    let mut model = Model(Icrc::new(), Outputs::default());
    let mut rng = Rng::new(1);
    // Words of the frame that are still to come, and whether none has been taken yet.
    let (mut left, mut first, mut crcs) = (0, true, 0);
    for cycle in 0..CLOCKS {
        if left == 0 {
            (left, first) = (1 + rng.below(4), true);
        }
        let word = Word {
            data: std::array::from_fn(|_| rng.draw()),
            first,
            tagged: rng.below(2) == 0,
            last: left == 1,
            zeros: rng.below(68) as u8,
        };
        let inputs =
            Inputs { rst: cycle == 0, en: rng.below(8) > 0, word: (rng.below(8) > 0).then_some(word) };
        if inputs.en && inputs.word.is_some() && !inputs.rst {
            (left, first) = (left - 1, false);
        }
        model.clock(&inputs);
        rtl.clock(&inputs).unwrap();
        assert_eq!(rtl.compare(cycle, model.outputs()).unwrap(), None);
        if let Outputs(Some(crc)) = model.outputs() {
            assert_eq!(rtl.read("out_crc").unwrap(), [u64::from(*crc)], "clock {cycle}");
            crcs += 1;
        }
    }
    assert!(crcs > CLOCKS / 8);
}
