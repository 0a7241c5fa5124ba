//! The proof of `weft_ingress` holds, and can fail: bugs in the RTL and in the model.

use weft_nic::block::ingress::{Class, Party};
use weft_params::SackParams;
use weft_proof::icrc;
use weft_proof::ingress::Part;
use weft_proof::ingress::step::{MODEL, Model, Step};
use weft_proof::refute::{
    self, Bug, Changed, Tie, bugs_are_refuted, every_shape_is_proved, models_are_refuted, quick,
    ties_are_refuted, yosys,
};
use weft_symbolic::{Prover, Symbolic};
use weft_word::Domain;

/// The least to read: bugs do not care for the number of connections.
const SMALL: SackParams = SackParams { connections: 4 };

#[test]
#[ignore = "soak: `weft prove` proves the same in `make test`"]
fn it_is_proved_in_every_shape() {
    every_shape_is_proved::<Part>();
}

const ICRC: &str = "weft_icrc";
const VERDICT: &str = "weft_ingress_verdict";
const CLASSIFY: &str = "weft_ingress_classify";
const FIELDS: &str = "weft_ingress_fields";
const ALIGN: &str = "weft_ingress_align";
const INTEGRITY: &str = "weft_ingress_integrity";

/// Bugs in the CRC: the module, the present text, the text that replaces it, and a word of the claim that
/// must be refuted.
const CRC: &[(&str, &str, &str, &str)] = &[
    (ICRC, "000000040000)) sixes_5", "100000040000)) sixes_5", "from any state"),
    (ICRC, "(in_data)", "({in_data[510:0], 1'b0})", "of its bytes"),
    (ICRC, "1320'h3", "1320'h1", "from any state"),
    (ICRC, "60'hff01e1e33335555", "60'hff01e1e33335554", "from any state"),
    (ICRC, "1024'h0000826", "1024'h0000827", "from any state"),
    (ICRC, "1024'h5580", "1024'h5581", "ends 34 bytes before"),
    (ICRC, "1024'h5800", "1024'h5900", "ends 18 bytes before"),
    (ICRC, "1024'h6", "1024'h7", "ends 10 bytes before"),
    (ICRC, "1024'hc", "1024'hd", "ends 6 bytes before"),
    (ICRC, "2464'hcc", "2464'hcd", "from any state"),
    (ICRC, "s4_by32_d = in_quads[3]", "s4_by32_d = in_quads[2]", "ends 34 bytes before"),
    (ICRC, "run_2_q & valids_q[2]", "run_2_q", "without a word"),
    (ICRC, "assign out_valid = lasts_q[8]", "assign out_valid = lasts_q[7]", "ten moves behind"),
    (ICRC, "s8_state_q == RESIDUE", "s8_state_q != RESIDUE", "called right"),
    (ICRC, "s10_crc_d = ~of_threes_y", "s10_crc_d = of_threes_y", "from any state"),
    ("weft_enable", "enable <= next_run", "enable <= !next_run", "it was told so"),
];

