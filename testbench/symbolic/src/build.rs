//! Building expressions. Light folding only: every rule holds for all operand values, shortens
//! the expression, and looks one level deep.
//!
//! Arithmetic wraps. Division is SMT-LIB's: by 0, the quotient is all ones and the remainder is the
//! dividend.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Not, Rem, Sub};

use crate::graph::{Binary, Expr};
use crate::{Node, Value};

impl Node {
    fn is_zero_constant(self) -> bool {
        self.value().is_some_and(|value| value.is_zero())
    }

    fn is_ones_constant(self) -> bool {
        self.value().is_some_and(|value| value.is_ones())
    }

    fn is_complement_of(self, other: Self) -> bool {
        self.expr() == Expr::Not(other) || other.expr() == Expr::Not(self)
    }

    fn zero_like(self) -> Self {
        Node::constant(Value::zero(self.width()))
    }

    fn ones_like(self) -> Self {
        Node::constant(Value::ones(self.width()))
    }

    pub(crate) fn binary(op: Binary, a: Node, b: Node) -> Node {
        let width = a.width();
        assert_eq!(width, b.width(), "{op:?} needs operands of the same width");
        if let (Some(a), Some(b)) = (a.value(), b.value()) {
            return Node::constant(op.apply(&a, &b));
        }
        // The older operand first, constants last: swapped operands are the same node.
        let (a, b) = if op.commutes() && (a.value().is_some() || (b.value().is_none() && b < a)) {
            (b, a)
        } else {
            (a, b)
        };
        let folded = match op {
            Binary::Add | Binary::Sub if width == 1 => Some(a ^ b),
            Binary::Mul if width == 1 => Some(a & b),
            Binary::And => fold_and(a, b),
            Binary::Or => fold_or(a, b),
            Binary::Xor => fold_xor(a, b),
            Binary::Add => fold_add(a, b),
            Binary::Sub => fold_sub(a, b),
            Binary::Mul => fold_mul(a, b),
            Binary::Equal => fold_equal(a, b),
            Binary::Less => fold_less(a, b),
            Binary::ShiftLeft | Binary::ShiftRight => fold_shift(op, a, b),
            Binary::Div | Binary::Rem => None,
        };
        let width = if matches!(op, Binary::Equal | Binary::Less) { 1 } else { width };
        folded.unwrap_or_else(|| Node::intern(Expr::Binary(op, a, b), width))
    }

    /// 1 when both words are the same.
    pub fn equals(self, other: Self) -> Self {
        Self::binary(Binary::Equal, self, other)
    }

    /// 1 when `self < other`, unsigned.
    pub fn less(self, other: Self) -> Self {
        Self::binary(Binary::Less, self, other)
    }

    /// 1 when `self < other`, both two's complement.
    pub fn less_signed(self, other: Self) -> Self {
        let bias =
            Node::constant(Value::new(self.width(), num_bigint::BigUint::from(1u8) << (self.width() - 1)));
        (self ^ bias).less(other ^ bias)
    }

    /// `if condition { self } else { otherwise }`.
    pub fn when(self, condition: Self, otherwise: Self) -> Self {
        assert_eq!(condition.width(), 1, "a condition is a single bit");
        assert_eq!(self.width(), otherwise.width(), "both branches have the same width");
        fold_if(condition, self, otherwise)
            .unwrap_or_else(|| Node::intern(Expr::If(condition, self, otherwise), self.width()))
    }

    /// The `width` bits that start at bit `low`.
    pub fn slice(self, low: usize, width: usize) -> Self {
        assert!(width > 0 && low + width <= self.width(), "a slice lies inside its word");
        if width == self.width() {
            return self;
        }
        match self.expr() {
            Expr::Constant(value) => Node::constant(value.slice(low, width)),
            Expr::Slice(of, from) => of.slice(from + low, width),
            Expr::Concat(high, rest) if low >= rest.width() => high.slice(low - rest.width(), width),
            Expr::Concat(_, rest) if low + width <= rest.width() => rest.slice(low, width),
            Expr::Concat(high, rest) => {
                let from_rest = rest.width() - low;
                high.slice(0, width - from_rest).cat(rest.slice(low, from_rest))
            }
            _ => Node::intern(Expr::Slice(self, low), width),
        }
    }

