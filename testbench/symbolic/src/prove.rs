//! Proofs by bit-blasting to CaDiCaL.

use crate::aig::{FALSE, Lit, gate_of};
use crate::blast::Blaster;
use crate::cadical::{Clauses, Solution, solve};
use crate::{Assignment, Node, SatError, variables};
use std::path::PathBuf;

/// Treatment of products by the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Multiply {
    /// An array of adders. A comparison of two differently built products of more than 8 x 8 bits is too hard
    /// for the solver.
    #[default]
    Exact,
    /// Any function that gives equal results for equal (or swapped) factors. A claim proved in this way
    /// holds. A claim refuted in this way may still hold: it is [`Verdict::Unknown`] unless evaluation
    /// confirms the counterexample. A product with a constant stays exact.
    Uninterpreted,
}

/// The verdict on a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The claim holds for all values of the free variables.
    Proved,
    /// The claim fails for these values, as evaluation confirms.
    Refuted(Assignment),
    /// The solver reached its limits, or lacked facts about a product.
    Unknown,
}

impl Verdict {
    /// Whether the claim holds.
    pub fn is_proved(&self) -> bool {
        *self == Verdict::Proved
    }

    /// The counterexample, if the claim fails.
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
    /// The program CaDiCaL.
    pub program: PathBuf,
    /// Conflicts after which the solver stops without an answer.
    pub conflicts_max: u32,
    /// Seconds after which the solver stops without an answer. The solver counts only whole seconds.
    pub seconds_max: f32,
    /// The treatment of products.
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
    /// Decides whether `claim` is 1 in all cases in which all `assumptions` are 1.
    ///
    /// Assumptions that contradict each other prove everything: check them first with
    /// [`Prover::satisfiable`].
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
    /// An assumption or the claim is not a single bit.
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
                        // A variable that is in no clause may have any value, hence also 0.
                        number.set_bit(i as u64, ones.contains(&(gate_of(lit) as u32)));
                    }
                    found.set(variable, number);
                }
                self.confirmed(found, assumptions, claim)
            }
        }
    }

    /// Finds values under which all `assumptions` hold. This detects proofs that hold only because there are
    /// no cases. [`Verdict::Proved`] if there are no such values. Products are exact here.
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

/// The Tseitin clauses of the gates that `facts` need, and the facts. The DIMACS variable of a gate is its
/// number. Gate 0, the constant, is never an input of an AND.
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
