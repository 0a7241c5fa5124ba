//! A proof in several obligations, timed and reported.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::paths::{exactly_one, merge, paths};
use crate::{
    Multiply, Node, Prover, SatError, SignalError, Signals, SmtError, SmtSolver, Verdict, cross_check,
};

/// The reason why a proof could not be carried out. A refuted obligation is not an error but a part of the
/// report.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// A signal is missing or has another width.
    #[error(transparent)]
    Signal(#[from] SignalError),
    /// CaDiCaL failed.
    #[error(transparent)]
    Sat(#[from] SatError),
    /// The second solver failed or disagrees.
    #[error(transparent)]
    Smt(#[from] SmtError),
    /// The model does not give an output of the design.
    #[error("the model has no output `{0}`: return it, or the design's own word if it may be anything")]
    Unchecked(String),
}

/// One claim and its verdict.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// The claim.
    pub name: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Duration of the decision.
    pub time: Duration,
    /// The words that differ, for a refuted equality.
    pub differences: Vec<String>,
}

/// A search for one claim that fails, through designs that are nearly the same. The search decides no claim
/// whose expression was proved in an earlier design. After the first refuted claim it decides none, until the
/// next [`begin`](Self::begin).
#[derive(Debug, Default)]
pub struct Hunt {
    /// Assumptions and claims that were proved. An entry without a claim has assumptions that can hold.
    proved: RefCell<HashSet<(Vec<Node>, Option<Node>)>>,
    is_over: Cell<bool>,
}

impl Hunt {
    /// Begins the search in another design.
    pub fn begin(&self) {
        self.is_over.set(false);
    }

    /// Whether a claim was refuted.
    pub fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// The verdict, if the search knows it.
    fn verdict(&self, assumptions: &[Node], claim: Option<Node>) -> Option<Verdict> {
        if self.is_over() {
            return Some(Verdict::Unknown);
        }
        self.proved.borrow().contains(&(assumptions.to_vec(), claim)).then_some(Verdict::Proved)
    }

    fn tell(&self, assumptions: &[Node], claim: Option<Node>, verdict: &Verdict) {
        match verdict {
            Verdict::Proved => {
                self.proved.borrow_mut().insert((assumptions.to_vec(), claim));
            }
            Verdict::Refuted(_) => self.is_over.set(true),
            Verdict::Unknown => {}
        }
    }
}

/// Obligations, collected one after the other. The proof consists of all of them together. The printed form
/// is the report.
///
/// ```
/// use weft_symbolic::{Node, Proof, Prover};
///
/// let a = Node::variable("a", 8);
/// let mut proof = Proof::new(Prover::default());
/// proof.claim("doubling is shifting", &[], (a + a).equals(a.shift_left(Node::lit(8, 1))))?;
/// assert!(proof.is_proved(), "{proof}");
/// # Ok::<(), weft_symbolic::ProofError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Proof {
    prover: Prover,
    second: Option<SmtSolver>,
    obligations: Vec<Obligation>,
    /// Sets of assumptions that can hold at once.
    possible: Vec<HashSet<Node>>,
    hunt: Option<Rc<Hunt>>,
}

impl Proof {
    /// An empty proof.
    pub fn new(prover: Prover) -> Self {
        Self { prover, ..Self::default() }
    }

    /// Makes `solver` check every obligation too.
    pub fn and_by(mut self, solver: SmtSolver) -> Self {
        self.second = Some(solver);
        self
    }

    /// Makes the proof skip claims whose verdicts `hunt` knows.
    pub fn in_hunt(mut self, hunt: Rc<Hunt>) -> Self {
        self.hunt = Some(hunt);
        self
    }

    /// The verdict, if the search knows it.
    fn known(&self, assumptions: &[Node], claim: Option<Node>) -> Option<Verdict> {
        self.hunt.as_ref()?.verdict(assumptions, claim)
    }

    fn tell(&self, assumptions: &[Node], claim: Option<Node>, verdict: &Verdict) {
        if let Some(hunt) = &self.hunt {
            hunt.tell(assumptions, claim, verdict);
        }
    }

    /// The claims so far.
    pub fn obligations(&self) -> &[Obligation] {
        &self.obligations
    }

    /// Whether there are obligations and all of them are proved.
    pub fn is_proved(&self) -> bool {
        !self.obligations.is_empty() && self.obligations.iter().all(|one| one.verdict.is_proved())
    }

    /// Claims that `claim` is 1 in all cases in which all `assumptions` are 1. If the assumptions contradict
    /// each other, there are no cases: then a second claim reports this and is refuted.
    pub fn claim(
        &mut self,
        name: &str,
        assumptions: &[Node],
        claim: Node,
    ) -> Result<&Obligation, ProofError> {
        let start = Instant::now();
        let known = self.known(assumptions, Some(claim));
        let is_asked = known.is_none();
        let verdict = match (known, &self.second) {
            (Some(known), _) => known,
            (None, Some(solver)) => cross_check(&self.prover, solver, assumptions, claim)?,
            (None, None) => self.prover.prove(assumptions, claim)?,
        };
        if is_asked {
            self.tell(assumptions, Some(claim), &verdict);
        }
        let obligation =
            Obligation { name: name.to_owned(), verdict, time: start.elapsed(), differences: Vec::new() };
        let proved = obligation.verdict.is_proved();
        self.obligations.push(obligation);
        if proved && is_asked {
            self.guard(name, assumptions)?;
        }
        Ok(self.obligations.last().expect("just pushed"))
    }

