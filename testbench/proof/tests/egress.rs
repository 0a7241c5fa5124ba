//! The proof of `weft_egress` holds, and can fail: bugs in the RTL and in the model.

use weft_nic::block::egress::header::quads_of_reply;
use weft_nic::block::egress::sound::Stored;
use weft_nic::block::egress::turn::Turn;
use weft_params::SackParams;
use weft_proof::egress::choice::{self, Choice};
use weft_proof::egress::header::{self, Stages};
use weft_proof::egress::intake::{self, Intake};
use weft_proof::egress::{Part, lookup};
use weft_proof::refute::{
    self, Bug, Changed, Tie, bugs_are_refuted, every_shape_is_proved, models_are_refuted, quick,
    ties_are_refuted, yosys,
};
use weft_symbolic::{Prover, Symbolic};
use weft_word::{Domain, Word};

/// The least to read: bugs do not care for the number of connections.
const SMALL: SackParams = SackParams { connections: 4 };

#[test]
#[ignore = "soak: `weft prove` proves the same in `make test`"]
fn it_is_proved_in_every_shape() {
    every_shape_is_proved::<Part>();
}

const HEADER: &str = "weft_egress_header";
const TRANSPORT: &str = "weft_egress_header_transport";
const PAYLOAD: &str = "weft_egress_payload";
const BEATS: &str = "weft_egress_beats";
const CHOICE: &str = "weft_egress_choice";
const ORDERS: &str = "weft_egress_orders";
const REPLIES: &str = "weft_egress_replies";
const READS: &str = "weft_egress_reads";
const OTHERS: &str = "weft_egress_others";
const TOP: &str = "weft_egress";

const OF_DATA: &str = "the headers of data";
const OF_REPLY: &str = "an ACK or NACK as";

/// Bugs in headers and beats.
const BYTES: &[Bug<Part>] = &[
    (Part::Header, HEADER, "{3'd0, 16'h8500", "{3'd0, 16'h4500", OF_DATA),
    (Part::Header, HEADER, "folded[2:0] + {2'd0, folded[16]}", "folded[2:0]", OF_DATA),
    (Part::Header, HEADER, "s4_peer_q_address[31:0]}", "s4_peer_q_address[127:96]}", OF_DATA),
    (Part::Header, HEADER, "16'd17 |", "16'd6 |", OF_DATA),
    (Part::Header, HEADER, "(320'd6 << 316)", "(320'd4 << 316)", OF_DATA),
    (Part::Header, HEADER, "1472'h8100", "1472'h88a8", OF_REPLY),
    (Part::Header, HEADER, "ect = 8'd2", "ect = 8'd1", OF_DATA),
    (Part::Header, HEADER, "dscp = dscp_again", "dscp = dscp_data", OF_DATA),
    (Part::Header, HEADER, "s1_stamp_q <= now", "s1_stamp_q <= 16'd0", "rule 6"),
    (Part::Header, HEADER, "if (s1_order_q) s2_order_q", "if (run_q) s2_order_q", "stage 2 has"),
    (Part::Header, HEADER, "s2_peer_d = order_peer", "s2_peer_d = reply_peer", "stage 2 has"),
    (Part::Header, TRANSPORT, "reply_psn[15:0] - reply_cumulative[15:0]", "reply_psn[15:0]", OF_REPLY),
    (Part::Header, TRANSPORT, "160'h12b7", "160'h12b6", OF_DATA),
    (Part::Header, TRANSPORT, "2'd0 - order_bytes[1:0]", "order_bytes[1:0]", OF_DATA),
    (
        Part::Header,
        TRANSPORT,
        "answers & !nack_or_last & (|reply_there)",
        "answers & (|reply_there)",
        OF_REPLY,
    ),
    (Part::Header, TRANSPORT, "(evs_15 << 16)", "(evs_14 << 16)", OF_REPLY),
    (Part::Header, TRANSPORT, "size_quads - before_udp", "size_quads - 12'd8", OF_DATA),
    (Part::Header, "weft_egress_header_reverse", "number[1471:1408]", "number[1471:1409]", OF_DATA),
    (Part::Frame, PAYLOAD, "!(|cut) ? EVERY", "!(|cut) ? 64'd0", "payload begins behind"),
    (Part::Frame, PAYLOAD, "(counts << 160) | (counts >> 352)", "(counts << 160)", "payload begins behind"),
    (Part::Frame, PAYLOAD, "? 6'd0 : slot_v6", "? 6'd1 : slot_v6", "payload begins behind"),
    (Part::Frame, PAYLOAD, "(6'd34 +", "(6'd30 +", "each further beat"),
    (Part::Frame, BEATS, "s6_carry_d = rest | {64'd0, high}", "s6_carry_d = rest", "the first three beats"),
    (Part::Frame, BEATS, "s6_data_d = word | s6_carry_q", "s6_data_d = word", "each further beat"),
    (Part::Frame, BEATS, "((s6_data_q >> 112) << 112) | V4", "s6_data_q | V4", "the ICRC is given"),
    (Part::Frame, BEATS, "!s7_slot_q_bypass & !s7_slot_q_spill", "!s7_slot_q_bypass", "the ICRC is given"),
    (Part::Frame, BEATS, "s16_slot_q_quads - 4'd1", "s16_slot_q_quads", "stage 17 has the beat"),
    (Part::Frame, BEATS, "crc[31:16]", "crc[15:0]", "stage 17 has the beat"),
    (Part::Frame, BEATS, "in_slot_bypass & in_bad", "in_bad", "stage 17 has the beat"),
    (Part::Frame, BEATS, "(valids_q << 1)", "(valids_q << 2)", "beats go on"),
];

