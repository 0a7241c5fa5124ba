// SPDX-License-Identifier: MIT OR Apache-2.0
//
// weft_smartt between its events and its signature, docs/board.md.
`default_nettype none

module weft_board_smartt (
    input  wire        clk,
    input  wire        rst,
    input  wire [31:0] seed,
    input  wire [31:0] events,
    input  wire  [1:0] signals,
    input  wire        late_losses,
    input  wire        ready,       // Windows are taken.
    output wire [31:0] signature,
    output wire [31:0] answers,
    output wire [15:0] not_open
);

    `include "weft_board_smartt.vh"

    localparam [2:0] ACK = 3'd0, TRIM = 3'd1, TIMEOUT = 3'd2, OPEN = 3'd3, CLOSE = 3'd4;

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
        .start      ({seed, ~seed}),
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
        else if (random[14:9] < 6'd58) kind = ACK;
        else if (random[14:9] < 6'd60) kind = TRIM;
        else if (random[14:9] < 6'd62) kind = TIMEOUT;
        else if (random[14:9] == 6'd62) kind = OPEN;
        else kind = CLOSE;
    end
    // Half of the time the network is idle: no marks, short round trips.
    wire        idle    = now[15];
    wire        marked  = kind == ACK && !idle && random[15];
    wire [15:0] rtt     = {6'd0, idle ? 4'd0 : random[38:35], random[34:29]};
    wire  [3:0] packets = random[20:17];
    wire [23:0] bytes   = {8'd0, packets, random[55:44]};
    wire [31:0] in_flight = {14'd0, random[63:46]};

    wire        window_valid;
    wire  [7:0] window_tid;
    wire [31:0] window_tdata;
    wire  [7:0] window_tuser;
    weft_smartt #(.FACTOR_BITS(18)) smartt (
        .clk                         (clk),
        .rst                         (rst),
        .now                         (now[19:0]),
        .s_axis_event_tvalid         (event_valid),
        .s_axis_event_tready         (event_ready),
        .s_axis_event_tid            (connection),
        .s_axis_event_tdata          ({in_flight, rtt, bytes}),
        .s_axis_event_tuser          ({packets, connection[1:0], marked, kind}),
        .m_axis_window_tvalid        (window_valid),
        .m_axis_window_tready        (ready),
        .m_axis_window_tid           (window_tid),
        .m_axis_window_tdata         (window_tdata),
        .m_axis_window_tuser         (window_tuser),
        .cfg_mtu                     (MTU),
        .cfg_max_cwnd                (MAX_CWND),
        .cfg_fair_decrease           (FAIR_DECREASE),
        .cfg_base_rtt                (BASE_RTT),
        .cfg_target_rtt              (TARGET_RTT),
        .cfg_fast_rtt                (FAST_RTT),
        .cfg_multiplicative_increase (MULTIPLICATIVE_INCREASE),
        .cfg_fair_increase           (FAIR_INCREASE),
        .cfg_multiplicative_decrease (MULTIPLICATIVE_DECREASE),
        .cfg_qa_scaling              (QA_SCALING),
        .cfg_wtd_alpha               (WTD_ALPHA),
        .cfg_wtd_alphas              (WTD_ALPHAS),
        .cfg_wtd_threshold           (WTD_THRESHOLD),
        .cfg_granularity             (GRANULARITY),
        .cfg_fast_mtus               (FAST_MTUS),
        .cfg_signals                 (signals),
        .cfg_late_losses             (late_losses),
        .stat_not_open_events        (not_open)
    );

    weft_board_signature #(.BITS(48)) sign (
        .clk       (clk),
        .rst       (rst),
        .valid     (window_valid & ready),
        .word      ({window_tuser, window_tdata, window_tid}),
        .signature (signature),
        .words     (answers)
    );

    wire unused = &{1'b0, random, now[31:20]};

endmodule

`default_nettype wire
