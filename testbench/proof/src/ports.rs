//! What proofs of parts assume of their ports, claimed of the block that they stand in: that it resets and moves them
//! as it moves itself. The names of the ports say what they are, so a part that is added is claimed with the others.

use crate::Error;
use weft_hdl::emit::Module;
use weft_symbolic::{Design, Node, Proof, Signals};

/// The name of a reset.
const RESET: &str = "rst";

/// The port lets what it belongs to move: a part, or the read of a memory. Registers, delays and products are followed
/// as they are, so nothing is assumed of theirs.
fn is_enable(design: &Design, instance: &str, port: &str) -> bool {
    let has = |other: &str| design.wires.node(&format!("{instance}.{other}")).is_ok();
    match port {
        "run" | "re" | "oe" | "en_late" => true,
        // A word that waits, and a divider.
        "en" => has("clocks") || has("en_late"),
        _ => false,
    }
}

/// The instance is in one of the parts `apart`.
fn is_in(instance: &str, apart: &[&str]) -> bool {
    let beneath = |part: &&str| instance.strip_prefix(part).is_some_and(|rest| rest.starts_with('.'));
    apart.iter().any(beneath)
}

/// The claim that every part in a block is reset when the block is, but what is in the parts `apart`, of which their own
/// proofs speak.
pub fn reset(design: &Design, apart: &[&str], proof: &mut Proof) -> Result<(), Error> {
    let reset = design.inputs.node(RESET)?;
    let mut actual = Signals::new();
    for (name, port) in design.wires.iter() {
        let Some((instance, end)) = name.rsplit_once('.') else { continue };
        // A register's reset is followed as it is, and may be anything.
        let is_register = design.states.contains_key(&format!("{instance}.q"));
        if end == RESET && !is_register && !is_in(instance, apart) {
            actual.insert(name, port);
        }
    }
    let expected: Signals = actual.names().map(|name| (name.to_owned(), reset)).collect();
    proof.equal("every part of it is reset with it", &[], &expected, &actual)?;
    Ok(())
}

/// The claim that every part of `design` moves when `run` says so, but those beneath `apart`, which move on their own, and
/// those that are `free` or beneath one that is, which move in every clock.
pub fn moves(
    design: &Design,
    run: Node,
    apart: &[&str],
    free: &[&str],
    proof: &mut Proof,
) -> Result<(), Error> {
    let mut actual = Signals::new();
    for (name, port) in design.wires.iter() {
        let Some((instance, end)) = name.rsplit_once('.') else { continue };
        if is_enable(design, instance, end) && !is_in(instance, apart) {
            actual.insert(name, port);
        }
    }
    let is_free = |name: &str| {
        let instance = name.rsplit_once('.').map_or("", |(instance, _)| instance);
        free.contains(&instance) || is_in(instance, free)
    };
    let due = |name: &str| if is_free(name) { Node::bit(true) } else { run };
    let expected: Signals = actual.names().map(|name| (name.to_owned(), due(name))).collect();
    proof.equal("every part of it moves with it", &[], &expected, &actual)?;
    Ok(())
}

/// The claims that make the text mean the same to every reader: one clock, and no preprocessor that could tell a proof
/// from synthesis.
pub fn text(design: &Design, modules: &[Module], proof: &mut Proof) -> Result<(), Error> {
    proof.claim(
        "every register follows the rising edge of the clock, and nothing else",
        &[],
        Node::bit(design.other_clocks.is_empty()),
    )?;
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    let plain = |text: &str| {
        let lines = text.lines().map(code).filter(|line| line.contains('`'));
        lines.into_iter().all(|line| line.starts_with("`default_nettype ") && line.matches('`').count() == 1)
    };
    proof.claim(
        "no preprocessor directive but `default_nettype`",
        &[],
        Node::bit(modules.iter().all(|module| plain(&module.text))),
    )?;
    Ok(())
}
