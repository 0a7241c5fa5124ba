//! Symbolic words.

#![forbid(unsafe_code)]

mod aig;
mod aiger;
mod blast;
mod btor2;
mod build;
mod design;
mod equivalence;
mod eval;
mod graph;
mod paths;
mod process;
mod proof;
mod prove;
mod signals;
mod simulate;
mod smt;
mod term;
mod value;
mod yosys;

pub use aiger::{Abc, AbcError, System};
pub use btor2::{Btor2Error, Btor2Problem, read_btor2};
pub use design::{Design, State};
pub use equivalence::{Alpha, Equivalence};
pub use eval::{Assignment, Substitution};
pub use graph::{Node, variables};
pub use paths::{PATHS_MAX, Path, exactly_one, merge, paths};
pub use proof::{Obligation, Proof, ProofError};
pub use prove::{Multiply, Prover, Verdict};
pub use signals::{SignalError, Signals};
pub use simulate::Simulation;
pub use smt::{Answer, SmtError, SmtSolver, cross_check, write_query};
pub use term::{Symbolic, Term};
pub use value::Value;
pub use yosys::{Source, Yosys, YosysError};
