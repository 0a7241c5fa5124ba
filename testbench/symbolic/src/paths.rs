//! Forking decisions: a step with ordinary control flow becomes one expression per path.
//!
//! [`paths`] runs the step again and again. Each run follows a trail of earlier decisions and extends it. The
//! next run changes the last decision that still has an untried side. A decision whose answer follows from
//! the earlier decisions does not fork.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::graph::{Binary, Expr};
use crate::{Node, Signals, Value};

/// Limit of paths, above that of any step. Beyond this limit, merge with `Word::when` instead of deciding.
pub const PATHS_MAX: usize = 1 << 16;

/// One path through a step.
#[derive(Clone, Debug)]
pub struct Path<T> {
    /// Condition under which the step takes this path.
    pub condition: Node,
    /// The decisions in order, each with its answer; `condition` is their conjunction.
    pub decisions: Vec<(Node, bool)>,
    /// The value that the step returns on this path.
    pub value: T,
}

#[derive(Clone, Copy)]
struct Decision {
    condition: Node,
    taken: bool,
    /// Whether the second side has been explored.
    last: bool,
}

#[derive(Default)]
struct Trail {
    decisions: Vec<Decision>,
    position: usize,
    facts: Facts,
}

thread_local! {
    static TRAIL: RefCell<Option<Trail>> = const { RefCell::new(None) };
}

/// Ends the exploration also when the step panics.
struct Exploration;

impl Exploration {
    fn start() -> Self {
        TRAIL.with_borrow_mut(|trail| {
            assert!(trail.is_none(), "paths() cannot run inside the step of another paths()");
            *trail = Some(Trail::default());
        });
        Exploration
    }
}

impl Drop for Exploration {
    fn drop(&mut self) {
        TRAIL.set(None);
    }
}

/// Every path through `step`, which must take the same decisions whenever it is run.
///
/// ```
/// use weft_symbolic::{Symbolic, Term, paths};
/// use weft_word::{Domain, Word};
///
/// let digit = Term::<4>::variable("digit");
/// let paths = paths(|| {
///     if digit.equals(Symbolic::lit(9)).decide() { Symbolic::lit::<4>(0) } else { digit + Symbolic::lit(1) }
/// });
/// assert_eq!(paths.len(), 2);
/// ```
///
/// # Panics
///
/// The step is not deterministic, has more than [`PATHS_MAX`] paths, or calls `paths` itself.
pub fn paths<T>(step: impl Fn() -> T) -> Vec<Path<T>> {
    let _exploration = Exploration::start();
    let mut found = Vec::new();
    loop {
        let value = step();
        let more = TRAIL.with_borrow_mut(|trail| {
            let trail = trail.as_mut().expect("an exploration is under way");
            assert!(
                trail.position == trail.decisions.len(),
                "the step left its own trail: {NOT_DETERMINISTIC}"
            );
            let decisions: Vec<_> = trail.decisions.iter().map(|d| (d.condition, d.taken)).collect();
            let literals = decisions.iter().map(|&(node, taken)| if taken { node } else { !node });
            found.push(Path { condition: Node::all(literals), decisions, value });
            trail.next()
        });
        if !more {
            return found;
        }
        assert!(found.len() < PATHS_MAX, "more than {PATHS_MAX} paths: merge with Word::when where it can");
    }
}

const NOT_DETERMINISTIC: &str = "it must take the same decisions whenever it is run";

impl Trail {
    fn decide(&mut self, condition: Node) -> bool {
        if let Some(known) = self.facts.implied(condition) {
            return known;
        }
        let taken = match self.decisions.get(self.position) {
            Some(decision) => {
                assert!(decision.condition == condition, "the step changed its mind: {NOT_DETERMINISTIC}");
                decision.taken
            }
            None => {
                self.decisions.push(Decision { condition, taken: true, last: false });
                true
            }
        };
        self.position += 1;
        self.facts.learn(condition, taken);
        taken
    }

    /// Turns the last decision with an untried side; false when there is none.
    fn next(&mut self) -> bool {
        while self.decisions.last().is_some_and(|decision| decision.last) {
            self.decisions.pop();
        }
        self.position = 0;
        self.facts = Facts::default();
        match self.decisions.last_mut() {
            Some(decision) => {
                decision.taken = !decision.taken;
                decision.last = true;
                true
            }
            None => false,
        }
    }
}

