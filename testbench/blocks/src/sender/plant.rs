//! Bugs planted in the Verilog of `weft_sender`.

use weft_bench::Plant;

/// All planted bugs.
pub const PLANTS: &[Plant] = &[
    Plant {
        name: "news",
        breaks: "a window that has not changed is passed on",
        module: "weft_sender_windows",
        text: "news = s4_push_q & ",
        bug: "news = s4_push_q | ",
    },
    Plant {
        name: "queue",
        breaks: "a connection whose window waits is queued again",
        module: "weft_sender_windows",
        text: "news & !newest_prior_waiting",
        bug: "news",
    },
    Plant {
        name: "hasty",
        breaks: "a close is taken at once",
        module: "weft_sender_events",
        text: "some_command & !closes",
        bug: "some_command",
    },
    Plant {
        name: "requests",
        breaks: "a close does not wait for the requests before it",
        module: "weft_sender_events",
        text: "closes & !idle",
        bug: "1'b0",
    },
    Plant {
        name: "acknowledged",
        breaks: "a command overtakes the acknowledgement before it",
        module: "weft_sender_events",
        text: "close_told_q | acknowledged_q",
        bug: "close_told_q",
    },
    Plant {
        name: "box",
        breaks: "the box keeps a window of a connection that closes",
        module: "weft_sender_closing",
        text: "paths_q & windows_q",
        bug: "paths_q & answered_q",
    },
    Plant {
        name: "completions",
        breaks: "a close does not wait for the completions behind the first",
        module: "weft_sender_endings",
        text: "given & !more",
        bug: "given",
    },
    Plant {
        name: "timeouts",
        breaks: "the choice of paths hears of timeouts that lost nothing",
        module: "weft_sender_dispatch",
        text: "& !failed & (|lost)",
        bug: "& !failed",
    },
    Plant {
        name: "work",
        breaks: "a connection that drains takes work",
        module: "weft_sender_intake",
        text: "(|packets_q[32:16]) | draining",
        bug: "(|packets_q[32:16]) | (draining & 1'b0)",
    },
    Plant {
        name: "drained",
        breaks: "a connection is drained when the first message has ended",
        module: "weft_sender_drains",
        text: "(last[4:0] == done_count)",
        bug: "(|{last[4:0], done_count, 1'b1})",
    },
    Plant {
        name: "reset",
        breaks: "counters that are reset late are never reset",
        module: "weft_sender",
        text: ".rst          (tally_reset_q)",
        bug: ".rst          (tally_reset_q & 1'b0)",
    },
    Plant {
        name: "early",
        breaks: "they are reset with all else",
        module: "weft_sender",
        text: ".rst          (tally_reset_q),\n        .facts ",
        bug: ".rst          (tally_reset_q | rst),\n        .facts ",
    },
    Plant {
        name: "entry",
        breaks: "an entry of a list is taken twice",
        module: "weft_sender_lists",
        text: "rest = left_q & (left_q - 16'd1)",
        bug: "rest = left_q & {left_q[14:0], 1'b0}",
    },
    Plant {
        name: "passed",
        breaks: "egress is not told that a connection has ended",
        module: "weft_sender_dispatch",
        text: "passes_d = valid & (s5_gist_q_told | s5_gist_q_ended)",
        bug: "passes_d = valid & s5_gist_q_told",
    },
];
