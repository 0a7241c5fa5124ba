// SPDX-License-Identifier: MIT OR Apache-2.0
//
// weft_nic with all that an application block of a NIC shell needs around it:
// DMA over a segmented RAM, a completion ring and a window for work, and the
// host's own frames beside ours. mqnic_app_block gives it Corundum's names.

`default_nettype none

module weft_app #(
    parameter A = 8,               // bits of a connection, as weft_nic was emitted
    parameter RX_USER = 1,         // bits of tuser on the way in, as weft_nic was emitted (--bypass-user)
    parameter TX_USER = 17,        // bits of tuser on the way out: the host's tag and bad
    parameter ADDR_WIDTH = 24,     // bits of a register's address
    parameter RAM_ADDR_WIDTH = 17, // bits of a RAM address of the DMA engine
    parameter LEN_WIDTH = 16,      // bits of a descriptor's length
    parameter TAG_WIDTH = 14,      // bits of a descriptor's tag
    parameter LARGE_RAM = "block", // or "ultra": the NIC's large memories
    parameter FACTOR_BITS = 0      // or 18: its products of wider factors are sums of products
) (
    input  wire                      clk,
    input  wire                      rst,

    // Registers: weft_nic's in the first 64 KiB, those of the queues in the second.
    input  wire [ADDR_WIDTH-1:0]     s_axil_awaddr,
    input  wire                      s_axil_awvalid,
    output wire                      s_axil_awready,
    input  wire [31:0]               s_axil_wdata,
    input  wire [3:0]                s_axil_wstrb,
    input  wire                      s_axil_wvalid,
    output wire                      s_axil_wready,
    output wire [1:0]                s_axil_bresp,
    output wire                      s_axil_bvalid,
    input  wire                      s_axil_bready,
    input  wire [ADDR_WIDTH-1:0]     s_axil_araddr,
    input  wire                      s_axil_arvalid,
    output wire                      s_axil_arready,
    output wire [31:0]               s_axil_rdata,
    output wire [1:0]                s_axil_rresp,
    output wire                      s_axil_rvalid,
    input  wire                      s_axil_rready,

    // Frames from the network, always taken; those for the host.
    input  wire                      s_axis_rx_tvalid,
    input  wire [511:0]              s_axis_rx_tdata,
    input  wire [63:0]               s_axis_rx_tkeep,
    input  wire                      s_axis_rx_tlast,
    input  wire [RX_USER-1:0]        s_axis_rx_tuser,
    output wire                      m_axis_host_tvalid,
    input  wire                      m_axis_host_tready,
    output wire [511:0]              m_axis_host_tdata,
    output wire [63:0]               m_axis_host_tkeep,
    output wire                      m_axis_host_tlast,
    output wire [RX_USER-1:0]        m_axis_host_tuser,

    // Frames from the host; those and ours to the network.
    input  wire                      s_axis_host_tvalid,
    output wire                      s_axis_host_tready,
    input  wire [511:0]              s_axis_host_tdata,
    input  wire [63:0]               s_axis_host_tkeep,
    input  wire                      s_axis_host_tlast,
    input  wire [TX_USER-1:0]        s_axis_host_tuser,
    output wire                      m_axis_tx_tvalid,
    input  wire                      m_axis_tx_tready,
    output wire [511:0]              m_axis_tx_tdata,
    output wire [63:0]               m_axis_tx_tkeep,
    output wire                      m_axis_tx_tlast,
    output wire [TX_USER-1:0]        m_axis_tx_tuser,

    // DMA reads: descriptors, how they ended, the engine's writes into the RAM.
    output wire                      m_axis_read_desc_valid,
    input  wire                      m_axis_read_desc_ready,
    output wire [63:0]               m_axis_read_desc_dma_addr,
    output wire [RAM_ADDR_WIDTH-1:0] m_axis_read_desc_ram_addr,
    output wire [LEN_WIDTH-1:0]      m_axis_read_desc_len,
    output wire [TAG_WIDTH-1:0]      m_axis_read_desc_tag,
    input  wire                      s_axis_read_status_valid,
    input  wire [TAG_WIDTH-1:0]      s_axis_read_status_tag,
    input  wire [3:0]                s_axis_read_status_error,
    input  wire [127:0]              ram_wr_cmd_be,
    input  wire [2*RAM_ADDR_WIDTH-15:0] ram_wr_cmd_addr,
    input  wire [1023:0]             ram_wr_cmd_data,
    input  wire [1:0]                ram_wr_cmd_valid,
    output wire [1:0]                ram_wr_cmd_ready,
    output wire [1:0]                ram_wr_done,

    // DMA writes: descriptors, how they ended, the engine's reads of the RAM.
    output wire                      m_axis_write_desc_valid,
    input  wire                      m_axis_write_desc_ready,
    output wire [63:0]               m_axis_write_desc_dma_addr,
    output wire [RAM_ADDR_WIDTH-1:0] m_axis_write_desc_ram_addr,
    output wire [LEN_WIDTH-1:0]      m_axis_write_desc_len,
    output wire [TAG_WIDTH-1:0]      m_axis_write_desc_tag,
    input  wire                      s_axis_write_status_valid,
    input  wire [3:0]                s_axis_write_status_error,
    input  wire [2*RAM_ADDR_WIDTH-15:0] ram_rd_cmd_addr,
    input  wire [1:0]                ram_rd_cmd_valid,
    output wire [1:0]                ram_rd_cmd_ready,
    output wire [1023:0]             ram_rd_resp_data,
    output wire [1:0]                ram_rd_resp_valid,
    input  wire [1:0]                ram_rd_resp_ready
);

    // Registers: bit 0 is the NIC's window, bit 1 that of the queues. COMMAND's answer goes through a fence.
    localparam [13:0] COMMAND = 14'h030;
    wire [15:0]  awaddr, araddr;
    wire [31:0]  wdata, nic_rdata, queues_rdata;
    wire         nic_rvalid, nic_rready, answer_late;
    wire [3:0]   wstrb;
    wire [1:0]   awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
    wire [1:0]   nic_bresp, nic_rresp, queues_bresp, queues_rresp;

    weft_axil_split #(.ADDR_WIDTH(ADDR_WIDTH)) split (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready),
        .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready),
        .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
        .s_axil_araddr(s_axil_araddr), .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
        .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
        .m_axil_awaddr(awaddr), .m_axil_awvalid(awvalid), .m_axil_awready(awready),
        .m_axil_wdata(wdata), .m_axil_wstrb(wstrb), .m_axil_wvalid(wvalid), .m_axil_wready(wready),
        .m_axil_bresp({queues_bresp, nic_bresp}), .m_axil_bvalid(bvalid), .m_axil_bready(bready),
        .m_axil_araddr(araddr), .m_axil_arvalid(arvalid), .m_axil_arready(arready),
        .m_axil_rdata({queues_rdata, nic_rdata[31] | answer_late, nic_rdata[30:0]}), .m_axil_rresp({queues_rresp, nic_rresp}), .m_axil_rvalid(rvalid), .m_axil_rready(rready)
    );

    wire               net_tvalid, net_tready, net_tlast;
    wire [511:0]       net_tdata;
    wire [63:0]        net_tkeep;
    wire [RX_USER-1:0] net_tuser;
    wire               work_tvalid, work_tready, work_tuser;
    wire [A-1:0]       work_tid, fetch_tid, write_tid, received_tid, sent_tid, buffer_tid, event_tid;
    wire [255:0]       work_tdata;
    wire               fetch_tvalid, fetch_tready, read_tvalid, read_tready, read_tlast, read_tuser;
    wire [79:0]        fetch_tdata;
    wire [511:0]       read_tdata, write_tdata;
    wire [63:0]        read_tkeep, write_tkeep;
    wire               write_tvalid, write_tready, write_tlast;
    wire [77:0]        write_tuser;
    wire               received_tvalid, received_tready, sent_tvalid, sent_tready;
    wire [55:0]        received_tdata;
    wire [31:0]        sent_tdata;
    wire [2:0]         sent_tuser;
    wire               buffer_tvalid, buffer_tready, event_tvalid, event_tready;
    wire [7:0]         buffer_tdata, event_tdata;
    wire               bypass_tready, irq;

    // Frames of the host do not go through the NIC's bypass on their way out: the join keeps their tags.
    weft_nic #(.LARGE_RAM(LARGE_RAM), .FACTOR_BITS(FACTOR_BITS)) nic (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(awaddr), .s_axil_awprot(3'd0), .s_axil_awvalid(awvalid[0]), .s_axil_awready(awready[0]),
        .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid[0]), .s_axil_wready(wready[0]),
        .s_axil_bresp(nic_bresp), .s_axil_bvalid(bvalid[0]), .s_axil_bready(bready[0]),
        .s_axil_araddr(araddr), .s_axil_arprot(3'd0), .s_axil_arvalid(arvalid[0]), .s_axil_arready(arready[0]),
        .s_axil_rdata(nic_rdata), .s_axil_rresp(nic_rresp), .s_axil_rvalid(nic_rvalid), .s_axil_rready(nic_rready),
        .s_axis_net_tvalid(s_axis_rx_tvalid), .s_axis_net_tdata(s_axis_rx_tdata), .s_axis_net_tkeep(s_axis_rx_tkeep),
        .s_axis_net_tlast(s_axis_rx_tlast), .s_axis_net_tuser(s_axis_rx_tuser),
        .m_axis_net_tvalid(net_tvalid), .m_axis_net_tready(net_tready), .m_axis_net_tdata(net_tdata),
        .m_axis_net_tkeep(net_tkeep), .m_axis_net_tlast(net_tlast), .m_axis_net_tuser(net_tuser),
        .s_axis_bypass_tvalid(1'b0), .s_axis_bypass_tready(bypass_tready), .s_axis_bypass_tdata(512'd0),
        .s_axis_bypass_tkeep(64'd0), .s_axis_bypass_tlast(1'b0), .s_axis_bypass_tuser({RX_USER{1'b0}}),
        .m_axis_bypass_tvalid(m_axis_host_tvalid), .m_axis_bypass_tready(m_axis_host_tready), .m_axis_bypass_tdata(m_axis_host_tdata),
        .m_axis_bypass_tkeep(m_axis_host_tkeep), .m_axis_bypass_tlast(m_axis_host_tlast), .m_axis_bypass_tuser(m_axis_host_tuser),
        .s_axis_work_tvalid(work_tvalid), .s_axis_work_tready(work_tready), .s_axis_work_tid(work_tid),
        .s_axis_work_tdata(work_tdata), .s_axis_work_tuser(work_tuser),
        .m_axis_fetch_tvalid(fetch_tvalid), .m_axis_fetch_tready(fetch_tready), .m_axis_fetch_tid(fetch_tid), .m_axis_fetch_tdata(fetch_tdata),
        .s_axis_read_tvalid(read_tvalid), .s_axis_read_tready(read_tready), .s_axis_read_tdata(read_tdata),
        .s_axis_read_tkeep(read_tkeep), .s_axis_read_tlast(read_tlast), .s_axis_read_tuser(read_tuser),
        .m_axis_write_tvalid(write_tvalid), .m_axis_write_tready(write_tready), .m_axis_write_tid(write_tid), .m_axis_write_tdata(write_tdata),
        .m_axis_write_tkeep(write_tkeep), .m_axis_write_tlast(write_tlast), .m_axis_write_tuser(write_tuser),
        .m_axis_received_tvalid(received_tvalid), .m_axis_received_tready(received_tready), .m_axis_received_tid(received_tid),
        .m_axis_received_tdata(received_tdata),
        .m_axis_sent_tvalid(sent_tvalid), .m_axis_sent_tready(sent_tready), .m_axis_sent_tid(sent_tid), .m_axis_sent_tdata(sent_tdata),
        .m_axis_sent_tuser(sent_tuser),
        .s_axis_buffer_tvalid(buffer_tvalid), .s_axis_buffer_tready(buffer_tready), .s_axis_buffer_tid(buffer_tid), .s_axis_buffer_tdata(buffer_tdata),
        .m_axis_event_tvalid(event_tvalid), .m_axis_event_tready(event_tready), .m_axis_event_tid(event_tid), .m_axis_event_tdata(event_tdata),
        .irq(irq)
    );

    // Ours have tag 0: nobody waits for its completion.
    weft_join #(.USER(TX_USER)) tx (
        .clk(clk), .rst(rst),
        .s_axis_a_tvalid(net_tvalid), .s_axis_a_tready(net_tready), .s_axis_a_tdata(net_tdata), .s_axis_a_tkeep(net_tkeep),
        .s_axis_a_tlast(net_tlast), .s_axis_a_tuser({{TX_USER-1{1'b0}}, net_tuser[0]}),
        .s_axis_b_tvalid(s_axis_host_tvalid), .s_axis_b_tready(s_axis_host_tready), .s_axis_b_tdata(s_axis_host_tdata),
        .s_axis_b_tkeep(s_axis_host_tkeep), .s_axis_b_tlast(s_axis_host_tlast), .s_axis_b_tuser(s_axis_host_tuser),
        .m_axis_tvalid(m_axis_tx_tvalid), .m_axis_tready(m_axis_tx_tready), .m_axis_tdata(m_axis_tx_tdata),
        .m_axis_tkeep(m_axis_tx_tkeep), .m_axis_tlast(m_axis_tx_tlast), .m_axis_tuser(m_axis_tx_tuser)
    );

    weft_dma_read #(.RING(RAM_ADDR_WIDTH-8), .RAM_ADDR_WIDTH(RAM_ADDR_WIDTH), .LEN_WIDTH(LEN_WIDTH), .TAG_WIDTH(TAG_WIDTH)) reads (
        .clk(clk), .rst(rst),
        .s_axis_fetch_tvalid(fetch_tvalid), .s_axis_fetch_tready(fetch_tready), .s_axis_fetch_tdata(fetch_tdata),
        .m_axis_read_tvalid(read_tvalid), .m_axis_read_tready(read_tready), .m_axis_read_tdata(read_tdata),
        .m_axis_read_tkeep(read_tkeep), .m_axis_read_tlast(read_tlast), .m_axis_read_tuser(read_tuser),
        .m_axis_desc_valid(m_axis_read_desc_valid), .m_axis_desc_ready(m_axis_read_desc_ready),
        .m_axis_desc_dma_addr(m_axis_read_desc_dma_addr), .m_axis_desc_ram_addr(m_axis_read_desc_ram_addr),
        .m_axis_desc_len(m_axis_read_desc_len), .m_axis_desc_tag(m_axis_read_desc_tag),
        .s_axis_status_valid(s_axis_read_status_valid), .s_axis_status_tag(s_axis_read_status_tag), .s_axis_status_error(s_axis_read_status_error),
        .ram_wr_cmd_be(ram_wr_cmd_be), .ram_wr_cmd_addr(ram_wr_cmd_addr), .ram_wr_cmd_data(ram_wr_cmd_data),
        .ram_wr_cmd_valid(ram_wr_cmd_valid), .ram_wr_cmd_ready(ram_wr_cmd_ready), .ram_wr_done(ram_wr_done)
    );

    // Payload and entries of the completion ring take one way to the host, so neither overtakes the other.
    wire         entry_tvalid, entry_tready, packet_tvalid, packet_tready, packet_tlast, write_failed;
    wire         ring_begins, ring_drains, ring_drained, drained_late;
    wire [127:0] entry_tdata;
    wire [77:0]  entry_tuser, packet_tuser;
    wire [511:0] packet_tdata;
    wire [63:0]  packet_tkeep;

    weft_queues #(.A(A)) queues (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(awaddr), .s_axil_awvalid(awvalid[1]), .s_axil_awready(awready[1]),
        .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid[1]), .s_axil_wready(wready[1]),
        .s_axil_bresp(queues_bresp), .s_axil_bvalid(bvalid[1]), .s_axil_bready(bready[1]),
        .s_axil_araddr(araddr), .s_axil_arvalid(arvalid[1]), .s_axil_arready(arready[1]),
        .s_axil_rdata(queues_rdata), .s_axil_rresp(queues_rresp), .s_axil_rvalid(rvalid[1]), .s_axil_rready(rready[1]),
        .s_axis_received_tvalid(received_tvalid), .s_axis_received_tready(received_tready), .s_axis_received_tid(received_tid),
        .s_axis_received_tdata(received_tdata),
        .s_axis_sent_tvalid(sent_tvalid), .s_axis_sent_tready(sent_tready), .s_axis_sent_tid(sent_tid), .s_axis_sent_tdata(sent_tdata),
        .s_axis_sent_tuser(sent_tuser),
        .s_axis_event_tvalid(event_tvalid), .s_axis_event_tready(event_tready), .s_axis_event_tid(event_tid), .s_axis_event_tdata(event_tdata),
        .m_axis_entry_tvalid(entry_tvalid), .m_axis_entry_tready(entry_tready), .m_axis_entry_tdata(entry_tdata), .m_axis_entry_tuser(entry_tuser),
        .m_axis_work_tvalid(work_tvalid), .m_axis_work_tready(work_tready), .m_axis_work_tid(work_tid), .m_axis_work_tdata(work_tdata),
        .m_axis_work_tuser(work_tuser),
        .m_axis_buffer_tvalid(buffer_tvalid), .m_axis_buffer_tready(buffer_tready), .m_axis_buffer_tid(buffer_tid), .m_axis_buffer_tdata(buffer_tdata),
        .write_failed(write_failed),
        .ring_begins(ring_begins), .ring_drains(ring_drains), .ring_drained(ring_drained)
    );

    weft_join #(.USER(78)) to_host (
        .clk(clk), .rst(rst),
        .s_axis_a_tvalid(write_tvalid), .s_axis_a_tready(write_tready), .s_axis_a_tdata(write_tdata), .s_axis_a_tkeep(write_tkeep),
        .s_axis_a_tlast(write_tlast), .s_axis_a_tuser(write_tuser),
        .s_axis_b_tvalid(entry_tvalid), .s_axis_b_tready(entry_tready), .s_axis_b_tdata({384'd0, entry_tdata}), .s_axis_b_tkeep(64'hFFFF),
        .s_axis_b_tlast(1'b1), .s_axis_b_tuser(entry_tuser),
        .m_axis_tvalid(packet_tvalid), .m_axis_tready(packet_tready), .m_axis_tdata(packet_tdata), .m_axis_tkeep(packet_tkeep),
        .m_axis_tlast(packet_tlast), .m_axis_tuser(packet_tuser)
    );

    weft_dma_write #(.RING(RAM_ADDR_WIDTH-8), .RAM_ADDR_WIDTH(RAM_ADDR_WIDTH), .LEN_WIDTH(LEN_WIDTH), .TAG_WIDTH(TAG_WIDTH)) writes (
        .clk(clk), .rst(rst),
        .s_axis_write_tvalid(packet_tvalid), .s_axis_write_tready(packet_tready), .s_axis_write_tdata(packet_tdata),
        .s_axis_write_tlast(packet_tlast), .s_axis_write_tuser(packet_tuser),
        .m_axis_desc_valid(m_axis_write_desc_valid), .m_axis_desc_ready(m_axis_write_desc_ready),
        .m_axis_desc_dma_addr(m_axis_write_desc_dma_addr), .m_axis_desc_ram_addr(m_axis_write_desc_ram_addr),
        .m_axis_desc_len(m_axis_write_desc_len), .m_axis_desc_tag(m_axis_write_desc_tag),
        .s_axis_status_valid(s_axis_write_status_valid), .s_axis_status_error(s_axis_write_status_error), .failed(write_failed),
        .ram_rd_cmd_addr(ram_rd_cmd_addr), .ram_rd_cmd_valid(ram_rd_cmd_valid), .ram_rd_cmd_ready(ram_rd_cmd_ready),
        .ram_rd_resp_data(ram_rd_resp_data), .ram_rd_resp_valid(ram_rd_resp_valid), .ram_rd_resp_ready(ram_rd_resp_ready)
    );

    // What has gone into that way and what has come out of it, in the same order: packets of payload with their last word,
    // entries, and statuses. 66 at most are on it: two in the join, 64 in the ring. An entry that the join has not taken
    // yet is not counted yet; nothing that it waits for waits for the host's driver.
    reg [6:0] to_host_packets, to_host_statuses;

    always @(posedge clk) begin
        if (write_tvalid && write_tready && write_tlast || entry_tvalid && entry_tready)
            to_host_packets <= to_host_packets + 7'd1;
        if (s_axis_write_status_valid)
            to_host_statuses <= to_host_statuses + 7'd1;
        if (rst) begin
            to_host_packets  <= 7'd0;
            to_host_statuses <= 7'd0;
        end
    end

    // COMMAND is not busy when the host has what the NIC had handed over when the command had ended.
    weft_cdc_fence #(.D(6), .PATIENCE(8)) command_fence (
        .clk(clk), .rst(rst), .written(to_host_packets), .taken(to_host_statuses), .counted(!entry_tvalid),
        .anew(bvalid[0] && awaddr[15:2] == COMMAND), .keeps(1'b0),
        .s_valid(nic_rvalid), .s_waits(araddr[15:2] == COMMAND && !nic_rdata[31]),
        .m_valid(rvalid[0]), .m_late(answer_late), .m_ready(rready[0])
    );

    assign nic_rready = rvalid[0] && rready[0];

    // RING_SIZE tells whether entries of the ring that was are on their way.
    weft_cdc_fence #(.D(6)) ring_fence (
        .clk(clk), .rst(rst), .written(to_host_packets), .taken(to_host_statuses), .counted(!entry_tvalid),
        .anew(ring_begins), .keeps(1'b0), .s_valid(ring_drains), .s_waits(1'b1), .m_valid(ring_drained), .m_late(drained_late), .m_ready(1'b1)
    );

    // Reads and writes have a RAM of their own whatever the connection; the bytes of a packet stand in its tuser; the ring has the events.
    wire unused = &{1'b0, fetch_tid, write_tid, packet_tkeep, net_tuser, bypass_tready, irq, drained_late, 1'b0};

endmodule

`default_nettype wire