/// Bugs in the modules that decide what happens to a frame.
const DECISION: &[Bug<Part>] = &[
    (Part::Step, CLASSIFY, "ip[511:504] == 8'd69", "ip[511:508] == 4'd4", "has the verdict"),
    (Part::Step, CLASSIFY, "!(|ip[461:448])", "!(|ip[460:448])", "has the verdict"),
    (Part::Step, CLASSIFY, "ip[255:192] == ipv6[63:0]", "ip[255:193] == ipv6[63:1]", "has the verdict"),
    (Part::Step, CLASSIFY, "PORT        = 16'h12b7", "PORT        = 16'h12b6", "has the verdict"),
    (Part::Step, CLASSIFY, "s4_whole_d = head_keep[19]", "s4_whole_d = head_keep[18]", "has the verdict"),
    (Part::Step, CLASSIFY, " & head[380]", "", "has the verdict"),
    (Part::Step, CLASSIFY, "udp != 16'd40", "udp < 16'd40", "has the verdict"),
    (Part::Step, CLASSIFY, "(|length[31:14])", "(|length[30:14])", "has the verdict"),
    (Part::Step, CLASSIFY, "|head[435:432]", "|head[434:432]", "has the verdict"),
    (Part::Step, CLASSIFY, "s4_carried_q < 17'd20", "s4_carried_q < 17'd19", "has the verdict"),
    (Part::Step, CLASSIFY, "header = 16'd52", "header = 16'd48", "has the verdict"),
    (Part::Step, CLASSIFY, "s5_uneven_q | cut", "s5_uneven_q", "has the verdict"),
    (Part::Step, "weft_ingress_checksum", "{13'd0, s7_q[19:16]}", "{14'd0, s7_q[18:16]}", "has the verdict"),
    (
        Part::Step,
        VERDICT,
        "ip[447:320] : {96'd0, ip[415:384]}",
        "ip[447:320] : {96'd0, ip[447:416]}",
        "has the verdict",
    ),
    (Part::Step, VERDICT, "checksum_wrong & s9_v4_q", "checksum_wrong", "has the verdict"),
    (Part::Step, VERDICT, "early_icrc = !s9_class_q_trimmed", "early_icrc = 1'b1", "has the verdict"),
    (Part::Step, VERDICT, "s9_vlan_q & !s9_stranger_q", "s9_vlan_q", "has the verdict"),
    (Part::Step, VERDICT, "stands = ends & s16_sound_q", "stands = s16_sound_q", "has the verdict"),
    (Part::Step, VERDICT, ".CLOCKS(4)) s8_in_range", ".CLOCKS(3)) s8_in_range", "has the verdict"),
    (
        Part::Step,
        "weft_ingress",
        "data_in = is_data & arrival_room & !payload_lost",
        "data_in = is_data & arrival_room",
        "`admit` lets in",
    ),
    (
        Part::Step,
        "weft_ingress",
        "losing_d = payload_lost & !last",
        "losing_d = payload_lost",
        "`admit` lets in",
    ),
    (
        Part::Step,
        "weft_ingress",
        "lives_q[1] & bypass_full",
        "lives_q[0] & bypass_full",
        "stay in the bypass",
    ),
    (Part::Step, FIELDS, "24'hff0000", "24'hfe0000", "acknowledgement is what"),
    (Part::Step, FIELDS, "head[175:160] == 16'd1", "head[174:160] == 15'd1", "acknowledgement is what"),
    (Part::Step, FIELDS, "ecn == 2'd3", "ecn != 2'd0", "arrival is what"),
    (Part::Step, FIELDS, "udp >= 16'd40", "udp > 16'd40", "arrival is what"),
];