/// Bugs in the choice, before it and at the ports.
const AROUND: &[Bug<Part>] = &[
    (Part::Choice, CHOICE, "more_d = 2'd3", "more_d = 2'd2", "stage 1 has what"),
    (
        Part::Choice,
        CHOICE,
        "left_d = reply_size_quads[11:4]",
        "left_d = reply_size_quads[10:3]",
        "every clock keeps",
    ),
    (Part::Choice, CHOICE, "done_d = left_q == 8'd1", "done_d = left_q == 8'd2", "every clock keeps"),
    (Part::Choice, CHOICE, "if (more_words & !first_q)", "if (more_words)", "every clock keeps"),
    (Part::Choice, CHOICE, "made_ends = left_q == 8'd1", "made_ends = done_q", "the beat of our frame"),
    (Part::Choice, CHOICE, "takes | (busy_q & dropped_q)", "takes", "order that is dropped"),
    (
        Part::Choice,
        CHOICE,
        "s2_valid_d = busy_q & !dropped_q",
        "s2_valid_d = busy_q",
        "order that is dropped",
    ),
    (Part::Intake, REPLIES, "more = 12'd6", "more = 12'd5", "a reply waits with its peer"),
    (
        Part::Intake,
        REPLIES,
        "waiting_peer_en = !waits_q",
        "waiting_peer_en = 1'b1",
        "a reply waits with its peer",
    ),
    (Part::Intake, ORDERS, "lookup_word_bytes + 14'd63", "lookup_word_bytes + 14'd64", "an order is sized"),
    (Part::Intake, ORDERS, "least = 12'd22", "least = 12'd21", "an order is sized"),
    (Part::Intake, ORDERS, "(bytes_q + entering) - leaving", "bytes_q + entering", "bytes are counted"),
    (Part::Intake, ORDERS, "(!s4_reads_q | packet_valid)", "packet_valid", "joins its read data"),
    (Part::Intake, ORDERS, "packet_words - 8'd1", "packet_words", "joins its read data"),
    (
        Part::Intake,
        ORDERS,
        "end else if (sized_q | lookup_valid) begin",
        "end else if (sized_q) begin",
        "rule 12",
    ),
    (Part::Intake, READS, "excess = stored_q[7]", "excess = stored_q[6]", "words of a packet"),
    (Part::Intake, READS, "tears & !in_last", "tears", "words of a packet"),
    (
        Part::Intake,
        READS,
        "{5'd0, ^(in_keep & TWOS)} << 1",
        "{5'd0, ^(in_keep & ONES)} << 1",
        "its last byte",
    ),
    (Part::Intake, OTHERS, "excess = stored_q[8]", "excess = stored_q[7]", "words of others"),
    (Part::Intake, OTHERS, "accept & in_word_last & !excess", "accept & in_word_last", "words of others"),
    (Part::Intake, OTHERS, "waits_d = waiting_q != 10'd1", "waits_d = 1'b1", "waits if there is one"),
    (Part::Ports, TOP, "sweeping_en = &sweep_q", "sweeping_en = |sweep_q", "the sweep makes every peer 0"),
    (Part::Ports, TOP, "s_axis_peer_tvalid & !sweeping_q", "s_axis_peer_tvalid", "rule 10"),
    (
        Part::Ports,
        TOP,
        "choice_reply_taken & !replies_reply_nack",
        "choice_reply_taken",
        "counted when it begins",
    ),
    (
        Part::Intake,
        TOP,
        "s_axis_passed_tdata_ended & !sweeping_q",
        "s_axis_passed_tdata_ended",
        "s_axis_passed",
    ),
    (Part::Ports, "weft_egress_change", "(order_out & !drops)", "order_out", "rule 10"),
    (Part::Ports, "weft_counter", "total_q + 16'd1", "total_q + 16'd2", "modulo 2^16"),
];

