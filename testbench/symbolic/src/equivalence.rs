//! A design against a step function: the commuting diagram.
//!
//! `alpha` reads the model state off the registers. Three statements are proved. Three conditions: reset
//! leads into the invariant; each step preserves the invariant; under the invariant, a step of the model and
//! a clock of the design lead to the same state with the same outputs. Then design and model are equal for
//! all inputs and all time, without unrolling.

use crate::proof::{Proof, ProofError};
use crate::{Design, Node, SignalError, Signals};

/// Reads a model state off registers.
pub type Alpha<'a, S> = &'a dyn Fn(&Signals) -> Result<S, SignalError>;

/// The claim about a design; [`Equivalence::prove`] proves it.
pub struct Equivalence<'a, S> {
    /// The circuit.
    pub design: &'a Design,
    /// 1 while the design is being reset: a word of its inputs.
    pub reset: Node,
    /// The guarantees of the surroundings for the inputs. The design's own constraints are added.
    pub assumptions: &'a [Node],
    /// The model state that the registers represent.
    pub alpha: Alpha<'a, S>,
    /// Words of the model state that reset must give; these may be some of the words, or none.
    pub initial: Signals,
    /// The invariant of every reachable model state.
    pub invariant: &'a dyn Fn(&S) -> Node,
    /// One clock of the model: the state after it and, by port name, the design's outputs before it.
    /// May decide. Reads its inputs from `design.inputs`.
    pub step: &'a dyn Fn(S) -> (S, Signals),
    /// The words of a model state, by any names.
    pub words: &'a dyn Fn(&S) -> Signals,
}

impl<S> Equivalence<'_, S> {
    /// Adds the obligations to `proof`. The obligations are a proof only together.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), ProofError> {
        let (now, next) = (self.design.registers(), self.design.next());
        let alpha = |registers: &Signals| (self.alpha)(registers).expect("checked below");
        // Names are checked once, so that the closures that follow need not fail.
        (self.alpha)(&now)?;

        let invariant = |registers: &Signals| (self.invariant)(&alpha(registers));
        let bit = |node: &Node| Signals::new().with("invariant", *node);
        let before = proof.merged("invariant", || invariant(&now), bit)?.node("invariant")?;
        let after = proof.merged("invariant after the clock", || invariant(&next), bit)?.node("invariant")?;

        let environment = [self.assumptions, &self.design.constraints].concat();
        let in_reset = [&environment[..], &[self.reset]].concat();
        let running = [&environment[..], &[!self.reset, before]].concat();
        proof.satisfiable("reset can happen", &in_reset)?;
        proof.satisfiable("the invariant can hold", &running)?;
        proof.claim("reset leads into the invariant", &in_reset, after)?;

        let state = proof.merged("state after the clock", || alpha(&next), |state| (self.words)(state))?;
        if !self.initial.is_empty() {
            proof.equal("reset gives the initial state", &in_reset, &self.initial, &state)?;
        }
        proof.claim("the invariant is kept", &running, after)?;

        let expected = proof.merged(
            "step",
            || (self.step)(alpha(&now)),
            |(state, outputs)| side_by_side(&(self.words)(state), outputs),
        )?;
        if let Some(name) = self.design.outputs.names().find(|name| expected.node(&output(name)).is_err()) {
            return Err(ProofError::Unchecked(name.to_owned()));
        }
        let actual = side_by_side(&state, &self.design.outputs);
        proof.equal("clock and step agree", &running, &expected, &actual)?;
        Ok(())
    }
}

fn output(name: &str) -> String {
    format!("output {name}")
}

fn side_by_side(state: &Signals, outputs: &Signals) -> Signals {
    let state = state.iter().map(|(name, node)| (format!("next {name}"), node));
    state.chain(outputs.iter().map(|(name, node)| (output(name), node))).collect()
}
