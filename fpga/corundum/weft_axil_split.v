// SPDX-License-Identifier: MIT OR Apache-2.0
//
// One AXI4-Lite window into two of 64 KiB: bit 16 of the address chooses. What
// is above is answered with SLVERR. One write and one read at a time. A read sees
// what was written before it, whether or not the answer was waited for.

`default_nettype none

module weft_axil_split #(
    parameter ADDR_WIDTH = 24 // bits of an address, 18 at least
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire [ADDR_WIDTH-1:0] s_axil_awaddr,
    input  wire                  s_axil_awvalid,
    output wire                  s_axil_awready,
    input  wire [31:0]           s_axil_wdata,
    input  wire [3:0]            s_axil_wstrb,
    input  wire                  s_axil_wvalid,
    output wire                  s_axil_wready,
    output reg  [1:0]            s_axil_bresp,
    output reg                   s_axil_bvalid,
    input  wire                  s_axil_bready,
    input  wire [ADDR_WIDTH-1:0] s_axil_araddr,
    input  wire                  s_axil_arvalid,
    output wire                  s_axil_arready,
    output reg  [31:0]           s_axil_rdata,
    output reg  [1:0]            s_axil_rresp,
    output reg                   s_axil_rvalid,
    input  wire                  s_axil_rready,

    // Both windows: address and data are shared, bit 0 of the others is the low window.
    output reg  [15:0]           m_axil_awaddr,
    output reg  [1:0]            m_axil_awvalid,
    input  wire [1:0]            m_axil_awready,
    output reg  [31:0]           m_axil_wdata,
    output reg  [3:0]            m_axil_wstrb,
    output reg  [1:0]            m_axil_wvalid,
    input  wire [1:0]            m_axil_wready,
    input  wire [3:0]            m_axil_bresp,
    input  wire [1:0]            m_axil_bvalid,
    output wire [1:0]            m_axil_bready,
    output reg  [15:0]           m_axil_araddr,
    output reg  [1:0]            m_axil_arvalid,
    input  wire [1:0]            m_axil_arready,
    input  wire [63:0]           m_axil_rdata,
    input  wire [3:0]            m_axil_rresp,
    input  wire [1:0]            m_axil_rvalid,
    output wire [1:0]            m_axil_rready
);

    localparam NOBODY = 2'b00, LOW = 2'b01, HIGH = 2'b10;

    // Writes: address and data are taken apart from each other, then handed on.
    reg        has_address, has_value, write_waits;
    reg  [1:0] write_to;
    wire       writes = has_address && has_value && !write_waits && !s_axil_bvalid;

    assign s_axil_awready = !has_address;
    assign s_axil_wready  = !has_value;
    assign m_axil_bready  = {2{write_waits}};

    always @(posedge clk) begin
        if (s_axil_awvalid && !has_address) begin
            has_address   <= 1'b1;
            m_axil_awaddr <= s_axil_awaddr[15:0];
            write_to      <= |s_axil_awaddr[ADDR_WIDTH-1:17] ? NOBODY : s_axil_awaddr[16] ? HIGH : LOW;
        end
        if (s_axil_wvalid && !has_value) begin
            has_value    <= 1'b1;
            m_axil_wdata <= s_axil_wdata;
            m_axil_wstrb <= s_axil_wstrb;
        end
        m_axil_awvalid <= m_axil_awvalid & ~m_axil_awready;
        m_axil_wvalid  <= m_axil_wvalid & ~m_axil_wready;
        if (s_axil_bready)
            s_axil_bvalid <= 1'b0;
        if (writes) begin
            m_axil_awvalid <= write_to;
            m_axil_wvalid  <= write_to;
            write_waits    <= write_to != NOBODY;
            s_axil_bvalid  <= write_to == NOBODY;
            s_axil_bresp   <= 2'd2;
        end
        if (write_waits && (m_axil_bvalid & write_to) != 2'd0) begin
            write_waits   <= 1'b0;
            s_axil_bvalid <= 1'b1;
            s_axil_bresp  <= write_to[1] ? m_axil_bresp[3:2] : m_axil_bresp[1:0];
        end
        if (s_axil_bvalid && s_axil_bready) begin
            has_address <= 1'b0;
            has_value   <= 1'b0;
        end
        if (rst) begin
            has_address    <= 1'b0;
            has_value      <= 1'b0;
            write_waits    <= 1'b0;
            m_axil_awvalid <= NOBODY;
            m_axil_wvalid  <= NOBODY;
            s_axil_bvalid  <= 1'b0;
        end
    end

    // Reads: behind a write that was taken whole and is not answered yet. The next write is taken after that answer, so a
    // read waits for one write at most.
    reg        has_read, read_waits;
    reg  [1:0] read_from;
    wire       is_written = has_address && has_value && !s_axil_bvalid;
    wire       reads = has_read && !read_waits && !s_axil_rvalid && !is_written;

    assign s_axil_arready = !has_read;
    assign m_axil_rready  = {2{read_waits}};

    always @(posedge clk) begin
        if (s_axil_arvalid && !has_read) begin
            has_read      <= 1'b1;
            m_axil_araddr <= s_axil_araddr[15:0];
            read_from     <= |s_axil_araddr[ADDR_WIDTH-1:17] ? NOBODY : s_axil_araddr[16] ? HIGH : LOW;
        end
        m_axil_arvalid <= m_axil_arvalid & ~m_axil_arready;
        if (reads) begin
            m_axil_arvalid <= read_from;
            read_waits     <= read_from != NOBODY;
            s_axil_rvalid  <= read_from == NOBODY;
            s_axil_rresp   <= 2'd2;
            s_axil_rdata   <= 32'd0;
        end
        if (read_waits && (m_axil_rvalid & read_from) != 2'd0) begin
            read_waits    <= 1'b0;
            s_axil_rvalid <= 1'b1;
            s_axil_rresp  <= read_from[1] ? m_axil_rresp[3:2] : m_axil_rresp[1:0];
            s_axil_rdata  <= read_from[1] ? m_axil_rdata[63:32] : m_axil_rdata[31:0];
        end
        if (s_axil_rvalid && s_axil_rready) begin
            s_axil_rvalid <= 1'b0;
            has_read      <= 1'b0;
        end
        if (rst) begin
            has_read       <= 1'b0;
            read_waits     <= 1'b0;
            m_axil_arvalid <= NOBODY;
            s_axil_rvalid  <= 1'b0;
        end
    end

endmodule

`default_nettype wire
