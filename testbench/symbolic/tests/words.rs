//! Symbolic words have the meaning of concrete words.

use proptest::prelude::*;
use weft_symbolic::{Assignment, Node, Signals, Symbolic, Term, exactly_one, merge, paths};
use weft_word::{Bit, Concrete, Domain, Word};

/// Every operation of a word, each result named and widened to 128 bits.
fn operations<D: Domain>(
    a: D::Word<13>,
    b: D::Word<13>,
    bit: Bit<D>,
    distance: usize,
) -> Vec<(&'static str, D::Word<128>)> {
    vec![
        ("add", (a + b).widen()),
        ("sub", (a - b).widen()),
        ("and", (a & b).widen()),
        ("or", (a | b).widen()),
        ("xor", (a ^ b).widen()),
        ("not", (!a).widen()),
        ("equals", a.equals(b).widen()),
        ("less", a.less(b).widen()),
        ("at_most", a.at_most(b).widen()),
        ("after", a.after(b).widen()),
        ("is_zero", a.is_zero().widen()),
        ("when", a.when(bit, b).widen()),
        ("slice", a.slice::<3, 7>().widen()),
        ("cat", a.cat::<13, 26>(b).widen()),
        ("times", a.times::<13, 26>(b).widen()),
        ("shl", a.shl(distance).widen()),
        ("shr", a.shr(distance).widen()),
        ("bits", ((bit + bit) ^ (bit - a.slice::<0, 1>())).widen()),
        ("decide", if bit.decide() { a.widen() } else { b.widen() }),
        // Shapes that the folding rules look for.
        ("slices", a.slice::<4, 3>().cat::<4, 7>(a.slice::<0, 4>()).widen()),
        ("constants", ((a + D::lit(5)) - D::lit(8190) + D::lit(1)).widen()),
        ("choice", D::lit::<13>(3).when(bit, b).equals(D::lit(4)).widen()),
        ("either", D::lit::<2>(3).when(bit, b.slice::<0, 2>()).equals(D::lit(1)).widen()),
        ("or else", b.slice::<0, 2>().when(bit, D::lit(3)).equals(D::lit(1)).widen()),
        ("masked", (a & D::lit(0)).cat::<13, 26>(b | D::lit(8191)).widen()),
        ("widened", a.widen::<20>().equals(D::lit(77)).widen()),
        ("product", a.times::<13, 26>(D::lit(64)).widen()),
        ("ordered", (a.less(D::lit(0)) | D::lit::<13>(0).less(b)).widen()),
        ("inverted", (!a).equals(D::lit(1)).widen()),
    ]
}

proptest! {
    #[test]
    fn every_operation_agrees(a in 0u128..8192, b in 0u128..8192, bit in 0u128..2, distance in 0usize..16, near: bool) {
        let b = if near { (a + bit) % 8192 } else { b };
        let concrete = operations::<Concrete>(Concrete::lit(a), Concrete::lit(b), Concrete::lit(bit), distance);

        let (x, y, z) = (Term::<13>::variable("a"), Term::<13>::variable("b"), Term::<1>::variable("bit"));
        let mut assignment = Assignment::new();
        assignment.set(x, a);
        assignment.set(y, b);
        assignment.set(z, bit);
        let paths = paths(|| operations::<Symbolic>(x, y, z, distance));
        prop_assert_eq!(paths.len(), 2);
        let taken: Vec<_> = paths.iter().filter(|path| !assignment.eval(path.condition).is_zero()).collect();
        prop_assert_eq!(taken.len(), 1);
        for ((name, expected), (_, term)) in concrete.iter().zip(&taken[0].value) {
            prop_assert_eq!(assignment.eval(*term).to_u128(), Some(expected.value()), "{}", name);
        }

        // Constants fold to the same numbers.
        let folded = operations::<Symbolic>(Symbolic::lit(a), Symbolic::lit(b), Symbolic::lit(bit), distance);
        for ((name, expected), (_, term)) in concrete.iter().zip(&folded) {
            let value = term.node().value().and_then(|value| value.to_u128());
            prop_assert_eq!(value, Some(expected.value()), "{} folds", name);
        }
    }
}

