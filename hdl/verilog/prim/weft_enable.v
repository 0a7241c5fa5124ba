// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The enable of a pipeline: 1 while the pipeline moves. Each module of a pipeline
// has one of its own, so that none drives too many pins. Attributes keep tools
// from merging these equal registers.

`default_nettype none

module weft_enable (
    input  wire clk,
    input  wire rst,      // the pipeline moves after reset
    input  wire next_run, // the pipeline moves in the next clock
    output wire q
);

    // Vivado reads the attribute of the register, yosys that of the block.
    (* keep = "true" *)
    reg enable;

    (* keep = "true" *)
    always @(posedge clk) begin
        if (rst)
            enable <= 1'b1;
        else
            enable <= next_run;
    end

    assign q = enable;

endmodule

`default_nettype wire
