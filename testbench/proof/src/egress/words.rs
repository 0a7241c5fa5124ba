//! Words of the RTL as words of the model, and back: see `hdl/src/block/egress/words.rs`.

pub use crate::pack;
use weft_nic::block::egress::header::{self, Header};
use weft_nic::words::over::{EgressPeer, Fields, Order, Passed, Reply};
use weft_symbolic::{Node, Signals, Symbolic, Term};

/// The fields of a word in turn.
struct Slices {
    word: Node,
    at: usize,
}

impl Fields<Symbolic> for Slices {
    fn take<const W: usize>(&mut self) -> Term<W> {
        let field = Term::of(self.word.slice(self.at, W)).expect("as wide as asked for");
        self.at += W;
        field
    }
}

/// The reply in a word.
pub fn reply(word: Node) -> Reply<Symbolic> {
    Reply::of(&mut Slices { word, at: 0 })
}

/// The order in a word.
pub fn order(word: Node) -> Order<Symbolic> {
    Order::of(&mut Slices { word, at: 0 })
}

/// The word about the packets of a connection that have passed.
pub fn passed(word: Node) -> Passed<Symbolic> {
    Passed::of(&mut Slices { word, at: 0 })
}

/// The peer in a word.
pub fn peer(word: Node) -> EgressPeer<Symbolic> {
    EgressPeer::of(&mut Slices { word, at: 0 })
}

/// `Size` of a frame: its last packet's immediate, bytes of payload, and length of the UDP datagram in units of four
/// bytes.
pub fn size(peer: &EgressPeer<Symbolic>, immediate: Node, bytes: Node, udp_quads: Node) -> Node {
    let (v6, tagged) = (peer.v6.node(), peer.tagged.node());
    let lit = |value| Node::lit(12, value);
    // Ethernet and IPv4 have 34 bytes, of which two do not count.
    let outer = lit(8) + lit(5).when(v6, lit(0)) + tagged.widen(12);
    let words = (bytes + Node::lit(14, 63)).slice(6, 8);
    pack([v6, tagged, immediate, words, bytes.slice(0, 6), outer + udp_quads])
}

/// Bytes 0 to 183 of a header, the first one lowest, zeros behind its end.
pub fn bytes(header: &Header<Symbolic>) -> Node {
    let words = header.words().iter().map(|word| word.node());
    let words: Vec<Node> = words.map(|word| word.slice(0, 8).cat(word.slice(8, 8))).collect();
    pack(words.into_iter().chain(std::iter::repeat(Node::lit(16, 0))).take(92))
}

/// The CSRs at the ports.
pub fn csr(inputs: &Signals) -> Result<header::Csr<Symbolic>, weft_symbolic::SignalError> {
    Ok(header::Csr {
        mac: inputs.word("cfg_mac")?,
        ipv4: inputs.word("cfg_ipv4")?,
        ipv6: inputs.word("cfg_ipv6")?,
        hop_limit: inputs.word("cfg_hop_limit")?,
        dscp_data: inputs.word("cfg_dscp_data")?,
        dscp_again: inputs.word("cfg_dscp_again")?,
        dscp_control: inputs.word("cfg_dscp_control")?,
    })
}
