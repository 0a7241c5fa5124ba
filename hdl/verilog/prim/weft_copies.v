// SPDX-License-Identifier: MIT OR Apache-2.0
//
// N registers of one bit that all take d and are 1 after reset: copies of an
// enable, so that none of them drives too many pins. Tools that merge equal
// registers are told to keep them.

`default_nettype none

module weft_copies #(
    parameter N = 1 // copies
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         d,
    output wire [N-1:0] q
);

    genvar i;

    generate
        for (i = 0; i < N; i = i + 1) begin : g_copy
            // Vivado reads the attribute of the register, yosys that of the block.
            (* keep = "true" *)
            reg copy;

            (* keep = "true" *)
            always @(posedge clk)
                if (rst)
                    copy <= 1'b1;
                else
                    copy <= d;

            assign q[i] = copy;
        end
    endgenerate

endmodule

`default_nettype wire
