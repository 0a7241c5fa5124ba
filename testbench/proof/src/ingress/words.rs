//! Words of the RTL as words of the model, and back: see `hdl/src/block/ingress/words.rs`.

pub use crate::pack;
use weft_nic::block::ingress::{Cause, Headers, Kind, Party};
use weft_nic::words::over::{Acknowledgement, Arrival};
use weft_symbolic::{Node, Symbolic, Term};

/// The bytes of a number, the first one on the wire in the low bits.
pub fn bytes(number: Node) -> Node {
    let bytes = number.width() / 8;
    pack((1..=bytes).map(|at| number.slice(8 * (bytes - at), 8)))
}

/// Arbitrary headers.
pub fn any_headers() -> Headers<Symbolic> {
    let word = |what: &str, at: usize| Term::variable(&format!("{what}{at:02}"));
    Headers {
        v4: Term::variable("v4"),
        v6: Term::variable("v6"),
        vlan: Term::variable("vlan"),
        ip: std::array::from_fn(|at| word("ip", 8 * at)),
        udp: std::array::from_fn(|at| word("udp", 8 * at)),
        bytes: Term::variable("bytes"),
    }
}

/// An arbitrary peer.
pub fn any_peer() -> Party<Symbolic> {
    Party {
        open: Term::variable("peer.open"),
        v6: Term::variable("peer.v6"),
        address: Term::variable("peer.address"),
        vlan: Term::variable("peer.vlan"),
        pkey: Term::variable("peer.pkey"),
    }
}

/// A peer as `Peer`.
pub fn peer(peer: &Party<Symbolic>) -> Node {
    pack([peer.open.node(), peer.v6.node(), peer.address.node(), peer.vlan.node(), peer.pkey.node()])
}

/// A frame with this code of a cause, or of a kind if no cause drops it, as `Verdict`.
pub fn verdict(kind: Node, cause: Node) -> Node {
    let causes = Cause::ALL[..8].iter().map(|one| cause.equals(Node::lit(4, one.code())));
    let kinds = [Kind::Data, Kind::Trimmed, Kind::Probe, Kind::Ack, Kind::Nack];
    let kinds = kinds.map(|one| kind.equals(Node::lit(3, one as u128)) & cause.is_zero());
    pack(causes.chain(kinds))
}

/// An arrival as the word of its port.
pub fn arrival(arrival: &Arrival<Symbolic>) -> Node {
    pack([
        arrival.kind.node(),
        arrival.psn.node(),
        arrival.ce.node(),
        arrival.request.node(),
        arrival.last.node(),
        arrival.solicited.node(),
        arrival.last_hop.node(),
        arrival.ev.node(),
        arrival.stamp.node(),
        arrival.address.node(),
        arrival.key.node(),
        arrival.bytes.node(),
        arrival.immediate.node(),
        arrival.message.node(),
    ])
}

/// An acknowledgement as the word of its port.
pub fn acknowledgement(ack: &Acknowledgement<Symbolic>) -> Node {
    let first = [ack.nack.node(), ack.expected.node(), ack.trigger.node()];
    let second = [
        ack.ce.node(),
        ack.ev.node(),
        ack.stamp.node(),
        ack.reason.node(),
        ack.there.node(),
        ack.marked.node(),
    ];
    let bitmap = ack.bitmap.map(Node::from);
    pack(first.into_iter().chain(bitmap).chain(second).chain(ack.evs.map(Node::from)))
}
