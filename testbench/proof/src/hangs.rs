//! Freedom from deadlock: the waits between instances in the NIC, from its Verilog, the loops among them, and
//! the claims that break these loops (page `docs/proof/hangs.md`).

use crate::streams::reached;
use crate::{Claim, Error, Solvers, read, wiring};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use weft_bench::group;
use weft_hdl::Module;
use weft_hdl::catalogue::{Shape, named};
use weft_symbolic::{Node, State, Yosys, variables};

/// Waits: the instance that offers words, the instance that may delay their acceptance, and the streams
/// between them.
pub type Waits = BTreeMap<(String, String), BTreeSet<String>>;

/// The streams of `top` in which one instance can keep another waiting: from the instance that offers to the
/// instance whose output is part of its `tready`. The surroundings, which are fair, are left out.
pub fn waits(yosys: &Yosys, modules: &[Module], top: &str) -> Result<Waits, Error> {
    let (whole, instances) = wiring::shells(yosys, modules, top, &[])?;
    let registers: HashMap<Node, &str> =
        whole.states.iter().map(|(name, state)| (state.node, name.as_str())).collect();
    let mut waits = Waits::new();
    for (_, from) in &instances {
        for (name, node) in whole.wires.iter() {
            let Some(port) = name.strip_prefix(from.as_str()).and_then(|rest| rest.strip_prefix('.')) else {
                continue;
            };
            let Some((stream, "ready")) = group(port) else { continue };
            for register in variables([node]).into_iter().filter_map(|node| registers.get(&node)) {
                let Some((to, _)) = register.split_once(".any_").filter(|(to, _)| to != from) else {
                    continue;
                };
                let stream = stream.trim_start_matches("m_axis_").to_owned();
                waits.entry((from.clone(), to.to_owned())).or_default().insert(stream);
            }
        }
    }
    Ok(waits)
}

/// Every loop, once, from its first name in the alphabet on.
pub fn loops(waits: &Waits) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let names: BTreeSet<&String> = waits.keys().flat_map(|(from, to)| [from, to]).collect();
    for first in names {
        let mut ways = vec![vec![first.clone()]];
        while let Some(way) = ways.pop() {
            let at = way.last().cloned().unwrap_or_default();
            for (_, to) in waits.keys().filter(|(from, _)| *from == at) {
                if to == first {
                    found.push(way.clone());
                } else if to > first && !way.contains(to) {
                    ways.push([&way[..], std::slice::from_ref(to)].concat());
                }
            }
        }
    }
    found.sort();
    found
}

/// The loops that remain if the waits `broken` are removed.
pub fn unbroken(waits: &Waits, broken: &[(String, String)]) -> Vec<Vec<String>> {
    let left = waits.iter().filter(|(place, _)| !broken.contains(place));
    loops(&left.map(|(place, streams)| (place.clone(), streams.clone())).collect())
}

/// Clocks until the next turn of a kind of report in the registers: six kinds and a failure that waits, three
/// clocks each, and some reserve.
pub const TURNS: u128 = 24;
/// Clocks until the next failure is accepted.
pub const FAILURE: u128 = 4;

/// Proves that the registers accept the reports of sender and receiver within a bounded time, for any values
/// of the inputs in every clock. The ready signals of the host and of the other blocks do not matter.
pub fn registers(yosys: &Yosys, modules: &[Module]) -> Result<Vec<Claim>, Error> {
    let design = read(yosys, modules, "weft_registers_status", &[], "status", Some("weft_ram"))?;
    let (reset, sweeping) = (design.inputs.node("rst")?, design.registers().node("sweeping_q")?);
    let fails = design.inputs.node("failed_valid")?;
    let mut claims = Vec::new();
    for (news, limit, but) in [
        ("freeze", TURNS, fails),
        ("breach", TURNS, fails),
        ("drained", TURNS, fails),
        ("failed", FAILURE, Node::bit(false)),
    ] {
        let ready = design.outputs.node(&format!("{news}_ready"))?;
        let waited = Node::fresh(&format!("clocks that {news} waits"), 6);
        let next = Node::lit(6, 0).when(reset | sweeping | ready | but, waited + Node::lit(6, 1));
        let bad = waited.equals(Node::lit(6, limit));
        let except = if news == "failed" { "" } else { ", if no failure is told meanwhile" };
        let name = format!(
            "{news} is accepted within {limit} clocks of the sweep's end, whatever others accept{except}"
        );
        claims.push(reached(
            "hangs",
            &name,
            &design,
            vec![State { node: waited, init: Some(Node::lit(6, 0)), next }],
            bad,
        )?);
    }
    Ok(claims)
}

/// All claims.
pub fn all(_solvers: &Solvers, tell: &mut dyn FnMut(&[Claim])) -> Result<Vec<Claim>, Error> {
    let block = named("registers").ok_or_else(|| Error::Module("weft_registers".into()))?;
    let claims = registers(&Yosys::find()?, &(block.emit)(&Shape::of(4))?)?;
    tell(&claims);
    Ok(claims)
}
