//! The enable of a pipeline. Each module of a pipeline has its own register of the enable (`weft_enable`),
//! and all have the same value. A claim about the block states this. All other claims of the block use one of
//! these registers. The proof of a part uses none of them: there the enable is an input.

use crate::Error;
use std::collections::BTreeMap;
use weft_symbolic::{Design, Node, Proof, Signals, State, Substitution};

/// Suffix of the name of an enable's register.
const REGISTER: &str = ".enable";
/// The enable of a block: that of the queue at its output.
pub const BLOCK: &str = "skid.running_q";
/// The instance in a queue that shows the enable.
const RUNNING: &str = "running";

/// `design` with the enable that a queue makes, under the name of its output. Without such a queue, an input
/// `run` replaces all enables.
pub fn of_part(mut design: Design, scope: &str) -> Design {
    let queues: Vec<String> = enables(&design).filter(|name| instance(name).ends_with(RUNNING)).collect();
    for name in &queues {
        if let Some(state) = design.states.remove(name) {
            design.states.insert(format!("{}_q", instance(name)), state);
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

/// `design`, a block that never stalls: its parts move in every clock. Claims about the ports of the parts
/// show this.
pub fn always(design: &Design) -> Design {
    let mut substitution = Substitution::new();
    if let Ok(run) = design.inputs.node("run") {
        substitution.replace(run, Node::bit(true));
    }
    with(design, design.states.clone(), &substitution)
}

/// Returns `design`, a block, with one enable for all its enables, and a claim that in every state each
/// enable has the value of that one. A block without a queue at its output never stalls.
pub fn of_block(design: &Design, proof: &mut Proof) -> Result<Design, Error> {
    if !design.states.contains_key(BLOCK) {
        return Ok(always(design));
    }
    let next = design.next();
    let (mut taken, mut expected) = (Signals::new(), Signals::new());
    for name in enables(design) {
        taken.insert(name.clone(), next.node(&name)?);
        expected.insert(name, next.node(BLOCK)?);
    }
    proof.equal("every module's enable takes what the output's takes", &[], &expected, &taken)?;
    Ok(replaced(design, design.registers().node(BLOCK)?))
}

/// The names of the enables, except one that is renamed.
fn enables(design: &Design) -> impl Iterator<Item = String> {
    design.states.keys().filter(|name| name.ends_with(REGISTER)).cloned().collect::<Vec<_>>().into_iter()
}

/// The instance that has the register of an enable.
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
    with(design, states, &substitution)
}

/// `design` with the registers `states` and the substitution made.
fn with(design: &Design, mut states: BTreeMap<String, State>, substitution: &Substitution) -> Design {
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
