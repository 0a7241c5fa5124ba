//! Rings as words with a bit for each slot, and what the model finds in such a word.

use crate::pack;
use weft_nic::part::ring::Ring;
use weft_symbolic::{Node, Substitution, Symbolic, Term};
use weft_word::{Domain, Word};

/// A ring as one word, slot 0 the lowest bit.
pub fn word<const L: usize>(ring: Ring<Symbolic, L>) -> Node {
    pack(ring.limbs.map(|limb| limb.node()))
}

/// A word with a bit for each slot as a ring.
///
/// # Panics
/// The width is not that of the ring.
pub fn ring<const L: usize>(node: Node) -> Ring<Symbolic, L> {
    assert_eq!(node.width(), Ring::<Symbolic, L>::SLOTS as usize, "a bit for each slot");
    Ring { limbs: std::array::from_fn(|limb| Term::of(node.slice(128 * limb, 128)).expect("a limb")) }
}

/// Puts arbitrary words in place of the numbers of slots that are set in each limb. Returns the assumptions that they are
/// 128 at most.
pub fn counted<const L: usize>(name: &str, ring: Ring<Symbolic, L>, counts: &mut Substitution) -> Vec<Node> {
    let few = ring.limbs.iter().enumerate().map(|(number, limb)| {
        let count = Symbolic::ones(*limb).node();
        let any = Node::variable(&format!("{name} in limb {number}"), count.width());
        counts.replace(count, any);
        any.less(Node::lit(any.width(), 129))
    });
    few.collect()
}

/// The instances that handle 256 slots each of a ring: the `first`, and one of the array `others` for each of the other
/// blocks.
pub fn blocks<const L: usize>(first: &str, others: &str) -> Vec<String> {
    let others = (1..L / 2).map(|block| format!("{others}_{}", block - 1));
    std::iter::once(first.to_owned()).chain(others).collect()
}

/// The first slot of 256 that is set, from a slot on: whether there is one, and its number, which is arbitrary if
/// there is none.
pub fn first_of(slots: Node, start: Node, name: &str) -> (Node, Node) {
    let (found, first) = ring::<2>(slots).first_from(term::<8>(start));
    let any = Term::variable(&format!("{name}: index of none"));
    (found.node(), first.when(found, any).node())
}

/// A port as a term of its width.
///
/// # Panics
/// The port has another width.
pub fn term<const W: usize>(node: Node) -> Term<W> {
    Term::of(node).expect("a port of just this width")
}
