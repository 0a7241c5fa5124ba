//! Bugs planted in the Verilog of `weft_sender`.

use weft_bench::Plant;

/// All of them.
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
        text: "s5_enqueue_d = news & ",
        bug: "s5_enqueue_d = news | ",
    },
];
