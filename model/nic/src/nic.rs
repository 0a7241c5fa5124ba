//! The NIC (page `docs/blocks/nic.md`): its blocks joined.

pub mod words;

use words::{Beat, Offer, Place, Received, Sent, Work, Write};

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

/// The input ports of `weft_nic` during one clock. A stream that is `None` has `tvalid` low and zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Synchronous reset.
    pub rst: bool,
    /// Registers.
    pub axil: AxilInputs,
    /// `s_axis_net`: from the MAC, always taken.
    pub net: Option<Beat>,
    /// `m_axis_net_tready`
    pub net_ready: bool,
    /// `s_axis_bypass`: frames of others to be sent.
    pub bypass: Option<Beat>,
    /// `m_axis_bypass_tready`
    pub bypass_ready: bool,
    /// `s_axis_work`: work requests, with their connection.
    pub work: Option<(u32, Work)>,
    /// `m_axis_fetch_tready`
    pub fetch_ready: bool,
    /// `s_axis_read`: DMA read data.
    pub read: Option<Beat>,
    /// `m_axis_write_tready`
    pub write_ready: bool,
    /// `m_axis_received_tready`
    pub received_ready: bool,
    /// `m_axis_sent_tready`
    pub sent_ready: bool,
}

/// The output ports of `weft_nic` during one clock: registers, or functions of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Registers.
    pub axil: AxilOutputs,
    /// `m_axis_net`: to the MAC.
    pub net: Offer<Beat>,
    /// `s_axis_bypass_tready`
    pub bypass_ready: bool,
    /// `m_axis_bypass`: frames that are not ours.
    pub bypass: Offer<Beat>,
    /// `s_axis_work_tready`
    pub work_ready: bool,
    /// `m_axis_fetch`: DMA read requests.
    pub fetch: Offer<Place>,
    /// `s_axis_read_tready`
    pub read_ready: bool,
    /// `m_axis_write`: DMA write data.
    pub write: Offer<Write>,
    /// `m_axis_received`: completions of received messages.
    pub received: Offer<Received>,
    /// `m_axis_sent`: completions of work requests.
    pub sent: Offer<Sent>,
}
