//! The proof of `weft_sack_rx` holds, and can fail: bugs in the RTL and in the model.

use weft_nic::part::ring::Ring;
use weft_params::SackParams;
use weft_proof::refute::{
    self, Bug, Changed, Tie, bugs_are_refuted, every_shape_is_proved, models_are_refuted, ties_are_refuted,
    yosys,
};
use weft_proof::sack_rx::Part;
use weft_proof::sack_rx::step::{MODEL, Model, Step};
use weft_symbolic::Symbolic;
use weft_word::{Domain, Word};

/// The least to read: bugs do not care for the number of connections.
const SMALL: SackParams = SackParams { connections: 4 };

#[test]
#[ignore = "soak: `weft prove` proves the same in `make test`"]
fn it_is_proved_in_every_shape() {
    every_shape_is_proved::<Part>();
}

/// Bugs in every module.
const BUGS: &[Bug<Part>] = &[
    (Part::Rings, "weft_ring_hot", "16'd1 <<", "16'd2 <<", "the slot, if"),
    (Part::Rings, "weft_ring_gather", "<< 16", "<< 15", "the slot, if"),
    (
        Part::Rings,
        "weft_ring_below",
        "full_d = ~(16'hffff << high)",
        "full_d = ~(16'hfffe << high)",
        "the slots below",
    ),
    (
        Part::Rings,
        "weft_ring_extent",
        "covered_d = stop[8] ? (not_below | below)",
        "covered_d = stop[8] ? (not_below & below)",
        "so many slots",
    ),
    (
        Part::Rings,
        "weft_ring_find",
        "16'hfffe << start_group",
        "16'hffff << start_group",
        "the first that is set",
    ),
    (
        Part::Rings,
        "weft_ring_find",
        "group = first_after_index",
        "group = first_some_index",
        "the first that is set",
    ),
    (Part::Rings, "weft_ring_compressor", "odd_0 & odd_1", "odd_0 | odd_1", "the same of their"),
    (Part::Rings, "weft_ring_count", "number_0 + number_1", "number_0 | number_1", "pair by pair"),
    (Part::Rings, "weft_ring_count", "{3'd0, weight_1_q} << 1", "{3'd0, weight_1_q} << 2", "by their weight"),
    (Part::Rings, "weft_ring_rotate", "by_4_q << 32", "by_4_q << 31", "turned by"),
    (
        Part::Rings,
        "weft_ring_find",
        "if (run_q) begin\n            s2",
        "begin\n            s2",
        "a stall changes nothing",
    ),
    (Part::Words, "weft_context", "near4 = s5_live_q", "near4 = s4_live_q", "every clock keeps it"),
    (Part::Words, "weft_context", "!s2_near_q[1] & (s2", "(s2", "every clock keeps it"),
    (Part::Words, "weft_context", "near1 = s2_live_q & ", "near1 = ", "every clock keeps it"),
    (Part::Words, "weft_ring_store", "& ~clear) | mark", "| mark) & ~clear", "clears, then marks"),
    (Part::Words, "weft_context", "ram_we = run_q & s5_live_q", "ram_we = run_q", "nothing else changes"),
    (Part::Words, "weft_ram_sdp", "words[waddr] <= wdata", "words[raddr] <= wdata", "the one last written"),
    (Part::Words, "weft_ram_sdp", "words[waddr]", "words[waddr & 1]", "the one last written"),
    (
        Part::Skid,
        "weft_ram_sdp",
        "words [0:(1 << A) - 1]",
        "words [0:A > 3 ? 7 : 3]",
        "a word for each address",
    ),
    (Part::Words, "weft_ram_sdp", "assign rdata = out", "assign rdata = 0", "which is what it shows"),
    (Part::Words, "weft_published", "we & (waddr == raddr)", "waddr == raddr", "in the same clock even"),
    (Part::Words, "weft_wait", "+ 4'd1) - clocks", "+ 4'd2) - clocks", "comes out"),
    (Part::Step, "weft_sack_rx_window", "packet & s4_ahead_q[23]", "packet & s4_ahead_q[22]", "`place`"),
    (Part::Step, "weft_sack_rx_window", "s5_data_q & s5_offset_q[8]", "s5_offset_q[8]", "`received_after`"),
    (Part::Step, "weft_sack_rx_window", "(|s7_hits_q) == s7_turn_q", "(|s7_hits_q)", "`received_before`"),
    (Part::Step, "weft_sack_rx_window", "s13_run_d = 9'h100", "s13_run_d = 9'h0ff", "the run that"),
    (
        Part::Step,
        "weft_sack_rx_window",
        "8'd0 - (s13_from_q + s13_run_q[7:0])",
        "8'd0 - s13_from_q",
        "how far to turn",
    ),
    (
        Part::Step,
        "weft_sack_rx_window",
        "s16_ended_d = last_after & span_mask",
        "s16_ended_d = last_after",
        "the ends of messages",
    ),
    (
        Part::Step,
        "weft_sack_rx_window",
        "~s15_missing_late & ~span_mask",
        "~s15_missing_late",
        "beyond the run",
    ),
    (Part::Step, "weft_sack_rx_window", "judged_verdict = 3'd4", "judged_verdict = 3'd3", "`account`"),
    (
        Part::Step,
        "weft_sack_rx_account",
        "messages[8:0] != words_prior_messages[8:0]",
        "messages[7:0] != words_prior_messages[7:0]",
        "`account`",
    ),
    (Part::Step, "weft_sack_rx_account", "bytes = 16'hffff", "bytes = 16'h0000", "`account`"),
    (
        Part::Step,
        "weft_sack_rx_window",
        "received_in_live = lives_q[1]",
        "received_in_live = lives_q[2]",
        "words are read",
    ),
    (
        Part::Step,
        "weft_sack_rx",
        "account_tail_bytes + 32'd255",
        "account_tail_bytes",
        "publishes, counts and answers",
    ),
    (Part::Pipeline, "weft_sack_rx_front", "!(|draining_q)", "!(&draining_q)", "nothing has to be published"),
    (
        Part::Pipeline,
        "weft_sack_rx_front",
        "event_user[2:1] == 2'd2",
        "event_user[2:0] == 3'd4",
        "one close per move",
    ),
    (Part::Pipeline, "weft_sack_rx_front", "DRAIN = 5'd20", "DRAIN = 5'd19", "before anything else enters"),
    (
        Part::Pipeline,
        "weft_sack_rx_front",
        "taken_last = event_user[5]",
        "taken_last = event_user[4]",
        "was offered",
    ),
    (Part::Pipeline, "weft_counter", "total_q + 16'd1", "total_q + 16'd2", "is counted"),
    (
        Part::Pipeline,
        "weft_sack_rx",
        ".out_ready (m_axis_outcome_tready)",
        ".out_ready (1'b1)",
        "wired to the ports",
    ),
    (Part::Pipeline, "weft_sack_rx", ".take  (slots_take)", ".take  (1'b1)", "wired to the ports"),
    (Part::Step, "weft_sack_rx_window", ".clocks (4'd11)", ".clocks (4'd10)", "a word that only waits"),
    (Part::Skid, "weft_slots", "behind_d = !behind_q", "behind_d = behind_q", "the invariant is kept"),
    (Part::Skid, "weft_ram_lut", "words[waddr] <= wdata", "words[raddr] <= wdata", "clock and step agree"),
    (Part::Skid, "weft_ring_find", ".next_run (next_run)", ".next_run (1'b1)", "every module's enable"),
    (Part::Skid, "weft_enable", "enable <= next_run", "enable <= 1'b1", "clock and step agree"),
    (Part::Skid, "weft_skid", "moves = !some | free", "moves = 1'b1", "clock and step agree"),
];