/// Bugs in the front and at the ports.
const AROUND: &[Bug<Part>] = &[
    (
        Part::Front,
        ALIGN,
        "leaves = s2_waits_q & (s2_q_last | s1_live_q)",
        "leaves = s2_waits_q & s1_live_q",
        "waits in stage 2",
    ),
    (Part::Front, ALIGN, "has_vlan & (type_at16 == V6_TYPE)", "type_at16 == V6_TYPE", "waits in stage 2"),
    (Part::Front, ALIGN, "aligned = pair[975:464]", "aligned = pair[967:456]", "its headers"),
    (Part::Front, ALIGN, "keeps = {64'd0, s2_q_keep} |", "keeps =", "its headers"),
    (Part::Front, ALIGN, "s3_tail_en = leaves & s2_second_q", "s3_tail_en = leaves", "its headers"),
    (Part::Front, ALIGN, "ahead = ahead_of_ip + 17'd40", "ahead = ahead_of_ip + 17'd20", "IP header says"),
    (Part::Front, ALIGN, "s3_left_q - 17'd64", "s3_left_q - 17'd32", "64 less"),
    (Part::Front, INTEGRITY, "s4_beyond_q | (|(s4_reach_q & ~s4_keep_q))", "s4_beyond_q", "found to be cut"),
    (Part::Front, INTEGRITY, "reach & ~ETHERNET_VLAN", "reach & ~ETHERNET", "the ICRC is given"),
    (Part::Front, INTEGRITY, "~left[5:2]", "~left[4:1]", "whole 4 bytes ends"),
    (Part::Front, INTEGRITY, "if (icrc_out_valid) s16_right_q", "s16_right_q", "stays until"),
    (
        Part::Front,
        "weft_ingress_payload",
        "s4_carried_q[159:32]",
        "s4_carried_q[151:24]",
        "the next 64 bytes",
    ),
    (
        Part::Front,
        "weft_ingress_payload",
        "s4_last_d = left_q <= 14'd64",
        "s4_last_d = left_q < 14'd64",
        "the next 64 bytes",
    ),
    (Part::Front, "weft_ingress_payload", "immediate_en = live & first", "immediate_en = live", "DMA length"),
    (Part::Ports, "weft_ingress_peers", "peers_waddr = sweep_q", "peers_waddr = id", "is written while"),
    (
        Part::Ports,
        "weft_ingress_peers",
        "entry_open = peer_open & !sweeping_q",
        "entry_open = peer_open",
        "is written while",
    ),
    (
        Part::Ports,
        "weft_ingress_peers",
        "sweeping_en = &sweep_q",
        "sweeping_en = |sweep_q",
        "goes through all",
    ),
    (Part::Ports, "weft_ingress_close", "asked_d = offered & !taken", "asked_d = offered", "rule 12"),
    (Part::Ports, "weft_ingress", "s_axis_peer_tdata[130] ?", "s_axis_peer_tdata[131] ?", "is written while"),
    (Part::Ports, "weft_counter", "total_q + 16'd1", "total_q + 16'd2", "modulo 2^16"),
    (Part::Ports, "weft_ingress", "(lasts_q << 1)", "(lasts_q << 2)", "by a stage per clock"),
    (Part::Ports, INTEGRITY, ".next_run  (1'b1)", ".next_run  (s5_live_q)", "moves in every clock"),
];

/// The planted bugs, in order: the part, and a word of the claim that must be refuted.
const PLANTED: &[(&str, Part, &str)] = &[
    ("family", Part::Step, "has the verdict"),
    ("icrc", Part::Step, "has the verdict"),
    ("unknown", Part::Step, "has the verdict"),
    ("vlan", Part::Step, "has the verdict"),
    ("priority", Part::Front, "its headers"),
    ("partition", Part::Step, "has the verdict"),
    ("no_partition", Part::Step, "has the verdict"),
    ("member", Part::Step, "has the verdict"),
    ("sweep", Part::Ports, "is written while"),
    ("sweeping", Part::Step, "has the verdict"),
    ("reth_v4", Part::Step, "arrival is what"),
    ("xeth_v4", Part::Step, "arrival is what"),
    ("last_xeth_v6", Part::Step, "arrival is what"),
    ("close_acknowledgements", Part::Ports, "rules 12 and 13"),
    ("close_payload", Part::Ports, "rules 12 and 13"),
    ("close_frames", Part::Ports, "rules 12 and 13"),
    ("fence", Part::Queues, "fence of 4 bits"),
    ("wait", Part::Waits, "comes out"),
    ("bypass", Part::Step, "stay in the bypass"),
];

/// Ports of parts that are proved alone.
const TIES: &[Tie<Part>] = &[
    (None, "weft_ingress_close", "frames", "rst", "1'b0", "reset with it"),
    (None, "weft_ingress_peers", "peers", "run", "1'b0", "moves with it"),
    (Some(Part::Step), "weft_ingress", "hold", "clocks", "4'd11", "a word that only waits"),
];

