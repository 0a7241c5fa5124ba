// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Unsigned multiplier, p = a * b after STAGES clocks (1 or more), one per
// clock, undefined until filled. The registers sit where a DSP block has its
// own: 1 behind the product, 2 in front and behind, 3 also at the output;
// more delay the output further.
//
// With FACTOR_BITS, factors of more bits are cut: 2 stages are the products of
// their parts and the sum of those, 3 have registers in front as well. This is
// for multiplier blocks that are used without their own registers and adders.

`default_nettype none

module weft_mul #(
    parameter A = 1,          // width of a in bits
    parameter B = 1,          // width of b in bits
    parameter STAGES = 3,     // latency in clocks
    parameter FACTOR_BITS = 0 // widest factor of one product; 0: any
) (
    input  wire           clk,
    input  wire           en, // all stages advance
    input  wire [A-1:0]   a,
    input  wire [B-1:0]   b,
    output wire [A+B-1:0] p
);

    localparam F = FACTOR_BITS != 0 ? FACTOR_BITS : A + B;
    // In how many parts a and b are cut.
    localparam A_PARTS = (A + F - 1) / F;
    localparam B_PARTS = (B + F - 1) / F;
    localparam CUT = STAGES >= 2 && A_PARTS * B_PARTS > 1;
    // The stage behind which the product is known.
    localparam KNOWN = CUT && STAGES >= 3 ? 3 : STAGES >= 2 ? 2 : 1;

    wire [A-1:0]   a_in;
    wire [B-1:0]   b_in;
    wire [A+B-1:0] sum;
    reg  [A+B-1:0] product;

    genvar i, j;

    generate
        if (KNOWN > (CUT ? 2 : 1)) begin : g_in
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

        if (CUT) begin : g_cut
            for (i = 0; i < A_PARTS; i = i + 1) begin : g_a
                for (j = 0; j < B_PARTS; j = j + 1) begin : g_b
                    localparam WA = i == A_PARTS - 1 ? A - F * i : F;
                    localparam WB = j == B_PARTS - 1 ? B - F * j : F;

                    reg  [WA+WB-1:0] part;
                    wire [A+B-1:0]   above;
                    wire [A+B-1:0]   sums; // of this and the parts before it

                    always @(posedge clk)
                        if (en)
                            part <= {{WB{1'b0}}, a_in[F*i +: WA]} * {{WA{1'b0}}, b_in[F*j +: WB]};

                    assign above = {{A+B-WA-WB{1'b0}}, part} << F * (i + j);

                    if (j > 0) begin : g_add
                        assign sums = g_a[i].g_b[j-1].sums + above;
                    end else if (i > 0) begin : g_row
                        assign sums = g_a[i-1].g_b[B_PARTS-1].sums + above;
                    end else begin : g_first
                        assign sums = above;
                    end
                end
            end

            assign sum = g_a[A_PARTS-1].g_b[B_PARTS-1].sums;
        end else begin : g_whole
            assign sum = {{B{1'b0}}, a_in} * {{A{1'b0}}, b_in};
        end
    endgenerate

    always @(posedge clk)
        if (en)
            product <= sum;

    generate
        for (i = KNOWN + 1; i <= STAGES; i = i + 1) begin : g_out
            reg [A+B-1:0] out;

            if (i == KNOWN + 1) begin : g_first
                always @(posedge clk)
                    if (en)
                        out <= product;
            end else begin : g_next
                always @(posedge clk)
                    if (en)
                        out <= g_out[i-1].out;
            end
        end

        if (STAGES > KNOWN) begin : g_delayed
            assign p = g_out[STAGES].out;
        end else begin : g_product
            assign p = product;
        end
    endgenerate

endmodule

`default_nettype wire
