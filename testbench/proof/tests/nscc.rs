//! The proof of `weft_nscc` holds, and can fail: bugs in the RTL and in the model.

use weft_params::NsccParams;
use weft_proof::nscc::Part;
use weft_proof::nscc::step::{MODEL, Model, Step};
use weft_proof::refute::{
    self, Bug, Changed, Tie, bugs_are_refuted, every_shape_is_proved, models_are_refuted, ties_are_refuted,
    yosys,
};
use weft_symbolic::Symbolic;
use weft_word::{Domain, Word};

/// The least to read: bugs do not care for the number of connections.
const SMALL: NsccParams = NsccParams { connections: 4 };

#[test]
#[ignore = "soak: `weft prove` proves the same in `make test`"]
fn it_is_proved_in_every_shape() {
    every_shape_is_proved::<Part>();
}

/// Bugs in every module.
const BUGS: &[Bug<Part>] = &[
    (Part::Step, "weft_mul", "b_in};", "b_in} + 1'b1;", "stage 17 gets the average"),
    (Part::Step, "weft_nscc_window", ".clocks (4'd11)", ".clocks (4'd10)", "a word that only waits"),
    (Part::Ram, "weft_ram_sdp", "words[waddr] <= wdata", "words[raddr] <= wdata", "a word comes out"),
    (Part::Pipeline, "weft_nscc_front", "|younger_q)", "|younger_q[5:0])", "42 moves apart"),
    (Part::Pipeline, "weft_nscc_front", "|next_ahead[11:6]", "|next_ahead[10:6]", "what waits knows"),
    (
        Part::Pipeline,
        "weft_nscc_front",
        "recent_live_q[39] & (recent_39_q",
        "recent_live_q[39] & (recent_38_q",
        "what waits knows",
    ),
    (Part::Pipeline, "weft_nscc_front", "ahead_q << 1", "ahead_q", "waits 41 moves"),
    (Part::Pipeline, "weft_nscc_front", "run & (&sweep_q)", "run", "one close per move"),
    (Part::Pipeline, "weft_nscc_front", "23'h7fffff", "23'h0", "in the input register"),
    (
        Part::Pipeline,
        "weft_nscc_window",
        "ram_we = run_q & live_q[49]",
        "ram_we = run_q",
        "a connection's state",
    ),
    (
        Part::Pipeline,
        "weft_nscc_window",
        "ram_we = run_q & live_q[49]",
        "ram_we = run_q & live_q[48]",
        "a connection's state",
    ),
    (Part::Pipeline, "weft_nscc", "!window_accepted", "window_accepted", "counted"),
    (Part::Skid, "weft_nscc_signals", ".next_run (next_run)", ".next_run (1'b1)", "every module's enable"),
    (Part::Skid, "weft_skid", "moves = !some | free", "moves = 1'b1", "clock and step agree"),
];

#[test]
#[ignore = "soak: `make test` has a sample"]
fn a_bug_in_any_module_is_refuted() {
    bugs_are_refuted(&SMALL, BUGS, 1);
}

/// Ports of parts that are proved alone.
const TIES: &[Tie<Part>] = &[
    (None, "weft_nscc_window", "decided33", "rst", "1'b0", "reset with it"),
    (None, "weft_nscc_window", "ratio", "en_late", "1'b0", "moves with it"),
];

#[test]
fn ports_that_are_tied_wrongly_are_refuted() {
    ties_are_refuted(&SMALL, TIES, 1);
}

/// Models with one change each.
const MODELS: &[Changed<Model>] = &[
    (
        "a trimmed packet has no delay",
        Model {
            measure: |csr, class, control, stimulus| {
                let measured = (MODEL.measure)(csr, class, control, stimulus);
                let delay = Symbolic::lit(0).when(stimulus.kind.equals(Symbolic::lit(1)), measured.delay);
                weft_nic::block::nscc::Measured { delay, ..measured }
            },
            ..MODEL
        },
        "stage 4 has the delay",
    ),
    (
        "the excess counts from one above the target",
        Model {
            measure: |csr, class, control, stimulus| {
                let measured = (MODEL.measure)(csr, class, control, stimulus);
                let excess = measured.excess + Symbolic::lit(1);
                weft_nic::block::nscc::Measured { excess, ..measured }
            },
            ..MODEL
        },
        "stage 18 divides",
    ),
    (
        "QuickAdapt leaves its trigger set",
        Model {
            decide: |csr, class, control, stimulus, measured, ratio| {
                let mut decision = (MODEL.decide)(csr, class, control, stimulus, measured, ratio);
                let adapted = decision.case.equals(Symbolic::lit(9));
                decision.control.trigger = decision.control.trigger | adapted;
                decision
            },
            ..MODEL
        },
        "stage 19 has",
    ),
    (
        "an adjustment divides by one more",
        Model {
            decide: |csr, class, control, stimulus, measured, ratio| {
                let mut decision = (MODEL.decide)(csr, class, control, stimulus, measured, ratio);
                decision.denominator = decision.denominator + Symbolic::lit(1);
                decision
            },
            ..MODEL
        },
        "only a bounded window",
    ),
    (
        "an opening is not bounded",
        Model {
            settle: |class, decision, quotient| {
                let mut control = (MODEL.settle)(class, decision, quotient);
                control.cwnd = decision.base.slice::<0, 28>().when(control.fresh, control.cwnd);
                control
            },
            ..MODEL
        },
        "stage 51 has the state",
    ),
];

#[test]
fn a_bug_in_the_model_is_refuted() {
    let Some(yosys) = yosys() else { return };
    let design = refute::block::<Part>(&yosys, &SMALL);
    models_are_refuted(MODELS, |model, proof| Step::new(&design, model).unwrap().prove(proof).unwrap());
}

#[test]
fn planted_bugs_are_refuted() {
    let expected = [("gate", Part::Step, "the case"), ("batch", Part::Step, "the increases")];
    refute::planted_bugs_are_refuted(&SMALL, &expected, 1);
}

#[test]
#[ignore = "soak: `make test` has a sample of REPS"]
fn bugs_of_a_sample_are_refuted() {
    bugs_are_refuted(&SMALL, BUGS, 5);
}
