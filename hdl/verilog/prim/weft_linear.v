// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Linear map over bits, combinational: output bit i is the parity of the
// input bits that row i of the matrix selects. In lanes of 64 bits, because
// simulators are quick with them, and pass over those of which none is selected.

`default_nettype none

module weft_linear #(
    parameter I = 1,               // width of x in bits
    parameter O = 1,               // width of y in bits
    parameter [I*O-1:0] MATRIX = 0 // row i in bits I*i+I-1 : I*i
) (
    input  wire [I-1:0] x,
    output wire [O-1:0] y
);

    localparam LANES = (I + 63) / 64;

    genvar i, k;

    generate
        for (i = 0; i < O; i = i + 1) begin : g_row
            wire [LANES-1:0] parity;

            for (k = 0; k < LANES; k = k + 1) begin : g_lane
                localparam N = I - 64 * k < 64 ? I - 64 * k : 64;

                assign parity[k] = ^(x[64*k+:N] & MATRIX[i*I+64*k+:N]);
            end

            assign y[i] = ^parity;
        end
    endgenerate

endmodule

`default_nettype wire
