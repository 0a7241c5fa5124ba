//! Words of the RTL as words of the model, and back: see `hdl/src/block/receiver/words.rs`.

pub use crate::pack;
use weft_nic::block::receiver::rules::{Outcome, Region, Treatment};
use weft_nic::words::over::{Arrival, Reply};
use weft_symbolic::{Node, Symbolic, Term};

/// `node` as a model word of the width that the model requires.
fn word<const W: usize>(node: Node) -> Term<W> {
    Term::of(node).expect("a word of just this width")
}

/// An arbitrary region, and the region as `Region`.
pub fn any_region() -> (Region<Symbolic>, Node) {
    let region =
        Region { base: Term::variable("base"), length: Term::variable("length"), key: Term::variable("key") };
    (region, pack([region.base.node(), region.length.node(), region.key.node()]))
}

/// An arbitrary treatment.
pub fn any_treatment() -> Treatment<Symbolic> {
    let bit = |name: &str| Term::variable(name);
    Treatment { denied: bit("denied"), held: bit("held"), failed: bit("failed") }
}

/// An arbitrary packet.
pub fn any_arrival() -> Arrival<Symbolic> {
    Arrival {
        kind: Term::variable("arrival.kind"),
        psn: Term::variable("arrival.psn"),
        ce: Term::variable("arrival.ce"),
        request: Term::variable("arrival.request"),
        last: Term::variable("arrival.last"),
        solicited: Term::variable("arrival.solicited"),
        last_hop: Term::variable("arrival.last_hop"),
        ev: Term::variable("arrival.ev"),
        stamp: Term::variable("arrival.stamp"),
        address: Term::variable("arrival.address"),
        key: Term::variable("arrival.key"),
        bytes: Term::variable("arrival.bytes"),
        immediate: Term::variable("arrival.immediate"),
        message: Term::variable("arrival.message"),
    }
}

/// A packet of a connection as `Entry`, with this code of its kind.
pub fn entry(id: Node, kind: Node, arrival: &Arrival<Symbolic>) -> Node {
    pack([
        id.widen(14),
        kind,
        arrival.psn.node(),
        arrival.ce.node(),
        arrival.request.node(),
        arrival.last.node(),
        arrival.solicited.node(),
        arrival.last_hop.node(),
        arrival.stamp.node(),
        arrival.ev.node(),
        arrival.address.node(),
        arrival.key.node(),
        arrival.bytes.node(),
        arrival.immediate.node(),
        arrival.message.node(),
    ])
}

/// The outcome at its ports.
pub fn outcome(data: Node, user: Node) -> Outcome<Symbolic> {
    Outcome {
        kind: word(user.slice(0, 3)),
        accepted: word(user.slice(3, 1)),
        verdict: word(user.slice(4, 3)),
        response: word(user.slice(7, 2)),
        ce: word(user.slice(9, 1)),
        bitmap: std::array::from_fn(|at| word(data.slice(64 * at, 64))),
        expected: word(data.slice(256, 24)),
        psn: word(data.slice(280, 24)),
        messages: word(data.slice(304, 24)),
        received: word(data.slice(328, 24)),
        stamp: word(data.slice(352, 16)),
        ev: word(data.slice(368, 16)),
        completed: word(data.slice(384, 9).widen(11)),
        out_of_order: word(data.slice(400, 8)),
    }
}

/// A reply as the word of its port.
pub fn reply(reply: &Reply<Symbolic>) -> Node {
    let first = [reply.nack.node(), reply.cumulative.node(), reply.psn.node()];
    let second = [
        reply.ce.node(),
        reply.ev.node(),
        reply.stamp.node(),
        reply.out_of_order.node(),
        reply.received.node(),
        reply.messages.node(),
        reply.reason.node(),
        reply.probe.node(),
        reply.there.node(),
    ];
    let bitmap = reply.bitmap.map(Node::from);
    pack(first.into_iter().chain(bitmap).chain(second).chain(reply.evs.map(Node::from)))
}
