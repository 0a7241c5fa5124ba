//! Bugs planted in the Verilog of `weft_sack_tx`.

use weft_bench::Plant;

/// All planted bugs.
pub const PLANTS: &[Plant] = &[
    Plant {
        name: "edge",
        breaks: "the PSN behind the window counts as one of it (rules 5 and 8)",
        module: "weft_sack_tx_place",
        text: "near & (ahead < s4_window_q)",
        bug: "near & (ahead <= s4_window_q)",
    },
    Plant {
        name: "nack",
        breaks: "a NACK loses nothing (rule 5)",
        module: "weft_sack_tx_place",
        text: "made_loses = s6_nacked_q | s6_probed_q",
        bug: "made_loses = s6_probed_q",
    },
    Plant {
        name: "completion",
        breaks: "a message that is completed ends once more, as an error (rule 17)",
        module: "weft_sack_tx_finish",
        text: "left_completed = s29_passed_q",
        bug: "left_completed = account_prior_completed",
    },
    Plant {
        name: "backoff",
        breaks: "the timer does not back off (rule 13)",
        module: "weft_sack_tx_scanner",
        text: "{8'd0, rto_of} << timers_rdata_doublings",
        bug: "{8'd0, rto_of}",
    },
    Plant {
        name: "forfeit",
        breaks: "the turn to send of a connection that was opened in line is not forfeit (rule 16)",
        module: "weft_sack_tx_publish",
        text: "next_turn_forfeit = turns_prior_queued;",
        bug: "next_turn_forfeit = 1'b0;",
    },
    Plant {
        name: "forward",
        breaks: "what the event just before left of the connection is not forwarded",
        module: "weft_context",
        text: "if (s4_near1_q)",
        bug: "if (1'b0)",
    },
    Plant {
        name: "reopened",
        breaks: "what was sent before an OPEN waits still (rule 2)",
        module: "weft_sack_tx_place",
        text: "{8'd0, s5_opening_q} << 8",
        bug: "9'd0",
    },
    Plant {
        name: "published",
        breaks: "what is published in the clock in which it is read is not seen (rule 18)",
        module: "weft_published",
        text: "if (s3_same_q)",
        bug: "if (1'b0)",
    },
    Plant {
        name: "young",
        breaks: "what is sent again keeps its age (rule 20)",
        module: "weft_sack_tx_window",
        text: "age_low_clear = leaving_one;",
        bug: "age_low_clear = 256'd0;",
    },
    Plant {
        name: "late",
        breaks: "an ACK judges whenever its packet left (rule 6)",
        module: "weft_sack_tx_place",
        text: "usable & s5_triggers_q & s5_recent_q",
        bug: "usable & s5_triggers_q",
    },
    Plant {
        name: "peak",
        breaks: "epochs never become shorter again (rule 21)",
        module: "weft_sack_tx_settle",
        text: "- (flows_prior_peak >> 4)",
        bug: "",
    },
    Plant {
        name: "failure",
        breaks: "a lone verdict is a failure (rule 22)",
        module: "weft_sack_tx_settle",
        text: "enough = two | (one & ((|flows_prior_verdicts) | (|flows_prior_verdicts_before)))",
        bug: "enough = one",
    },
    Plant {
        name: "starve",
        breaks: "an epoch always goes before a probe or a timeout (rule 19)",
        module: "weft_sack_tx_scanner",
        text: "over & (!silent | first)",
        bug: "over",
    },
    Plant {
        name: "deaf",
        breaks: "no epoch is late in a silence (rules 7 and 13)",
        module: "weft_sack_tx_scanner",
        text: "quiet_d = !spent_q & (age_q >= {6'd0, early_q})",
        bug: "quiet_d = 1'b0",
    },
];
