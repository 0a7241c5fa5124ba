// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The smallest DMA engine there is: host memory as block RAM, behind the
// three DMA streams of weft_nic. Buffers must begin at multiples of a word
// (an engine for a real host shifts bytes instead).

`default_nettype none

module host_memory #(
    parameter W = 512, // bits of the NIC's streams: 128, 256 or 512
    parameter A = 10   // log2 of its words of W bits
) (
    input  wire         clk,
    input  wire         rst,
    // DMA read requests: address, bytes.
    input  wire         s_axis_fetch_tvalid,
    output wire         s_axis_fetch_tready,
    input  wire  [79:0] s_axis_fetch_tdata,
    // DMA read data: a packet for each request.
    output reg          m_axis_read_tvalid,
    input  wire         m_axis_read_tready,
    output reg  [W-1:0] m_axis_read_tdata,
    output reg  [W/8-1:0] m_axis_read_tkeep,
    output reg          m_axis_read_tlast,
    // DMA write data, with address and bytes of its packet.
    input  wire         s_axis_write_tvalid,
    output wire         s_axis_write_tready,
    input  wire [W-1:0] s_axis_write_tdata,
    input  wire [W/8-1:0] s_axis_write_tkeep,
    input  wire         s_axis_write_tlast,
    input  wire  [77:0] s_axis_write_tuser
);

    localparam BYTES = W / 8;
    localparam L     = $clog2(BYTES);

    reg [W-1:0] memory [0:(1<<A)-1];

    // Reads: one request after the other, a word per clock.
    reg  [A-1:0] place;
    reg  [13:0]  left; // bytes; 0: no request
    wire         moves = !m_axis_read_tvalid | m_axis_read_tready;
    wire         ends  = left <= BYTES[13:0];

    assign s_axis_fetch_tready = left == 0;

    always @(posedge clk) begin
        if (moves) begin
            m_axis_read_tvalid <= left != 0;
            m_axis_read_tdata  <= memory[place];
            m_axis_read_tkeep  <= ends ? ~({BYTES{1'b1}} << left[L:0]) : {BYTES{1'b1}};
            m_axis_read_tlast  <= ends;
            place              <= place + 1'b1;
            left               <= ends ? 14'd0 : left - BYTES[13:0];
        end
        if (s_axis_fetch_tvalid & s_axis_fetch_tready) begin
            place <= s_axis_fetch_tdata[L+:A];
            left  <= s_axis_fetch_tdata[77:64];
        end
        if (rst) begin
            m_axis_read_tvalid <= 1'b0;
            left               <= 14'd0;
        end
    end

    // Writes: the address counts on inside a packet.
    reg          inside_packet;
    reg  [A-1:0] next_place;
    wire [A-1:0] write_place = inside_packet ? next_place : s_axis_write_tuser[L+:A];

    assign s_axis_write_tready = 1'b1;

    integer i;

    always @(posedge clk) begin
        if (s_axis_write_tvalid) begin
            for (i = 0; i < BYTES; i = i + 1)
                if (s_axis_write_tkeep[i])
                    memory[write_place][8*i+:8] <= s_axis_write_tdata[8*i+:8];
            next_place    <= write_place + 1'b1;
            inside_packet <= !s_axis_write_tlast;
        end
        if (rst)
            inside_packet <= 1'b0;
    end

    // Addresses beyond the memory, and the bytes of a write, which tkeep tells as well.
    wire unused = &{1'b0, s_axis_fetch_tdata, s_axis_write_tuser, 1'b0};

endmodule

`default_nettype wire
