//! The proof of front and settle of `weft_receiver` holds, and can fail: bugs in the RTL and in the model.

use weft_nic::block::receiver::rules::{self, Mark, Treatment};
use weft_nic::words::over::Bar;
use weft_params::SackParams;
use weft_proof::ram;
use weft_proof::receiver::Part;
use weft_proof::receiver::front::{self, Front};
use weft_proof::receiver::settle::{self, Settle};
use weft_proof::refute::{
    self, Bug, Changed, Inside, bugs_are_refuted, bugs_inside_are_refuted, every_shape_is_proved,
    models_are_refuted, yosys,
};
use weft_symbolic::Symbolic;
use weft_word::{Domain, Word};

/// The least to read: bugs do not care for the number of connections.
const SMALL: SackParams = SackParams { connections: 4 };

#[test]
#[ignore = "soak: `weft prove` proves the same in `make test`"]
fn it_is_proved_in_every_shape() {
    every_shape_is_proved::<Part>();
}

const FRONT: &str = "weft_receiver_front";
const SETTLE: &str = "weft_receiver_settle";
const TOP: &str = "weft_receiver";

/// Bugs in front and settle: the module, the present text, the text that replaces it, and a word of the claim
/// that must be refuted. The first four are bugs of `--plant`.
const INSIDE: &[Inside] = &[
    (FRONT, "s5_end_q > ", "s5_end_q >= ", "rules 4 and 17"),
    (FRONT, "& !was_own_q", "& 1'b1", "rule 3"),
    (FRONT, "enters & control_word_q_open", "enters", "an open is accepted"),
    (SETTLE, "s1_number_q + 24'd1", "s1_number_q + 24'd2", "rule 10"),
    (FRONT, "entered_d = !leaves", "entered_d = 1'b1", "rule 16"),
    (FRONT, "taken_ce = arrival_ce & !own", "taken_ce = arrival_ce", "rule 14"),
    (FRONT, "s3_entry_q_key == regions_rdata_key", "1'b1", "rules 4 and 17"),
    (FRONT, "|s4_ahead_q[63:32]", "|s4_ahead_q[62:32]", "rules 4 and 17"),
    (FRONT, "(s5_some_q & beyond)", "beyond", "rules 4 and 17"),
    (FRONT, "(packet & s6_bar_q_failed)", "(data & s6_bar_q_failed)", "rules 4 and 17"),
    (FRONT, "s6_bar_q_held & !refused", "s6_bar_q_held", "rules 4 and 17"),
    (FRONT, "bar_failed & swept", "bar_failed", "a bar is written"),
    (FRONT, "valids_q[0] & (s1_entry_q_kind == AN_OPEN)", "valids_q[0]", "a bar is written"),
    (SETTLE, "is_ack & !(side_denied & side_failed)", "is_ack", "rules 13 and 17"),
    (SETTLE, "expected - 24'd1", "expected", "rules 6 to 8"),
    (SETTLE, "(verdict == 3'd3) | side_denied", "side_denied", "rules 6 to 8"),
    (SETTLE, "mark_start = is_placed & !is_ack", "mark_start = is_placed", "rules 13 and 17"),
    (SETTLE, "SLOTS_OF_OPEN - 9'd1", "SLOTS_OF_OPEN", "as many steps"),
    (SETTLE, "more_d = !last_step", "more_d = 1'b1", "has steps left"),
    (SETTLE, "side_solicited & !opens", "side_solicited", "rule 10"),
    (SETTLE, "side_payload & !more_q", "side_payload", "rule 5"),
    (SETTLE, "slots_rdata_number == s3_number_q[15:4]", "1'b1", "rule 11"),
];

/// Bugs around these modules; the first is one of `--plant`.
const AROUND: &[Bug<Part>] = &[
    (Part::Ports, TOP, "reports_wait_q & !(|replies_fence_ahead)", "reports_wait_q", "rule 16"),
    (Part::Ports, TOP, "settle_closes | out", "settle_closes", "from the clock on"),
];

/// Models of the front with one change each.
const FRONTS: &[Changed<front::Model>] = &[
    (
        "an address before the region is inside",
        front::Model {
            treats: |region, arrival, bar| {
                let mut arrival = *arrival;
                arrival.address = region.base.when(arrival.address.less(region.base), arrival.address);
                (front::MODEL.treats)(region, &arrival, bar)
            },
            ..front::MODEL
        },
        "rules 4 and 17",
    ),
    (
        "a failed connection is no bar",
        front::Model {
            treats: |region, arrival, bar| {
                (front::MODEL.treats)(region, arrival, &Bar { failed: Symbolic::lit(0), ..*bar })
            },
            ..front::MODEL
        },
        "rules 4 and 17",
    ),
];

/// Models of settle with one change each.
const SETTLES: &[Changed<settle::Model>] = &[
    (
        "a packet that is held is only trimmed",
        settle::Model {
            reply: |outcome, treatment, last_hop| {
                rules::reply(outcome, &Treatment { held: Symbolic::lit(0), ..*treatment }, last_hop)
            },
            ..settle::MODEL
        },
        "rules 6 to 8",
    ),
    (
        "an ACK leaves packets that wait",
        settle::Model {
            mark: |outcome| {
                let mark = rules::mark(outcome, 256);
                Mark { stop: mark.control, ..mark }
            },
            ..settle::MODEL
        },
        "rules 13 and 17",
    ),
    (
        "an open takes one step",
        settle::Model { steps: |outcome| outcome.completed | Symbolic::lit(1), ..settle::MODEL },
        "as many steps",
    ),
];

#[test]
fn bugs_in_front_and_settle_are_refuted() {
    bugs_inside_are_refuted::<Part>(&SMALL, INSIDE, |yosys, modules, name, proof| {
        let design = ram::watched(yosys, modules, name, name).unwrap();
        match name {
            FRONT => Front::new(&design, front::MODEL).prove(proof).unwrap(),
            _ => Settle::new(&design, settle::MODEL).unwrap().prove(proof).unwrap(),
        }
    });
}

#[test]
fn bugs_around_them_are_refuted() {
    bugs_are_refuted(&SMALL, AROUND, 1);
}

#[test]
fn a_bug_in_the_model_is_refuted() {
    let Some(yosys) = yosys() else { return };
    let modules = refute::emit::<Part>(&SMALL);
    let alone = |name: &str| ram::watched(&yosys, &modules, name, name).unwrap();
    let (front, settle) = (alone(FRONT), alone(SETTLE));
    models_are_refuted(FRONTS, |model, proof| Front::new(&front, model).prove(proof).unwrap());
    models_are_refuted(SETTLES, |model, proof| Settle::new(&settle, model).unwrap().prove(proof).unwrap());
}
