// SPDX-License-Identifier: MIT OR Apache-2.0
//
// weft_nic between a MAC and a host: what docs/integration.md says, as Verilog.
// Replace host_memory by your DMA engine.

`default_nettype none

module nic_on_mac #(
    parameter W = 512,        // bits of the streams: the NIC is emitted for them
    parameter C = 8,          // bits of a connection's number, as well
    parameter A = 10,         // log2 of the memory's words
    parameter FACTOR_BITS = 0 // or 18, as docs/integration.md says
) (
    input  wire         clk,
    input  wire         rst,

    // From the MAC: cannot wait.
    input  wire         mac_rx_tvalid,
    input  wire [W-1:0] mac_rx_tdata,
    input  wire [W/8-1:0] mac_rx_tkeep,
    input  wire         mac_rx_tlast,
    input  wire         mac_rx_tuser,
    // To the MAC.
    output wire         mac_tx_tvalid,
    input  wire         mac_tx_tready,
    output wire [W-1:0] mac_tx_tdata,
    output wire [W/8-1:0] mac_tx_tkeep,
    output wire         mac_tx_tlast,
    output wire         mac_tx_tuser,

    // Registers.
    input  wire         s_axil_awvalid,
    output wire         s_axil_awready,
    input  wire  [15:0] s_axil_awaddr,
    input  wire         s_axil_wvalid,
    output wire         s_axil_wready,
    input  wire  [31:0] s_axil_wdata,
    input  wire   [3:0] s_axil_wstrb,
    output wire         s_axil_bvalid,
    input  wire         s_axil_bready,
    output wire   [1:0] s_axil_bresp,
    input  wire         s_axil_arvalid,
    output wire         s_axil_arready,
    input  wire  [15:0] s_axil_araddr,
    output wire         s_axil_rvalid,
    input  wire         s_axil_rready,
    output wire  [31:0] s_axil_rdata,
    output wire   [1:0] s_axil_rresp,

    // Work requests and completions.
    input  wire         work_tvalid,
    output wire         work_tready,
    input  wire  [C-1:0] work_tid,
    input  wire [255:0] work_tdata,
    input  wire         work_tuser,
    output wire         sent_tvalid,
    input  wire         sent_tready,
    output wire [C-1:0] sent_tid,
    output wire  [31:0] sent_tdata,
    output wire   [2:0] sent_tuser,
    input  wire         buffer_tvalid,
    output wire         buffer_tready,
    input  wire [C-1:0] buffer_tid,
    input  wire   [7:0] buffer_tdata,
    output wire         event_tvalid,
    input  wire         event_tready,
    output wire [C-1:0] event_tid,
    output wire   [7:0] event_tdata,
    output wire         irq,
    output wire         received_tvalid,
    input  wire         received_tready,
    output wire [C-1:0] received_tid,
    output wire  [55:0] received_tdata
);

    wire         fetch_tvalid, fetch_tready, read_tvalid, read_tready, read_tlast;
    wire [C-1:0] fetch_tid;
    wire  [79:0] fetch_tdata;
    wire [W-1:0] read_tdata;
    wire [W/8-1:0] read_tkeep;
    wire         write_tvalid, write_tready, write_tlast;
    wire [C-1:0] write_tid;
    wire [W-1:0] write_tdata;
    wire [W/8-1:0] write_tkeep;
    wire  [77:0] write_tuser;

    // No other NIC behind this one: what is not ours is dropped, nothing else is sent.
    wire         bypass_tvalid, bypass_tlast, bypass_tuser, bypass_ready;
    wire [W-1:0] bypass_tdata;
    wire [W/8-1:0] bypass_tkeep;
    wire         unused = &{1'b0, bypass_tvalid, bypass_tlast, bypass_tuser, bypass_ready, bypass_tdata,
                            bypass_tkeep, fetch_tid, write_tid, 1'b0};

    weft_nic #(.FACTOR_BITS(FACTOR_BITS)) nic (
        .clk(clk),
        .rst(rst),
        .s_axil_awvalid(s_axil_awvalid),
        .s_axil_awready(s_axil_awready),
        .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(3'b000),
        .s_axil_wvalid(s_axil_wvalid),
        .s_axil_wready(s_axil_wready),
        .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb),
        .s_axil_bvalid(s_axil_bvalid),
        .s_axil_bready(s_axil_bready),
        .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid),
        .s_axil_arready(s_axil_arready),
        .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(3'b000),
        .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready),
        .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp),
        .s_axis_net_tvalid(mac_rx_tvalid),
        .s_axis_net_tdata(mac_rx_tdata),
        .s_axis_net_tkeep(mac_rx_tkeep),
        .s_axis_net_tlast(mac_rx_tlast),
        .s_axis_net_tuser(mac_rx_tuser),
        .m_axis_net_tvalid(mac_tx_tvalid),
        .m_axis_net_tready(mac_tx_tready),
        .m_axis_net_tdata(mac_tx_tdata),
        .m_axis_net_tkeep(mac_tx_tkeep),
        .m_axis_net_tlast(mac_tx_tlast),
        .m_axis_net_tuser(mac_tx_tuser),
        .s_axis_bypass_tvalid(1'b0),
        .s_axis_bypass_tready(bypass_ready),
        .s_axis_bypass_tdata({W{1'b0}}),
        .s_axis_bypass_tkeep({(W/8){1'b0}}),
        .s_axis_bypass_tlast(1'b0),
        .s_axis_bypass_tuser(1'b0),
        .m_axis_bypass_tvalid(bypass_tvalid),
        .m_axis_bypass_tready(1'b1),
        .m_axis_bypass_tdata(bypass_tdata),
        .m_axis_bypass_tkeep(bypass_tkeep),
        .m_axis_bypass_tlast(bypass_tlast),
        .m_axis_bypass_tuser(bypass_tuser),
        .s_axis_work_tvalid(work_tvalid),
        .s_axis_work_tready(work_tready),
        .s_axis_work_tid(work_tid),
        .s_axis_work_tdata(work_tdata),
        .s_axis_work_tuser(work_tuser),
        .m_axis_fetch_tvalid(fetch_tvalid),
        .m_axis_fetch_tready(fetch_tready),
        .m_axis_fetch_tid(fetch_tid),
        .m_axis_fetch_tdata(fetch_tdata),
        .s_axis_read_tvalid(read_tvalid),
        .s_axis_read_tready(read_tready),
        .s_axis_read_tdata(read_tdata),
        .s_axis_read_tkeep(read_tkeep),
        .s_axis_read_tlast(read_tlast),
        .s_axis_read_tuser(1'b0),
        .m_axis_write_tvalid(write_tvalid),
        .m_axis_write_tready(write_tready),
        .m_axis_write_tid(write_tid),
        .m_axis_write_tdata(write_tdata),
        .m_axis_write_tkeep(write_tkeep),
        .m_axis_write_tlast(write_tlast),
        .m_axis_write_tuser(write_tuser),
        .m_axis_received_tvalid(received_tvalid),
        .m_axis_received_tready(received_tready),
        .m_axis_received_tid(received_tid),
        .m_axis_received_tdata(received_tdata),
        .m_axis_sent_tvalid(sent_tvalid),
        .m_axis_sent_tready(sent_tready),
        .m_axis_sent_tid(sent_tid),
        .m_axis_sent_tdata(sent_tdata),
        .m_axis_sent_tuser(sent_tuser),
        .s_axis_buffer_tvalid(buffer_tvalid),
        .s_axis_buffer_tready(buffer_tready),
        .s_axis_buffer_tid(buffer_tid),
        .s_axis_buffer_tdata(buffer_tdata),
        .m_axis_event_tvalid(event_tvalid),
        .m_axis_event_tready(event_tready),
        .m_axis_event_tid(event_tid),
        .m_axis_event_tdata(event_tdata),
        .irq(irq)
    );

    host_memory #(.W(W), .A(A)) host (
        .clk(clk),
        .rst(rst),
        .s_axis_fetch_tvalid(fetch_tvalid),
        .s_axis_fetch_tready(fetch_tready),
        .s_axis_fetch_tdata(fetch_tdata),
        .m_axis_read_tvalid(read_tvalid),
        .m_axis_read_tready(read_tready),
        .m_axis_read_tdata(read_tdata),
        .m_axis_read_tkeep(read_tkeep),
        .m_axis_read_tlast(read_tlast),
        .s_axis_write_tvalid(write_tvalid),
        .s_axis_write_tready(write_tready),
        .s_axis_write_tdata(write_tdata),
        .s_axis_write_tkeep(write_tkeep),
        .s_axis_write_tlast(write_tlast),
        .s_axis_write_tuser(write_tuser)
    );

endmodule

`default_nettype wire
