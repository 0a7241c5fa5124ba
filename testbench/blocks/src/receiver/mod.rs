//! The `weft_receiver` under test: its ports by name, traffic for it, and an oracle that knows no clocks.

pub mod oracle;
pub mod traffic;

use crate::pins::{self, Pins};
use weft_nic::block::receiver::{Clocked, Inputs, Outputs};
use weft_nic::words::Beat;
use weft_params::ReceiverCsr;

/// All input ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Driven {
    /// All but the next.
    pub inputs: Inputs,
    /// The `cfg_*` ports.
    pub csr: ReceiverCsr,
}

impl Pins for Driven {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        let Self { inputs, csr } = self;
        visit("rst", &[inputs.rst.into()]);
        visit("now", &[inputs.now.into()]);
        let (id, arrival) = inputs.arrival.unwrap_or_default();
        visit("s_axis_arrival_tvalid", &[inputs.arrival.is_some().into()]);
        visit("s_axis_arrival_tid", &[id.into()]);
        visit("s_axis_arrival_tdata", &arrival.words());
        let Beat { data, keep, last, .. } = inputs.payload.unwrap_or_default();
        visit("s_axis_payload_tvalid", &[inputs.payload.is_some().into()]);
        visit("s_axis_payload_tdata", &data);
        visit("s_axis_payload_tkeep", &[keep]);
        visit("s_axis_payload_tlast", &[last.into()]);
        let (id, control) = inputs.control.unwrap_or_default();
        visit("s_axis_control_tvalid", &[inputs.control.is_some().into()]);
        visit("s_axis_control_tid", &[id.into()]);
        visit("s_axis_control_tdata", &control.words());
        visit("m_axis_reply_tready", &[inputs.reply_ready.into()]);
        visit("m_axis_write_tready", &[inputs.write_ready.into()]);
        visit("m_axis_received_tready", &[inputs.received_ready.into()]);
        visit("cfg_ack_packets", &[csr.sack.ack_packets.into()]);
        visit("cfg_ack_bytes", &[csr.sack.ack_bytes.into()]);
        visit("cfg_ack_timeout", &[csr.ack_timeout_ticks.into()]);
    }
}

impl Pins for Outputs {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        visit("s_axis_arrival_tready", &[self.arrival_ready.into()]);
        visit("s_axis_payload_tready", &[self.payload_ready.into()]);
        visit("s_axis_control_tready", &[self.control_ready.into()]);
        visit("m_axis_reply_tvalid", &[self.reply.valid.into()]);
        visit("m_axis_reply_tid", &[self.reply.id.into()]);
        visit("m_axis_reply_tdata", &self.reply.word.words());
        let (beat, place) = (self.write.word.beat, self.write.word.place);
        visit("m_axis_write_tvalid", &[self.write.valid.into()]);
        visit("m_axis_write_tid", &[self.write.id.into()]);
        visit("m_axis_write_tdata", &beat.data);
        visit("m_axis_write_tkeep", &[beat.keep]);
        visit("m_axis_write_tlast", &[beat.last.into()]);
        visit("m_axis_write_tuser", &[place.address, place.bytes.into()]);
        let received = self.received.word;
        visit("m_axis_received_tvalid", &[self.received.valid.into()]);
        visit("m_axis_received_tid", &[self.received.id.into()]);
        let data = u64::from(received.immediate) | u64::from(received.message) << 32;
        visit("m_axis_received_tdata", &[data]);
        let stats = self.stats;
        visit("stat_not_open_events", &[stats.not_open_events.into()]);
        visit("stat_duplicates", &[stats.duplicates.into()]);
        visit("stat_outside", &[stats.outside.into()]);
        visit("stat_access_errors", &[stats.access_errors.into()]);
        visit("stat_placed", &[stats.placed.into()]);
        visit("stat_acks", &[stats.acks.into()]);
        visit("stat_nacks", &[stats.nacks.into()]);
        visit("stat_received", &[stats.received.into()]);
    }
}

impl pins::Clocked for Clocked {
    type Inputs = Driven;
    type Outputs = Outputs;

    fn outputs(&self) -> &Outputs {
        Self::outputs(self)
    }

    fn clock(&mut self, driven: &Driven) {
        if *self.csr() != driven.csr {
            self.set_csr(driven.csr);
        }
        Self::clock(self, &driven.inputs);
    }
}
