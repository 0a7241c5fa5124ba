// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What stands for weft_nic in the bench of weft_nic_cdc: it gives back what it
// gets. Work comes back as a completion and as a fetch, read data as write data
// and, behind each packet, a received message; frames come back, and what is said
// of buffers comes back as events. Messages and events tell how many words had been
// handed to the host before; COMMAND, which is busy for a while after a write, how
// many, and how many events, when it ended. Simulation only.

`default_nettype none

module weft_nic #(
    parameter LARGE_RAM = "block", // has none
    parameter FACTOR_BITS = 0      // has no products
) (
    input  wire         clk,
    input  wire         rst,
    input  wire  [15:0] s_axil_awaddr,
    input  wire   [2:0] s_axil_awprot,
    input  wire         s_axil_awvalid,
    output wire         s_axil_awready,
    input  wire  [31:0] s_axil_wdata,
    input  wire   [3:0] s_axil_wstrb,
    input  wire         s_axil_wvalid,
    output wire         s_axil_wready,
    output wire   [1:0] s_axil_bresp,
    output wire         s_axil_bvalid,
    input  wire         s_axil_bready,
    input  wire  [15:0] s_axil_araddr,
    input  wire   [2:0] s_axil_arprot,
    input  wire         s_axil_arvalid,
    output wire         s_axil_arready,
    output wire  [31:0] s_axil_rdata,
    output wire   [1:0] s_axil_rresp,
    output wire         s_axil_rvalid,
    input  wire         s_axil_rready,
    input  wire         s_axis_net_tvalid,
    input  wire [511:0] s_axis_net_tdata,
    input  wire  [63:0] s_axis_net_tkeep,
    input  wire         s_axis_net_tlast,
    input  wire         s_axis_net_tuser,
    output wire         m_axis_net_tvalid,
    input  wire         m_axis_net_tready,
    output wire [511:0] m_axis_net_tdata,
    output wire  [63:0] m_axis_net_tkeep,
    output wire         m_axis_net_tlast,
    output wire         m_axis_net_tuser,
    input  wire         s_axis_bypass_tvalid,
    output wire         s_axis_bypass_tready,
    input  wire [511:0] s_axis_bypass_tdata,
    input  wire  [63:0] s_axis_bypass_tkeep,
    input  wire         s_axis_bypass_tlast,
    input  wire         s_axis_bypass_tuser,
    output wire         m_axis_bypass_tvalid,
    input  wire         m_axis_bypass_tready,
    output wire [511:0] m_axis_bypass_tdata,
    output wire  [63:0] m_axis_bypass_tkeep,
    output wire         m_axis_bypass_tlast,
    output wire         m_axis_bypass_tuser,
    input  wire         s_axis_work_tvalid,
    output wire         s_axis_work_tready,
    input  wire   [7:0] s_axis_work_tid,
    input  wire [255:0] s_axis_work_tdata,
    input  wire         s_axis_work_tuser,
    output wire         m_axis_fetch_tvalid,
    input  wire         m_axis_fetch_tready,
    output wire   [7:0] m_axis_fetch_tid,
    output wire  [79:0] m_axis_fetch_tdata,
    input  wire         s_axis_read_tvalid,
    output wire         s_axis_read_tready,
    input  wire [511:0] s_axis_read_tdata,
    input  wire  [63:0] s_axis_read_tkeep,
    input  wire         s_axis_read_tlast,
    input  wire         s_axis_read_tuser,
    output wire         m_axis_write_tvalid,
    input  wire         m_axis_write_tready,
    output wire   [7:0] m_axis_write_tid,
    output wire [511:0] m_axis_write_tdata,
    output wire  [63:0] m_axis_write_tkeep,
    output wire         m_axis_write_tlast,
    output wire  [77:0] m_axis_write_tuser,
    output wire         m_axis_received_tvalid,
    input  wire         m_axis_received_tready,
    output wire   [7:0] m_axis_received_tid,
    output wire  [55:0] m_axis_received_tdata,
    output wire         m_axis_sent_tvalid,
    input  wire         m_axis_sent_tready,
    output wire   [7:0] m_axis_sent_tid,
    output wire  [31:0] m_axis_sent_tdata,
    output wire   [2:0] m_axis_sent_tuser,
    input  wire         s_axis_buffer_tvalid,
    output wire         s_axis_buffer_tready,
    input  wire   [7:0] s_axis_buffer_tid,
    input  wire   [7:0] s_axis_buffer_tdata,
    output wire         m_axis_event_tvalid,
    input  wire         m_axis_event_tready,
    output wire   [7:0] m_axis_event_tid,
    output wire   [7:0] m_axis_event_tdata,
    output wire         irq
);

    // Words handed over: write data, and all that the host has to see in order.
    reg [31:0] written = 0;
    reg [31:0] happened = 0;
    wire       writes = m_axis_write_tvalid & m_axis_write_tready;
    wire       receives = m_axis_received_tvalid & m_axis_received_tready;
    wire       sends = m_axis_sent_tvalid & m_axis_sent_tready;

    always @(posedge clk) begin
        written  <= written + writes;
        happened <= happened + writes + receives + sends;
    end

    // Read data: a word is held until it is written, and a message behind the last.
    reg         full = 0, message = 0, last, user;
    reg [511:0] word;
    reg  [63:0] keep;
    reg   [7:0] packets = 0;

    assign s_axis_read_tready = !full & !message;
    assign m_axis_write_tvalid = full;
    assign m_axis_write_tid = packets;
    assign m_axis_write_tdata = word;
    assign m_axis_write_tkeep = keep;
    assign m_axis_write_tlast = last;
    assign m_axis_write_tuser = {packets[5:0], user, word[70:0]};
    assign m_axis_received_tvalid = message;
    assign m_axis_received_tid = packets;
    assign m_axis_received_tdata = {24'h5A5A5A, written};

    always @(posedge clk) begin
        if (s_axis_read_tvalid & s_axis_read_tready) begin
            {word, keep, last, user} <= {s_axis_read_tdata, s_axis_read_tkeep, s_axis_read_tlast, s_axis_read_tuser};
            full <= 1;
        end
        if (writes) begin
            full    <= 0;
            message <= last;
        end
        if (receives) begin
            message <= 0;
            packets <= packets + 1;
        end
        if (rst) begin
            full    <= 0;
            message <= 0;
        end
    end

    // Work: both of what it leads to have to be taken.
    reg         owed = 0, asked = 0, immediate;
    reg   [7:0] connection;
    reg [255:0] work;

    assign s_axis_work_tready = !owed & !asked;
    assign m_axis_sent_tvalid = owed;
    assign m_axis_sent_tid = connection;
    assign m_axis_sent_tdata = work[255:224];
    assign m_axis_sent_tuser = {immediate, work[1:0]};
    assign m_axis_fetch_tvalid = asked;
    assign m_axis_fetch_tid = ~connection;
    assign m_axis_fetch_tdata = work[199:120];

    always @(posedge clk) begin
        if (s_axis_work_tvalid & s_axis_work_tready) begin
            {connection, immediate, work} <= {s_axis_work_tid, s_axis_work_tuser, s_axis_work_tdata};
            {owed, asked} <= 2'b11;
        end
        if (sends) owed <= 0;
        if (m_axis_fetch_tvalid & m_axis_fetch_tready) asked <= 0;
        if (rst) {owed, asked} <= 2'b00;
    end

    // Frames.
    assign m_axis_net_tvalid = s_axis_net_tvalid;
    assign m_axis_net_tdata = ~s_axis_net_tdata;
    assign m_axis_net_tkeep = s_axis_net_tkeep;
    assign m_axis_net_tlast = s_axis_net_tlast;
    assign m_axis_net_tuser = s_axis_net_tuser;
    assign m_axis_bypass_tvalid = s_axis_bypass_tvalid;
    assign s_axis_bypass_tready = m_axis_bypass_tready;
    assign m_axis_bypass_tdata = {s_axis_bypass_tdata[255:0], s_axis_bypass_tdata[511:256]};
    assign m_axis_bypass_tkeep = s_axis_bypass_tkeep;
    assign m_axis_bypass_tlast = s_axis_bypass_tlast;
    assign m_axis_bypass_tuser = s_axis_bypass_tuser;

    // Buffers: an event behind each, with what had happened.
    reg       tells = 0;
    reg [7:0] told, of;

    assign s_axis_buffer_tready = !tells;
    assign m_axis_event_tvalid = tells;
    assign m_axis_event_tid = of ^ told;
    assign m_axis_event_tdata = told;
    assign irq = tells;

    always @(posedge clk) begin
        if (s_axis_buffer_tvalid & s_axis_buffer_tready) begin
            tells <= 1;
            of    <= s_axis_buffer_tid ^ s_axis_buffer_tdata;
            told  <= happened[7:0];
        end
        if (m_axis_event_tvalid & m_axis_event_tready) tells <= 0;
        if (rst) tells <= 0;
    end

    // Registers: one access at a time.
    reg         answers = 0, wrote = 0;
    reg   [7:0] lasts = 0; // clocks that COMMAND is busy
    reg  [31:0] ended = 0;
    reg   [6:0] events = 0, events_then = 0; // handed over, in all and when COMMAND ended
    reg  [31:0] kept = 0;
    reg  [31:0] answer;

    assign s_axil_awready = s_axil_awvalid & s_axil_wvalid & !wrote;
    assign s_axil_wready = s_axil_awready;
    assign s_axil_bvalid = wrote;
    assign s_axil_bresp = kept[1:0];
    assign s_axil_arready = !answers;
    assign s_axil_rvalid = answers;
    assign s_axil_rdata = answer;
    assign s_axil_rresp = answer[1:0];

    always @(posedge clk) begin
        if (lasts != 0) lasts <= lasts - 1;
        if (m_axis_event_tvalid & m_axis_event_tready) events <= events + 1;
        if (lasts == 1) {ended, events_then} <= {written, events};
        if (s_axil_awready & s_axil_awvalid) begin
            kept  <= s_axil_wdata ^ {s_axil_awaddr, 12'd0, s_axil_wstrb};
            wrote <= 1;
            if (s_axil_awaddr == 16'h0C0) lasts <= 1 + s_axil_wdata[6:0];
        end
        if (s_axil_bvalid & s_axil_bready) wrote <= 0;
        if (s_axil_arvalid & s_axil_arready) begin
            answer  <= s_axil_araddr == 16'h0C0 ? {lasts != 0, events_then, ended[23:0]} : {16'd0, s_axil_araddr};
            answers <= 1;
        end
        if (s_axil_rvalid & s_axil_rready) answers <= 0;
        if (rst) begin
            {answers, wrote} <= 2'b00;
            lasts <= 0;
        end
    end

endmodule

`default_nettype wire
