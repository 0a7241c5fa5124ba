//! The proof of `weft_smartt` holds, and can fail: bugs in the RTL and in the model.

use weft_params::SmarttParams;
use weft_proof::refute::{
    self, Bug, Changed, Tie, bugs_are_refuted, every_shape_is_proved, models_are_refuted, ties_are_refuted,
    yosys,
};
use weft_proof::smartt::Part;
use weft_proof::smartt::step::{MODEL, Model, Step};
use weft_symbolic::Symbolic;
use weft_word::{Domain, Word};

/// The least to read: bugs do not care for the number of connections.
const SMALL: SmarttParams = SmarttParams { connections: 4 };

#[test]
#[ignore = "soak: `weft prove` proves the same in `make test`"]
fn it_is_proved_in_every_shape() {
    every_shape_is_proved::<Part>();
}

/// Bugs in every module.
const BUGS: &[Bug<Part>] = &[
    (Part::Divider, "weft_div", "over = above >= den", "over = above > den", "marked as too large"),
    (Part::Divider, "weft_div", "above >= den", "den == 0", "marked as too large"),
    (Part::Divider, "weft_div", "less = rest[0]", "less = 1'b1", "every further stage finds"),
    (Part::Divider, "weft_div", "rest_q <= {Q{1'b1}}", "rest_q <= {Q{1'b0}}", "of all ones"),
    (
        Part::Step,
        "weft_smartt_congestion",
        "{33'd0, s4_delay_q} << 33",
        "{33'd0, s4_delay_q} << 32",
        "stage 4 divides",
    ),
    (
        Part::Step,
        "weft_smartt_congestion",
        "is_high = s3_target_q < s3_rtt_q",
        "is_high = s3_target_q <= s3_rtt_q",
        "stage 25 has",
    ),
    (Part::Step, "weft_smartt_congestion", "& (s2_base_q <= s2_fast_q)", "", "stage 25 has"),
    (Part::Step, "weft_smartt_congestion", "34'h200000000", "34'h1ffffffff", "stage 25 has"),
    (
        Part::Step,
        "weft_smartt_congestion_early",
        "all_target_rtt[63:48]",
        "all_target_rtt[47:32]",
        "`read_signals`",
    ),
    (Part::Step, "weft_smartt_window", "26'h3ffffff", "26'h3fffffe", "stage 32 has"),
    (Part::Step, "weft_smartt_window", "acks >= granularity", "acks > granularity", "stage 32 has"),
    (
        Part::Step,
        "weft_smartt_window",
        "step_product_p} << 13;",
        "step_product_p} << 12;",
        "stage 29 divides",
    ),
    (
        Part::Step,
        "weft_smartt_window",
        "{12'd0, class27_fair_decrease}",
        "{12'd0, class27_max_cwnd}",
        "stage 29 divides",
    ),
    (Part::Step, "weft_smartt_window", "limit = size >> 1", "limit = 31'd0", "taking"),
    (Part::Step, "weft_smartt_window", "({11'd0, size} << 1) |", "({11'd0, size} << 2) |", "adding"),
    (Part::Step, "weft_smartt_window", "whole >= ceiling47_q", "whole > ceiling47_q", "neither"),
    (Part::Step, "weft_smartt_window", "decided47_q_sub & moved47_q[39]", "1'b0", "taking"),
    (Part::Step, "weft_smartt_window", "room46_q[32] |", "", "taking"),
    (Part::Step, "weft_smartt", "window_cwnd} << 8", "window_cwnd} << 7", "answers with it"),
    (Part::Step, "weft_mul", "b_in};", "b_in} + 1'b1;", "stage 29 divides"),
    (Part::Ram, "weft_ram_sdp", "words[waddr] <= wdata", "words[raddr] <= wdata", "a word comes out"),
    (Part::Ram, "weft_ram_sdp", "<= words[raddr]", "<= words[raddr & 3]", "a word comes out"),
    (Part::Ram, "weft_ram_sdp", "assign rdata = word", "assign rdata = 0", "a word comes out"),
    (Part::Ram, "weft_ram_sdp", "if (re)", "if (re & !we)", "a word comes out"),
    (Part::Skid, "weft_skid", "posedge clk", "negedge clk", "the rising edge"),
    (
        Part::Skid,
        "weft_skid",
        "if (rst) offered_q <= 1'b0;\n        else if (free) offered_q <= some;",
        "end always @(posedge clk or posedge rst) if (rst) offered_q <= 1'b0; else if (free) offered_q <= some;
        always @(posedge clk) begin",
        "the rising edge",
    ),
    (Part::Skid, "weft_delay", "posedge clk", "posedge (clk & en)", "the rising edge"),
    (
        Part::Skid,
        "weft_skid",
        "if (running_q) held",
        "\n`ifdef FORMAL\nif (running_q)\n`endif\n held",
        "preprocessor",
    ),
    (Part::Pipeline, "weft_smartt_front", "|younger_q)", "|younger_q[2:0])", "24 moves apart"),
    (
        Part::Pipeline,
        "weft_smartt_front",
        "ahead_q[23] | ahead_q[25]",
        "ahead_q[22] | ahead_q[25]",
        "24, 25 or 26",
    ),
    (Part::Pipeline, "weft_smartt_front", "|younger_q)", "|ahead_q[24:0])", "waits 23 moves"),
    (Part::Pipeline, "weft_smartt_front", "|next_ahead[22:18]", "|next_ahead[21:18]", "what waits knows"),
    (
        Part::Pipeline,
        "weft_smartt_front",
        "recent_live_q[7] & (recent_7_q",
        "recent_live_q[7] & (recent_6_q",
        "what waits knows",
    ),
    (Part::Pipeline, "weft_smartt_front", "ahead_q << 1", "ahead_q", "what waits knows"),
    (Part::Pipeline, "weft_smartt_front", "& !sweeping_q & !waits", "& !waits", "enters during the sweep"),
    (Part::Pipeline, "weft_smartt_front", "& !sweeping_q & !waits", "& !sweeping_q", "ready if and only if"),
    (Part::Pipeline, "weft_smartt_front", "run & (&sweep_q)", "run", "one close per move"),
    (Part::Pipeline, "weft_smartt_front", "issued_kind = CLOSE;", "", "what the sweep issues are closes"),
    (Part::Pipeline, "weft_smartt_front", "26'h3ffffff", "26'h0", "in the input register"),
    (
        Part::Pipeline,
        "weft_smartt_window",
        "late_we = run_q & live_q[46]",
        "late_we = run_q",
        "a connection's state",
    ),
    (
        Part::Pipeline,
        "weft_smartt_window",
        "early_we = run_q & live_q[26]",
        "early_we = run_q & live_q[25]",
        "every clock keeps it",
    ),
    (
        Part::Pipeline,
        "weft_smartt_window",
        "merged_open} = state50_q",
        "merged_open} = state49_q",
        "stage 25 takes the state",
    ),
    (
        Part::Pipeline,
        "weft_smartt_front",
        "if (run) begin\n            ahead_q",
        "begin\n            ahead_q",
        "a stall changes nothing",
    ),
    (Part::Pipeline, "weft_delay", "if (en)", "", "a stall changes nothing"),
    (
        Part::Pipeline,
        "weft_smartt_front",
        "s1_live_q <= 1'b0",
        "s1_live_q <= s1_live_d",
        "reset leads into it",
    ),
    (Part::Pipeline, "weft_smartt", "!window_accepted", "window_accepted", "counted"),
    (
        Part::Skid,
        "weft_smartt_congestion",
        ".next_run (next_run)",
        ".next_run (1'b1)",
        "every module's enable",
    ),
    (Part::Step, "weft_smartt_window", ".clocks (4'd13)", ".clocks (4'd12)", "a word that only waits"),
    (
        Part::Step,
        "weft_smartt_window",
        ".en     (run_32_q),\n        .clocks (4'd13)",
        ".en     (1'b0),\n        .clocks (4'd13)",
        "moves with it",
    ),
    (Part::Skid, "weft_enable", "enable <= next_run", "enable <= 1'b1", "clock and step agree"),
    (Part::Skid, "weft_skid", "moves = !some | free", "moves = 1'b1", "clock and step agree"),
];

