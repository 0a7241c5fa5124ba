//! The ports of `weft_smartt` by name.

use weft_bench::{Block, EventBlock, FromPorts, Visit, low16};
use weft_nic::block::smartt::{Case, Clocked, Event, Inputs, Kind, Outcome, Outputs};
use weft_nic::words::Packed;
use weft_params::{SmarttClass, SmarttCsr};

/// `weft_smartt`.
pub struct Dut;

/// The constants of all classes side by side, class 0 in the low bits.
pub fn lanes(csr: &SmarttCsr, bits: u32, constant: impl Fn(&SmarttClass) -> u32) -> [u64; 2] {
    csr.classes.iter().fold(Packed::default(), |packed, class| packed.put(constant(class), bits)).words()
}

impl Block for Dut {
    const TOP: &'static str = "weft_smartt";
    type Model = Clocked;
    type Csr = SmarttCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(model: &mut Clocked, csr: &SmarttCsr) {
        model.set_csr(*csr);
    }

    #[inline]
    fn clock(model: &mut Clocked, inputs: &Inputs) {
        model.clock(inputs);
    }

    #[inline]
    fn outputs(model: &Clocked) -> &Outputs {
        model.outputs()
    }

    fn show_csr(csr: &SmarttCsr, visit: &mut impl Visit) {
        visit("cfg_mtu", &lanes(csr, 14, |class| class.mtu_bytes)[..1]);
        visit("cfg_max_cwnd", &lanes(csr, 26, |class| class.max_cwnd_bytes));
        visit("cfg_fair_decrease", &lanes(csr, 26, |class| class.fair_decrease_bytes));
        visit("cfg_base_rtt", &lanes(csr, 16, |class| class.base_rtt_ticks)[..1]);
        visit("cfg_target_rtt", &lanes(csr, 16, |class| class.target_rtt_ticks)[..1]);
        visit("cfg_fast_rtt", &lanes(csr, 16, |class| class.fast_rtt_ticks)[..1]);
        visit("cfg_multiplicative_increase", &lanes(csr, 32, |class| class.multiplicative_increase));
        visit("cfg_fair_increase", &lanes(csr, 30, |class| class.fair_increase));
        visit("cfg_multiplicative_decrease", &[csr.multiplicative_decrease.into()]);
        visit("cfg_qa_scaling", &[csr.qa_scaling.into()]);
        visit("cfg_wtd_alpha", &[csr.wtd_alpha.into()]);
        visit("cfg_wtd_alphas", &words_of(&csr.wtd_alphas));
        visit("cfg_wtd_threshold", &[csr.wtd_threshold.into()]);
        visit("cfg_granularity", &[csr.granularity.into()]);
        visit("cfg_fast_mtus", &[csr.fast_mtus.into()]);
        visit("cfg_signals", &[csr.signals as u64]);
        visit("cfg_late_losses", &[csr.late_losses.into()]);
    }

    #[inline]
    fn show_inputs(inputs: &Inputs, visit: &mut impl Visit) {
        visit("rst", &[inputs.rst.into()]);
        visit("now", &[inputs.now.into()]);
        visit("s_axis_event_tvalid", &[inputs.event_valid.into()]);
        visit("s_axis_event_tid", &[inputs.event_id.into()]);
        visit("s_axis_event_tdata", &[inputs.event_data as u64, (inputs.event_data >> 64) as u64]);
        visit("s_axis_event_tuser", &[inputs.event_user.into()]);
        visit("m_axis_window_tready", &[inputs.window_ready.into()]);
    }

    #[inline]
    fn show_outputs(outputs: &Outputs, visit: &mut impl Visit) {
        visit("s_axis_event_tready", &[outputs.event_ready.into()]);
        visit("m_axis_window_tvalid", &[outputs.window_valid.into()]);
        visit("m_axis_window_tid", &[outputs.window_id.into()]);
        visit("m_axis_window_tdata", &[outputs.window_data.into()]);
        visit("m_axis_window_tuser", &[outputs.window_user.into()]);
        visit("stat_not_open_events", &[low16(outputs.not_open_events)]);
    }
}

impl FromPorts for Dut {
    fn outputs_from(next: &mut impl FnMut() -> u64) -> Outputs {
        Outputs {
            event_ready: next() != 0,
            window_valid: next() != 0,
            window_id: next() as u32,
            window_data: next() as u32,
            window_user: next() as u8,
            not_open_events: next() as u32,
        }
    }
}

/// An answer on its ports: tid, tdata, tuser.
pub type Answer = (u32, u32, u8);

impl EventBlock for Dut {
    type Event = Event;
    type Answer = Answer;

    #[inline]
    fn inputs(event: Option<&Event>, ready: bool) -> Inputs {
        let inputs = Inputs { window_ready: ready, ..Inputs::default() };
        event.map_or(inputs, |event| inputs.with_event(event))
    }

    fn reset(inputs: Inputs) -> Inputs {
        Inputs { rst: true, ..inputs }
    }

    #[inline]
    fn takes(outputs: &Outputs) -> bool {
        outputs.event_ready
    }

    fn answer(outputs: &Outputs) -> Option<Answer> {
        let Outputs { window_id, window_data, window_user, .. } = *outputs;
        outputs.window_valid.then_some((window_id, window_data, window_user))
    }
}

/// The answer on the ports.
pub fn outcome((connection, cwnd_bytes, user): Answer) -> Outcome {
    Outcome {
        kind: Kind::ALL[usize::from(user >> 5)],
        connection,
        accepted: user >> 4 & 1 == 1,
        case: Case::ALL[usize::from(user & 15)],
        cwnd_bytes,
    }
}

/// The weights of 2 to 16 packets, 8 bits each.
pub fn words_of(weights: &[u32; 15]) -> [u64; 2] {
    let all = weights.iter().rev().fold(0u128, |all, &weight| all << 8 | u128::from(weight));
    [all as u64, (all >> 64) as u64]
}
