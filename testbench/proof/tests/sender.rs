//! The proof of the sender's dispatch and billing: planted bugs are refuted, each by the claim about it.

use weft_nic::block::sender::rules::{self, Notes, Outcome, Settings};
use weft_params::SenderParams;
use weft_proof::refute::{
    self, Bug, Changed, Inside, bugs_are_refuted, bugs_inside_are_refuted, every_shape_is_proved,
    models_are_refuted, quick, yosys,
};
use weft_proof::sender::dispatch::{Dispatch, MODEL, Model};
use weft_proof::sender::{DISPATCH, Part, shape_of};
use weft_proof::{context, ram};
use weft_symbolic::{Prover, Symbolic};
use weft_word::{Domain, Word};

/// The least to read: bugs do not care for the number of connections.
const SMALL: SenderParams = shape_of(4);

#[test]
#[ignore = "soak: `weft prove` proves the same in `make test`"]
fn it_is_proved_in_every_shape() {
    every_shape_is_proved::<Part>();
}

const BILLING: &str = "weft_sender_dispatch_billing";
const TOP: &str = "weft_sender";

/// Bugs in dispatch and billing: the module, the present text, the text that replaces it, and a word of the
/// claim that must be refuted. The first two are bugs of `--plant`.
const INSIDE: &[Inside] = &[
    (DISPATCH, "& !failed & (|lost)", "& !failed", "rules 10, 12 and 19"),
    (DISPATCH, "valid & (s5_gist_q_told | s5_gist_q_ended)", "valid & s5_gist_q_told", "rule 23"),
    (DISPATCH, "listing_listed} + 6'd1", "listing_listed}", "enters with its list"),
    (DISPATCH, "sweeping ? sweep : outcome_id", "outcome_id", "enters with its list"),
    (DISPATCH, "& !outcome_user[11]", "", "takes a list"),
    (DISPATCH, "(!accepted | (&reason))", "(!accepted)", "`learn`"),
    (DISPATCH, "is_close & !ce", "is_close", "rules 5 and 6"),
    (DISPATCH, "(reason != 2'd1)", "(reason != 2'd2)", "rules 10, 12 and 19"),
    (DISPATCH, "(trims | !s1_user_q[12])", "trims", "rules 11 and 20"),
    (DISPATCH, "later_cursor = done[3:0]", "later_cursor = notes_prior_done[3:0]", "`learn`"),
    (DISPATCH, "if (known_of[8])", "if (known_of[9])", "`learn`"),
    (DISPATCH, "later_middle = !s4_outcome_late_gist_finish", "later_middle = 1'b1", "`learn`"),
    (DISPATCH, "s5_gist_q_send & !ahead[23]", "s5_gist_q_send", "rules 5 and 6"),
    (DISPATCH, "s5_rests_q >= idle", "s5_rests_q > idle", "rules 10, 12 and 19"),
    (DISPATCH, "told_told = s5_known_q", "told_told = s5_gist_q_listed", "rules 10, 12 and 19"),
    (DISPATCH, "s5_gist_q_ended & !s5_gist_q_here", "s5_gist_q_ended", "rules 5 and 6"),
    (DISPATCH, "& s5_prior_q_suspect & ", "& ", "the counters"),
    (DISPATCH, "(s5_gist_q_unanswered | s5_gist_q_denied)", "s5_gist_q_denied", "rules 16 and 22"),
    (DISPATCH, "if (sweeps_q[2])", "if (sweeps_q[1])", "rule 1"),
    (BILLING, "once + (once << 1)", "once << 1", "rules 11 and 20"),
    (BILLING, "if (|s3_marks_q)", "if (s3_marks_q[0])", "rules 11 and 20"),
    (BILLING, "made_marked = s4_acked_q", "made_marked = 9'd0", "rules 11 and 20"),
    (BILLING, "missing = 5'd3", "missing = 5'd2", "rules 11 and 20"),
];

