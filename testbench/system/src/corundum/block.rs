//! The block under Verilator, with those of its ports that the test uses.

use std::io;
use std::path::Path;
use verilator_sys::Build;

verilator_sys::ports! {
    /// `mqnic_app_block` with the shell's parameters for 100 Gb/s. Other inputs stay 0.
    pub(super) struct Block {
        in clk: 1,
        in rst: 1,
        in s_axil_app_ctrl_awaddr: 24,
        in s_axil_app_ctrl_awvalid: 1,
        out s_axil_app_ctrl_awready: 1,
        in s_axil_app_ctrl_wdata: 32,
        in s_axil_app_ctrl_wstrb: 4,
        in s_axil_app_ctrl_wvalid: 1,
        out s_axil_app_ctrl_wready: 1,
        out s_axil_app_ctrl_bresp: 2,
        out s_axil_app_ctrl_bvalid: 1,
        in s_axil_app_ctrl_bready: 1,
        in s_axil_app_ctrl_araddr: 24,
        in s_axil_app_ctrl_arvalid: 1,
        out s_axil_app_ctrl_arready: 1,
        out s_axil_app_ctrl_rdata: 32,
        out s_axil_app_ctrl_rresp: 2,
        out s_axil_app_ctrl_rvalid: 1,
        in s_axil_app_ctrl_rready: 1,
        out m_axis_data_dma_read_desc_dma_addr: 64,
        out m_axis_data_dma_read_desc_ram_addr: 17,
        out m_axis_data_dma_read_desc_len: 16,
        out m_axis_data_dma_read_desc_tag: 14,
        out m_axis_data_dma_read_desc_valid: 1,
        in m_axis_data_dma_read_desc_ready: 1,
        in s_axis_data_dma_read_desc_status_tag: 14,
        in s_axis_data_dma_read_desc_status_error: 4,
        in s_axis_data_dma_read_desc_status_valid: 1,
        in data_dma_ram_wr_cmd_be: [128],
        in data_dma_ram_wr_cmd_addr: 20,
        in data_dma_ram_wr_cmd_data: [1024],
        in data_dma_ram_wr_cmd_valid: 2,
        out data_dma_ram_wr_cmd_ready: 2,
        out data_dma_ram_wr_done: 2,
        out m_axis_data_dma_write_desc_dma_addr: 64,
        out m_axis_data_dma_write_desc_ram_addr: 17,
        out m_axis_data_dma_write_desc_len: 16,
        out m_axis_data_dma_write_desc_tag: 14,
        out m_axis_data_dma_write_desc_valid: 1,
        in m_axis_data_dma_write_desc_ready: 1,
        in s_axis_data_dma_write_desc_status_tag: 14,
        in s_axis_data_dma_write_desc_status_error: 4,
        in s_axis_data_dma_write_desc_status_valid: 1,
        in data_dma_ram_rd_cmd_addr: 20,
        in data_dma_ram_rd_cmd_valid: 2,
        out data_dma_ram_rd_cmd_ready: 2,
        out data_dma_ram_rd_resp_data: [1024],
        out data_dma_ram_rd_resp_valid: 2,
        in data_dma_ram_rd_resp_ready: 2,
        in s_axis_sync_tx_tdata: [512],
        in s_axis_sync_tx_tkeep: 64,
        in s_axis_sync_tx_tuser: 17,
        in s_axis_sync_tx_tvalid: 1,
        in s_axis_sync_tx_tlast: 1,
        out s_axis_sync_tx_tready: 1,
        out m_axis_sync_tx_tdata: [512],
        out m_axis_sync_tx_tkeep: 64,
        out m_axis_sync_tx_tuser: 17,
        out m_axis_sync_tx_tvalid: 1,
        out m_axis_sync_tx_tlast: 1,
        in m_axis_sync_tx_tready: 1,
        in s_axis_sync_rx_tdata: [512],
        in s_axis_sync_rx_tkeep: 64,
        in s_axis_sync_rx_tuser: 1,
        in s_axis_sync_rx_tvalid: 1,
        in s_axis_sync_rx_tlast: 1,
        out s_axis_sync_rx_tready: 1,
        out m_axis_sync_rx_tdata: [512],
        out m_axis_sync_rx_tkeep: 64,
        out m_axis_sync_rx_tuser: 1,
        out m_axis_sync_rx_tvalid: 1,
        out m_axis_sync_rx_tlast: 1,
        in m_axis_sync_rx_tready: 1,
    }
}

/// The files of the repository at `root`: the committed NIC and the modules around it, each changed by
/// `edit`: name and text.
///
/// # Errors
/// A file that cannot be read, with its path.
pub fn build(root: &Path, edit: &dyn Fn(&str, String) -> String) -> io::Result<Build> {
    let read = |path: &Path| {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        std::fs::read_to_string(path).map_err(named)
    };
    let mut build = Build::new("mqnic_app_block");
    let verilog = root.join("hdl/verilog");
    for file in read(&verilog.join("weft_nic.f"))?.lines() {
        build = build.source(verilog.join(file));
    }
    let shell = root.join("fpga/corundum");
    for module in ["mqnic_app_block", "app", "axil_split", "dma_read", "dma_write", "join", "queues"] {
        let name = if module.starts_with("mqnic") { module.to_owned() } else { format!("weft_{module}") };
        let text = read(&shell.join(format!("{name}.v")))?;
        build = build.text(format!("{name}.v"), edit(&name, text));
    }
    Ok(build.source(root.join("fpga/cdc/weft_cdc_fence.v")))
}
