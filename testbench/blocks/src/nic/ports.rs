//! The ports of `weft_nic` by name.

use crate::stream::{offered, taken};
use crate::user::{tuser, with_tuser};
use weft_bench::{Block, FromPorts, Terms, Visit};
use weft_nic::nic::narrow::AnyWidth;
use weft_nic::nic::{AxilOutputs, Inputs, Outputs};
use weft_nic::words::{Beat, Offer, Place, Received, Sent, Status, Write};

/// `weft_nic` with streams of `BYTES` bytes a word: 16, 32 or 64, which are the low ones of a beat. `USER`
/// bits of `tuser` pass with frames of other software, and one of them marks a bad frame.
pub struct Dut<const BYTES: usize = 64, const USER: u32 = 1>;

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

fn word<const BYTES: usize, const USER: u32>(names: Names, valid: bool, beat: &Beat, visit: &mut impl Visit) {
    let [tvalid, data, keep, last, user] = names;
    visit(tvalid, &[valid.into()]);
    visit(data, &beat.data[..BYTES / 8]);
    visit(keep, &[beat.keep]);
    visit(last, &[beat.last.into()]);
    let (bits, words) = tuser::<USER>(beat);
    visit(user, &bits[..words]);
}

impl<const BYTES: usize, const USER: u32> Block for Dut<BYTES, USER> {
    const TOP: &'static str = "weft_nic";
    /// Frames of other software have at most 16 KiB as outputs of the host and 32 KiB as inputs, packets 8
    /// KiB.
    const STREAMS: Terms = Terms {
        gapless: &["m_axis_net"],
        longest: &[
            ("m_axis_net", (16_384 / BYTES) as u32),
            ("m_axis_bypass", (32_768 / BYTES) as u32),
            ("m_axis_write", (8_192 / BYTES) as u32),
        ],
        broken: &[],
    };
    type Model = AnyWidth;
    type Csr = ();
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(_model: &mut AnyWidth, (): &()) {}

    fn clock(model: &mut AnyWidth, inputs: &Inputs) {
        model.clock(inputs);
    }

    fn outputs(model: &AnyWidth) -> &Outputs {
        model.outputs()
    }

    fn show_csr((): &(), _visit: &mut impl Visit) {}

    fn show_inputs(inputs: &Inputs, visit: &mut impl Visit) {
        let axil = &inputs.axil;
        let (data, strobes) = axil.write_data.unwrap_or_default();
        visit("rst", &[inputs.rst.into()]);
        visit("s_axil_awvalid", &[axil.write_address.is_some().into()]);
        visit("s_axil_awaddr", &[axil.write_address.unwrap_or_default().into()]);
        // The port is ignored: its value changes nothing.
        visit("s_axil_awprot", &[u64::from(axil.write_address.unwrap_or_default() >> 2 & 7)]);
        visit("s_axil_arprot", &[u64::from(axil.read_address.unwrap_or_default() >> 3 & 7)]);
        visit("s_axil_wvalid", &[axil.write_data.is_some().into()]);
        visit("s_axil_wdata", &[data.into()]);
        visit("s_axil_wstrb", &[strobes.into()]);
        visit("s_axil_bready", &[axil.write_ready.into()]);
        visit("s_axil_arvalid", &[axil.read_address.is_some().into()]);
        visit("s_axil_araddr", &[axil.read_address.unwrap_or_default().into()]);
        visit("s_axil_rready", &[axil.read_ready.into()]);
        word::<BYTES, USER>(
            names!("s_axis_net"),
            inputs.net.is_some(),
            &inputs.net.unwrap_or_default(),
            visit,
        );
        visit("m_axis_net_tready", &[inputs.net_ready.into()]);
        word::<BYTES, USER>(
            names!("s_axis_bypass"),
            inputs.bypass.is_some(),
            &inputs.bypass.unwrap_or_default(),
            visit,
        );
        visit("m_axis_bypass_tready", &[inputs.bypass_ready.into()]);
        taken!(visit, "work", inputs.work, user);
        visit("m_axis_fetch_tready", &[inputs.fetch_ready.into()]);
        word::<BYTES, 1>(
            names!("s_axis_read"),
            inputs.read.is_some(),
            &inputs.read.unwrap_or_default(),
            visit,
        );
        visit("m_axis_write_tready", &[inputs.write_ready.into()]);
        visit("m_axis_received_tready", &[inputs.received_ready.into()]);
        visit("m_axis_sent_tready", &[inputs.sent_ready.into()]);
        let (connection, word) = inputs.buffer.unwrap_or_default();
        visit("s_axis_buffer_tvalid", &[inputs.buffer.is_some().into()]);
        visit("s_axis_buffer_tid", &[connection.into()]);
        visit("s_axis_buffer_tdata", &[word.into()]);
        visit("m_axis_event_tready", &[inputs.event_ready.into()]);
    }