/// Bugs in the look-up of peers.
const LOOKUP: &[(&str, &str, &str)] = &[
    ("(waddr == s1_id_q)", "(waddr == s2_id_q)", "every clock keeps it"),
    ("peers_raddr = s2_id_q", "peers_raddr = s1_id_q", "every clock keeps it"),
    ("run | s2_again_q", "run", "every clock keeps it"),
    (".oe    (run)", ".oe    (1'b1)", "every clock keeps it"),
    ("run & valids_q[1]", "run & valids_q[2]", "go on by a stage"),
];

/// The planted bugs, in order: the part, and a word of the claim that must be refuted.
const PLANTED: &[(&str, Part, &str)] = &[
    ("spill", Part::Frame, "stage 17 has the beat"),
    ("pkey", Part::Header, OF_DATA),
    ("cut", Part::Choice, "the last word of payload"),
    ("masked", Part::Frame, "the ICRC is given"),
    ("carry", Part::Header, OF_DATA),
    ("compare", Part::Intake, "joins its read data"),
    ("turn", Part::Choice, "rule 3"),
    ("queue", Part::Intake, "rule 4"),
    ("again", Part::Words, "every clock keeps it"),
    ("at_once", Part::Ports, "rules 1 and 10"),
    ("begun", Part::Ports, "rules 10 and 11"),
    ("keep", Part::Intake, "joins its read data"),
    ("gaps", Part::Intake, "read data is stored"),
    ("past", Part::Intake, "joins its read data"),
    ("acknowledged", Part::Intake, "joins its read data"),
    ("whose", Part::Intake, "rule 12"),
];

/// Ports of parts that are proved alone.
const TIES: &[Tie<Part>] = &[
    (None, "weft_egress_beats", "data", "en", "1'b1", "moves with it"),
    (Some(Part::Frame), "weft_egress_beats", "keep", "clocks", "4'd13", "a word that only waits"),
    (Some(Part::Ports), "weft_egress_reads", "words", "rst", "1'b0", "reset with it"),
    (Some(Part::Frame), "weft_egress_beats", "icrc", "next_run", "1'b1", "the CRC moves"),
];

/// Models of headers with one change each.
const HEADERS: &[Changed<header::Model>] = &[
    (
        "data that is sent again has no mark",
        header::Model {
            data: |csr, peer, order, stamp| {
                let mut order = *order;
                order.again = Symbolic::lit(0);
                (header::MODEL.data)(csr, peer, &order, stamp)
            },
            ..header::MODEL
        },
        OF_DATA,
    ),
    (
        "a NACK names the last PSN without a gap",
        header::Model {
            reply: |csr, peer, reply| {
                let mut reply = *reply;
                reply.psn = reply.cumulative.when(reply.nack, reply.psn);
                (header::MODEL.reply)(csr, peer, &reply)
            },
            ..header::MODEL
        },
        OF_REPLY,
    ),
    (
        "the time is another",
        header::Model {
            data: |csr, peer, order, stamp| (header::MODEL.data)(csr, peer, order, stamp + Symbolic::lit(1)),
            ..header::MODEL
        },
        OF_DATA,
    ),
];