/// Ports of parts that are proved alone.
const TIES: &[Tie<Part>] = &[
    (None, "weft_smartt_window", "event13", "rst", "1'b0", "reset with it"),
    (None, "weft_smartt_window", "quotient", "en_late", "1'b0", "moves with it"),
];

#[test]
fn ports_that_are_tied_wrongly_are_refuted() {
    ties_are_refuted(&SMALL, TIES, 1);
}

/// Models with one change each.
const MODELS: &[Changed<Model>] = &[
    (
        "an RTT that is equal to the target is high",
        Model {
            read_signals: |csr, class, stimulus| {
                let congestion = (MODEL.read_signals)(csr, class, stimulus);
                let high = !congestion.rtt.less(class.target_rtt);
                weft_nic::block::smartt::Congestion { high, ..congestion }
            },
            ..MODEL
        },
        "stage 25 has",
    ),
    (
        "the decrease is not limited to 1",
        Model {
            gains: |csr, class, ratio| {
                let gains = (MODEL.gains)(csr, class, ratio);
                let decrease = csr.multiplicative_decrease.times::<34, 42>(ratio).slice::<4, 34>();
                weft_nic::block::smartt::Gains { decrease, ..gains }
            },
            ..MODEL
        },
        "stage 25 has",
    ),
    (
        "a held event forgets what waits",
        Model {
            decide: |csr, class, control, stimulus, congestion, gains| {
                let mut decision = (MODEL.decide)(csr, class, control, stimulus, congestion, gains);
                let waits = decision.case.equals(Symbolic::lit(6));
                decision.control.shared = Symbolic::lit(0).when(waits, decision.control.shared);
                decision
            },
            ..MODEL
        },
        "stage 32 has",
    ),
    (
        "the fair decrease divides by one byte more",
        Model {
            decide: |csr, class, control, stimulus, congestion, gains| {
                let mut decision = (MODEL.decide)(csr, class, control, stimulus, congestion, gains);
                let more = decision.denominator + Symbolic::lit(1);
                decision.denominator = more.when(decision.sub, decision.denominator);
                decision
            },
            ..MODEL
        },
        "stage 29 divides",
    ),
    (
        "an opening is not bounded",
        Model {
            settle: |class, decision, moved| {
                let mut control = (MODEL.settle)(class, decision, moved);
                control.cwnd = decision.base.slice::<0, 37>().when(control.fresh, control.cwnd);
                control
            },
            ..MODEL
        },
        "neither",
    ),
];

#[test]
fn planted_bugs_are_refuted() {
    let expected = [
        ("rounding", Part::Step, "`moved`"),
        ("guard", Part::Step, "`decide`"),
        ("forward", Part::Pipeline, "stage 25 takes the state"),
    ];
    refute::planted_bugs_are_refuted(&SMALL, &expected, 1);
}

#[test]
#[ignore = "soak: `make test` has a sample of REPS"]
fn bugs_of_a_sample_are_refuted() {
    bugs_are_refuted(&SMALL, BUGS, 5);
}

#[test]
#[ignore = "soak: `make test` has a sample"]
fn a_bug_in_any_module_is_refuted() {
    bugs_are_refuted(&SMALL, BUGS, 1);
}

#[test]
fn a_bug_in_the_model_is_refuted() {
    let Some(yosys) = yosys() else { return };
    let design = refute::block::<Part>(&yosys, &SMALL);
    models_are_refuted(MODELS, |model, proof| Step::new(&design, model).unwrap().prove(proof).unwrap());
}
