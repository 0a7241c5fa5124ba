//! Tests that the proof of `weft_sack_tx` holds, and that it can fail: bugs in the RTL and in the model.

use weft_nic::block::sack_tx::Kind;
use weft_nic::part::ring::Ring;
use weft_params::SackParams;
use weft_proof::refute::{
    self, Bug, Changed, Tie, bugs_are_refuted, every_shape_is_proved, models_are_refuted, ties_are_refuted,
    yosys,
};
use weft_proof::sack_tx::Part;
use weft_proof::sack_tx::calm::{self, CALM, Calm};
use weft_proof::sack_tx::step::{MODEL, Model, Step};
use weft_symbolic::Symbolic;
use weft_word::{Domain, Word};

/// The shape with the least text: the bugs do not depend on the number of connections.
const SMALL: SackParams = SackParams { connections: 4 };

#[test]
#[ignore = "soak: `weft prove` proves the same in `make test`"]
fn it_is_proved_in_every_shape() {
    every_shape_is_proved::<Part>();
}

/// Bugs in every module.
const BUGS: &[Bug<Part>] = &[
    (Part::Rings, "weft_ring_rotate", "by_4_q << 32", "by_4_q << 31", "turned by"),
    (
        Part::Rings,
        "weft_ring_extent",
        "covered_d = stop[8] ? (not_below | below)",
        "covered_d = stop[8] ? (not_below & below)",
        "so many slots",
    ),
    (Part::Rings, "weft_ring_first", "else if (|four_1)", "else if (four_1[0])", "the first that is set"),
    (Part::Words, "weft_context", "near3 = s4_live_q & ", "near3 = ", "every clock keeps it"),
    (Part::Words, "weft_context", "pick_low = s2_near_q[1] | ", "pick_low = ", "every clock keeps it"),
    (Part::Words, "weft_published", "we & (waddr == raddr)", "1'b0", "in the same clock even"),
    (Part::Step, "weft_sack_tx_place", "s4_ahead_q[23:8]", "s4_ahead_q[23:9]", "`place`"),
    (
        Part::Step,
        "weft_sack_tx_place",
        "({1'd0, s4_gap_q} <= trigger)",
        "({1'd0, s4_gap_q} < trigger)",
        "`place`",
    ),
    (
        Part::Step,
        "weft_sack_tx_place",
        "trigger - {1'd0, s4_gap_q}) + 9'd1",
        "trigger - {1'd0, s4_gap_q})",
        "`place`",
    ),
    (Part::Step, "weft_sack_tx_place", "& !(&s4_rtt_q)", "", "`place`"),
    (Part::Step, "weft_sack_tx_place", "found_past - (found_past >> 2)", "found_past", "`place`"),
    (Part::Step, "weft_sack_tx_settle", "leaves & !older[1]", "leaves", "`settle` leaves"),
    (
        Part::Step,
        "weft_sack_tx_place",
        "s5_fresh_q & s5_inside_q & !s5_within_q",
        "s5_fresh_q & s5_inside_q",
        "`place`",
    ),
    (Part::Step, "weft_sack_tx_window", "bits & told_mask", "bits | told_mask", "`mark`"),
    (
        Part::Step,
        "weft_sack_tx_window",
        "s10_told_q | cumulative_mask",
        "s10_told_q & cumulative_mask",
        "`mark`",
    ),
    (Part::Step, "weft_sack_tx_window", "age_low_mark = ~low | high", "age_low_mark = ~low", "`mark`"),
    (Part::Step, "weft_sack_tx_window", "age_high_mark = low;", "age_high_mark = high;", "`mark`"),
    (Part::Step, "weft_sack_tx_window", "lost_clear = ~still | hit", "lost_clear = hit", "`mark`"),
    (Part::Step, "weft_sack_tx_window", "(|s11_hits_q) & s11_current_q", "|s11_hits_q", "never sent"),
    (
        Part::Step,
        "weft_sack_tx_settle",
        "s17_run_d = some ? {1'd0, first}",
        "s17_run_d = some ? {1'd1, first}",
        "`survey`",
    ),
    (
        Part::Step,
        "weft_sack_tx_settle",
        "one_unseen = (flows_prior_seen_upcoming[0] ^ s20_upcoming_q[0]) & s20_live_q",
        "one_unseen = 1'b0",
        "card",
    ),
    (
        Part::Step,
        "weft_sack_tx_settle",
        "rest = s19_unacked_q - {8'd0, aim_fresh}",
        "rest = s19_unacked_q",
        "`settle` leaves",
    ),
    (
        Part::Step,
        "weft_sack_tx_settle",
        "tallies_prior_unacked != rest",
        "tallies_prior_unacked < rest",
        "`settle` leaves",
    ),
    (
        Part::Step,
        "weft_sack_tx_settle",
        "s20_retry_limit_q <= flows_prior_retries",
        "s20_retry_limit_q == flows_prior_retries",
        "`settle` leaves",
    ),
    (Part::Step, "weft_sack_tx_settle", "- (flows_prior_peak >> 4)", "", "`settle` leaves"),
    (Part::Step, "weft_sack_tx_settle", "& !flows_prior_nacked_before", "", "become of the event"),
    (Part::Step, "weft_sack_tx_settle", "(older[1] | ", "(", "become of the event"),
    (
        Part::Step,
        "weft_sack_tx_settle",
        "s20_below_253_d = s19_span_q < 9'd253",
        "s20_below_253_d = s19_span_q < 9'd254",
        "card",
    ),
    (
        Part::Step,
        "weft_sack_tx_publish",
        "turns_prior_queued & !s22_ours_q",
        "turns_prior_queued",
        "whose turn",
    ),
    (
        Part::Step,
        "weft_sack_tx_settle",
        "base_una + {16'd0, first_lost}",
        "base_una - {16'd0, first_lost}",
        "card",
    ),
    (Part::Step, "weft_sack_tx_finish", "{9'd0, s21_settled_fresh}", "10'd0", "where the new packet lies"),
    (Part::Step, "weft_sack_tx_finish", "s22_fresh_q & !(|low)", "!(|low)", "group of the newest"),
    (
        Part::Step,
        "weft_sack_tx_finish",
        "run_q & s24_live & s24_fresh_q",
        "run_q & s24_live",
        "writes the group",
    ),
    (Part::Step, "weft_sack_tx_finish", "left_completed = s29_passed_q", "left_completed = 9'd0", "`finish`"),
    (Part::Step, "weft_sack_tx", "s23_live & publish_s23_enqueue", "publish_s23_enqueue", "what is written"),
    (Part::Pipeline, "weft_sack_tx_front", "& !turn_q & calm", "& calm", "no own event enters"),
    (Part::Pipeline, "weft_sack_tx_front", "DRAIN  = 5'd21", "DRAIN  = 5'd20", "before anything else enters"),
    (Part::Pipeline, "weft_sack_tx_front", "run & own & !timed", "run & own", "take turns"),
    (Part::Pipeline, "weft_sack_tx_front", "& !(sends_q & asks)", "", "take turns"),
    (Part::Pipeline, "weft_sack_tx_front", "= event_data[279:256]", "= event_data[278:255]", "was offered"),
    (
        Part::Pipeline,
        "weft_sack_tx_front",
        "if (run) begin\n            s1_id_q",
        "begin\n            s1_id_q",
        "a stall changes nothing",
    ),
    (
        Part::Requests,
        "weft_sack_tx_scheduler",
        "packets = messages_rdata",
        "packets = made_card_q_left",
        "what its card says",
    ),
    (
        Part::Requests,
        "weft_sack_tx_scheduler",
        "run & (!asked_q | (sent & !asked_for_q_more))",
        "run",
        "not taken",
    ),
    (Part::Requests, "weft_sack_tx_scheduler", "& (made_id_q == asked_id_q)", "", "what its card says"),
    (
        Part::Requests,
        "weft_sack_tx_scheduler",
        "first_psn + {23'd0, follows}",
        "first_psn",
        "first packet of a pair",
    ),
    (Part::Requests, "weft_sack_tx_scheduler", "front_q != back_q", "1'b1", "leaves at the front"),
    (
        Part::Requests,
        "weft_sack_tx_scanner",
        "{1'd0, age_q} - {1'd0, limit_q}",
        "{1'd0, age_q} - {1'd0, limit_q} - 25'd1",
        "asks for",
    ),
    (
        Part::Requests,
        "weft_sack_tx_scanner",
        "beyond_q[15:0]} >= late_q",
        "beyond_q[15:0]} > late_q",
        "due for longer",
    ),
    (Part::Requests, "weft_sack_tx_scanner", "run & !asked_q & settled", "run & !asked_q", "on its way"),
    (Part::Pipeline, "weft_sack_tx", ".take  (slots_take)", ".take  (1'b1)", "wired to the ports"),
    (Part::Step, "weft_sack_tx", ".clocks (4'd9)", ".clocks (4'd8)", "a word that only waits"),
    (Part::Skid, "weft_slots", "behind_d = !behind_q", "behind_d = behind_q", "the invariant is kept"),
    (Part::Skid, "weft_sack_tx_place", ".next_run (next_run)", ".next_run (1'b1)", "every module's enable"),
    (Part::Skid, "weft_enable", "enable <= next_run", "enable <= 1'b1", "clock and step agree"),
    (Part::Skid, "weft_skid", "moves = !some | free", "moves = 1'b1", "clock and step agree"),
];

