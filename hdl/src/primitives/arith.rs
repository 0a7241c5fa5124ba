//! Pipelined arithmetic: `weft_mul` and `weft_div`.

use super::instance;
use rust_hdl_core::prelude::*;
use std::collections::VecDeque;

/// `weft_mul`: unsigned multiplier, `p = a * b` after a chosen number of clocks, one per clock.
/// Undefined until filled.
#[derive(Clone, Debug, LogicBlock)]
pub struct Mul<const A: usize, const B: usize, const P: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// All stages advance.
    pub en: Signal<In, Bit>,
    /// First factor.
    pub a: Signal<In, Bits<A>>,
    /// Second factor.
    pub b: Signal<In, Bits<B>>,
    /// Product.
    pub p: Signal<Out, Bits<P>>,
    _pipe: VecDeque<Bits<P>>,
}

impl<const A: usize, const B: usize, const P: usize> Mul<A, B, P> {
    /// A multiplier with a latency of `stages` clocks, at least 1; 3 fill a DSP block's registers.
    /// Does not compile unless P = A + B, at most 128.
    ///
    /// # Panics
    /// If `stages` is 0.
    pub fn new(stages: usize) -> Self {
        const { assert!(P == A + B, "Mul<A, B, P> needs P = A + B") };
        const { assert!(P <= 128, "Mul<A, B, P> needs P <= 128") };
        assert!(stages > 0, "Mul::new needs at least one stage");
        Mul {
            clk: Signal::default(),
            en: Signal::default(),
            a: Signal::default(),
            b: Signal::default(),
            p: Signal::default(),
            _pipe: vec![Bits::default(); stages].into(),
        }
    }
}

impl<const A: usize, const B: usize, const P: usize> Default for Mul<A, B, P> {
    /// Three stages.
    fn default() -> Self {
        Self::new(3)
    }
}

impl<const A: usize, const B: usize, const P: usize> Logic for Mul<A, B, P> {
    fn update(&mut self) {
        if self.clk.pos_edge() && self.en.val() {
            let product = self.a.val().to_u128() * self.b.val().to_u128();
            self._pipe.push_back(product.to_bits());
            self._pipe.pop_front();
            self.p.next = self._pipe[0];
        }
    }

    fn connect(&mut self) {
        self.p.connect();
    }

    fn hdl(&self) -> Verilog {
        instance(
            "weft_mul",
            &[("A", A.to_string()), ("B", B.to_string()), ("STAGES", self._pipe.len().to_string())],
            include_str!("../../verilog/prim/weft_mul.v"),
        )
    }
}

/// `weft_div`: unsigned divider, exact, `q = num / den` and `r = num % den` after `N` clocks, one
/// per clock. Undefined until filled. Division by zero gives all ones and `num` modulo 2^D.
#[derive(Clone, Debug, LogicBlock)]
pub struct Div<const N: usize, const D: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// All stages advance.
    pub en: Signal<In, Bit>,
    /// Numerator.
    pub num: Signal<In, Bits<N>>,
    /// Denominator.
    pub den: Signal<In, Bits<D>>,
    /// Quotient.
    pub q: Signal<Out, Bits<N>>,
    /// Remainder.
    pub r: Signal<Out, Bits<D>>,
    _pipe: VecDeque<(Bits<N>, Bits<D>)>,
}

impl<const N: usize, const D: usize> Default for Div<N, D> {
    fn default() -> Self {
        const { assert!(N <= 64 && D <= 64, "Div<N, D> needs N and D of at most 64") };
        Div {
            clk: Signal::default(),
            en: Signal::default(),
            num: Signal::default(),
            den: Signal::default(),
            q: Signal::default(),
            r: Signal::default(),
            _pipe: vec![Default::default(); N].into(),
        }
    }
}

impl<const N: usize, const D: usize> Logic for Div<N, D> {
    fn update(&mut self) {
        if self.clk.pos_edge() && self.en.val() {
            let num = self.num.val().to_u128();
            let den = self.den.val().to_u128();
            let result = match num.checked_div(den) {
                Some(q) => (q.to_bits(), (num % den).to_bits()),
                None => (Bits::<N>::mask(), (num % (1 << D)).to_bits()),
            };
            self._pipe.push_back(result);
            self._pipe.pop_front();
            (self.q.next, self.r.next) = self._pipe[0];
        }
    }

    fn connect(&mut self) {
        self.q.connect();
        self.r.connect();
    }

    fn hdl(&self) -> Verilog {
        instance(
            "weft_div",
            &[("N", N.to_string()), ("D", D.to_string())],
            include_str!("../../verilog/prim/weft_div.v"),
        )
    }
}
