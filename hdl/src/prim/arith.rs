//! Pipelined arithmetic: `weft_mul` and `weft_div`.

use super::{TopParameter, instance};
use rust_hdl_core::prelude::*;
use std::collections::VecDeque;

/// Bits of a factor that every family's multiplier blocks take.
const NARROW: usize = 18;

/// `weft_mul`: unsigned multiplier, `p = a * b` after a chosen number of clocks, one per clock. Undefined
/// until filled. The top's parameter FACTOR_BITS cuts factors of more than 18 bits.
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
    /// Compiles only if P = A + B, at most 128.
    ///
    /// # Panics
    /// `stages` is 0.
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
        let mut parameters =
            vec![("A", A.to_string()), ("B", B.to_string()), ("STAGES", self._pipe.len().to_string())];
        if A.max(B) > NARROW && self._pipe.len() > 1 {
            parameters.push(("FACTOR_BITS", TopParameter::FactorBits.stands_for().into()));
        }
        instance("weft_mul", &parameters, include_str!("../../verilog/prim/weft_mul.v"))
    }
}

/// `weft_div`: unsigned divider, exact, `q = num / den` rounded down after `Q / steps` clocks, one per clock.
/// Undefined until filled. The result is all ones if the quotient has more than `Q` bits, or if `den` is 0.
/// `en` and `en_late`, one for each half of the stages, must have the same value; they may be copies of each
/// other.
#[derive(Clone, Debug, LogicBlock)]
pub struct Div<const N: usize, const D: usize, const Q: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// All stages advance.
    pub en: Signal<In, Bit>,
    /// The enable of the later half of the stages.
    pub en_late: Signal<In, Bit>,
    /// Numerator.
    pub num: Signal<In, Bits<N>>,
    /// Denominator.
    pub den: Signal<In, Bits<D>>,
    /// Quotient.
    pub q: Signal<Out, Bits<Q>>,
    _steps: usize,
    _pipe: VecDeque<Bits<Q>>,
}

impl<const N: usize, const D: usize, const Q: usize> Div<N, D, Q> {
    /// A divider that finds `steps` bits of the quotient per clock. Compiles only if
    /// `Q <= N <= Q + D`, at most 128.
    ///
    /// # Panics
    /// `steps` does not divide `Q`.
    pub fn new(steps: usize) -> Self {
        const { assert!(Q <= N && N <= Q + D && N <= 128, "Div<N, D, Q> needs Q <= N <= Q + D") };
        assert!(steps > 0 && Q.is_multiple_of(steps), "Div::new needs steps that divide Q");
        Div {
            clk: Signal::default(),
            en: Signal::default(),
            en_late: Signal::default(),
            num: Signal::default(),
            den: Signal::default(),
            q: Signal::default(),
            _steps: steps,
            _pipe: vec![Default::default(); Q / steps].into(),
        }
    }
}

impl<const N: usize, const D: usize, const Q: usize> Default for Div<N, D, Q> {
    /// One bit per clock.
    fn default() -> Self {
        Self::new(1)
    }
}

impl<const N: usize, const D: usize, const Q: usize> Logic for Div<N, D, Q> {
    fn update(&mut self) {
        if self.clk.pos_edge() && self.en.val() {
            let most = Bits::<Q>::mask().to_u128();
            let quotient = self.num.val().to_u128().checked_div(self.den.val().to_u128());
            self._pipe.push_back(quotient.map_or(most, |quotient| quotient.min(most)).to_bits());
            self._pipe.pop_front();
            self.q.next = self._pipe[0];
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        instance(
            "weft_div",
            &[
                ("N", N.to_string()),
                ("D", D.to_string()),
                ("Q", Q.to_string()),
                ("STEPS", self._steps.to_string()),
            ],
            include_str!("../../verilog/prim/weft_div.v"),
        )
    }
}
