//! AXI4-Lite.

/// The AXI4-Lite inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AxilInputs {
    /// `s_axil_awvalid`, `_awaddr`
    pub write_address: Option<u16>,
    /// `s_axil_wvalid`, `_wdata`, `_wstrb`
    pub write_data: Option<(u32, u8)>,
    /// `s_axil_bready`
    pub write_ready: bool,
    /// `s_axil_arvalid`, `_araddr`
    pub read_address: Option<u16>,
    /// `s_axil_rready`
    pub read_ready: bool,
}

/// The AXI4-Lite outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AxilOutputs {
    /// `s_axil_awready`
    pub write_address_ready: bool,
    /// `s_axil_wready`
    pub write_data_ready: bool,
    /// `s_axil_bvalid`
    pub write_done: bool,
    /// `s_axil_bresp`: 0 or 2 (SLVERR).
    pub write_response: u8,
    /// `s_axil_arready`
    pub read_address_ready: bool,
    /// `s_axil_rvalid`
    pub read_done: bool,
    /// `s_axil_rdata`
    pub read_data: u32,
    /// `s_axil_rresp`: 0 or 2 (SLVERR).
    pub read_response: u8,
}
