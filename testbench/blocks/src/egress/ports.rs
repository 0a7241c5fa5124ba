//! The ports of `weft_egress` by name.

use crate::stream::taken;
use crate::user::tuser;
use weft_bench::{Block, Rule, Terms, Visit, low16, low24};
use weft_nic::block::egress::{Clocked, Inputs, Outputs};
use weft_params::EgressCsr;

/// `weft_egress` with `USER` bits of `tuser` and a window of `PSNS`.
pub struct DutOf<const USER: u32, const PSNS: u32 = 256>;

/// `weft_egress` with its default parameters.
pub type Dut = DutOf<1>;

impl<const USER: u32, const PSNS: u32> Block for DutOf<USER, PSNS> {
    const TOP: &'static str = "weft_egress";
    /// Frames of other software have at most 16 KiB. Rule 5 of the page is about read data that is not full,
    /// and its effects.
    const STREAMS: Terms = Terms {
        gapless: &["m_axis_net"],
        longest: &[("m_axis_net", 256)],
        broken: &[("s_axis_read", Rule::Keep)],
    };
    type Model = Clocked;
    type Csr = EgressCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(model: &mut Clocked, csr: &EgressCsr) {
        model.set_csr(*csr);
    }

    fn clock(model: &mut Clocked, inputs: &Inputs) {
        model.clock(inputs);
    }

    fn outputs(model: &Clocked) -> &Outputs {
        model.outputs()
    }

    fn show_csr(csr: &EgressCsr, visit: &mut impl Visit) {
        visit("cfg_mac", &[csr.mac]);
        visit("cfg_ipv4", &[csr.ipv4.into()]);
        visit("cfg_ipv6", &[csr.ipv6 as u64, (csr.ipv6 >> 64) as u64]);
        visit("cfg_hop_limit", &[csr.hop_limit.into()]);
        visit("cfg_dscp_data", &[csr.dscp_data.into()]);
        visit("cfg_dscp_again", &[csr.dscp_again.into()]);
        visit("cfg_dscp_control", &[csr.dscp_control.into()]);
    }

    fn show_inputs(inputs: &Inputs, visit: &mut impl Visit) {
        visit("rst", &[inputs.rst.into()]);
        visit("now", &[inputs.now.into()]);
        taken!(visit, "reply", inputs.reply);
        taken!(visit, "order", inputs.order);
        let (id, passed) = inputs.passed.unwrap_or_default();
        visit("s_axis_passed_tvalid", &[inputs.passed.is_some().into()]);
        visit("s_axis_passed_tid", &[id.into()]);
        visit("s_axis_passed_tdata", &[passed.word(PSNS)]);
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
        let (user, words) = tuser::<USER>(&bypass);
        visit("s_axis_bypass_tuser", &user[..words]);
        taken!(visit, "peer", inputs.peer);
        visit("m_axis_net_tready", &[inputs.net_ready.into()]);
    }

    fn show_outputs(outputs: &Outputs, visit: &mut impl Visit) {
        let Outputs { net, counters, .. } = outputs;
        visit("s_axis_reply_tready", &[outputs.reply_ready.into()]);
        visit("s_axis_order_tready", &[outputs.order_ready.into()]);
        visit("s_axis_read_tready", &[outputs.read_ready.into()]);
        visit("s_axis_bypass_tready", &[outputs.bypass_ready.into()]);
        visit("s_axis_peer_tready", &[outputs.peer_ready.into()]);
        visit("m_axis_net_tvalid", &[net.valid.into()]);
        visit("m_axis_net_tdata", &net.word.data);
        visit("m_axis_net_tkeep", &[net.word.keep]);
        visit("m_axis_net_tlast", &[net.word.last.into()]);
        let (user, words) = tuser::<USER>(&net.word);
        visit("m_axis_net_tuser", &user[..words]);
        visit("stat_data_frames", &[low16(counters.data_frames)]);
        visit("stat_ack_frames", &[low16(counters.ack_frames)]);
        visit("stat_nack_frames", &[low16(counters.nack_frames)]);
        visit("stat_bypass_frames", &[low16(counters.bypass_frames)]);
        visit("stat_read_errors", &[low16(counters.read_errors)]);
        visit("stat_bypass_overflows", &[low16(counters.bypass_overflows)]);
        visit("stat_data_bytes", &[low24(counters.data_bytes)]);
    }
}
