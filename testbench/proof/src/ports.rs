//! The assumptions that proofs of parts make about their ports, as claims about the block: the block resets
//! and moves its parts together with itself. The claims select ports by their names, so that they include a
//! part that is added later.

use crate::Error;
use weft_hdl::emit::Module;
use weft_symbolic::{Design, Node, Proof, Signals};

/// The name of a reset.
const RESET: &str = "rst";

/// Whether a port is an enable: of a part, or of the read of a memory. Proofs follow delays and
/// products themselves, and assume nothing about them.
fn is_enable(design: &Design, instance: &str, port: &str) -> bool {
    let has = |other: &str| design.wires.node(&format!("{instance}.{other}")).is_ok();
    match port {
        "run" | "re" | "oe" | "en_late" => true,
        // A `Wait` and a divider.
        "en" => has("clocks") || has("en_late"),
        _ => false,
    }
}

/// Whether the instance is in one of the parts `apart`.
fn is_in(instance: &str, apart: &[&str]) -> bool {
    let beneath = |part: &&str| instance.strip_prefix(part).is_some_and(|rest| rest.starts_with('.'));
    apart.iter().any(beneath)
}

/// Adds the claim that the reset of a block resets every part in it. Modules in the parts `apart` are
/// excluded: their own proofs cover them.
pub fn reset(design: &Design, apart: &[&str], proof: &mut Proof) -> Result<(), Error> {
    let reset = design.inputs.node(RESET)?;
    let mut actual = Signals::new();
    for (name, port) in design.wires.iter() {
        let Some((instance, end)) = name.rsplit_once('.') else { continue };
        if end == RESET && !is_in(instance, apart) {
            actual.insert(name, port);
        }
    }
    let expected: Signals = actual.names().map(|name| (name.to_owned(), reset)).collect();
    proof.equal("every part of it is reset with it", &[], &expected, &actual)?;
    Ok(())
}

/// Adds the claim that every part of `design` moves exactly when `run` is high. Modules beneath `apart` are
/// excluded, because they have their own enables, and so are wires in `apart` that have an enable's name. The
/// parts `free`, and modules beneath them, move in every clock.
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
        if is_enable(design, instance, end) && !is_in(instance, apart) && !apart.contains(&name) {
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

/// Adds the claims that all tools read the text in the same way: one clock, and no preprocessor directive
/// that could make the proof differ from synthesis.
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
