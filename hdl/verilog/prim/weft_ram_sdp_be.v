// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Simple dual-port RAM with byte enables, one clock. As weft_ram_sdp, except
// that bit i of `we` writes byte i.

`default_nettype none

module weft_ram_sdp_be #(
    parameter B = 1,              // word width in bytes
    parameter A = 1,              // address width in bits, 2**A words
    parameter OUT_REG = 1,        // 1: output register, latency 2
    parameter RAM_STYLE = "block" // Vivado and yosys: block, distributed, ultra, auto
) (
    input  wire           clk,
    input  wire [B-1:0]   we,    // byte write enables
    input  wire [A-1:0]   waddr,
    input  wire [8*B-1:0] wdata,
    input  wire           re,    // read enable of the array
    input  wire [A-1:0]   raddr,
    input  wire           oe,    // enable of the output register, if there is one
    output wire [8*B-1:0] rdata
);

    // Lint does not count the use in the attribute.
    localparam unused_ram_style = RAM_STYLE == "";

    (* no_rw_check, ram_style = RAM_STYLE *)
    reg [8*B-1:0] words [0:(1 << A) - 1];
    reg [8*B-1:0] word;

    integer i;

    always @(posedge clk)
        for (i = 0; i < B; i = i + 1)
            if (we[i])
                words[waddr][8*i +: 8] <= wdata[8*i +: 8];

    always @(posedge clk)
        if (re)
            word <= words[raddr];

    generate
        if (OUT_REG != 0) begin : g_out
            reg [8*B-1:0] out;

            always @(posedge clk)
                if (oe)
                    out <= word;

            assign rdata = out;
        end else begin : g_direct
            wire unused = oe;

            assign rdata = word;
        end
    endgenerate

endmodule

`default_nettype wire
