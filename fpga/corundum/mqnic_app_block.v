// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Corundum's application block with weft_nic in it: the shell's names and
// widths on the outside, weft_app inside, the NIC's own frames passed on.
//
// Names of parameters and ports are those that mqnic_core connects in Corundum
// 1ca0151b. weft_nic sits at port 0; other ports, the direct and the interface
// streams pass. Memories, PTP, statistics and GPIO are not used. What the
// parameters must be stands in docs/corundum.md.

`default_nettype none

// mqnic_core sets every parameter of the template, whether it matters here or not.
/* verilator lint_off UNUSEDPARAM */
module mqnic_app_block #(
    // The shell's structure.
    parameter IF_COUNT = 1,
    parameter PORTS_PER_IF = 1,
    parameter SCHED_PER_IF = PORTS_PER_IF,
    parameter PORT_COUNT = IF_COUNT*PORTS_PER_IF,
    // Clocks and time.
    parameter CLK_PERIOD_NS_NUM = 4,
    parameter CLK_PERIOD_NS_DENOM = 1,
    parameter PTP_CLK_PERIOD_NS_NUM = 4,
    parameter PTP_CLK_PERIOD_NS_DENOM = 1,
    parameter PTP_TS_WIDTH = 96,
    parameter PTP_PORT_CDC_PIPELINE = 0,
    parameter PTP_PEROUT_ENABLE = 0,
    parameter PTP_PEROUT_COUNT = 1,
    parameter PTP_TS_ENABLE = 0, // 1 with a weft_nic that was emitted with --bypass-user 97
    // Frames.
    parameter TX_TAG_WIDTH = 16,
    parameter MAX_TX_SIZE = 9214,
    parameter MAX_RX_SIZE = 9214,
    // Memories of the board: not used.
    parameter DDR_CH = 1, DDR_ENABLE = 0, DDR_GROUP_SIZE = 1,
    parameter AXI_DDR_DATA_WIDTH = 256, AXI_DDR_ADDR_WIDTH = 32, AXI_DDR_STRB_WIDTH = AXI_DDR_DATA_WIDTH/8, AXI_DDR_ID_WIDTH = 8,
    parameter AXI_DDR_AWUSER_ENABLE = 0, AXI_DDR_AWUSER_WIDTH = 1,
    parameter AXI_DDR_WUSER_ENABLE = 0, AXI_DDR_WUSER_WIDTH = 1,
    parameter AXI_DDR_BUSER_ENABLE = 0, AXI_DDR_BUSER_WIDTH = 1,
    parameter AXI_DDR_ARUSER_ENABLE = 0, AXI_DDR_ARUSER_WIDTH = 1,
    parameter AXI_DDR_RUSER_ENABLE = 0, AXI_DDR_RUSER_WIDTH = 1,
    parameter AXI_DDR_MAX_BURST_LEN = 256, AXI_DDR_NARROW_BURST = 0, AXI_DDR_FIXED_BURST = 0, AXI_DDR_WRAP_BURST = 0,
    parameter HBM_CH = 1, HBM_ENABLE = 0, HBM_GROUP_SIZE = 1,
    parameter AXI_HBM_DATA_WIDTH = 256, AXI_HBM_ADDR_WIDTH = 32, AXI_HBM_STRB_WIDTH = AXI_HBM_DATA_WIDTH/8, AXI_HBM_ID_WIDTH = 8,
    parameter AXI_HBM_AWUSER_ENABLE = 0, AXI_HBM_AWUSER_WIDTH = 1,
    parameter AXI_HBM_WUSER_ENABLE = 0, AXI_HBM_WUSER_WIDTH = 1,
    parameter AXI_HBM_BUSER_ENABLE = 0, AXI_HBM_BUSER_WIDTH = 1,
    parameter AXI_HBM_ARUSER_ENABLE = 0, AXI_HBM_ARUSER_WIDTH = 1,
    parameter AXI_HBM_RUSER_ENABLE = 0, AXI_HBM_RUSER_WIDTH = 1,
    parameter AXI_HBM_MAX_BURST_LEN = 256, AXI_HBM_NARROW_BURST = 0, AXI_HBM_FIXED_BURST = 0, AXI_HBM_WRAP_BURST = 0,
    // The application.
    parameter APP_ID = 32'h57454654, // "WEFT"
    parameter APP_CTRL_ENABLE = 1,
    parameter APP_DMA_ENABLE = 1,
    parameter APP_AXIS_DIRECT_ENABLE = 1,
    parameter APP_AXIS_SYNC_ENABLE = 1,
    parameter APP_AXIS_IF_ENABLE = 1,
    parameter APP_STAT_ENABLE = 1,
    parameter APP_GPIO_IN_WIDTH = 32,
    parameter APP_GPIO_OUT_WIDTH = 32,
    // DMA.
    parameter DMA_ADDR_WIDTH = 64,
    parameter DMA_IMM_ENABLE = 0,
    parameter DMA_IMM_WIDTH = 32,
    parameter DMA_LEN_WIDTH = 16,
    parameter DMA_TAG_WIDTH = 14,
    parameter RAM_SEL_WIDTH = 1,
    parameter RAM_ADDR_WIDTH = 17,
    parameter RAM_SEG_COUNT = 2,
    parameter RAM_SEG_DATA_WIDTH = 512,
    parameter RAM_SEG_BE_WIDTH = RAM_SEG_DATA_WIDTH/8,
    parameter RAM_SEG_ADDR_WIDTH = RAM_ADDR_WIDTH-$clog2(RAM_SEG_COUNT*RAM_SEG_BE_WIDTH),
    parameter RAM_PIPELINE = 2,
    // Registers.
    parameter AXIL_APP_CTRL_DATA_WIDTH = 32,
    parameter AXIL_APP_CTRL_ADDR_WIDTH = 24,
    parameter AXIL_APP_CTRL_STRB_WIDTH = AXIL_APP_CTRL_DATA_WIDTH/8,
    parameter AXIL_CTRL_DATA_WIDTH = 32,
    parameter AXIL_CTRL_ADDR_WIDTH = 24,
    parameter AXIL_CTRL_STRB_WIDTH = AXIL_CTRL_DATA_WIDTH/8,
    // Streams: direct, synchronous, of an interface.
    parameter AXIS_DATA_WIDTH = 512,
    parameter AXIS_KEEP_WIDTH = AXIS_DATA_WIDTH/8,
    parameter AXIS_TX_USER_WIDTH = TX_TAG_WIDTH+1,
    parameter AXIS_RX_USER_WIDTH = (PTP_TS_ENABLE != 0 ? PTP_TS_WIDTH : 0)+1,
    parameter AXIS_RX_USE_READY = 0,
    parameter AXIS_SYNC_DATA_WIDTH = AXIS_DATA_WIDTH,
    parameter AXIS_SYNC_KEEP_WIDTH = AXIS_SYNC_DATA_WIDTH/8,
    parameter AXIS_SYNC_TX_USER_WIDTH = AXIS_TX_USER_WIDTH,
    parameter AXIS_SYNC_RX_USER_WIDTH = AXIS_RX_USER_WIDTH,
    parameter AXIS_IF_DATA_WIDTH = AXIS_SYNC_DATA_WIDTH*2**$clog2(PORTS_PER_IF),
    parameter AXIS_IF_KEEP_WIDTH = AXIS_IF_DATA_WIDTH/8,
    parameter AXIS_IF_TX_ID_WIDTH = 12,
    parameter AXIS_IF_RX_ID_WIDTH = PORTS_PER_IF > 1 ? $clog2(PORTS_PER_IF) : 1,
    parameter AXIS_IF_TX_DEST_WIDTH = $clog2(PORTS_PER_IF)+4,
    parameter AXIS_IF_RX_DEST_WIDTH = 8,
    parameter AXIS_IF_TX_USER_WIDTH = AXIS_SYNC_TX_USER_WIDTH,
    parameter AXIS_IF_RX_USER_WIDTH = AXIS_SYNC_RX_USER_WIDTH,
    // Statistics.
    parameter STAT_ENABLE = 1,
    parameter STAT_INC_WIDTH = 24,
    parameter STAT_ID_WIDTH = 12,
    // The NIC in it. The template has none of these, so mqnic_core leaves them as they are here.
    parameter A = 8,               // bits of a connection, as weft_nic was emitted
    parameter LARGE_RAM = "block", // or "ultra": the NIC's large memories
    parameter FACTOR_BITS = 0      // or 18: its products of wider factors are sums of products
) (
    /* verilator lint_on UNUSEDPARAM */
    // Clock of the core, 250 MHz, and its synchronous reset.
    input  wire clk, rst,
    // Registers, from the host.
    input  wire [AXIL_APP_CTRL_ADDR_WIDTH-1:0] s_axil_app_ctrl_awaddr, s_axil_app_ctrl_araddr,
    input  wire [2:0] s_axil_app_ctrl_awprot, s_axil_app_ctrl_arprot,
    input  wire [AXIL_APP_CTRL_DATA_WIDTH-1:0] s_axil_app_ctrl_wdata,
    input  wire [AXIL_APP_CTRL_STRB_WIDTH-1:0] s_axil_app_ctrl_wstrb,
    input  wire s_axil_app_ctrl_awvalid, s_axil_app_ctrl_wvalid, s_axil_app_ctrl_bready, s_axil_app_ctrl_arvalid, s_axil_app_ctrl_rready,
    output wire s_axil_app_ctrl_awready, s_axil_app_ctrl_wready, s_axil_app_ctrl_bvalid, s_axil_app_ctrl_arready, s_axil_app_ctrl_rvalid,
    output wire [1:0] s_axil_app_ctrl_bresp, s_axil_app_ctrl_rresp,
    output wire [AXIL_APP_CTRL_DATA_WIDTH-1:0] s_axil_app_ctrl_rdata,
    // Registers of the shell: not used.
    output wire [AXIL_CTRL_ADDR_WIDTH-1:0] m_axil_ctrl_awaddr, m_axil_ctrl_araddr,
    output wire [2:0] m_axil_ctrl_awprot, m_axil_ctrl_arprot,
    output wire [AXIL_CTRL_DATA_WIDTH-1:0] m_axil_ctrl_wdata,
    output wire [AXIL_CTRL_STRB_WIDTH-1:0] m_axil_ctrl_wstrb,
    output wire m_axil_ctrl_awvalid, m_axil_ctrl_wvalid, m_axil_ctrl_bready, m_axil_ctrl_arvalid, m_axil_ctrl_rready,
    input  wire m_axil_ctrl_awready, m_axil_ctrl_wready, m_axil_ctrl_bvalid, m_axil_ctrl_arready, m_axil_ctrl_rvalid,
    input  wire [1:0] m_axil_ctrl_bresp, m_axil_ctrl_rresp,
    input  wire [AXIL_CTRL_DATA_WIDTH-1:0] m_axil_ctrl_rdata,
    // DMA of class control: not used.
    output wire [DMA_ADDR_WIDTH-1:0] m_axis_ctrl_dma_read_desc_dma_addr, m_axis_ctrl_dma_write_desc_dma_addr,
    output wire [RAM_SEL_WIDTH-1:0] m_axis_ctrl_dma_read_desc_ram_sel, m_axis_ctrl_dma_write_desc_ram_sel,
    output wire [RAM_ADDR_WIDTH-1:0] m_axis_ctrl_dma_read_desc_ram_addr, m_axis_ctrl_dma_write_desc_ram_addr,
    output wire [DMA_LEN_WIDTH-1:0] m_axis_ctrl_dma_read_desc_len, m_axis_ctrl_dma_write_desc_len,
    output wire [DMA_TAG_WIDTH-1:0] m_axis_ctrl_dma_read_desc_tag, m_axis_ctrl_dma_write_desc_tag,
    output wire [DMA_IMM_WIDTH-1:0] m_axis_ctrl_dma_write_desc_imm,
    output wire m_axis_ctrl_dma_write_desc_imm_en, m_axis_ctrl_dma_read_desc_valid, m_axis_ctrl_dma_write_desc_valid,
    input  wire m_axis_ctrl_dma_read_desc_ready, m_axis_ctrl_dma_write_desc_ready,
    input  wire [DMA_TAG_WIDTH-1:0] s_axis_ctrl_dma_read_desc_status_tag,
    input  wire [3:0] s_axis_ctrl_dma_read_desc_status_error,
    input  wire s_axis_ctrl_dma_read_desc_status_valid,
    input  wire [DMA_TAG_WIDTH-1:0] s_axis_ctrl_dma_write_desc_status_tag,
    input  wire [3:0] s_axis_ctrl_dma_write_desc_status_error,
    input  wire s_axis_ctrl_dma_write_desc_status_valid,
    input  wire [RAM_SEG_COUNT*RAM_SEL_WIDTH-1:0] ctrl_dma_ram_wr_cmd_sel, ctrl_dma_ram_rd_cmd_sel,
    input  wire [RAM_SEG_COUNT*RAM_SEG_BE_WIDTH-1:0] ctrl_dma_ram_wr_cmd_be,
    input  wire [RAM_SEG_COUNT*RAM_SEG_ADDR_WIDTH-1:0] ctrl_dma_ram_wr_cmd_addr, ctrl_dma_ram_rd_cmd_addr,
    input  wire [RAM_SEG_COUNT*RAM_SEG_DATA_WIDTH-1:0] ctrl_dma_ram_wr_cmd_data,
    output wire [RAM_SEG_COUNT*RAM_SEG_DATA_WIDTH-1:0] ctrl_dma_ram_rd_resp_data,
    input  wire [RAM_SEG_COUNT-1:0] ctrl_dma_ram_wr_cmd_valid, ctrl_dma_ram_rd_cmd_valid, ctrl_dma_ram_rd_resp_ready,
    output wire [RAM_SEG_COUNT-1:0] ctrl_dma_ram_wr_cmd_ready, ctrl_dma_ram_wr_done, ctrl_dma_ram_rd_cmd_ready, ctrl_dma_ram_rd_resp_valid,
    // DMA of class data: the NIC's reads and writes, and the completion ring.
    output wire [DMA_ADDR_WIDTH-1:0] m_axis_data_dma_read_desc_dma_addr, m_axis_data_dma_write_desc_dma_addr,
    output wire [RAM_SEL_WIDTH-1:0] m_axis_data_dma_read_desc_ram_sel, m_axis_data_dma_write_desc_ram_sel,
    output wire [RAM_ADDR_WIDTH-1:0] m_axis_data_dma_read_desc_ram_addr, m_axis_data_dma_write_desc_ram_addr,
    output wire [DMA_LEN_WIDTH-1:0] m_axis_data_dma_read_desc_len, m_axis_data_dma_write_desc_len,
    output wire [DMA_TAG_WIDTH-1:0] m_axis_data_dma_read_desc_tag, m_axis_data_dma_write_desc_tag,
    output wire [DMA_IMM_WIDTH-1:0] m_axis_data_dma_write_desc_imm,
    output wire m_axis_data_dma_write_desc_imm_en, m_axis_data_dma_read_desc_valid, m_axis_data_dma_write_desc_valid,
    input  wire m_axis_data_dma_read_desc_ready, m_axis_data_dma_write_desc_ready,
    input  wire [DMA_TAG_WIDTH-1:0] s_axis_data_dma_read_desc_status_tag,
    input  wire [3:0] s_axis_data_dma_read_desc_status_error,
    input  wire s_axis_data_dma_read_desc_status_valid,
    input  wire [DMA_TAG_WIDTH-1:0] s_axis_data_dma_write_desc_status_tag,
    input  wire [3:0] s_axis_data_dma_write_desc_status_error,
    input  wire s_axis_data_dma_write_desc_status_valid,
    input  wire [RAM_SEG_COUNT*RAM_SEL_WIDTH-1:0] data_dma_ram_wr_cmd_sel, data_dma_ram_rd_cmd_sel,
    input  wire [RAM_SEG_COUNT*RAM_SEG_BE_WIDTH-1:0] data_dma_ram_wr_cmd_be,
    input  wire [RAM_SEG_COUNT*RAM_SEG_ADDR_WIDTH-1:0] data_dma_ram_wr_cmd_addr, data_dma_ram_rd_cmd_addr,
    input  wire [RAM_SEG_COUNT*RAM_SEG_DATA_WIDTH-1:0] data_dma_ram_wr_cmd_data,
    output wire [RAM_SEG_COUNT*RAM_SEG_DATA_WIDTH-1:0] data_dma_ram_rd_resp_data,
    input  wire [RAM_SEG_COUNT-1:0] data_dma_ram_wr_cmd_valid, data_dma_ram_rd_cmd_valid, data_dma_ram_rd_resp_ready,
    output wire [RAM_SEG_COUNT-1:0] data_dma_ram_wr_cmd_ready, data_dma_ram_wr_done, data_dma_ram_rd_cmd_ready, data_dma_ram_rd_resp_valid,
    // Time: not used.
    input  wire ptp_clk, ptp_rst, ptp_sample_clk, ptp_td_sd, ptp_pps, ptp_pps_str, ptp_sync_locked, ptp_sync_ts_rel_step, ptp_sync_ts_tod_step, ptp_sync_pps, ptp_sync_pps_str,
    input  wire [PTP_TS_WIDTH-1:0] ptp_sync_ts_rel, ptp_sync_ts_tod,
    input  wire [PTP_PEROUT_COUNT-1:0] ptp_perout_locked, ptp_perout_error, ptp_perout_pulse,
    // Frames at the MACs, in their clocks: passed on.
    input  wire [PORT_COUNT-1:0] direct_tx_clk, direct_tx_rst, direct_rx_clk, direct_rx_rst,
    input  wire [PORT_COUNT*AXIS_DATA_WIDTH-1:0] s_axis_direct_tx_tdata,
    input  wire [PORT_COUNT*AXIS_KEEP_WIDTH-1:0] s_axis_direct_tx_tkeep,
    input  wire [PORT_COUNT*AXIS_TX_USER_WIDTH-1:0] s_axis_direct_tx_tuser,
    input  wire [PORT_COUNT-1:0] s_axis_direct_tx_tvalid, s_axis_direct_tx_tlast,
    output wire [PORT_COUNT-1:0] s_axis_direct_tx_tready,
    output wire [PORT_COUNT*AXIS_DATA_WIDTH-1:0] m_axis_direct_tx_tdata,
    output wire [PORT_COUNT*AXIS_KEEP_WIDTH-1:0] m_axis_direct_tx_tkeep,
    output wire [PORT_COUNT*AXIS_TX_USER_WIDTH-1:0] m_axis_direct_tx_tuser,
    output wire [PORT_COUNT-1:0] m_axis_direct_tx_tvalid, m_axis_direct_tx_tlast,
    input  wire [PORT_COUNT-1:0] m_axis_direct_tx_tready,
    input  wire [PORT_COUNT*PTP_TS_WIDTH-1:0] s_axis_direct_tx_cpl_ts,
    input  wire [PORT_COUNT*TX_TAG_WIDTH-1:0] s_axis_direct_tx_cpl_tag,
    input  wire [PORT_COUNT-1:0] s_axis_direct_tx_cpl_valid,
    output wire [PORT_COUNT-1:0] s_axis_direct_tx_cpl_ready,
    output wire [PORT_COUNT*PTP_TS_WIDTH-1:0] m_axis_direct_tx_cpl_ts,
    output wire [PORT_COUNT*TX_TAG_WIDTH-1:0] m_axis_direct_tx_cpl_tag,
    output wire [PORT_COUNT-1:0] m_axis_direct_tx_cpl_valid,
    input  wire [PORT_COUNT-1:0] m_axis_direct_tx_cpl_ready,
    input  wire [PORT_COUNT*AXIS_DATA_WIDTH-1:0] s_axis_direct_rx_tdata,
    input  wire [PORT_COUNT*AXIS_KEEP_WIDTH-1:0] s_axis_direct_rx_tkeep,
    input  wire [PORT_COUNT*AXIS_RX_USER_WIDTH-1:0] s_axis_direct_rx_tuser,
    input  wire [PORT_COUNT-1:0] s_axis_direct_rx_tvalid, s_axis_direct_rx_tlast,
    output wire [PORT_COUNT-1:0] s_axis_direct_rx_tready,
    output wire [PORT_COUNT*AXIS_DATA_WIDTH-1:0] m_axis_direct_rx_tdata,
    output wire [PORT_COUNT*AXIS_KEEP_WIDTH-1:0] m_axis_direct_rx_tkeep,
    output wire [PORT_COUNT*AXIS_RX_USER_WIDTH-1:0] m_axis_direct_rx_tuser,
    output wire [PORT_COUNT-1:0] m_axis_direct_rx_tvalid, m_axis_direct_rx_tlast,
    input  wire [PORT_COUNT-1:0] m_axis_direct_rx_tready,
    // Frames at the MACs, in the core's clock: weft_nic at port 0, the others passed on.
    input  wire [PORT_COUNT*AXIS_SYNC_DATA_WIDTH-1:0] s_axis_sync_tx_tdata,
    input  wire [PORT_COUNT*AXIS_SYNC_KEEP_WIDTH-1:0] s_axis_sync_tx_tkeep,
    input  wire [PORT_COUNT*AXIS_SYNC_TX_USER_WIDTH-1:0] s_axis_sync_tx_tuser,
    input  wire [PORT_COUNT-1:0] s_axis_sync_tx_tvalid, s_axis_sync_tx_tlast,
    output wire [PORT_COUNT-1:0] s_axis_sync_tx_tready,
    output wire [PORT_COUNT*AXIS_SYNC_DATA_WIDTH-1:0] m_axis_sync_tx_tdata,
    output wire [PORT_COUNT*AXIS_SYNC_KEEP_WIDTH-1:0] m_axis_sync_tx_tkeep,
    output wire [PORT_COUNT*AXIS_SYNC_TX_USER_WIDTH-1:0] m_axis_sync_tx_tuser,
    output wire [PORT_COUNT-1:0] m_axis_sync_tx_tvalid, m_axis_sync_tx_tlast,
    input  wire [PORT_COUNT-1:0] m_axis_sync_tx_tready,
    input  wire [PORT_COUNT*PTP_TS_WIDTH-1:0] s_axis_sync_tx_cpl_ts,
    input  wire [PORT_COUNT*TX_TAG_WIDTH-1:0] s_axis_sync_tx_cpl_tag,
    input  wire [PORT_COUNT-1:0] s_axis_sync_tx_cpl_valid,
    output wire [PORT_COUNT-1:0] s_axis_sync_tx_cpl_ready,
    output wire [PORT_COUNT*PTP_TS_WIDTH-1:0] m_axis_sync_tx_cpl_ts,
    output wire [PORT_COUNT*TX_TAG_WIDTH-1:0] m_axis_sync_tx_cpl_tag,
    output wire [PORT_COUNT-1:0] m_axis_sync_tx_cpl_valid,
    input  wire [PORT_COUNT-1:0] m_axis_sync_tx_cpl_ready,
    input  wire [PORT_COUNT*AXIS_SYNC_DATA_WIDTH-1:0] s_axis_sync_rx_tdata,
    input  wire [PORT_COUNT*AXIS_SYNC_KEEP_WIDTH-1:0] s_axis_sync_rx_tkeep,
    input  wire [PORT_COUNT*AXIS_SYNC_RX_USER_WIDTH-1:0] s_axis_sync_rx_tuser,
    input  wire [PORT_COUNT-1:0] s_axis_sync_rx_tvalid, s_axis_sync_rx_tlast,
    output wire [PORT_COUNT-1:0] s_axis_sync_rx_tready,
    output wire [PORT_COUNT*AXIS_SYNC_DATA_WIDTH-1:0] m_axis_sync_rx_tdata,
    output wire [PORT_COUNT*AXIS_SYNC_KEEP_WIDTH-1:0] m_axis_sync_rx_tkeep,
    output wire [PORT_COUNT*AXIS_SYNC_RX_USER_WIDTH-1:0] m_axis_sync_rx_tuser,
    output wire [PORT_COUNT-1:0] m_axis_sync_rx_tvalid, m_axis_sync_rx_tlast,
    input  wire [PORT_COUNT-1:0] m_axis_sync_rx_tready,
    // Frames at the interfaces: passed on.
    input  wire [IF_COUNT*AXIS_IF_DATA_WIDTH-1:0] s_axis_if_tx_tdata,
    input  wire [IF_COUNT*AXIS_IF_KEEP_WIDTH-1:0] s_axis_if_tx_tkeep,
    input  wire [IF_COUNT*AXIS_IF_TX_USER_WIDTH-1:0] s_axis_if_tx_tuser,
    input  wire [IF_COUNT*AXIS_IF_TX_ID_WIDTH-1:0] s_axis_if_tx_tid,
    input  wire [IF_COUNT*AXIS_IF_TX_DEST_WIDTH-1:0] s_axis_if_tx_tdest,
    input  wire [IF_COUNT-1:0] s_axis_if_tx_tvalid, s_axis_if_tx_tlast,
    output wire [IF_COUNT-1:0] s_axis_if_tx_tready,
    output wire [IF_COUNT*AXIS_IF_DATA_WIDTH-1:0] m_axis_if_tx_tdata,
    output wire [IF_COUNT*AXIS_IF_KEEP_WIDTH-1:0] m_axis_if_tx_tkeep,
    output wire [IF_COUNT*AXIS_IF_TX_USER_WIDTH-1:0] m_axis_if_tx_tuser,
    output wire [IF_COUNT*AXIS_IF_TX_ID_WIDTH-1:0] m_axis_if_tx_tid,
    output wire [IF_COUNT*AXIS_IF_TX_DEST_WIDTH-1:0] m_axis_if_tx_tdest,
    output wire [IF_COUNT-1:0] m_axis_if_tx_tvalid, m_axis_if_tx_tlast,
    input  wire [IF_COUNT-1:0] m_axis_if_tx_tready,
    input  wire [IF_COUNT*PTP_TS_WIDTH-1:0] s_axis_if_tx_cpl_ts,
    input  wire [IF_COUNT*TX_TAG_WIDTH-1:0] s_axis_if_tx_cpl_tag,
    input  wire [IF_COUNT-1:0] s_axis_if_tx_cpl_valid,
    output wire [IF_COUNT-1:0] s_axis_if_tx_cpl_ready,
    output wire [IF_COUNT*PTP_TS_WIDTH-1:0] m_axis_if_tx_cpl_ts,
    output wire [IF_COUNT*TX_TAG_WIDTH-1:0] m_axis_if_tx_cpl_tag,
    output wire [IF_COUNT-1:0] m_axis_if_tx_cpl_valid,
    input  wire [IF_COUNT-1:0] m_axis_if_tx_cpl_ready,
    input  wire [IF_COUNT*AXIS_IF_DATA_WIDTH-1:0] s_axis_if_rx_tdata,
    input  wire [IF_COUNT*AXIS_IF_KEEP_WIDTH-1:0] s_axis_if_rx_tkeep,
    input  wire [IF_COUNT*AXIS_IF_RX_USER_WIDTH-1:0] s_axis_if_rx_tuser,
    input  wire [IF_COUNT*AXIS_IF_RX_ID_WIDTH-1:0] s_axis_if_rx_tid,
    input  wire [IF_COUNT*AXIS_IF_RX_DEST_WIDTH-1:0] s_axis_if_rx_tdest,
    input  wire [IF_COUNT-1:0] s_axis_if_rx_tvalid, s_axis_if_rx_tlast,
    output wire [IF_COUNT-1:0] s_axis_if_rx_tready,
    output wire [IF_COUNT*AXIS_IF_DATA_WIDTH-1:0] m_axis_if_rx_tdata,
    output wire [IF_COUNT*AXIS_IF_KEEP_WIDTH-1:0] m_axis_if_rx_tkeep,
    output wire [IF_COUNT*AXIS_IF_RX_USER_WIDTH-1:0] m_axis_if_rx_tuser,
    output wire [IF_COUNT*AXIS_IF_RX_ID_WIDTH-1:0] m_axis_if_rx_tid,
    output wire [IF_COUNT*AXIS_IF_RX_DEST_WIDTH-1:0] m_axis_if_rx_tdest,
    output wire [IF_COUNT-1:0] m_axis_if_rx_tvalid, m_axis_if_rx_tlast,
    input  wire [IF_COUNT-1:0] m_axis_if_rx_tready,
    // Memories of the board: not used.
    input  wire [DDR_CH-1:0] ddr_clk, ddr_rst, ddr_status,
    output wire [DDR_CH*AXI_DDR_ID_WIDTH-1:0] m_axi_ddr_awid,
    output wire [DDR_CH*AXI_DDR_ADDR_WIDTH-1:0] m_axi_ddr_awaddr,
    output wire [DDR_CH*8-1:0] m_axi_ddr_awlen,
    output wire [DDR_CH*3-1:0] m_axi_ddr_awsize, m_axi_ddr_awprot,
    output wire [DDR_CH*2-1:0] m_axi_ddr_awburst,
    output wire [DDR_CH*4-1:0] m_axi_ddr_awcache, m_axi_ddr_awqos,
    output wire [DDR_CH*AXI_DDR_AWUSER_WIDTH-1:0] m_axi_ddr_awuser,
    output wire [DDR_CH-1:0] m_axi_ddr_awlock, m_axi_ddr_awvalid,
    input  wire [DDR_CH-1:0] m_axi_ddr_awready,
    output wire [DDR_CH*AXI_DDR_ID_WIDTH-1:0] m_axi_ddr_arid,
    output wire [DDR_CH*AXI_DDR_ADDR_WIDTH-1:0] m_axi_ddr_araddr,
    output wire [DDR_CH*8-1:0] m_axi_ddr_arlen,
    output wire [DDR_CH*3-1:0] m_axi_ddr_arsize, m_axi_ddr_arprot,
    output wire [DDR_CH*2-1:0] m_axi_ddr_arburst,
    output wire [DDR_CH*4-1:0] m_axi_ddr_arcache, m_axi_ddr_arqos,
    output wire [DDR_CH*AXI_DDR_ARUSER_WIDTH-1:0] m_axi_ddr_aruser,
    output wire [DDR_CH-1:0] m_axi_ddr_arlock, m_axi_ddr_arvalid,
    input  wire [DDR_CH-1:0] m_axi_ddr_arready,
    output wire [DDR_CH*AXI_DDR_DATA_WIDTH-1:0] m_axi_ddr_wdata,
    output wire [DDR_CH*AXI_DDR_STRB_WIDTH-1:0] m_axi_ddr_wstrb,
    output wire [DDR_CH*AXI_DDR_WUSER_WIDTH-1:0] m_axi_ddr_wuser,
    output wire [DDR_CH-1:0] m_axi_ddr_wlast, m_axi_ddr_wvalid, m_axi_ddr_bready, m_axi_ddr_rready,
    input  wire [DDR_CH*AXI_DDR_ID_WIDTH-1:0] m_axi_ddr_bid, m_axi_ddr_rid,
    input  wire [DDR_CH*2-1:0] m_axi_ddr_bresp, m_axi_ddr_rresp,
    input  wire [DDR_CH*AXI_DDR_BUSER_WIDTH-1:0] m_axi_ddr_buser,
    input  wire [DDR_CH*AXI_DDR_RUSER_WIDTH-1:0] m_axi_ddr_ruser,
    input  wire [DDR_CH*AXI_DDR_DATA_WIDTH-1:0] m_axi_ddr_rdata,
    input  wire [DDR_CH-1:0] m_axi_ddr_wready, m_axi_ddr_bvalid, m_axi_ddr_rlast, m_axi_ddr_rvalid,
    input  wire [HBM_CH-1:0] hbm_clk, hbm_rst, hbm_status,
    output wire [HBM_CH*AXI_HBM_ID_WIDTH-1:0] m_axi_hbm_awid,
    output wire [HBM_CH*AXI_HBM_ADDR_WIDTH-1:0] m_axi_hbm_awaddr,
    output wire [HBM_CH*8-1:0] m_axi_hbm_awlen,
    output wire [HBM_CH*3-1:0] m_axi_hbm_awsize, m_axi_hbm_awprot,
    output wire [HBM_CH*2-1:0] m_axi_hbm_awburst,
    output wire [HBM_CH*4-1:0] m_axi_hbm_awcache, m_axi_hbm_awqos,
    output wire [HBM_CH*AXI_HBM_AWUSER_WIDTH-1:0] m_axi_hbm_awuser,
    output wire [HBM_CH-1:0] m_axi_hbm_awlock, m_axi_hbm_awvalid,
    input  wire [HBM_CH-1:0] m_axi_hbm_awready,
    output wire [HBM_CH*AXI_HBM_ID_WIDTH-1:0] m_axi_hbm_arid,
    output wire [HBM_CH*AXI_HBM_ADDR_WIDTH-1:0] m_axi_hbm_araddr,
    output wire [HBM_CH*8-1:0] m_axi_hbm_arlen,
    output wire [HBM_CH*3-1:0] m_axi_hbm_arsize, m_axi_hbm_arprot,
    output wire [HBM_CH*2-1:0] m_axi_hbm_arburst,
    output wire [HBM_CH*4-1:0] m_axi_hbm_arcache, m_axi_hbm_arqos,
    output wire [HBM_CH*AXI_HBM_ARUSER_WIDTH-1:0] m_axi_hbm_aruser,
    output wire [HBM_CH-1:0] m_axi_hbm_arlock, m_axi_hbm_arvalid,
    input  wire [HBM_CH-1:0] m_axi_hbm_arready,
    output wire [HBM_CH*AXI_HBM_DATA_WIDTH-1:0] m_axi_hbm_wdata,
    output wire [HBM_CH*AXI_HBM_STRB_WIDTH-1:0] m_axi_hbm_wstrb,
    output wire [HBM_CH*AXI_HBM_WUSER_WIDTH-1:0] m_axi_hbm_wuser,
    output wire [HBM_CH-1:0] m_axi_hbm_wlast, m_axi_hbm_wvalid, m_axi_hbm_bready, m_axi_hbm_rready,
    input  wire [HBM_CH*AXI_HBM_ID_WIDTH-1:0] m_axi_hbm_bid, m_axi_hbm_rid,
    input  wire [HBM_CH*2-1:0] m_axi_hbm_bresp, m_axi_hbm_rresp,
    input  wire [HBM_CH*AXI_HBM_BUSER_WIDTH-1:0] m_axi_hbm_buser,
    input  wire [HBM_CH*AXI_HBM_RUSER_WIDTH-1:0] m_axi_hbm_ruser,
    input  wire [HBM_CH*AXI_HBM_DATA_WIDTH-1:0] m_axi_hbm_rdata,
    input  wire [HBM_CH-1:0] m_axi_hbm_wready, m_axi_hbm_bvalid, m_axi_hbm_rlast, m_axi_hbm_rvalid,
    // Statistics, pins: not used.
    output wire [STAT_INC_WIDTH-1:0] m_axis_stat_tdata,
    output wire [STAT_ID_WIDTH-1:0] m_axis_stat_tid,
    output wire m_axis_stat_tvalid,
    input  wire m_axis_stat_tready,
    input  wire [APP_GPIO_IN_WIDTH-1:0] gpio_in,
    output wire [APP_GPIO_OUT_WIDTH-1:0] gpio_out,
    input  wire jtag_tdi, jtag_tms, jtag_tck,
    output wire jtag_tdo
);

    // What weft_app can be built for.
    localparam FITS = APP_ID == 32'h57454654 && AXIS_SYNC_DATA_WIDTH == 512 && RAM_SEG_COUNT == 2 && RAM_SEG_DATA_WIDTH == 512
        && RAM_ADDR_WIDTH >= 16 && DMA_ADDR_WIDTH == 64 && DMA_LEN_WIDTH >= 15 && DMA_TAG_WIDTH >= 7
        && AXIL_APP_CTRL_DATA_WIDTH == 32 && AXIL_APP_CTRL_ADDR_WIDTH >= 18 && TX_TAG_WIDTH >= 1;

    initial begin
        if (!FITS) begin
            $display("mqnic_app_block: these parameters do not fit weft_nic, see docs/corundum.md");
            $finish;
        end
    end

    weft_app #(
        .A(A),
        .RX_USER(AXIS_SYNC_RX_USER_WIDTH),
        .TX_USER(AXIS_SYNC_TX_USER_WIDTH),
        .ADDR_WIDTH(AXIL_APP_CTRL_ADDR_WIDTH),
        .RAM_ADDR_WIDTH(RAM_ADDR_WIDTH),
        .LEN_WIDTH(DMA_LEN_WIDTH),
        .TAG_WIDTH(DMA_TAG_WIDTH),
        .LARGE_RAM(LARGE_RAM),
        .FACTOR_BITS(FACTOR_BITS)
    ) weft (
        .clk(clk),
        .rst(rst),
        .s_axil_awaddr(s_axil_app_ctrl_awaddr), .s_axil_awvalid(s_axil_app_ctrl_awvalid), .s_axil_awready(s_axil_app_ctrl_awready),
        .s_axil_wdata(s_axil_app_ctrl_wdata), .s_axil_wstrb(s_axil_app_ctrl_wstrb), .s_axil_wvalid(s_axil_app_ctrl_wvalid),
        .s_axil_wready(s_axil_app_ctrl_wready), .s_axil_bresp(s_axil_app_ctrl_bresp), .s_axil_bvalid(s_axil_app_ctrl_bvalid),
        .s_axil_bready(s_axil_app_ctrl_bready), .s_axil_araddr(s_axil_app_ctrl_araddr), .s_axil_arvalid(s_axil_app_ctrl_arvalid),
        .s_axil_arready(s_axil_app_ctrl_arready), .s_axil_rdata(s_axil_app_ctrl_rdata), .s_axil_rresp(s_axil_app_ctrl_rresp),
        .s_axil_rvalid(s_axil_app_ctrl_rvalid), .s_axil_rready(s_axil_app_ctrl_rready), .s_axis_rx_tvalid(s_axis_sync_rx_tvalid[0]),
        .s_axis_rx_tdata(s_axis_sync_rx_tdata[511:0]), .s_axis_rx_tkeep(s_axis_sync_rx_tkeep[63:0]),
        .s_axis_rx_tlast(s_axis_sync_rx_tlast[0]), .s_axis_rx_tuser(s_axis_sync_rx_tuser[AXIS_SYNC_RX_USER_WIDTH-1:0]),
        .m_axis_host_tvalid(m_axis_sync_rx_tvalid[0]), .m_axis_host_tready(m_axis_sync_rx_tready[0]),
        .m_axis_host_tdata(m_axis_sync_rx_tdata[511:0]), .m_axis_host_tkeep(m_axis_sync_rx_tkeep[63:0]),
        .m_axis_host_tlast(m_axis_sync_rx_tlast[0]), .m_axis_host_tuser(m_axis_sync_rx_tuser[AXIS_SYNC_RX_USER_WIDTH-1:0]),
        .s_axis_host_tvalid(s_axis_sync_tx_tvalid[0]), .s_axis_host_tready(s_axis_sync_tx_tready[0]),
        .s_axis_host_tdata(s_axis_sync_tx_tdata[511:0]), .s_axis_host_tkeep(s_axis_sync_tx_tkeep[63:0]),
        .s_axis_host_tlast(s_axis_sync_tx_tlast[0]), .s_axis_host_tuser(s_axis_sync_tx_tuser[AXIS_SYNC_TX_USER_WIDTH-1:0]),
        .m_axis_tx_tvalid(m_axis_sync_tx_tvalid[0]), .m_axis_tx_tready(m_axis_sync_tx_tready[0]),
        .m_axis_tx_tdata(m_axis_sync_tx_tdata[511:0]), .m_axis_tx_tkeep(m_axis_sync_tx_tkeep[63:0]),
        .m_axis_tx_tlast(m_axis_sync_tx_tlast[0]), .m_axis_tx_tuser(m_axis_sync_tx_tuser[AXIS_SYNC_TX_USER_WIDTH-1:0]),
        .m_axis_read_desc_valid(m_axis_data_dma_read_desc_valid), .m_axis_read_desc_ready(m_axis_data_dma_read_desc_ready),
        .m_axis_read_desc_dma_addr(m_axis_data_dma_read_desc_dma_addr), .m_axis_read_desc_ram_addr(m_axis_data_dma_read_desc_ram_addr),
        .m_axis_read_desc_len(m_axis_data_dma_read_desc_len), .m_axis_read_desc_tag(m_axis_data_dma_read_desc_tag),
        .s_axis_read_status_valid(s_axis_data_dma_read_desc_status_valid), .s_axis_read_status_tag(s_axis_data_dma_read_desc_status_tag),
        .s_axis_read_status_error(s_axis_data_dma_read_desc_status_error), .m_axis_write_desc_valid(m_axis_data_dma_write_desc_valid),
        .m_axis_write_desc_ready(m_axis_data_dma_write_desc_ready), .m_axis_write_desc_dma_addr(m_axis_data_dma_write_desc_dma_addr),
        .m_axis_write_desc_ram_addr(m_axis_data_dma_write_desc_ram_addr), .m_axis_write_desc_len(m_axis_data_dma_write_desc_len),
        .m_axis_write_desc_tag(m_axis_data_dma_write_desc_tag), .s_axis_write_status_valid(s_axis_data_dma_write_desc_status_valid),
        .s_axis_write_status_error(s_axis_data_dma_write_desc_status_error), .ram_wr_cmd_be(data_dma_ram_wr_cmd_be),
        .ram_wr_cmd_addr(data_dma_ram_wr_cmd_addr), .ram_wr_cmd_data(data_dma_ram_wr_cmd_data),
        .ram_wr_cmd_valid(data_dma_ram_wr_cmd_valid), .ram_wr_cmd_ready(data_dma_ram_wr_cmd_ready), .ram_wr_done(data_dma_ram_wr_done),
        .ram_rd_cmd_addr(data_dma_ram_rd_cmd_addr), .ram_rd_cmd_valid(data_dma_ram_rd_cmd_valid),
        .ram_rd_cmd_ready(data_dma_ram_rd_cmd_ready), .ram_rd_resp_data(data_dma_ram_rd_resp_data),
        .ram_rd_resp_valid(data_dma_ram_rd_resp_valid), .ram_rd_resp_ready(data_dma_ram_rd_resp_ready)
    );

    // Frames from the network are taken at once, whoever they are for.
    assign s_axis_sync_rx_tready[0] = 1'b1;

    genvar p;
    generate
        for (p = 1; p < PORT_COUNT; p = p + 1) begin : others
            assign m_axis_sync_tx_tdata[p*AXIS_SYNC_DATA_WIDTH+:AXIS_SYNC_DATA_WIDTH] = s_axis_sync_tx_tdata[p*AXIS_SYNC_DATA_WIDTH+:AXIS_SYNC_DATA_WIDTH];
            assign m_axis_sync_tx_tkeep[p*AXIS_SYNC_KEEP_WIDTH+:AXIS_SYNC_KEEP_WIDTH] = s_axis_sync_tx_tkeep[p*AXIS_SYNC_KEEP_WIDTH+:AXIS_SYNC_KEEP_WIDTH];
            assign m_axis_sync_tx_tuser[p*AXIS_SYNC_TX_USER_WIDTH+:AXIS_SYNC_TX_USER_WIDTH] = s_axis_sync_tx_tuser[p*AXIS_SYNC_TX_USER_WIDTH+:AXIS_SYNC_TX_USER_WIDTH];
            assign m_axis_sync_tx_tvalid[p] = s_axis_sync_tx_tvalid[p];
            assign m_axis_sync_tx_tlast[p] = s_axis_sync_tx_tlast[p];
            assign s_axis_sync_tx_tready[p] = m_axis_sync_tx_tready[p];
            assign m_axis_sync_rx_tdata[p*AXIS_SYNC_DATA_WIDTH+:AXIS_SYNC_DATA_WIDTH] = s_axis_sync_rx_tdata[p*AXIS_SYNC_DATA_WIDTH+:AXIS_SYNC_DATA_WIDTH];
            assign m_axis_sync_rx_tkeep[p*AXIS_SYNC_KEEP_WIDTH+:AXIS_SYNC_KEEP_WIDTH] = s_axis_sync_rx_tkeep[p*AXIS_SYNC_KEEP_WIDTH+:AXIS_SYNC_KEEP_WIDTH];
            assign m_axis_sync_rx_tuser[p*AXIS_SYNC_RX_USER_WIDTH+:AXIS_SYNC_RX_USER_WIDTH] = s_axis_sync_rx_tuser[p*AXIS_SYNC_RX_USER_WIDTH+:AXIS_SYNC_RX_USER_WIDTH];
            assign m_axis_sync_rx_tvalid[p] = s_axis_sync_rx_tvalid[p];
            assign m_axis_sync_rx_tlast[p] = s_axis_sync_rx_tlast[p];
            assign s_axis_sync_rx_tready[p] = m_axis_sync_rx_tready[p];
        end
    endgenerate

    // What passes.
    assign {m_axis_direct_tx_tdata, m_axis_direct_tx_tkeep, m_axis_direct_tx_tvalid, m_axis_direct_tx_tlast, m_axis_direct_tx_tuser} =
        {s_axis_direct_tx_tdata, s_axis_direct_tx_tkeep, s_axis_direct_tx_tvalid, s_axis_direct_tx_tlast, s_axis_direct_tx_tuser};
    assign s_axis_direct_tx_tready = m_axis_direct_tx_tready;
    assign {m_axis_direct_rx_tdata, m_axis_direct_rx_tkeep, m_axis_direct_rx_tvalid, m_axis_direct_rx_tlast, m_axis_direct_rx_tuser} =
        {s_axis_direct_rx_tdata, s_axis_direct_rx_tkeep, s_axis_direct_rx_tvalid, s_axis_direct_rx_tlast, s_axis_direct_rx_tuser};
    assign s_axis_direct_rx_tready = m_axis_direct_rx_tready;
    assign {m_axis_if_tx_tdata, m_axis_if_tx_tkeep, m_axis_if_tx_tvalid, m_axis_if_tx_tlast, m_axis_if_tx_tuser, m_axis_if_tx_tid, m_axis_if_tx_tdest} =
        {s_axis_if_tx_tdata, s_axis_if_tx_tkeep, s_axis_if_tx_tvalid, s_axis_if_tx_tlast, s_axis_if_tx_tuser, s_axis_if_tx_tid, s_axis_if_tx_tdest};
    assign s_axis_if_tx_tready = m_axis_if_tx_tready;
    assign {m_axis_if_rx_tdata, m_axis_if_rx_tkeep, m_axis_if_rx_tvalid, m_axis_if_rx_tlast, m_axis_if_rx_tuser, m_axis_if_rx_tid, m_axis_if_rx_tdest} =
        {s_axis_if_rx_tdata, s_axis_if_rx_tkeep, s_axis_if_rx_tvalid, s_axis_if_rx_tlast, s_axis_if_rx_tuser, s_axis_if_rx_tid, s_axis_if_rx_tdest};
    assign s_axis_if_rx_tready = m_axis_if_rx_tready;
    assign {m_axis_direct_tx_cpl_ts, m_axis_direct_tx_cpl_tag, m_axis_direct_tx_cpl_valid} =
        {s_axis_direct_tx_cpl_ts, s_axis_direct_tx_cpl_tag, s_axis_direct_tx_cpl_valid};
    assign s_axis_direct_tx_cpl_ready = m_axis_direct_tx_cpl_ready;
    assign {m_axis_sync_tx_cpl_ts, m_axis_sync_tx_cpl_tag, m_axis_sync_tx_cpl_valid} =
        {s_axis_sync_tx_cpl_ts, s_axis_sync_tx_cpl_tag, s_axis_sync_tx_cpl_valid};
    assign s_axis_sync_tx_cpl_ready = m_axis_sync_tx_cpl_ready;
    assign {m_axis_if_tx_cpl_ts, m_axis_if_tx_cpl_tag, m_axis_if_tx_cpl_valid} =
        {s_axis_if_tx_cpl_ts, s_axis_if_tx_cpl_tag, s_axis_if_tx_cpl_valid};
    assign s_axis_if_tx_cpl_ready = m_axis_if_tx_cpl_ready;

    // What is not used. The control class has a RAM that swallows and gives zeros.
    assign {m_axis_data_dma_read_desc_ram_sel, m_axis_data_dma_write_desc_ram_sel, m_axis_data_dma_write_desc_imm,
        m_axis_data_dma_write_desc_imm_en} = 0;
    assign {m_axil_ctrl_awaddr, m_axil_ctrl_araddr, m_axil_ctrl_awprot, m_axil_ctrl_arprot, m_axil_ctrl_wdata, m_axil_ctrl_wstrb,
        m_axil_ctrl_awvalid, m_axil_ctrl_wvalid, m_axil_ctrl_bready, m_axil_ctrl_arvalid, m_axil_ctrl_rready} = 0;
    assign {m_axis_ctrl_dma_read_desc_dma_addr, m_axis_ctrl_dma_read_desc_ram_sel, m_axis_ctrl_dma_read_desc_ram_addr, m_axis_ctrl_dma_read_desc_len,
        m_axis_ctrl_dma_read_desc_tag, m_axis_ctrl_dma_read_desc_valid, m_axis_ctrl_dma_write_desc_dma_addr, m_axis_ctrl_dma_write_desc_ram_sel,
        m_axis_ctrl_dma_write_desc_ram_addr, m_axis_ctrl_dma_write_desc_len, m_axis_ctrl_dma_write_desc_tag, m_axis_ctrl_dma_write_desc_valid,
        m_axis_ctrl_dma_write_desc_imm, m_axis_ctrl_dma_write_desc_imm_en} = 0;
    assign ctrl_dma_ram_wr_cmd_ready = ctrl_dma_ram_wr_cmd_valid;
    assign ctrl_dma_ram_wr_done      = ctrl_dma_ram_wr_cmd_valid;
    assign ctrl_dma_ram_rd_cmd_ready = ctrl_dma_ram_rd_resp_ready;
    assign ctrl_dma_ram_rd_resp_valid = ctrl_dma_ram_rd_cmd_valid;
    assign ctrl_dma_ram_rd_resp_data = 0;
    assign {m_axi_ddr_awid, m_axi_ddr_awaddr, m_axi_ddr_awlen, m_axi_ddr_awsize, m_axi_ddr_awburst, m_axi_ddr_awlock, m_axi_ddr_awcache,
        m_axi_ddr_awprot, m_axi_ddr_awqos, m_axi_ddr_awuser, m_axi_ddr_awvalid, m_axi_ddr_arid, m_axi_ddr_araddr, m_axi_ddr_arlen, m_axi_ddr_arsize,
        m_axi_ddr_arburst, m_axi_ddr_arlock, m_axi_ddr_arcache, m_axi_ddr_arprot, m_axi_ddr_arqos, m_axi_ddr_aruser, m_axi_ddr_arvalid,
        m_axi_ddr_wdata, m_axi_ddr_wstrb, m_axi_ddr_wlast, m_axi_ddr_wuser, m_axi_ddr_wvalid, m_axi_ddr_bready, m_axi_ddr_rready} = 0;
    assign {m_axi_hbm_awid, m_axi_hbm_awaddr, m_axi_hbm_awlen, m_axi_hbm_awsize, m_axi_hbm_awburst, m_axi_hbm_awlock, m_axi_hbm_awcache,
        m_axi_hbm_awprot, m_axi_hbm_awqos, m_axi_hbm_awuser, m_axi_hbm_awvalid, m_axi_hbm_arid, m_axi_hbm_araddr, m_axi_hbm_arlen, m_axi_hbm_arsize,
        m_axi_hbm_arburst, m_axi_hbm_arlock, m_axi_hbm_arcache, m_axi_hbm_arprot, m_axi_hbm_arqos, m_axi_hbm_aruser, m_axi_hbm_arvalid,
        m_axi_hbm_wdata, m_axi_hbm_wstrb, m_axi_hbm_wlast, m_axi_hbm_wuser, m_axi_hbm_wvalid, m_axi_hbm_bready, m_axi_hbm_rready} = 0;
    assign {m_axis_stat_tdata, m_axis_stat_tid, m_axis_stat_tvalid, gpio_out} = 0;
    assign jtag_tdo = jtag_tdi;

    wire unused = &{1'b0, s_axil_app_ctrl_awprot, s_axil_app_ctrl_arprot, m_axil_ctrl_awready, m_axil_ctrl_wready, m_axil_ctrl_bvalid,
        m_axil_ctrl_arready, m_axil_ctrl_rvalid, m_axil_ctrl_bresp, m_axil_ctrl_rresp, m_axil_ctrl_rdata, m_axis_ctrl_dma_read_desc_ready,
        s_axis_ctrl_dma_read_desc_status_tag, s_axis_ctrl_dma_read_desc_status_error, s_axis_ctrl_dma_read_desc_status_valid,
        m_axis_ctrl_dma_write_desc_ready, s_axis_ctrl_dma_write_desc_status_tag, s_axis_ctrl_dma_write_desc_status_error,
        s_axis_ctrl_dma_write_desc_status_valid, s_axis_data_dma_write_desc_status_tag, data_dma_ram_wr_cmd_sel, data_dma_ram_rd_cmd_sel,
        ctrl_dma_ram_wr_cmd_sel, ctrl_dma_ram_rd_cmd_sel, ctrl_dma_ram_wr_cmd_be, ctrl_dma_ram_wr_cmd_addr, ctrl_dma_ram_rd_cmd_addr,
        ctrl_dma_ram_wr_cmd_data, ptp_clk, ptp_rst, ptp_sample_clk, ptp_td_sd, ptp_pps, ptp_pps_str, ptp_sync_locked, ptp_sync_ts_rel_step,
        ptp_sync_ts_tod_step, ptp_sync_pps, ptp_sync_pps_str, ptp_sync_ts_rel, ptp_sync_ts_tod, ptp_perout_locked, ptp_perout_error,
        ptp_perout_pulse, direct_tx_clk, direct_tx_rst, direct_rx_clk, direct_rx_rst, ddr_clk, ddr_rst, ddr_status, m_axi_ddr_awready,
        m_axi_ddr_wready, m_axi_ddr_arready, m_axi_ddr_bid, m_axi_ddr_bresp, m_axi_ddr_buser, m_axi_ddr_bvalid, m_axi_ddr_rid, m_axi_ddr_rdata,
        m_axi_ddr_rresp, m_axi_ddr_rlast, m_axi_ddr_ruser, m_axi_ddr_rvalid, hbm_clk, hbm_rst, hbm_status, m_axi_hbm_awready, m_axi_hbm_wready,
        m_axi_hbm_arready, m_axi_hbm_bid, m_axi_hbm_bresp, m_axi_hbm_buser, m_axi_hbm_bvalid, m_axi_hbm_rid, m_axi_hbm_rdata, m_axi_hbm_rresp,
        m_axi_hbm_rlast, m_axi_hbm_ruser, m_axi_hbm_rvalid, m_axis_stat_tready, gpio_in, jtag_tms, jtag_tck, 1'b0};

endmodule

`default_nettype wire
