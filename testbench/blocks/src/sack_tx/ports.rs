//! The ports of `weft_sack_tx` by name.

use weft_bench::{Block, EventBlock, FromPorts, Visit, low16};
use weft_nic::block::sack_tx::{Clocked, Event, Inputs, Kind, Outcome, Outputs, Reason};
use weft_params::{SackTxClass, SackTxCsr};
use weft_word::{Bits, Stored};

/// `weft_sack_tx`.
pub type Dut = Windowed<8, 9, 2>;

/// `weft_sack_tx` with a window of 2^`S` PSNs; `N = S + 1`, `L` = 2^`S` / 128.
pub struct Windowed<const S: usize, const N: usize, const L: usize>;

impl<const S: usize, const N: usize, const L: usize> Block for Windowed<S, N, L>
where
    Bits<N>: Stored,
{
    const TOP: &'static str = "weft_sack_tx";
    type Model = Clocked<S, N, L>;
    type Csr = SackTxCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(model: &mut Clocked<S, N, L>, csr: &SackTxCsr) {
        model.set_csr(*csr);
    }

    #[inline]
    fn clock(model: &mut Clocked<S, N, L>, inputs: &Inputs) {
        model.clock(inputs);
    }

    #[inline]
    fn outputs(model: &Clocked<S, N, L>) -> &Outputs {
        model.outputs()
    }

    fn show_csr(csr: &SackTxCsr, visit: &mut impl Visit) {
        visit("cfg_mtu", &[csr.mtu_bytes.into()]);
        let names = ["cfg_gap", "cfg_rto", "cfg_epoch", "cfg_high", "cfg_backoff_limit", "cfg_retry_limit"];
        for (name, lanes) in names.into_iter().zip(classes(csr)) {
            visit(name, &[lanes]);
        }
    }

    #[inline]
    fn show_inputs(inputs: &Inputs, visit: &mut impl Visit) {
        visit("rst", &[inputs.rst.into()]);
        visit("now", &[inputs.now.into()]);
        visit("hold", &[inputs.hold.into()]);
        visit("query", &[inputs.query.into()]);
        visit("s_axis_event_tvalid", &[inputs.event_valid.into()]);
        visit("s_axis_event_tid", &[inputs.event_id.into()]);
        visit("s_axis_event_tdata", &inputs.event_data);
        visit("s_axis_event_tuser", &[inputs.event_user.into()]);
        visit("m_axis_outcome_tready", &[inputs.outcome_ready.into()]);
    }

    #[inline]
    fn show_outputs(outputs: &Outputs, visit: &mut impl Visit) {
        visit("s_axis_event_tready", &[outputs.event_ready.into()]);
        visit("sends", &[outputs.sends.into()]);
        visit("window_view", &outputs.window);
        visit("m_axis_outcome_tvalid", &[outputs.outcome_valid.into()]);
        visit("m_axis_outcome_tid", &[outputs.outcome_id.into()]);
        visit("m_axis_outcome_tdata", &outputs.outcome_data);
        visit("m_axis_outcome_tuser", &[outputs.outcome_user.into()]);
        visit("stat_not_open_events", &[low16(outputs.not_open_events)]);
        visit("stat_never_sent", &[low16(outputs.never_sent)]);
        visit("stat_stale", &[low16(outputs.stale)]);
        visit("stat_refused", &[low16(outputs.refused)]);
    }
}

impl<const S: usize, const N: usize, const L: usize> FromPorts for Windowed<S, N, L>
where
    Bits<N>: Stored,
{
    fn outputs_from(next: &mut impl FnMut() -> u64) -> Outputs {
        Outputs {
            event_ready: next() != 0,
            sends: next() != 0,
            window: std::array::from_fn(|_| next()),
            outcome_valid: next() != 0,
            outcome_id: next() as u32,
            outcome_data: std::array::from_fn(|_| next()),
            outcome_user: next() as u16,
            not_open_events: next() as u32,
            never_sent: next() as u32,
            stale: next() as u32,
            refused: next() as u32,
        }
    }
}

/// Fields of the four classes side by side, class 0 lowest: gap, RTO, epoch, high, limits of doublings and of
/// retries.
pub fn classes(csr: &SackTxCsr) -> [u64; 6] {
    let lanes = |bits: usize, of: fn(&SackTxClass) -> u32| {
        csr.classes.iter().rev().fold(0, |lanes, class| lanes << bits | u64::from(of(class)))
    };
    [
        lanes(8, |class| class.gap),
        lanes(16, |class| class.rto_ticks),
        lanes(15, |class| class.epoch_ticks),
        lanes(15, |class| class.high_ticks),
        lanes(3, |class| class.backoff_limit),
        lanes(10, |class| class.retry_limit),
    ]
}

/// An outcome.
pub type Answer = Outcome;

impl<const S: usize, const N: usize, const L: usize> EventBlock for Windowed<S, N, L>
where
    Bits<N>: Stored,
{
    type Event = Event;
    type Answer = Answer;
    const OWN_EVENTS: bool = true;

    #[inline]
    fn inputs(event: Option<&Event>, ready: bool) -> Inputs {
        let inputs = Inputs { outcome_ready: ready, ..Inputs::default() };
        event.map_or(inputs, |event| inputs.with_event(event))
    }

    fn at(now: u32, inputs: Inputs) -> Inputs {
        Inputs { now, ..inputs }
    }

    fn reset(inputs: Inputs) -> Inputs {
        Inputs { rst: true, ..inputs }
    }

    #[inline]
    fn takes(outputs: &Outputs) -> bool {
        outputs.event_ready
    }

    fn answer(outputs: &Outputs) -> Option<Answer> {
        outputs.outcome_valid.then(|| outcome(outputs))
    }
}

/// The outcome on `m_axis_outcome`.
pub fn outcome(outputs: &Outputs) -> Outcome {
    let Outputs { outcome_id, outcome_data: [a, b, c], outcome_user, .. } = *outputs;
    let flag = |bit: u32| outcome_user >> bit & 1 == 1;
    let word = u128::from(b) << 64 | u128::from(a);
    let number = |bit: u32| (word >> bit) as u16;
    Outcome {
        kind: Kind::ALL[usize::from(outcome_user & 7 | outcome_user >> 8 & 8)],
        connection: outcome_id,
        accepted: flag(3),
        send: flag(4),
        fresh: flag(5),
        last: flag(6),
        failed: flag(7),
        reason: Reason::ALL[usize::from(outcome_user >> 8 & 3)],
        beyond: flag(10),
        congested: flag(12),
        failure: flag(13),
        unsure: flag(14),
        psn: a as u32 & 0xFF_FFFF,
        acked: number(24),
        lost: number(40),
        completed: number(56),
        errors: number(72),
        unacked: number(88),
        in_flight: number(104),
        tag: (word >> 120) as u32 | (c as u32) << 8,
    }
}
