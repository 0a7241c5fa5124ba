//! Copies of an enable (`weft_copies`): proved to follow it, and read as it from then on.

use crate::Error;
use weft_symbolic::{Design, Node, Proof, Signals, State, Substitution};

/// The register whose copies they are.
const ENABLE: &str = "skid.running.q";
/// How the name of its register ends in the Verilog.
const ENABLE_ITSELF: &str = "running.g_copy[0].copy";

/// `design` with one enable: a claim that every copy takes what the enable takes, in every state, and the copies
/// replaced by it.
pub fn one(design: &Design, proof: &mut Proof) -> Result<Design, Error> {
    let (now, next) = (design.registers(), design.next());
    let copies: Vec<&str> =
        design.states.keys().map(String::as_str).filter(|name| name.contains(".g_copy[")).collect();
    let (mut taken, mut expected) = (Signals::new(), Signals::new());
    for name in &copies {
        taken.insert(*name, next.node(name)?);
        expected.insert(*name, next.node(ENABLE)?);
    }
    proof.equal("every copy of the enable is the enable from the first clock on", &[], &expected, &taken)?;
    let enable = now.node(ENABLE)?;
    let nodes = copies.iter().map(|name| now.node(name)).collect::<Result<Vec<_>, _>>()?;
    Ok(replaced(design, &nodes, enable))
}

/// `design` with the enable itself under the name of its output, `running.q`: its register stands in `weft_copies`, so
/// that tools do not take one of the copies for it.
pub fn named(mut design: Design) -> Design {
    let of_enable = |name: &&String| name.ends_with(ENABLE_ITSELF);
    if let Some(name) = design.states.keys().find(of_enable).cloned()
        && let Some(state) = design.states.remove(&name)
    {
        let name = name.trim_end_matches(ENABLE_ITSELF).to_owned() + "running.q";
        design.states.insert(name, state);
    }
    design
}

/// `design` with its input `run_late` as its input `run`, if it has both: a part's users connect copies of one enable.
pub fn of_ports(design: Design) -> Design {
    match (design.inputs.node("run_late"), design.inputs.node("run")) {
        (Ok(late), Ok(run)) => replaced(&design, &[late], run),
        _ => design,
    }
}

/// `design` with `by` in place of inputs or registers.
fn replaced(design: &Design, gone: &[Node], by: Node) -> Design {
    let mut substitution = Substitution::new();
    for node in gone {
        substitution.replace(*node, by);
    }
    let stays = |node: &Node| !gone.contains(node);
    let state = |(name, state): (&String, &State)| {
        let next = substitution.apply([state.next])[0];
        (name.clone(), State { next, ..state.clone() })
    };
    Design {
        inputs: design
            .inputs
            .iter()
            .filter(|(_, node)| stays(node))
            .map(|(name, node)| (name.to_owned(), node))
            .collect(),
        states: design.states.iter().filter(|(_, state)| stays(&state.node)).map(state).collect(),
        outputs: substitution.apply_to(&design.outputs),
        wires: substitution.apply_to(&design.wires),
        constraints: substitution.apply(design.constraints.iter().copied()),
        bads: substitution.apply(design.bads.iter().copied()),
    }
}