/// Ports of parts that are proved alone.
const TIES: &[Tie<Part>] = &[
    (None, "weft_sack_tx", "scheduler", "rst", "1'b0", "reset with it"),
    (None, "weft_sack_tx", "scanner", "run", "1'b0", "moves with it"),
    (None, "weft_sack_tx", "published", "run", "1'b1", "moves with it"),
    (None, "weft_sack_tx_finish", "groups", "re", "1'b0", "moves with it"),
    (None, "weft_sack_tx_finish", "groups", "oe", "1'b0", "moves with it"),
    (Some(Part::Requests), "weft_sack_tx_scanner", "timers", "run", "1'b0", "moves with it"),
    (Some(Part::Requests), "weft_sack_tx_scheduler", "cards", "run", "run", "moves with it"),
    (Some(Part::Requests), "weft_sack_tx_scheduler", "messages", "oe", "1'b0", "moves with it"),
];

#[test]
fn some_ports_that_are_tied_wrongly_are_refuted() {
    ties_are_refuted(&SMALL, TIES, 3);
}

#[test]
#[ignore = "soak: `make test` has every third"]
fn ports_that_are_tied_wrongly_are_refuted() {
    ties_are_refuted(&SMALL, TIES, 1);
}

/// Events that are not calm, with a model that treats them as calm.
const CALMS: &[Changed<Calm>] = &[
    (
        "an ACK",
        |found, flow, stimulus, place| {
            let ack = stimulus.kind.equals(Symbolic::lit(Kind::Ack as u128));
            CALM(found, flow, stimulus, place) | ack
        },
        "acknowledges nothing",
    ),
    (
        "a probe",
        |found, flow, stimulus, place| {
            let probe = stimulus.kind.equals(Symbolic::lit(Kind::Probe as u128));
            CALM(found, flow, stimulus, place) | probe
        },
        "loses nothing",
    ),
];

