//! The ports of `weft_registers` by name.

use crate::sack_tx::classes as transport_classes;
use crate::smartt::{lanes, words_of};
use weft_bench::{Block, Visit};
use weft_nic::block::registers::{Clocked, Inputs, Outputs};
use weft_nic::words::{Offer, Packed};
use weft_params::SackParams;
use weft_params::registers::{NicCsr, counters, offsets};

/// `weft_registers`.
pub struct Dut;

/// Inputs. A port whose `valid` is low carries random values.
#[derive(Clone, Copy, Debug, Default)]
pub struct In {
    /// Values of the ports that have a meaning in this clock.
    pub ports: Inputs,
    /// Random value of the ports that have no meaning in this clock.
    pub junk: u64,
}

/// The outputs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Out {
    /// All outputs except those of the next fields.
    pub ports: Outputs,
    /// `cfg_smartt_signals`. Value 3 has no counterpart in the struct.
    signals: u32,
}

/// The model with all its ports.
#[derive(Clone, Debug)]
pub struct Model {
    /// The model.
    pub clocked: Clocked,
    out: Out,
}

impl Model {
    /// The registers of a NIC of this shape.
    pub fn new(params: SackParams) -> Self {
        Self { clocked: Clocked::new(params), out: Out::default() }
    }
}

impl Block for Dut {
    const TOP: &'static str = "weft_registers";
    type Model = Model;
    type Csr = ();
    type Inputs = In;
    type Outputs = Out;

    fn configure(_model: &mut Model, (): &()) {}

    fn clock(model: &mut Model, inputs: &In) {
        model.clocked.clock(&inputs.ports);
        let signals = model.clocked.stored(offsets::SMARTT_SIGNALS);
        model.out = Out { ports: *model.clocked.outputs(), signals };
    }

    fn outputs(model: &Model) -> &Out {
        &model.out
    }

    fn show_csr((): &(), _visit: &mut impl Visit) {}

