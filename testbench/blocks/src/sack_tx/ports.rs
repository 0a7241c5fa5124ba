//! Reads the ports of the block.

use crate::lockstep::Ports;
use weft_nic::block::sack_tx::{Kind, Outcome, Outputs, Reason};

impl Ports for Outputs {
    fn ports(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("s_axis_event_tready", self.event_ready.into()),
            ("m_axis_outcome_tvalid", self.outcome_valid.into()),
            ("m_axis_outcome_tid", self.outcome_id.into()),
            ("m_axis_outcome_tuser", self.outcome_user.into()),
            ("m_axis_outcome_tdata[63:0]", self.outcome_data[0]),
            ("m_axis_outcome_tdata[127:64]", self.outcome_data[1]),
            ("m_axis_outcome_tdata[151:128]", self.outcome_data[2]),
            ("stat_not_open_events", self.not_open_events.into()),
            ("stat_never_sent", self.never_sent.into()),
            ("stat_stale", self.stale.into()),
            ("stat_refused", self.refused.into()),
        ]
    }
}

/// The outcome on `m_axis_outcome`.
pub fn outcome(outputs: &Outputs) -> Outcome {
    let Outputs { outcome_id, outcome_data: [a, b, c], outcome_user, .. } = *outputs;
    let flag = |bit: u32| outcome_user >> bit & 1 == 1;
    let word = u128::from(b) << 64 | u128::from(a);
    let number = |bit: u32| (word >> bit) as u16;
    Outcome {
        kind: Kind::ALL[usize::from(outcome_user & 7)],
        connection: outcome_id,
        accepted: flag(3),
        send: flag(4),
        fresh: flag(5),
        last: flag(6),
        failed: flag(7),
        reason: Reason::ALL[usize::from(outcome_user >> 8 & 3)],
        beyond: flag(10),
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
