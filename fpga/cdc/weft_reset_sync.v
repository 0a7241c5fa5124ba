// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A reset of another clock: it begins at once, without a clock, and ends three
// clocks after it was released. It comes from a register, so it has no glitch.
// The first two registers stay as they are; the third may be made several times,
// for it drives all that is reset.

`default_nettype none

module weft_reset_sync (
    input  wire clk,  // the clock that the reset comes to
    input  wire from, // the reset of the other clock
    output wire rst
);

    (* ASYNC_REG = "TRUE", SHREG_EXTRACT = "NO", keep *)
    reg [1:0] stage = 2'b11;
    reg       spread = 1'b1;

    always @(posedge clk or posedge from)
        if (from) begin
            stage  <= 2'b11;
            spread <= 1'b1;
        end else begin
            stage  <= {stage[0], 1'b0};
            spread <= stage[1];
        end

    assign rst = spread;

endmodule

`default_nettype wire
