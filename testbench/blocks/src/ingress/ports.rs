//! The ports of `weft_ingress` by name.

use crate::stream::offered;
use crate::user::tuser;
use weft_bench::{Block, Terms, Visit, low16};
use weft_nic::block::ingress::{self, Clocked, Outputs};
use weft_nic::words::{Beat, Offer};
use weft_params::IngressCsr;

/// `weft_ingress` with `USER` bits of `tuser` and a window of `PSNS`.
pub struct DutOf<const USER: u32, const PSNS: u32 = 256>;

/// `weft_ingress` with its default parameters.
pub type Dut = DutOf<1>;

/// The input ports during one clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs {
    /// All ports except `cfg_*`.
    pub ports: ingress::Inputs,
    /// Payload of streams whose tvalid is low. The block must ignore these values.
    pub noise: u64,
}

impl<const USER: u32, const PSNS: u32> Block for DutOf<USER, PSNS> {
    const TOP: &'static str = "weft_ingress";
    const STREAMS: Terms =
        Terms { gapless: &[], longest: &[("m_axis_payload", 128), ("m_axis_bypass", 512)], broken: &[] };
    type Model = Clocked;
    type Csr = IngressCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(model: &mut Clocked, csr: &IngressCsr) {
        model.set_csr(*csr);
    }

    fn clock(model: &mut Clocked, inputs: &Inputs) {
        model.clock(&inputs.ports);
    }

    fn outputs(model: &Clocked) -> &Outputs {
        model.outputs()
    }

    fn show_csr(csr: &IngressCsr, visit: &mut impl Visit) {
        visit("cfg_ipv4", &[csr.ipv4.into()]);
        visit("cfg_ipv6", &[csr.ipv6 as u64, (csr.ipv6 >> 64) as u64]);
        visit("cfg_qp_base", &[csr.qp_base.into()]);
        visit("cfg_dscp_trimmed", &[csr.dscp_trimmed.into()]);
        visit("cfg_dscp_trimmed_last_hop", &[csr.dscp_trimmed_last_hop.into()]);
    }

    fn show_inputs(inputs: &Inputs, visit: &mut impl Visit) {
        let ports = &inputs.ports;
        let noise = Beat {
            data: [inputs.noise; 8],
            keep: inputs.noise,
            last: inputs.noise & 1 == 1,
            bad: inputs.noise & 2 == 2,
            user: 0,
        };
        let net = ports.net.unwrap_or(noise);
        let address = u128::from(inputs.noise) << 64 | u128::from(!inputs.noise);
        let vlan = inputs.noise as u16 & ingress::VLAN;
        let noise = (0, ingress::Peer { open: true, v6: true, address, vlan, pkey: inputs.noise as u16 });
        let (id, peer) = ports.peer.unwrap_or(noise);
        let low = u64::from(peer.open) | u64::from(peer.v6) << 1 | (peer.address << 2) as u64;
        visit("rst", &[ports.rst.into()]);
        visit("s_axis_net_tvalid", &[ports.net.is_some().into()]);
        visit("s_axis_net_tdata", &net.data);
        visit("s_axis_net_tkeep", &[net.keep]);
        visit("s_axis_net_tlast", &[net.last.into()]);
        let (user, words) = tuser::<USER>(&net);
        visit("s_axis_net_tuser", &user[..words]);
        visit("s_axis_peer_tvalid", &[ports.peer.is_some().into()]);
        visit("s_axis_peer_tid", &[id.into()]);
        // The bits of a tag above its VLAN have no meaning. A tag that does not count has no meaning either.
        // VLAN 0 means no VLAN.
        let tagged = peer.vlan != 0 || peer.pkey & 1 == 1;
        let tag = u64::from(peer.vlan) | low & if tagged { 0xF000 } else { 0xFFFF };
        let high =
            (peer.address >> 126) as u64 | u64::from(tagged) << 2 | tag << 3 | u64::from(peer.pkey) << 19;
        visit("s_axis_peer_tdata", &[low, (peer.address >> 62) as u64, high]);
        visit("m_axis_arrival_tready", &[ports.arrival_ready.into()]);
        visit("m_axis_payload_tready", &[ports.payload_ready.into()]);
        visit("m_axis_acknowledgement_tready", &[ports.acknowledgement_ready.into()]);
        visit("m_axis_bypass_tready", &[ports.bypass_ready.into()]);
    }

    fn show_outputs(outputs: &Outputs, visit: &mut impl Visit) {
        visit("s_axis_peer_tready", &[outputs.peer_ready.into()]);
        offered!(visit, "arrival", outputs.arrival);
        let Offer { valid, word, .. } = outputs.payload;
        visit("m_axis_payload_tvalid", &[valid.into()]);
        visit("m_axis_payload_tdata", &word.data);
        visit("m_axis_payload_tkeep", &[word.keep]);
        visit("m_axis_payload_tlast", &[word.last.into()]);
        offered!(visit, "acknowledgement", outputs.acknowledgement);
        let Offer { valid, word, .. } = outputs.bypass;
        visit("m_axis_bypass_tvalid", &[valid.into()]);
        visit("m_axis_bypass_tdata", &word.data);
        visit("m_axis_bypass_tkeep", &[word.keep]);
        visit("m_axis_bypass_tlast", &[word.last.into()]);
        let (user, words) = tuser::<USER>(&word);
        visit("m_axis_bypass_tuser", &user[..words]);
        let stats = &outputs.stats;
        visit("stat_data", &[low16(stats.data)]);
        visit("stat_trims", &[low16(stats.trims)]);
        visit("stat_acks", &[low16(stats.acks)]);
        visit("stat_nacks", &[low16(stats.nacks)]);
        visit("stat_probes", &[low16(stats.probes)]);
        visit("stat_bypassed", &[low16(stats.bypassed)]);
        visit("stat_mac_errors", &[low16(stats.mac_errors)]);
        visit("stat_malformed", &[low16(stats.malformed)]);
        visit("stat_checksum_errors", &[low16(stats.checksum_errors)]);
        visit("stat_icrc_errors", &[low16(stats.icrc_errors)]);
        visit("stat_unknown_connections", &[low16(stats.unknown_connections)]);
        visit("stat_wrong_peers", &[low16(stats.wrong_peers)]);
        visit("stat_wrong_vlans", &[low16(stats.wrong_vlans)]);
        visit("stat_wrong_pkeys", &[low16(stats.wrong_pkeys)]);
        visit("stat_overflows", &[low16(stats.overflows)]);
        visit("stat_bypass_overflows", &[low16(stats.bypass_overflows)]);
    }
}
