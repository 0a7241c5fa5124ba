//! Proofs by bit-blasting to CaDiCaL.

use crate::aig::{FALSE, Lit, gate_of};
use crate::blast::Blaster;
use crate::{Assignment, Node, variables};

/// What a product is to the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Multiply {
    /// An array of adders. Two differently built products beyond 8 x 8 bits are out of reach.
    #[default]
    Exact,
    /// Any function that gives equal results for equal (or swapped) factors. What is proved so
    /// holds; what is not may hold all the same, and is [`Verdict::Unknown`] unless evaluation
    /// confirms the counterexample. A product with a constant stays exact.
    Uninterpreted,
}

/// Answer to a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds for all values of the free variables.
    Proved,
    /// Here it fails; confirmed by evaluation.
    Refuted(Assignment),
    /// The solver reached its limits, or knew too little of a product.
    Unknown,
}

impl Verdict {
    /// Whether the claim holds.
    pub fn is_proved(&self) -> bool {
        *self == Verdict::Proved
    }

    /// Where the claim fails, if it does.
    pub fn counterexample(&self) -> Option<&Assignment> {
        match self {
            Verdict::Refuted(assignment) => Some(assignment),
            _ => None,
        }
    }
}

/// Proves claims within limits.
#[derive(Clone, Debug)]
pub struct Prover {
    /// Conflicts after which the solver gives up.
    pub conflicts_max: u32,
    /// Seconds after which the solver gives up.
    pub seconds_max: f32,
    /// How products are understood.
    pub multiply: Multiply,
}

impl Default for Prover {
    /// 400,000 conflicts, 60 seconds, exact products.
    fn default() -> Self {
        Self { conflicts_max: 400_000, seconds_max: 60.0, multiply: Multiply::Exact }
    }
}

impl Prover {
    /// Whether `claim` is 1 wherever all `assumptions` are 1.
    ///
    /// Assumptions that contradict each other prove everything: refute `false` under them first,
    /// see [`Prover::satisfiable`].
    ///
    /// ```
    /// use weft_symbolic::{Node, Prover};
    ///
    /// let (a, b) = (Node::variable("a", 32), Node::variable("b", 32));
    /// let prover = Prover::default();
    /// assert!(prover.prove(&[], ((a & b) + (a | b)).equals(a + b)).is_proved());
    /// let wrong = prover.prove(&[a.less(b)], (a + Node::lit(32, 1)).less(b));
    /// assert!(wrong.counterexample().is_some());
    /// ```
    ///
    /// # Panics
    ///
    /// When an assumption or the claim is not a single bit.
    pub fn prove(&self, assumptions: &[Node], claim: Node) -> Verdict {
        let mut blaster = Blaster::new(self.multiply);
        let mut facts: Vec<Lit> = assumptions.iter().map(|&node| blaster.bit(node)).collect();
        facts.push(blaster.bit(!claim));
        facts.append(&mut blaster.congruences);
        if facts.contains(&FALSE) {
            return Verdict::Proved;
        }

        let mut solver = cadical::Solver::<cadical::Timeout>::new();
        load(&mut solver, &blaster, &facts);
        solver.set_callbacks(Some(cadical::Timeout::new(self.seconds_max)));
        let conflicts_max = i32::try_from(self.conflicts_max).unwrap_or(i32::MAX);
        solver.set_limit("conflicts", conflicts_max).expect("CaDiCaL knows this limit");
        match solver.solve() {
            None => Verdict::Unknown,
            Some(false) => Verdict::Proved,
            Some(true) => {
                self.confirmed(counterexample(&solver, &mut blaster, assumptions, claim), assumptions, claim)
            }
        }
    }

    /// Values under which all `assumptions` hold, if there are any: a guard against proofs that
    /// hold for lack of cases. [`Verdict::Proved`] when there are none. Products are exact here.
    pub fn satisfiable(&self, assumptions: &[Node]) -> Verdict {
        Prover { multiply: Multiply::Exact, ..self.clone() }.prove(assumptions, Node::bit(false))
    }

    fn confirmed(&self, found: Assignment, assumptions: &[Node], claim: Node) -> Verdict {
        let values = found.eval_all(assumptions.iter().copied().chain([!claim]));
        if !values.iter().any(|value| value.is_zero()) {
            return Verdict::Refuted(found);
        }
        assert!(
            self.multiply == Multiply::Uninterpreted,
            "bit-blaster and evaluator disagree on {found}: report this bug of weft-symbolic"
        );
        Verdict::Unknown
    }
}

/// A gate's DIMACS variable is its number: gate 0, the constant, is never part of an AND.
fn dimacs(lit: Lit) -> i32 {
    let variable = i32::try_from(gate_of(lit)).expect("gates fit DIMACS variables");
    if lit & 1 == 1 { -variable } else { variable }
}

/// Tseitin's clauses for the gates that `facts` need, and the facts themselves.
fn load(solver: &mut cadical::Solver, blaster: &Blaster, facts: &[Lit]) {
    for gate in blaster.aig.cone(facts.iter().copied()) {
        if let Some((a, b)) = blaster.aig.inputs(gate) {
            let (gate, a, b) = (dimacs((gate as Lit) << 1), dimacs(a), dimacs(b));
            solver.add_clause([-gate, a]);
            solver.add_clause([-gate, b]);
            solver.add_clause([gate, -a, -b]);
        }
    }
    for &fact in facts {
        if gate_of(fact) != 0 {
            solver.add_clause([dimacs(fact)]);
        }
    }
}

fn counterexample(
    solver: &cadical::Solver,
    blaster: &mut Blaster,
    assumptions: &[Node],
    claim: Node,
) -> Assignment {
    let mut found = Assignment::new();
    for variable in variables(assumptions.iter().copied().chain([claim])) {
        let mut number = num_bigint::BigUint::default();
        for (i, &lit) in blaster.bits(variable).iter().enumerate() {
            // A variable that no clause mentions may have any value; CaDiCaL knows none beyond its last.
            let bit = dimacs(lit) <= solver.max_variable() && solver.value(dimacs(lit)) == Some(true);
            number.set_bit(i as u64, bit);
        }
        found.set(variable, number);
    }
    found
}
