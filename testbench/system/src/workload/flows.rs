//! A traffic trace on NICs: its plan, and the durations of its flows.

use super::build::{LONGEST, furnish, split};
use super::matrix::{ENDLESS, Flow, Matrix, Start};
use super::plan::{After, Fires, Message, Pairing, Places, Plan, Times};
use crate::network::pace::CLOCK_NS;
use std::collections::BTreeMap;
use weft_random::Rng;

/// Maximum number of bytes of all flows together: hosts store the bytes that they send and receive.
const MOST: u64 = 1 << 30;

/// The reason why this number of NICs cannot run the trace, if there is one.
pub(super) fn objection(matrix: &Matrix, nics: u32) -> Option<&'static str> {
    let bytes: u64 = matrix.flows().iter().map(|flow| flow.bytes).sum();
    if nics != matrix.nodes() {
        return Some("as many NICs as the trace has nodes");
    }
    if matrix.flows().iter().any(|flow| flow.bytes == ENDLESS) {
        return Some("flows that end: one of size 0 goes on for ever");
    }
    (bytes > MOST).then_some("a trace of at most 1 GiB in all")
}

/// A node is a NIC. All flows between two nodes, in both directions, share a connection.
pub(super) fn plan(matrix: &Matrix, rng: &mut Rng) -> Plan {
    let mut places: Vec<Places> = (0..matrix.nodes()).map(Places::of).collect();
    let mut plan = Plan { triggers: matrix.triggers(), ..Plan::default() };
    let mut pairings = BTreeMap::new();
    for &Flow { id, source, destination, bytes, start, send_done, recv_done } in matrix.flows() {
        let hosts = [source.min(destination), source.max(destination)];
        let pairing = *pairings.entry(hosts).or_insert_with(|| {
            plan.pairings.push(Pairing { hosts });
            plan.pairings.len() as u32 - 1
        });
        let (after, delay) = match start {
            Start::At(ps) => (None, ps.div_ceil(1_000 * CLOCK_NS)),
            Start::After { trigger, times } => (Some(After { trigger, times }), 0),
        };
        let whole = Message {
            pairing,
            side: usize::from(source > destination),
            local: places[source as usize].take(bytes, 0),
            remote: places[destination as usize].take(bytes, 0),
            // No longer than all together may be.
            length: bytes as u32,
            immediate: Some(id),
            after,
            delay,
            fires: Fires { sent: send_done, received: recv_done },
            sum: None,
        };
        split(whole, &mut plan);
    }
    furnish(&mut plan, &places, rng);
    plan
}

/// Times of each flow of a trace: when it could start, when it was first posted, and when it ended, which
/// means that sender and receiver know that all bytes have arrived. `messages` are the times of the messages
/// of its plan.
pub fn flow_times(matrix: &Matrix, messages: &[Times]) -> Vec<Times> {
    let mut rest = messages;
    let times = matrix.flows().iter().map(|flow| {
        let (own, others) = rest.split_at((flow.bytes.div_ceil(LONGEST.into()) as usize).min(rest.len()));
        rest = others;
        let (first, last) = (own.first().copied().unwrap_or_default(), own.last());
        Times { ended: last.and_then(|last| last.ended), ..first }
    });
    times.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::matrix::Unit;

    const TRACE: &str = "Nodes 3\nConnections 4\nTriggers 1\n\
        0->2 start 0.001 size 2097153 send_done_trigger 5\n\
        2->0 id 77 trigger 5 size 3\n\
        1->2 start 8 size 4 recv_done_trigger 5\n\
        0->2 trigger 5 size 5\n\
        trigger id 5 multishot\n";

    fn matrix() -> Matrix {
        Matrix::parse("trace", TRACE, Unit::Us).expect("a trace")
    }

    #[test]
    fn a_plan_does_what_the_trace_says() {
        let matrix = matrix();
        assert_eq!(objection(&matrix, 3), None);
        let plan = plan(&matrix, &mut Rng::new(1));
        // Both directions between 0 and 2 use one connection.
        assert_eq!(plan.pairings, [Pairing { hosts: [0, 2] }, Pairing { hosts: [1, 2] }]);
        let ends: Vec<_> = (0..6).map(|message| plan.ends(message)).collect();
        assert_eq!(ends, [(0, 2), (0, 2), (0, 2), (2, 0), (1, 2), (0, 2)]);
        let lengths: Vec<_> = plan.messages.iter().map(|message| message.length).collect();
        assert_eq!(lengths, [LONGEST, LONGEST, 1, 3, 4, 5]);
        let immediates: Vec<_> = plan.messages.iter().map(|message| message.immediate).collect();
        assert_eq!(immediates, [None, None, Some(1), Some(77), Some(3), Some(4)]);
        // 1 ns is one clock.
        let delays: Vec<_> = plan.messages.iter().map(|message| message.delay).collect();
        assert_eq!(delays, [1, 1, 1, 0, 2000, 0]);
        let after = |times| Some(After { trigger: 0, times });
        let waits: Vec<_> = plan.messages.iter().map(|message| message.after).collect();
        assert_eq!(waits, [None, None, None, after(1), None, after(2)]);
        let fires: Vec<_> =
            plan.messages.iter().map(|message| (message.fires.sent, message.fires.received)).collect();
        let none = (None, None);
        assert_eq!(fires, [none, none, (Some(0), None), none, (None, Some(0)), none]);
        assert_eq!(plan.triggers, 1);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert!(objection(&matrix(), 4).is_some());
        let most = |bytes: u32| {
            let text = format!("Nodes 2\nConnections 2\n0->1 start 0 size {bytes}\n1->0 start 0 size 1");
            Matrix::parse("trace", &text, Unit::Us).expect("a trace")
        };
        assert_eq!(objection(&most((1 << 30) - 1), 2), None);
        assert!(objection(&most(1 << 30), 2).is_some());
    }

    #[test]
    fn a_flow_takes_from_its_first_message_to_its_last() {
        let messages: Vec<Times> = (0..6)
            .map(|at| Times { due: Some(at), posted: Some(10 + at), ended: (at != 4).then_some(100 + at) })
            .collect();
        let times = |due, posted, ended| Times { due: Some(due), posted: Some(posted), ended };
        let flows =
            [times(0, 10, Some(102)), times(3, 13, Some(103)), times(4, 14, None), times(5, 15, Some(105))];
        assert_eq!(flow_times(&matrix(), &messages), flows);
        assert_eq!(flow_times(&matrix(), &[]), [Times::default(); 4]);
    }
}
