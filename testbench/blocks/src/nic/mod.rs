//! `weft_nic` under test: its ports by name.

use crate::pins::{self, Pins, build};
use std::sync::Arc;
use verilator_sys::{Build, Library, Reset};
use weft_hdl::emit::EmitError;
use weft_nic::nic::{AxilOutputs, Inputs, Outputs};
use weft_nic::words::{Beat, Offer, Packed, Place, Received, Sent, Status, Write};
use weft_params::NicParams;

/// The top module.
pub const TOP: &str = "weft_nic";

/// The Verilog as Verilator builds it.
pub fn verilator(params: &NicParams) -> Result<Build, EmitError> {
    Ok(build(TOP, &weft_hdl::block::nic::emit(params)?))
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

fn word(names: Names, bytes: usize, valid: bool, beat: &Beat, visit: &mut dyn FnMut(&'static str, &[u64])) {
    let [tvalid, data, keep, last, user] = names;
    visit(tvalid, &[valid.into()]);
    visit(data, &beat.data[..bytes / 8]);
    visit(keep, &[beat.keep]);
    visit(last, &[beat.last.into()]);
    visit(user, &[beat.bad.into()]);
}

/// The ports of a NIC whose streams have words of so many bytes.
#[derive(Clone, Copy, Debug)]
pub struct Wide<T> {
    /// The ports; bytes are the low ones of a beat.
    pub ports: T,
    /// Bytes of a word: 16, 32 or 64.
    pub bytes: usize,
}

impl Default for Wide<Inputs> {
    fn default() -> Self {
        Self { ports: Inputs::default(), bytes: Beat::BYTES }
    }
}

impl Pins for Inputs {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        Wide { ports: *self, bytes: Beat::BYTES }.pins(visit);
    }
}

impl Pins for Outputs {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        Wide { ports: *self, bytes: Beat::BYTES }.pins(visit);
    }
}

impl Pins for Wide<Inputs> {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        let inputs = &self.ports;
        let beat_in = |names: Names, beat: &Option<Beat>, visit: &mut dyn FnMut(&'static str, &[u64])| {
            word(names, self.bytes, beat.is_some(), &beat.unwrap_or_default(), visit);
        };
        let axil = &inputs.axil;
        let (data, strobes) = axil.write_data.unwrap_or_default();
        visit("rst", &[inputs.rst.into()]);
        visit("s_axil_awvalid", &[axil.write_address.is_some().into()]);
        visit("s_axil_awaddr", &[axil.write_address.unwrap_or_default().into()]);
        visit("s_axil_wvalid", &[axil.write_data.is_some().into()]);
        visit("s_axil_wdata", &[data.into()]);
        visit("s_axil_wstrb", &[strobes.into()]);
        visit("s_axil_bready", &[axil.write_ready.into()]);
        visit("s_axil_arvalid", &[axil.read_address.is_some().into()]);
        visit("s_axil_araddr", &[axil.read_address.unwrap_or_default().into()]);
        visit("s_axil_rready", &[axil.read_ready.into()]);
        beat_in(names!("s_axis_net"), &inputs.net, visit);
        visit("m_axis_net_tready", &[inputs.net_ready.into()]);
        beat_in(names!("s_axis_bypass"), &inputs.bypass, visit);
        visit("m_axis_bypass_tready", &[inputs.bypass_ready.into()]);
        let (connection, work) = inputs.work.unwrap_or_default();
        let words: [u64; 4] = Packed::default()
            .put(work.local, 64)
            .put(work.remote, 64)
            .put(work.key, 32)
            .put(work.length, 32)
            .put(work.immediate, 32)
            .put(work.id, 32)
            .words();
        visit("s_axis_work_tvalid", &[inputs.work.is_some().into()]);
        visit("s_axis_work_tid", &[connection.into()]);
        visit("s_axis_work_tdata", &words);
        visit("s_axis_work_tuser", &[work.with_immediate.into()]);
        visit("m_axis_fetch_tready", &[inputs.fetch_ready.into()]);
        beat_in(names!("s_axis_read"), &inputs.read, visit);
        visit("m_axis_write_tready", &[inputs.write_ready.into()]);
        visit("m_axis_received_tready", &[inputs.received_ready.into()]);
        visit("m_axis_sent_tready", &[inputs.sent_ready.into()]);
    }
}

