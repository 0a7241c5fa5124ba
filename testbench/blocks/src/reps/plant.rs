//! Bugs planted in the Verilog of `weft_reps`.

use weft_bench::Plant;

/// All planted bugs.
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
        text: "s3_wraps_d = s2_time_q < limit",
        bug: "s3_wraps_d = 1'b0",
    },
    Plant {
        name: "thaw",
        breaks: "a freeze ends before its time",
        module: "weft_reps_control_core",
        text: "& elapsed) | path_ok",
        bug: ") | path_ok",
    },
];
