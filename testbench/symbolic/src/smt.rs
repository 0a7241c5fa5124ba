//! Decides claims with another solver, through SMT-LIB 2.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use crate::graph::{Binary, Expr, cone};
use crate::{Multiply, Node, Prover, SatError, Verdict, process};

/// The reason why another solver gave no verdict.
#[derive(Debug, thiserror::Error)]
pub enum SmtError {
    /// The program could not be started.
    #[error(
        "cannot run the SMT solver {program}: {error}; install z3 5, bitwuzla or yices, or set SMT_SOLVER"
    )]
    Start {
        /// The program.
        program: String,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The program printed something other than a verdict.
    #[error("{program} did not understand the query, run it by hand with `write_query`: {output}")]
    Answer {
        /// The program.
        program: String,
        /// The output of the program.
        output: String,
    },
    /// Two solvers contradict each other.
    #[error("{program} says {theirs}, CaDiCaL says {ours}: one of them has a bug, do not trust the proof")]
    Disagreement {
        /// The program.
        program: String,
        /// The verdict of the program.
        theirs: &'static str,
        /// The verdict of [`Prover`].
        ours: &'static str,
    },
    /// CaDiCaL failed.
    #[error(transparent)]
    Sat(#[from] SatError),
}

/// The query in QF_BV whether `claim` can fail under `assumptions`. `unsat` means proved.
pub fn write_query(assumptions: &[Node], claim: Node) -> String {
    query(assumptions, claim, Multiply::Exact)
}

fn query(assumptions: &[Node], claim: Node, multiply: Multiply) -> String {
    let facts: Vec<Node> = assumptions.iter().copied().chain([!claim]).collect();
    let mut text = String::from("(set-logic QF_BV)\n");
    let mut products = Vec::new();
    for node in cone(facts.iter().copied()) {
        let line = match node.expr() {
            Expr::Binary(Binary::Mul, a, b) if multiply == Multiply::Uninterpreted && b.value().is_none() => {
                products.push((node, a, b));
                writeln!(text, "(declare-const {} (_ BitVec {}))", symbol(node), node.width())
            }
            Expr::Variable(name) => {
                let name = name.replace(['\n', '\r'], " ");
                writeln!(text, "(declare-const {} (_ BitVec {})) ; {name}", symbol(node), node.width())
            }
            expr => {
                writeln!(
                    text,
                    "(define-fun {} () (_ BitVec {}) {})",
                    symbol(node),
                    node.width(),
                    term(node, &expr)
                )
            }
        };
        line.expect("a string takes every line");
    }
    for fact in facts {
        writeln!(text, "(assert (= {} #b1))", symbol(fact)).expect("a string takes every line");
    }
    for (i, product) in products.iter().enumerate() {
        for other in products[..i].iter().filter(|other| other.0.width() == product.0.width()) {
            text += &congruent(*product, *other);
        }
    }
    text + "(check-sat)\n"
}

/// The constraint that equal factors, in either order, have equal products.
fn congruent((p, a, b): (Node, Node, Node), (q, c, d): (Node, Node, Node)) -> String {
    let [p, a, b, q, c, d] = [p, a, b, q, c, d].map(symbol);
    format!("(assert (=> (or (and (= {a} {c}) (= {b} {d})) (and (= {a} {d}) (= {b} {c}))) (= {p} {q})))\n")
}

fn symbol(node: Node) -> String {
    format!("n{}", node.index())
}

fn term(node: Node, expr: &Expr) -> String {
    match *expr {
        Expr::Constant(ref value) => {
            format!("#b{:0>width$}", value.number().to_str_radix(2), width = value.width())
        }
        Expr::Variable(_) => symbol(node),
        Expr::Not(a) => format!("(bvnot {})", symbol(a)),
        Expr::Binary(op, a, b) => {
            let (a, b) = (symbol(a), symbol(b));
            let function = match op {
                Binary::And => "bvand",
                Binary::Or => "bvor",
                Binary::Xor => "bvxor",
                Binary::Add => "bvadd",
                Binary::Sub => "bvsub",
                Binary::Mul => "bvmul",
                Binary::Div => "bvudiv",
                Binary::Rem => "bvurem",
                Binary::ShiftLeft => "bvshl",
                Binary::ShiftRight => "bvlshr",
                Binary::Equal => return format!("(ite (= {a} {b}) #b1 #b0)"),
                Binary::Less => return format!("(ite (bvult {a} {b}) #b1 #b0)"),
            };
            format!("({function} {a} {b})")
        }
        Expr::If(c, a, b) => format!("(ite (= {} #b1) {} {})", symbol(c), symbol(a), symbol(b)),
        Expr::Slice(a, low) => format!("((_ extract {} {low}) {})", low + node.width() - 1, symbol(a)),
        Expr::Concat(a, b) => format!("(concat {} {})", symbol(a), symbol(b)),
    }
}

/// The answer of another solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `unsat`: the claim holds.
    Proved,
    /// `sat`: the claim does not hold.
    Refuted,
    /// No verdict within the limit.
    Unknown,
}

