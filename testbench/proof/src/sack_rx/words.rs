//! Words of the RTL as words of the model, and back: see `hdl/src/block/sack_rx/words.rs`.

use crate::pack;
use weft_nic::block::sack_rx::{Published, Stimulus, Tail};
use weft_symbolic::{Node, Symbolic, Term};

/// `node` as a model word.
///
/// # Panics
/// The width is not `W`. The caller gives both widths.
pub fn word<const W: usize>(node: Node) -> Term<W> {
    Term::of(node).expect("a word of just this width")
}

/// An arbitrary event, without its tag.
pub fn any_stimulus() -> Stimulus<Symbolic> {
    Stimulus {
        kind: Term::variable("event.kind"),
        ce: Term::variable("event.ce"),
        request: Term::variable("event.request"),
        last: Term::variable("event.last"),
        psn: Term::variable("event.psn"),
        bytes: Term::variable("event.bytes"),
    }
}

/// An event, packed as `Event`.
pub fn event(stimulus: &Stimulus<Symbolic>, tag: Node) -> Node {
    pack([
        stimulus.kind.node(),
        stimulus.ce.node(),
        stimulus.request.node(),
        stimulus.last.node(),
        stimulus.psn.node(),
        stimulus.bytes.node(),
        tag,
    ])
}

/// Arbitrary published words.
pub fn any_published<const N: usize>(name: &str) -> Published<Symbolic, N> {
    Published {
        open: Term::variable(&format!("{name}.open")),
        origin: Term::variable(&format!("{name}.origin")),
        expected: Term::variable(&format!("{name}.expected")),
        messages: Term::variable(&format!("{name}.messages")),
    }
}

/// Published words, packed as `Seen`.
pub fn seen<const N: usize>(published: &Published<Symbolic, N>) -> Node {
    pack([
        published.open.node(),
        published.origin.node(),
        published.expected.node(),
        published.messages.node(),
    ])
}

/// Arbitrary counters.
pub fn any_tail<const S: usize>() -> Tail<Symbolic, S> {
    Tail {
        messages: Term::variable("tail.messages"),
        bytes: Term::variable("tail.bytes"),
        total: Term::variable("tail.total"),
        pending_packets: Term::variable("tail.pending_packets"),
        pending_bytes: Term::variable("tail.pending_bytes"),
    }
}

/// Counters, packed as `Tail`.
pub fn tail<const S: usize>(tail: &Tail<Symbolic, S>) -> Node {
    pack([
        tail.messages.node(),
        tail.bytes.node(),
        tail.total.node(),
        tail.pending_packets.node(),
        tail.pending_bytes.node(),
    ])
}

/// An outcome from the words in the slots and in the skid beside them: connection, packets that waited,
/// packets out of order, messages completed, all other data, flags. The messages have `N` bits, which are the last ones
/// in the skid for windows above 256 PSNs.
pub fn outcome<const N: usize>(slots: Node, skid: Node) -> Node {
    let id = slots.slice(392, slots.width() - 392);
    let (waited, completed) = if N == 9 { (19, 10) } else { (10, 18) };
    let counts = skid.slice(waited, 8).cat(slots.slice(384, 8)).cat(skid.slice(completed, N).widen(16));
    id.cat(counts).cat(slots.slice(0, 384)).cat(skid.slice(0, 10))
}
