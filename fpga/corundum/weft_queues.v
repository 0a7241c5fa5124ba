// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What a host's driver works with: a completion ring in host memory, and
// registers to post work, to say how a buffer is, and to set the ring up.
//
// An entry of the ring leaves as a packet of 16 bytes for host memory, like
// those of the NIC's payload. docs/corundum.md has registers, entries, rules.

`default_nettype none

module weft_queues #(
    parameter A = 8 // bits of a connection, at most 15
) (
    input  wire         clk,
    input  wire         rst,

    // Registers, words of 32 bits.
    input  wire [15:0]  s_axil_awaddr,
    input  wire         s_axil_awvalid,
    output wire         s_axil_awready,
    input  wire [31:0]  s_axil_wdata,
    input  wire [3:0]   s_axil_wstrb, // Only whole words are written.
    input  wire         s_axil_wvalid,
    output wire         s_axil_wready,
    output reg  [1:0]   s_axil_bresp, // 0 OKAY, 2 SLVERR.
    output reg          s_axil_bvalid,
    input  wire         s_axil_bready,
    input  wire [15:0]  s_axil_araddr,
    input  wire         s_axil_arvalid,
    output wire         s_axil_arready,
    output reg  [31:0]  s_axil_rdata,
    output reg  [1:0]   s_axil_rresp,
    output reg          s_axil_rvalid,
    input  wire         s_axil_rready,

    // What the NIC has to tell: messages received, work ended, events.
    input  wire         s_axis_received_tvalid,
    output wire         s_axis_received_tready, // These three follow the three tvalid.
    input  wire [A-1:0] s_axis_received_tid,
    input  wire [55:0]  s_axis_received_tdata,
    input  wire         s_axis_sent_tvalid,
    output wire         s_axis_sent_tready,
    input  wire [A-1:0] s_axis_sent_tid,
    input  wire [31:0]  s_axis_sent_tdata,
    input  wire [2:0]   s_axis_sent_tuser,
    input  wire         s_axis_event_tvalid,
    output wire         s_axis_event_tready,
    input  wire [A-1:0] s_axis_event_tid,
    input  wire [7:0]   s_axis_event_tdata,

    // Entries: packets of one word. tuser: address in bits 63:0, bytes 77:64.
    output reg          m_axis_entry_tvalid,
    input  wire         m_axis_entry_tready,
    output reg  [127:0] m_axis_entry_tdata,
    output wire [77:0]  m_axis_entry_tuser,

    // Work for the NIC.
    output wire         m_axis_work_tvalid,
    input  wire         m_axis_work_tready,
    output wire [A-1:0] m_axis_work_tid,
    output wire [255:0] m_axis_work_tdata,
    output wire         m_axis_work_tuser,

    // How a connection's buffer is.
    output reg          m_axis_buffer_tvalid,
    input  wire         m_axis_buffer_tready,
    output reg  [A-1:0] m_axis_buffer_tid,
    output wire [7:0]   m_axis_buffer_tdata,

    // A write to host memory failed.
    input  wire         write_failed,

    // The ring begins anew, in this clock; until all that had left for the host before is there.
    output wire         ring_begins,
    output reg          ring_drains,
    input  wire         ring_drained
);

    // Offsets of the registers, by words. The ninth word of work posts it.
    localparam ID = 8'h00, VERSION = 8'h01, WRITE_ERRORS = 8'h02, RING_LOW = 8'h04, RING_HIGH = 8'h05, RING_SIZE = 8'h06,
        RING_HEAD = 8'h07, RING_TAIL = 8'h08, WORK_ROOM = 8'h09, WORK_LOST = 8'h0A, BUFFER = 8'h0B, POST = 8'h18;

    // A write, when its address and its data are there.
    reg  [13:0] write_word;
    reg  [31:0] value;
    reg         has_address, has_value, is_whole;
    wire        writes = has_address && has_value && !s_axil_bvalid;
    wire        is_set = writes && is_whole && write_word[13:8] == 6'd0;
    wire [7:0]  which  = write_word[7:0];
    wire        is_work = which[7:3] == 5'b00010; // 0x40 to 0x5c
    wire        is_connection = value[15:0] >> A == 16'd0;

    assign s_axil_awready = !has_address;
    assign s_axil_wready  = !has_value;

    // The ring: entries made and entries the host has done with; `ring_size` is log2 of its entries.
    reg  [63:0] ring_base;
    reg  [3:0]  ring_size;
    reg         ring_on;
    reg  [15:0] ring_head, ring_tail;
    wire [15:0] ring_used = ring_tail - ring_head;
    wire        has_room  = ring_on && ring_used < (16'd1 << ring_size) && !m_axis_entry_tvalid && !ring_begins;
    assign      ring_begins = is_set && which == RING_SIZE;
    wire [15:0] ring_mask = (16'd1 << ring_size) - 16'd1;
    wire        phase     = !ring_tail[ring_size]; // 1 in the first round, then 0, and so on

    // Who is served when several have something to tell: the next after the one before.
    reg  [1:0]  turn;
    wire [1:0]  next_turn = turn == 2'd2 ? 2'd0 : turn + 2'd1;
    wire [1:0]  last_turn = next_turn == 2'd2 ? 2'd0 : next_turn + 2'd1;
    wire [3:0]  asks = {1'b0, s_axis_event_tvalid, s_axis_sent_tvalid, s_axis_received_tvalid};
    wire [1:0]  who  = asks[turn] ? turn : asks[next_turn] ? next_turn : last_turn;
    wire        tells = has_room && asks[2:0] != 3'd0;

    assign s_axis_received_tready = has_room && who == 2'd0;
    assign s_axis_sent_tready     = has_room && who == 2'd1;
    assign s_axis_event_tready    = has_room && who == 2'd2;

    wire [A-1:0] told_tid    = who == 2'd0 ? s_axis_received_tid : who == 2'd1 ? s_axis_sent_tid : s_axis_event_tid;
    wire [31:0]  told_first  = who == 2'd0 ? s_axis_received_tdata[31:0] : who == 2'd1 ? s_axis_sent_tdata : {24'd0, s_axis_event_tdata};
    wire [23:0]  told_second = who == 2'd0 ? s_axis_received_tdata[55:32] : who == 2'd1 ? {21'd0, s_axis_sent_tuser} : 24'd0;
    reg  [63:0]  entry_address;
    assign m_axis_entry_tuser = {14'd16, entry_address};

    // Work that is posted, 16 at most.
    reg  [255:0]   work;
    reg  [256+A:0] posted [0:15];
    reg  [4:0]     post_tail, post_head;
    wire [4:0]     post_used = post_tail - post_head;
    reg  [15:0]    work_lost, write_errors;

    assign m_axis_work_tvalid = post_used != 5'd0;
    assign {m_axis_work_tuser, m_axis_work_tid, m_axis_work_tdata} = posted[post_head[3:0]];

    reg  [1:0]  buffer_state;
    assign m_axis_buffer_tdata = {6'd0, buffer_state};

    reg  [32:0] seen; // whether there is such a register, and what it holds
    wire [7:0]  asked = s_axil_araddr[9:2];

    always @* begin
        case (asked)
            ID:           seen = {1'b1, 32'h51464557}; // "WEFQ"
            VERSION:      seen = {1'b1, 32'h00010000};
            WRITE_ERRORS: seen = {1'b1, 16'd0, write_errors};
            RING_LOW:     seen = {1'b1, ring_base[31:0]};
            RING_HIGH:    seen = {1'b1, ring_base[63:32]};
            RING_SIZE:    seen = {1'b1, ring_on, ring_drains, 26'd0, ring_size};
            RING_HEAD:    seen = {1'b1, 16'd0, ring_head};
            RING_TAIL:    seen = {1'b1, 16'd0, ring_tail};
            WORK_ROOM:    seen = {1'b1, 27'd0, 5'd16 - post_used};
            WORK_LOST:    seen = {1'b1, 16'd0, work_lost};
            BUFFER:       seen = {1'b1, m_axis_buffer_tvalid, 31'd0};
            default:      seen = 33'd0;
        endcase
    end

    assign s_axil_arready = !s_axil_rvalid;

    always @(posedge clk) begin
        // Registers.
        if (s_axil_awvalid && !has_address) begin
            has_address <= 1'b1;
            write_word  <= s_axil_awaddr[15:2];
        end
        if (s_axil_wvalid && !has_value) begin
            has_value <= 1'b1;
            value     <= s_axil_wdata;
            is_whole  <= s_axil_wstrb == 4'hF;
        end
        if (s_axil_bready)
            s_axil_bvalid <= 1'b0;
        if (writes) begin
            has_address   <= 1'b0;
            has_value     <= 1'b0;
            s_axil_bvalid <= 1'b1;
            s_axil_bresp  <= 2'd2;
        end
        if (is_set) begin
            if (is_work) begin
                work[32*which[2:0]+:32] <= value;
                s_axil_bresp            <= 2'd0;
            end
            case (which)
                RING_LOW:  begin ring_base[31:0] <= {value[31:4], 4'd0}; s_axil_bresp <= 2'd0; end
                RING_HIGH: begin ring_base[63:32] <= value; s_axil_bresp <= 2'd0; end
                RING_HEAD: begin ring_head <= value[15:0]; s_axil_bresp <= 2'd0; end
                RING_SIZE: begin
                    ring_size    <= value[3:0];
                    ring_on      <= value[31];
                    ring_head    <= 16'd0;
                    ring_tail    <= 16'd0;
                    s_axil_bresp <= 2'd0;
                end
                BUFFER: if (!m_axis_buffer_tvalid && is_connection) begin
                    m_axis_buffer_tvalid <= 1'b1;
                    m_axis_buffer_tid    <= value[A-1:0];
                    buffer_state         <= value[17:16];
                    s_axil_bresp         <= 2'd0;
                end
                POST: if (!post_used[4] && is_connection) begin
                    posted[post_tail[3:0]] <= {value[31], value[A-1:0], work};
                    post_tail              <= post_tail + 5'd1;
                    s_axil_bresp           <= 2'd0;
                end else begin
                    work_lost <= work_lost + 16'd1;
                end
                default: ;
            endcase
        end
        if (s_axil_rready)
            s_axil_rvalid <= 1'b0;
        if (s_axil_arvalid && !s_axil_rvalid) begin
            s_axil_rvalid <= 1'b1;
            s_axil_rdata  <= s_axil_araddr[15:10] == 6'd0 ? seen[31:0] : 32'd0;
            s_axil_rresp  <= {s_axil_araddr[15:10] != 6'd0 || !seen[32], 1'b0};
        end

        // Work and buffers.
        if (m_axis_work_tvalid && m_axis_work_tready)
            post_head <= post_head + 5'd1;
        if (m_axis_buffer_tvalid && m_axis_buffer_tready)
            m_axis_buffer_tvalid <= 1'b0;
        if (write_failed)
            write_errors <= write_errors + 16'd1;

        // Entries.
        if (ring_begins)
            ring_drains <= 1'b1;
        else if (ring_drained)
            ring_drains <= 1'b0;
        if (m_axis_entry_tready)
            m_axis_entry_tvalid <= 1'b0;
        if (tells) begin
            turn                <= who == 2'd2 ? 2'd0 : who + 2'd1;
            m_axis_entry_tvalid <= 1'b1;
            entry_address       <= ring_base + {44'd0, ring_tail & ring_mask, 4'd0};
            ring_tail           <= ring_tail + 16'd1;
            m_axis_entry_tdata  <= {phase, 31'd0, 14'd0, who + 2'd1, {16-A{1'b0}}, told_tid, 8'd0, told_second, told_first};
        end
        if (rst) begin
            has_address          <= 1'b0;
            has_value            <= 1'b0;
            s_axil_bvalid        <= 1'b0;
            s_axil_rvalid        <= 1'b0;
            ring_on              <= 1'b0;
            ring_drains          <= 1'b0;
            turn                 <= 2'd0;
            m_axis_entry_tvalid  <= 1'b0;
            m_axis_buffer_tvalid <= 1'b0;
            post_tail            <= 5'd0;
            post_head            <= 5'd0;
            work_lost            <= 16'd0;
            write_errors         <= 16'd0;
        end
    end

    // The low bits of addresses, and of the value what no register keeps.
    wire unused = &{1'b0, s_axil_awaddr[1:0], s_axil_araddr[1:0], 1'b0};

endmodule

`default_nettype wire
