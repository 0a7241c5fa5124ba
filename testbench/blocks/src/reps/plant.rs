//! Bugs planted in the Verilog of `weft_reps`.

use weft_bench::Plant;

/// All of them.
pub const PLANTS: &[Plant] = &[
    Plant {
        name: "forwarding",
        breaks: "the result of the event just before is not forwarded",
        module: "weft_reps_control",
        text: "if (s4_near1_q)",
        bug: "if (1'b0)",
    },
    Plant {
        name: "wrap",
        breaks: "time compares do not survive the wrap of the time",
        module: "weft_reps_control",
        text: "s4_elapsed_d = (stamp[30:0] < s3_since_q[30:0]) ^ stamp[31] ^ s3_since_q[31]",
        bug: "s4_elapsed_d = stamp < s3_since_q",
    },
    Plant {
        name: "thaw",
        breaks: "a freeze ends before its time",
        module: "weft_reps_control_core",
        text: "& elapsed) | path_ok",
        bug: ") | path_ok",
    },
];
