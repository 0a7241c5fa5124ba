// SPDX-License-Identifier: MIT OR Apache-2.0
//
// True dual-port RAM, one clock, ports a and b. In one clock a port either
// writes or reads; its output holds while it writes. Latency: 1 clock, 2 with
// OUT_REG. If one port writes the address that the other reads, the read word
// is unspecified; if both write it, the stored word is.

`default_nettype none

module weft_ram_tdp #(
    parameter W = 1,              // word width in bits
    parameter A = 1,              // address width in bits, 2**A words
    parameter OUT_REG = 1,        // 1: output registers, latency 2
    parameter RAM_STYLE = "block" // Vivado and yosys: block, ultra, auto
) (
    input  wire         clk,
    input  wire         a_en,    // the port acts in this clock
    input  wire         a_we,    // it writes, else it reads
    input  wire [A-1:0] a_addr,
    input  wire [W-1:0] a_wdata,
    input  wire         a_oe,    // enable of the output register, if there is one
    output wire [W-1:0] a_rdata,
    input  wire         b_en,
    input  wire         b_we,
    input  wire [A-1:0] b_addr,
    input  wire [W-1:0] b_wdata,
    input  wire         b_oe,
    output wire [W-1:0] b_rdata
);

    // Lint does not count the use in the attribute.
    localparam unused_ram_style = RAM_STYLE == "";

    (* no_rw_check, ram_style = RAM_STYLE *)
    reg [W-1:0] words [0:(1 << A) - 1];
    reg [W-1:0] a_word;
    reg [W-1:0] b_word;

    always @(posedge clk)
        if (a_en) begin
            if (a_we)
                words[a_addr] <= a_wdata;
            else
                a_word <= words[a_addr];
        end

    always @(posedge clk)
        if (b_en) begin
            if (b_we)
                words[b_addr] <= b_wdata;
            else
                b_word <= words[b_addr];
        end

    generate
        if (OUT_REG != 0) begin : g_out
            reg [W-1:0] a_out;
            reg [W-1:0] b_out;

            always @(posedge clk) begin
                if (a_oe)
                    a_out <= a_word;
                if (b_oe)
                    b_out <= b_word;
            end

            assign a_rdata = a_out;
            assign b_rdata = b_out;
        end else begin : g_direct
            wire unused = &{1'b0, a_oe, b_oe};

            assign a_rdata = a_word;
            assign b_rdata = b_word;
        end
    endgenerate

endmodule

`default_nettype wire
