//! The receiver's outcomes, in the form of its output ports.

use weft_nic::block::sack_rx;

/// The outcome on the receiver's ports.
pub(super) fn outcome(outputs: &sack_rx::Outputs) -> sack_rx::Outcome {
    let [a, b, c, d, e, f, g] = outputs.outcome_data;
    let user = outputs.outcome_user;
    sack_rx::Outcome {
        kind: sack_rx::Kind::ALL[usize::from(user & 7)],
        connection: outputs.outcome_id,
        accepted: user >> 3 & 1 == 1,
        verdict: sack_rx::Verdict::ALL[usize::from(user >> 4 & 7).min(4)],
        response: sack_rx::Response::ALL[usize::from(user >> 7 & 3).min(2)],
        ce: user >> 9 & 1 == 1,
        bitmap: [a, b, c, d],
        expected: e as u32 & 0xFF_FFFF,
        psn: (e >> 24) as u32 & 0xFF_FFFF,
        messages: (e >> 48) as u32 | (f as u32 & 0xFF) << 16,
        received: (f >> 8) as u32 & 0xFF_FFFF,
        tag: (f >> 32) as u32,
        completed: g as u16,
        out_of_order: (g >> 16) as u8,
        waited: (g >> 24) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_come_back_from_the_ports() {
        let outcome = sack_rx::Outcome {
            kind: sack_rx::Kind::Trimmed,
            connection: 3,
            accepted: true,
            verdict: sack_rx::Verdict::Trimmed,
            response: sack_rx::Response::Nack,
            ce: true,
            bitmap: [1, 2, 3, u64::MAX],
            expected: 0xAB_CDEF,
            psn: 0x12_3456,
            messages: 0xFE_DCBA,
            received: 0x65_4321,
            tag: 0x9876_5432,
            completed: 256,
            out_of_order: 255,
            waited: 254,
        };
        let outputs = sack_rx::Outputs {
            outcome_id: outcome.connection,
            outcome_data: outcome.data(),
            outcome_user: outcome.user(),
            ..sack_rx::Outputs::default()
        };
        assert_eq!(super::outcome(&outputs), outcome);
    }
}
