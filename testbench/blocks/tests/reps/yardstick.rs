//! The hand-written REPS, the yardstick of `weft synth --yardstick`, agrees with the model: every output port
//! on every clock. Hence the two areas are of the same function.

use crate::lockstep::everything_happened;
use verilator_sys::Reset;
use weft_bench::{Block, Report, Rtl, Subject, build, lockstep};
use weft_blocks::reps::Dut;
use weft_blocks::reps::driver::Tally;
use weft_hdl::{Floor, Module};
use weft_params::RepsParams;

const VERILOG: &str = include_str!("../../../yardstick/weft_reps_plain.v");

fn run(verilog: &str, seed: u64, clocks: u64) -> (Report, Tally) {
    // The bench finds the block by its name.
    let text = verilog.replace("module weft_reps_plain", "module weft_reps");
    let module = Module { name: Dut::TOP.into(), text, floor: Floor::Block };
    let library = build(Dut::TOP, &[module]).load().expect("Verilator builds it without a warning");
    let params = RepsParams::default();
    let mut rtl = Rtl::<Dut>::new(&library, Reset::Random(seed as u32)).expect("the ports of weft_reps");
    let (mut model, mut driver) = (Dut::model(&params), Dut::driver(&params, seed, clocks));
    let report = lockstep::run(&mut model, &mut rtl, &mut driver, &mut ()).expect("a run");
    (report, Dut::tally(&driver))
}

fn equals_the_model(seed: u64, clocks: u64) {
    let (report, tally) = run(VERILOG, seed, clocks);
    if let Some(mismatch) = report.mismatch {
        panic!("seed {seed}: {mismatch}");
    }
    assert_eq!(report.cycles, clocks);
    everything_happened(&tally);
}

#[test]
fn it_equals_the_model() {
    equals_the_model(1, 5_000_000);
}

#[test]
#[ignore = "soak: `make test` has five million clocks"]
fn it_equals_the_model_for_long() {
    (2..=6).for_each(|seed| equals_the_model(seed, 10_000_000));
}

/// The comparison can fail.
#[test]
fn a_bug_in_it_is_found() {
    for (text, bug) in [
        ("= s4_near1 ? s5_word : s4_word;", "= s4_word;"),
        ("cut      = s4_cut & open;", "cut      = 1'b0;"),
        ("exploring ? stamp[7:0]", "!exploring ? stamp[7:0]"),
    ] {
        assert_eq!(VERILOG.matches(text).count(), 1, "{text}");
        let (report, _) = run(&VERILOG.replace(text, bug), 1, 1_000_000);
        println!("{bug}: {}", report.mismatch.expect("the bug is found"));
    }
}