    fn show_inputs(inputs: &In, visit: &mut impl Visit) {
        let Inputs { rst, axil, stats, rtt, window, .. } = &inputs.ports;
        let (data, strobes) = axil.write_data.unwrap_or((inputs.junk as u32, inputs.junk as u8 & 0xF));
        let address = |address: Option<u16>| address.unwrap_or(inputs.junk as u16).into();
        let mut one = |name, value: u64| visit(name, &[value]);
        one("rst", (*rst).into());
        one("s_axil_awvalid", axil.write_address.is_some().into());
        one("s_axil_awaddr", address(axil.write_address));
        one("s_axil_wvalid", axil.write_data.is_some().into());
        one("s_axil_wdata", data.into());
        one("s_axil_wstrb", strobes.into());
        one("s_axil_bready", axil.write_ready.into());
        one("s_axil_arvalid", axil.read_address.is_some().into());
        one("s_axil_araddr", address(axil.read_address));
        one("s_axil_rready", axil.read_ready.into());
        one("m_axis_ingress_peer_tready", inputs.ports.ingress_peer_ready.into());
        one("m_axis_egress_peer_tready", inputs.ports.egress_peer_ready.into());
        one("m_axis_receiver_control_tready", inputs.ports.receiver_control_ready.into());
        one("m_axis_sender_control_tready", inputs.ports.sender_control_ready.into());
        let junk = inputs.junk as u32 & 3;
        let (id, denied) = inputs.ports.failed.unwrap_or((junk, junk & 1 == 1));
        one("s_axis_sender_failed_tvalid", inputs.ports.failed.is_some().into());
        one("s_axis_sender_failed_tid", id.into());
        one("s_axis_sender_failed_tuser", denied.into());
        one("m_axis_sender_failure_tready", inputs.ports.failure_ready.into());
        let (id, began) = inputs.ports.freeze.unwrap_or((junk, true));
        one("s_axis_sender_freeze_tvalid", inputs.ports.freeze.is_some().into());
        one("s_axis_sender_freeze_tid", id.into());
        one("s_axis_sender_freeze_tuser", began.into());
        one("s_axis_sender_drained_tvalid", inputs.ports.drained.is_some().into());
        one("s_axis_sender_drained_tid", inputs.ports.drained.unwrap_or(junk).into());
        one("s_axis_receiver_breach_tvalid", inputs.ports.breach.is_some().into());
        one("s_axis_receiver_breach_tid", inputs.ports.breach.unwrap_or(junk).into());
        let (id, word) = inputs.ports.buffer.unwrap_or((junk, 2));
        one("s_axis_buffer_tvalid", inputs.ports.buffer.is_some().into());
        one("s_axis_buffer_tid", id.into());
        one("s_axis_buffer_tdata", word.into());
        one("m_axis_event_tready", inputs.ports.event_ready.into());
        one("stat_rtt_latest", rtt[0].into());
        one("stat_rtt_smallest", rtt[1].into());
        visit("window_view", window);
        // Counters that share a port are side by side in it, in their order.
        let mut ports: Vec<(&'static str, u32, Packed<4>)> = Vec::new();
        for (counter, &value) in counters().zip(stats) {
            let port = counter.port.as_ref().expect("a counter has a port");
            if port.lsb == 0 {
                ports.push((&port.name, port.width, Packed::default()));
            }
            let (.., word) = ports.last_mut().expect("the first is lowest");
            *word = word.put(value, port.bits);
        }
        for (name, width, word) in ports {
            visit(name, &word.words()[..width.div_ceil(64) as usize]);
        }
    }

    fn show_outputs(outputs: &Out, visit: &mut impl Visit) {
        let axil = &outputs.ports.axil;
        let mut one = |name, value: u64| visit(name, &[value]);
        one("s_axil_awready", axil.write_address_ready.into());
        one("s_axil_wready", axil.write_data_ready.into());
        one("s_axil_bvalid", axil.write_done.into());
        one("s_axil_bresp", axil.write_response.into());
        one("s_axil_arready", axil.read_address_ready.into());
        one("s_axil_rvalid", axil.read_done.into());
        one("s_axil_rresp", axil.read_response.into());
        one("s_axil_rdata", axil.read_data.into());
        one("now", outputs.ports.now.into());
        one("query", outputs.ports.query.into());
        one("cfg_smartt_signals", outputs.signals.into());
        one("s_axis_sender_freeze_tready", outputs.ports.freeze_ready.into());
        one("s_axis_sender_drained_tready", outputs.ports.drained_ready.into());
        one("s_axis_sender_failed_tready", outputs.ports.failed_ready.into());
        one("m_axis_sender_failure_tvalid", outputs.ports.failure.valid.into());
        one("m_axis_sender_failure_tid", outputs.ports.failure.id.into());
        one("m_axis_sender_failure_tuser", outputs.ports.failure.word.into());
        one("s_axis_receiver_breach_tready", outputs.ports.breach_ready.into());
        one("s_axis_buffer_tready", outputs.ports.buffer_ready.into());
        let Outputs { bar, event, .. } = &outputs.ports;
        one("m_axis_receiver_bar_tvalid", bar.valid.into());
        one("m_axis_receiver_bar_tid", bar.id.into());
        one("m_axis_receiver_bar_tdata", u64::from(bar.word.held) | u64::from(bar.word.failed) << 1);
        one("m_axis_event_tvalid", event.valid.into());
        one("m_axis_event_tid", event.id.into());
        one("m_axis_event_tdata", event.word.into());
        one("irq", event.valid.into());
        streams(&outputs.ports, visit);
        config(&outputs.ports.csr, visit);
    }
}

fn streams(outputs: &Outputs, visit: &mut impl Visit) {
    let Outputs { ingress_peer, egress_peer, receiver_control, sender_control, .. } = outputs;
    let mut stream = |[valid, id, data]: [&'static str; 3], offered: bool, number: u32, word: &[u64]| {
        visit(valid, &[offered.into()]);
        visit(id, &[number.into()]);
        visit(data, word);
    };
    macro_rules! offer {
        ($name:literal, $offer:expr) => {{
            let Offer { valid, id, word } = $offer;
            let names = [
                concat!("m_axis_", $name, "_tvalid"),
                concat!("m_axis_", $name, "_tid"),
                concat!("m_axis_", $name, "_tdata"),
            ];
            stream(names, *valid, *id, word);
        }};
    }
    offer!("ingress_peer", ingress_peer);
    offer!("egress_peer", egress_peer);
    offer!("receiver_control", receiver_control);
    offer!("sender_control", sender_control);
}

/// The `cfg_*` ports, listed by hand and not from the description.
fn config(csr: &NicCsr, visit: &mut impl Visit) {
    let NicCsr { ingress, egress, receiver, sender, .. } = csr;
    let (sack_rx, sack_tx, reps, smartt) = (receiver.sack, sender.sack, sender.reps, sender.smartt);
    let halves = |value: u128| [value as u64, (value >> 64) as u64];
    visit("cfg_ingress_ipv6", &halves(ingress.ipv6));
    visit("cfg_egress_ipv6", &halves(egress.ipv6));
    let mut one = |name, value: u64| visit(name, &[value]);
    one("cfg_ingress_ipv4", ingress.ipv4.into());
    one("cfg_ingress_qp_base", ingress.qp_base.into());
    one("cfg_ingress_dscp_trimmed", ingress.dscp_trimmed.into());
    one("cfg_ingress_dscp_trimmed_last_hop", ingress.dscp_trimmed_last_hop.into());
    one("cfg_egress_mac", egress.mac);
    one("cfg_egress_ipv4", egress.ipv4.into());
    one("cfg_egress_hop_limit", egress.hop_limit.into());
    one("cfg_egress_dscp_data", egress.dscp_data.into());
    one("cfg_egress_dscp_again", egress.dscp_again.into());
    one("cfg_egress_dscp_control", egress.dscp_control.into());
    one("cfg_receiver_ack_timeout", receiver.ack_timeout_ticks.into());
    one("cfg_sack_rx_ack_packets", sack_rx.ack_packets.into());
    one("cfg_sack_rx_ack_bytes", sack_rx.ack_bytes.into());
    one("cfg_sender_mtu_shift", sender.mtu_shift.into());
    one("cfg_sender_idle", sender.idle_ticks.into());
    let [gap, rto, epoch, high, backoff_limit, retry_limit] = transport_classes(&sack_tx);
    one("cfg_sack_tx_gap", gap);
    one("cfg_sack_tx_rto", rto);
    one("cfg_sack_tx_epoch", epoch);
    one("cfg_sack_tx_high", high);
    one("cfg_sack_tx_backoff_limit", backoff_limit);
    one("cfg_sack_tx_retry_limit", retry_limit);
    one("cfg_reps_mode", reps.mode as u64);
    one("cfg_reps_ev_base", reps.ev_base.into());
    one("cfg_reps_evs_size", reps.evs_size.into());
    one("cfg_reps_freeze_timeout", reps.freeze_timeout_ticks.into());
    one("cfg_reps_bdp_packets", reps.bdp_packets.into());
    one("cfg_reps_trimming", reps.trimming.into());
    one("cfg_reps_thaw_reset", reps.thaw_reset.into());
    one("cfg_reps_rtt_high", reps.rtt_high_ticks.into());
    one("cfg_reps_rtt_window", reps.rtt_window_ticks.into());
    one("cfg_smartt_multiplicative_decrease", smartt.multiplicative_decrease.into());
    one("cfg_smartt_qa_scaling", smartt.qa_scaling.into());
    one("cfg_smartt_wtd_alpha", smartt.wtd_alpha.into());
    one("cfg_smartt_wtd_threshold", smartt.wtd_threshold.into());
    one("cfg_smartt_granularity", smartt.granularity.into());
    one("cfg_smartt_fast_mtus", smartt.fast_mtus.into());
    one("cfg_smartt_late_losses", smartt.late_losses.into());
    visit("cfg_smartt_wtd_alphas", &words_of(&smartt.wtd_alphas));
    visit("cfg_smartt_mtu", &lanes(&smartt, 14, |class| class.mtu_bytes)[..1]);
    visit("cfg_smartt_max_cwnd", &lanes(&smartt, 26, |class| class.max_cwnd_bytes));
    visit("cfg_smartt_fair_decrease", &lanes(&smartt, 26, |class| class.fair_decrease_bytes));
    visit("cfg_smartt_base_rtt", &lanes(&smartt, 16, |class| class.base_rtt_ticks)[..1]);
    visit("cfg_smartt_target_rtt", &lanes(&smartt, 16, |class| class.target_rtt_ticks)[..1]);
    visit("cfg_smartt_fast_rtt", &lanes(&smartt, 16, |class| class.fast_rtt_ticks)[..1]);
    visit("cfg_smartt_multiplicative_increase", &lanes(&smartt, 32, |class| class.multiplicative_increase));
    visit("cfg_smartt_fair_increase", &lanes(&smartt, 30, |class| class.fair_increase));
}
