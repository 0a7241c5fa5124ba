//! No connection's event changes the state of another: compares the states of the models before and after a
//! clock.

use weft_nic::block::sack_rx::{self, SackRx};
use weft_nic::block::sack_tx::{self, SackTx};
use weft_nic::part::ring::Ring;
use weft_word::{Bits, Concrete};

/// The state of a connection as plain words.
pub(super) type State = Vec<u128>;

/// The states of a receiver. Every field is named, so that a new one is not forgotten.
pub(super) fn receiver(rx: &SackRx) -> Vec<State> {
    let state = |connection| {
        let sack_rx::State { published, received, last, tail } = rx.state(connection);
        let sack_rx::Published { open, origin, expected, messages } = published;
        let published = [open.value(), origin.value(), expected.value(), messages.value()];
        let sack_rx::Tail { messages, bytes, total, pending_packets, pending_bytes } = tail;
        let tail = [messages.value(), bytes.value(), total.value()];
        let pending = [pending_packets.value(), pending_bytes.value()];
        [&published[..], &tail, &pending, &halves(received), &halves(last)].concat()
    };
    (0..rx.params().connections).map(state).collect()
}

/// The states of a sender, in the same way.
pub(super) fn sender(tx: &SackTx) -> Vec<State> {
    let state = |connection| {
        let sack_tx::Flow {
            published, queued, left, head, tail, cwnd, since, retries, unacked, lost, ..
        } = tx.flow(connection);
        let sack_tx::Flow { probes, begun, peak, pace, verdicts, verdicts_before, .. } = tx.flow(connection);
        let sack_tx::Flow { former, nacked, nacked_before, horizon, .. } = tx.flow(connection);
        let sack_tx::Published { open, forfeit, origin, una, next, class, epoch, past } = published;
        let opening = [open.value(), forfeit.value(), origin.value(), class.value(), epoch.value()];
        let psns = [una.value(), next.value(), horizon.mark.value()];
        let times = [probes.value(), begun.value(), peak.value(), pace.value(), horizon.phase.value()];
        let turns = [horizon.older.value(), horizon.newer.value(), past.value(), former.value()];
        let judged = [verdicts.value(), verdicts_before.value(), nacked.value(), nacked_before.value()];
        let queue = [queued.value(), left.value(), head.value(), tail.value()];
        let counts = [cwnd.value(), since.value(), retries.value(), unacked.value(), lost.value()];
        let sack_tx::Rings { waiting, lost, age_low, age_high } = *tx.rings(connection);
        let rings = [waiting, lost, age_low, age_high].map(halves).concat();
        let sack_tx::Messages { ends, groups, account } = tx.messages(connection);
        let sack_tx::Ends { total, group: sack_tx::Group { ends, number } } = ends.get();
        let sack_tx::Account { posted, completed } = account.get();
        let messages = [total.value(), ends.value(), number.value(), posted.value(), completed.value()];
        let groups = groups.as_flattened().iter().copied().map(u128::from).collect::<Vec<_>>();
        [&opening[..], &psns, &times, &turns, &judged, &queue, &counts, &rings, &messages, &groups].concat()
    };
    (0..tx.params().connections).map(state).collect()
}

fn halves(Ring { limbs }: Ring<Concrete>) -> [u128; 2] {
    limbs.map(Bits::value)
}

/// The connections that changed.
pub(super) fn changed(before: &[State], after: &[State]) -> Vec<u32> {
    let pairs = before.iter().zip(after).zip(0..);
    pairs.filter(|((before, after), _)| before != after).map(|(_, connection)| connection).collect()
}
