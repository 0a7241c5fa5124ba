//! The NIC with its ports: `weft_nic` clock for clock, with streams of 512 bits.

use crate::error::{Fault, answer, below, bit, free, make};
use ::weft_nic::nic::{Inputs, Nic};
use ::weft_nic::words::{AxilInputs, Beat, Work};
use weft_params::SackParams;

/// A word of a stream of 512 bits.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_beat {
    /// `tdata`, low word first.
    pub tdata: [u64; 8],
    /// `tkeep`.
    pub tkeep: u64,
    /// `tlast`.
    pub tlast: u8,
    /// Bit 0 of `tuser`: with `tlast`, the frame is bad.
    pub tuser: u8,
}

/// Input ports of `weft_nic` during a clock. A word is valid while its `tvalid` is 1.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_nic_inputs {
    /// `s_axis_net`: frames from the MAC, always accepted.
    pub net: weft_beat,
    /// `s_axis_bypass`: frames of other software.
    pub bypass: weft_beat,
    /// `s_axis_read`: DMA read data; bit 0 of `tuser`: the read failed.
    pub read: weft_beat,
    /// `s_axis_work_tdata` by its fields.
    pub work: crate::weft_work,
    /// `s_axis_work_tid`: the connection.
    pub work_tid: u32,
    /// `s_axis_buffer_tid`: the connection.
    pub buffer_tid: u32,
    /// `s_axil_wdata`
    pub axil_wdata: u32,
    /// `s_axil_awaddr`
    pub axil_awaddr: u16,
    /// `s_axil_araddr`
    pub axil_araddr: u16,
    /// `rst`
    pub rst: u8,
    /// `s_axil_awvalid`
    pub axil_awvalid: u8,
    /// `s_axil_wvalid`
    pub axil_wvalid: u8,
    /// `s_axil_wstrb`
    pub axil_wstrb: u8,
    /// `s_axil_bready`
    pub axil_bready: u8,
    /// `s_axil_arvalid`
    pub axil_arvalid: u8,
    /// `s_axil_rready`
    pub axil_rready: u8,
    /// `s_axis_net_tvalid`
    pub net_tvalid: u8,
    /// `m_axis_net_tready`
    pub net_tready: u8,
    /// `s_axis_bypass_tvalid`
    pub bypass_tvalid: u8,
    /// `m_axis_bypass_tready`
    pub bypass_tready: u8,
    /// `s_axis_work_tvalid`
    pub work_tvalid: u8,
    /// `m_axis_fetch_tready`
    pub fetch_tready: u8,
    /// `s_axis_read_tvalid`
    pub read_tvalid: u8,
    /// `m_axis_write_tready`
    pub write_tready: u8,
    /// `m_axis_received_tready`
    pub received_tready: u8,
    /// `m_axis_sent_tready`
    pub sent_tready: u8,
    /// `s_axis_buffer_tvalid`
    pub buffer_tvalid: u8,
    /// `s_axis_buffer_tdata`, 2 bits
    pub buffer_tdata: u8,
    /// `m_axis_event_tready`
    pub event_tready: u8,
}

