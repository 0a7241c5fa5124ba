// SPDX-License-Identifier: MIT OR Apache-2.0
//
// DMA writes: keeps the words of packets in a ring, hands a descriptor of each
// packet to a segmented DMA engine, and lets the engine read the ring.
//
// A packet is words of 64 bytes in a row, from any word on; they alternate
// between the segments. Its descriptor leaves after its last word is in the
// ring, in the order of the packets. Its words are free when its status has
// come; statuses come in order. docs/corundum.md has the rules.

`default_nettype none

module weft_dma_write #(
    parameter RING = 9,            // log2 of the ring's rows of 128 bytes: 7 to RAM_ADDR_WIDTH - 8
    parameter SLOTS = 6,           // log2 of the packets in it: 1 to TAG_WIDTH - 1
    parameter RAM_ADDR_WIDTH = 17, // bits of a RAM address of the engine
    parameter LEN_WIDTH = 16,      // bits of a descriptor's length: 15 or more
    parameter TAG_WIDTH = 14       // bits of a tag
) (
    input  wire                        clk,
    input  wire                        rst,

    // Packets. tuser: address in bits 63:0, bytes 77:64, 1 at least, the same in all words.
    input  wire                        s_axis_write_tvalid,
    output wire                        s_axis_write_tready,
    input  wire [511:0]                s_axis_write_tdata,
    input  wire                        s_axis_write_tlast,
    input  wire [77:0]                 s_axis_write_tuser,

    // Descriptors for the engine.
    output reg                         m_axis_desc_valid,
    input  wire                        m_axis_desc_ready,
    output wire [63:0]                 m_axis_desc_dma_addr,
    output wire [RAM_ADDR_WIDTH-1:0]   m_axis_desc_ram_addr,
    output wire [LEN_WIDTH-1:0]        m_axis_desc_len,
    output wire [TAG_WIDTH-1:0]        m_axis_desc_tag,

    // How a write ended; it cannot wait.
    input  wire                        s_axis_status_valid,
    input  wire [3:0]                  s_axis_status_error, // 0: well.
    output reg                         failed,              // A pulse for each that did not end well.

    // The engine reads the ring: segment 0 in the low half of each.
    input  wire [2*RAM_ADDR_WIDTH-15:0] ram_rd_cmd_addr, // Rows.
    input  wire [1:0]                  ram_rd_cmd_valid,
    output wire [1:0]                  ram_rd_cmd_ready, // Follows ram_rd_resp_ready.
    output wire [1023:0]               ram_rd_resp_data,
    output wire [1:0]                  ram_rd_resp_valid,
    input  wire [1:0]                  ram_rd_resp_ready
);

    localparam ROW = RAM_ADDR_WIDTH - 7; // bits of a row's address

    // Pointers have a bit more than they need, to tell full from empty.
    reg  [RING+1:0]    tail;    // first free word: row, segment
    reg  [RING+1:0]    head;    // first word that is in use
    reg  [RING:0]      start;   // first word of the packet that comes in
    reg  [SLOTS:0]     newest;  // slot of that packet
    reg  [SLOTS:0]     next;    // slot of the next descriptor
    reg  [SLOTS:0]     oldest;  // slot of the next status
    wire [RING+1:0]    after  = tail + 1'b1;
    wire               no_word = (tail ^ head) == {1'b1, {RING+1{1'b0}}};
    wire               no_slot = (newest ^ oldest) == {1'b1, {SLOTS{1'b0}}};
    wire               comes  = s_axis_write_tvalid && s_axis_write_tready;
    wire               leaves = next != newest && (!m_axis_desc_valid || m_axis_desc_ready);

    assign s_axis_write_tready = !no_word && !no_slot;

    // Slots: address, bytes, first word; the word after the last.
    reg  [78+RING:0]   slot [0:(1<<SLOTS)-1];
    reg  [RING+1:0]    slot_after [0:(1<<SLOTS)-1];
    reg  [78+RING:0]   desc;
    reg  [SLOTS-1:0]   desc_slot;

    assign m_axis_desc_dma_addr = desc[63:0];
    assign m_axis_desc_ram_addr = {{ROW-RING{1'b0}}, desc[78+:RING+1], 6'd0};
    assign m_axis_desc_len      = {{LEN_WIDTH-14{1'b0}}, desc[77:64]};
    assign m_axis_desc_tag      = {{TAG_WIDTH-SLOTS{1'b0}}, desc_slot};

    always @(posedge clk) begin
        if (comes) begin
            tail <= after;
            if (s_axis_write_tlast) begin
                slot[newest[SLOTS-1:0]]       <= {start, s_axis_write_tuser};
                slot_after[newest[SLOTS-1:0]] <= after;
                start                         <= after[RING:0];
                newest                        <= newest + 1'b1;
            end
        end
        if (m_axis_desc_ready)
            m_axis_desc_valid <= 1'b0;
        if (leaves) begin
            m_axis_desc_valid <= 1'b1;
            desc              <= slot[next[SLOTS-1:0]];
            desc_slot         <= next[SLOTS-1:0];
            next              <= next + 1'b1;
        end
        if (s_axis_status_valid) begin
            head   <= slot_after[oldest[SLOTS-1:0]];
            oldest <= oldest + 1'b1;
        end
        failed <= s_axis_status_valid && s_axis_status_error != 4'd0;
        if (rst) begin
            tail              <= 0;
            head              <= 0;
            start             <= 0;
            newest            <= 0;
            next              <= 0;
            oldest            <= 0;
            m_axis_desc_valid <= 1'b0;
            failed            <= 1'b0;
        end
    end

    // The ring: a memory for each segment, which answers two clocks after its command.
    genvar s;
    generate
        for (s = 0; s < 2; s = s + 1) begin : segment
            reg  [511:0] memory [0:(1<<RING)-1];
            reg  [511:0] word, answer;
            reg          word_valid, answer_valid;
            wire         answer_moves = !answer_valid || ram_rd_resp_ready[s];
            wire         word_moves   = !word_valid || answer_moves;

            assign ram_rd_cmd_ready[s]           = word_moves;
            assign ram_rd_resp_valid[s]          = answer_valid;
            assign ram_rd_resp_data[512*s+:512]  = answer;

            always @(posedge clk) begin
                if (comes && tail[0] == s)
                    memory[tail[RING:1]] <= s_axis_write_tdata;
                if (word_moves) begin
                    word       <= memory[ram_rd_cmd_addr[ROW*s+:RING]];
                    word_valid <= ram_rd_cmd_valid[s];
                end
                if (answer_moves) begin
                    answer       <= word;
                    answer_valid <= word_valid;
                end
                if (rst) begin
                    word_valid   <= 1'b0;
                    answer_valid <= 1'b0;
                end
            end
        end
    endgenerate

    // Bits that are always 0.
    wire unused = &{1'b0, ram_rd_cmd_addr[2*ROW-1:ROW+RING], ram_rd_cmd_addr[ROW-1:RING], 1'b0};

endmodule

`default_nettype wire
