//! The promises of the blocks' streams (page `docs/monitors.md`), for every state and input: `weft prove
//! streams`.
//!
//! The proofs make no assumption about the state, not even a past reset. If this is not enough, ABC explores
//! the states that are reached from reset on.

use crate::{Claim, Error, Outcome, Report, Solvers, enables, read, wiring};
use std::time::Instant;
use weft_bench::{Exchange, group};
use weft_hdl::Module;
use weft_hdl::catalogue::{Block, Shape};
use weft_symbolic::{
    Abc, Answer, Design, Multiply, Node, Proof, Prover, Signals, State, Substitution, System, Yosys,
};

/// Every memory is one word at an arbitrary address, as `docs/proof.md` describes for `weft_ram_sdp`.
const MEMORIES: &str = "weft_ram";

const RESET: &str = "rst";

/// Proves the rules of the streams of these blocks in a shape.
pub fn prove(
    solvers: &Solvers,
    blocks: &[&Block],
    shape: &Shape,
    exchange: Option<&Exchange>,
    tell: &mut dyn FnMut(&[Claim]),
) -> Result<Report, Error> {
    let yosys = Yosys { seconds_max: 600.0, ..Yosys::find()? };
    let mut report = Report { claims: Vec::new(), notes: solvers.note().into_iter().collect() };
    for block in blocks {
        let mut modules = (block.emit)(shape)?;
        if let Some(exchange) = exchange {
            exchange.apply(&mut modules)?;
        }
        let claims = of_block(&yosys, solvers, block, &modules)?;
        tell(&claims);
        report.claims.extend(claims);
    }
    Ok(report)
}

/// The claims about a block in `modules`.
pub fn of_block(
    yosys: &Yosys,
    solvers: &Solvers,
    block: &Block,
    modules: &[Module],
) -> Result<Vec<Claim>, Error> {
    if block.name == "nic" {
        // The streams of the NIC are those of its blocks.
        let mut proof = solvers.proof(Prover::default());
        wiring::joined(yosys, modules, block.top, &mut proof)?;
        return Ok(solvers.claims(block.name, &proof));
    }
    let mut design = read(yosys, modules, block.top, &[], block.name, Some(MEMORIES))?;
    let mut claims = Vec::new();
    if design.states.contains_key(enables::BLOCK) {
        let mut proof = solvers.proof(Prover::default());
        design = enables::of_block(&design, &mut proof)?;
        claims = solvers.claims(block.name, &proof);
    }
    let mut invariant = Vec::new();
    let queues: Vec<&str> =
        design.states.keys().filter_map(|name| name.strip_suffix("slots.ahead_q")).collect();
    for queue in queues {
        let mut proof = solvers.proof(Prover::default());
        invariant.extend(in_turn(&design, queue, &mut proof)?);
        claims.extend(solvers.claims(block.name, &proof));
    }
    for mut rule in rules(&design)? {
        rule.assumptions.extend(&invariant);
        claims.push(decide(solvers, block.name, &design, &rule)?);
    }
    claims.extend(unasked(block.name, &design)?);
    Ok(claims)
}

/// The invariant of a queue with slots, from the first clock of reset on, and two claims: a stored word is
/// always offered, and the next word is stored behind those in the slots. `queue` is the prefix of their
/// names.
fn in_turn(design: &Design, queue: &str, proof: &mut Proof) -> Result<Vec<Node>, Error> {
    let holds = |registers: &Signals| {
        let get = |name: &str| registers.node(&format!("{queue}{name}"));
        let (runs, offered) = (get("skid.running_q")?, get("skid.offered_q")?);
        let (ahead, behind) = (get("slots.ahead_q")?, get("slots.behind_q")?);
        let odd = runs ^ !offered;
        Ok::<_, Error>([runs | offered, behind.equals(ahead ^ odd)])
    };
    let (reset, before) = (design.inputs.node(RESET)?, holds(&design.registers())?);
    let after = Node::all(holds(&design.next())?);
    proof.claim(&format!("reset leads into what is known of {queue}slots"), &[reset], after)?;
    proof.claim(&format!("what is known of {queue}slots is kept"), &before, after)?;
    Ok(before.to_vec())
}

/// A claim about a clock and the next one.
struct Rule {
    name: String,
    assumptions: Vec<Node>,
    claim: Node,
}

/// The design a clock later, with arbitrary inputs in that clock.
fn later(design: &Design) -> Substitution {
    let mut later = Substitution::new();
    for (name, node) in design.inputs.iter() {
        later.replace(node, Node::fresh(&format!("{name} later"), node.width()));
    }
    for state in design.states.values() {
        later.replace(state.node, state.next);
    }
    later
}

/// The design in the same state with other inputs, out of reset.
fn otherwise(design: &Design) -> Result<Substitution, Error> {
    let reset = design.inputs.node(RESET)?;
    let mut otherwise = Substitution::new();
    for (name, node) in design.inputs.iter() {
        let other = if node == reset {
            Node::bit(false)
        } else {
            Node::fresh(&format!("other {name}"), node.width())
        };
        otherwise.replace(node, other);
    }
    Ok(otherwise)
}

fn is_of(name: &str, stream: &str) -> bool {
    group(name).is_some_and(|(of, signal)| of == stream && !["valid", "ready"].contains(&signal))
}

