// SPDX-License-Identifier: MIT OR Apache-2.0
// weft_reps beside its model in Icarus: random events, idle clocks, back-pressure and resets; every output is compared on every
// clock. Prints PASS, or the first difference. +clocks=N: so many.
`timescale 1ns / 1ps
module reps_tb;
    // Connections that are used: few, so that each gets far.
    localparam USED = 5;

    reg clk = 0, rst = 1;
    reg [31:0] now = 0, event_tdata = 0;
    reg event_tvalid = 0, decision_tready = 0;
    reg [7:0] event_tid = 0;
    reg [3:0] event_tuser = 0;
    wire event_tready, decision_tvalid;
    wire [7:0] decision_tid, decision_tuser;
    wire [15:0] decision_tdata, not_open_events;

    weft_reps dut (
        .clk(clk), .rst(rst), .now(now),
        .s_axis_event_tvalid(event_tvalid), .s_axis_event_tready(event_tready), .s_axis_event_tid(event_tid),
        .s_axis_event_tdata(event_tdata), .s_axis_event_tuser(event_tuser),
        .m_axis_decision_tvalid(decision_tvalid), .m_axis_decision_tready(decision_tready), .m_axis_decision_tid(decision_tid),
        .m_axis_decision_tdata(decision_tdata), .m_axis_decision_tuser(decision_tuser),
        // The reset values of the registers, but for a freeze that ends within the run.
        .cfg_mode(2'd0), .cfg_ev_base(16'hC000), .cfg_evs_size(17'd4096), .cfg_freeze_timeout(32'd300), .cfg_bdp_packets(16'd43),
        .cfg_trimming(1'b1), .cfg_thaw_reset(1'b0), .cfg_rtt_high(16'd644), .cfg_rtt_window(32'd4376),
        .stat_not_open_events(not_open_events)
    );

    // The model, and what it has on its ports.
    integer model, i, seed = 1, clocks = 50_000, decisions = 0;
    reg m_event_tready, m_decision_tvalid;
    reg [7:0] m_decision_tid, m_decision_tuser;
    reg [15:0] m_decision_tdata, m_not_open_events;

    function integer draw(input integer below);
        draw = ($unsigned($random(seed)) >> 9) % below;
    endfunction

    initial begin
        if ($value$plusargs("clocks=%d", clocks)) $display("%0d clocks", clocks);
        model = $weft_reps_new(256, 8, 16);
        if (model < 0 || $weft_reps_write(model, 32'h20C, 300) < 0) begin
            $weft_error;
            $finish;
        end
        for (i = 0; i < clocks; i = i + 1) begin
            rst = i < 3 || draw(20_000) == 0;
            now = i / 4;
            event_tvalid = draw(4) != 0;
            event_tid = draw(USED);
            event_tdata = draw(701) << 16 | draw(65536);
            event_tuser[2:0] = draw(10) == 0 ? draw(8) : draw(2);
            event_tuser[3] = draw(4) == 0;
            decision_tready = draw(4) != 0;
            #1;
            if ($weft_reps_clock(model, rst, now, event_tvalid, event_tid, event_tdata, event_tuser, decision_tready, m_event_tready,
                    m_decision_tvalid, m_decision_tid, m_decision_tdata, m_decision_tuser, m_not_open_events) < 0) begin
                $weft_error;
                $finish;
            end
            clk = 1;
            #1;
            // The first reset gives registers their values.
            if (i > 0 && ({event_tready, decision_tvalid, not_open_events} !== {m_event_tready, m_decision_tvalid, m_not_open_events}
                    || decision_tvalid && {decision_tid, decision_tdata, decision_tuser} !== {m_decision_tid, m_decision_tdata, m_decision_tuser})) begin
                $display("FAIL: differs in clock %0d: ready %b, decision %b %h %h %h, expected %b, %b %h %h %h", i, event_tready, decision_tvalid,
                    decision_tid, decision_tdata, decision_tuser, m_event_tready, m_decision_tvalid, m_decision_tid, m_decision_tdata, m_decision_tuser);
                $finish;
            end
            decisions = decisions + (decision_tvalid === 1'b1);
            clk = 0;
        end
        if (decisions < clocks / 4) $display("FAIL: %0d decisions: too few", decisions);
        else $display("PASS: %0d decisions", decisions);
        if ($weft_reps_free(model) != 0) $weft_error;
        $finish;
    end
endmodule