    /// The concatenation of `self` above `low`.
    pub fn cat(self, low: Self) -> Self {
        match (self.expr(), low.expr()) {
            (Expr::Constant(a), Expr::Constant(b)) => return Node::constant(a.cat(&b)),
            (Expr::Slice(of, high), Expr::Slice(same, from)) if of == same && from + low.width() == high => {
                return of.slice(from, self.width() + low.width());
            }
            // Concatenations lean to the left, so that neighbours can meet.
            (_, Expr::Concat(middle, last)) => return self.cat(middle).cat(last),
            (Expr::Concat(first, middle), _) => {
                let joined = match (middle.expr(), low.expr()) {
                    (Expr::Constant(_), Expr::Constant(_)) => true,
                    (Expr::Slice(of, high), Expr::Slice(same, from)) => {
                        of == same && from + low.width() == high
                    }
                    _ => false,
                };
                if joined {
                    return first.cat(middle.cat(low));
                }
            }
            _ => {}
        }
        Node::intern(Expr::Concat(self, low), self.width() + low.width())
    }

    /// The number extended to `width` bits, which is at least the present width.
    pub fn widen(self, width: usize) -> Self {
        assert!(width >= self.width(), "widen() never narrows");
        if width == self.width() { self } else { Node::constant(Value::zero(width - self.width())).cat(self) }
    }

    /// The two's complement number extended to `width` bits.
    pub fn widen_signed(self, width: usize) -> Self {
        assert!(width >= self.width(), "widen_signed() never narrows");
        let sign = self.slice(self.width() - 1, 1);
        if width == self.width() {
            return self;
        }
        let zero = Node::constant(Value::zero(width - self.width()));
        (!zero).when(sign, zero).cat(self)
    }

    /// Shifted left by `by` bits; bits that leave the word are lost.
    pub fn shift_left(self, by: Self) -> Self {
        Self::binary(Binary::ShiftLeft, self, by)
    }

    /// The word shifted right by the number `by`; zeros enter.
    pub fn shift_right(self, by: Self) -> Self {
        Self::binary(Binary::ShiftRight, self, by)
    }

    /// The word shifted right by the number `by`; copies of the sign bit enter.
    pub fn shift_right_signed(self, by: Self) -> Self {
        let sign = self.slice(self.width() - 1, 1);
        (!(!self).shift_right(by)).when(sign, self.shift_right(by))
    }

    /// 1 unless `self` is 1 and `claim` is 0.
    pub fn implies(self, claim: Self) -> Self {
        !self | claim
    }

    /// 1 when the word is 0.
    pub fn is_zero(self) -> Self {
        self.equals(self.zero_like())
    }

    /// 1 when every one of `bits` is.
    pub fn all(bits: impl IntoIterator<Item = Self>) -> Self {
        bits.into_iter().fold(Node::bit(true), |all, bit| all & bit)
    }

    /// 1 when at least one of `bits` is.
    pub fn any(bits: impl IntoIterator<Item = Self>) -> Self {
        bits.into_iter().fold(Node::bit(false), |any, bit| any | bit)
    }
}

impl Not for Node {
    type Output = Self;

    fn not(self) -> Self {
        match self.expr() {
            Expr::Constant(value) => Node::constant(value.not()),
            Expr::Not(a) => a,
            _ => Node::intern(Expr::Not(self), self.width()),
        }
    }
}

macro_rules! operator {
    ($($Trait:ident $method:ident;)*) => {$(
        impl $Trait for Node {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                Node::binary(binary_of::$Trait, self, other)
            }
        }
    )*};
}

mod binary_of {
    #![allow(non_upper_case_globals, reason = "named after the operator traits")]
    use super::Binary;
    pub(super) const BitAnd: Binary = Binary::And;
    pub(super) const BitOr: Binary = Binary::Or;
    pub(super) const BitXor: Binary = Binary::Xor;
    pub(super) const Add: Binary = Binary::Add;
    pub(super) const Sub: Binary = Binary::Sub;
    pub(super) const Mul: Binary = Binary::Mul;
    pub(super) const Div: Binary = Binary::Div;
    pub(super) const Rem: Binary = Binary::Rem;
}

operator! {
    BitAnd bitand;
    BitOr bitor;
    BitXor bitxor;
    Add add;
    Sub sub;
    Mul mul;
    Div div;
    Rem rem;
}

// From here on: at most one operand is constant, and in an operation that commutes the constant is `b`.

fn fold_and(a: Node, b: Node) -> Option<Node> {
    if b.is_zero_constant() || a.is_complement_of(b) {
        Some(a.zero_like())
    } else if b.is_ones_constant() || a == b {
        Some(a)
    } else {
        None
    }
}

fn fold_or(a: Node, b: Node) -> Option<Node> {
    if b.is_ones_constant() || a.is_complement_of(b) {
        Some(a.ones_like())
    } else if b.is_zero_constant() || a == b {
        Some(a)
    } else {
        None
    }
}

fn fold_xor(a: Node, b: Node) -> Option<Node> {
    if a == b {
        Some(a.zero_like())
    } else if a.is_complement_of(b) {
        Some(a.ones_like())
    } else if b.is_zero_constant() {
        Some(a)
    } else if b.is_ones_constant() {
        Some(!a)
    } else {
        None
    }
}

