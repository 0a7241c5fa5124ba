//! The longest path between registers, in levels of LUTs. A cover of the gates has as few levels of LUTs as
//! the search finds.

use crate::cell::Kind;
use crate::cover::{Cut, Levels, cuts};
use crate::fanout::UNNAMED;
use crate::{Cell, Error, Module};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A path from a register, memory, multiplier or port to another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    /// Number of LUTs and carry chains on the path. A chain counts once, at any length. A multiplexer beside
    /// LUTs does not count.
    pub levels: u32,
    /// Number of carry chains among the levels.
    pub chains: u32,
    /// Start of the path.
    pub from: String,
    /// Nets on the path that have a name in the source.
    pub through: Vec<String>,
    /// End of the path, with the pin.
    pub to: String,
}

/// Depth of a net, counted from registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    Unknown,
    /// The search is in the inputs of the net's driver.
    Open,
    /// Levels with the number of chains, and the net before this one on the path.
    Known(Levels, Option<u32>),
}

struct Search<'a> {
    drivers: HashMap<u32, (Kind, &'a Cell)>,
    depths: HashMap<u32, Depth>,
    /// Cuts of the known nets.
    cuts: HashMap<u32, Vec<Cut>>,
}

/// The longest path of a flat module. If several paths are equally long, the first in the order of the cells.
pub fn longest(module: &Module) -> Result<Way, Error> {
    let (mut drivers, mut ends) = (HashMap::new(), Vec::new());
    for (name, cell) in &module.cells {
        let kind = Kind::of(&cell.kind)?;
        if !kind.is_clocked() {
            drivers.extend(cell.outputs().map(|(_, net)| (net, (kind, cell))));
        }
        if kind.ends() {
            ends.extend(cell.inputs().map(|(pin, net)| (net, End::Pin(name, cell, pin))));
        }
    }
    for (name, port) in module.ports.iter().filter(|(_, port)| port.direction == "output") {
        ends.extend(port.bits.iter().filter_map(|bit| Some((bit.0?, End::Port(name)))));
    }
    let names = module.names();
    let mut search = Search { drivers, depths: HashMap::new(), cuts: HashMap::new() };
    let mut best: Option<(u32, u32, u32, &End)> = None;
    for (net, end) in &ends {
        let (levels, chains) = search
            .depth(*net)
            .map_err(|net| Error::Loop(names.get(&net).map_or(UNNAMED, |name| name).to_owned()))?;
        if best.is_none_or(|(most, of_them, ..)| (levels, chains) > (most, of_them)) {
            best = Some((levels, chains, *net, end));
        }
    }
    let Some((levels, chains, mut net, end)) = best else { return Ok(Way::default()) };
    let mut through = Vec::new();
    loop {
        through.extend(names.get(&net).cloned());
        match search.depths[&net] {
            Depth::Known(_, Some(before)) => net = before,
            _ => break,
        }
    }
    let from = if names.contains_key(&net) { through.pop() } else { None };
    let from = from.unwrap_or_else(|| beginning(module, net));
    through.reverse();
    let to = end.name(&names);
    Ok(Way { levels, chains, from, through, to })
}

/// The driver of a net that has no name in the source.
fn beginning(module: &Module, net: u32) -> String {
    let drives = |cell: &Cell| cell.outputs().any(|(_, driven)| driven == net);
    module
        .cells
        .iter()
        .find(|(_, cell)| drives(cell))
        .map_or_else(|| UNNAMED.to_owned(), |(name, _)| name.clone())
}

/// End of a path.
enum End<'a> {
    Pin(&'a str, &'a Cell, &'a str),
    Port(&'a str),
}

impl End<'_> {
    /// Name of the end: for a register the name of its output, for a memory the name of its cell.
    fn name(&self, names: &HashMap<u32, String>) -> String {
        match self {
            End::Port(name) => (*name).to_owned(),
            End::Pin(name, cell, pin) => {
                let mut outputs = cell.outputs();
                let only = outputs.next().filter(|_| outputs.next().is_none());
                let register = only.and_then(|(_, net)| names.get(&net));
                format!("{}, pin {pin}", register.map_or(*name, |register| register.as_str()))
            }
        }
    }
}

