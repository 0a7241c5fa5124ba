// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Unsigned multiplier of two clocks, p = a * b, one per clock, undefined until
// filled. Registers stand behind the product and at the output.
//
// With the macro WEFT_MUL18, for devices whose multiplier blocks take 18 bits,
// such as ECP5, the low 18 bits of a and the rest are multiplied apart, and
// the second clock adds the products.

`default_nettype none

module weft_mul_wide #(
    parameter A = 19, // width of a in bits
    parameter B = 1   // width of b in bits
) (
    input  wire           clk,
    input  wire           en, // both stages advance
    input  wire [A-1:0]   a,
    input  wire [B-1:0]   b,
    output reg  [A+B-1:0] p
);

`ifdef WEFT_MUL18
    localparam LOW = A > 18 ? 18 : 1;

    reg [LOW+B-1:0]   low;
    reg [A-LOW+B-1:0] high;

    always @(posedge clk)
        if (en) begin
            low <= {{B{1'b0}}, a[LOW-1:0]} * {{LOW{1'b0}}, b};
            high <= {{B{1'b0}}, a[A-1:LOW]} * {{(A-LOW){1'b0}}, b};
            p <= {{(A-LOW){1'b0}}, low} + {high, {LOW{1'b0}}};
        end
`else
    reg [A+B-1:0] product;

    always @(posedge clk)
        if (en) begin
            product <= {{B{1'b0}}, a} * {{A{1'b0}}, b};
            p <= product;
        end
`endif

endmodule

`default_nettype wire
