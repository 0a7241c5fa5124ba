// SPDX-License-Identifier: MIT OR Apache-2.0
//
// From a MAC, which cannot wait, to another clock. A frame that finds no room is
// cut and its last word marked bad, or dropped whole; either is told by a pulse
// of dropped. A frame that a reset cuts ends with a word marked bad.

`default_nettype none

module weft_mac_rx #(
    parameter WIDTH = 512, // bits of a word
    parameter USER = 1,    // bits of tuser: bit 0 says bad
    parameter D = 9,       // room for 2^D words
    parameter RAM_STYLE = "block"
) (
    input  wire               s_clk,
    input  wire               s_rst,
    input  wire               s_axis_tvalid,
    input  wire   [WIDTH-1:0] s_axis_tdata,
    input  wire [WIDTH/8-1:0] s_axis_tkeep,
    input  wire               s_axis_tlast,
    input  wire    [USER-1:0] s_axis_tuser,
    output reg                dropped = 1'b0,

    input  wire               m_clk,
    input  wire               m_rst,
    output wire               m_axis_tvalid,
    input  wire               m_axis_tready,
    output wire   [WIDTH-1:0] m_axis_tdata,
    output wire [WIDTH/8-1:0] m_axis_tkeep,
    output wire               m_axis_tlast,
    output wire    [USER-1:0] m_axis_tuser
);

    localparam W = USER + WIDTH / 8 + WIDTH;
    // What a cut frame ends with: a byte, and bad.
    localparam [W-1:0] ONE = {{(W-1){1'b0}}, 1'b1};
    localparam [W-1:0] ABORT = (ONE << WIDTH) | (ONE << (WIDTH + WIDTH / 8));

    // One word waits, so that it can still become its frame's last. No reset is needed at the start.
    reg          waits = 1'b0;
    reg          last = 1'b0;
    reg          discards = 1'b0;
    reg  [W-1:0] word;
    wire         ready;
    wire         lost = s_axis_tvalid & waits & !ready & !discards;

    always @(posedge s_clk) begin
        dropped <= lost;
        if (ready)
            waits <= 1'b0;
        if (s_axis_tvalid) begin
            if (discards)
                discards <= !s_axis_tlast;
            else if (lost) begin
                // The frame of the word that waits has no room, or the one behind it.
                discards <= !s_axis_tlast;
                last     <= 1'b1;
                if (!last)
                    word[WIDTH+WIDTH/8] <= 1'b1;
            end else begin
                waits <= 1'b1;
                word  <= {s_axis_tuser, s_axis_tkeep, s_axis_tdata};
                last  <= s_axis_tlast;
            end
        end
        if (s_rst) begin
            waits    <= 1'b0;
            discards <= 1'b0;
            dropped  <= 1'b0;
        end
    end

    wire [D:0] written, taken;
    wire       unused = &{1'b0, written, taken, 1'b0};

    weft_async_fifo #(.W(W), .D(D), .ABORT(ABORT), .RAM_STYLE(RAM_STYLE)) fifo (
        .s_clk(s_clk), .s_rst(s_rst),
        .s_axis_tvalid(waits), .s_axis_tready(ready), .s_axis_tdata(word), .s_axis_tlast(last),
        .s_written(written), .s_taken(taken),
        .m_clk(m_clk), .m_rst(m_rst),
        .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready),
        .m_axis_tdata({m_axis_tuser, m_axis_tkeep, m_axis_tdata}), .m_axis_tlast(m_axis_tlast)
    );

endmodule

`default_nettype wire
