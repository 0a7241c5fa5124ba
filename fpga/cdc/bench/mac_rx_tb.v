// SPDX-License-Identifier: MIT OR Apache-2.0
//
// weft_mac_rx behind a MAC that never waits: each frame comes out whole, or cut
// with its last word marked bad, or not at all, and each that is not whole is
// told once. With +ready=100 and a slower MAC none is lost. With +resets=0 there is
// no reset: registers begin as the configuration leaves them.
// Prints PASS or what is wrong. Simulation only.
//
//   +seed=N +s_ps=N +m_ps=N (halves of the clocks' periods) +ready=N (per cent) +resets=0

`default_nettype none
`timescale 1ps / 1ps

module mac_rx_tb;

    localparam FRAMES = 4000;

    integer seed, s_ps, m_ps, ready, resets;
    reg     s_clk = 0;
    reg     m_clk = 0;
    reg     s_rst = 1;
    reg     m_rst = 1;
    reg     begins = 0;

    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        if (!$value$plusargs("s_ps=%d", s_ps)) s_ps = 1551;
        if (!$value$plusargs("m_ps=%d", m_ps)) m_ps = 2000;
        if (!$value$plusargs("ready=%d", ready)) ready = 50;
        if (!$value$plusargs("resets=%d", resets)) resets = 1;
        if (resets == 0) {s_rst, m_rst} = 2'b00;
        fork
            forever #s_ps s_clk = !s_clk;
            forever #m_ps m_clk = !m_clk;
            begin
                repeat (4) @(posedge s_clk);
                #1 s_rst = 0;
                // Both sides have to be out of reset before there is room.
                #(40 * (s_ps + m_ps)) begins = 1;
            end
            begin
                repeat (4) @(posedge m_clk);
                #1 m_rst = 0;
            end
        join
    end

    reg         s_valid = 0, s_last = 0, s_bad = 0, m_ready = 0;
    reg  [15:0] frame = 0, place = 0;
    reg   [3:0] s_keep = 4'hF;
    wire        dropped, m_valid, m_last, m_bad;
    wire [31:0] m_data;
    wire  [3:0] m_keep;

    weft_mac_rx #(.WIDTH(32), .USER(1), .D(4)) dut (
        .s_clk(s_clk), .s_rst(s_rst), .s_axis_tvalid(s_valid), .s_axis_tdata({frame, place}), .s_axis_tkeep(s_keep),
        .s_axis_tlast(s_last), .s_axis_tuser(s_bad), .dropped(dropped),
        .m_clk(m_clk), .m_rst(m_rst), .m_axis_tvalid(m_valid), .m_axis_tready(m_ready), .m_axis_tdata(m_data),
        .m_axis_tkeep(m_keep), .m_axis_tlast(m_last), .m_axis_tuser(m_bad)
    );

    function integer draw(input integer below);
        draw = $unsigned($random(seed)) % below;
    endfunction

    task fail(input [8*40-1:0] what);
        begin
            $display("FAIL: %0s, frame %0d at %0t", what, expected, $time);
            $finish;
        end
    endtask

    integer    told = 0, cut = 0, missing = 0, whole = 0, expected = 0;
    reg [15:0] length [0:FRAMES-1];
    reg        bad [0:FRAMES-1];
    reg  [3:0] keep [0:FRAMES-1];
    reg [15:0] next_place = 0;

    always @(posedge s_clk) begin
        if (dropped === 1'b1) told = told + 1;
        if (resets == 0 && ^{dropped, dut.waits, dut.last, dut.discards} === 1'bx) fail("no first value");
        #1;
        if (begins && frame < FRAMES) begin
            if (s_valid) begin
                place = s_last ? 0 : place + 1;
                if (s_last) frame = frame + 1;
            end
            s_valid = frame < FRAMES && draw(8) != 0;
            if (place == 0 && frame < FRAMES && s_valid) begin
                length[frame] = draw(3) == 0 ? 1 + draw(20) : 1 + draw(3);
                bad[frame] = draw(16) == 0;
                keep[frame] = 4'hF >> draw(4);
            end
            s_last = s_valid && place + 1 == length[frame];
            s_bad = s_last && bad[frame];
            s_keep = s_last ? keep[frame] : 4'hF;
        end else
            s_valid = 0;
    end

    always @(posedge m_clk) begin
        if (m_valid & m_ready) begin
            if (next_place == 0) begin
                if (m_data[31:16] < expected) fail("a frame came twice");
                missing = missing + m_data[31:16] - expected;
                expected = m_data[31:16];
            end
            if (m_data !== {expected[15:0], next_place}) fail("a hole in a frame");
            next_place = next_place + 1;
            if (m_last) begin
                if (next_place == length[expected]) begin
                    if (m_keep !== keep[expected]) fail("wrong bytes");
                    if (m_bad !== bad[expected]) fail("wrongly judged");
                    whole = whole + 1;
                end else begin
                    if (!m_bad) fail("cut, and not marked");
                    cut = cut + 1;
                end
                next_place = 0;
                expected = expected + 1;
            end else if (next_place >= length[expected]) fail("too long");
        end
        #1 m_ready = draw(100) < ready;
    end

    initial begin
        wait (frame == FRAMES);
        #((s_ps + m_ps) * 200);
        missing = missing + FRAMES - expected;
        if (told != cut + missing) fail("not each loss was told");
        if (ready == 100 && m_ps < s_ps && told != 0) fail("lost with room");
        if (ready != 100 && (cut == 0 || missing == 0 || whole == 0)) fail("too weak");
        $display("PASS: %0d whole, %0d cut, %0d dropped", whole, cut, missing);
        $finish;
    end

endmodule

`default_nettype wire
