// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Register with synchronous reset and clock enable. Reset wins over enable.
// Undefined until the first reset, so that a run with random contents finds a missing one.

`default_nettype none

module weft_reg #(
    parameter W = 1,                   // width in bits
    parameter [W-1:0] INIT = {W{1'b0}} // value after reset
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         en,
    input  wire [W-1:0] d,
    output reg  [W-1:0] q
);

    always @(posedge clk) begin
        if (rst)
            q <= INIT;
        else if (en)
            q <= d;
    end

endmodule

`default_nettype wire