/// The claims of each stream.
fn rules(design: &Design) -> Result<Vec<Rule>, Error> {
    let reset = design.inputs.node(RESET)?;
    let (later, otherwise) = (later(design), otherwise(design)?);
    let mut rules = Vec::new();
    for (name, node) in design.outputs.iter() {
        let Some((stream, signal)) = group(name) else { continue };
        if !["valid", "ready"].contains(&signal) {
            continue;
        }
        let mut rule = |rule: &str, assumptions: Vec<Node>, claim: Node| {
            rules.push(Rule { name: format!("{stream}: {rule}"), assumptions, claim });
        };
        let path = format!("path: no input is in {name} in the same clock");
        rule(&path, vec![!reset], node.equals(otherwise.apply([node])[0]));
        if signal != "valid" {
            continue;
        }
        let valid_later = later.apply([node])[0];
        rule("reset: nothing is offered behind a clock of reset", vec![reset], !valid_later);
        // A stream without a ready cannot wait.
        let Ok(ready) = design.inputs.node(&name.replace("valid", "ready")) else { continue };
        let waits = vec![!reset, node, !ready];
        rule("withdrawn: what is not taken is offered again", waits.clone(), valid_later);
        let words: Signals = design
            .outputs
            .iter()
            .filter(|(name, _)| is_of(name, stream))
            .map(|(name, node)| (name.to_owned(), node))
            .collect();
        let same = Node::all(words.matches(&later.apply_to(&words))?.nodes());
        rule("changed: it is the same word", waits, same);
    }
    Ok(rules)
}

/// Decides a rule in every state; if it does not hold in every state, in the reachable states.
fn decide(solvers: &Solvers, part: &str, design: &Design, rule: &Rule) -> Result<Claim, Error> {
    let mut proof: Proof = solvers.proof(Prover { multiply: Multiply::Uninterpreted, ..Prover::default() });
    proof.claim(&rule.name, &rule.assumptions, rule.claim)?;
    let claim = solvers.claims(part, &proof).remove(0);
    if claim.outcome == Outcome::Proved {
        return Ok(claim);
    }
    let bad = Node::all(rule.assumptions.iter().copied()) & !rule.claim;
    reached(part, &rule.name, design, Vec::new(), bad)
}

/// The claim that `bad` is never so from the first clock after one of reset on, with more registers.
pub(crate) fn reached(
    part: &str,
    name: &str,
    design: &Design,
    more: Vec<State>,
    bad: Node,
) -> Result<Claim, Error> {
    let begin = Instant::now();
    let first = Node::fresh("first clock", 1);
    let reset = design.inputs.node(RESET)?;
    let mut drive = Substitution::new();
    drive.replace(reset, first | reset);
    let one = |node| drive.apply([node])[0];
    let mut states: Vec<State> = design.states.values().chain(&more).cloned().collect();
    for state in &mut states {
        state.next = one(state.next);
    }
    states.push(State { node: first, init: Some(Node::bit(true)), next: Node::bit(false) });
    let system = System { states, constraints: Vec::new(), bad: !first & one(bad) };
    let abc = Abc { seconds_max: 60.0, ..Abc::find()? };
    let (answer, clock) = abc.decide(&system, "scleanup; strash; dc2; pdr")?;
    let outcome = match answer {
        Answer::Proved => Outcome::Proved,
        Answer::Refuted => Outcome::Refuted,
        Answer::Unknown => Outcome::Unknown,
    };
    Ok(Claim {
        part: part.to_owned(),
        name: format!("{name}, from reset on"),
        outcome,
        seconds: begin.elapsed().as_secs_f64(),
        solver: "ABC".into(),
        details: clock
            .map(|clock| format!("{clock} clocks after the first clock of reset"))
            .into_iter()
            .collect(),
    })
}

/// Proves that every response of AXI4-Lite answers a request that was accepted before.
fn unasked(part: &str, design: &Design) -> Result<Vec<Claim>, Error> {
    if design.outputs.node("s_axil_bvalid").is_err() {
        return Ok(Vec::new());
    }
    let reset = design.inputs.node(RESET)?;
    let taken = |channel: &str| -> Result<Node, Error> {
        let bit = |signal: &str| {
            let name = format!("s_axil_{channel}{signal}");
            design.inputs.node(&name).or_else(|_| design.outputs.node(&name))
        };
        Ok(bit("valid")? & bit("ready")?)
    };
    let mut claims = Vec::new();
    for (response, requests) in [("b", &["aw", "w"][..]), ("r", &["ar"][..])] {
        let (mut counts, mut asked) = (Vec::new(), Vec::new());
        for request in requests {
            // Requests accepted and not answered; the block never has more than one of a kind.
            let count = Node::fresh(&format!("{request} not answered"), 2);
            let (more, less) = (taken(request)?.widen(2), taken(response)?.widen(2));
            let next = Node::lit(2, 0).when(reset, count + more - less);
            counts.push(State { node: count, init: None, next });
            asked.push(!count.is_zero());
        }
        let valid = design.outputs.node(&format!("s_axil_{response}valid"))?;
        let bad = !reset & valid & !Node::all(asked);
        let name = format!("s_axil_{response}: unasked: a response answers a request that was taken");
        claims.push(reached(part, &name, design, counts, bad)?);
    }
    Ok(claims)
}
