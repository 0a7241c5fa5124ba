// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Whether the large memories of the top are UltraRAM.

`default_nettype none

module weft_ultra #(
    parameter LARGE_RAM = "block"   // Or "ultra".
) (
    output wire q                   // They are.
);

    assign q = LARGE_RAM == "ultra";

endmodule

`default_nettype wire
