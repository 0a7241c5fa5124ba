// SPDX-License-Identifier: MIT OR Apache-2.0
//
// DMA reads: turns the NIC's read requests into descriptors of a segmented DMA
// engine, lets the engine write into a ring here in any order, and gives the
// packets to the NIC in the order of the requests.
//
// A request has a slot, which is its tag, and rows of the ring: 128 bytes, a
// word of 64 in each segment. A packet begins with a row, so byte 0 lands in
// byte 0. The slot's done bit is set by its status, whenever that comes.
// docs/corundum.md has the rules.

`default_nettype none

module weft_dma_read #(
    parameter RING = 9,            // log2 of the ring's rows of 128 bytes: 8 to RAM_ADDR_WIDTH - 8
    parameter SLOTS = 6,           // log2 of the reads under way: 1 to TAG_WIDTH - 1
    parameter RAM_ADDR_WIDTH = 17, // bits of a RAM address of the engine
    parameter LEN_WIDTH = 16,      // bits of a descriptor's length: 15 or more
    parameter TAG_WIDTH = 14       // bits of a tag
) (
    input  wire                        clk,
    input  wire                        rst,

    // Read requests: address in bits 63:0, bytes 77:64, 1 at least.
    input  wire                        s_axis_fetch_tvalid,
    output wire                        s_axis_fetch_tready,
    input  wire [79:0]                 s_axis_fetch_tdata,

    // What was read: a packet for each request.
    output reg                         m_axis_read_tvalid,
    input  wire                        m_axis_read_tready,
    output reg  [511:0]                m_axis_read_tdata,
    output reg  [63:0]                 m_axis_read_tkeep,
    output reg                         m_axis_read_tlast,
    output reg                         m_axis_read_tuser, // With tlast: the read failed.

    // Descriptors for the engine.
    output reg                         m_axis_desc_valid,
    input  wire                        m_axis_desc_ready,
    output reg  [63:0]                 m_axis_desc_dma_addr,
    output wire [RAM_ADDR_WIDTH-1:0]   m_axis_desc_ram_addr,
    output wire [LEN_WIDTH-1:0]        m_axis_desc_len,
    output wire [TAG_WIDTH-1:0]        m_axis_desc_tag,

    // How a read ended; it cannot wait.
    input  wire                        s_axis_status_valid,
    input  wire [TAG_WIDTH-1:0]        s_axis_status_tag,
    input  wire [3:0]                  s_axis_status_error, // 0: well.

    // The engine writes into the ring: segment 0 in the low half of each.
    input  wire [127:0]                ram_wr_cmd_be,
    input  wire [2*RAM_ADDR_WIDTH-15:0] ram_wr_cmd_addr, // Rows.
    input  wire [1023:0]               ram_wr_cmd_data,
    input  wire [1:0]                  ram_wr_cmd_valid,
    output wire [1:0]                  ram_wr_cmd_ready, // Always.
    output reg  [1:0]                  ram_wr_done       // A pulse for each write.
);

    localparam [RING:0] ROWS = 1 << RING;
    localparam ROW = RAM_ADDR_WIDTH - 7; // bits of a row's address

    // A request waits here for a slot and for room in the ring. Pointers have a bit more than they need, to tell full from empty.
    reg                   waits;
    reg  [63:0]           address;
    reg  [13:0]           bytes;
    reg  [RING:0]         tail;   // first free row
    reg  [SLOTS:0]        newest; // first free slot
    reg  [SLOTS:0]        oldest; // slot of the next packet that is given out
    reg  [RING+1:0]       place;  // word that is given out: row, segment
    reg  [13:0]           desc_bytes;
    reg  [RING-1:0]       desc_row;
    reg  [SLOTS-1:0]      desc_slot;

    wire [RING:0]         rows  = {{RING-7{1'b0}}, {1'b0, bytes[13:7]} + {7'd0, |bytes[6:0]}};
    wire [RING:0]         room  = ROWS - (tail - place[RING+1:1]);
    wire                  full  = (newest ^ oldest) == {1'b1, {SLOTS{1'b0}}};
    wire                  issue = waits && !full && room >= rows && (!m_axis_desc_valid || m_axis_desc_ready);

    assign s_axis_fetch_tready  = !waits;
    assign m_axis_desc_ram_addr = {{ROW-RING{1'b0}}, desc_row, 7'd0};
    assign m_axis_desc_len      = {{LEN_WIDTH-14{1'b0}}, desc_bytes};
    assign m_axis_desc_tag      = {{TAG_WIDTH-SLOTS{1'b0}}, desc_slot};

    // Slots: bytes; whether the status has come, and with an error.
    reg  [13:0]           slot_bytes [0:(1<<SLOTS)-1];
    reg  [(1<<SLOTS)-1:0] done;
    reg  [(1<<SLOTS)-1:0] failed;

    always @(posedge clk) begin
        if (m_axis_desc_ready)
            m_axis_desc_valid <= 1'b0;
        if (s_axis_fetch_tvalid && !waits) begin
            waits   <= 1'b1;
            address <= s_axis_fetch_tdata[63:0];
            bytes   <= s_axis_fetch_tdata[77:64];
        end
        if (s_axis_status_valid) begin
            done[s_axis_status_tag[SLOTS-1:0]]   <= 1'b1;
            failed[s_axis_status_tag[SLOTS-1:0]] <= s_axis_status_error != 4'd0;
        end
        if (issue) begin
            waits                         <= 1'b0;
            m_axis_desc_valid             <= 1'b1;
            m_axis_desc_dma_addr          <= address;
            desc_bytes                    <= bytes;
            desc_row                      <= tail[RING-1:0];
            desc_slot                     <= newest[SLOTS-1:0];
            slot_bytes[newest[SLOTS-1:0]] <= bytes;
            done[newest[SLOTS-1:0]]       <= 1'b0;
            tail                          <= tail + rows;
            newest                        <= newest + 1'b1;
        end
        if (rst) begin
            waits             <= 1'b0;
            m_axis_desc_valid <= 1'b0;
            tail              <= 0;
            newest            <= 0;
        end
    end

    // The ring. Both words of a row are read; the one that is wanted is chosen a clock later.
    reg  [511:0]          low [0:(1<<RING)-1];
    reg  [511:0]          high [0:(1<<RING)-1];
    reg  [511:0]          low_word, high_word;
    wire                  moves = !m_axis_read_tvalid || m_axis_read_tready;
    wire [RING-1:0]       row   = place[RING:1];

    assign ram_wr_cmd_ready = 2'b11;

    integer i;

    always @(posedge clk) begin
        for (i = 0; i < 64; i = i + 1) begin
            if (ram_wr_cmd_valid[0] && ram_wr_cmd_be[i])
                low[ram_wr_cmd_addr[RING-1:0]][8*i+:8] <= ram_wr_cmd_data[8*i+:8];
            if (ram_wr_cmd_valid[1] && ram_wr_cmd_be[64+i])
                high[ram_wr_cmd_addr[ROW+:RING]][8*i+:8] <= ram_wr_cmd_data[512+8*i+:8];
        end
        ram_wr_done <= rst ? 2'b00 : ram_wr_cmd_valid;
        if (moves) begin
            low_word  <= low[row];
            high_word <= high[row];
        end
    end

    // Out of it, a word per clock. `left`: bytes of the packet that are not given out yet.
    reg  [13:0]           left;
    reg                   bad;
    reg                   read_valid, read_high, read_last, read_bad;
    reg  [63:0]           read_keep;
    wire                  busy = left != 14'd0;
    wire                  ends = left <= 14'd64;
    wire                  take = (!busy || ends) && oldest != newest && done[oldest[SLOTS-1:0]];

    always @(posedge clk) begin
        if (moves) begin
            read_valid         <= busy;
            read_high          <= place[0];
            read_last          <= ends;
            read_keep          <= ends ? ~({64{1'b1}} << left[6:0]) : {64{1'b1}};
            read_bad           <= bad && ends;
            m_axis_read_tvalid <= read_valid;
            m_axis_read_tdata  <= read_high ? high_word : low_word;
            m_axis_read_tkeep  <= read_keep;
            m_axis_read_tlast  <= read_last;
            m_axis_read_tuser  <= read_bad;
            if (busy)
                place <= ends ? {place[RING+1:1] + 1'b1, 1'b0} : place + 1'b1;
            left <= ends ? 14'd0 : left - 14'd64;
            if (take) begin
                left   <= slot_bytes[oldest[SLOTS-1:0]];
                bad    <= failed[oldest[SLOTS-1:0]];
                oldest <= oldest + 1'b1;
            end
        end
        if (rst) begin
            read_valid         <= 1'b0;
            m_axis_read_tvalid <= 1'b0;
            place              <= 0;
            left               <= 14'd0;
            oldest             <= 0;
        end
    end

    // Bits that are always 0.
    wire unused = &{1'b0, s_axis_fetch_tdata[79:78], s_axis_status_tag[TAG_WIDTH-1:SLOTS],
                    ram_wr_cmd_addr[2*ROW-1:ROW+RING], ram_wr_cmd_addr[ROW-1:RING], 1'b0};

endmodule

`default_nettype wire
