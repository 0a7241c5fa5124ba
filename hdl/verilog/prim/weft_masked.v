// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Data register of bytes, without reset: those that a mask leaves out are 0.
//
// Latency: 1 clock. Undefined until loaded. The mask becomes the registers'
// reset and takes no LUT.

`default_nettype none

module weft_masked #(
    parameter B = 1 // bytes
) (
    input  wire           clk,
    input  wire   [B-1:0] keep, // bit i: byte i of d is loaded, else 0
    input  wire [8*B-1:0] d,
    output reg  [8*B-1:0] q
);

    genvar i;
    generate
        for (i = 0; i < B; i = i + 1) begin : g_byte
            always @(posedge clk)
                if (keep[i])
                    q[8*i +: 8] <= d[8*i +: 8];
                else
                    q[8*i +: 8] <= 8'd0;
        end
    endgenerate

endmodule

`default_nettype wire
