//! `weft_nic` under test: its ports by name.

use crate::pins::{Pins, build};
use verilator_sys::Build;
use weft_hdl::emit::EmitError;
use weft_nic::nic::words::{Beat, Offer, Packed};
use weft_nic::nic::{Inputs, Outputs};
use weft_params::SackParams;

/// The top module.
pub const TOP: &str = "weft_nic";

/// The Verilog as Verilator builds it.
pub fn verilator(params: &SackParams) -> Result<Build, EmitError> {
    Ok(build(TOP, &weft_hdl::nic::emit(params)?))
}

/// Names of a stream's ports: valid, data, keep, last, user.
type Names = [&'static str; 5];

macro_rules! names {
    ($stream:literal) => {
        [
            concat!($stream, "_tvalid"),
            concat!($stream, "_tdata"),
            concat!($stream, "_tkeep"),
            concat!($stream, "_tlast"),
            concat!($stream, "_tuser"),
        ]
    };
}

fn bytes(names: Names, valid: bool, beat: &Beat, visit: &mut dyn FnMut(&'static str, &[u64])) {
    let [tvalid, data, keep, last, user] = names;
    visit(tvalid, &[valid.into()]);
    visit(data, &beat.data);
    visit(keep, &[beat.keep]);
    visit(last, &[beat.last.into()]);
    visit(user, &[beat.bad.into()]);
}

fn beat_in(names: Names, beat: &Option<Beat>, visit: &mut dyn FnMut(&'static str, &[u64])) {
    bytes(names, beat.is_some(), &beat.unwrap_or_default(), visit);
}

fn beat_out(names: Names, offer: &Offer<Beat>, visit: &mut dyn FnMut(&'static str, &[u64])) {
    bytes(names, offer.valid, &offer.word, visit);
}

impl Pins for Inputs {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        let axil = &self.axil;
        let (data, strobes) = axil.write_data.unwrap_or_default();
        visit("rst", &[self.rst.into()]);
        visit("s_axil_awvalid", &[axil.write_address.is_some().into()]);
        visit("s_axil_awaddr", &[axil.write_address.unwrap_or_default().into()]);
        visit("s_axil_wvalid", &[axil.write_data.is_some().into()]);
        visit("s_axil_wdata", &[data.into()]);
        visit("s_axil_wstrb", &[strobes.into()]);
        visit("s_axil_bready", &[axil.write_ready.into()]);
        visit("s_axil_arvalid", &[axil.read_address.is_some().into()]);
        visit("s_axil_araddr", &[axil.read_address.unwrap_or_default().into()]);
        visit("s_axil_rready", &[axil.read_ready.into()]);
        beat_in(names!("s_axis_net"), &self.net, visit);
        visit("m_axis_net_tready", &[self.net_ready.into()]);
        beat_in(names!("s_axis_bypass"), &self.bypass, visit);
        visit("m_axis_bypass_tready", &[self.bypass_ready.into()]);
        let (connection, work) = self.work.unwrap_or_default();
        let words: [u64; 4] = Packed::default()
            .put(work.local, 64)
            .put(work.remote, 64)
            .put(work.key, 32)
            .put(work.length, 32)
            .put(work.immediate, 32)
            .put(work.id, 32)
            .words();
        visit("s_axis_work_tvalid", &[self.work.is_some().into()]);
        visit("s_axis_work_tid", &[connection.into()]);
        visit("s_axis_work_tdata", &words);
        visit("s_axis_work_tuser", &[work.with_immediate.into()]);
        visit("m_axis_fetch_tready", &[self.fetch_ready.into()]);
        beat_in(names!("s_axis_read"), &self.read, visit);
        visit("m_axis_write_tready", &[self.write_ready.into()]);
        visit("m_axis_received_tready", &[self.received_ready.into()]);
        visit("m_axis_sent_tready", &[self.sent_ready.into()]);
    }
}

impl Pins for Outputs {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        let axil = &self.axil;
        visit("s_axil_awready", &[axil.write_address_ready.into()]);
        visit("s_axil_wready", &[axil.write_data_ready.into()]);
        visit("s_axil_bvalid", &[axil.write_done.into()]);
        visit("s_axil_bresp", &[axil.write_response.into()]);
        visit("s_axil_arready", &[axil.read_address_ready.into()]);
        visit("s_axil_rvalid", &[axil.read_done.into()]);
        visit("s_axil_rdata", &[axil.read_data.into()]);
        visit("s_axil_rresp", &[axil.read_response.into()]);
        beat_out(names!("m_axis_net"), &self.net, visit);
        visit("s_axis_bypass_tready", &[self.bypass_ready.into()]);
        beat_out(names!("m_axis_bypass"), &self.bypass, visit);
        visit("s_axis_work_tready", &[self.work_ready.into()]);
        let fetch = &self.fetch;
        visit("m_axis_fetch_tvalid", &[fetch.valid.into()]);
        visit("m_axis_fetch_tid", &[fetch.id.into()]);
        visit("m_axis_fetch_tdata", &[fetch.word.address, fetch.word.bytes.into()]);
        visit("s_axis_read_tready", &[self.read_ready.into()]);
        let Offer { valid, id, word } = &self.write;
        visit("m_axis_write_tvalid", &[(*valid).into()]);
        visit("m_axis_write_tid", &[(*id).into()]);
        visit("m_axis_write_tdata", &word.beat.data);
        visit("m_axis_write_tkeep", &[word.beat.keep]);
        visit("m_axis_write_tlast", &[word.beat.last.into()]);
        visit("m_axis_write_tuser", &[word.place.address, word.place.bytes.into()]);
        let received = &self.received;
        visit("m_axis_received_tvalid", &[received.valid.into()]);
        visit("m_axis_received_tid", &[received.id.into()]);
        let word = u64::from(received.word.message) << 32 | u64::from(received.word.immediate);
        visit("m_axis_received_tdata", &[word]);
        let sent = &self.sent;
        visit("m_axis_sent_tvalid", &[sent.valid.into()]);
        visit("m_axis_sent_tid", &[sent.id.into()]);
        visit("m_axis_sent_tdata", &[sent.word.id.into()]);
        visit("m_axis_sent_tuser", &[sent.word.status as u64]);
    }
}