fn fold_add(a: Node, b: Node) -> Option<Node> {
    let constant = b.value()?;
    if constant.is_zero() {
        return Some(a);
    }
    match a.expr() {
        Expr::Binary(Binary::Add, of, more) => {
            more.value().map(|more| of + Node::constant(more.add(&constant)))
        }
        _ => None,
    }
}

fn fold_sub(a: Node, b: Node) -> Option<Node> {
    if a == b {
        return Some(a.zero_like());
    }
    // `x - 1` and `x + 0xff` get one form.
    b.value().map(|constant| a + Node::constant(Value::zero(a.width()).sub(&constant)))
}

fn fold_mul(a: Node, b: Node) -> Option<Node> {
    let Some(constant) = b.value() else {
        // A product has no more bits than its factors together. So factors of different widths give the same node.
        let (width, bits) = (a.width(), significant(a) + significant(b));
        return (bits < width).then(|| (a.slice(0, bits) * b.slice(0, bits)).widen(width));
    };
    if constant.is_zero() {
        Some(b)
    } else if constant.number().count_ones() == 1 {
        let bits = constant.number().bits() - 1;
        Some(a.shift_left(Node::constant(Value::new(a.width(), bits))))
    } else {
        None
    }
}

/// Width of a word without its leading zeros, as far as they are constants.
fn significant(node: Node) -> usize {
    match node.expr() {
        Expr::Constant(value) => (value.number().bits() as usize).max(1),
        Expr::Concat(high, low) if high.value().is_some_and(|value| value.is_zero()) => significant(low),
        Expr::Concat(high, low) => significant(high) + low.width(),
        _ => node.width(),
    }
}

fn fold_equal(a: Node, b: Node) -> Option<Node> {
    if a == b {
        return Some(Node::bit(true));
    }
    if a.is_complement_of(b) {
        return Some(Node::bit(false));
    }
    if a.width() == 1 {
        return Some(!(a ^ b));
    }
    let constant = b.value()?;
    match a.expr() {
        Expr::Not(of) => Some(of.equals(!b)),
        // A choice between constants: the constants that cannot match drop out.
        Expr::If(condition, then, otherwise) => {
            let differs = |node: Node| node.value().is_some_and(|value| value != constant);
            if differs(then) {
                Some(!condition & otherwise.equals(b))
            } else if differs(otherwise) {
                Some(condition & then.equals(b))
            } else {
                None
            }
        }
        Expr::Concat(high, low) if high.value().is_some() || low.value().is_some() => {
            let split = |node: Node, from| node.equals(Node::constant(constant.slice(from, node.width())));
            Some(split(high, low.width()) & split(low, 0))
        }
        _ => None,
    }
}

fn fold_less(a: Node, b: Node) -> Option<Node> {
    if a == b || b.is_zero_constant() || a.is_ones_constant() {
        Some(Node::bit(false))
    } else if a.width() == 1 {
        Some(!a & b)
    } else if a.is_zero_constant() {
        Some(!b.is_zero())
    } else {
        None
    }
}

/// A constant distance is wiring.
fn fold_shift(op: Binary, a: Node, by: Node) -> Option<Node> {
    let width = a.width();
    if a.is_zero_constant() {
        return Some(a);
    }
    let by = by.value()?;
    let Some(bits) = by.distance(width) else { return Some(a.zero_like()) };
    if bits == 0 {
        return Some(a);
    }
    let zeros = Node::constant(Value::zero(bits));
    Some(match op {
        Binary::ShiftLeft => a.slice(0, width - bits).cat(zeros),
        _ => zeros.cat(a.slice(bits, width - bits)),
    })
}

fn fold_if(condition: Node, then: Node, otherwise: Node) -> Option<Node> {
    if then == otherwise {
        return Some(then);
    }
    match condition.expr() {
        Expr::Constant(value) => return Some(if value.is_zero() { otherwise } else { then }),
        Expr::Not(condition) => return Some(otherwise.when(condition, then)),
        _ => {}
    }
    if let Expr::If(same, inner, _) = then.expr()
        && same == condition
    {
        return Some(inner.when(condition, otherwise));
    }
    if let Expr::If(same, _, inner) = otherwise.expr()
        && same == condition
    {
        return Some(then.when(condition, inner));
    }
    if then.width() > 1 {
        return None;
    }
    if then.is_ones_constant() || then == condition {
        Some(condition | otherwise)
    } else if then.is_zero_constant() {
        Some(!condition & otherwise)
    } else if otherwise.is_zero_constant() || otherwise == condition {
        Some(condition & then)
    } else if otherwise.is_ones_constant() {
        Some(!condition | then)
    } else {
        None
    }
}