/// The effect of [`weft_word::Word::decide`] on a symbolic bit.
pub(crate) fn decide(condition: Node) -> bool {
    if let Some(value) = condition.value() {
        return !value.is_zero();
    }
    TRAIL.with_borrow_mut(|trail| {
        trail
            .as_mut()
            .expect("a symbolic bit can only be decided inside weft_symbolic::paths()")
            .decide(condition)
    })
}

/// The implications of the decisions so far, as far as they can be read off without a solver.
#[derive(Default)]
struct Facts {
    bits: HashMap<Node, bool>,
    values: HashMap<Node, Value>,
}

impl Facts {
    fn learn(&mut self, bit: Node, holds: bool) {
        self.bits.insert(bit, holds);
        match bit.expr() {
            Expr::Not(a) => self.learn(a, !holds),
            Expr::Binary(Binary::And, a, b) => self.learn_either(a, b, holds, false),
            Expr::Binary(Binary::Or, a, b) => self.learn_either(a, b, holds, true),
            Expr::Binary(Binary::Equal, a, b) if holds => {
                if let Some(value) = b.value() {
                    self.values.insert(a, (*value).clone());
                }
            }
            _ => {}
        }
    }

    /// An And or Or. If the result is not `decisive`, all operands equal it. If it is, and all operands but
    /// one are known to differ from it, the last operand equals it.
    fn learn_either(&mut self, a: Node, b: Node, holds: bool, decisive: bool) {
        if holds != decisive {
            self.learn(a, holds);
            self.learn(b, holds);
        } else if self.implied(a) == Some(!decisive) {
            self.learn(b, decisive);
        } else if self.implied(b) == Some(!decisive) {
            self.learn(a, decisive);
        }
    }

    fn implied(&self, bit: Node) -> Option<bool> {
        if let Some(&known) = self.bits.get(&bit) {
            return Some(known);
        }
        match bit.expr() {
            Expr::Constant(value) => Some(!value.is_zero()),
            Expr::Not(a) => self.implied(a).map(|known| !known),
            Expr::Binary(Binary::And, a, b) => self.either(a, b, false),
            Expr::Binary(Binary::Or, a, b) => self.either(a, b, true),
            Expr::Binary(Binary::Equal, a, b) => Some(*self.values.get(&a)? == *b.value()?),
            _ => None,
        }
    }

    /// An And or Or: one `decisive` operand settles the result, and so do two operands of the opposite value.
    fn either(&self, a: Node, b: Node, decisive: bool) -> Option<bool> {
        match (self.implied(a), self.implied(b)) {
            (Some(known), _) | (_, Some(known)) if known == decisive => Some(decisive),
            (Some(_), Some(_)) => Some(!decisive),
            _ => None,
        }
    }
}

/// The claim that exactly one path condition holds: together the conditions cover every case, and no two of
/// them overlap. Prove it before trusting [`merge`].
pub fn exactly_one<T>(paths: &[Path<T>]) -> Node {
    let (any, disjoint) = paths.iter().fold((Node::bit(false), Node::bit(true)), |(any, disjoint), path| {
        (any | path.condition, disjoint & !(any & path.condition))
    });
    any & disjoint
}

/// Merges all paths: each word becomes a choice by the decisions. `words` names the words of a path's value,
/// with the same names on every path.
///
/// # Panics
///
/// There is no path, or the names differ.
pub fn merge<T>(paths: &[Path<T>], words: impl Fn(&T) -> Signals) -> Signals {
    let leaves: Vec<_> = paths.iter().map(|path| (&path.decisions[..], words(&path.value))).collect();
    merge_from(&leaves, 0)
}

/// Paths are found in the order of their decision tree, so paths that share `depth` decisions are adjacent,
/// and those with the answer true come first.
fn merge_from(leaves: &[(&[(Node, bool)], Signals)], depth: usize) -> Signals {
    let [first, ..] = leaves else { panic!("a step has at least one path") };
    let Some(&(condition, _)) = first.0.get(depth) else {
        return first.1.clone();
    };
    let taken = leaves.partition_point(|leaf| leaf.0[depth].1);
    let then = merge_from(&leaves[..taken], depth + 1);
    let otherwise = merge_from(&leaves[taken..], depth + 1);
    assert!(then.names().eq(otherwise.names()), "every path has the same words");
    then.zip(&otherwise)
        .map(|(name, then, otherwise)| (name.to_owned(), then.when(condition, otherwise)))
        .collect()
}
