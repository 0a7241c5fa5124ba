//! The ports of `weft_reps` by name.

use weft_bench::{Block, EventBlock, FromPorts, Visit, low16};
use weft_nic::block::reps::{Clocked, Event, Inputs, Kind, Outcome, Outputs, Source};
use weft_params::RepsCsr;

/// `weft_reps`.
pub struct Dut;

impl Block for Dut {
    const TOP: &'static str = "weft_reps";
    type Model = Clocked;
    type Csr = RepsCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(model: &mut Clocked, csr: &RepsCsr) {
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

    fn show_csr(csr: &RepsCsr, visit: &mut impl Visit) {
        visit("cfg_mode", &[csr.mode as u64]);
        visit("cfg_ev_base", &[csr.ev_base.into()]);
        visit("cfg_evs_size", &[csr.evs_size.into()]);
        visit("cfg_freeze_timeout", &[csr.freeze_timeout_ticks.into()]);
        visit("cfg_bdp_packets", &[csr.bdp_packets.into()]);
        visit("cfg_trimming", &[csr.trimming.into()]);
        visit("cfg_thaw_reset", &[csr.thaw_reset.into()]);
        visit("cfg_rtt_high", &[csr.rtt_high_ticks.into()]);
        visit("cfg_rtt_window", &[csr.rtt_window_ticks.into()]);
    }

    #[inline]
    fn show_inputs(inputs: &Inputs, visit: &mut impl Visit) {
        visit("rst", &[inputs.rst.into()]);
        visit("now", &[inputs.now.into()]);
        visit("s_axis_event_tvalid", &[inputs.event_valid.into()]);
        visit("s_axis_event_tid", &[inputs.event_id.into()]);
        visit("s_axis_event_tdata", &[inputs.event_data.into()]);
        visit("s_axis_event_tuser", &[inputs.event_user.into()]);
        visit("m_axis_decision_tready", &[inputs.decision_ready.into()]);
    }

    #[inline]
    fn show_outputs(outputs: &Outputs, visit: &mut impl Visit) {
        visit("s_axis_event_tready", &[outputs.event_ready.into()]);
        visit("m_axis_decision_tvalid", &[outputs.decision_valid.into()]);
        visit("m_axis_decision_tid", &[outputs.decision_id.into()]);
        visit("m_axis_decision_tdata", &[outputs.decision_data.into()]);
        visit("m_axis_decision_tuser", &[outputs.decision_user.into()]);
        visit("stat_not_open_events", &[low16(outputs.not_open_events)]);
    }
}

impl FromPorts for Dut {
    fn outputs_from(next: &mut impl FnMut() -> u64) -> Outputs {
        Outputs {
            event_ready: next() != 0,
            decision_valid: next() != 0,
            decision_id: next() as u32,
            decision_data: next() as u16,
            decision_user: next() as u8,
            not_open_events: next() as u32,
        }
    }
}

/// A decision on its ports: tid, tdata, tuser.
pub type Answer = (u32, u16, u8);

impl EventBlock for Dut {
    type Event = Event;
    type Answer = Answer;

    #[inline]
    fn inputs(event: Option<&Event>, ready: bool) -> Inputs {
        let inputs = Inputs { decision_ready: ready, ..Inputs::default() };
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
        let Outputs { decision_id, decision_data, decision_user, .. } = *outputs;
        outputs.decision_valid.then_some((decision_id, decision_data, decision_user))
    }
}

/// The decision on the ports.
pub fn outcome((connection, ev, user): Answer) -> Outcome {
    Outcome {
        kind: Kind::ALL[usize::from(user & 7)],
        connection,
        accepted: user >> 3 & 1 == 1,
        source: Source::ALL[usize::from(user >> 4 & 3)],
        ev,
        frozen: user >> 6 & 1 == 1,
        turned: user >> 7 & 1 == 1,
    }
}
