// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Memory in LUTs, one clock: one write port, one port that is read without a
// clock.
//
// Latency: a word is read from the clock after it was written on, and until
// then the word before it. Contents are undefined until written.

`default_nettype none

module weft_ram_lut #(
    parameter W = 1, // word width in bits
    parameter A = 1  // address width in bits, 2**A words
) (
    input  wire         clk,
    input  wire         we,    // write enable
    input  wire [A-1:0] waddr,
    input  wire [W-1:0] wdata,
    input  wire [A-1:0] raddr,
    output wire [W-1:0] rdata  // the word there, in the same clock
);

    (* ram_style = "distributed" *)
    reg [W-1:0] words [0:(1 << A) - 1];

    always @(posedge clk)
        if (we)
            words[waddr] <= wdata;

    assign rdata = words[raddr];

endmodule

`default_nettype wire
