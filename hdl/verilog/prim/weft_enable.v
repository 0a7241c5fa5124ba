// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A pipeline's enable: it moves. Each module of a pipeline has one of its own,
// so that none drives too many pins. Tools that merge equal registers are told
// to keep them.

`default_nettype none

module weft_enable (
    input  wire clk,
    input  wire rst,      // it moves after it
    input  wire next_run, // it moves in the next clock
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
