//! The symbolic domain: words of a fixed width over the graph.

use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

use weft_word::{Domain, Word};

use crate::{Node, Value, paths};

/// The domain in which words are expressions and decisions fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbolic;

impl Domain for Symbolic {
    type Word<const W: usize> = Term<W>;
}

/// An expression of `W` bits, the word of [`Symbolic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Term<const W: usize>(Node);

impl<const W: usize> Term<W> {
    /// The free variable `name`.
    pub fn variable(name: &str) -> Self {
        Self(Node::variable(name, W))
    }

    /// The word of this node, if it has `W` bits.
    pub fn of(node: Node) -> Option<Self> {
        (node.width() == W).then_some(Self(node))
    }

    /// The node of this word.
    pub fn node(self) -> Node {
        self.0
    }
}

impl<const W: usize> From<Term<W>> for Node {
    fn from(term: Term<W>) -> Node {
        term.0
    }
}

macro_rules! operator {
    ($($Trait:ident $method:ident;)*) => {$(
        impl<const W: usize> $Trait for Term<W> {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        }
    )*};
}

operator! {
    Add add;
    Sub sub;
    BitAnd bitand;
    BitOr bitor;
    BitXor bitxor;
}

impl<const W: usize> Not for Term<W> {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl<const W: usize> Word<W> for Term<W> {
    type Domain = Symbolic;

    fn lit(value: u128) -> Self {
        const { assert!(W >= 1 && W <= 128, "a word has 1 to 128 bits") };
        assert!(W == 128 || value >> W == 0, "{value} does not fit in {W} bits");
        Self(Node::lit(W, value))
    }

    fn equals(self, other: Self) -> Term<1> {
        Term(self.0.equals(other.0))
    }

    fn less(self, other: Self) -> Term<1> {
        Term(self.0.less(other.0))
    }

    fn when(self, condition: Term<1>, otherwise: Self) -> Self {
        Self(self.0.when(condition.0, otherwise.0))
    }

    fn slice<const LOW: usize, const V: usize>(self) -> Term<V> {
        const { assert!(LOW + V <= W, "a slice lies inside its word") };
        Term(self.0.slice(LOW, V))
    }

    fn cat<const V: usize, const R: usize>(self, low: Term<V>) -> Term<R> {
        const { assert!(R == W + V, "a concatenation is as wide as its parts") };
        Term(self.0.cat(low.0))
    }

    fn widen<const V: usize>(self) -> Term<V> {
        const { assert!(V >= W, "widen() never narrows") };
        Term(self.0.widen(V))
    }

    fn times<const V: usize, const R: usize>(self, other: Term<V>) -> Term<R> {
        const { assert!(R == W + V && R <= 128, "a product is as wide as its factors together") };
        Term(self.0.widen(R) * other.0.widen(R))
    }

    fn shl(self, bits: usize) -> Self {
        Self(self.0.shift_left(distance::<W>(bits)))
    }

    fn shr(self, bits: usize) -> Self {
        Self(self.0.shift_right(distance::<W>(bits)))
    }

    fn decide(self) -> bool {
        const { assert!(W == 1, "only a single bit can be decided") };
        paths::decide(self.0)
    }
}

/// The constant `bits` as a word of `W` bits, for a shift by a distance below `W`.
fn distance<const W: usize>(bits: usize) -> Node {
    Node::constant(if bits < W { Value::new(W, bits) } else { Value::ones(W) })
}
