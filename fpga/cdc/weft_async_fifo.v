// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A stream from one clock to another, in order: 2^D words in memory, pointers in
// Gray code through two registers.
//
// Either side may be reset alone; both sides then forget what is under way.
// What the other side sees stays whole: of a frame that was being taken in, the
// rest is taken and forgotten; a frame that was being given out ends with ABORT.
// Streams without frames tie s_axis_tlast high.
//
// docs/clocks.md has the rules.

`default_nettype none

module weft_async_fifo #(
    parameter W = 8,                     // bits of a word
    parameter D = 4,                     // room for 2^D words, D at least 2
    parameter FRAME = 0,                 // 1: a frame leaves when it is whole, so it has no gap; it has at most 2^D words
    parameter [W-1:0] ABORT = {W{1'b0}}, // ends a frame that a reset has cut
    parameter RAM_STYLE = "distributed"  // block for more than 32 words
) (
    input  wire         s_clk,
    input  wire         s_rst,         // synchronous to s_clk
    input  wire         s_axis_tvalid,
    output wire         s_axis_tready,
    input  wire [W-1:0] s_axis_tdata,
    input  wire         s_axis_tlast,
    output wire   [D:0] s_written,     // words taken in, modulo 2^(D+1)
    output wire   [D:0] s_taken,       // of these the other side has taken so many, at least

    input  wire         m_clk,
    input  wire         m_rst,         // synchronous to m_clk
    output wire         m_axis_tvalid,
    input  wire         m_axis_tready,
    output wire [W-1:0] m_axis_tdata,
    output wire         m_axis_tlast
);

    // Lint does not count the use in the attribute.
    localparam unused_ram_style = RAM_STYLE == "";

    (* no_rw_check, ram_style = RAM_STYLE *)
    reg [W:0] words [0:(1 << D) - 1];

    function [D:0] gray(input [D:0] binary);
        gray = binary ^ (binary >> 1);
    endfunction

    function [D:0] binary(input [D:0] gray_code);
        integer i;
        begin
            binary[D] = gray_code[D];
            for (i = D - 1; i >= 0; i = i - 1)
                binary[i] = binary[i+1] ^ gray_code[i];
        end
    endfunction

    // Crossings, each from a register. All begin as the device's configuration leaves them, so a reset is not needed at the start.
    reg  [D:0] s_gray = 0;
    reg  [D:0] s_frames_gray = 0;
    reg  [D:0] m_gray = 0;
    wire [D:0] s_gray_seen, s_frames_seen, m_gray_seen;
    reg        s_clear = 1'b1;
    reg        m_ask = 1'b0;
    reg        m_ack = 1'b0;
    wire       s_clear_seen, m_ask_seen, m_ack_seen;

    weft_sync #(.W(D+1)) sync_written (.clk(m_clk), .d(s_gray), .q(s_gray_seen));
    weft_sync #(.W(1))   sync_clear   (.clk(m_clk), .d(s_clear), .q(s_clear_seen));
    weft_sync #(.W(D+1)) sync_taken   (.clk(s_clk), .d(m_gray), .q(m_gray_seen));
    weft_sync #(.W(1))   sync_ask     (.clk(s_clk), .d(m_ask), .q(m_ask_seen));
    weft_sync #(.W(1))   sync_ack     (.clk(s_clk), .d(m_ack), .q(m_ack_seen));

    // The side that writes clears: both sides stand still, the side that reads
    // goes back to word 0 and says so, then this side does, and then they go on.
    reg        s_zero = 1'b0;
    wire       s_zeroes = s_clear & m_ack_seen;
    wire       s_hold = s_rst | s_clear | m_ask_seen | m_ack_seen;

    always @(posedge s_clk) begin
        s_zero <= s_zeroes;
        if (s_clear)
            s_clear <= s_rst | m_ask_seen | !s_zero;
        else
            s_clear <= (s_rst | m_ask_seen) & !m_ack_seen;
    end

    // Writes.
    reg  [D:0] s_count = 0;
    reg  [D:0] s_frames = 0;
    reg        s_inside = 1'b0;
    reg        s_swallows = 1'b0;
    wire       s_full = s_gray == {~m_gray_seen[D:D-1], m_gray_seen[D-2:0]};
    wire       s_moves = s_axis_tvalid & s_axis_tready;
    wire       s_writes = s_moves & !s_swallows;
    wire [D:0] s_next = s_count + 1'b1;

    assign s_axis_tready = !s_hold & (s_swallows | !s_full);
    assign s_written = s_count;
    assign s_taken = binary(m_gray_seen);

    always @(posedge s_clk)
        if (s_writes)
            words[s_count[D-1:0]] <= {s_axis_tlast, s_axis_tdata};

    always @(posedge s_clk) begin
        if (s_zeroes) begin
            s_count <= 0;
            s_gray  <= 0;
        end else if (s_writes) begin
            s_count <= s_next;
            s_gray  <= gray(s_next);
        end
        if (s_moves)
            s_inside <= !s_axis_tlast;
        if (s_zeroes)
            s_swallows <= s_inside;
        else if (s_moves & s_axis_tlast)
            s_swallows <= 1'b0;
        if (s_rst) begin
            s_inside   <= 1'b0;
            s_swallows <= 1'b0;
        end
    end

    // Whole frames are told a clock behind their last word, so that they arrive no sooner than it.
    always @(posedge s_clk) begin
        if (s_zeroes)
            s_frames <= 0;
        else if (s_writes & s_axis_tlast)
            s_frames <= s_frames + 1'b1;
        s_frames_gray <= s_zeroes ? 0 : gray(s_frames);
    end

    // Reads: the memory's output register and the word that is offered.
    wire       m_hold = m_rst | m_ask | s_clear_seen;
    reg  [D:0] m_fetched = 0;
    reg  [D:0] m_count = 0;
    reg        m_read = 1'b0;    // the output register has a word
    reg        m_offered = 1'b0;
    reg        m_stale = 1'b0;   // the word offered is older than the clear, or ends what is
    reg        m_begun = 1'b0;   // a frame has been offered, and its last word not been taken
    reg  [W:0] m_ram, m_word;
    wire       m_whole;
    wire       m_shows = m_offered & (m_begun | m_whole);
    wire       m_moves = m_shows & m_axis_tready;
    wire       m_old = m_hold | m_stale;
    wire       m_takes = m_moves & !m_old;
    wire       m_begins = m_shows ? !(m_moves & m_word[W]) : m_begun;
    wire       m_fetches = !m_read | !m_old & (m_moves | !m_offered);
    wire       m_some = gray(m_fetched) != s_gray_seen;
    wire [D:0] m_next = m_count + 1'b1;

    assign m_axis_tvalid = m_shows;
    assign m_axis_tdata = m_word[W-1:0];
    assign m_axis_tlast = m_word[W];

    always @(posedge m_clk) begin
        m_ask <= m_rst | m_ask & !s_clear_seen;
        m_ack <= s_clear_seen;
    end

    always @(posedge m_clk)
        if (m_fetches & m_some)
            m_ram <= words[m_fetched[D-1:0]];

    always @(posedge m_clk) begin
        if (s_clear_seen) begin
            m_fetched <= 0;
            m_count   <= 0;
            m_gray    <= 0;
        end else if (!m_hold) begin
            if (m_fetches & m_some)
                m_fetched <= m_fetched + 1'b1;
            if (m_takes) begin
                m_count <= m_next;
                m_gray  <= gray(m_next);
            end
        end
        if (m_hold)
            m_read <= 1'b0;
        else if (m_fetches)
            m_read <= m_some;
    end

    always @(posedge m_clk) begin
        m_begun <= m_begins;
        if (m_old) begin
            m_stale <= m_hold | m_begins;
            if (m_moves | !m_shows) begin
                m_offered <= m_begins;
                m_word    <= {1'b1, ABORT};
            end
        end else if (m_moves | !m_offered) begin
            m_offered <= m_read;
            m_word    <= m_ram;
        end
        if (m_rst) begin
            m_begun   <= 1'b0;
            m_stale   <= 1'b0;
            m_offered <= 1'b0;
        end
    end

    generate
        if (FRAME != 0) begin : g_frame
            // Told a clock later, when the frame's words can follow one another.
            reg [D:0] m_finished = 0;
            reg [D:0] m_known = 0;

            weft_sync #(.W(D+1)) sync_frames (.clk(m_clk), .d(s_frames_gray), .q(s_frames_seen));

            always @(posedge m_clk) begin
                m_known <= s_frames_seen;
                if (s_clear_seen) begin
                    m_finished <= 0;
                    m_known    <= 0;
                end else if (m_takes & m_word[W])
                    m_finished <= m_finished + 1'b1;
            end

            assign m_whole = m_known != gray(m_finished);
        end else begin : g_words
            wire unused = &{1'b0, s_frames_gray, s_frames_seen, 1'b0};

            assign s_frames_seen = 0;
            assign m_whole = 1'b1;
        end
    endgenerate

endmodule

`default_nettype wire
