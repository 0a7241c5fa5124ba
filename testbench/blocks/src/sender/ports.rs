//! The ports of `weft_sender` by name.

use crate::sack_tx::classes as transport_classes;
use crate::smartt::{lanes, words_of};
use crate::stream::{offered, taken};
use weft_bench::{Block, Visit, low16};
use weft_nic::block::sender::{Clocked, Counters, Inputs, Outputs};
use weft_nic::words::{Packed, Status};
use weft_params::SenderCsr;

/// `weft_sender`.
pub type Dut = Windowed<256>;

/// `weft_sender` with a window of `PSNS`.
pub struct Windowed<const PSNS: u32>;

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

impl<const PSNS: u32> Block for Windowed<PSNS> {
    const TOP: &'static str = "weft_sender";
    const LATE: &'static [&'static str] = &[
        "stat_probes",
        "stat_recovery",
        "stat_paths",
        "stat_window",
        "stat_rtt",
        "stat_rtt_latest",
        "stat_rtt_smallest",
    ];
    type Model = Clocked;
    type Csr = SenderCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(model: &mut Clocked, csr: &SenderCsr) {
        model.set_csr(*csr);
    }

    fn clock(model: &mut Clocked, inputs: &Inputs) {
        model.clock(inputs);
    }

    fn outputs(model: &Clocked) -> &Outputs {
        model.outputs()
    }

    fn show_csr(csr: &SenderCsr, visit: &mut impl Visit) {
        visit("cfg_mtu_shift", &[csr.mtu_shift.into()]);
        visit("cfg_idle", &[csr.idle_ticks.into()]);
        let [gap, rto, epoch, high, backoff_limit, retry_limit] = transport_classes(&csr.sack);
        visit("cfg_sack_tx_gap", &[gap]);
        visit("cfg_sack_tx_rto", &[rto]);
        visit("cfg_sack_tx_epoch", &[epoch]);
        visit("cfg_sack_tx_high", &[high]);
        visit("cfg_sack_tx_backoff_limit", &[backoff_limit]);
        visit("cfg_sack_tx_retry_limit", &[retry_limit]);
        let smartt = &csr.smartt;
        visit("cfg_smartt_mtu", &lanes(smartt, 14, |class| class.mtu_bytes)[..1]);
        visit("cfg_smartt_max_cwnd", &lanes(smartt, 26, |class| class.max_cwnd_bytes));
        visit("cfg_smartt_fair_decrease", &lanes(smartt, 26, |class| class.fair_decrease_bytes));
        visit("cfg_smartt_base_rtt", &lanes(smartt, 16, |class| class.base_rtt_ticks)[..1]);
        visit("cfg_smartt_target_rtt", &lanes(smartt, 16, |class| class.target_rtt_ticks)[..1]);
        visit("cfg_smartt_fast_rtt", &lanes(smartt, 16, |class| class.fast_rtt_ticks)[..1]);
        visit(
            "cfg_smartt_multiplicative_increase",
            &lanes(smartt, 32, |class| class.multiplicative_increase),
        );
        visit("cfg_smartt_fair_increase", &lanes(smartt, 30, |class| class.fair_increase));
        visit("cfg_smartt_multiplicative_decrease", &[smartt.multiplicative_decrease.into()]);
        visit("cfg_smartt_qa_scaling", &[smartt.qa_scaling.into()]);
        visit("cfg_smartt_wtd_alpha", &[smartt.wtd_alpha.into()]);
        visit("cfg_smartt_wtd_alphas", &words_of(&smartt.wtd_alphas));
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

    fn show_inputs(inputs: &Inputs, visit: &mut impl Visit) {
        visit("rst", &[inputs.rst.into()]);
        visit("now", &[inputs.now.into()]);
        taken!(visit, "work", inputs.work, user);
        taken!(visit, "acknowledgement", inputs.acknowledgement);
        taken!(visit, "control", inputs.control);
        let (id, cause) = inputs.failure.unwrap_or_default();
        visit("s_axis_failure_tvalid", &[inputs.failure.is_some().into()]);
        visit("s_axis_failure_tid", &[id.into()]);
        visit("s_axis_failure_tuser", &[(cause == Status::Broken).into()]);
        visit("m_axis_failed_tready", &[inputs.failed_ready.into()]);
        visit("m_axis_fetch_tready", &[inputs.fetch_ready.into()]);
        visit("m_axis_order_tready", &[inputs.order_ready.into()]);
        visit("m_axis_sent_tready", &[inputs.sent_ready.into()]);
        visit("m_axis_freeze_tready", &[inputs.freeze_ready.into()]);
        visit("m_axis_drained_tready", &[inputs.drained_ready.into()]);
        visit("query", &[inputs.query.into()]);
    }

    fn show_outputs(outputs: &Outputs, visit: &mut impl Visit) {
        visit("s_axis_work_tready", &[outputs.work_ready.into()]);
        visit("s_axis_acknowledgement_tready", &[outputs.acknowledgement_ready.into()]);
        visit("s_axis_control_tready", &[outputs.control_ready.into()]);
        offered!(visit, "fetch", outputs.fetch);
        offered!(visit, "order", outputs.order);
        visit("m_axis_passed_tvalid", &[outputs.passed.valid.into()]);
        visit("m_axis_passed_tid", &[outputs.passed.id.into()]);
        visit("m_axis_passed_tdata", &[outputs.passed.word.word(PSNS)]);
        offered!(visit, "sent", outputs.sent, user);
        visit("m_axis_freeze_tvalid", &[outputs.freeze.valid.into()]);
        visit("m_axis_freeze_tid", &[outputs.freeze.id.into()]);
        visit("m_axis_freeze_tuser", &[outputs.freeze.word.into()]);
        visit("m_axis_drained_tvalid", &[outputs.drained.valid.into()]);
        visit("m_axis_drained_tid", &[outputs.drained.id.into()]);
        visit("s_axis_failure_tready", &[outputs.failure_ready.into()]);
        visit("m_axis_failed_tvalid", &[outputs.failed.valid.into()]);
        visit("m_axis_failed_tid", &[outputs.failed.id.into()]);
        visit("m_axis_failed_tuser", &[outputs.failed.word.into()]);
        visit("window_view", &outputs.window);
        counters(&outputs.counters, visit);
    }
}

