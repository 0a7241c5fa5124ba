// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Unsigned divider, exact: q = num / den, r = num % den after N clocks, one
// division per clock, undefined until filled. Division by zero gives q = all
// ones and r = num modulo 2**D.

`default_nettype none

module weft_div #(
    parameter N = 1, // width of num and q in bits, latency in clocks
    parameter D = 1  // width of den and r in bits
) (
    input  wire         clk,
    input  wire         en, // all stages advance
    input  wire [N-1:0] num,
    input  wire [D-1:0] den,
    output wire [N-1:0] q,
    output wire [D-1:0] r
);

    // Stage i decides quotient bit N-1-i. `rest` holds the numerator bits still
    // to come at its top and the quotient bits found so far at its bottom.
    genvar i;

    generate
        for (i = 0; i < N; i = i + 1) begin : g_stage
            wire [N-1:0] rest;
            wire [D-1:0] rem;
            wire [D-1:0] div;
            wire [D:0]   partial = {rem, rest[N-1]};
            wire         fits = partial >= {1'b0, div};
            reg  [N-1:0] rest_q;
            reg  [D-1:0] rem_q;
            reg  [D-1:0] div_q;

            if (i == 0) begin : g_first
                assign rest = num;
                assign rem = {D{1'b0}};
                assign div = den;
            end else begin : g_next
                assign rest = g_stage[i-1].rest_q;
                assign rem = g_stage[i-1].rem_q;
                assign div = g_stage[i-1].div_q;
            end

            // A remainder is below its divisor, so D bits hold the difference.
            wire [D-1:0] less = partial[D-1:0] - div;

            if (N > 1) begin : g_wide
                always @(posedge clk)
                    if (en)
                        rest_q <= {rest[N-2:0], fits};
            end else begin : g_bit
                always @(posedge clk)
                    if (en)
                        rest_q <= fits;
            end

            always @(posedge clk)
                if (en) begin
                    rem_q <= fits ? less : partial[D-1:0];
                    div_q <= div;
                end
        end
    endgenerate

    assign q = g_stage[N-1].rest_q;
    assign r = g_stage[N-1].rem_q;

    wire unused = &{1'b0, g_stage[N-1].div_q};

endmodule

`default_nettype wire
