// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Bits of another clock, through two registers. Each bit comes from a register
// of its own clock; of several bits one at most may change at a time (a Gray
// code), for each arrives a clock sooner or later as it likes.

`default_nettype none

module weft_sync #(
    parameter W = 1 // bits
) (
    input  wire         clk, // the clock that the bits come to
    input  wire [W-1:0] d,
    output wire [W-1:0] q
);

    (* ASYNC_REG = "TRUE", SHREG_EXTRACT = "NO", keep *)
    reg [W-1:0] meta = {W{1'b0}};
    (* ASYNC_REG = "TRUE", SHREG_EXTRACT = "NO", keep *)
    reg [W-1:0] stable = {W{1'b0}};

    always @(posedge clk) begin
        meta   <= d;
        stable <= meta;
    end

    assign q = stable;

endmodule

`default_nettype wire
