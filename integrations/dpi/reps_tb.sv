// SPDX-License-Identifier: MIT OR Apache-2.0
// weft_reps beside its model: random events, idle clocks, back-pressure and resets; every output is compared on every clock.
// Prints PASS, or the first difference.
`timescale 1ns / 1ps
module reps_tb;
    `include "weft_dpi.svh"

    localparam int CLOCKS = 200_000;
    // Number of connections in use: few, so that each has many events.
    localparam int USED = 5;

    bit clk = 0;
    bit rst = 1;
    bit [31:0] now;
    bit event_tvalid, decision_tready;
    bit [7:0] event_tid;
    bit [31:0] event_tdata;
    bit [3:0] event_tuser;
    wire event_tready, decision_tvalid;
    wire [7:0] decision_tid, decision_tuser;
    wire [15:0] decision_tdata, not_open_events;

    weft_reps dut (
        .clk(clk), .rst(rst), .now(now),
        .s_axis_event_tvalid(event_tvalid), .s_axis_event_tready(event_tready), .s_axis_event_tid(event_tid),
        .s_axis_event_tdata(event_tdata), .s_axis_event_tuser(event_tuser),
        .m_axis_decision_tvalid(decision_tvalid), .m_axis_decision_tready(decision_tready), .m_axis_decision_tid(decision_tid),
        .m_axis_decision_tdata(decision_tdata), .m_axis_decision_tuser(decision_tuser),
        // The reset values of the registers, except for a freeze that ends within the run.
        .cfg_mode(2'd0), .cfg_ev_base(16'hC000), .cfg_evs_size(17'd4096), .cfg_freeze_timeout(32'd300), .cfg_bdp_packets(16'd43),
        .cfg_trimming(1'b1), .cfg_thaw_reset(1'b0), .cfg_rtt_high(16'd644), .cfg_rtt_window(32'd4376),
        .stat_not_open_events(not_open_events)
    );

    // Values of the model's ports.
    chandle model;
    bit m_event_tready, m_decision_tvalid;
    int unsigned m_decision_tid, m_not_open_events;
    shortint unsigned m_decision_tdata;
    byte unsigned m_decision_tuser;
    int decisions = 0, frozen = 0;

    task automatic differs(string port);
        $display("FAIL: %s differs at %0t", port, $time);
        $finish;
    endtask

    initial begin
        model = weft_dpi_reps_new(256, 8, 16);
        if (model == null || weft_dpi_reps_write(model, 32'h20C, 300) < 0) begin
            $display("FAIL: %s", weft_dpi_error());
            $finish;
        end
        for (int i = 0; i < CLOCKS; i++) begin
            // Inputs change behind the edge, as registers of a design around the block would.
            rst = i < 3 || $urandom_range(20_000) == 0;
            now = i / 4;
            event_tvalid = $urandom_range(3) != 0;
            event_tid = 8'($urandom_range(USED - 1));
            event_tdata = {16'($urandom_range(700)), 16'($urandom)};
            event_tuser[2:0] = $urandom_range(9) == 0 ? 3'($urandom) : $urandom_range(1) == 0 ? 3'd0 : 3'd1;
            event_tuser[3] = $urandom_range(3) == 0;
            decision_tready = $urandom_range(3) != 0;
            #1;
            if (weft_dpi_reps_clock(model, rst, now, event_tvalid, 32'(event_tid), event_tdata, 8'(event_tuser), decision_tready,
                    m_event_tready, m_decision_tvalid, m_decision_tid, m_decision_tdata, m_decision_tuser, m_not_open_events) < 0) begin
                $display("FAIL: %s", weft_dpi_error());
                $finish;
            end
            clk = 1;
            #1;
            // The first reset gives registers their values.
            if (i > 0) begin
                if (event_tready !== m_event_tready) differs("s_axis_event_tready");
                if (decision_tvalid !== m_decision_tvalid) differs("m_axis_decision_tvalid");
                if (32'(not_open_events) !== m_not_open_events) differs("stat_not_open_events");
                if (decision_tvalid) begin
                    if (32'(decision_tid) !== m_decision_tid) differs("m_axis_decision_tid");
                    if (decision_tdata !== m_decision_tdata) differs("m_axis_decision_tdata");
                    if (decision_tuser !== m_decision_tuser) differs("m_axis_decision_tuser");
                    decisions++;
                    if (decision_tuser[6]) frozen++;
                end
            end
            clk = 0;
        end
        if (decisions < CLOCKS / 4 || frozen < 100) $display("FAIL: %0d decisions, %0d of them frozen: too few", decisions, frozen);
        else $display("PASS: %0d decisions, %0d of them frozen", decisions, frozen);
        weft_dpi_reps_free(model);
        $finish;
    end
endmodule
