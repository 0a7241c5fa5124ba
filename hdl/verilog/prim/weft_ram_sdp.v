// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Simple dual-port RAM, one clock: one write port, one read port.
//
// Latency: 1 clock, 2 with OUT_REG. Reading the address being written in the
// same clock returns an unspecified word: forward outside if you need it. This
// freedom lets tools use one block RAM alone. Contents are undefined until
// written.

`default_nettype none

module weft_ram_sdp #(
    parameter W = 1,              // word width in bits
    parameter A = 1,              // address width in bits, 2**A words
    parameter OUT_REG = 1,        // 1: output register, latency 2
    parameter RAM_STYLE = "block" // Vivado and yosys: block, distributed, ultra, auto
) (
    input  wire         clk,
    input  wire         we,    // write enable
    input  wire [A-1:0] waddr,
    input  wire [W-1:0] wdata,
    input  wire         re,    // read enable of the array
    input  wire [A-1:0] raddr,
    input  wire         oe,    // enable of the output register, if there is one
    output wire [W-1:0] rdata
);

    // Lint does not count the use in the attribute.
    localparam unused_ram_style = RAM_STYLE == "";

    (* no_rw_check, ram_style = RAM_STYLE *)
    reg [W-1:0] words [0:(1 << A) - 1];
    reg [W-1:0] word;

    always @(posedge clk)
        if (we)
            words[waddr] <= wdata;

    always @(posedge clk)
        if (re)
            word <= words[raddr];

    generate
        if (OUT_REG != 0) begin : g_out
            reg [W-1:0] out;

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
