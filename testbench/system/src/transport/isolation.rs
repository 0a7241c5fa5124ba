//! No connection's event changes the state of another: the states of the models before and after a clock.

use weft_nic::block::sack_rx::SackRx;
use weft_nic::block::sack_tx::SackTx;
use weft_nic::part::ring::Ring;
use weft_word::Concrete;

/// The state of a connection, whatever its words mean.
pub(super) type State = Vec<u128>;

/// The states of a receiver.
pub(super) fn receiver(rx: &SackRx) -> Vec<State> {
    (0..rx.params().connections)
        .map(|connection| {
            let state = rx.state(connection);
            let (published, tail) = (&state.published, &state.tail);
            let mut words = vec![
                published.open.value(),
                published.origin.value(),
                published.expected.value(),
                published.messages.value(),
                tail.messages.value(),
                tail.bytes.value(),
                tail.total.value(),
                tail.pending_packets.value(),
                tail.pending_bytes.value(),
            ];
            words.extend([state.received, state.last].into_iter().flat_map(halves));
            words
        })
        .collect()
}

/// The states of a sender.
pub(super) fn sender(tx: &SackTx) -> Vec<State> {
    (0..tx.params().connections)
        .map(|connection| {
            let (flow, rings) = (tx.flow(connection), tx.rings(connection));
            let published = &flow.published;
            let mut words = vec![
                published.open.value(),
                published.origin.value(),
                published.una.value(),
                published.next.value(),
                published.judged.value(),
                flow.queued.value(),
                flow.left.value(),
                flow.head.value(),
                flow.tail.value(),
                flow.cwnd.value(),
                flow.since.value(),
                flow.retries.value(),
                flow.unacked.value(),
                flow.lost.value(),
                tx.pending(connection).into(),
            ];
            words.extend([rings.acked, rings.lost, rings.last].into_iter().flat_map(halves));
            words
        })
        .collect()
}

fn halves(ring: Ring<Concrete>) -> [u128; 2] {
    [ring.low.value(), ring.high.value()]
}

/// The connections that changed.
pub(super) fn changed(before: &[State], after: &[State]) -> Vec<u32> {
    let pairs = before.iter().zip(after).zip(0..);
    pairs.filter(|((before, after), _)| before != after).map(|(_, connection)| connection).collect()
}
