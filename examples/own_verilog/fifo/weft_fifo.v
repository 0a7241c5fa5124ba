// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The queue of docs/parts/fifo.md, written by hand: registers in one process, a plain memory, and *full* computed from
// the pointers where the emitted module keeps it in a register.

`default_nettype none

module weft_fifo #(
    parameter W = 8,
    parameter D = 8,
    parameter RAM_STYLE = "distributed"
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         in_valid,
    input  wire [W-1:0] in_word,
    input  wire         in_commit,
    input  wire         in_rollback,
    output wire   [D:0] level,
    output wire         full,
    output reg          out_valid,
    output reg  [W-1:0] out_word,
    input  wire         out_ready
);

    (* ram_style = RAM_STYLE *)
    reg [W-1:0] memory [0:(1<<D)-1];

    // One bit more than an address, so that full and empty differ.
    reg [D:0] back;
    reg [D:0] safe;
    reg [D:0] front;

    assign level = back - front;
    assign full = level[D];

    wire takes = in_valid & ~full;
    wire [D:0] behind = back + {{D{1'b0}}, takes};

    reg         staged;
    reg [W-1:0] word;
    wire gives = out_ready | ~out_valid;
    wire fetches = gives | ~staged;
    wire some = front != safe;

    always @(posedge clk) begin
        if (takes) memory[back[D-1:0]] <= in_word;
        if (fetches) word <= memory[front[D-1:0]];
        if (gives & staged) out_word <= word;
        if (rst) begin
            back <= 0;
            safe <= 0;
            front <= 0;
            staged <= 1'b0;
            out_valid <= 1'b0;
        end else begin
            back <= in_rollback ? safe : behind;
            if (in_commit & ~in_rollback) safe <= behind;
            if (fetches) begin
                staged <= some;
                front <= front + {{D{1'b0}}, some};
            end
            if (gives) out_valid <= staged;
        end
    end

endmodule

`default_nettype wire
