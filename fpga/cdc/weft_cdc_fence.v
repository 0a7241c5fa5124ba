// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Holds a word back until the other side of a queue, such as a weft_async_fifo,
// has taken what was written into it before the word came.
//
// With PATIENCE no word waits for ever: after 2^PATIENCE clocks it goes as it is,
// and is marked late. What it waited for is kept, and the next word that waits
// goes on with it, so words that come again and again get through a queue that is
// never empty. A pulse of anew forgets it. A word that waits at several fences is
// late at all of them when it is at one.

`default_nettype none

module weft_cdc_fence #(
    parameter D = 4,       // of the queue
    parameter PATIENCE = 0 // log2 of the clocks that a word waits at most; 0: for ever
) (
    input  wire       clk,
    input  wire       rst,
    input  wire [D:0] written, // s_written and s_taken of the queue, modulo 2^(D+1)
    input  wire [D:0] taken,
    input  wire       counted, // all that is to be waited for is counted in `written`
    input  wire       anew,    // what was waited for counts no longer: the next word waits for all that is there then
    input  wire       keeps,   // the word is late at another fence
    input  wire       s_valid, // the word is there
    input  wire       s_waits, // and has to wait
    output wire       m_valid, // it may go
    output wire       m_late,  // though not all was taken
    input  wire       m_ready
);

    reg              came, known; // seen a clock ago; what is in front of it is known
    reg              late;
    reg [PATIENCE:0] waited;
    reg        [D:0] left, taken_then;
    wire       [D:0] moved   = taken - taken_then;
    wire             passes  = known & (left == 0);
    wire             waits   = s_valid & s_waits;
    wire             goes    = waits & m_valid & m_ready;
    wire             expires = (PATIENCE != 0) & (anew | waited[PATIENCE] & !passes);

    assign m_valid = s_valid & (!s_waits | passes | late);
    assign m_late  = s_waits & late;

    always @(posedge clk) begin
        taken_then <= taken;
        came       <= !anew & !(goes & !late & !keeps) & (came | waits & !late);
        known      <= !anew & !(goes & !late & !keeps) & (known | came & counted);
        late       <= waits & !goes & (late | expires);
        if (!waits | goes)
            waited <= 0;
        else if (!waited[PATIENCE])
            waited <= waited + 1'b1;
        if (!known)
            left <= written - taken;
        else
            left <= left > moved ? left - moved : 0;
        if (rst) begin
            came  <= 1'b0;
            known <= 1'b0;
            late  <= 1'b0;
        end
    end

endmodule

`default_nettype wire
