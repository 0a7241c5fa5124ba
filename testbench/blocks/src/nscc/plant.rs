//! Bugs planted in the Verilog of `weft_nscc`.

use weft_bench::Plant;

/// All planted bugs.
pub const PLANTS: &[Plant] = &[
    Plant {
        name: "gate",
        breaks: "QuickAdapt sets the window however much was achieved (rule 9)",
        module: "weft_nscc_window",
        text: "(state15_q_trigger | count15_q_asks) & found15_q_slow",
        bug: "(state15_q_trigger | count15_q_asks)",
    },
    Plant {
        name: "batch",
        breaks: "the window is not adjusted when enough bytes were acknowledged (rule 14)",
        module: "weft_nscc_window",
        text: "(found15_q_elapsed | found15_q_enough)",
        bug: "found15_q_elapsed",
    },
];
