// SPDX-License-Identifier: MIT OR Apache-2.0
//
// weft_nic with clocks of its own: the MAC's streams in the MAC's clocks, all
// that the host sees in the host's, the NIC in core_clk. docs/clocks.md has the
// rules.

`default_nettype none

module weft_nic_cdc #(
    // As the NIC was emitted.
    parameter A = 8,       // log2 of the connections
    parameter WIDTH = 512, // bits of the streams of bytes
    parameter USER = 1,    // bits of tuser of network and bypass
    parameter LARGE_RAM = "block", // or "ultra": the NIC's large memories
    parameter FACTOR_BITS = 0      // or 18: its products of wider factors are sums of products
) (
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 core_clk CLK" *)
    input  wire               core_clk,

    // From the MAC: cannot wait.
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 mac_rx_clk CLK" *)
    (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF mac_rx, ASSOCIATED_RESET mac_rx_rst" *)
    input  wire               mac_rx_clk,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 mac_rx_rst RST" *)
    (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_HIGH" *)
    input  wire               mac_rx_rst,             // synchronous to mac_rx_clk; forgets what was received and not handed on yet
    input  wire               mac_rx_tvalid,
    input  wire   [WIDTH-1:0] mac_rx_tdata,
    input  wire [WIDTH/8-1:0] mac_rx_tkeep,
    input  wire               mac_rx_tlast,
    input  wire    [USER-1:0] mac_rx_tuser,
    output wire               mac_rx_dropped,         // a frame was dropped, or cut and marked bad; a clock of mac_rx_clk

    // To the MAC: no gap inside a frame.
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 mac_tx_clk CLK" *)
    (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF mac_tx, ASSOCIATED_RESET mac_tx_rst" *)
    input  wire               mac_tx_clk,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 mac_tx_rst RST" *)
    (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_HIGH" *)
    input  wire               mac_tx_rst,             // synchronous to mac_tx_clk; forgets what was to be sent and had not left
    output wire               mac_tx_tvalid,
    input  wire               mac_tx_tready,
    output wire   [WIDTH-1:0] mac_tx_tdata,
    output wire [WIDTH/8-1:0] mac_tx_tkeep,
    output wire               mac_tx_tlast,
    output wire    [USER-1:0] mac_tx_tuser,

    // The host. Its reset is the NIC's: what either knows of the other goes with it.
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 host_clk CLK" *)
    (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF s_axil:s_axis_work:s_axis_buffer:s_axis_read:s_axis_bypass:m_axis_bypass:m_axis_fetch:m_axis_write:m_axis_received:m_axis_sent:m_axis_event, ASSOCIATED_RESET host_rst" *)
    input  wire               host_clk,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 host_rst RST" *)
    (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_HIGH" *)
    input  wire               host_rst,               // synchronous to host_clk

    input  wire        [15:0] s_axil_awaddr,
    input  wire         [2:0] s_axil_awprot,
    input  wire               s_axil_awvalid,
    output wire               s_axil_awready,
    input  wire        [31:0] s_axil_wdata,
    input  wire         [3:0] s_axil_wstrb,
    input  wire               s_axil_wvalid,
    output wire               s_axil_wready,
    output wire         [1:0] s_axil_bresp,
    output wire               s_axil_bvalid,
    input  wire               s_axil_bready,
    input  wire        [15:0] s_axil_araddr,
    input  wire         [2:0] s_axil_arprot,
    input  wire               s_axil_arvalid,
    output wire               s_axil_arready,
    output wire        [31:0] s_axil_rdata,
    output wire         [1:0] s_axil_rresp,
    output wire               s_axil_rvalid,
    input  wire               s_axil_rready,

    input  wire               s_axis_work_tvalid,
    output wire               s_axis_work_tready,
    input  wire       [A-1:0] s_axis_work_tid,
    input  wire       [255:0] s_axis_work_tdata,
    input  wire               s_axis_work_tuser,

    input  wire               s_axis_buffer_tvalid,
    output wire               s_axis_buffer_tready,
    input  wire       [A-1:0] s_axis_buffer_tid,
    input  wire         [7:0] s_axis_buffer_tdata,

    input  wire               s_axis_read_tvalid,
    output wire               s_axis_read_tready,
    input  wire   [WIDTH-1:0] s_axis_read_tdata,
    input  wire [WIDTH/8-1:0] s_axis_read_tkeep,
    input  wire               s_axis_read_tuser,
    input  wire               s_axis_read_tlast,

    input  wire               s_axis_bypass_tvalid,
    output wire               s_axis_bypass_tready,
    input  wire   [WIDTH-1:0] s_axis_bypass_tdata,
    input  wire [WIDTH/8-1:0] s_axis_bypass_tkeep,
    input  wire    [USER-1:0] s_axis_bypass_tuser,
    input  wire               s_axis_bypass_tlast,

    output wire               m_axis_bypass_tvalid,
    input  wire               m_axis_bypass_tready,
    output wire   [WIDTH-1:0] m_axis_bypass_tdata,
    output wire [WIDTH/8-1:0] m_axis_bypass_tkeep,
    output wire    [USER-1:0] m_axis_bypass_tuser,
    output wire               m_axis_bypass_tlast,

    output wire               m_axis_fetch_tvalid,
    input  wire               m_axis_fetch_tready,
    output wire       [A-1:0] m_axis_fetch_tid,
    output wire        [79:0] m_axis_fetch_tdata,

    output wire               m_axis_write_tvalid,
    input  wire               m_axis_write_tready,
    output wire       [A-1:0] m_axis_write_tid,
    output wire   [WIDTH-1:0] m_axis_write_tdata,
    output wire [WIDTH/8-1:0] m_axis_write_tkeep,
    output wire        [77:0] m_axis_write_tuser,
    output wire               m_axis_write_tlast,

    output wire               m_axis_received_tvalid,
    input  wire               m_axis_received_tready,
    output wire       [A-1:0] m_axis_received_tid,
    output wire        [55:0] m_axis_received_tdata,

    output wire               m_axis_sent_tvalid,
    input  wire               m_axis_sent_tready,
    output wire       [A-1:0] m_axis_sent_tid,
    output wire        [31:0] m_axis_sent_tdata,
    output wire         [2:0] m_axis_sent_tuser,

    output wire               m_axis_event_tvalid,
    input  wire               m_axis_event_tready,
    output wire       [A-1:0] m_axis_event_tid,
    output wire         [7:0] m_axis_event_tdata,
    output wire               irq                     // an event is offered
);

    // The same streams in the NIC's clock.
    wire               work_tvalid;
    wire               work_tready;
    wire       [A-1:0] work_tid;
    wire       [255:0] work_tdata;
    wire               work_tuser;
    wire               buffer_tvalid;
    wire               buffer_tready;
    wire       [A-1:0] buffer_tid;
    wire         [7:0] buffer_tdata;
    wire               read_tvalid;
    wire               read_tready;
    wire   [WIDTH-1:0] read_tdata;
    wire [WIDTH/8-1:0] read_tkeep;
    wire               read_tuser;
    wire               read_tlast;
    wire               bypass_in_tvalid;
    wire               bypass_in_tready;
    wire   [WIDTH-1:0] bypass_in_tdata;
    wire [WIDTH/8-1:0] bypass_in_tkeep;
    wire    [USER-1:0] bypass_in_tuser;
    wire               bypass_in_tlast;
    wire               bypass_out_tvalid;
    wire               bypass_out_tready;
    wire   [WIDTH-1:0] bypass_out_tdata;
    wire [WIDTH/8-1:0] bypass_out_tkeep;
    wire    [USER-1:0] bypass_out_tuser;
    wire               bypass_out_tlast;
    wire               fetch_tvalid;
    wire               fetch_tready;
    wire       [A-1:0] fetch_tid;
    wire        [79:0] fetch_tdata;
    wire               write_tvalid;
    wire               write_tready;
    wire       [A-1:0] write_tid;
    wire   [WIDTH-1:0] write_tdata;
    wire [WIDTH/8-1:0] write_tkeep;
    wire        [77:0] write_tuser;
    wire               write_tlast;
    wire               received_tvalid;
    wire               received_tready;
    wire       [A-1:0] received_tid;
    wire        [55:0] received_tdata;
    wire               sent_tvalid;
    wire               sent_tready;
    wire       [A-1:0] sent_tid;
    wire        [31:0] sent_tdata;
    wire         [2:0] sent_tuser;
    wire               event_tvalid;
    wire               event_tready;
    wire       [A-1:0] event_tid;
    wire         [7:0] event_tdata;
    wire        [15:0] awaddr;
    wire               awvalid;
    wire               awready;
    wire        [31:0] wdata;
    wire         [3:0] wstrb;
    wire               wvalid;
    wire               wready;
    wire         [1:0] bresp;
    wire               bvalid;
    wire               bready;
    wire        [15:0] araddr;
    wire               arvalid;
    wire               arready;
    wire        [31:0] rdata;
    wire         [1:0] rresp;
    wire               rvalid;
    wire               rready;
    wire               rx_tvalid;
    wire   [WIDTH-1:0] rx_tdata;
    wire [WIDTH/8-1:0] rx_tkeep;
    wire               rx_tlast;
    wire    [USER-1:0] rx_tuser;
    wire               tx_tvalid;
    wire               tx_tready;
    wire   [WIDTH-1:0] tx_tdata;
    wire [WIDTH/8-1:0] tx_tkeep;
    wire               tx_tlast;
    wire    [USER-1:0] tx_tuser;

    // 32 KiB at the MAC: the NIC's longest frame has half of it.
    localparam MAC_D = WIDTH >= 512 ? 9 : WIDTH >= 256 ? 10 : 11;
    localparam FRAME_BITS = USER + WIDTH / 8 + WIDTH;
    localparam WRITE_BITS = 2 + A + 78 + WIDTH / 8 + WIDTH;
    // What a cut frame ends with: a byte, and bad.
    localparam [FRAME_BITS-1:0] ONE = {{(FRAME_BITS-1){1'b0}}, 1'b1};
    localparam [FRAME_BITS-1:0] BAD = (ONE << WIDTH) | (ONE << (WIDTH + WIDTH / 8));

    wire core_rst;
    reg  host_resets = 1'b1;

    always @(posedge host_clk)
        host_resets <= host_rst;

    weft_reset_sync reset (.clk(core_clk), .from(host_resets), .rst(core_rst));

    // The MAC. What it sends is stored until a frame is whole.
    weft_mac_rx #(.WIDTH(WIDTH), .USER(USER), .D(MAC_D)) mac_rx (
        .s_clk(mac_rx_clk), .s_rst(mac_rx_rst),
        .s_axis_tvalid(mac_rx_tvalid), .s_axis_tdata(mac_rx_tdata), .s_axis_tkeep(mac_rx_tkeep),
        .s_axis_tlast(mac_rx_tlast), .s_axis_tuser(mac_rx_tuser), .dropped(mac_rx_dropped),
        .m_clk(core_clk), .m_rst(core_rst),
        .m_axis_tvalid(rx_tvalid), .m_axis_tready(1'b1), .m_axis_tdata(rx_tdata), .m_axis_tkeep(rx_tkeep),
        .m_axis_tlast(rx_tlast), .m_axis_tuser(rx_tuser)
    );

    // The counts of the queue to the host, and those that nobody reads.
    wire [5:0] happened_written, happened_taken;
    wire       rready_free, tells, tells_late, tells_ready, core_irq;
    wire [2:0] aw_written, aw_taken, w_written, w_taken, b_written, b_taken, ar_written, ar_taken, r_written, r_taken, event_written, event_taken;
    wire [4:0] work_written, work_taken, buffer_written, buffer_taken, fetch_written, fetch_taken;
    wire [5:0] read_written, read_taken, bypass_in_written, bypass_in_taken, bypass_out_written, bypass_out_taken;
    wire [MAC_D:0] mac_tx_written, mac_tx_taken;
    wire       aw_last, w_last, b_last, ar_last, r_last, work_last, buffer_last, fetch_last, happening_last, event_last;
    wire       unused = &{1'b0, aw_written, aw_taken, w_written, w_taken, b_written, b_taken, ar_written, ar_taken, r_written, r_taken, work_written, work_taken, buffer_written, buffer_taken, fetch_written, fetch_taken, read_written, read_taken, bypass_in_written, bypass_in_taken, bypass_out_written, bypass_out_taken, mac_tx_written, mac_tx_taken, aw_last, w_last, b_last, ar_last, r_last, work_last, buffer_last, fetch_last, happening_last, event_last, s_axil_awprot, s_axil_arprot, tells_late, core_irq, 1'b0};

    weft_async_fifo #(.W(FRAME_BITS), .D(MAC_D), .FRAME(1), .ABORT(BAD), .RAM_STYLE("block")) mac_tx (
        .s_clk(core_clk), .s_rst(core_rst), .s_axis_tvalid(tx_tvalid), .s_axis_tready(tx_tready),
        .s_axis_tdata({tx_tuser, tx_tkeep, tx_tdata}), .s_axis_tlast(tx_tlast),
        .s_written(mac_tx_written), .s_taken(mac_tx_taken),
        .m_clk(mac_tx_clk), .m_rst(mac_tx_rst), .m_axis_tvalid(mac_tx_tvalid), .m_axis_tready(mac_tx_tready),
        .m_axis_tdata({mac_tx_tuser, mac_tx_tkeep, mac_tx_tdata}), .m_axis_tlast(mac_tx_tlast)
    );

    // Registers.
    weft_async_fifo #(.W(16), .D(2)) aw (
        .s_clk(host_clk), .s_rst(host_rst), .s_axis_tvalid(s_axil_awvalid), .s_axis_tready(s_axil_awready),
        .s_axis_tdata(s_axil_awaddr), .s_axis_tlast(1'b1),
        .s_written(aw_written), .s_taken(aw_taken),
        .m_clk(core_clk), .m_rst(core_rst), .m_axis_tvalid(awvalid), .m_axis_tready(awready),
        .m_axis_tdata(awaddr), .m_axis_tlast(aw_last)
    );

    weft_async_fifo #(.W(36), .D(2)) w (
        .s_clk(host_clk), .s_rst(host_rst), .s_axis_tvalid(s_axil_wvalid), .s_axis_tready(s_axil_wready),
        .s_axis_tdata({s_axil_wstrb, s_axil_wdata}), .s_axis_tlast(1'b1),
        .s_written(w_written), .s_taken(w_taken),
        .m_clk(core_clk), .m_rst(core_rst), .m_axis_tvalid(wvalid), .m_axis_tready(wready),
        .m_axis_tdata({wstrb, wdata}), .m_axis_tlast(w_last)
    );

    weft_async_fifo #(.W(2), .D(2)) b (
        .s_clk(core_clk), .s_rst(core_rst), .s_axis_tvalid(bvalid), .s_axis_tready(bready),
        .s_axis_tdata(bresp), .s_axis_tlast(1'b1),
        .s_written(b_written), .s_taken(b_taken),
        .m_clk(host_clk), .m_rst(host_rst), .m_axis_tvalid(s_axil_bvalid), .m_axis_tready(s_axil_bready),
        .m_axis_tdata(s_axil_bresp), .m_axis_tlast(b_last)
    );

    weft_async_fifo #(.W(16), .D(2)) ar (
        .s_clk(host_clk), .s_rst(host_rst), .s_axis_tvalid(s_axil_arvalid), .s_axis_tready(s_axil_arready),
        .s_axis_tdata(s_axil_araddr), .s_axis_tlast(1'b1),
        .s_written(ar_written), .s_taken(ar_taken),
        .m_clk(core_clk), .m_rst(core_rst), .m_axis_tvalid(arvalid), .m_axis_tready(arready),
        .m_axis_tdata(araddr), .m_axis_tlast(ar_last)
    );

    // COMMAND says that nothing of a connection is left: nothing is left in the queues to the host either, of payload
    // and completions and of events. What the NIC had handed over when a command had ended is waited for once, however
    // often COMMAND is read meanwhile.
    localparam [13:0] COMMAND = 14'h030;
    reg  reads_command, writes_command;
    wire answers, data_gone, data_late, events_gone, events_late;
    wire answer_waits = reads_command & !rdata[31];
    wire answer_late  = data_late | events_late;

    always @(posedge core_clk) begin
        if (arvalid & arready)
            reads_command <= araddr[15:2] == COMMAND;
        if (awvalid & awready)
            writes_command <= awaddr[15:2] == COMMAND;
    end

    weft_cdc_fence #(.D(5), .PATIENCE(8)) answer_fence (
        .clk(core_clk), .rst(core_rst), .written(happened_written), .taken(happened_taken), .counted(1'b1),
        .anew(bvalid & writes_command), .keeps(events_late),
        .s_valid(rvalid), .s_waits(answer_waits), .m_valid(data_gone), .m_late(data_late), .m_ready(rready_free & events_gone)
    );

    weft_cdc_fence #(.D(2), .PATIENCE(8)) told_fence (
        .clk(core_clk), .rst(core_rst), .written(event_written), .taken(event_taken), .counted(1'b1),
        .anew(bvalid & writes_command), .keeps(data_late),
        .s_valid(rvalid), .s_waits(answer_waits), .m_valid(events_gone), .m_late(events_late), .m_ready(rready_free & data_gone)
    );

    assign answers = data_gone & events_gone;
    assign rready = answers & rready_free;

    weft_async_fifo #(.W(34), .D(2)) r (
        .s_clk(core_clk), .s_rst(core_rst), .s_axis_tvalid(answers), .s_axis_tready(rready_free),
        .s_axis_tdata({rresp, rdata[31] | answer_late, rdata[30:0]}), .s_axis_tlast(1'b1),
        .s_written(r_written), .s_taken(r_taken),
        .m_clk(host_clk), .m_rst(host_rst), .m_axis_tvalid(s_axil_rvalid), .m_axis_tready(s_axil_rready),
        .m_axis_tdata({s_axil_rresp, s_axil_rdata}), .m_axis_tlast(r_last)
    );

    // What the host asks for and gives.
    weft_async_fifo #(.W(A + 257), .D(4)) work (
        .s_clk(host_clk), .s_rst(host_rst), .s_axis_tvalid(s_axis_work_tvalid), .s_axis_tready(s_axis_work_tready),
        .s_axis_tdata({s_axis_work_tid, s_axis_work_tuser, s_axis_work_tdata}), .s_axis_tlast(1'b1),
        .s_written(work_written), .s_taken(work_taken),
        .m_clk(core_clk), .m_rst(core_rst), .m_axis_tvalid(work_tvalid), .m_axis_tready(work_tready),
        .m_axis_tdata({work_tid, work_tuser, work_tdata}), .m_axis_tlast(work_last)
    );

    weft_async_fifo #(.W(A + 8), .D(4)) buffer (
        .s_clk(host_clk), .s_rst(host_rst), .s_axis_tvalid(s_axis_buffer_tvalid), .s_axis_tready(s_axis_buffer_tready),
        .s_axis_tdata({s_axis_buffer_tid, s_axis_buffer_tdata}), .s_axis_tlast(1'b1),
        .s_written(buffer_written), .s_taken(buffer_taken),
        .m_clk(core_clk), .m_rst(core_rst), .m_axis_tvalid(buffer_tvalid), .m_axis_tready(buffer_tready),
        .m_axis_tdata({buffer_tid, buffer_tdata}), .m_axis_tlast(buffer_last)
    );

    weft_async_fifo #(.W(1 + WIDTH / 8 + WIDTH), .D(5)) read (
        .s_clk(host_clk), .s_rst(host_rst), .s_axis_tvalid(s_axis_read_tvalid), .s_axis_tready(s_axis_read_tready),
        .s_axis_tdata({s_axis_read_tuser, s_axis_read_tkeep, s_axis_read_tdata}), .s_axis_tlast(s_axis_read_tlast),
        .s_written(read_written), .s_taken(read_taken),
        .m_clk(core_clk), .m_rst(core_rst), .m_axis_tvalid(read_tvalid), .m_axis_tready(read_tready),
        .m_axis_tdata({read_tuser, read_tkeep, read_tdata}), .m_axis_tlast(read_tlast)
    );

    weft_async_fifo #(.W(FRAME_BITS), .D(5), .ABORT(BAD)) bypass_in (
        .s_clk(host_clk), .s_rst(host_rst), .s_axis_tvalid(s_axis_bypass_tvalid), .s_axis_tready(s_axis_bypass_tready),
        .s_axis_tdata({s_axis_bypass_tuser, s_axis_bypass_tkeep, s_axis_bypass_tdata}), .s_axis_tlast(s_axis_bypass_tlast),
        .s_written(bypass_in_written), .s_taken(bypass_in_taken),
        .m_clk(core_clk), .m_rst(core_rst), .m_axis_tvalid(bypass_in_tvalid), .m_axis_tready(bypass_in_tready),
        .m_axis_tdata({bypass_in_tuser, bypass_in_tkeep, bypass_in_tdata}), .m_axis_tlast(bypass_in_tlast)
    );

    // What the host is asked for and told.
    weft_async_fifo #(.W(FRAME_BITS), .D(5), .ABORT(BAD)) bypass_out (
        .s_clk(core_clk), .s_rst(core_rst), .s_axis_tvalid(bypass_out_tvalid), .s_axis_tready(bypass_out_tready),
        .s_axis_tdata({bypass_out_tuser, bypass_out_tkeep, bypass_out_tdata}), .s_axis_tlast(bypass_out_tlast),
        .s_written(bypass_out_written), .s_taken(bypass_out_taken),
        .m_clk(host_clk), .m_rst(host_rst), .m_axis_tvalid(m_axis_bypass_tvalid), .m_axis_tready(m_axis_bypass_tready),
        .m_axis_tdata({m_axis_bypass_tuser, m_axis_bypass_tkeep, m_axis_bypass_tdata}), .m_axis_tlast(m_axis_bypass_tlast)
    );

    weft_async_fifo #(.W(A + 80), .D(4)) fetch (
        .s_clk(core_clk), .s_rst(core_rst), .s_axis_tvalid(fetch_tvalid), .s_axis_tready(fetch_tready),
        .s_axis_tdata({fetch_tid, fetch_tdata}), .s_axis_tlast(1'b1),
        .s_written(fetch_written), .s_taken(fetch_taken),
        .m_clk(host_clk), .m_rst(host_rst), .m_axis_tvalid(m_axis_fetch_tvalid), .m_axis_tready(m_axis_fetch_tready),
        .m_axis_tdata({m_axis_fetch_tid, m_axis_fetch_tdata}), .m_axis_tlast(fetch_last)
    );

    // Payload and completions pass one queue, so that none overtakes another.
    localparam [1:0] WRITE = 2'd0, RECEIVED = 2'd1, SENT = 2'd2;
    wire                  happens_ready, happened_valid, happened_ready;
    wire [WRITE_BITS-1:0] happens, happened;
    wire            [1:0] kind = happened[WRITE_BITS-1-:2];

    assign sent_tready = happens_ready;
    assign received_tready = happens_ready & !sent_tvalid;
    assign write_tready = happens_ready & !sent_tvalid & !received_tvalid;
    assign happens =
        sent_tvalid ? {SENT, sent_tid, {(WRITE_BITS-2-A-35){1'b0}}, sent_tuser, sent_tdata} :
        received_tvalid ? {RECEIVED, received_tid, {(WRITE_BITS-2-A-56){1'b0}}, received_tdata} :
        {WRITE, write_tid, write_tuser, write_tkeep, write_tdata};

    weft_async_fifo #(.W(1 + WRITE_BITS), .D(5)) happening (
        .s_clk(core_clk), .s_rst(core_rst), .s_axis_tvalid(sent_tvalid | received_tvalid | write_tvalid), .s_axis_tready(happens_ready),
        .s_axis_tdata({write_tlast, happens}), .s_axis_tlast(1'b1),
        .s_written(happened_written), .s_taken(happened_taken),
        .m_clk(host_clk), .m_rst(host_rst), .m_axis_tvalid(happened_valid), .m_axis_tready(happened_ready),
        .m_axis_tdata({m_axis_write_tlast, happened}), .m_axis_tlast(happening_last)
    );

    assign m_axis_write_tvalid = happened_valid & (kind == WRITE);
    assign m_axis_received_tvalid = happened_valid & (kind == RECEIVED);
    assign m_axis_sent_tvalid = happened_valid & (kind == SENT);
    assign happened_ready =
        kind == SENT ? m_axis_sent_tready :
        kind == RECEIVED ? m_axis_received_tready : m_axis_write_tready;
    assign {m_axis_write_tid, m_axis_write_tuser, m_axis_write_tkeep, m_axis_write_tdata} = happened[WRITE_BITS-3:0];
    assign m_axis_received_tid = m_axis_write_tid;
    assign m_axis_received_tdata = happened[55:0];
    assign m_axis_sent_tid = m_axis_write_tid;
    assign {m_axis_sent_tuser, m_axis_sent_tdata} = happened[34:0];

    // An event tells what the completions before it led to. Only COMMAND waits for it.
    weft_cdc_fence #(.D(5)) event_fence (
        .clk(core_clk), .rst(core_rst), .written(happened_written), .taken(happened_taken), .counted(1'b1), .anew(1'b0), .keeps(1'b0),
        .s_valid(event_tvalid), .s_waits(1'b1), .m_valid(tells), .m_late(tells_late), .m_ready(tells_ready)
    );

    assign event_tready = tells & tells_ready;
    assign irq = m_axis_event_tvalid;

    weft_async_fifo #(.W(A + 8), .D(2)) event_queue (
        .s_clk(core_clk), .s_rst(core_rst), .s_axis_tvalid(tells), .s_axis_tready(tells_ready),
        .s_axis_tdata({event_tid, event_tdata}), .s_axis_tlast(1'b1),
        .s_written(event_written), .s_taken(event_taken),
        .m_clk(host_clk), .m_rst(host_rst), .m_axis_tvalid(m_axis_event_tvalid), .m_axis_tready(m_axis_event_tready),
        .m_axis_tdata({m_axis_event_tid, m_axis_event_tdata}), .m_axis_tlast(event_last)
    );

    weft_nic #(.LARGE_RAM(LARGE_RAM), .FACTOR_BITS(FACTOR_BITS)) nic (
        .clk(core_clk),
        .rst(core_rst),
        .s_axil_awaddr(awaddr),
        .s_axil_awprot(3'b000),
        .s_axil_awvalid(awvalid),
        .s_axil_awready(awready),
        .s_axil_wdata(wdata),
        .s_axil_wstrb(wstrb),
        .s_axil_wvalid(wvalid),
        .s_axil_wready(wready),
        .s_axil_bresp(bresp),
        .s_axil_bvalid(bvalid),
        .s_axil_bready(bready),
        .s_axil_araddr(araddr),
        .s_axil_arprot(3'b000),
        .s_axil_arvalid(arvalid),
        .s_axil_arready(arready),
        .s_axil_rdata(rdata),
        .s_axil_rresp(rresp),
        .s_axil_rvalid(rvalid),
        .s_axil_rready(rready),
        .s_axis_net_tvalid(rx_tvalid),
        .s_axis_net_tdata(rx_tdata),
        .s_axis_net_tkeep(rx_tkeep),
        .s_axis_net_tlast(rx_tlast),
        .s_axis_net_tuser(rx_tuser),
        .m_axis_net_tvalid(tx_tvalid),
        .m_axis_net_tready(tx_tready),
        .m_axis_net_tdata(tx_tdata),
        .m_axis_net_tkeep(tx_tkeep),
        .m_axis_net_tlast(tx_tlast),
        .m_axis_net_tuser(tx_tuser),
        .s_axis_work_tvalid(work_tvalid),
        .s_axis_work_tready(work_tready),
        .s_axis_work_tid(work_tid),
        .s_axis_work_tdata(work_tdata),
        .s_axis_work_tuser(work_tuser),
        .s_axis_buffer_tvalid(buffer_tvalid),
        .s_axis_buffer_tready(buffer_tready),
        .s_axis_buffer_tid(buffer_tid),
        .s_axis_buffer_tdata(buffer_tdata),
        .s_axis_read_tvalid(read_tvalid),
        .s_axis_read_tready(read_tready),
        .s_axis_read_tdata(read_tdata),
        .s_axis_read_tkeep(read_tkeep),
        .s_axis_read_tuser(read_tuser),
        .s_axis_read_tlast(read_tlast),
        .s_axis_bypass_tvalid(bypass_in_tvalid),
        .s_axis_bypass_tready(bypass_in_tready),
        .s_axis_bypass_tdata(bypass_in_tdata),
        .s_axis_bypass_tkeep(bypass_in_tkeep),
        .s_axis_bypass_tuser(bypass_in_tuser),
        .s_axis_bypass_tlast(bypass_in_tlast),
        .m_axis_bypass_tvalid(bypass_out_tvalid),
        .m_axis_bypass_tready(bypass_out_tready),
        .m_axis_bypass_tdata(bypass_out_tdata),
        .m_axis_bypass_tkeep(bypass_out_tkeep),
        .m_axis_bypass_tuser(bypass_out_tuser),
        .m_axis_bypass_tlast(bypass_out_tlast),
        .m_axis_fetch_tvalid(fetch_tvalid),
        .m_axis_fetch_tready(fetch_tready),
        .m_axis_fetch_tid(fetch_tid),
        .m_axis_fetch_tdata(fetch_tdata),
        .m_axis_write_tvalid(write_tvalid),
        .m_axis_write_tready(write_tready),
        .m_axis_write_tid(write_tid),
        .m_axis_write_tdata(write_tdata),
        .m_axis_write_tkeep(write_tkeep),
        .m_axis_write_tuser(write_tuser),
        .m_axis_write_tlast(write_tlast),
        .m_axis_received_tvalid(received_tvalid),
        .m_axis_received_tready(received_tready),
        .m_axis_received_tid(received_tid),
        .m_axis_received_tdata(received_tdata),
        .m_axis_sent_tvalid(sent_tvalid),
        .m_axis_sent_tready(sent_tready),
        .m_axis_sent_tid(sent_tid),
        .m_axis_sent_tdata(sent_tdata),
        .m_axis_sent_tuser(sent_tuser),
        .m_axis_event_tvalid(event_tvalid),
        .m_axis_event_tready(event_tready),
        .m_axis_event_tid(event_tid),
        .m_axis_event_tdata(event_tdata),
        .irq(core_irq)
    );

endmodule

`default_nettype wire
