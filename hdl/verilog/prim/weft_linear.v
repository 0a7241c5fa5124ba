// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Linear map over bits, combinational: output bit i is the parity of the
// input bits that row i of the matrix selects.

`default_nettype none

module weft_linear #(
    parameter I = 1,               // width of x in bits
    parameter O = 1,               // width of y in bits
    parameter [I*O-1:0] MATRIX = 0 // row i in bits I*i+I-1 : I*i
) (
    input  wire [I-1:0] x,
    output wire [O-1:0] y
);

    genvar i;

    generate
        for (i = 0; i < O; i = i + 1) begin : g_row
            assign y[i] = ^(x & MATRIX[i*I+:I]);
        end
    endgenerate

endmodule

`default_nettype wire
