//! A claim that is true only because there are no cases is not proved.

use weft_symbolic::{Multiply, Node, Proof, Prover};

fn proved(assumptions: &[Node], claim: Node) -> bool {
    let mut proof = Proof::new(Prover { multiply: Multiply::Uninterpreted, ..Prover::default() });
    proof.claim("it", assumptions, claim).unwrap();
    println!("{proof}");
    proof.is_proved()
}

#[test]
fn a_claim_whose_assumptions_contradict_each_other_is_not_proved() {
    let (a, b) = (Node::variable("a", 8), Node::variable("b", 8));
    assert!(proved(&[a.less(b)], !b.less(a)));
    assert!(!proved(&[a.less(b), b.less(a)], Node::bit(false)));
    // An earlier claim does not hide the contradiction either.
    let mut proof = Proof::new(Prover::default());
    proof.claim("one", &[a.less(b)], !b.less(a)).unwrap();
    proof.claim("another", &[a.less(b), b.less(a)], !b.less(a)).unwrap();
    assert!(!proof.is_proved());
    assert!(proof.to_string().contains("what this assumes can hold: another"));
}

#[test]
fn assumptions_about_products_are_those_of_products() {
    let (a, b) = (Node::variable("a", 6), Node::variable("b", 6));
    let six = (a * b).equals(Node::lit(6, 6));
    assert!(proved(&[six, a.less(b)], !b.less(a)));
    let zero = a.is_zero() & !(a * b).is_zero();
    assert!(!proved(&[zero], Node::bit(true)));
}