    /// Adds a claim that fails if `assumptions` cannot hold at once.
    fn guard(&mut self, name: &str, assumptions: &[Node]) -> Result<(), ProofError> {
        let asked: HashSet<Node> =
            assumptions.iter().copied().filter(|&node| node != Node::bit(true)).collect();
        if self.possible.iter().any(|known| known.is_superset(&asked)) || asked.is_empty() {
            return Ok(());
        }
        let start = Instant::now();
        // Values that evaluation confirms are valid, no matter how the solver treats products.
        let mut found = self.prover.prove(assumptions, Node::bit(false))?;
        if found.counterexample().is_none() {
            found = self.prover.satisfiable(assumptions)?;
        }
        let verdict = match found {
            Verdict::Refuted(_) => {
                self.possible.push(asked);
                return Ok(());
            }
            Verdict::Proved => Verdict::Refuted(Default::default()),
            Verdict::Unknown => Verdict::Unknown,
        };
        self.tell(assumptions, None, &verdict);
        let name = format!("what this assumes can hold: {name}");
        self.obligations.push(Obligation { name, verdict, time: start.elapsed(), differences: Vec::new() });
        Ok(())
    }

    /// Claims that each word of `expected` is the word of that name in `actual`, in one query.
    pub fn equal(
        &mut self,
        name: &str,
        assumptions: &[Node],
        expected: &Signals,
        actual: &Signals,
    ) -> Result<&Obligation, ProofError> {
        let matches = expected.matches(actual)?;
        let at = self.obligations.len();
        self.claim(name, assumptions, Node::all(matches.nodes()))?;
        let obligation = &mut self.obligations[at];
        if let Verdict::Refuted(found) = &obligation.verdict {
            for (word, expected) in expected.iter() {
                let (expected, actual) = (found.eval(expected), found.eval(actual.node(word)?));
                if expected != actual {
                    obligation.differences.push(format!("{word} is {actual}, expected {expected}"));
                }
            }
        }
        Ok(&self.obligations[at])
    }

    /// Claims that all `assumptions` can hold at once. This excludes proofs that hold only because there are
    /// no cases.
    pub fn satisfiable(&mut self, name: &str, assumptions: &[Node]) -> Result<&Obligation, ProofError> {
        let start = Instant::now();
        let verdict = match self.known(assumptions, None) {
            Some(known) => known,
            None => self.possible(assumptions)?,
        };
        self.tell(assumptions, None, &verdict);
        let obligation =
            Obligation { name: name.to_owned(), verdict, time: start.elapsed(), differences: Vec::new() };
        self.obligations.push(obligation);
        Ok(self.obligations.last().expect("just pushed"))
    }

    /// The verdict on assumptions: proved if there are values under which all hold.
    fn possible(&self, assumptions: &[Node]) -> Result<Verdict, ProofError> {
        let found = match &self.second {
            // Products are exact here, so that the values found are values of the design.
            Some(solver) => {
                let exact = Prover { multiply: Multiply::Exact, ..self.prover.clone() };
                cross_check(&exact, solver, assumptions, Node::bit(false))?
            }
            None => self.prover.satisfiable(assumptions)?,
        };
        Ok(match found {
            Verdict::Refuted(_) => Verdict::Proved,
            Verdict::Proved => Verdict::Refuted(Default::default()),
            Verdict::Unknown => Verdict::Unknown,
        })
    }

    /// Runs `step` on every path and merges the words that `words` makes from the results. Claims that the
    /// path conditions cover every case exactly once, unless there is a single path.
    pub fn merged<T>(
        &mut self,
        name: &str,
        step: impl Fn() -> T,
        words: impl Fn(&T) -> Signals,
    ) -> Result<Signals, ProofError> {
        let paths = paths(step);
        if paths.len() > 1 {
            self.claim(
                &format!("{name}: {} paths cover every case once", paths.len()),
                &[],
                exactly_one(&paths),
            )?;
        }
        Ok(merge(&paths, words))
    }
}

/// Prints one line per obligation, with the counterexample of each that fails.
impl fmt::Display for Proof {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Obligation { name, verdict, time, differences } in &self.obligations {
            let word = match verdict {
                Verdict::Proved => "proved ",
                Verdict::Refuted(_) => "REFUTED",
                Verdict::Unknown => "UNKNOWN",
            };
            writeln!(out, "{word} {:8.3} s  {name}", time.as_secs_f64())?;
            for difference in differences {
                writeln!(out, "        {difference}")?;
            }
            if let Some(found) = verdict.counterexample().filter(|found| !found.is_empty()) {
                writeln!(out, "        when {found}")?;
            }
        }
        Ok(())
    }
}
