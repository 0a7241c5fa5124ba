//! The ports of `weft_receiver` by name.

use crate::stream::{offered, taken};
use weft_bench::{Block, Visit, low16, low24};
use weft_nic::block::receiver::{Clocked, Inputs, Outputs};
use weft_nic::words::Beat;
use weft_params::ReceiverCsr;

/// `weft_receiver`.
pub type Dut = Windowed<256>;

/// `weft_receiver` with a window of `PSNS`.
pub struct Windowed<const PSNS: u32>;

impl<const PSNS: u32> Block for Windowed<PSNS> {
    const TOP: &'static str = "weft_receiver";
    type Model = Clocked;
    type Csr = ReceiverCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(model: &mut Clocked, csr: &ReceiverCsr) {
        model.set_csr(*csr);
    }

    fn clock(model: &mut Clocked, inputs: &Inputs) {
        model.clock(inputs);
    }

    fn outputs(model: &Clocked) -> &Outputs {
        model.outputs()
    }

    fn show_csr(csr: &ReceiverCsr, visit: &mut impl Visit) {
        visit("cfg_ack_packets", &[csr.sack.ack_packets.into()]);
        visit("cfg_ack_bytes", &[csr.sack.ack_bytes.into()]);
        visit("cfg_ack_timeout", &[csr.ack_timeout_ticks.into()]);
    }

    fn show_inputs(inputs: &Inputs, visit: &mut impl Visit) {
        visit("rst", &[inputs.rst.into()]);
        visit("now", &[inputs.now.into()]);
        taken!(visit, "arrival", inputs.arrival);
        let Beat { data, keep, last, .. } = inputs.payload.unwrap_or_default();
        visit("s_axis_payload_tvalid", &[inputs.payload.is_some().into()]);
        visit("s_axis_payload_tdata", &data);
        visit("s_axis_payload_tkeep", &[keep]);
        visit("s_axis_payload_tlast", &[last.into()]);
        taken!(visit, "control", inputs.control);
        taken!(visit, "bar", inputs.bar);
        visit("m_axis_breach_tready", &[inputs.breach_ready.into()]);
        visit("m_axis_reply_tready", &[inputs.reply_ready.into()]);
        visit("m_axis_write_tready", &[inputs.write_ready.into()]);
        visit("m_axis_received_tready", &[inputs.received_ready.into()]);
    }

    fn show_outputs(outputs: &Outputs, visit: &mut impl Visit) {
        visit("s_axis_arrival_tready", &[outputs.arrival_ready.into()]);
        visit("s_axis_payload_tready", &[outputs.payload_ready.into()]);
        visit("s_axis_control_tready", &[outputs.control_ready.into()]);
        visit("m_axis_breach_tvalid", &[outputs.breach.valid.into()]);
        visit("m_axis_breach_tid", &[outputs.breach.id.into()]);
        offered!(visit, "reply", outputs.reply);
        let (beat, place) = (outputs.write.word.beat, outputs.write.word.place);
        visit("m_axis_write_tvalid", &[outputs.write.valid.into()]);
        visit("m_axis_write_tid", &[outputs.write.id.into()]);
        visit("m_axis_write_tdata", &beat.data);
        visit("m_axis_write_tkeep", &[beat.keep]);
        visit("m_axis_write_tlast", &[beat.last.into()]);
        visit("m_axis_write_tuser", &place.words());
        offered!(visit, "received", outputs.received);
        let stats = outputs.stats;
        visit("stat_not_open_events", &[low16(stats.not_open_events)]);
        visit("stat_duplicates", &[low16(stats.duplicates)]);
        visit("stat_outside", &[low16(stats.outside)]);
        visit("stat_access_errors", &[low16(stats.access_errors)]);
        visit("stat_held", &[low16(stats.held)]);
        visit("stat_placed", &[low16(stats.placed)]);
        visit("stat_acks", &[low16(stats.acks)]);
        visit("stat_nacks", &[low16(stats.nacks)]);
        visit("stat_received", &[low16(stats.received)]);
        visit("stat_marks", &[low16(stats.marks)]);
        visit("stat_bytes", &[low24(stats.bytes)]);
    }
}
