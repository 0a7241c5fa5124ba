//! Bugs planted in the Verilog of `weft_smartt`.

use weft_bench::Plant;

/// All planted bugs.
pub const PLANTS: &[Plant] = &[
    Plant {
        name: "rounding",
        breaks: "an increase of the window is rounded down, not to the nearest (rule 20)",
        module: "weft_smartt_window",
        text: "half_up = 42'd1",
        bug: "half_up = 42'd0",
    },
    Plant {
        name: "guard",
        breaks: "QuickAdapt does not wait for its first period to begin (rule 13)",
        module: "weft_smartt_window",
        text: "(is_loss & !single)) & !state_q_fresh",
        bug: "(is_loss & !single))",
    },
    Plant {
        name: "forward",
        breaks: "the result of the event just before is not forwarded",
        module: "weft_smartt_window",
        text: "if (near_q == 2'd1)",
        bug: "if (1'b0)",
    },
];
