// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The core of REPS (docs/blocks/reps.md) with another encoding inside: head and tail are one bit a slot, and how many
// slots are written is one bit a count. The control word at its ports is as it was.

`default_nettype none

module weft_reps_control_core (
    input  wire [53:0] control,      // Control word before the event.
    input  wire        exploring,    // Its `explore` is not 0.
    input  wire [11:0] op,           // The event as `Decode` gives it; at most one bit is set.
    input  wire        ecn,          // The acknowledged packet was ECN-marked.
    input  wire        rtt_is_high,  // The round-trip time is high.
    input  wire        elapsed,      // The freeze (ACK) or the window of the last high RTT (timeout) is over.
    input  wire [31:0] now,          // Time of the event.
    input  wire  [7:0] bdp_packets,  // NUM_PKTS_BDP, at most 255.
    input  wire        trimming,     // CSR: every timeout is a failure.
    input  wire        thaw_reset,   // CSR: ending a freeze empties the buffer.
    input  wire        mode_2024,    // CSR: mode 2024.
    output wire        next_open,    // After the event: open.
    output wire        next_frozen,  // After the event: frozen.
    output wire        next_high,    // After the event: high.
    output wire  [7:0] next_explore, // After the event: explore.
    output wire  [7:0] next_low,     // After the event: bits 7:0 of the stamp; in mode 2024 the next number.
    output wire  [7:0] next_middle,  // After the event: bits 15:8 of the stamp; in mode 2024 the cached number.
    output wire [15:0] next_top,     // After the event: bits 31:16 of the stamp.
    output wire  [2:0] next_head,    // After the event: head.
    output wire  [2:0] next_tail,    // After the event: tail.
    output wire        next_some,    // After the event: some.
    output wire  [3:0] next_written, // After the event: written.
    output wire        accepted,     // The connection was open, or needs not be.
    output wire  [1:0] source,       // Where the entropy value comes from.
    output wire        is_frozen,    // Freezing mode after the event.
    output wire        turned,       // Freezing mode began or ended.
    output wire        touched,      // The time was set to `now`.
    output wire        read,         // Read the entropy value in `slot`.
    output wire        write,        // Write the event's entropy value into `slot`.
    output wire  [2:0] slot,         // The slot to read or write.
    output wire        draw,         // Use a random number.
    output wire        indexed,      // Take `entropy` in place of a random number.
    output wire  [7:0] entropy       // Mode 2024: the entropy index.
);

    // The event.
    wire send = op[0];
    wire send_ops = op[1];
    wire send_fixed = op[2];
    wire send_2024 = op[3];
    wire ack = op[4];
    wire ack_2024 = op[5];
    wire timeout = op[6];
    wire path_ok = op[7];
    wire idle = op[8];
    wire opening = op[9];
    wire closing = op[10];
    wire seed = op[11];

    // The fields of the control word.
    wire open = control[0];
    wire frozen = control[1];
    wire high = control[2];
    wire [7:0] explore = control[10:3];
    wire [31:0] stamp = control[42:11];
    wire [2:0] head = control[45:43];
    wire [2:0] tail = control[48:46];
    wire some = control[49];
    wire [3:0] written = control[53:50];

    // Bit i: slot i is head, is tail; more than i slots are written.
    wire  [7:0] head_hot = 8'd1 << head;
    wire  [7:0] tail_hot = 8'd1 << tail;
    wire [15:0] filled = ~(16'hffff << written);
    wire any_written = filled[0];

    // Head is at most there until all slots are written.
    wire at_written = |(head_hot & {filled[6:0], 1'b1} & ~filled[7:0]);

    // Algorithm 2: explore, take the oldest valid entropy value, or reuse one while frozen. A closed connection is
    // all zero, valid slots are written, and while frozen nothing is to be explored.
    wire take = send & some & !exploring;
    wire reuse = send & any_written & !some & frozen;
    wire random = send & open & (exploring | (!some & (!any_written | !frozen)));

    // Algorithm 1: cache, freeze, thaw.
    wire cache = ack & open & !ecn;
    wire freeze = timeout & open & !frozen & !exploring & (trimming | !high | elapsed);
    wire thaw = frozen & ((((ack & !ecn) | timeout) & elapsed) | path_ok);
    wire emptied = thaw & thaw_reset;
    wire clear = opening | closing;
    assign touched = freeze | (ack & open & !frozen & rtt_is_high);

    // Mode 2024: entropies are numbers; the next one is in stamp[7:0], the cached one in stamp[15:8].
    wire [7:0] next_number = stamp[7:0];
    wire [7:0] cached_number = stamp[15:8];
    wire number_sent = send_2024 & exploring;
    wire number_cached = ack_2024 & open & ecn;
    wire number = number_sent | number_cached;
    wire all_tried = number & (&next_number);

    // The slot to read or write.
    wire at_head = (reuse & !at_written) | (cache & !emptied);
    assign slot = take ? tail : at_head ? head : 3'd0;

    // The control word after the event.
    assign next_open = (open | opening) & !closing;
    assign next_frozen = (frozen | freeze) & !thaw & !clear;
    assign next_high = clear ? (opening & mode_2024) : (freeze | (ack_2024 & !ecn & open)) ? 1'b0 : (touched
        | number_cached) ? 1'b1 : high;
    assign next_explore = ((clear & !(opening & mode_2024)) | all_tried) ? 8'd0 : (opening | thaw
        | (idle & open & !frozen)) ? bdp_packets : (exploring
        & (send | send_2024)) ? (explore - 8'd1) : explore;
    assign next_low = clear ? 8'd0 : touched ? now[7:0] : number ? (next_number + 8'd1) : next_number;
    assign next_middle = clear ? 8'd0 : touched ? now[15:8] : number_cached ? next_number : cached_number;
    assign next_top = clear ? 16'd0 : touched ? now[31:16] : stamp[31:16];
    wire [7:0] next_head_hot = at_head ? {head_hot[6:0], head_hot[7]} : (cache | reuse) ? 8'h02
        : (clear | emptied) ? 8'h01 : head_hot;
    assign next_head = {|next_head_hot[7:4], |{next_head_hot[7:6], next_head_hot[3:2]},
        next_head_hot[7] | next_head_hot[5] | next_head_hot[3] | next_head_hot[1]};

    // A full buffer loses its oldest entropy value. Where none is valid, the tail goes with the head.
    wire       drops = at_head & (reuse | (some & |(head_hot & tail_hot)));
    wire [7:0] behind_tail = {tail_hot[6:0], tail_hot[7]};
    wire [7:0] next_tail_hot = (take | drops) ? behind_tail : reuse ? 8'h02 : (clear | emptied) ? 8'h01 : tail_hot;
    assign next_tail = {|next_tail_hot[7:4], |{next_tail_hot[7:6], next_tail_hot[3:2]},
        next_tail_hot[7] | next_tail_hot[5] | next_tail_hot[3] | next_tail_hot[1]};
    assign next_some = take ? ~|(head_hot & behind_tail) : cache ? 1'b1 : (clear | emptied) ? 1'b0 : some;

    // How many bits are set.
    wire [15:0] next_filled = (clear | emptied) ? {15'd0, cache} : (cache & at_written) ? {filled[14:0], 1'b1} : filled;
    assign next_written[3] = next_filled[7];
    assign next_written[2] = next_filled[11] | (next_filled[3] & ~next_filled[7]);
    assign next_written[1] = next_filled[13] | (next_filled[9] & ~next_filled[11]) | (next_filled[5] & ~next_filled[7])
        | (next_filled[1] & ~next_filled[3]);
    assign next_written[0] = next_filled[14] | (next_filled[12] & ~next_filled[13]) | (next_filled[10] & ~next_filled[11])
        | (next_filled[8] & ~next_filled[9]) | (next_filled[6] & ~next_filled[7]) | (next_filled[4] & ~next_filled[5])
        | (next_filled[2] & ~next_filled[3]) | (next_filled[0] & ~next_filled[1]);

    // What the event means outside.
    assign accepted = open | opening | seed;
    assign source = (random | (send_ops & open) | number_sent) ? 2'd1 : (take
        | (send_2024 & open)) ? 2'd2 : reuse ? 2'd3 : 2'd0;
    assign is_frozen = next_frozen & !seed;
    assign turned = freeze | thaw;
    assign draw = random | (send_ops & open);
    assign indexed = number_sent | (send_2024 & open & high);
    assign read = take | reuse | (send_fixed & open) | (send_2024 & open & !exploring & !high);
    assign write = cache | opening | (ack_2024 & open & !ecn);
    assign entropy = exploring ? next_number : cached_number;

endmodule

`default_nettype wire
