//! The ports of `weft_sender` by name.

use crate::pins::{Clocked, Pins};
use weft_nic::block::sender::{self, Control, Counters, Outputs};
use weft_nic::words::{Packed, Place, Work};
use weft_params::{SenderCsr, SmarttClass};

/// All input ports: those of the model, and the registers.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    /// What changes.
    pub ports: sender::Inputs,
    /// What stays.
    pub csr: SenderCsr,
}

/// The registers that tests begin with.
pub fn default_csr() -> SenderCsr {
    SenderCsr {
        mtu_shift: 12,
        idle_ticks: 0,
        sack: Default::default(),
        smartt: Default::default(),
        reps: Default::default(),
    }
}

impl Default for Inputs {
    fn default() -> Self {
        Self { ports: Default::default(), csr: default_csr() }
    }
}

fn work(work: &Work) -> [u64; 4] {
    Packed::default()
        .put(work.local, 64)
        .put(work.remote, 64)
        .put(work.key, 32)
        .put(work.length, 32)
        .put(work.immediate, 32)
        .put(work.id, 32)
        .words()
}

fn control(control: &Control) -> [u64; 2] {
    Packed::default()
        .put(control.kind as u8, 2)
        .put(control.psn, 24)
        .put(control.class, 2)
        .put(control.ev, 16)
        .put(control.seed, 32)
        .words()
}

fn place(place: &Place) -> [u64; 2] {
    Packed::default().put(place.address, 64).put(place.bytes, 14).words()
}

/// A constant of the four classes, side by side.
fn lanes<const N: usize>(
    classes: &[SmarttClass; 4],
    bits: u32,
    of: impl Fn(&SmarttClass) -> u32,
) -> [u64; N] {
    classes.iter().fold(Packed::default(), |packed, class| packed.put(of(class), bits)).words()
}

impl Pins for Inputs {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        let ports = &self.ports;
        visit("rst", &[ports.rst.into()]);
        visit("now", &[ports.now.into()]);
        let (id, word) = ports.work.unwrap_or_default();
        visit("s_axis_work_tvalid", &[ports.work.is_some().into()]);
        visit("s_axis_work_tid", &[id.into()]);
        visit("s_axis_work_tdata", &work(&word));
        visit("s_axis_work_tuser", &[word.with_immediate.into()]);
        let (id, word) = ports.acknowledgement.unwrap_or_default();
        visit("s_axis_acknowledgement_tvalid", &[ports.acknowledgement.is_some().into()]);
        visit("s_axis_acknowledgement_tid", &[id.into()]);
        visit("s_axis_acknowledgement_tdata", &word.words());
        let (id, word) = ports.control.unwrap_or_default();
        visit("s_axis_control_tvalid", &[ports.control.is_some().into()]);
        visit("s_axis_control_tid", &[id.into()]);
        visit("s_axis_control_tdata", &control(&word));
        visit("m_axis_fetch_tready", &[ports.fetch_ready.into()]);
        visit("m_axis_order_tready", &[ports.order_ready.into()]);
        visit("m_axis_sent_tready", &[ports.sent_ready.into()]);
        registers(&self.csr, visit);
    }
}

