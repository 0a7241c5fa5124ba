//! Bugs planted in the Verilog of `weft_receiver`.

use weft_bench::Plant;

/// All planted bugs.
pub const PLANTS: &[Plant] = &[
    Plant {
        name: "edge",
        breaks: "a packet that ends at the end of its region is denied",
        module: "weft_receiver_front",
        text: "s5_end_q > ",
        bug: "s5_end_q >= ",
    },
    Plant {
        name: "own",
        breaks: "a packet is taken to be of another connection than the one before",
        module: "weft_receiver_front",
        text: "& !was_own_q",
        bug: "& 1'b1",
    },
    Plant {
        name: "number",
        breaks: "messages are numbered by twos",
        module: "weft_receiver_settle",
        text: "s1_number_q + 24'd1",
        bug: "s1_number_q + 24'd2",
    },
    Plant {
        name: "timer",
        breaks: "the ACK timer waits a tick more",
        module: "weft_receiver_timer",
        text: "age_q >= ",
        bug: "age_q > ",
    },
    Plant {
        name: "hasty",
        breaks: "a close is taken at once",
        module: "weft_receiver_front",
        text: "enters & control_word_q_open",
        bug: "enters",
    },
    Plant {
        name: "replies",
        breaks: "a close does not wait for the replies before it",
        module: "weft_receiver",
        text: "reports_wait_q & !(|replies_fence_ahead)",
        bug: "reports_wait_q",
    },
    Plant {
        name: "payload",
        breaks: "a close does not wait for the payload before it",
        module: "weft_receiver_drain",
        text: "waits = token_closes & ",
        bug: "waits = 1'b0 & ",
    },
    Plant {
        name: "ahead",
        breaks: "a close forgets one of those before it in a queue",
        module: "weft_fence",
        text: "left_d = then;",
        bug: "left_d = then - {{(W-1){1'b0}}, |then};",
    },
    Plant {
        name: "drain",
        breaks: "what is not written is forgotten",
        module: "weft_receiver_drain",
        text: "| !written",
        bug: "| 1'b0",
    },
];
