// SPDX-License-Identifier: MIT OR Apache-2.0
//
// COMMAND is not busy only when the host has what the NIC had handed over when
// the command had ended, as a claim for yosys: of a packet or an entry that was
// taken before the end of a command, the engine's status has come when a read of
// COMMAND goes and is not late. Everything else is free: stalls, lengths,
// statuses, reads, and when commands begin and end. Counts as in weft_app.

`default_nettype none

module busy (
    input wire clk,
    input wire rst,
    input wire a_valid, a_last, tells, desc_ready, status,
    input wire begins, ends, asks, r_ready,
    input wire marks // This packet, or entry, is the one that is looked at.
);

    wire         a_ready, b_ready, valid, ready, last, desc_valid;
    wire [511:0] data;
    wire [63:0]  keep, address;
    wire [77:0]  user;

    // Of the packets one at most has a mark, in a bit of its address.
    reg          in_a, is_marked, was_marked, entry, entry_marked;
    wire         mark   = in_a ? is_marked : marks && !was_marked && !ended;
    wire         takes  = a_valid && a_ready;
    wire         told   = tells && !entry;
    // A packet counts with its last word. An entry counts when it was made, whether or not it was taken.
    reg          counts;

    weft_join #(.USER(78)) to_host (
        .clk(clk), .rst(rst),
        .s_axis_a_tvalid(a_valid), .s_axis_a_tready(a_ready), .s_axis_a_tdata(512'd0), .s_axis_a_tkeep(64'd0),
        .s_axis_a_tlast(a_last), .s_axis_a_tuser({77'd0, mark}),
        .s_axis_b_tvalid(entry), .s_axis_b_tready(b_ready), .s_axis_b_tdata(512'd0), .s_axis_b_tkeep(64'd0),
        .s_axis_b_tlast(1'b1), .s_axis_b_tuser({77'd0, entry_marked}),
        .m_axis_tvalid(valid), .m_axis_tready(ready), .m_axis_tdata(data), .m_axis_tkeep(keep), .m_axis_tlast(last), .m_axis_tuser(user)
    );

    weft_dma_write #(.RING(7), .SLOTS(1)) writes (
        .clk(clk), .rst(rst),
        .s_axis_write_tvalid(valid), .s_axis_write_tready(ready), .s_axis_write_tdata(data), .s_axis_write_tlast(last),
        .s_axis_write_tuser(user),
        .m_axis_desc_valid(desc_valid), .m_axis_desc_ready(desc_ready), .m_axis_desc_dma_addr(address),
        .m_axis_desc_ram_addr(), .m_axis_desc_len(), .m_axis_desc_tag(),
        .s_axis_status_valid(status && open != 0), .s_axis_status_error(4'd0), .failed(),
        .ram_rd_cmd_addr(20'd0), .ram_rd_cmd_valid(2'd0), .ram_rd_cmd_ready(), .ram_rd_resp_data(), .ram_rd_resp_valid(),
        .ram_rd_resp_ready(2'd0)
    );

    // Commands: reads that come while one is under way are none that wait.
    reg          ended, reads;
    reg  [2:0]   packets, statuses;
    wire         answers, late;

    weft_cdc_fence #(.D(2), .PATIENCE(2)) fence (
        .clk(clk), .rst(rst), .written(packets), .taken(statuses), .counted(!entry), .anew(begins), .keeps(1'b0),
        .s_valid(reads), .s_waits(1'b1), .m_valid(answers), .m_late(late), .m_ready(r_ready)
    );

    // Descriptors that the engine has; those before that of the marked packet, which it has or has had.
    reg [2:0] open, before;
    reg       given, done;

    always @(posedge clk) begin
        if (takes) begin
            in_a      <= !a_last;
            is_marked <= mark;
            if (mark) was_marked <= 1'b1;
            // A packet that ends behind the command is not waited for.
            if (mark && a_last && !ended) counts <= 1'b1;
        end
        if (b_ready) entry <= 1'b0;
        if (told) begin
            entry        <= 1'b1;
            entry_marked <= marks && !was_marked && !ended && !(takes && mark);
            if (marks && !was_marked && !ended && !(takes && mark)) begin
                was_marked <= 1'b1;
                counts     <= 1'b1;
            end
        end
        packets  <= packets + (takes && a_last || entry && b_ready);
        statuses <= statuses + (status && open != 0);
        open     <= open + (desc_valid && desc_ready) - (status && open != 0);
        if (status && open != 0) begin
            before <= before - (given && before != 0);
            if (given && before == 0) done <= 1'b1;
        end
        if (desc_valid && desc_ready && address[0]) begin
            given  <= 1'b1;
            before <= open - (status && open != 0);
        end
        if (ends) ended <= 1'b1;
        if (begins) ended <= 1'b0;
        reads <= reads ? !(answers && r_ready) : asks && ended && !begins;
        if (rst) begin
            in_a       <= 1'b0;
            is_marked  <= 1'b0;
            was_marked <= 1'b0;
            entry      <= 1'b0;
            counts     <= 1'b0;
            ended      <= 1'b0;
            reads      <= 1'b0;
            packets    <= 3'd0;
            statuses   <= 3'd0;
            open       <= 3'd0;
            before     <= 3'd0;
            given      <= 1'b0;
            done       <= 1'b0;
        end
    end

    always @(posedge clk)
        if (!rst && answers && !late && counts) assert (done);

endmodule

`default_nettype wire