/// The claims about calm events (`weft prove sack_tx`) fail for other events.
#[test]
fn events_that_are_not_calm_are_refuted() {
    models_are_refuted(CALMS, |model, proof| calm::prove(model, proof).unwrap());
}

/// Models with one change each.
const MODELS: &[Changed<Model>] = &[
    (
        "a forfeit turn sends",
        Model {
            place: |csr, published, stimulus| {
                let published =
                    weft_nic::block::sack_tx::Published { forfeit: Symbolic::lit(0), ..*published };
                (MODEL.place)(csr, &published, stimulus)
            },
            ..MODEL
        },
        "`place`",
    ),
    (
        "a packet that is sent again stays lost",
        Model {
            mark: |place, stimulus, rings| {
                let (mut after, beyond) = (MODEL.mark)(place, stimulus, rings);
                let again = place.send & !place.fresh;
                after.lost = (after.lost | Ring::one(place.slot)).when(again, after.lost);
                (after, beyond)
            },
            ..MODEL
        },
        "`mark`",
    ),
    (
        "a window that is all acknowledged moves by nothing",
        Model {
            survey: |place, rings| {
                let mut survey = (MODEL.survey)(place, rings);
                survey.run = Symbolic::lit(0).when(survey.unacked.is_zero(), survey.run);
                survey
            },
            ..MODEL
        },
        "`survey`",
    ),
    (
        "a timeout does not start the timer anew",
        Model {
            settle: |csr, flow, stimulus, place, survey| {
                let (mut after, action) = (MODEL.settle)(csr, flow, stimulus, place, survey);
                let timeout = stimulus.own & stimulus.kind.equals(Symbolic::lit(7));
                after.since = flow.since.when(timeout & after.published.open, after.since);
                (after, action)
            },
            ..MODEL
        },
        "`settle` leaves",
    ),
    (
        "a message that is refused is pending",
        Model {
            finish: |account, stimulus, action, spot, group| {
                let mut action = *action;
                action.posted = action.posted | action.reason.equals(Symbolic::lit(3));
                (MODEL.finish)(account, stimulus, &action, spot, group)
            },
            ..MODEL
        },
        "`finish`",
    ),
];

/// The planted bugs, in order: the part, and a word of the claim that must fail.
const PLANTED: &[(&str, Part, &str)] = &[
    ("edge", Part::Step, "`place`"),
    ("nack", Part::Step, "`place`"),
    ("completion", Part::Step, "`finish`"),
    ("backoff", Part::Requests, "asks for"),
    ("forfeit", Part::Step, "whose turn"),
    ("forward", Part::Words, "stage 4 has the word"),
    ("reopened", Part::Step, "`place`"),
    ("published", Part::Words, "which is what it shows"),
    ("young", Part::Step, "`mark`"),
    ("late", Part::Step, "`place`"),
    ("peak", Part::Step, "`settle` leaves"),
    ("failure", Part::Step, "become of the event"),
    ("starve", Part::Requests, "due for longer"),
    ("deaf", Part::Requests, "late in a silence"),
];

#[test]
fn some_planted_bugs_are_refuted() {
    refute::planted_bugs_are_refuted(&SMALL, PLANTED, 9);
}

#[test]
#[ignore = "soak: `make test` has every ninth"]
fn planted_bugs_are_refuted() {
    refute::planted_bugs_are_refuted(&SMALL, PLANTED, 1);
}

#[test]
#[ignore = "soak: `make test` has a sample of REPS"]
fn bugs_of_a_sample_are_refuted() {
    bugs_are_refuted(&SMALL, BUGS, 8);
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
