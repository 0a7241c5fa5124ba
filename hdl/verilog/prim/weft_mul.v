// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Unsigned multiplier, p = a * b after STAGES clocks (1 or more), one per
// clock, undefined until filled. The registers sit where a DSP block has its
// own: 1 behind the product, 2 in front and behind, 3 also at the output;
// more delay the output further.

`default_nettype none

module weft_mul #(
    parameter A = 1,     // width of a in bits
    parameter B = 1,     // width of b in bits
    parameter STAGES = 3 // latency in clocks
) (
    input  wire           clk,
    input  wire           en, // all stages advance
    input  wire [A-1:0]   a,
    input  wire [B-1:0]   b,
    output wire [A+B-1:0] p
);

    wire [A-1:0]   a_in;
    wire [B-1:0]   b_in;
    reg  [A+B-1:0] product;

    generate
        if (STAGES >= 2) begin : g_in
            reg [A-1:0] a_reg;
            reg [B-1:0] b_reg;

            always @(posedge clk)
                if (en) begin
                    a_reg <= a;
                    b_reg <= b;
                end

            assign a_in = a_reg;
            assign b_in = b_reg;
        end else begin : g_no_in
            assign a_in = a;
            assign b_in = b;
        end
    endgenerate

    always @(posedge clk)
        if (en)
            product <= {{B{1'b0}}, a_in} * {{A{1'b0}}, b_in};

    genvar i;

    generate
        for (i = 3; i <= STAGES; i = i + 1) begin : g_out
            reg [A+B-1:0] out;

            if (i == 3) begin : g_first
                always @(posedge clk)
                    if (en)
                        out <= product;
            end else begin : g_next
                always @(posedge clk)
                    if (en)
                        out <= g_out[i-1].out;
            end
        end

        if (STAGES >= 3) begin : g_delayed
            assign p = g_out[STAGES].out;
        end else begin : g_product
            assign p = product;
        end
    endgenerate

endmodule

`default_nettype wire
