// SPDX-License-Identifier: MIT OR Apache-2.0
//
// weft_reps between its events and its signature, docs/board.md.
`default_nettype none

module weft_board_reps (
    input  wire        clk,
    input  wire        rst,
    input  wire [31:0] seed,
    input  wire [31:0] events,
    input  wire  [1:0] mode,
    input  wire        trimming,
    input  wire        thaw_reset,
    input  wire        ready,      // Decisions are taken.
    output wire [31:0] signature,
    output wire [31:0] answers,
    output wire [15:0] not_open
);

    `include "weft_board_reps.vh"

    localparam [2:0] SEND = 3'd0, ACK = 3'd1, TIMEOUT = 3'd2, PATH_OK = 3'd3, IDLE = 3'd4, OPEN = 3'd5, CLOSE = 3'd6, SEED = 3'd7;

    wire        event_valid;
    wire        event_ready;
    wire [63:0] random;
    wire  [7:0] connection;
    wire        is_open;
    wire [31:0] now;
    reg   [2:0] kind;
    weft_board_source source (
        .clk        (clk),
        .rst        (rst),
        .start      ({~seed, seed}),
        .events     (events),
        .taken      (event_valid & event_ready),
        .opens      (kind == OPEN),
        .closes     (kind == CLOSE),
        .valid      (event_valid),
        .random     (random),
        .connection (connection),
        .is_open    (is_open),
        .now        (now)
    );

    always @* begin
        if (!is_open) kind = OPEN;
        else if (random[14:9] < 6'd30) kind = SEND;
        else if (random[14:9] < 6'd56) kind = ACK;
        else if (random[14:9] < 6'd59) kind = TIMEOUT;
        else if (random[14:9] == 6'd59) kind = PATH_OK;
        else if (random[14:9] == 6'd60) kind = IDLE;
        else if (random[14:9] == 6'd61) kind = OPEN;
        else if (random[14:9] == 6'd62) kind = SEED;
        else kind = CLOSE;
    end
    wire        marked = kind == ACK && random[16:15] == 2'd0;
    wire [15:0] ev     = {4'hC, random[28:17]};
    wire [15:0] rtt    = {6'd0, random[38:29]};

    wire        decision_valid;
    wire  [7:0] decision_tid;
    wire [15:0] decision_tdata;
    wire  [7:0] decision_tuser;
    weft_reps #(.FACTOR_BITS(18)) reps (
        .clk                    (clk),
        .rst                    (rst),
        .now                    (now),
        .s_axis_event_tvalid    (event_valid),
        .s_axis_event_tready    (event_ready),
        .s_axis_event_tid       (connection),
        .s_axis_event_tdata     ({rtt, ev}),
        .s_axis_event_tuser     ({marked, kind}),
        .m_axis_decision_tvalid (decision_valid),
        .m_axis_decision_tready (ready),
        .m_axis_decision_tid    (decision_tid),
        .m_axis_decision_tdata  (decision_tdata),
        .m_axis_decision_tuser  (decision_tuser),
        .cfg_mode               (mode),
        .cfg_ev_base            (EV_BASE),
        .cfg_evs_size           (EVS_SIZE),
        .cfg_freeze_timeout     (FREEZE_TIMEOUT),
        .cfg_bdp_packets        (BDP_PACKETS),
        .cfg_trimming           (trimming),
        .cfg_thaw_reset         (thaw_reset),
        .cfg_rtt_high           (RTT_HIGH),
        .cfg_rtt_window         (RTT_WINDOW),
        .stat_not_open_events   (not_open)
    );

    weft_board_signature #(.BITS(32)) sign (
        .clk       (clk),
        .rst       (rst),
        .valid     (decision_valid & ready),
        .word      ({decision_tuser, decision_tdata, decision_tid}),
        .signature (signature),
        .words     (answers)
    );

    wire unused = &{1'b0, random};

endmodule

`default_nettype wire