fn counters(counters: &Counters, visit: &mut impl Visit) {
    visit("stat_sack_tx_not_open_events", &[low16(counters.sack_tx_not_open_events)]);
    visit("stat_sack_tx_never_sent", &[low16(counters.sack_tx_never_sent)]);
    visit("stat_sack_tx_stale", &[low16(counters.sack_tx_stale)]);
    visit("stat_sack_tx_refused", &[low16(counters.sack_tx_refused)]);
    visit("stat_smartt_not_open_events", &[low16(counters.smartt_not_open_events)]);
    visit("stat_reps_not_open_events", &[low16(counters.reps_not_open_events)]);
    visit("stat_posted", &[low16(counters.posted)]);
    visit("stat_refused", &[low16(counters.refused)]);
    visit("stat_orders", &[low16(counters.orders)]);
    visit("stat_probes", &[low16(counters.recovery.lost_by_probe)]);
    let Counters { recovery, paths, window, rtt, .. } = counters;
    let words = Packed::<3>::default()
        .put(recovery.again, 16)
        .put(recovery.lost_by_nack, 24)
        .put(recovery.lost_by_verdict, 24)
        .put(recovery.lost_by_timeout, 24)
        .put(recovery.timeouts, 16)
        .put(recovery.spurious_timeouts, 16)
        .put(recovery.unanswered, 16)
        .put(recovery.denied, 16);
    visit("stat_recovery", &words.words());
    let of_paths = [paths.explored, paths.recycled, paths.reused, paths.freezes, paths.thaws];
    let words = of_paths.iter().fold(Packed::<2>::default(), |words, count| words.put(*count, 16));
    visit("stat_paths", &words.words());
    visit("stat_window", &[low16(window.marks) | low16(window.floors) << 16]);
    let words = rtt.bins.iter().fold(Packed::<4>::default(), |words, count| words.put(*count, 16));
    visit("stat_rtt", &words.words());
    visit("stat_rtt_latest", &[rtt.latest.into()]);
    visit("stat_rtt_smallest", &[rtt.smallest.into()]);
}
