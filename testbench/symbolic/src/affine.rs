//! Bits that are sums modulo 2 of the bits of variables. Two such maps are equal if and only if their sums are the same.

use std::collections::HashMap;
use std::ops::BitXor;
use std::rc::Rc;

use crate::Node;
use crate::graph::{Binary, Expr, cone};

/// A sum modulo 2 of numbered bits and, if `one` is set, of the constant 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    bits: Vec<u64>,
    one: bool,
}

impl Sum {
    /// The empty sum, of `bits` bits.
    pub fn zero(bits: usize) -> Self {
        Self { bits: vec![0; bits.div_ceil(64)], one: false }
    }

    /// The sum of bit `index` alone, of `bits` bits.
    pub fn of(index: usize, bits: usize) -> Self {
        let mut sum = Self::zero(bits);
        sum.bits[index / 64] |= 1 << (index % 64);
        sum
    }

    /// The sum, with the constant `one` added.
    pub fn plus(mut self, one: bool) -> Self {
        self.one ^= one;
        self
    }

    /// The value of a sum that depends on no bit.
    pub fn value(&self) -> Option<bool> {
        self.bits.iter().all(|word| *word == 0).then_some(self.one)
    }

    /// The sum with `words[i]` in place of bit `i`. `None` if the sum has a bit that `words` does not
    /// replace.
    pub fn over(&self, words: &[Sum]) -> Option<Sum> {
        let mut sum = Self::zero(64 * words.first()?.bits.len()).plus(self.one);
        for index in (0..64 * self.bits.len()).filter(|index| self.bits[index / 64] >> (index % 64) & 1 == 1)
        {
            sum = &sum ^ words.get(index)?;
        }
        Some(sum)
    }
}

impl BitXor for &Sum {
    type Output = Sum;

    fn bitxor(self, other: &Sum) -> Sum {
        let bits = self.bits.iter().zip(&other.bits).map(|(a, b)| a ^ b).collect();
        Sum { bits, one: self.one ^ other.one }
    }
}

/// The bits of a word that are sums.
type Bits = Rc<Vec<Option<Sum>>>;

/// The bits of `node` as sums of the bits of `variables`, which are numbered one variable after the other.
/// `None` if a bit is no such sum, or if this function does not recognise it: the function follows only
/// operations that keep sums, and products with constants.
pub fn sums(node: Node, variables: &[Node]) -> Option<Vec<Sum>> {
    let total: usize = variables.iter().map(|variable| variable.width()).sum();
    let mut known: HashMap<Node, Bits> = HashMap::new();
    let mut first = 0;
    for variable in variables {
        let bits = (first..first + variable.width()).map(|index| Some(Sum::of(index, total))).collect();
        known.insert(*variable, Rc::new(bits));
        first += variable.width();
    }
    // A bit that is no sum may be irrelevant: a choice with a known condition drops one side.
    for node in cone([node]) {
        if !known.contains_key(&node) {
            let bits = of(node, total, &known);
            known.insert(node, bits);
        }
    }
    known[&node].iter().cloned().collect()
}

fn of(node: Node, total: usize, known: &HashMap<Node, Bits>) -> Bits {
    let get = |node: Node| known[&node].iter();
    let constant = |value| Some(Sum::zero(total).plus(value));
    let nothing = || vec![None; node.width()];
    // If one bit decides, the result is that of the deciding bit; else the other bit is the result.
    let gate = |a: Node, b: Node, decides: bool| {
        let value = |bit: &Option<Sum>| bit.as_ref().and_then(Sum::value);
        let one = |(a, b): (&Option<Sum>, &Option<Sum>)| match (value(a), value(b)) {
            (Some(bit), _) if bit == decides => constant(decides),
            (_, Some(bit)) if bit == decides => constant(decides),
            (Some(_), _) => b.clone(),
            (_, Some(_)) => a.clone(),
            (None, None) => None,
        };
        get(a).zip(get(b)).map(one).collect()
    };
    let bits = match node.expr() {
        Expr::Constant(value) => (0..node.width()).map(|at| constant(value.at(at))).collect(),
        Expr::Variable(_) => nothing(),
        Expr::Not(a) => get(a).map(|sum| Some(sum.clone()?.plus(true))).collect(),
        Expr::Binary(Binary::Xor, a, b) => {
            get(a).zip(get(b)).map(|(a, b)| Some(a.as_ref()? ^ b.as_ref()?)).collect()
        }
        Expr::Binary(Binary::And, a, b) => gate(a, b, false),
        Expr::Binary(Binary::Or, a, b) => gate(a, b, true),
        Expr::Binary(shift @ (Binary::ShiftLeft | Binary::ShiftRight), a, by) => {
            let by = by.value().and_then(|value| usize::try_from(value.to_u128()?).ok());
            let bits = &known[&a];
            let from = |at: usize, by: usize| match shift {
                Binary::ShiftLeft => at.checked_sub(by),
                _ => at.checked_add(by).filter(|at| *at < bits.len()),
            };
            let moved = |by| {
                let bit = |at| from(at, by).map_or(constant(false), |at| bits[at].clone());
                (0..node.width()).map(bit).collect()
            };
            by.map_or_else(nothing, moved)
        }
        Expr::Binary(..) => nothing(),
        Expr::If(condition, a, b) => match known[&condition][0].as_ref().and_then(Sum::value) {
            Some(holds) => return known[if holds { &a } else { &b }].clone(),
            None => nothing(),
        },
        Expr::Slice(a, low) => known[&a][low..low + node.width()].to_vec(),
        Expr::Concat(high, low) => [&known[&low][..], &known[&high]].concat(),
    };
    Rc::new(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_found_and_nothing_else_is_called_one() {
        let (a, b) = (Node::variable("sum a", 3), Node::variable("sum b", 3));
        let all = [a, b];
        let parity = a.slice(0, 1) ^ b.slice(2, 1) ^ Node::bit(true);
        assert_eq!(sums(parity, &all).unwrap(), [(&Sum::of(0, 6) ^ &Sum::of(5, 6)).plus(true)]);
        let moved = (a ^ b).shift_left(Node::lit(3, 1)) & Node::lit(3, 0b101);
        let expected = [Sum::zero(6), Sum::zero(6), &Sum::of(1, 6) ^ &Sum::of(4, 6)];
        assert_eq!(sums(moved, &all).unwrap(), expected);
        assert_eq!(sums(a & b, &all), None);
        assert_eq!(sums(a + b, &all), None);
        assert_eq!(sums(a, &[b]), None);
        assert_eq!(sums(a.when(b.slice(0, 1), b), &all), None);
    }

    #[test]
    fn a_sum_of_sums() {
        let words = [Sum::of(3, 4), &Sum::of(0, 4) ^ &Sum::of(3, 4)];
        let sum = (&Sum::of(0, 2) ^ &Sum::of(1, 2)).plus(true);
        assert_eq!(sum.over(&words).unwrap(), Sum::of(0, 4).plus(true));
        assert_eq!(Sum::of(2, 3).over(&words), None);
    }
}