impl Search<'_> {
    /// Levels and chains up to a net, without recursion, as netlists are deep. The error is a net that drives
    /// itself.
    fn depth(&mut self, net: u32) -> Result<Levels, u32> {
        let mut stack = vec![net];
        while let Some(&net) = stack.last() {
            let state = self.depths.get(&net).copied().unwrap_or(Depth::Unknown);
            if matches!(state, Depth::Known(..)) {
                stack.pop();
                continue;
            }
            let Some(&(kind, cell)) = self.drivers.get(&net) else {
                self.know(net, (0, 0), None);
                continue;
            };
            let inputs = || cell.inputs().filter(|(pin, _)| is_read(kind, pin));
            if state == Depth::Unknown {
                self.depths.insert(net, Depth::Open);
                let todo = |input: u32| !matches!(self.depths.get(&input), Some(Depth::Known(..)));
                let before = stack.len();
                stack.extend(inputs().map(|(_, input)| input).filter(|&input| todo(input)));
                if let Some(&around) =
                    stack[before..].iter().find(|&it| self.depths.get(it) == Some(&Depth::Open))
                {
                    return Err(around);
                }
                continue;
            }
            if kind == Kind::Gate {
                self.cover(net, cell);
                continue;
            }
            let mut deepest = ((0, 0), None);
            for (pin, input) in inputs() {
                let levels = match self.depths.get(&input) {
                    Some(Depth::Known(levels, _)) => self.after(kind, pin, input, *levels),
                    _ => return Err(input),
                };
                if deepest.1.is_none() || levels > deepest.0 {
                    deepest = (levels, Some(input));
                }
            }
            self.know(net, deepest.0, deepest.1);
        }
        match self.depths.get(&net) {
            Some(Depth::Known(levels, _)) => Ok(*levels),
            _ => Err(net),
        }
    }

    /// Records the levels of a net. These levels do not depend on the cell that reads the net.
    fn know(&mut self, net: u32, levels: Levels, before: Option<u32>) {
        self.depths.insert(net, Depth::Known(levels, before));
        self.cuts.insert(net, vec![Cut::itself(net, levels)]);
    }

    /// Records the levels of a gate. The gate shares a LUT with gates before it, or begins a new level.
    fn cover(&mut self, net: u32, gate: &Cell) {
        let mut cuts = cuts(gate.inputs().map(|(_, input)| self.cuts[&input].as_slice()));
        let (levels, chains) = cuts[0].levels;
        let levels = (levels + 1, chains);
        self.depths.insert(net, Depth::Known(levels, cuts[0].deepest));
        cuts.push(Cut::itself(net, levels));
        self.cuts.insert(net, cuts);
    }

    /// The levels after a cell, computed from the levels of one of its inputs.
    fn after(&self, kind: Kind, pin: &str, input: u32, (levels, chains): Levels) -> Levels {
        let is_chained = || self.drivers.get(&input).is_some_and(|(kind, _)| matches!(kind, Kind::Carry(_)));
        match kind {
            Kind::Lut | Kind::LutRam(_) => (levels + 1, chains),
            Kind::Carry(_) if matches!(pin, "CI" | "CIN") && is_chained() => (levels, chains),
            Kind::Carry(_) => (levels + 1, chains + 1),
            _ => (levels, chains),
        }
    }
}

/// Whether a change of this pin is visible at the outputs without a clock. Written data of a memory of LUTs
/// waits for the clock, and the memory's last address is that of the write.
fn is_read(kind: Kind, pin: &str) -> bool {
    let Kind::LutRam(luts) = kind else { return true };
    let write_address = if luts == 8 { "ADDRH" } else { "ADDRD" };
    pin == "DPRA" || pin != write_address && !pin.starts_with(['W', 'D'])
}
