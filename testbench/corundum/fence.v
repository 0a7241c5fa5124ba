// SPDX-License-Identifier: MIT OR Apache-2.0
//
// No completion ahead of its data, as a claim for yosys: of a packet of payload
// whose last word was taken before an entry of the ring, the descriptor leaves
// before that of the entry. Everything else is free: stalls, lengths, statuses.

`default_nettype none

module fence (
    input wire        clk,
    input wire        rst,
    input wire        a_valid, a_last, b_valid, desc_ready, status,
    input wire        marks // This packet of payload is the one that is looked at.
);

    wire         a_ready, b_ready, valid, ready, last, desc_valid;
    wire [511:0] data;
    wire [63:0]  keep, address;
    wire [77:0]  user;

    // Packets are told apart by two bits of their address: payload that is looked at, entries behind it, all others.
    reg          in_a, is_marked, was_marked, mark_taken;
    wire         mark  = in_a ? is_marked : marks && !was_marked;
    wire         takes = a_valid && a_ready;

    weft_join #(.USER(78)) to_host (
        .clk(clk), .rst(rst),
        .s_axis_a_tvalid(a_valid), .s_axis_a_tready(a_ready), .s_axis_a_tdata(512'd0), .s_axis_a_tkeep(64'd0),
        .s_axis_a_tlast(a_last), .s_axis_a_tuser({77'd0, mark}),
        .s_axis_b_tvalid(b_valid), .s_axis_b_tready(b_ready), .s_axis_b_tdata(512'd0), .s_axis_b_tkeep(64'd0),
        .s_axis_b_tlast(1'b1), .s_axis_b_tuser({76'd0, mark_taken, 1'b0}),
        .m_axis_tvalid(valid), .m_axis_tready(ready), .m_axis_tdata(data), .m_axis_tkeep(keep), .m_axis_tlast(last), .m_axis_tuser(user)
    );

    weft_dma_write #(.RING(7), .SLOTS(2)) writes (
        .clk(clk), .rst(rst),
        .s_axis_write_tvalid(valid), .s_axis_write_tready(ready), .s_axis_write_tdata(data), .s_axis_write_tlast(last),
        .s_axis_write_tuser(user),
        .m_axis_desc_valid(desc_valid), .m_axis_desc_ready(desc_ready), .m_axis_desc_dma_addr(address),
        .m_axis_desc_ram_addr(), .m_axis_desc_len(), .m_axis_desc_tag(),
        .s_axis_status_valid(status && open != 0), .s_axis_status_error(4'd0), .failed(),
        .ram_rd_cmd_addr(20'd0), .ram_rd_cmd_valid(2'd0), .ram_rd_cmd_ready(), .ram_rd_resp_data(), .ram_rd_resp_valid(),
        .ram_rd_resp_ready(2'd0)
    );

    // Descriptors that the engine has; what it has been given.
    reg [3:0] open;
    reg       given;

    always @(posedge clk) begin
        if (takes) begin
            in_a      <= !a_last;
            is_marked <= mark;
            if (mark) was_marked <= 1'b1;
            if (mark && a_last) mark_taken <= 1'b1;
        end
        open <= open + (desc_valid && desc_ready) - (status && open != 0);
        if (desc_valid && desc_ready && address[0]) given <= 1'b1;
        if (rst) begin
            in_a       <= 1'b0;
            is_marked  <= 1'b0;
            was_marked <= 1'b0;
            mark_taken <= 1'b0;
            open       <= 4'd0;
            given      <= 1'b0;
        end
    end

    // An entry that was taken behind the packet leaves behind it.
    always @(posedge clk)
        if (!rst && desc_valid && address[1]) assert (given);

endmodule

`default_nettype wire
