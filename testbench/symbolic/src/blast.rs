//! Words to wires: each node of the expression graph as bits of an AIG.

use std::collections::HashMap;

use crate::aig::{Aig, FALSE, Lit, TRUE, not};
use crate::graph::{Binary, Expr, cone};
use crate::{Multiply, Node};

/// Least significant bit first.
type Bits = Vec<Lit>;

pub(crate) struct Blaster {
    pub(crate) aig: Aig,
    /// The constraints on uninterpreted products: each of these holds.
    pub(crate) congruences: Vec<Lit>,
    multiply: Multiply,
    bits: HashMap<Node, Bits>,
    products: Vec<(Bits, Bits, Bits)>,
}

impl Blaster {
    pub(crate) fn new(multiply: Multiply) -> Self {
        Self {
            aig: Aig::new(),
            congruences: Vec::new(),
            multiply,
            bits: HashMap::new(),
            products: Vec::new(),
        }
    }

    /// The wires of `root`. Free variables become inputs when they are first met.
    pub(crate) fn bits(&mut self, root: Node) -> &[Lit] {
        if !self.bits.contains_key(&root) {
            for node in cone([root]) {
                if !self.bits.contains_key(&node) {
                    let bits = self.blast(node);
                    debug_assert_eq!(bits.len(), node.width());
                    self.bits.insert(node, bits);
                }
            }
        }
        &self.bits[&root]
    }

    /// The wire of a single bit.
    pub(crate) fn bit(&mut self, node: Node) -> Lit {
        assert_eq!(node.width(), 1, "a claim is a single bit");
        self.bits(node)[0]
    }

    fn blast(&mut self, node: Node) -> Bits {
        match node.expr() {
            Expr::Constant(value) => (0..node.width()).map(|i| Lit::from(value.at(i))).collect(),
            Expr::Variable(_) => self.inputs(node.width()),
            Expr::Not(a) => self.bits[&a].iter().map(|&bit| not(bit)).collect(),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.bits[&a].clone(), self.bits[&b].clone());
                self.binary(op, &a, &b)
            }
            Expr::If(c, a, b) => {
                let (c, a, b) = (self.bits[&c][0], self.bits[&a].clone(), self.bits[&b].clone());
                self.mux(c, &a, &b)
            }
            Expr::Slice(a, low) => self.bits[&a][low..low + node.width()].to_vec(),
            Expr::Concat(a, b) => [&self.bits[&b][..], &self.bits[&a]].concat(),
        }
    }

    fn inputs(&mut self, width: usize) -> Bits {
        (0..width).map(|_| self.aig.input()).collect()
    }

    fn binary(&mut self, op: Binary, a: &[Lit], b: &[Lit]) -> Bits {
        match op {
            Binary::And => self.bitwise(Aig::and, a, b),
            Binary::Or => self.bitwise(Aig::or, a, b),
            Binary::Xor => self.bitwise(Aig::xor, a, b),
            Binary::Add => self.add(a, b, FALSE).0,
            Binary::Sub => self.subtract(a, b).0,
            Binary::Mul => self.product(a, b),
            Binary::Div => self.divide(a, b).0,
            Binary::Rem => self.divide(a, b).1,
            Binary::ShiftLeft => {
                let reversed: Bits = a.iter().rev().copied().collect();
                let mut shifted = self.shift_right(&reversed, b);
                shifted.reverse();
                shifted
            }
            Binary::ShiftRight => self.shift_right(a, b),
            Binary::Equal => vec![self.equal(a, b)],
            Binary::Less => vec![not(self.subtract(a, b).1)],
        }
    }

    fn bitwise(&mut self, gate: impl Fn(&mut Aig, Lit, Lit) -> Lit, a: &[Lit], b: &[Lit]) -> Bits {
        a.iter().zip(b).map(|(&a, &b)| gate(&mut self.aig, a, b)).collect()
    }

    fn mux(&mut self, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Bits {
        self.bitwise(|aig, a, b| aig.mux(condition, a, b), then, otherwise)
    }

    /// Sum and carry out.
    fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Bits, Lit) {
        let sum = a
            .iter()
            .zip(b)
            .map(|(&a, &b)| {
                let half = self.aig.xor(a, b);
                let sum = self.aig.xor(half, carry);
                let generated = self.aig.and(a, b);
                let propagated = self.aig.and(half, carry);
                carry = self.aig.or(generated, propagated);
                sum
            })
            .collect();
        (sum, carry)
    }

    /// Difference, and 1 when there was no borrow (`a >= b`).
    fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Lit) {
        let inverted: Bits = b.iter().map(|&bit| not(bit)).collect();
        self.add(a, &inverted, TRUE)
    }

    fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let differences = self.bitwise(Aig::xor, a, b);
        differences.into_iter().fold(TRUE, |equal, bit| self.aig.and(equal, not(bit)))
    }

    /// A barrel of one stage per bit of the distance; the bits whose shift alone exceeds the word clear it.
    fn shift_right(&mut self, a: &[Lit], by: &[Lit]) -> Bits {
        let width = a.len();
        let stages = by.len().min(width.next_power_of_two().trailing_zeros() as usize);
        let mut shifted = a.to_vec();
        for (stage, &bit) in by[..stages].iter().enumerate() {
            let moved: Bits =
                (0..width).map(|i| shifted.get(i + (1 << stage)).copied().unwrap_or(FALSE)).collect();
            shifted = self.mux(bit, &moved, &shifted);
        }
        let beyond = by[stages..].iter().fold(FALSE, |beyond, &bit| self.aig.or(beyond, bit));
        shifted.into_iter().map(|bit| self.aig.and(bit, not(beyond))).collect()
    }

    fn product(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let constant = |bits: &[Lit]| bits.iter().all(|&bit| bit == FALSE || bit == TRUE);
        if self.multiply == Multiply::Exact || constant(a) || constant(b) {
            return self.multiply(a, b);
        }
        let product = self.inputs(a.len());
        let others: Vec<_> = self.products.iter().filter(|other| other.2.len() == a.len()).cloned().collect();
        for (c, d, other) in others {
            let same = self.equal(&product, &other);
            for (c, d) in [(&c, &d), (&d, &c)] {
                let (first, second) = (self.equal(a, c), self.equal(b, d));
                let congruent = self.aig.and(first, second);
                let holds = self.aig.or(not(congruent), same);
                self.congruences.push(holds);
            }
        }
        self.products.push((a.to_vec(), b.to_vec(), product.clone()));
        product
    }

    fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let width = a.len();
        let mut sum = vec![FALSE; width];
        for (i, &bit) in b.iter().enumerate() {
            let row: Bits = a[..width - i].iter().map(|&a| self.aig.and(a, bit)).collect();
            let high = self.add(&sum[i..], &row, FALSE).0;
            sum.splice(i.., high);
        }
        sum
    }

    /// Long division: quotient and remainder. Dividing by 0 subtracts 0 at every place, which gives SMT-LIB's
    /// results: a quotient of all ones, and the dividend as remainder.
    fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
        let width = a.len();
        let mut quotient = vec![FALSE; width];
        // The words are one bit wider than the divisor, for the next bit of the dividend.
        let divisor = [b, &[FALSE]].concat();
        let mut rest = vec![FALSE; width + 1];
        for i in (0..width).rev() {
            rest.rotate_right(1);
            rest[0] = a[i];
            let (less, fits) = self.subtract(&rest, &divisor);
            rest = self.mux(fits, &less, &rest);
            quotient[i] = fits;
        }
        rest.truncate(width);
        (quotient, rest)
    }
}