fn registers(csr: &SenderCsr, visit: &mut dyn FnMut(&'static str, &[u64])) {
    visit("cfg_mtu_shift", &[csr.mtu_shift.into()]);
    visit("cfg_idle", &[csr.idle_ticks.into()]);
    visit("cfg_sack_tx_gap", &[csr.sack.gap.into()]);
    visit("cfg_sack_tx_rto", &[csr.sack.rto_ticks.into()]);
    visit("cfg_sack_tx_backoff_limit", &[csr.sack.backoff_limit.into()]);
    visit("cfg_sack_tx_retry_limit", &[csr.sack.retry_limit.into()]);
    let smartt = &csr.smartt;
    let classes = &smartt.classes;
    visit("cfg_smartt_mtu", &lanes::<1>(classes, 14, |class| class.mtu_bytes));
    visit("cfg_smartt_max_cwnd", &lanes::<2>(classes, 26, |class| class.max_cwnd_bytes));
    visit("cfg_smartt_fair_decrease", &lanes::<2>(classes, 26, |class| class.fair_decrease_bytes));
    visit("cfg_smartt_base_rtt", &lanes::<1>(classes, 16, |class| class.base_rtt_ticks));
    visit("cfg_smartt_target_rtt", &lanes::<1>(classes, 16, |class| class.target_rtt_ticks));
    visit("cfg_smartt_fast_rtt", &lanes::<1>(classes, 16, |class| class.fast_rtt_ticks));
    visit(
        "cfg_smartt_multiplicative_increase",
        &lanes::<2>(classes, 32, |class| class.multiplicative_increase),
    );
    visit("cfg_smartt_fair_increase", &lanes::<2>(classes, 30, |class| class.fair_increase));
    visit("cfg_smartt_multiplicative_decrease", &[smartt.multiplicative_decrease.into()]);
    visit("cfg_smartt_qa_scaling", &[smartt.qa_scaling.into()]);
    visit("cfg_smartt_wtd_alpha", &[smartt.wtd_alpha.into()]);
    visit("cfg_smartt_wtd_threshold", &[smartt.wtd_threshold.into()]);
    visit("cfg_smartt_granularity", &[smartt.granularity.into()]);
    visit("cfg_smartt_fast_mtus", &[smartt.fast_mtus.into()]);
    visit("cfg_smartt_signals", &[smartt.signals as u64]);
    visit("cfg_smartt_late_losses", &[smartt.late_losses.into()]);
    let reps = &csr.reps;
    visit("cfg_reps_mode", &[reps.mode as u64]);
    visit("cfg_reps_ev_base", &[reps.ev_base.into()]);
    visit("cfg_reps_evs_size", &[reps.evs_size.into()]);
    visit("cfg_reps_freeze_timeout", &[reps.freeze_timeout_ticks.into()]);
    visit("cfg_reps_bdp_packets", &[reps.bdp_packets.into()]);
    visit("cfg_reps_trimming", &[reps.trimming.into()]);
    visit("cfg_reps_thaw_reset", &[reps.thaw_reset.into()]);
    visit("cfg_reps_rtt_high", &[reps.rtt_high_ticks.into()]);
    visit("cfg_reps_rtt_window", &[reps.rtt_window_ticks.into()]);
}

impl Pins for Outputs {
    fn pins(&self, visit: &mut dyn FnMut(&'static str, &[u64])) {
        visit("s_axis_work_tready", &[self.work_ready.into()]);
        visit("s_axis_acknowledgement_tready", &[self.acknowledgement_ready.into()]);
        visit("s_axis_control_tready", &[self.control_ready.into()]);
        visit("m_axis_fetch_tvalid", &[self.fetch.valid.into()]);
        visit("m_axis_fetch_tid", &[self.fetch.id.into()]);
        visit("m_axis_fetch_tdata", &place(&self.fetch.word));
        visit("m_axis_order_tvalid", &[self.order.valid.into()]);
        visit("m_axis_order_tid", &[self.order.id.into()]);
        visit("m_axis_order_tdata", &self.order.word.words());
        visit("m_axis_sent_tvalid", &[self.sent.valid.into()]);
        visit("m_axis_sent_tid", &[self.sent.id.into()]);
        visit("m_axis_sent_tdata", &[self.sent.word.id.into()]);
        visit("m_axis_sent_tuser", &[self.sent.word.status as u64]);
        counters(&self.counters, visit);
    }
}

fn counters(counters: &Counters, visit: &mut dyn FnMut(&'static str, &[u64])) {
    visit("stat_sack_tx_not_open_events", &[counters.sack_tx_not_open_events.into()]);
    visit("stat_sack_tx_never_sent", &[counters.sack_tx_never_sent.into()]);
    visit("stat_sack_tx_stale", &[counters.sack_tx_stale.into()]);
    visit("stat_sack_tx_refused", &[counters.sack_tx_refused.into()]);
    visit("stat_smartt_not_open_events", &[counters.smartt_not_open_events.into()]);
    visit("stat_reps_not_open_events", &[counters.reps_not_open_events.into()]);
    visit("stat_posted", &[counters.posted.into()]);
    visit("stat_refused", &[counters.refused.into()]);
    visit("stat_orders", &[counters.orders.into()]);
}

/// The model for lockstep runs. The registers are those of the last clock.
#[derive(Clone, Debug)]
pub struct Model {
    clocked: sender::Clocked,
    csr: SenderCsr,
}

impl Model {
    /// The model for so many connections.
    pub fn new(connections: u32, csr: SenderCsr) -> Self {
        Self { clocked: sender::Clocked::new(weft_params::SackParams { connections }, csr), csr }
    }
}

impl Clocked for Model {
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn outputs(&self) -> &Outputs {
        self.clocked.outputs()
    }

    fn clock(&mut self, inputs: &Inputs) {
        if inputs.csr != self.csr {
            self.csr = inputs.csr;
            self.clocked.set_csr(inputs.csr);
        }
        self.clocked.clock(&inputs.ports);
    }
}
