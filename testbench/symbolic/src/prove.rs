//! Proofs by bit-blasting to CaDiCaL.

use crate::aig::{FALSE, Lit, gate_of};
use crate::blast::Blaster;
use crate::cadical::{Clauses, Solution, solve};
use crate::{Assignment, Node, SatError, variables};
use std::path::PathBuf;

/// How the solver treats a product.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Multiply {
    /// An array of adders. Two differently built products beyond 8 x 8 bits are out of reach.
    #[default]
    Exact,
    /// Any function that gives equal results for equal (or swapped) factors. A claim that is proved
    /// so holds. A claim that is refuted so may still hold, and is [`Verdict::Unknown`] unless
    /// evaluation confirms the counterexample. A product with a constant stays exact.
    Uninterpreted,
}

/// Answer to a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The claim holds for all values of the free variables.
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

/// Proves claims within limits, one run of CaDiCaL each.
#[derive(Clone, Debug)]
pub struct Prover {
    /// CaDiCaL.
    pub program: PathBuf,
    /// Conflicts after which the solver gives up.
    pub conflicts_max: u32,
    /// Seconds after which the solver gives up; it counts whole ones.
    pub seconds_max: f32,
    /// How products are understood.
    pub multiply: Multiply,
}

impl Default for Prover {
    /// The program that `CADICAL` names, or the cadical on the search path; 400,000 conflicts, 60
    /// seconds, exact products.
    fn default() -> Self {
        let named = std::env::var_os("CADICAL").filter(|name| !name.is_empty());
        Self {
            program: named.unwrap_or_else(|| "cadical".into()).into(),
            conflicts_max: 400_000,
            seconds_max: 60.0,
            multiply: Multiply::Exact,
        }
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
    /// assert!(prover.prove(&[], ((a & b) + (a | b)).equals(a + b))?.is_proved());
    /// let wrong = prover.prove(&[a.less(b)], (a + Node::lit(32, 1)).less(b))?;
    /// assert!(wrong.counterexample().is_some());
    /// # Ok::<(), weft_symbolic::SatError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// When an assumption or the claim is not a single bit.
    pub fn prove(&self, assumptions: &[Node], claim: Node) -> Result<Verdict, SatError> {
        let mut blaster = Blaster::new(self.multiply);
        let mut facts: Vec<Lit> = assumptions.iter().map(|&node| blaster.bit(node)).collect();
        facts.push(blaster.bit(!claim));
        facts.append(&mut blaster.congruences);
        if facts.contains(&FALSE) {
            return Ok(Verdict::Proved);
        }
        let clauses = clauses(&blaster, &facts);
        match solve(&self.program, &clauses, self.conflicts_max, self.seconds_max)? {
            Solution::Unknown => Ok(Verdict::Unknown),
            Solution::Unsatisfiable => Ok(Verdict::Proved),
            Solution::Satisfiable(ones) => {
                let mut found = Assignment::new();
                for variable in variables(assumptions.iter().copied().chain([claim])) {
                    let mut number = num_bigint::BigUint::default();
                    for (i, &lit) in blaster.bits(variable).iter().enumerate() {
                        // A variable that no clause mentions may have any value, 0 too.
                        number.set_bit(i as u64, ones.contains(&(gate_of(lit) as u32)));
                    }
                    found.set(variable, number);
                }
                self.confirmed(found, assumptions, claim)
            }
        }
    }

    /// Values under which all `assumptions` hold, if there are any: a guard against proofs that
    /// hold for lack of cases. [`Verdict::Proved`] when there are none. Products are exact here.
    pub fn satisfiable(&self, assumptions: &[Node]) -> Result<Verdict, SatError> {
        Prover { multiply: Multiply::Exact, ..self.clone() }.prove(assumptions, Node::bit(false))
    }

    fn confirmed(&self, found: Assignment, assumptions: &[Node], claim: Node) -> Result<Verdict, SatError> {
        let values = found.eval_all(assumptions.iter().copied().chain([!claim]));
        if !values.iter().any(|value| value.is_zero()) {
            Ok(Verdict::Refuted(found))
        } else if self.multiply == Multiply::Uninterpreted {
            Ok(Verdict::Unknown)
        } else {
            Err(SatError::Wrong { program: self.program.display().to_string(), found: found.to_string() })
        }
    }
}

/// Tseitin's clauses for the gates that `facts` need, and the facts themselves. A gate's DIMACS
/// variable is its number: gate 0, the constant, is never part of an AND.
fn clauses(blaster: &Blaster, facts: &[Lit]) -> Clauses {
    let mut clauses = Clauses::default();
    for gate in blaster.aig.cone(facts.iter().copied()) {
        if let Some((a, b)) = blaster.aig.inputs(gate) {
            let (gate, a, b) = (gate as i32, dimacs(a), dimacs(b));
            clauses.push([-gate, a]);
            clauses.push([-gate, b]);
            clauses.push([gate, -a, -b]);
        }
    }
    for &fact in facts {
        if gate_of(fact) != 0 {
            clauses.push([dimacs(fact)]);
        }
    }
    clauses
}

fn dimacs(lit: Lit) -> i32 {
    let variable = i32::try_from(gate_of(lit)).expect("gates fit DIMACS variables");
    if lit & 1 == 1 { -variable } else { variable }
}