    fn show_outputs(outputs: &Outputs, visit: &mut impl Visit) {
        let axil = &outputs.axil;
        visit("s_axil_awready", &[axil.write_address_ready.into()]);
        visit("s_axil_wready", &[axil.write_data_ready.into()]);
        visit("s_axil_bvalid", &[axil.write_done.into()]);
        visit("s_axil_bresp", &[axil.write_response.into()]);
        visit("s_axil_arready", &[axil.read_address_ready.into()]);
        visit("s_axil_rvalid", &[axil.read_done.into()]);
        visit("s_axil_rdata", &[axil.read_data.into()]);
        visit("s_axil_rresp", &[axil.read_response.into()]);
        word::<BYTES, USER>(names!("m_axis_net"), outputs.net.valid, &outputs.net.word, visit);
        visit("s_axis_bypass_tready", &[outputs.bypass_ready.into()]);
        word::<BYTES, USER>(names!("m_axis_bypass"), outputs.bypass.valid, &outputs.bypass.word, visit);
        visit("s_axis_work_tready", &[outputs.work_ready.into()]);
        offered!(visit, "fetch", outputs.fetch);
        visit("s_axis_read_tready", &[outputs.read_ready.into()]);
        let Offer { valid, id, word: write } = &outputs.write;
        visit("m_axis_write_tvalid", &[(*valid).into()]);
        visit("m_axis_write_tid", &[(*id).into()]);
        visit("m_axis_write_tdata", &write.beat.data[..BYTES / 8]);
        visit("m_axis_write_tkeep", &[write.beat.keep]);
        visit("m_axis_write_tlast", &[write.beat.last.into()]);
        visit("m_axis_write_tuser", &write.place.words());
        offered!(visit, "received", outputs.received);
        offered!(visit, "sent", outputs.sent, user);
        visit("s_axis_buffer_tready", &[outputs.buffer_ready.into()]);
        let event = &outputs.event;
        visit("m_axis_event_tvalid", &[event.valid.into()]);
        visit("m_axis_event_tid", &[event.id.into()]);
        visit("m_axis_event_tdata", &[event.word.into()]);
        visit("irq", &[event.valid.into()]);
    }
}

/// The data of a word on the ports.
fn data<const BYTES: usize>(next: &mut dyn FnMut() -> u64) -> [u64; 8] {
    std::array::from_fn(|word| if word < BYTES / 8 { next() } else { 0 })
}

impl<const BYTES: usize, const USER: u32> FromPorts for Dut<BYTES, USER> {
    fn outputs_from(next: &mut impl FnMut() -> u64) -> Outputs {
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
            let data = data::<BYTES>(next);
            let word = Beat { data, keep: next(), last: next() != 0, ..Beat::default() };
            Offer { valid, id: 0, word: with_tuser::<USER>(word, next) }
        };
        let net = beat(next);
        let bypass_ready = next() != 0;
        let bypass = beat(next);
        let work_ready = next() != 0;
        let place = |address, bytes| Place { address, bytes: bytes as u16 };
        let fetch = Offer { valid: next() != 0, id: next() as u32, word: place(next(), next()) };
        let read_ready = next() != 0;
        let (valid, id) = (next() != 0, next() as u32);
        let data = data::<BYTES>(next);
        let beat = Beat { data, keep: next(), last: next() != 0, ..Beat::default() };
        let write = Offer { valid, id, word: Write { beat, place: place(next(), next()) } };
        let (valid, id, word) = (next() != 0, next() as u32, next());
        let received = Offer { valid, id, word: Received::of(&[word]) };
        let (valid, id, number, status) = (next() != 0, next() as u32, next() as u32, next());
        let status = match status {
            0 => Status::Done,
            1 => Status::Error,
            2 => Status::Refused,
            3 => Status::Unanswered,
            4 => Status::Breach,
            5 => Status::Denied,
            _ => Status::Broken,
        };
        let sent = Offer { valid, id, word: Sent { id: number, status } };
        let buffer_ready = next() != 0;
        let event = Offer { valid: next() != 0, id: next() as u32, word: next() as u8 };
        // `irq` is the event's `tvalid`.
        next();
        Outputs {
            axil,
            net,
            bypass_ready,
            bypass,
            work_ready,
            fetch,
            read_ready,
            write,
            received,
            sent,
            buffer_ready,
            event,
        }
    }
}