/// An SMT solver: a program that reads SMT-LIB 2 from the file named on its command line.
#[derive(Clone, Debug)]
pub struct SmtSolver {
    /// The program.
    pub program: PathBuf,
    /// Seconds after which the program is stopped.
    pub seconds_max: f32,
}

impl SmtSolver {
    /// The solver at `program`, with 60 seconds.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), seconds_max: 60.0 }
    }

    /// The solver that `SMT_SOLVER` names, or the first of bitwuzla, z3 and yices-smt2 on the search path.
    pub fn find() -> Option<Self> {
        let named = std::env::var_os("SMT_SOLVER").filter(|name| !name.is_empty()).map(PathBuf::from);
        named.or_else(|| process::on_path(&["bitwuzla", "z3", "yices-smt2"])).map(Self::new)
    }

    /// Decides whether `claim` is 1 in all cases in which all `assumptions` are 1.
    pub fn prove(&self, assumptions: &[Node], claim: Node) -> Result<Answer, SmtError> {
        self.answer(&write_query(assumptions, claim))
    }

    fn answer(&self, query: &str) -> Result<Answer, SmtError> {
        let program = self.program.display().to_string();
        let start = |error| SmtError::Start { program: program.clone(), error };
        let folder = tempfile::tempdir().map_err(start)?;
        let path = folder.path().join("query.smt2");
        std::fs::write(&path, query).map_err(start)?;
        let run = process::run(Command::new(&self.program).arg(&path), folder.path(), self.seconds_max);
        let finished = run.map_err(start)?;
        if finished.status.is_none() {
            return Ok(Answer::Unknown);
        }
        match finished.stdout.trim() {
            "unsat" => Ok(Answer::Proved),
            "sat" => Ok(Answer::Refuted),
            "unknown" | "timeout" => Ok(Answer::Unknown),
            _ => Err(SmtError::Answer {
                program,
                output: process::one_line(&format!("{} {}", finished.stdout, finished.stderr)),
            }),
        }
    }
}

/// Runs both solvers: the claim is proved only if both report so; the call fails if they contradict each
/// other. Both treat products as [`Prover::multiply`] says.
pub fn cross_check(
    prover: &Prover,
    solver: &SmtSolver,
    assumptions: &[Node],
    claim: Node,
) -> Result<Verdict, SmtError> {
    let query = query(assumptions, claim, prover.multiply);
    let (ours, theirs) = std::thread::scope(|scope| {
        let theirs = scope.spawn(|| solver.answer(&query));
        (prover.prove(assumptions, claim), theirs.join().expect("a solver's answer is no panic"))
    });
    let (ours, mut theirs) = (ours?, theirs?);
    // CaDiCaL may use more facts about a product, for example that a factor is 0. With exact products, the
    // verdicts must be equal.
    if ours.is_proved() && theirs == Answer::Refuted && prover.multiply == Multiply::Uninterpreted {
        theirs = solver.prove(assumptions, claim)?;
    }
    let disagreement = |theirs, ours| {
        Err(SmtError::Disagreement { program: solver.program.display().to_string(), theirs, ours })
    };
    match (&ours, theirs) {
        (Verdict::Proved, Answer::Refuted) => disagreement("refuted", "proved"),
        (Verdict::Refuted(_), Answer::Proved) => disagreement("proved", "refuted"),
        (Verdict::Proved, Answer::Unknown) => Ok(Verdict::Unknown),
        _ => Ok(ours),
    }
}
