//! The ports of `weft_sack_rx` by name.

use weft_bench::{Block, EventBlock, FromPorts, Visit, low16};
use weft_nic::block::sack_rx::{Clocked, Event, Inputs, Outputs};
use weft_params::SackRxCsr;
use weft_word::{Bits, Stored};

/// `weft_sack_rx`.
pub type Dut = Windowed<8, 9, 2>;

/// `weft_sack_rx` with a window of 2^`S` PSNs; `N = S + 1`, `L` = 2^`S` / 128.
pub struct Windowed<const S: usize, const N: usize, const L: usize>;

impl<const S: usize, const N: usize, const L: usize> Block for Windowed<S, N, L>
where
    Bits<S>: Stored,
    Bits<N>: Stored,
{
    const TOP: &'static str = "weft_sack_rx";
    type Model = Clocked<S, N, L>;
    type Csr = SackRxCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(model: &mut Clocked<S, N, L>, csr: &SackRxCsr) {
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

    fn show_csr(csr: &SackRxCsr, visit: &mut impl Visit) {
        visit("cfg_ack_packets", &[csr.ack_packets.into()]);
        visit("cfg_ack_bytes", &[csr.ack_bytes.into()]);
    }

    #[inline]
    fn show_inputs(inputs: &Inputs, visit: &mut impl Visit) {
        visit("rst", &[inputs.rst.into()]);
        visit("s_axis_event_tvalid", &[inputs.event_valid.into()]);
        visit("s_axis_event_tid", &[inputs.event_id.into()]);
        visit("s_axis_event_tdata", &[inputs.event_data as u64, (inputs.event_data >> 64) as u64]);
        visit("s_axis_event_tuser", &[inputs.event_user.into()]);
        visit("m_axis_outcome_tready", &[inputs.outcome_ready.into()]);
    }

    #[inline]
    fn show_outputs(outputs: &Outputs, visit: &mut impl Visit) {
        visit("s_axis_event_tready", &[outputs.event_ready.into()]);
        visit("m_axis_outcome_tvalid", &[outputs.outcome_valid.into()]);
        visit("m_axis_outcome_tid", &[outputs.outcome_id.into()]);
        visit("m_axis_outcome_tdata", &outputs.outcome_data);
        visit("m_axis_outcome_tuser", &[outputs.outcome_user.into()]);
        visit("stat_not_open_events", &[low16(outputs.not_open_events)]);
        visit("stat_duplicates", &[low16(outputs.duplicates)]);
        visit("stat_outside", &[low16(outputs.outside)]);
    }
}

impl<const S: usize, const N: usize, const L: usize> FromPorts for Windowed<S, N, L>
where
    Bits<S>: Stored,
    Bits<N>: Stored,
{
    fn outputs_from(next: &mut impl FnMut() -> u64) -> Outputs {
        Outputs {
            event_ready: next() != 0,
            outcome_valid: next() != 0,
            outcome_id: next() as u32,
            outcome_data: std::array::from_fn(|_| next()),
            outcome_user: next() as u16,
            not_open_events: next() as u32,
            duplicates: next() as u32,
            outside: next() as u32,
        }
    }
}

/// An outcome on its ports: tid, tdata, tuser.
pub type Answer = (u32, [u64; 7], u16);

impl<const S: usize, const N: usize, const L: usize> EventBlock for Windowed<S, N, L>
where
    Bits<S>: Stored,
    Bits<N>: Stored,
{
    type Event = Event;
    type Answer = Answer;

    #[inline]
    fn inputs(event: Option<&Event>, ready: bool) -> Inputs {
        let inputs = Inputs { outcome_ready: ready, ..Inputs::default() };
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
        let Outputs { outcome_id, outcome_data, outcome_user, .. } = *outputs;
        outputs.outcome_valid.then_some((outcome_id, outcome_data, outcome_user))
    }
}
