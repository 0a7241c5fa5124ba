//! Ingress: ports by name, frames of all kinds, and what must become of them.

pub mod frames;
pub mod oracle;
pub mod traffic;

use crate::pins::{self, Pins};
use weft_nic::block::ingress::Clocked;
use weft_nic::words::{Beat, Offer};
use weft_params::{IngressCsr, SackParams};

/// The input ports during one clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs {
    /// All but `cfg_*`.
    pub ports: weft_nic::block::ingress::Inputs,
    /// `cfg_*`
    pub csr: IngressCsr,
    /// On the payload of streams whose tvalid is low: means nothing.
    pub noise: u64,
}

/// The output ports during one clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outputs(pub weft_nic::block::ingress::Outputs);

impl Pins for Inputs {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        let ports = &self.ports;
        let noise = Beat {
            data: [self.noise; 8],
            keep: self.noise,
            last: self.noise & 1 == 1,
            bad: self.noise & 2 == 2,
        };
        let net = ports.net.unwrap_or(noise);
        let address = u128::from(self.noise) << 64 | u128::from(!self.noise);
        let noise = (0, weft_nic::block::ingress::Peer { open: true, v6: true, address });
        let (id, peer) = ports.peer.unwrap_or(noise);
        let low = u64::from(peer.open) | u64::from(peer.v6) << 1 | (peer.address << 2) as u64;
        visit("rst", &[ports.rst.into()]);
        visit("s_axis_net_tvalid", &[ports.net.is_some().into()]);
        visit("s_axis_net_tdata", &net.data);
        visit("s_axis_net_tkeep", &[net.keep]);
        visit("s_axis_net_tlast", &[net.last.into()]);
        visit("s_axis_net_tuser", &[net.bad.into()]);
        visit("s_axis_peer_tvalid", &[ports.peer.is_some().into()]);
        visit("s_axis_peer_tid", &[id.into()]);
        visit("s_axis_peer_tdata", &[low, (peer.address >> 62) as u64, (peer.address >> 126) as u64]);
        visit("m_axis_arrival_tready", &[ports.arrival_ready.into()]);
        visit("m_axis_payload_tready", &[ports.payload_ready.into()]);
        visit("m_axis_acknowledgement_tready", &[ports.acknowledgement_ready.into()]);
        visit("m_axis_bypass_tready", &[ports.bypass_ready.into()]);
        visit("cfg_ipv4", &[self.csr.ipv4.into()]);
        visit("cfg_ipv6", &[self.csr.ipv6 as u64, (self.csr.ipv6 >> 64) as u64]);
        visit("cfg_qp_base", &[self.csr.qp_base.into()]);
        visit("cfg_dscp_trimmed", &[self.csr.dscp_trimmed.into()]);
        visit("cfg_dscp_trimmed_last_hop", &[self.csr.dscp_trimmed_last_hop.into()]);
    }
}

impl Pins for Outputs {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        let outputs = &self.0;
        visit("s_axis_peer_tready", &[outputs.peer_ready.into()]);
        visit("m_axis_arrival_tvalid", &[outputs.arrival.valid.into()]);
        visit("m_axis_arrival_tid", &[outputs.arrival.id.into()]);
        visit("m_axis_arrival_tdata", &outputs.arrival.word.words());
        let Offer { valid, word, .. } = outputs.payload;
        visit("m_axis_payload_tvalid", &[valid.into()]);
        visit("m_axis_payload_tdata", &word.data);
        visit("m_axis_payload_tkeep", &[word.keep]);
        visit("m_axis_payload_tlast", &[word.last.into()]);
        visit("m_axis_acknowledgement_tvalid", &[outputs.acknowledgement.valid.into()]);
        visit("m_axis_acknowledgement_tid", &[outputs.acknowledgement.id.into()]);
        visit("m_axis_acknowledgement_tdata", &outputs.acknowledgement.word.words());
        let Offer { valid, word, .. } = outputs.bypass;
        visit("m_axis_bypass_tvalid", &[valid.into()]);
        visit("m_axis_bypass_tdata", &word.data);
        visit("m_axis_bypass_tkeep", &[word.keep]);
        visit("m_axis_bypass_tlast", &[word.last.into()]);
        visit("m_axis_bypass_tuser", &[word.bad.into()]);
        let stats = &outputs.stats;
        visit("stat_data", &[stats.data.into()]);
        visit("stat_trims", &[stats.trims.into()]);
        visit("stat_acks", &[stats.acks.into()]);
        visit("stat_nacks", &[stats.nacks.into()]);
        visit("stat_probes", &[stats.probes.into()]);
        visit("stat_bypassed", &[stats.bypassed.into()]);
        visit("stat_mac_errors", &[stats.mac_errors.into()]);
        visit("stat_malformed", &[stats.malformed.into()]);
        visit("stat_checksum_errors", &[stats.checksum_errors.into()]);
        visit("stat_icrc_errors", &[stats.icrc_errors.into()]);
        visit("stat_unknown_connections", &[stats.unknown_connections.into()]);
        visit("stat_wrong_peers", &[stats.wrong_peers.into()]);
        visit("stat_overflows", &[stats.overflows.into()]);
        visit("stat_bypass_overflows", &[stats.bypass_overflows.into()]);
    }
}

/// The model, its outputs as pins.
#[derive(Clone, Debug)]
pub struct Model {
    clocked: Clocked,
    outputs: Outputs,
}

impl Model {
    /// A block in its first clock after reset.
    pub fn new(params: SackParams) -> Self {
        Self { clocked: Clocked::new(params, IngressCsr::default()), outputs: Outputs::default() }
    }
}

impl pins::Clocked for Model {
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    fn clock(&mut self, inputs: &Inputs) {
        self.clocked.set_csr(inputs.csr);
        self.clocked.clock(&inputs.ports);
        self.outputs = Outputs(*self.clocked.outputs());
    }
}
