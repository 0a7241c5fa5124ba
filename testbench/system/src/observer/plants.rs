//! Faults at the joints of the NIC, as edits of its Verilog. The observer must find each of these faults.

use weft_bench::Plant;

/// A fault in the wires between the blocks.
const fn joint(name: &'static str, breaks: &'static str, text: &'static str, bug: &'static str) -> Plant {
    Plant { name, breaks, module: "weft_nic", text, bug }
}

/// All faults. The parts that a close waits for are last, block by block.
pub const PLANTS: &[Plant] = &[
    joint(
        "status",
        "completions report unfinished work as done",
        "assign m_axis_sent_tuser = sender_m_axis_sent_tuser;",
        "assign m_axis_sent_tuser = {sender_m_axis_sent_tuser[2:1], 1'b0};",
    ),
    joint(
        "request",
        "the bit beside the request for an ACK is read",
        "ingress_m_axis_arrival_tdata[27];",
        "ingress_m_axis_arrival_tdata[28];",
    ),
    joint(
        "ack-bytes",
        "bytes never cause an ACK",
        ".cfg_ack_bytes          (registers_cfg_sack_rx_ack_bytes)",
        ".cfg_ack_bytes          (registers_cfg_sack_rx_ack_bytes & 16'd0)",
    ),
    joint(
        "bypass-in",
        "frames of other software never leave",
        ".s_axis_bypass_tvalid  (s_axis_bypass_tvalid)",
        ".s_axis_bypass_tvalid  (s_axis_bypass_tvalid & 1'b0)",
    ),
    joint(
        "path-start",
        "a fixed entropy value is shifted",
        "registers_m_axis_sender_control_tdata[44:29];",
        "registers_m_axis_sender_control_tdata[43:28];",
    ),
    joint(
        "count",
        "frames of others are not counted",
        ".stat_ingress_bypassed              (ingress_stat_bypassed)",
        ".stat_ingress_bypassed              (ingress_stat_bypassed & 16'd0)",
    ),
    joint(
        "mark",
        "ECN marks are lost",
        "ingress_m_axis_arrival_tdata[26];",
        "ingress_m_axis_arrival_tdata[26] & 1'b0;",
    ),
    joint(
        "read-error",
        "failed reads are sent",
        ".s_axis_read_tuser     (s_axis_read_tuser)",
        ".s_axis_read_tuser     (s_axis_read_tuser & 1'b0)",
    ),
    joint(
        "reused",
        "the NIC sends bytes that it reads for a message that has ended",
        ".s_axis_passed_tvalid  (sender_m_axis_passed_tvalid)",
        ".s_axis_passed_tvalid  (sender_m_axis_passed_tvalid & 1'b0)",
    ),
    joint(
        "number",
        "reports count from 1",
        "assign m_axis_received_tdata = receiver_m_axis_received_tdata;",
        "assign m_axis_received_tdata = receiver_m_axis_received_tdata + 56'h1_0000_0000;",
    ),
    joint(
        "stamp",
        "time stamps are not echoed",
        "ingress_m_axis_arrival_tdata[62:47];",
        "ingress_m_axis_arrival_tdata[62:47] & 16'd0;",
    ),
    joint(
        "base",
        "queue pairs count from 0",
        ".cfg_qp_base                   (registers_cfg_ingress_qp_base)",
        ".cfg_qp_base                   (registers_cfg_ingress_qp_base & 24'd0)",
    ),
    joint(
        "bypass-out",
        "words of others do not wait",
        ".m_axis_bypass_tready          (m_axis_bypass_tready)",
        ".m_axis_bypass_tready          (m_axis_bypass_tready | 1'b1)",
    ),
    joint(
        "order",
        "data goes to the neighbour's peer",
        ".s_axis_order_tid      (sender_m_axis_order_tid)",
        ".s_axis_order_tid      (sender_m_axis_order_tid ^ 4'd1)",
    ),
    joint(
        "nack",
        "the NIC treats NACKs as ACKs",
        "ingress_m_axis_acknowledgement_tdata[0];",
        "ingress_m_axis_acknowledgement_tdata[0] & 1'b0;",
    ),
    joint(
        "expected",
        "the PSN that an ACK answers counts as the first missing PSN",
        "sender_acknowledgement_expected = ingress_m_axis_acknowledgement_tdata[24:1];",
        "sender_acknowledgement_expected = ingress_m_axis_acknowledgement_tdata[48:25];",
    ),
    joint(
        "solicited",
        "every last packet is reported",
        "ingress_m_axis_arrival_tdata[29];",
        "ingress_m_axis_arrival_tdata[28];",
    ),
    joint(
        "last-hop",
        "nothing is trimmed at the last hop",
        "ingress_m_axis_arrival_tdata[30];",
        "ingress_m_axis_arrival_tdata[30] & 1'b0;",
    ),
    joint(
        "again",
        "packets that are sent again have the DSCP of data",
        ".cfg_dscp_again        (registers_cfg_egress_dscp_again)",
        ".cfg_dscp_again        (registers_cfg_egress_dscp_data)",
    ),
    joint(
        "close",
        "the receiver is opened by a close",
        "registers_m_axis_receiver_control_tdata[0];",
        "registers_m_axis_receiver_control_tdata[0] | 1'b1;",
    ),
    joint(
        "write",
        "payload does not wait",
        ".m_axis_write_tready    (m_axis_write_tready)",
        ".m_axis_write_tready    (m_axis_write_tready | 1'b1)",
    ),
    joint(
        "retries",
        "connections give up after the first timeout",
        ".cfg_sack_tx_retry_limit            (registers_cfg_sack_tx_retry_limit),
        .stat_sack_tx_not_open_events",
        ".cfg_sack_tx_retry_limit            (registers_cfg_sack_tx_retry_limit & 40'd0),
        .stat_sack_tx_not_open_events",
    ),
    joint(
        "patience",
        "connections almost never give up",
        ".cfg_sack_tx_retry_limit            (registers_cfg_sack_tx_retry_limit),
        .stat_sack_tx_not_open_events",
        ".cfg_sack_tx_retry_limit            (registers_cfg_sack_tx_retry_limit | {4{10'd8}}),
        .stat_sack_tx_not_open_events",
    ),
    Plant {
        name: "key",
        breaks: "any key opens a region",
        module: "weft_receiver_front",
        text: "s3_entry_q_key == regions_rdata_key;",
        bug: "(s3_entry_q_key == regions_rdata_key) | 1'b1;",
    },
    Plant {
        name: "bound",
        breaks: "a packet may end a byte behind its region",
        module: "weft_receiver_front",
        text: "(s5_end_q > {1'd0, s5_length_q})",
        bug: "(s5_end_q > {1'd0, s5_length_q} + 33'd1)",
    },
    Plant {
        name: "icrc",
        breaks: "a wrong ICRC is right",
        module: "weft_ingress_verdict",
        text: "s16_q_icrc & !icrc_right;",
        bug: "s16_q_icrc & !icrc_right & 1'b0;",
    },
    Plant {
        name: "peer",
        breaks: "anybody is a peer",
        module: "weft_ingress_verdict",
        text: "!s8_high_q | !s8_low_q | !s8_family_q;",
        bug: "(!s8_high_q | !s8_low_q | !s8_family_q) & 1'b0;",
    },
    Plant {
        name: "upper-half",
        breaks: "the upper half of an IPv6 address does not count",
        module: "weft_ingress_verdict",
        text: "!s8_high_q | !s8_low_q | !s8_family_q;",
        bug: "(!s8_high_q & 1'b0) | !s8_low_q | !s8_family_q;",
    },
    Plant {
        name: "family",
        breaks: "an IPv4 peer may come as IPv6",
        module: "weft_ingress_verdict",
        text: "!s8_high_q | !s8_low_q | !s8_family_q;",
        bug: "!s8_high_q | !s8_low_q | (!s8_family_q & 1'b0);",
    },
    Plant {
        name: "vlan",
        breaks: "a connection takes frames of any VLAN",
        module: "weft_ingress_verdict",
        text: " & !s16_q_vlan",
        bug: "",
    },
    Plant {
        name: "partition",
        breaks: "a connection takes frames of any partition",
        module: "weft_ingress_verdict",
        text: "!s8_key_q | ",
        bug: "",
    },
    Plant {
        name: "member",
        breaks: "limited members of a partition reach each other",
        module: "weft_ingress_verdict",
        text: " & (s7_peer_q_pkey[15] | s7_sender_late_pkey[15])",
        bug: "",
    },
    joint(
        "pkey",
        "all that is sent is of the default partition",
        "registers_m_axis_egress_peer_tdata[233:218];",
        "registers_m_axis_egress_peer_tdata[233:218] | 16'hFFFF;",
    ),
    joint(
        "tag",
        "a connection accepts the VLAN beside its own",
        ".s_axis_peer_tdata             (registers_m_axis_ingress_peer_tdata)",
        ".s_axis_peer_tdata             (registers_m_axis_ingress_peer_tdata ^ {31'd0, 1'b1, 131'd0})",
    ),
    Plant {
        name: "slot",
        breaks: "a report has the immediate of the previous message",
        module: "weft_receiver_settle",
        text: ", s1_number_q[3:0]}",
        bug: ", s1_number_q[3:0] - 4'd1}",
    },
    Plant {
        name: "nothing-closes",
        breaks: "the new connection gets packets that ingress accepted from the old peer",
        module: "weft_registers_command",
        text: "next = SHUT;",
        bug: "next = PEER;",
    },
    Plant {
        name: "reopen",
        breaks: "an open does not close the connection that is open",
        module: "weft_registers_command",
        text: "if (opening & !opened_rdata) begin",
        bug: "if (opening) begin",
    },
    Plant {
        name: "peer-at-once",
        breaks: "orders that wait for read data go to the new peer",
        module: "weft_egress",
        text: "(s_axis_peer_tvalid & change_ready)",
        bug: "s_axis_peer_tvalid",
    },
    Plant {
        name: "close-arrivals",
        breaks: "ingress accepts a close before the receiver has accepted the earlier arrivals",
        module: "weft_ingress_close",
        text: " & !(|arrivals_ahead)",
        bug: "",
    },
    Plant {
        name: "close-received",
        breaks: "the receiver accepts a close at once",
        module: "weft_receiver_front",
        text: "enters & control_word_q_open",
        bug: "enters",
    },
    Plant {
        name: "close-sent",
        breaks: "the sender accepts a close at once",
        module: "weft_sender_events",
        text: "some_command & !closes",
        bug: "some_command",
    },
    Plant {
        name: "held",
        breaks: "packets are placed although the host takes none",
        module: "weft_receiver_front",
        text: "data & s6_bar_q_held & !refused",
        bug: "1'b0",
    },
    Plant {
        name: "ended",
        breaks: "packets of a connection that has failed are placed",
        module: "weft_receiver_front",
        text: "packet & s6_bar_q_failed",
        bug: "1'b0",
    },
    Plant {
        name: "breach",
        breaks: "a packet that is denied does not end its connection",
        module: "weft_receiver_settle",
        text: "starts & is_nack & (verdict != 3'd3) & side_denied & !side_failed",
        bug: "1'b0",
    },
    Plant {
        name: "unanswered",
        breaks: "software gets no report that a connection gave up",
        module: "weft_registers_status",
        text: "taken = failed_valid & !fault_q",
        bug: "taken = failed_valid & !fault_q & failed",
    },
    Plant {
        name: "goes-on",
        breaks: "the sender gets no report that a connection has failed at this end",
        module: "weft_registers_status",
        text: "writes_q & failing & !had_failed",
        bug: "1'b0",
    },
    Plant {
        name: "event",
        breaks: "an event names the neighbouring connection",
        module: "weft_registers_status",
        text: "assign told_id = offered_id_q;",
        bug: "assign told_id = ~offered_id_q;",
    },
    Plant {
        name: "hop",
        breaks: "egress does not get a new next hop",
        module: "weft_registers_command",
        text: "else if (wanted == PEER_CODE)",
        bug: "else if (1'b0)",
    },
    Plant {
        name: "drain",
        breaks: "a connection that drains takes work",
        module: "weft_sender_intake",
        text: "| draining;",
        bug: "| (draining & 1'b0);",
    },
    Plant {
        name: "undrained",
        breaks: "an open does not end a drain",
        module: "weft_sender_drains",
        text: "wire marked = !sweeping & !clears;",
        bug: "wire marked = !sweeping;",
    },
    Plant {
        name: "drained",
        breaks: "a connection is drained when the first message has ended",
        module: "weft_sender_drains",
        text: "last[5] & (last[4:0] == done_count)",
        bug: "last[5]",
    },
    joint(
        "untold",
        "a failure that occurs while the host stalls completions is not reported",
        ".s_axis_sender_failed_tvalid        (sender_m_axis_failed_tvalid)",
        ".s_axis_sender_failed_tvalid        (sender_m_axis_failed_tvalid & m_axis_sent_tready)",
    ),
    Plant {
        name: "left-event",
        breaks: "a close does not wait for the event that is offered",
        module: "weft_registers_status",
        text: "& clear_q & !untold;",
        bug: "& clear_q;",
    },
    Plant {
        name: "hope",
        breaks: "an ACK that acknowledges nothing begins the silence again",
        module: "weft_sack_tx_settle",
        text: "wire progress = s20_live_q & s20_differs_q;",
        bug: "wire progress = s20_live_q & (s20_differs_q | s20_ack_q);",
    },
    Plant {
        name: "beyond",
        breaks: "a packet beyond the window is requested again",
        module: "weft_receiver_settle",
        text: "((verdict == 3'd3) | side_denied)",
        bug: "side_denied",
    },
    Plant {
        name: "locked",
        breaks: "completions that wait for long lock the sender",
        module: "weft_sender",
        text: "& !behind;",
        bug: "& (behind | 1'b1);",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::world::CONNECTIONS;
    use weft_params::NicParams;

    #[test]
    fn every_plant_can_be_planted() {
        let params = NicParams { connections: CONNECTIONS, ..NicParams::default() };
        let modules = weft_hdl::block::nic::emit(&params).expect("Verilog");
        for plant in PLANTS {
            plant.apply(&mut modules.clone()).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
