// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Pipeline register for data: clock enable, no reset, undefined until loaded.

`default_nettype none

module weft_pipe #(
    parameter W = 1 // width in bits
) (
    input  wire         clk,
    input  wire         en,
    input  wire [W-1:0] d,
    output reg  [W-1:0] q
);

    always @(posedge clk)
        if (en)
            q <= d;

endmodule

`default_nettype wire