/// Models of the choice.
const TURNS: &[Changed<choice::Model>] = &[(
    "frames of others first",
    |reply, order, other, order_next| {
        let turn = (choice::MODEL)(reply, order, other, order_next);
        Turn { other: other & !reply, order: turn.order & !other, ..turn }
    },
    "rule 3",
)];

/// Models of the changed stream's judges.
const JUDGES: &[Changed<intake::Model>] = &[
    (
        "too few words are enough",
        intake::Model {
            wrong: |stored, bytes| {
                let words = (bytes + Symbolic::lit(63)).slice::<6, 8>();
                (intake::MODEL.wrong)(&Stored { words, ..*stored }, bytes)
            },
            ..intake::MODEL
        },
        "joins its read data",
    ),
    (
        "a PSN that is the first not acknowledged has passed",
        intake::Model {
            has: |passed, psn| {
                let mut passed = *passed;
                passed.una = passed.una + Symbolic::lit(1);
                (intake::MODEL.has)(&passed, psn)
            },
            ..intake::MODEL
        },
        "joins its read data",
    ),
    (
        "a list makes no ACK longer",
        intake::Model {
            quads_of_reply: |reply| {
                let mut reply = *reply;
                reply.there = Symbolic::lit(0);
                quads_of_reply(&reply)
            },
            ..intake::MODEL
        },
        "a reply waits with its peer",
    ),
    (
        "a last word may have gaps",
        intake::Model { lacks: |keep, last| (intake::MODEL.lacks)(keep, last) & !last, ..intake::MODEL },
        "read data is stored",
    ),
];

#[test]
fn some_planted_bugs_are_refuted() {
    refute::planted_bugs_are_refuted(&SMALL, PLANTED, 5);
}

#[test]
#[ignore = "soak: `make test` has every fifth"]
fn planted_bugs_are_refuted() {
    refute::planted_bugs_are_refuted(&SMALL, PLANTED, 1);
}

#[test]
fn a_sample_of_bugs_in_the_bytes_is_refuted() {
    bugs_are_refuted(&SMALL, BYTES, 6);
}

#[test]
#[ignore = "soak: `make test` has a sample"]
fn bugs_in_the_bytes_are_refuted() {
    bugs_are_refuted(&SMALL, BYTES, 1);
}

#[test]
fn a_sample_of_bugs_around_it_is_refuted() {
    bugs_are_refuted(&SMALL, AROUND, 6);
}

#[test]
#[ignore = "soak: `make test` has a sample"]
fn bugs_around_it_are_refuted() {
    bugs_are_refuted(&SMALL, AROUND, 1);
}

#[test]
fn bugs_in_the_look_up_are_refuted() {
    let Some(yosys) = yosys() else { return };
    let name = "weft_egress_orders_lookup";
    let sound = refute::emit::<Part>(&SMALL);
    for (from, to, symptom) in LOOKUP {
        let mut proof = quick().proof(Prover::default());
        lookup::prove(&yosys, &refute::changed(&sound, name, from, to), name, &mut proof).unwrap();
        refute::assert_refutes(&proof, to, symptom);
    }
}

#[test]
fn ports_that_are_tied_wrongly_are_refuted() {
    ties_are_refuted(&SMALL, TIES, 1);
}

#[test]
fn a_bug_in_the_model_is_refuted() {
    let Some(yosys) = yosys() else { return };
    let design = refute::block::<Part>(&yosys, &SMALL);
    models_are_refuted(HEADERS, |model, proof| Stages::new(&design, model).prove(proof).unwrap());
    models_are_refuted(TURNS, |model, proof| Choice::new(&design, model).unwrap().prove(proof).unwrap());
    models_are_refuted(JUDGES, |model, proof| Intake::new(&design, model).unwrap().prove(proof).unwrap());
}
