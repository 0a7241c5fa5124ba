//! The `weft_egress` under test.

pub mod oracle;
pub mod plant;
pub mod session;
pub mod stimulus;

use crate::pins::{self, Pins};
use weft_nic::block::egress::{Clocked, Inputs, Outputs};
use weft_params::EgressCsr;

/// The input ports, with the CSRs beside them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Driven {
    /// All but `cfg_*`.
    pub inputs: Inputs,
    /// `cfg_*`.
    pub csr: EgressCsr,
}

impl Pins for Driven {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        let Self { inputs, csr } = self;
        let wide = |value: u128| [value as u64, (value >> 64) as u64];
        visit("rst", &[inputs.rst.into()]);
        visit("now", &[inputs.now.into()]);
        let (connection, reply) = inputs.reply.unwrap_or_default();
        visit("s_axis_reply_tvalid", &[inputs.reply.is_some().into()]);
        visit("s_axis_reply_tid", &[connection.into()]);
        visit("s_axis_reply_tdata", &reply.words());
        let (connection, order) = inputs.order.unwrap_or_default();
        visit("s_axis_order_tvalid", &[inputs.order.is_some().into()]);
        visit("s_axis_order_tid", &[connection.into()]);
        visit("s_axis_order_tdata", &order.words());
        let read = inputs.read.unwrap_or_default();
        visit("s_axis_read_tvalid", &[inputs.read.is_some().into()]);
        visit("s_axis_read_tdata", &read.data);
        visit("s_axis_read_tkeep", &[read.keep]);
        visit("s_axis_read_tlast", &[read.last.into()]);
        visit("s_axis_read_tuser", &[read.bad.into()]);
        let bypass = inputs.bypass.unwrap_or_default();
        visit("s_axis_bypass_tvalid", &[inputs.bypass.is_some().into()]);
        visit("s_axis_bypass_tdata", &bypass.data);
        visit("s_axis_bypass_tkeep", &[bypass.keep]);
        visit("s_axis_bypass_tlast", &[bypass.last.into()]);
        visit("s_axis_bypass_tuser", &[bypass.bad.into()]);
        let (connection, peer) = inputs.peer.unwrap_or_default();
        visit("s_axis_peer_tvalid", &[inputs.peer.is_some().into()]);
        visit("s_axis_peer_tid", &[connection.into()]);
        visit("s_axis_peer_tdata", &peer.words());
        visit("m_axis_net_tready", &[inputs.net_ready.into()]);
        visit("cfg_mac", &[csr.mac]);
        visit("cfg_ipv4", &[csr.ipv4.into()]);
        visit("cfg_ipv6", &wide(csr.ipv6));
        visit("cfg_hop_limit", &[csr.hop_limit.into()]);
        visit("cfg_dscp_data", &[csr.dscp_data.into()]);
        visit("cfg_dscp_again", &[csr.dscp_again.into()]);
        visit("cfg_dscp_control", &[csr.dscp_control.into()]);
    }
}

impl Pins for Outputs {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        let Self { net, counters, .. } = self;
        visit("s_axis_reply_tready", &[self.reply_ready.into()]);
        visit("s_axis_order_tready", &[self.order_ready.into()]);
        visit("s_axis_read_tready", &[self.read_ready.into()]);
        visit("s_axis_bypass_tready", &[self.bypass_ready.into()]);
        visit("s_axis_peer_tready", &[self.peer_ready.into()]);
        visit("m_axis_net_tvalid", &[net.valid.into()]);
        visit("m_axis_net_tdata", &net.word.data);
        visit("m_axis_net_tkeep", &[net.word.keep]);
        visit("m_axis_net_tlast", &[net.word.last.into()]);
        visit("m_axis_net_tuser", &[net.word.bad.into()]);
        visit("stat_data_frames", &[counters.data_frames.into()]);
        visit("stat_ack_frames", &[counters.ack_frames.into()]);
        visit("stat_nack_frames", &[counters.nack_frames.into()]);
        visit("stat_bypass_frames", &[counters.bypass_frames.into()]);
        visit("stat_read_errors", &[counters.read_errors.into()]);
        visit("stat_bypass_overflows", &[counters.bypass_overflows.into()]);
    }
}

/// The model with its CSRs as ports.
pub struct Model(pub Clocked);

impl pins::Clocked for Model {
    type Inputs = Driven;
    type Outputs = Outputs;

    fn outputs(&self) -> &Outputs {
        self.0.outputs()
    }

    fn clock(&mut self, driven: &Driven) {
        self.0.set_csr(driven.csr);
        self.0.clock(&driven.inputs);
    }
}
