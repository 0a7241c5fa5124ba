// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Unsigned divider, exact: q = num / den, rounded down, after Q / STEPS clocks,
// one division per clock, undefined until filled. A quotient beyond Q bits, and
// a division by zero, gives all ones.

`default_nettype none

module weft_div #(
    parameter N = 1,    // width of num in bits, Q to Q + D
    parameter D = 1,    // width of den in bits
    parameter Q = 1,    // width of q in bits
    parameter STEPS = 1 // quotient bits per clock, divides Q
) (
    input  wire         clk,
    input  wire         en,      // the first half of the stages advances
    input  wire         en_late, // the others; always as en, so that neither drives too many pins
    input  wire [N-1:0] num,
    input  wire [D-1:0] den,
    output wire [Q-1:0] q
);

    // Division without restoring: den is subtracted from twice the remainder, or
    // added if the remainder is negative. The carry out is 1 if the result is
    // positive or 0, and is the quotient's bit. One LUT and a carry chain a bit:
    // the lowest position of the sum makes the carry in. The bits of num above Q
    // are the first remainder; the quotient fits if they are below den.
    wire [D-1:0] above;

    genvar i, j;

    generate
        if (N == Q) begin : g_equal
            assign above = {D{1'b0}};
        end else if (N == Q + D) begin : g_full
            assign above = num[N-1:Q];
        end else begin : g_part
            assign above = {{(Q + D - N){1'b0}}, num[N-1:Q]};
        end

        for (i = 0; i < Q / STEPS; i = i + 1) begin : g_stage
            // The numerator bits still to come above the quotient bits found, the
            // remainder below its sign, whether the remainder is negative
            // (inverted), and whether the quotient is too large.
            wire [Q-1:0] rest;
            wire [D-1:0] rem;
            wire         less;
            wire [D-1:0] div;
            wire         over;
            reg  [Q-1:0] rest_q;
            reg  [D-1:0] rem_q;
            reg  [D-1:0] div_q;
            reg          over_q;

            if (i == 0) begin : g_first
                assign rest = num[Q-1:0];
                assign rem = above;
                assign less = 1'b1;
                assign div = den;
                assign over = above >= den;
            end else begin : g_next
                assign rest = g_stage[i-1].rest_q;
                assign rem = g_stage[i-1].rem_q;
                assign less = rest[0];
                assign div = g_stage[i-1].div_q;
                assign over = g_stage[i-1].over_q;
            end

            for (j = 0; j < STEPS; j = j + 1) begin : g_step
                wire [Q-1:0] rest_in;
                wire [D-1:0] rem_in;
                wire         less_in;
                wire [D+2:0] sum = {1'b0, rem_in, rest_in[Q-1], less_in}
                                 + {1'b0, {1'b0, div} ^ {(D+1){less_in}}, less_in};
                wire [D-1:0] rem_out = sum[D:1];
                wire         bit_out = sum[D+2];
                wire [Q:0]   rest_out = {rest_in, bit_out};

                if (j == 0) begin : g_in
                    assign rest_in = rest;
                    assign rem_in = rem;
                    assign less_in = less;
                end else begin : g_chain
                    assign rest_in = g_step[j-1].rest_out[Q-1:0];
                    assign rem_in = g_step[j-1].rem_out;
                    assign less_in = g_step[j-1].bit_out;
                end

                // The sign is the bit found; the top bit of rest is used up.
                wire unused_bits = &{1'b0, sum[D+1], sum[0], rest_out[Q]};
            end

            always @(posedge clk)
                if (i < (Q / STEPS + 1) / 2 ? en : en_late) begin
                    rest_q <= g_step[STEPS-1].rest_out[Q-1:0];
                    rem_q <= g_step[STEPS-1].rem_out;
                    div_q <= div;
                    over_q <= over;
                    if (over && i == Q / STEPS - 1)
                        rest_q <= {Q{1'b1}};
                end
        end
    endgenerate

    assign q = g_stage[Q / STEPS - 1].rest_q;

    wire unused = &{1'b0, en_late, g_stage[Q / STEPS - 1].rem_q, g_stage[Q / STEPS - 1].div_q,
                    g_stage[Q / STEPS - 1].over_q};

endmodule

`default_nettype wire