/// Output ports of `weft_nic` during a clock. The fields of a stream are the values of its ports, even while its
/// `tvalid` is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_nic_outputs {
    /// `m_axis_net`: frames to the MAC.
    pub net: weft_beat,
    /// `m_axis_bypass`: frames that are not RoCE for this NIC.
    pub bypass: weft_beat,
    /// `m_axis_write`: DMA write data.
    pub write: weft_beat,
    /// `m_axis_write_tuser` 63:0: the packet's address.
    pub write_address: u64,
    /// `m_axis_fetch_tdata` 63:0: the address of a DMA read.
    pub fetch_address: u64,
    /// `m_axis_write_tid`
    pub write_tid: u32,
    /// `m_axis_fetch_tid`
    pub fetch_tid: u32,
    /// `m_axis_received_tid`
    pub received_tid: u32,
    /// `m_axis_received_tdata`: immediate.
    pub received_immediate: u32,
    /// `m_axis_received_tdata`: number of the message, 24 bits.
    pub received_message: u32,
    /// `m_axis_sent_tid`
    pub sent_tid: u32,
    /// `m_axis_sent_tdata`: the request's `id`.
    pub sent_id: u32,
    /// `m_axis_event_tid`
    pub event_tid: u32,
    /// `s_axil_rdata`
    pub axil_rdata: u32,
    /// `m_axis_write_tuser`: the packet's bytes.
    pub write_bytes: u16,
    /// `m_axis_fetch_tdata`: bytes of a DMA read.
    pub fetch_bytes: u16,
    /// `s_axil_awready`
    pub axil_awready: u8,
    /// `s_axil_wready`
    pub axil_wready: u8,
    /// `s_axil_bvalid`
    pub axil_bvalid: u8,
    /// `s_axil_bresp`
    pub axil_bresp: u8,
    /// `s_axil_arready`
    pub axil_arready: u8,
    /// `s_axil_rvalid`
    pub axil_rvalid: u8,
    /// `s_axil_rresp`
    pub axil_rresp: u8,
    /// `m_axis_net_tvalid`
    pub net_tvalid: u8,
    /// `s_axis_bypass_tready`
    pub bypass_tready: u8,
    /// `m_axis_bypass_tvalid`
    pub bypass_tvalid: u8,
    /// `s_axis_work_tready`
    pub work_tready: u8,
    /// `m_axis_fetch_tvalid`
    pub fetch_tvalid: u8,
    /// `s_axis_read_tready`
    pub read_tready: u8,
    /// `m_axis_write_tvalid`
    pub write_tvalid: u8,
    /// `m_axis_received_tvalid`
    pub received_tvalid: u8,
    /// `m_axis_sent_tvalid`
    pub sent_tvalid: u8,
    /// `m_axis_sent_tuser`: the status.
    pub sent_status: u8,
    /// `s_axis_buffer_tready`
    pub buffer_tready: u8,
    /// `m_axis_event_tvalid`, also `irq`
    pub event_tvalid: u8,
    /// `m_axis_event_tdata`
    pub event_tdata: u8,
}

/// A NIC with its ports.
pub struct weft_nic_clocked {
    model: Nic,
    connections: u32,
}

fn word(beat: &weft_beat, valid: u8, name: &str) -> Result<Option<Beat>, Fault> {
    let &weft_beat { tdata: data, tkeep: keep, .. } = beat;
    let (last, bad) = (bit("tlast", beat.tlast)?, bit("tuser", beat.tuser)?);
    Ok(bit(name, valid)?.then_some(Beat { data, keep, last, bad, user: 0 }))
}

fn beat(word: &Beat) -> weft_beat {
    weft_beat { tdata: word.data, tkeep: word.keep, tlast: word.last.into(), tuser: word.bad.into() }
}

/// Makes a NIC after reset, with streams of 512 bits and without bits of other software in `tuser`. Its
/// registers are behind AXI4-Lite, as in the hardware. Connections: 4, 16, 64, 256, 1024, 4096 or 16384.
/// NULL: see `weft_error`.
#[unsafe(no_mangle)]
pub extern "C" fn weft_nic_clocked_new(connections: u32) -> *mut weft_nic_clocked {
    make(|| {
        let params = SackParams { connections };
        params.check()?;
        Ok(weft_nic_clocked { model: Nic::new(params), connections })
    })
}

/// Frees the handle. NULL is permitted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_clocked_free(nic: *mut weft_nic_clocked) {
    unsafe { free(nic) }
}

/// Runs a rising edge with these inputs. Returns the outputs after the clock edge.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_clock(
    nic: *mut weft_nic_clocked,
    inputs: *const weft_nic_inputs,
    outputs: *mut weft_nic_outputs,
) -> i32 {
    unsafe {
        answer((nic, "nic"), (inputs, "inputs"), (outputs, "outputs"), |nic, given| {
            nic.model.clock(&ports(given, nic.connections)?);
            Ok(seen(nic.model.outputs()))
        })
    }
}

