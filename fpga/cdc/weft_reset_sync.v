// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A reset of another clock: it begins at once, without a clock, and ends three
// clocks after it was released. It comes from a register, so it has no glitch.

`default_nettype none

module weft_reset_sync (
    input  wire clk,  // the clock that the reset comes to
    input  wire from, // the reset of the other clock
    output wire rst
);

    (* ASYNC_REG = "TRUE", SHREG_EXTRACT = "NO", keep *)
    reg [2:0] stage = 3'b111;

    always @(posedge clk or posedge from)
        if (from)
            stage <= 3'b111;
        else
            stage <= {stage[1:0], 1'b0};

    assign rst = stage[2];

endmodule

`default_nettype wire
