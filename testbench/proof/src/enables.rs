//! The enable of a pipeline. Each module of it has a register of its own (`weft_enable`), and all take the same: a claim
//! says so of a block, whose other claims know one of them. The proof of a part knows none, its enable is an input.

use crate::Error;
use weft_symbolic::{Design, Node, Proof, Signals, State, Substitution};

/// How the register of an enable is named in its instance.
const REGISTER: &str = ".enable";
/// The block's: that of the queue at its output.
pub const BLOCK: &str = "skid.running.q";
/// The instance whose enable a queue shows.
const RUNNING: &str = "running";

/// `design` with the enable that a queue makes under the name of its output, and an input `run` in place of all others
/// if there is no such queue.
pub fn of_part(mut design: Design, scope: &str) -> Design {
    let queues: Vec<String> = enables(&design).filter(|name| instance(name).ends_with(RUNNING)).collect();
    for name in &queues {
        if let Some(state) = design.states.remove(name) {
            design.states.insert(format!("{}.q", instance(name)), state);
        }
    }
    if !queues.is_empty() || enables(&design).next().is_none() {
        return design;
    }
    let run = Node::variable(&format!("{scope}.run"), 1);
    let mut design = replaced(&design, run);
    design.inputs.insert("run", run);
    design
}

/// `design`, a block, with one enable, and a claim that in every state each takes what that one takes.
pub fn of_block(design: &Design, proof: &mut Proof) -> Result<Design, Error> {
    let next = design.next();
    let (mut taken, mut expected) = (Signals::new(), Signals::new());
    for name in enables(design) {
        taken.insert(name.clone(), next.node(&name)?);
        expected.insert(name, next.node(BLOCK)?);
    }
    proof.equal("every module's enable takes what the output's takes", &[], &expected, &taken)?;
    Ok(replaced(design, design.registers().node(BLOCK)?))
}

/// The names of the enables, but for one that was renamed.
fn enables(design: &Design) -> impl Iterator<Item = String> {
    design.states.keys().filter(|name| name.ends_with(REGISTER)).cloned().collect::<Vec<_>>().into_iter()
}

/// The instance that the register of an enable stands in.
fn instance(name: &str) -> &str {
    name.trim_end_matches(REGISTER)
}

/// `design` with `run` in place of its enables.
fn replaced(design: &Design, run: Node) -> Design {
    let mut substitution = Substitution::new();
    let mut states = design.states.clone();
    for name in enables(design) {
        if let Some(State { node, .. }) = states.remove(&name) {
            substitution.replace(node, run);
        }
    }
    for state in states.values_mut() {
        state.next = substitution.apply([state.next])[0];
    }
    Design {
        inputs: design.inputs.clone(),
        states,
        outputs: substitution.apply_to(&design.outputs),
        wires: substitution.apply_to(&design.wires),
        constraints: substitution.apply(design.constraints.iter().copied()),
        bads: substitution.apply(design.bads.iter().copied()),
        other_clocks: design.other_clocks.clone(),
    }
}
