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
    Plant {
        name: "sweep",
        breaks: "what was open before a reset is open after it",
        module: "weft_ingress_peers",
        text: "valid | sweeping_q",
        bug: "valid",
    },
    Plant {
        name: "sweeping",
        breaks: "what was open before a reset is open until the sweep gets there",
        module: "weft_ingress_peers",
        text: " & !s3_sweeping_q",
        bug: "",
    },
    Plant {
        name: "reth_v4",
        breaks: "a RETH with which an IPv4 datagram ends reads as 0",
        module: "weft_ingress_fields",
        text: "total >= 16'd56",
        bug: "total > 16'd56",
    },
    Plant {
        name: "xeth_v4",
        breaks: "an XETH with which an IPv4 datagram ends reads as 0",
        module: "weft_ingress_fields",
        text: "total >= 16'd64",
        bug: "total > 16'd64",
    },
    Plant {
        name: "last_xeth_v6",
        breaks: "an XETH behind an immediate with which an IPv6 datagram ends reads as 0",
        module: "weft_ingress_fields",
        text: "behind >= 16'd48",
        bug: "behind > 16'd48",
    },
    Plant {
        name: "close_acknowledgements",
        breaks: "a close does not wait for acknowledgements",
        module: "weft_ingress_close",
        text: " & !(|acknowledgements_ahead)",
        bug: "",
    },
    Plant {
        name: "close_payload",
        breaks: "a close does not wait for payload",
        module: "weft_ingress_close",
        text: " & !(|payloads_ahead)",
        bug: "",
    },
    Plant {
        name: "close_frames",
        breaks: "a close does not wait for frames that are on their way to the queues",
        module: "weft_ingress_close",
        text: "closing & !(|frames_ahead)",
        bug: "closing",
    },
    Plant {
        name: "fence",
        breaks: "a close waits for what comes later, too",
        module: "weft_fence",
        text: "if (waits)",
        bug: "if (1'b0)",
    },
];