/// Bugs around dispatch and billing, and in the notes of connections.
const AROUND: &[Bug<Part>] = &[
    (Part::Ports, TOP, ".trims          (cfg_reps_trimming)", ".trims          (1'b0)", "outcomes enter"),
    (Part::Ports, TOP, "!(|news_level[5:4])", "!news_level[5]", "outcomes enter"),
    (Part::Ports, TOP, "sweeping_en = &sweep_q", "sweeping_en = sweep_q[0]", "rule 1"),
    (Part::Waits, "weft_wait", "(place_q + 4'd1) - clocks", "place_q - clocks", "a word comes out"),
];

/// Models with one change each.
const MODELS: &[Changed<Model>] = &[
    (
        "the time of a timeout is forgotten",
        Model {
            learn: |notes, outcome, now| Notes {
                expired: notes.expired,
                ..Notes::learn(notes, outcome, now)
            },
            ..MODEL
        },
        "`learn`",
    ),
    (
        "every loss is congestion",
        Model {
            meaning: |notes, outcome, settings| {
                let settings = Settings { trimming: Symbolic::lit(0), ..*settings };
                Notes::meaning(notes, &Outcome { congested: Symbolic::lit(1), ..*outcome }, &settings)
            },
            ..MODEL
        },
        "rules 11 and 20",
    ),
    (
        "marks of missing ACKs do not count",
        Model {
            meaning: |notes, outcome, settings| {
                let mut meaning = Notes::meaning(notes, outcome, settings);
                let told = Symbolic::lit(63);
                let ce = outcome.tag.slice::<31, 1>().widen();
                let marked = rules::marked_of::<Symbolic, 9>(outcome.acked, told, outcome.marked + ce);
                meaning.feedback.1.marked = marked;
                meaning.feedback.1.unmarked = outcome.acked - marked;
                meaning
            },
            ..MODEL
        },
        "rules 11 and 20",
    ),
    (
        "a packet that has arrived is sent",
        Model {
            meaning: |notes, outcome, settings| {
                Notes::meaning(&Notes { una: outcome.psn, ..*notes }, outcome, settings)
            },
            ..MODEL
        },
        "rules 5 and 6",
    ),
    (
        "an unsure round-trip time counts",
        Model {
            meaning: |notes, outcome, settings| {
                Notes::meaning(notes, &Outcome { unsure: Symbolic::lit(0), ..*outcome }, settings)
            },
            ..MODEL
        },
        "rules 10, 12 and 19",
    ),
];

#[test]
fn bugs_in_dispatch_and_billing_are_refuted() {
    // Billing is a part of dispatch.
    bugs_inside_are_refuted::<Part>(&SMALL, INSIDE, |yosys, modules, _, proof| {
        let design = ram::watched(yosys, modules, DISPATCH, "dispatch").unwrap();
        Dispatch::new(&design, MODEL).prove(proof).unwrap();
    });
}

#[test]
fn a_bug_in_the_notes_of_connections_is_refuted() {
    let Some(yosys) = yosys() else { return };
    let sound = refute::emit::<Part>(&SMALL);
    let modules = refute::changed(&sound, "weft_context", "if (s4_near1_q)", "if (1'b0)");
    let mut proof = quick().proof(Prover::default());
    context::context(&yosys, &modules, "weft_sender_dispatch.notes", "", &mut proof).unwrap();
    refute::assert_refutes(&proof, "weft_context: no event just ahead", "stage 4 has the word");
}

#[test]
fn bugs_around_them_are_refuted() {
    bugs_are_refuted(&SMALL, AROUND, 1);
}

#[test]
fn a_bug_in_the_model_is_refuted() {
    let Some(yosys) = yosys() else { return };
    let modules = refute::emit::<Part>(&SMALL);
    let design = ram::watched(&yosys, &modules, DISPATCH, "dispatch").unwrap();
    models_are_refuted(MODELS, |model, proof| Dispatch::new(&design, model).prove(proof).unwrap());
}
