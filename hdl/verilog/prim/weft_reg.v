// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Register with synchronous reset and clock enable. Reset wins over enable.

`default_nettype none

module weft_reg #(
    parameter W = 1,                   // width in bits
    parameter [W-1:0] INIT = {W{1'b0}} // value at power-up and after reset
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         en,
    input  wire [W-1:0] d,
    output reg  [W-1:0] q
);

    initial q = INIT;

    always @(posedge clk) begin
        if (rst)
            q <= INIT;
        else if (en)
            q <= d;
    end

endmodule

`default_nettype wire