fn ports(given: &weft_nic_inputs, connections: u32) -> Result<Inputs, Fault> {
    below("work_tid", given.work_tid, connections)?;
    below("buffer_tid", given.buffer_tid, connections)?;
    below("buffer_tdata", given.buffer_tdata.into(), 4)?;
    below("axil_wstrb", given.axil_wstrb.into(), 16)?;
    let crate::weft_work { local, remote, key, length, immediate, id, with_immediate } = given.work;
    let with_immediate = bit("with_immediate", with_immediate)?;
    let work = Work { local, remote, key, length, immediate, id, with_immediate };
    Ok(Inputs {
        rst: bit("rst", given.rst)?,
        axil: AxilInputs {
            write_address: bit("axil_awvalid", given.axil_awvalid)?.then_some(given.axil_awaddr),
            write_data: bit("axil_wvalid", given.axil_wvalid)?
                .then_some((given.axil_wdata, given.axil_wstrb)),
            write_ready: bit("axil_bready", given.axil_bready)?,
            read_address: bit("axil_arvalid", given.axil_arvalid)?.then_some(given.axil_araddr),
            read_ready: bit("axil_rready", given.axil_rready)?,
        },
        net: word(&given.net, given.net_tvalid, "net_tvalid")?,
        net_ready: bit("net_tready", given.net_tready)?,
        bypass: word(&given.bypass, given.bypass_tvalid, "bypass_tvalid")?,
        bypass_ready: bit("bypass_tready", given.bypass_tready)?,
        work: bit("work_tvalid", given.work_tvalid)?.then_some((given.work_tid, work)),
        fetch_ready: bit("fetch_tready", given.fetch_tready)?,
        read: word(&given.read, given.read_tvalid, "read_tvalid")?,
        write_ready: bit("write_tready", given.write_tready)?,
        received_ready: bit("received_tready", given.received_tready)?,
        sent_ready: bit("sent_tready", given.sent_tready)?,
        buffer: bit("buffer_tvalid", given.buffer_tvalid)?.then_some((given.buffer_tid, given.buffer_tdata)),
        event_ready: bit("event_tready", given.event_tready)?,
    })
}

fn seen(told: &::weft_nic::nic::Outputs) -> weft_nic_outputs {
    weft_nic_outputs {
        net: beat(&told.net.word),
        bypass: beat(&told.bypass.word),
        write: beat(&told.write.word.beat),
        write_address: told.write.word.place.address,
        fetch_address: told.fetch.word.address,
        write_tid: told.write.id,
        fetch_tid: told.fetch.id,
        received_tid: told.received.id,
        received_immediate: told.received.word.immediate,
        received_message: told.received.word.message,
        sent_tid: told.sent.id,
        sent_id: told.sent.word.id,
        event_tid: told.event.id,
        axil_rdata: told.axil.read_data,
        write_bytes: told.write.word.place.bytes,
        fetch_bytes: told.fetch.word.bytes,
        axil_awready: told.axil.write_address_ready.into(),
        axil_wready: told.axil.write_data_ready.into(),
        axil_bvalid: told.axil.write_done.into(),
        axil_bresp: told.axil.write_response,
        axil_arready: told.axil.read_address_ready.into(),
        axil_rvalid: told.axil.read_done.into(),
        axil_rresp: told.axil.read_response,
        net_tvalid: told.net.valid.into(),
        bypass_tready: told.bypass_ready.into(),
        bypass_tvalid: told.bypass.valid.into(),
        work_tready: told.work_ready.into(),
        fetch_tvalid: told.fetch.valid.into(),
        read_tready: told.read_ready.into(),
        write_tvalid: told.write.valid.into(),
        received_tvalid: told.received.valid.into(),
        sent_tvalid: told.sent.valid.into(),
        sent_status: told.sent.word.status as u8,
        buffer_tready: told.buffer_ready.into(),
        event_tvalid: told.event.valid.into(),
        event_tdata: told.event.word,
    }
}
