//! The registers under test: their ports by name, and the RTL beside the model.

#![allow(dead_code, reason = "each test uses its part")]

use std::sync::Arc;
use verilator_sys::{Library, Reset};
use weft_blocks::pins::{self, Pins};
use weft_nic::block::registers::{Clocked, Inputs, Outputs};
use weft_nic::nic::AxilInputs;
use weft_nic::words::{Offer, Packed};
use weft_params::registers::{NicCsr, counters, offsets};
use weft_params::{SackParams, SmarttClass};

/// The inputs; what a port carries while its `valid` is low is junk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct In {
    pub(crate) ports: Inputs,
    pub(crate) junk: u64,
}

impl Pins for In {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        let Inputs { rst, axil, stats, .. } = &self.ports;
        let (data, strobes) = axil.write_data.unwrap_or((self.junk as u32, self.junk as u8 & 0xF));
        let address = |address: Option<u16>| address.unwrap_or(self.junk as u16).into();
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
        one("m_axis_ingress_peer_tready", self.ports.ingress_peer_ready.into());
        one("m_axis_egress_peer_tready", self.ports.egress_peer_ready.into());
        one("m_axis_receiver_control_tready", self.ports.receiver_control_ready.into());
        one("m_axis_sender_control_tready", self.ports.sender_control_ready.into());
        for (counter, &value) in counters().zip(stats) {
            let port = counter.port.as_ref().expect("a counter has a port");
            one(&port.name, value.into());
        }
    }
}

/// The outputs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Out {
    pub(crate) ports: Outputs,
    /// `cfg_smartt_signals` may be 3, which the struct cannot say.
    signals: u32,
}

impl Pins for Out {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        let axil = &self.ports.axil;
        let mut one = |name, value: u64| visit(name, &[value]);
        one("s_axil_awready", axil.write_address_ready.into());
        one("s_axil_wready", axil.write_data_ready.into());
        one("s_axil_bvalid", axil.write_done.into());
        one("s_axil_bresp", axil.write_response.into());
        one("s_axil_arready", axil.read_address_ready.into());
        one("s_axil_rvalid", axil.read_done.into());
        one("s_axil_rresp", axil.read_response.into());
        one("s_axil_rdata", axil.read_data.into());
        one("now", self.ports.now.into());
        one("cfg_smartt_signals", self.signals.into());
        self.stream(visit);
        config(&self.ports.csr, visit);
    }
}

