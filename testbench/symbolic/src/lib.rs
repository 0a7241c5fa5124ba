//! Symbolic words: proofs that Verilog and a Rust step function are equal.
//!
//! A step written once over [`weft_word::Domain`] runs on numbers in [`weft_word::Concrete`] and on
//! expressions in [`Symbolic`]. Verilog, read through yosys, becomes expressions of the same graph. A SAT
//! solver decides whether both are the same, for all inputs and states.
//!
//! ```
//! use weft_symbolic::{Proof, Prover, Signals, Source, Symbolic, Yosys};
//! use weft_word::{Domain, Word};
//!
//! /// Serves the requester after the last one, if it wants; else the first that does.
//! fn grant<D: Domain>(request: D::Word<3>, last: D::Word<2>) -> D::Word<2> {
//!     let wants = [request.slice::<0, 1>(), request.slice::<1, 1>(), request.slice::<2, 1>()];
//!     for i in 0..3 {
//!         if (wants[(i + 1) % 3] & last.equals(D::lit(i as u128))).decide() {
//!             return D::lit((i as u128 + 1) % 3);
//!         }
//!     }
//!     D::lit(0).when(wants[0], D::lit(1).when(wants[1], D::lit(2)))
//! }
//!
//! const ARBITER: &str = "module arbiter(input [2:0] request, input [1:0] last, output [1:0] grant);
//!     wire [1:0] after = last == 2 ? 0 : last + 1;
//!     assign grant = (last != 3 & request[after]) ? after : request[0] ? 0 : request[1] ? 1 : 2;
//! endmodule";
//!
//! // The same question to the design as it is and to one with a fault.
//! fn prove(yosys: &Yosys, verilog: &str) -> Result<Proof, Box<dyn std::error::Error>> {
//!     let design = yosys.design("arbiter", &[Source::Text(verilog)], "rtl")?;
//!     let (request, last) = (design.inputs.word("request")?, design.inputs.word("last")?);
//!     let mut proof = Proof::new(Prover::default());
//!     let expected = proof.merged(
//!         "grant",
//!         || grant::<Symbolic>(request, last),
//!         |grant| Signals::new().with("grant", *grant),
//!     )?;
//!     proof.equal("the arbiter grants as the model", &[], &expected, &design.outputs)?;
//!     Ok(proof)
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let Ok(yosys) = Yosys::find() else { return Ok(()) }; // nothing to show without yosys
//! let proof = prove(&yosys, ARBITER)?;
//! assert!(proof.is_proved(), "{proof}");
//!
//! let fault = ARBITER.replace("request[1] ? 1 : 2", "request[2] ? 2 : 1");
//! let report = prove(&yosys, &fault)?.to_string();
//! // For example: grant is 2'h1, expected 2'h2, when rtl.last = 2'h3, rtl.request = 3'h0
//! assert!(report.contains("grant is 2'h") && report.contains("when rtl.last = 2'h"), "{report}");
//! # Ok(())
//! # }
//! ```
//!
//! Blocks with registers are an [`Equivalence`]: reset, invariant and one clock, no unrolling. The
//! tests `equivalence.rs` (a queue against a ring buffer) and `pipeline.rs` (read-modify-write with
//! forwarding, lemma by lemma) are written to be copied.
//!
//! # From question to answer
//!
//! | | |
//! |---|---|
//! | [`Node`], [`Term`] | expressions of any width; of a width the compiler knows |
//! | [`paths`], [`merge`] | a step that decides, as one expression per word |
//! | [`Yosys`], [`read_btor2`], [`Design`] | Verilog as expressions |
//! | [`Prover`] | bit-blasting to CaDiCaL; every counterexample is confirmed by [`Assignment::eval`] |
//! | [`SmtSolver`], [`cross_check`] | a second solver that shares only the graph |
//! | [`System`], [`Abc`] | a second route: model checking without an invariant of ours |
//! | [`Proof`], [`Equivalence`] | obligations, timed and reported |
//! | [`sums`] | words that are linear over bits, decided without a solver |
//! | [`Simulation`] | a design on numbers, for tests and for mutants |
//!
//! # What a proof rests on
//!
//! The proofs rely on this crate's meaning of words (tested against [`weft_word::Concrete`] and against
//! Icarus Verilog), on the yosys front end, and on CaDiCaL unless a second solver confirms. Bits that the
//! Verilog leaves undefined (`x`) are free inputs: a proof holds for all their values. The design has one
//! clock.
//!
//! Two differently built multipliers are out of a SAT solver's reach beyond 8 bits: keep one `*` on each side
//! and choose [`Multiply::Uninterpreted`]. If one query is too large, prove lemmas: replace an expression
//! that both sides share by a fresh variable with a [`Substitution`].

#![forbid(unsafe_code)]

mod affine;
mod aig;
mod aiger;
mod blast;
mod btor2;
mod build;
mod cadical;
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

pub use affine::{Sum, sums};
pub use aiger::{Abc, AbcError, System};
pub use btor2::{Btor2Error, Btor2Problem, read_btor2};
pub use cadical::SatError;
pub use design::{Design, State};
pub use equivalence::{Alpha, Equivalence};
pub use eval::{Assignment, Substitution};
pub use graph::{Node, variables};
pub use paths::{PATHS_MAX, Path, exactly_one, merge, paths};
pub use proof::{Hunt, Obligation, Proof, ProofError};
pub use prove::{Multiply, Prover, Verdict};
pub use signals::{SignalError, Signals};
pub use simulate::Simulation;
pub use smt::{Answer, SmtError, SmtSolver, cross_check, write_query};
pub use term::{Symbolic, Term};
pub use value::Value;
pub use yosys::{Reading, Source, Yosys, YosysError};
