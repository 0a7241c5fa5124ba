//! Symbolic words.

#![forbid(unsafe_code)]

mod build;
mod eval;
mod graph;
mod paths;
mod signals;
mod term;
mod value;

pub use eval::{Assignment, Substitution};
pub use graph::{Node, variables};
pub use paths::{PATHS_MAX, Path, exactly_one, merge, paths};
pub use signals::{SignalError, Signals};
pub use term::{Symbolic, Term};
pub use value::Value;
