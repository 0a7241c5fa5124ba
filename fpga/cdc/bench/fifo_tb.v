// SPDX-License-Identifier: MIT OR Apache-2.0
//
// weft_async_fifo between two clocks: numbered words in frames, random
// back-pressure, resets of one side at a time. Whatever comes out must be the
// next word that went in; words are missing only around a reset, in whole frames.
// Prints PASS or what is wrong. Simulation only.
//
//   +seed=N +s_ps=N +m_ps=N (halves of the clocks' periods) +resets=0|1 +words=N

`default_nettype none
`timescale 1ps / 1ps

module fifo_tb;

    parameter D = 4;
    parameter FRAME = 0;
    localparam [31:0] ABORT = 32'hFFFFFFFF;
    localparam MOST = 1 << 17;

    integer seed, s_ps, m_ps, resets, words;
    reg     s_clk = 0;
    reg     m_clk = 0;
    reg     s_rst = 1;
    reg     m_rst = 1;

    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        if (!$value$plusargs("s_ps=%d", s_ps)) s_ps = 2000;
        if (!$value$plusargs("m_ps=%d", m_ps)) m_ps = 1551;
        if (!$value$plusargs("resets=%d", resets)) resets = 0;
        if (!$value$plusargs("words=%d", words)) words = 20000;
        // The synchronisers' draws.
        repeat (seed) s_drawn = $random;
        fork
            forever #s_ps s_clk = !s_clk;
            begin
                #(s_ps / 3);
                forever #m_ps m_clk = !m_clk;
            end
        join
    end

    reg         s_valid = 0;
    reg         s_last = 0;
    reg         m_ready = 0;
    wire        s_ready, m_valid, m_last;
    wire [31:0] m_data;
    wire  [D:0] s_written, s_taken;
    wire  [D:0] s_level = s_written - s_taken;
    integer     accepted = 0; // words taken in
    integer     emitted = 0;  // the number of the word that comes next

    weft_async_fifo #(.W(32), .D(D), .FRAME(FRAME), .ABORT(ABORT)) dut (
        .s_clk(s_clk), .s_rst(s_rst), .s_axis_tvalid(s_valid), .s_axis_tready(s_ready), .s_axis_tdata(accepted),
        .s_axis_tlast(s_last), .s_written(s_written), .s_taken(s_taken),
        .m_clk(m_clk), .m_rst(m_rst), .m_axis_tvalid(m_valid), .m_axis_tready(m_ready), .m_axis_tdata(m_data),
        .m_axis_tlast(m_last)
    );

    task fail(input [8*48-1:0] what);
        begin
            $display("FAIL: %0s, word %0d at %0t", what, emitted, $time);
            $finish;
        end
    endtask

    // What went in: last of its frame, when its frame began.
    reg        in_last [0:MOST-1];
    reg        in_first [0:MOST-1];
    reg [63:0] in_time [0:MOST-1];
    reg        s_in = 0;       // inside a frame
    reg [63:0] s_began = 0;
    reg [63:0] s_reset_end = 0;
    reg [63:0] m_reset_end = 0;
    integer    s_resets = 0;
    integer    aborts = 0;
    integer    lost = 0;
    integer    s_share = 100, m_share = 100; // per cent of clocks
    integer    s_drawn, left, most;
    reg        stops = 0;

    function integer draw(input integer below);
        draw = $unsigned($random(seed)) % below;
    endfunction

    function integer share(input integer which);
        case (which)
            0: share = 0;
            1: share = 10;
            2: share = 50;
            3: share = 90;
            default: share = 100;
        endcase
    endfunction

    // Shares change now and then, alike for a while on both sides or not.
    initial forever begin
        #((s_ps + m_ps) * (20 + draw(200)));
        s_share = share(draw(6));
        m_share = share(draw(6));
    end

    initial most = FRAME ? (1 << D) : 3 << D;

    // Writes: driven after the edge, looked at before the next.
    always @(posedge s_clk) begin
        if ((s_ready ^ s_ready) !== 1'b0) fail("s_axis_tready is unknown");
        if (^{s_written, s_taken} === 1'bx) fail("the counts are unknown");
        // While both sides clear, the counts say nothing.
        if (s_ready && s_level > (1 << D)) fail("more words inside than there is room");
        if (s_rst & s_ready) fail("ready in reset");
        if (s_valid & s_ready) begin
            if (!s_in) s_began = $time;
            in_first[accepted] = !s_in;
            in_last[accepted] = s_last;
            in_time[accepted] = s_began;
            s_in = !s_last;
        end
        if (s_rst) s_in = 0;
    end

    always @(posedge s_clk) begin : writer
        reg taken;
        taken = s_valid & s_ready;
        #1;
        if (taken) accepted = accepted + 1;
        if (s_rst) begin
            s_valid = 0;
            left = 0;
        end else if (taken | !s_valid) begin
            s_valid = draw(100) < s_share && !(stops && left <= 0 && !s_in);
            if (s_valid) begin
                if (!s_in) left = draw(4) == 0 ? 1 + draw(most) : 1 + draw(4);
                left = left - 1;
                s_last = left == 0;
            end
        end
    end

    // Reads.
    reg        m_in = 0;
    reg        held = 0, flows = 0, held_last;
    reg [31:0] held_data;
    reg [63:0] m_seen = 0; // when a word was offered, or no frame was under way
    integer    k;

    always @(posedge m_clk) begin
        if (m_rst) begin
            m_in = 0;
            held = 0;
            flows = 0;
        end else begin
            if ((m_valid ^ m_valid) !== 1'b0) fail("m_axis_tvalid is unknown");
            if (held && !(m_valid && m_data === held_data && m_last === held_last)) fail("an offered word changed");
            if (FRAME && flows && !m_valid && s_reset_end + 40 * (s_ps + m_ps) < $time && !s_rst) fail("a gap inside a frame");
            if (m_valid | !m_in) m_seen = $time;
            if ($time > m_seen + 60 * (s_ps + m_ps) && in_time[emitted-1] < s_reset_end && s_reset_end + 60 * (s_ps + m_ps) < $time && !s_rst)
                fail("a cut frame does not end");
            held = m_valid & !m_ready;
            held_data = m_data;
            held_last = m_last;
            if (m_valid) begin
                if (^{m_data, m_last} === 1'bx) fail("a word is unknown");
                flows = !m_last;
            end
            if (m_valid & m_ready) begin
                if (m_data == ABORT) begin
                    if (!m_last || !m_in) fail("an end of nothing");
                    if (aborts == s_resets) fail("a frame was cut without a reset");
                    aborts = aborts + 1;
                    m_in = 0;
                end else begin
                    if (m_data >= accepted) fail("a word that was not written");
                    if (m_data < emitted) fail("a word came twice");
                    if (m_in && m_data != emitted) fail("a frame has a hole");
                    for (k = emitted; k < m_data; k = k + 1) begin
                        if (in_time[k] > s_reset_end && in_time[k] > m_reset_end + 24 * (s_ps + m_ps)) fail("a word was lost");
                        lost = lost + 1;
                    end
                    if (m_in == in_first[m_data]) fail("half a frame");
                    if (m_last != in_last[m_data]) fail("an end of a frame moved");
                    emitted = m_data + 1;
                    m_in = !m_last;
                end
            end
        end
    end

    always @(posedge m_clk) #1 m_ready = draw(100) < m_share;

    // Resets of one side, sometimes in quick succession.
    task reset_s(input integer clocks);
        begin
            @(posedge s_clk) #1 s_rst = 1;
            s_resets = s_resets + 1;
            repeat (clocks) @(posedge s_clk);
            s_reset_end = $time;
            #1 s_rst = 0;
        end
    endtask

    task reset_m(input integer clocks);
        begin
            @(posedge m_clk) #1 m_rst = 1;
            repeat (clocks) @(posedge m_clk);
            m_reset_end = $time;
            #1 m_rst = 0;
        end
    endtask

    integer which, round;

    initial begin
        fork
            reset_s(4);
            reset_m(4);
        join
        // As much as fits, and no more: all single frames, nobody takes them.
        while (!stops && accepted < words) begin
            if (resets) begin
                #((s_ps + m_ps) * (draw(3) == 0 ? draw(30) : 100 + draw(1500)));
                which = draw(5);
                if (which < 2) reset_s(1 + draw(6));
                else if (which < 4) reset_m(1 + draw(6));
                else fork
                    reset_s(1 + draw(6));
                    reset_m(1 + draw(6));
                join
            end else
                @(posedge s_clk);
        end
        stops = 1;
        for (round = 0; round < 4000 && (s_in || emitted != accepted); round = round + 1) begin
            #(s_ps + m_ps);
            s_share = 100;
            m_share = 100;
        end
        // What was lost last is at the end.
        for (k = emitted; k < accepted; k = k + 1)
            if (in_time[k] > s_reset_end && in_time[k] > m_reset_end + 24 * (s_ps + m_ps)) fail("a word is still inside");
        if (resets && lost == 0) fail("no reset lost a word: the test is too weak");
        $display("PASS: %0d words, %0d lost in resets, %0d frames ended", accepted, lost, aborts);
        $finish;
    end

    // Nothing stands still for long.
    integer seen_accepted = -1, seen_emitted = -1;

    initial forever begin
        #((s_ps + m_ps) * 5000);
        if (!stops && seen_accepted == accepted && seen_emitted == emitted) fail("nothing moves");
        seen_accepted = accepted;
        seen_emitted = emitted;
    end

endmodule

`default_nettype wire