/// The proof with windows of 512 PSNs.
type Larger = Part<9, 10, 4>;

/// Bugs in what only windows above 256 PSNs have.
const LARGER: &[Bug<Larger>] = &[
    (
        Part::Rings,
        "weft_ring_gather",
        "(all_0 >> 16) | ({496'd0, groups_9}",
        "(all_0 >> 16) | ({496'd0, groups_8}",
        "the slot, if",
    ),
    (
        Part::Rings,
        "weft_ring_finds",
        "!any & (at > here) & some_1",
        "!any & (at > here) & 1'b0",
        "a start in block 0",
    ),
    (Part::Rings, "weft_ring_finds", "block[1] ? start[7:0] : 8'd0", "8'd0", "a start in block 1"),
    (Part::Step, "weft_ring_counts", "vec[511:256]", "vec[510:255]", "has the messages"),
    (
        Part::Step,
        "weft_sack_rx_window",
        "{14'd0, counts_0_total}",
        "{16'd0, counts_0_total[7:0]}",
        "has the messages",
    ),
    (Part::Step, "weft_sack_rx_window", "finds_0_index - s12_from_q", "finds_0_index", "the run that"),
    (Part::Step, "weft_sack_rx_window", ".first_found (find_found)", ".first_found (1'b0)", "words are read"),
    (
        Part::Step,
        "weft_sack_rx_window_cover",
        "{1'd0, ahead[23:9]}",
        "{2'd0, ahead[23:10]}",
        "whether the PSN is far",
    ),
    (
        Part::Step,
        "weft_sack_rx_window_cover",
        "s15_last_q - 9'd255",
        "s15_last_q",
        "the slot of the first PSN",
    ),
    (
        Part::Step,
        "weft_sack_rx_window_cover",
        "covered[511:256]",
        "{1'b0, covered[510:256]}",
        "has the bitmap",
    ),
    (Part::Step, "weft_sack_rx_window_cover", "s16_turn_q[7:0]", "s16_turn_q[8:1]", "has the bitmap"),
    (Part::Step, "weft_sack_rx_account", "if (s21_far_0_q & keep)", "if (1'b0)", "`account`"),
    (Part::Step, "weft_sack_rx", "if (|beyond_0[8])", "if (1'b0)", "publishes, counts and answers"),
    (
        Part::Pipeline,
        "weft_sack_rx",
        "skid_out_word[27:18]",
        "{1'b0, skid_out_word[26:18]}",
        "wired to the ports",
    ),
];

