// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Holds a word back until the other side of a weft_async_fifo has taken what was
// written into it before the word came.

`default_nettype none

module weft_cdc_fence #(
    parameter D = 4 // of the queue
) (
    input  wire       clk,
    input  wire       rst,
    input  wire [D:0] written, // s_written and s_taken of the queue
    input  wire [D:0] taken,
    input  wire       s_valid, // the word is there
    input  wire       s_waits, // and has to wait
    output wire       m_valid, // it may go
    input  wire       m_ready
);

    reg        came, known; // seen a clock ago; what is in front of it is known
    reg  [D:0] left, taken_then;
    wire [D:0] moved = taken - taken_then;

    assign m_valid = s_valid & (!s_waits | known & (left == 0));

    always @(posedge clk) begin
        taken_then <= taken;
        came   <= s_valid & !(m_valid & m_ready);
        known  <= s_valid & !(m_valid & m_ready) & came;
        if (!known)
            left <= written - taken;
        else
            left <= left > moved ? left - moved : 0;
        if (rst) begin
            came  <= 1'b0;
            known <= 1'b0;
        end
    end

endmodule

`default_nettype wire
