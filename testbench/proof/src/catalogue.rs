//! The blocks that are proved: one row each, by the name that [`weft_hdl::catalogue`] gives.

use crate::reps::counterexample::Counterexample;
use crate::{Claim, Error, Report, Solvers, part, reps, sack_rx, sack_tx, smartt};
use weft_bench::Plant;

/// What a proof found: its claims, and what refutes one, where that can be shown.
pub type Found = (Report, Vec<Counterexample>);

/// Proves a block, with a bug planted in its Verilog if asked to; claims are told as they are decided.
pub type Prove = fn(&Solvers, Option<&Plant>, &mut dyn FnMut(&[Claim])) -> Result<Found, Error>;

/// The proof of a block.
#[derive(Clone, Copy)]
pub struct Proof {
    /// The block.
    pub name: &'static str,
    /// Proves it in all shapes.
    pub prove: Prove,
}

/// All proofs.
pub const PROOFS: &[Proof] = &[
    Proof { name: "reps", prove: reps::prove },
    Proof { name: "smartt", prove: in_parts::<smartt::Part> },
    Proof { name: "sack_rx", prove: in_parts::<sack_rx::Part> },
    Proof { name: "sack_tx", prove: in_parts::<sack_tx::Part> },
];

/// The proof of the block of this name.
pub fn named(name: &str) -> Option<&'static Proof> {
    PROOFS.iter().find(|proof| proof.name == name)
}

fn in_parts<P: part::Part>(
    solvers: &Solvers,
    plant: Option<&Plant>,
    tell: &mut dyn FnMut(&[Claim]),
) -> Result<Found, Error> {
    Ok((part::prove::<P>(solvers, plant, tell)?, Vec::new()))
}
