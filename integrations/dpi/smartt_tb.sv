// SPDX-License-Identifier: MIT OR Apache-2.0
// weft_smartt beside its model: random events, idle clocks, back-pressure and resets; every output is compared on every clock.
// Prints PASS, or the first difference.
`timescale 1ns / 1ps
module smartt_tb;
    `include "weft_dpi.svh"

    localparam int CLOCKS = 200_000;
    // Number of connections in use: few, so that each has many events.
    localparam int USED = 5;
    localparam int LATE_LOSSES = 'h25C, CLASS0 = 'h280;
    // Registers of each class: MTU, largest window, fair decrease, base, target and fast RTT, multiplicative and fair increase. They
    // have their reset values, except for smaller windows of class 3.
    localparam int unsigned CLASSES[4][8] = '{
        '{'h1000, 'h1729B, 'h1729B, 'h8C, 'hD1, 'hBE, 'hBEA28, 'h5F514},
        '{'h1000, 'h266BF, 'h266BF, 'h109, 'h18D, 'h13B, 'h1694D2, 'hB4A69},
        '{'h1000, 'h35AE3, 'h35AE3, 'h186, 'h248, 'h1B8, 'h213F7D, 'h109FBE},
        '{'h1000, 'h20000, 'h35AE3, 'h186, 'h248, 'h1B8, 'h213F7D, 'h109FBE}
    };

    bit clk = 0;
    bit rst = 1;
    bit [19:0] now;
    bit event_tvalid, window_tready;
    bit [7:0] event_tid;
    bit [71:0] event_tdata;
    bit [9:0] event_tuser;
    wire event_tready, window_tvalid;
    wire [7:0] window_tid, window_tuser;
    wire [31:0] window_tdata;
    wire [15:0] not_open_events;

    bit [3:0][13:0] mtu;
    bit [3:0][25:0] max_cwnd, fair_decrease;
    bit [3:0][15:0] base_rtt, target_rtt, fast_rtt;
    bit [3:0][31:0] multiplicative_increase;
    bit [3:0][29:0] fair_increase;

    weft_smartt dut (
        .clk(clk), .rst(rst), .now(now),
        .s_axis_event_tvalid(event_tvalid), .s_axis_event_tready(event_tready), .s_axis_event_tid(event_tid),
        .s_axis_event_tdata(event_tdata), .s_axis_event_tuser(event_tuser),
        .m_axis_window_tvalid(window_tvalid), .m_axis_window_tready(window_tready), .m_axis_window_tid(window_tid),
        .m_axis_window_tdata(window_tdata), .m_axis_window_tuser(window_tuser),
        .cfg_mtu(mtu), .cfg_max_cwnd(max_cwnd), .cfg_fair_decrease(fair_decrease), .cfg_base_rtt(base_rtt), .cfg_target_rtt(target_rtt),
        .cfg_fast_rtt(fast_rtt), .cfg_multiplicative_increase(multiplicative_increase), .cfg_fair_increase(fair_increase),
        // The reset values of the registers, except for losses that count while feedback is ignored.
        .cfg_multiplicative_decrease(8'h20), .cfg_qa_scaling(24'h666666), .cfg_wtd_alpha(8'h20),
        .cfg_wtd_alphas(120'hE2DDD9D3CCC5BDB3A89B8D7D6A553C), .cfg_wtd_threshold(8'h40), .cfg_granularity(6'd1), .cfg_fast_mtus(4'd2),
        .cfg_signals(2'd0), .cfg_late_losses(1'b1),
        .stat_not_open_events(not_open_events)
    );

    // Values of the model's ports.
    chandle model;
    bit m_event_tready, m_window_tvalid;
    int unsigned m_window_tid, m_window_tdata, m_not_open_events;
    byte unsigned m_window_tuser;
    int windows = 0;
    bit [15:0] cases = 0;

    task automatic fail(string what);
        $display("FAIL: %s", what);
        $finish;
    endtask

    task automatic differs(string port);
        fail($sformatf("%s differs at %0t", port, $time));
    endtask

    task automatic configure();
        for (int class_number = 0; class_number < 4; class_number++) begin
            int unsigned value[8];
            value = CLASSES[class_number];
            for (int field = 0; field < 8; field++)
                if (weft_dpi_smartt_write(model, CLASS0 + 32 * class_number + 4 * field, value[field]) < 0) fail(weft_dpi_error());
            mtu[class_number] = 14'(value[0]);
            max_cwnd[class_number] = 26'(value[1]);
            fair_decrease[class_number] = 26'(value[2]);
            base_rtt[class_number] = 16'(value[3]);
            target_rtt[class_number] = 16'(value[4]);
            fast_rtt[class_number] = 16'(value[5]);
            multiplicative_increase[class_number] = value[6];
            fair_increase[class_number] = 30'(value[7]);
        end
        if (weft_dpi_smartt_write(model, LATE_LOSSES, 1) < 0) fail(weft_dpi_error());
    endtask

    initial begin
        model = weft_dpi_smartt_new(256);
        if (model == null) fail(weft_dpi_error());
        configure();
        for (int i = 0; i < CLOCKS; i++) begin
            // Inputs change behind the edge, as registers of a design around the block would.
            rst = i < 3 || $urandom_range(20_000) == 0;
            now = 20'(i / 4);
            event_tvalid = $urandom_range(3) != 0;
            event_tid = 8'($urandom_range(USED - 1));
            event_tdata = {32'($urandom_range(1 << 20)), 16'($urandom_range(1_200)), 24'($urandom_range(65_535))};
            event_tuser = 10'($urandom);
            event_tuser[2:0] = $urandom_range(9) == 0 ? 3'($urandom) : 3'd0;
            window_tready = $urandom_range(3) != 0;
            #1;
            if (weft_dpi_smartt_clock(model, rst, 32'(now), event_tvalid, 32'(event_tid), event_tdata[63:0], event_tdata[71:64],
                    16'(event_tuser), window_tready, m_event_tready, m_window_tvalid, m_window_tid, m_window_tdata, m_window_tuser,
                    m_not_open_events) < 0) fail(weft_dpi_error());
            clk = 1;
            #1;
            // The first reset gives registers their values.
            if (i > 0) begin
                if (event_tready !== m_event_tready) differs("s_axis_event_tready");
                if (window_tvalid !== m_window_tvalid) differs("m_axis_window_tvalid");
                if (32'(not_open_events) !== m_not_open_events) differs("stat_not_open_events");
                if (window_tvalid) begin
                    if (32'(window_tid) !== m_window_tid) differs("m_axis_window_tid");
                    if (window_tdata !== m_window_tdata) differs("m_axis_window_tdata");
                    if (window_tuser !== m_window_tuser) differs("m_axis_window_tuser");
                    windows++;
                    cases[window_tuser[3:0]] = 1;
                end
            end
            clk = 0;
        end
        if (windows < CLOCKS / 10 || $countones(cases) < 8) fail($sformatf("%0d windows by %0d rules: too few", windows, $countones(cases)));
        else $display("PASS: %0d windows by %0d rules", windows, $countones(cases));
        weft_dpi_smartt_free(model);
        $finish;
    end
endmodule
