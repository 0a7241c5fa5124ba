//! Bugs planted in the Verilog of `weft_ingress`.

use weft_bench::Plant;

/// All of them.
pub const PLANTS: &[Plant] = &[
    Plant {
        name: "family",
        breaks: "a peer of the other IP version is let in",
        module: "weft_ingress_verdict",
        text: " | !s8_family_q",
        bug: "",
    },
    Plant {
        name: "icrc",
        breaks: "a wrong ICRC is let through",
        module: "weft_ingress_verdict",
        text: " & !icrc_right",
        bug: " & 1'b0",
    },
    Plant {
        name: "unknown",
        breaks: "frames for connections without a peer are taken",
        module: "weft_ingress_verdict",
        text: "!s8_open_q | ",
        bug: "",
    },
];