#[test]
#[ignore = "soak: a minute of a solver"]
fn bugs_of_larger_windows_are_refuted() {
    bugs_are_refuted(&SMALL, LARGER, 1);
}

/// Ports of parts that are proved alone.
const TIES: &[Tie<Part>] = &[
    (None, "weft_sack_rx_window", "received", "rst", "1'b0", "reset with it"),
    (None, "weft_sack_rx_window", "published", "run", "1'b0", "moves with it"),
    (None, "weft_sack_rx_window", "s15_missing", "en", "1'b1", "moves with it"),
];

#[test]
fn ports_that_are_tied_wrongly_are_refuted() {
    ties_are_refuted(&SMALL, TIES, 1);
}

/// Models with one change each.
const MODELS: &[Changed<Model>] = &[
    (
        "a packet of a closed connection lies in its window",
        Model {
            place: |published, stimulus| {
                let place = (MODEL.place)(published, stimulus);
                let ahead = stimulus.psn - published.expected;
                weft_nic::block::sack_rx::Place { inside: ahead.less(Symbolic::lit(256)), ..place }
            },
            ..MODEL
        },
        "`place`",
    ),
    (
        "an open clears the ring",
        Model {
            received_after: |place, stimulus, received| {
                let opening = stimulus.kind.equals(Symbolic::lit(4));
                Ring::none().when(opening, (MODEL.received_after)(place, stimulus, received))
            },
            ..MODEL
        },
        "`received_after`",
    ),
    (
        "a full window moves by 255",
        Model {
            advance: |seen, received| {
                let mut advance = (MODEL.advance)(seen, received);
                let full = advance.run.equals(Symbolic::lit(256));
                advance.run = Symbolic::lit(255).when(full, advance.run);
                advance
            },
            ..MODEL
        },
        "the run that",
    ),
    (
        "a NACK leaves nothing pending",
        Model {
            account: |csr, tail, stimulus, place, before, advance, messages| {
                let (mut after, action) =
                    (MODEL.account)(csr, tail, stimulus, place, before, advance, messages);
                let nack = action.response.equals(Symbolic::lit(2));
                after.pending_packets = Symbolic::lit(0).when(nack, after.pending_packets);
                (after, action)
            },
            ..MODEL
        },
        "`account`",
    ),
];

/// The planted bugs, in order: the part, and a word of the claim that must be refuted.
const PLANTED: &[(&str, Part, &str)] = &[
    ("edge", Part::Step, "`place`"),
    ("nack", Part::Step, "`account`"),
    ("completion", Part::Step, "`account`"),
    ("forward", Part::Words, "stage 4 has the word"),
    ("turn", Part::Step, "what is missing"),
    ("published", Part::Words, "which is what it shows"),
];

#[test]
fn some_planted_bugs_are_refuted() {
    refute::planted_bugs_are_refuted(&SMALL, PLANTED, 3);
}

#[test]
#[ignore = "soak: `make test` has every third"]
fn planted_bugs_are_refuted() {
    refute::planted_bugs_are_refuted(&SMALL, PLANTED, 1);
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