impl Pins for Wide<Outputs> {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        let outputs = &self.ports;
        let beat_out = |names: Names, offer: &Offer<Beat>, visit: &mut dyn FnMut(&'static str, &[u64])| {
            word(names, self.bytes, offer.valid, &offer.word, visit);
        };
        let axil = &outputs.axil;
        visit("s_axil_awready", &[axil.write_address_ready.into()]);
        visit("s_axil_wready", &[axil.write_data_ready.into()]);
        visit("s_axil_bvalid", &[axil.write_done.into()]);
        visit("s_axil_bresp", &[axil.write_response.into()]);
        visit("s_axil_arready", &[axil.read_address_ready.into()]);
        visit("s_axil_rvalid", &[axil.read_done.into()]);
        visit("s_axil_rdata", &[axil.read_data.into()]);
        visit("s_axil_rresp", &[axil.read_response.into()]);
        beat_out(names!("m_axis_net"), &outputs.net, visit);
        visit("s_axis_bypass_tready", &[outputs.bypass_ready.into()]);
        beat_out(names!("m_axis_bypass"), &outputs.bypass, visit);
        visit("s_axis_work_tready", &[outputs.work_ready.into()]);
        let fetch = &outputs.fetch;
        visit("m_axis_fetch_tvalid", &[fetch.valid.into()]);
        visit("m_axis_fetch_tid", &[fetch.id.into()]);
        visit("m_axis_fetch_tdata", &[fetch.word.address, fetch.word.bytes.into()]);
        visit("s_axis_read_tready", &[outputs.read_ready.into()]);
        let Offer { valid, id, word: write } = &outputs.write;
        visit("m_axis_write_tvalid", &[(*valid).into()]);
        visit("m_axis_write_tid", &[(*id).into()]);
        visit("m_axis_write_tdata", &write.beat.data[..self.bytes / 8]);
        visit("m_axis_write_tkeep", &[write.beat.keep]);
        visit("m_axis_write_tlast", &[write.beat.last.into()]);
        visit("m_axis_write_tuser", &[write.place.address, write.place.bytes.into()]);
        let received = &outputs.received;
        visit("m_axis_received_tvalid", &[received.valid.into()]);
        visit("m_axis_received_tid", &[received.id.into()]);
        let word = u64::from(received.word.message) << 32 | u64::from(received.word.immediate);
        visit("m_axis_received_tdata", &[word]);
        let sent = &outputs.sent;
        visit("m_axis_sent_tvalid", &[sent.valid.into()]);
        visit("m_axis_sent_tid", &[sent.id.into()]);
        visit("m_axis_sent_tdata", &[sent.word.id.into()]);
        visit("m_axis_sent_tuser", &[sent.word.status as u64]);
    }
}

/// The output ports from their words in the order of [`Pins`].
fn outputs_of(words: &[u64]) -> Outputs {
    let mut words = words.iter().copied();
    let mut next = || words.next().unwrap_or_default();
    let axil = AxilOutputs {
        write_address_ready: next() != 0,
        write_data_ready: next() != 0,
        write_done: next() != 0,
        write_response: next() as u8,
        read_address_ready: next() != 0,
        read_done: next() != 0,
        read_data: next() as u32,
        read_response: next() as u8,
    };
    let beat = |next: &mut dyn FnMut() -> u64| {
        let valid = next() != 0;
        let data = std::array::from_fn(|_| next());
        let word = Beat { data, keep: next(), last: next() != 0, bad: next() != 0 };
        Offer { valid, id: 0, word }
    };
    let net = beat(&mut next);
    let bypass_ready = next() != 0;
    let bypass = beat(&mut next);
    let work_ready = next() != 0;
    let place = |address, bytes| Place { address, bytes: bytes as u16 };
    let fetch = Offer { valid: next() != 0, id: next() as u32, word: place(next(), next()) };
    let read_ready = next() != 0;
    let (valid, id) = (next() != 0, next() as u32);
    let data = std::array::from_fn(|_| next());
    let beat = Beat { data, keep: next(), last: next() != 0, bad: false };
    let write = Offer { valid, id, word: Write { beat, place: place(next(), next()) } };
    let (valid, id, word) = (next() != 0, next() as u32, next());
    let received =
        Offer { valid, id, word: Received { immediate: word as u32, message: (word >> 32) as u32 } };
    let (valid, id, number, status) = (next() != 0, next() as u32, next() as u32, next());
    let status = match status {
        0 => Status::Done,
        1 => Status::Error,
        _ => Status::Refused,
    };
    let sent = Offer { valid, id, word: Sent { id: number, status } };
    Outputs { axil, net, bypass_ready, bypass, work_ready, fetch, read_ready, write, received, sent }
}

/// `weft_nic` under Verilator.
pub struct Rtl {
    rtl: pins::Rtl,
    words: Vec<u64>,
    outputs: Outputs,
}

impl Rtl {
    /// An instance whose registers hold what `reset` says before the first reset.
    pub fn new(library: &Arc<Library>, reset: Reset) -> Result<Self, verilator_sys::Error> {
        let rtl = pins::Rtl::new(library, reset)?;
        Ok(Self { rtl, words: Vec::new(), outputs: Outputs::default() })
    }

    /// The output ports before the next clock edge.
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// A clock edge with these inputs.
    pub fn clock(&mut self, inputs: &Inputs) -> Result<(), verilator_sys::Error> {
        self.rtl.clock(inputs)?;
        self.rtl.words(&self.outputs, &mut self.words)?;
        self.outputs = outputs_of(&self.words);
        Ok(())
    }
}
