//! Bugs planted in the Verilog of `weft_sack_rx`.

use weft_bench::Plant;

/// All planted bugs.
pub const PLANTS: &[Plant] = &[
    Plant {
        name: "edge",
        breaks: "the last PSN of the window is refused (rule 4)",
        module: "weft_sack_rx_window",
        text: "!(|s4_ahead_q[23:8])",
        bug: "!((|s4_ahead_q[23:8]) | (&s4_ahead_q[7:0]))",
    },
    Plant {
        name: "nack",
        breaks: "a trimmed packet and one beyond the window are not answered (rules 7 and 10)",
        module: "weft_sack_rx_account",
        text: "({1'd0, s22_nack_q} << 1)",
        bug: "2'd0",
    },
    Plant {
        name: "completion",
        breaks: "messages that are complete are completed again (rule 9)",
        module: "weft_sack_rx_account",
        text: "after_messages = messages",
        bug: "after_messages = words_prior_messages",
    },
    Plant {
        name: "forward",
        breaks: "what the event just before received is not forwarded",
        module: "weft_context",
        text: "if (s4_near1_q)",
        bug: "if (1'b0)",
    },
    Plant {
        name: "turn",
        breaks: "the search for the first missing PSN takes every window for one of the first turn (rule 8)",
        module: "weft_sack_rx_window",
        text: "s7_from_turn_d = s5_from_q[8]",
        bug: "s7_from_turn_d = 1'b0",
    },
    Plant {
        name: "published",
        breaks: "what is published in the clock in which it is read is not seen (rule 16)",
        module: "weft_published",
        text: "if (s3_same_q)",
        bug: "if (1'b0)",
    },
];