/// A counter with several exits, early returns and a loop.
fn walk<D: Domain>(level: D::Word<4>, up: Bit<D>, down: Bit<D>, limit: D::Word<4>) -> (D::Word<4>, Bit<D>) {
    if (up & down).decide() {
        return (level, D::lit(0));
    }
    if up.decide() {
        if level.equals(limit).decide() {
            return (level, D::lit(1));
        }
        return (level + D::lit(1), D::lit(0));
    }
    for floor in [3, 1] {
        if (down & level.equals(D::lit(floor))).decide() {
            return (D::lit(0), D::lit(1));
        }
    }
    if down.decide() { (level - D::lit(1), D::lit(0)) } else { (level, D::lit(0)) }
}

#[test]
fn merged_paths_are_the_step() {
    let (level, limit) = (Term::<4>::variable("level"), Term::<4>::variable("limit"));
    let (up, down) = (Term::<1>::variable("up"), Term::<1>::variable("down"));
    let paths = paths(|| walk::<Symbolic>(level, up, down, limit));
    // Once down is known to be 0, or level to be 3, the decisions that follow do not fork.
    assert_eq!(paths.len(), 7);
    let merged = merge(&paths, |(level, hit)| Signals::new().with("level", *level).with("hit", *hit));
    let partition = exactly_one(&paths);
    for case in 0u128..1024 {
        let (l, m, u, d) = (case & 15, case >> 4 & 15, case >> 8 & 1, case >> 9);
        let mut assignment = Assignment::new();
        for (variable, value) in [(level.node(), l), (limit.node(), m), (up.node(), u), (down.node(), d)] {
            assignment.set(variable, value);
        }
        let (next, hit) =
            walk::<Concrete>(Concrete::lit(l), Concrete::lit(u), Concrete::lit(d), Concrete::lit(m));
        let value = |name| assignment.eval(merged.node(name).unwrap()).to_u128();
        assert_eq!(value("level"), Some(next.value()));
        assert_eq!(value("hit"), Some(hit.value()));
        assert_eq!(assignment.eval(partition).to_u128(), Some(1));
    }
}

#[test]
fn decisions_that_contradict_do_not_fork() {
    let x = Term::<8>::variable("x");
    let is = |value| x.equals(Symbolic::lit(value));
    let found = paths(|| (is(1).decide(), is(2).decide(), (is(1) | is(2)).decide(), is(1).decide()));
    let values: Vec<_> = found.iter().map(|path| path.value).collect();
    assert_eq!(values, [(true, false, true, true), (false, true, true, false), (false, false, false, false)]);
}

#[test]
fn half_a_fact_decides_nothing() {
    let [a, b, c] = ["a", "b", "c"].map(Term::<1>::variable);
    let found = paths(|| (a.decide(), b.decide(), (a & c).decide(), (b | c).decide()));
    let values: Vec<_> = found.iter().map(|path| path.value).collect();
    for (a, b, c) in (0..8).map(|case| (case & 1 == 1, case & 2 == 2, case & 4 == 4)) {
        assert!(values.contains(&(a, b, a & c, b | c)), "{a} {b} {c}: {values:?}");
    }
    assert_eq!(values.len(), 7);
}

#[test]
#[should_panic(expected = "must take the same decisions")]
fn a_step_with_a_memory_is_refused() {
    let count = std::cell::Cell::new(0);
    let (a, b) = (Term::<1>::variable("a"), Term::<1>::variable("b"));
    paths(|| {
        count.set(count.get() + 1);
        if count.get() == 2 { (b.decide(), a.decide()) } else { (a.decide(), b.decide()) }
    });
}

#[test]
#[should_panic(expected = "inside weft_symbolic::paths()")]
fn a_lone_symbolic_bit_cannot_be_decided() {
    Term::<1>::variable("a").decide();
}

#[test]
fn the_same_expression_is_the_same_node() {
    let (a, b) = (Node::variable("a", 200), Node::variable("b", 200));
    assert_eq!(a + b, b + a);
    assert_eq!(a - Node::lit(200, 1), a + !Node::lit(200, 0));
    assert_eq!(a.slice(100, 100).cat(a.slice(0, 100)), a);
    assert_ne!(a - b, b - a);
    assert_ne!(Node::variable("a", 201).width(), a.width());
}