impl Out {
    fn stream(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        let Outputs { ingress_peer, egress_peer, receiver_control, sender_control, .. } = &self.ports;
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
}

/// The `cfg_*` ports, by hand: what the description says of them is not asked.
fn config(csr: &NicCsr, visit: &mut dyn FnMut(&'static str, &[u64])) {
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
    one("cfg_sack_tx_gap", sack_tx.gap.into());
    one("cfg_sack_tx_rto", sack_tx.rto_ticks.into());
    one("cfg_sack_tx_backoff_limit", sack_tx.backoff_limit.into());
    one("cfg_sack_tx_retry_limit", sack_tx.retry_limit.into());
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
    let lanes = |bits, value: fn(&SmarttClass) -> u32| {
        smartt
            .classes
            .iter()
            .fold(Packed::<2>::default(), |lanes, class| lanes.put(value(class), bits))
            .words()
    };
    visit("cfg_smartt_mtu", &lanes(14, |class| class.mtu_bytes)[..1]);
    visit("cfg_smartt_max_cwnd", &lanes(26, |class| class.max_cwnd_bytes));
    visit("cfg_smartt_fair_decrease", &lanes(26, |class| class.fair_decrease_bytes));
    visit("cfg_smartt_base_rtt", &lanes(16, |class| class.base_rtt_ticks)[..1]);
    visit("cfg_smartt_target_rtt", &lanes(16, |class| class.target_rtt_ticks)[..1]);
    visit("cfg_smartt_fast_rtt", &lanes(16, |class| class.fast_rtt_ticks)[..1]);
    visit("cfg_smartt_multiplicative_increase", &lanes(32, |class| class.multiplicative_increase));
    visit("cfg_smartt_fair_increase", &lanes(30, |class| class.fair_increase));
}

/// The model with its ports by name.
pub(crate) struct Model {
    pub(crate) clocked: Clocked,
    out: Out,
}

impl Model {
    pub(crate) fn new(params: SackParams) -> Self {
        Self { clocked: Clocked::new(params), out: Out::default() }
    }
}

impl pins::Clocked for Model {
    type Inputs = In;
    type Outputs = Out;

    fn outputs(&self) -> &Out {
        &self.out
    }

    fn clock(&mut self, inputs: &In) {
        self.clocked.clock(&inputs.ports);
        let signals = self.clocked.stored(offsets::SMARTT_SIGNALS);
        self.out = Out { ports: *self.clocked.outputs(), signals };
    }
}

pub(crate) fn params(connections: u32) -> SackParams {
    SackParams { connections }
}

pub(crate) fn library(params: SackParams) -> Arc<Library> {
    let modules = weft_hdl::block::registers::emit(&params).unwrap_or_else(|error| panic!("{error}"));
    let top = "weft_registers";
    pins::build(top, &modules).load().unwrap_or_else(|error| panic!("{error}"))
}

/// Responses.
pub(crate) const OKAY: u8 = 0;
pub(crate) const SLVERR: u8 = 2;

/// A master that does one access after the other, on the RTL and the model at once.
pub(crate) struct Bench {
    pub(crate) inputs: Inputs,
    model: Model,
    rtl: pins::Rtl,
    cycle: u64,
}

impl Bench {
    /// In the first clock after reset.
    pub(crate) fn new(connections: u32) -> Self {
        let params = params(connections);
        let rtl = pins::Rtl::new(&library(params), Reset::Random(5)).expect("an instance");
        let mut bench = Self { inputs: Inputs::default(), model: Model::new(params), rtl, cycle: 0 };
        bench.reset();
        bench
    }

    pub(crate) fn reset(&mut self) {
        self.inputs.rst = true;
        self.clock();
        self.inputs.rst = false;
    }

    pub(crate) fn outputs(&self) -> &Outputs {
        &self.model.out.ports
    }

    /// A clock edge; RTL and model must agree after it.
    pub(crate) fn clock(&mut self) {
        let inputs = In { ports: self.inputs, junk: self.cycle.wrapping_mul(0x9E37_79B9_7F4A_7C15) };
        pins::Clocked::clock(&mut self.model, &inputs);
        self.rtl.clock(&inputs).expect("the RTL runs");
        self.cycle += 1;
        if let Some(mismatch) = self.rtl.compare(self.cycle, &self.model.out).expect("the ports are there") {
            panic!("{mismatch}");
        }
    }

    /// Clocks until `done` says so of the outputs.
    pub(crate) fn until(&mut self, done: impl Fn(&Outputs) -> bool) {
        for _ in 0..100 {
            if done(self.outputs()) {
                return;
            }
            self.clock();
        }
        panic!("it does not come");
    }

    pub(crate) fn offer_address(&mut self, offset: u16) {
        self.inputs.axil.write_address = Some(offset);
        self.until(|outputs| outputs.axil.write_address_ready);
        self.clock();
        self.inputs.axil.write_address = None;
    }

    pub(crate) fn offer_data(&mut self, data: u32, strobes: u8) {
        self.inputs.axil.write_data = Some((data, strobes));
        self.until(|outputs| outputs.axil.write_data_ready);
        self.clock();
        self.inputs.axil.write_data = None;
    }

    /// Takes the response of a write.
    pub(crate) fn written(&mut self) -> u8 {
        self.until(|outputs| outputs.axil.write_done);
        let response = self.outputs().axil.write_response;
        self.inputs.axil.write_ready = true;
        self.clock();
        self.inputs.axil.write_ready = false;
        response
    }

    /// Writes some bytes of a word.
    pub(crate) fn write_bytes(&mut self, offset: u16, data: u32, strobes: u8) -> u8 {
        self.offer_address(offset);
        self.offer_data(data, strobes);
        self.written()
    }

    /// Writes a word.
    pub(crate) fn write(&mut self, offset: u16, data: u32) -> u8 {
        self.write_bytes(offset, data, 0xF)
    }

    /// Reads a word: it and the response.
    pub(crate) fn read(&mut self, offset: u16) -> (u32, u8) {
        self.inputs.axil = AxilInputs { read_address: Some(offset), ..self.inputs.axil };
        self.until(|outputs| outputs.axil.read_address_ready);
        self.clock();
        self.inputs.axil.read_address = None;
        self.until(|outputs| outputs.axil.read_done);
        let answer = (self.outputs().axil.read_data, self.outputs().axil.read_response);
        self.inputs.axil.read_ready = true;
        self.clock();
        self.inputs.axil.read_ready = false;
        answer
    }
}
