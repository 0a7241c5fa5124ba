// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Delay line for data: q is the d of CLOCKS enabled clocks ago, undefined until
// filled. No reset, so that tools can use shift-register LUTs.

`default_nettype none

module weft_delay #(
    parameter W = 1,     // width in bits
    parameter CLOCKS = 1 // delay in clocks, 1 or more
) (
    input  wire         clk,
    input  wire         en,
    input  wire [W-1:0] d,
    output wire [W-1:0] q
);

    genvar i;

    generate
        for (i = 0; i < CLOCKS; i = i + 1) begin : g_clock
            reg [W-1:0] word;

            if (i == 0) begin : g_first
                always @(posedge clk)
                    if (en)
                        word <= d;
            end else begin : g_next
                always @(posedge clk)
                    if (en)
                        word <= g_clock[i-1].word;
            end
        end
    endgenerate

    assign q = g_clock[CLOCKS-1].word;

endmodule

`default_nettype wire