/// Models with one change each.
const MODELS: &[Changed<Model>] = &[
    (
        "a trimmed packet needs an ICRC",
        Model {
            unsound: |class, bad, right| {
                let class = Class { trimmed: Symbolic::lit(0), ..*class };
                (MODEL.unsound)(&class, bad, right)
            },
            ..MODEL
        },
        "has the verdict",
    ),
    (
        "a peer of the other family is let in",
        Model {
            unwelcome: |in_range, peer, source| {
                (MODEL.unwelcome)(in_range, &Party { v6: source.v6, ..*peer }, source)
            },
            ..MODEL
        },
        "has the verdict",
    ),
    (
        "a probe of any length is one",
        Model {
            classify: |csr, headers| {
                let class = (MODEL.classify)(csr, headers);
                Class { malformed: class.malformed & !class.probe, ..class }
            },
            ..MODEL
        },
        "has the verdict",
    ),
    (
        "payload that was lost is let in",
        Model {
            admit: |kind, cause, room| {
                let mut room = *room;
                room.payload = Symbolic::lit(1);
                (MODEL.admit)(kind, cause, &room)
            },
            ..MODEL
        },
        "`admit` lets in",
    ),
    (
        "an arrival of trimmed data has bytes",
        Model {
            arrival: |csr, headers, class| {
                let class = Class { trimmed: Symbolic::lit(0), ..*class };
                (MODEL.arrival)(csr, headers, &class)
            },
            ..MODEL
        },
        "arrival is what",
    ),
    (
        "a NACK has no reason",
        Model {
            acknowledgement: |headers, class| {
                let mut ack = (MODEL.acknowledgement)(headers, class);
                ack.reason = Symbolic::lit(0);
                ack
            },
            ..MODEL
        },
        "acknowledgement is what",
    ),
];

#[test]
fn some_planted_bugs_are_refuted() {
    refute::planted_bugs_are_refuted(&SMALL, PLANTED, 4);
}

#[test]
#[ignore = "soak: `make test` has every fourth"]
fn planted_bugs_are_refuted() {
    refute::planted_bugs_are_refuted(&SMALL, PLANTED, 1);
}

/// Each `every`th bug in the CRC is refuted.
fn crc(every: usize) {
    let Some(yosys) = yosys() else { return };
    let sound = refute::emit::<Part>(&SMALL);
    for (module, from, to, symptom) in CRC.iter().step_by(every) {
        let mut proof = quick().proof(Prover::default());
        icrc::prove(&yosys, &refute::changed(&sound, module, from, to), &mut proof).unwrap();
        refute::assert_refutes(&proof, &format!("{module}: {to}"), symptom);
    }
}

#[test]
fn a_sample_of_bugs_in_the_crc_is_refuted() {
    crc(4);
}

#[test]
#[ignore = "soak: `make test` has every fourth"]
fn bugs_in_the_crc_are_refuted() {
    crc(1);
}

#[test]
fn bugs_in_the_decision_are_refuted() {
    bugs_are_refuted(&SMALL, DECISION, 2);
}

#[test]
#[ignore = "soak: `make test` has every second"]
fn every_bug_in_the_decision_is_refuted() {
    bugs_are_refuted(&SMALL, DECISION, 1);
}

#[test]
fn a_sample_of_bugs_around_it_is_refuted() {
    bugs_are_refuted(&SMALL, AROUND, 5);
}

#[test]
#[ignore = "soak: `make test` has a sample"]
fn bugs_around_it_are_refuted() {
    bugs_are_refuted(&SMALL, AROUND, 1);
}

#[test]
fn ports_that_are_tied_wrongly_are_refuted() {
    ties_are_refuted(&SMALL, TIES, 1);
}

#[test]
fn a_bug_in_the_model_is_refuted() {
    let Some(yosys) = yosys() else { return };
    let design = refute::block::<Part>(&yosys, &SMALL);
    models_are_refuted(MODELS, |model, proof| Step::new(&design, model).unwrap().prove(proof).unwrap());
}
