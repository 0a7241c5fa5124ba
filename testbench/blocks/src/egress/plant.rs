//! Bugs planted in the Verilog of `weft_egress`.

use weft_bench::Plant;

/// All planted bugs.
pub const PLANTS: &[Plant] = &[
    Plant {
        name: "spill",
        breaks: "the ICRC's last two bytes get no word of their own",
        module: "weft_egress_beats",
        text: "if (s17_spill_q)",
        bug: "if (1'b0)",
    },
    Plant {
        name: "pkey",
        breaks: "all is sent in the default partition",
        module: "weft_egress_header_transport",
        text: "{144'd0, peer_pkey}",
        bug: "{144'd0, peer_pkey | 16'hFFFF}",
    },
    Plant {
        name: "cut",
        breaks: "bytes behind the payload are sent",
        module: "weft_egress_choice",
        text: "if (words_q == 8'd1)",
        bug: "if (1'b0)",
    },
    Plant {
        name: "masked",
        breaks: "the UDP checksum of tagged IPv6 frames is covered as it is",
        module: "weft_egress_beats",
        text: "s6_data_q | SECOND_TAGGED",
        bug: "s6_data_q",
    },
    Plant {
        name: "carry",
        breaks: "the IPv4 checksum loses its last carry",
        module: "weft_egress_header",
        text: "{2'd0, folded[16]}",
        bug: "3'd0",
    },
    Plant {
        name: "compare",
        breaks: "read data is not compared with what was asked for",
        module: "weft_egress_orders",
        text: "packet_bad | ",
        bug: "packet_bad & ",
    },
    Plant {
        name: "turn",
        breaks: "frames of others have no turn",
        module: "weft_egress_choice",
        text: "!(order_valid & order_turn_q)",
        bug: "!order_valid",
    },
    Plant {
        name: "queue",
        breaks: "half of the bytes that may wait are taken",
        module: "weft_egress_orders",
        text: "bytes_q[15:14]",
        bug: "bytes_q[15:13]",
    },
    Plant {
        name: "again",
        breaks: "a peer that is written when it is read is not read again",
        module: "weft_egress_orders_lookup",
        text: "run & valids_q[0] & we & (waddr == s1_id_q)",
        bug: "1'b0",
    },
    Plant {
        name: "at_once",
        breaks: "a peer is written before what is on its way to the old one has gone",
        module: "weft_egress",
        text: "(s_axis_peer_tvalid & change_ready)",
        bug: "s_axis_peer_tvalid",
    },
    Plant {
        name: "begun",
        breaks: "a word for the peers does not wait for frames that have begun",
        module: "weft_egress_change",
        text: "begun & !(|frames_ahead)",
        bug: "begun",
    },
    Plant {
        name: "keep",
        breaks: "a last word of read data with too few bytes is sent",
        module: "weft_egress_orders",
        text: " | (packet_top < s4_top_q)",
        bug: "",
    },
    Plant {
        name: "gaps",
        breaks: "read data with bytes missing before the last one is sent",
        module: "weft_egress_reads",
        text: " | tears",
        bug: "",
    },
    Plant {
        name: "past",
        breaks: "packets are sent whose message has ended",
        module: "weft_egress_orders",
        text: "limits_rdata_ended | ",
        bug: "",
    },
    Plant {
        name: "acknowledged",
        breaks: "packets are sent that were acknowledged while they were read",
        module: "weft_egress_orders",
        text: "(limits_rdata_told & ahead[9])",
        bug: "1'b0",
    },
    Plant {
        name: "whose",
        breaks: "of two orders the second is judged by the connection of the first",
        module: "weft_egress_orders",
        text: "if (sized_q & !joins) begin",
        bug: "if (sized_q) begin",
    },
];
