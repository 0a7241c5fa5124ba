// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What stands for weft_sync in simulation: a bit that changed shortly before the
// edge is taken as it was or as it is, as it likes, and who looks at the first
// register sees no value. A word of several bits arrives with as much skew.
// Simulation only.

`default_nettype none
`timescale 1ps / 1ps

module weft_sync #(
    parameter W = 1,
    parameter SKEW = 1500 // ps; what constraints allow: less than a clock of the side that it comes from
) (
    input  wire         clk,
    input  wire [W-1:0] d,
    output wire [W-1:0] q
);

    reg [W-1:0] was = {W{1'b0}}; // as it was
    reg [W-1:0] meta = {W{1'b0}};
    reg [W-1:0] settled = {W{1'b0}}; // what it will be at the next edge
    reg [W-1:0] stable = {W{1'b0}};
    reg [W-1:0] late;

    always @(d) was <= #SKEW d;

    always @(posedge clk) begin
        late = $random;
        stable  <= settled;
        settled <= (d & ~late) | (was & late);
        meta    <= d ^ ((d ^ was) & {W{1'bx}});
    end

    wire unused = &{1'b0, meta, 1'b0};

    assign q = stable;

endmodule

`default_nettype wire
