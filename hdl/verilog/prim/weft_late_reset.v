// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A reset a clock later, for a group of registers of its own, so that the reset
// itself drives fewer pins. Attributes keep tools from merging it with equal
// registers.

`default_nettype none

module weft_late_reset (
    input  wire clk,
    input  wire rst,
    output wire q
);

    // Vivado reads the attribute of the register, yosys that of the block.
    (* keep = "true" *)
    reg late;

    (* keep = "true" *)
    always @(posedge clk)
        late <= rst;

    assign q = late;

endmodule

`default_nettype wire
