//! Transition systems as binary AIGER, and the model checker that reads them.
//!
//! This is the second route to an equivalence. No invariant is written by hand, because ABC's property
//! directed reachability finds an invariant of its own. This route is slower than
//! [`Equivalence`](crate::Equivalence), and independent of it.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use crate::aig::{FALSE, Lit, gate_of};
use crate::blast::Blaster;
use crate::{Answer, Design, Multiply, Node, SignalError, State, Substitution, process};

/// Registers and a bit that is never to be 1. Other variables are free in every clock.
#[derive(Clone, Debug)]
pub struct System {
    /// The registers. A register without `init` starts with any value.
    pub states: Vec<State>,
    /// Bits that are 1 in every clock.
    pub constraints: Vec<Node>,
    /// The bit that must stay 0 while the constraints hold.
    pub bad: Node,
}

impl System {
    /// Two designs side by side: inputs of the same name have the same values, `reset` is high in the first
    /// clock and low from then on. Bad: after the first clock, one of `a`'s outputs differs from `b`'s of
    /// that name. The designs must have been read with different scopes.
    pub fn miter(a: &Design, b: &Design, reset: &str) -> Result<Self, SignalError> {
        let first = Node::fresh("first clock", 1);
        let mut drive = Substitution::new();
        for (name, input) in a.inputs.iter() {
            let shared = if name == reset { first } else { input };
            drive.replace(input, shared);
            if let Ok(twin) = b.inputs.node(name) {
                if twin.width() != input.width() {
                    let (asked, actual) = (input.width(), twin.width());
                    return Err(SignalError::Width { name: name.to_owned(), asked, actual });
                }
                drive.replace(twin, shared);
            }
        }
        a.inputs.node(reset)?;
        let one = |node| drive.apply([node])[0];
        let registers = a.states.values().chain(b.states.values());
        let mut states: Vec<State> =
            registers.map(|state| State { next: one(state.next), ..state.clone() }).collect();
        states.push(State { node: first, init: Some(Node::bit(true)), next: Node::bit(false) });
        let same = Node::all(a.outputs.matches(&b.outputs)?.nodes());
        Ok(System {
            states,
            constraints: a.constraints.iter().chain(&b.constraints).map(|&node| one(node)).collect(),
            bad: !first & !one(same),
        })
    }

    /// The system with all registers 0 at the start and without constraints, as plain AIGER requires.
    fn normalised(&self) -> Self {
        let started = Node::fresh("started", 1);
        let mut states = Vec::new();
        let mut substitution = Substitution::new();
        for state in &self.states {
            let width = state.node.width();
            let name = state.node.name().unwrap_or_else(|| "register".into());
            let latch = Node::fresh(&name, width);
            let init = state.init.unwrap_or_else(|| Node::fresh(&name, width));
            // A constant start costs inverters only.
            let (reads, next) = match init.value() {
                Some(_) => (latch ^ init, state.next ^ init),
                None => (latch.when(started, init), state.next),
            };
            substitution.replace(state.node, reads);
            states.push(State { node: latch, init: None, next });
        }
        let failed = Node::fresh("constraint failed", 1);
        let fails = failed | !Node::all(self.constraints.iter().copied());
        states.push(State { node: started, init: None, next: Node::bit(true) });
        states.push(State { node: failed, init: None, next: fails });
        for state in &mut states {
            state.next = substitution.apply([state.next])[0];
        }
        let bad = substitution.apply([self.bad & !fails])[0];
        System { states, constraints: Vec::new(), bad }
    }

    /// The system in binary AIGER: latches that start at 0, one output that must stay 0.
    pub fn aiger(&self) -> Vec<u8> {
        let System { states, bad, .. } = self.normalised();
        let mut blaster = Blaster::new(Multiply::Exact);
        let latches: Vec<Lit> = states.iter().flat_map(|state| blaster.bits(state.node).to_vec()).collect();
        let nexts: Vec<Lit> = states.iter().flat_map(|state| blaster.bits(state.next).to_vec()).collect();
        let bad = blaster.bit(bad);
        let cone = blaster.aig.cone(nexts.iter().copied().chain([bad]));

        // AIGER numbers inputs, latches and gates in this order, from 1.
        let is_latch: std::collections::HashSet<usize> = latches.iter().map(|&lit| gate_of(lit)).collect();
        let is_gate = |gate: &usize| blaster.aig.inputs(*gate).is_some();
        let is_input = |gate: &usize| *gate != gate_of(FALSE) && !is_gate(gate) && !is_latch.contains(gate);
        let inputs: Vec<usize> = cone.iter().copied().filter(is_input).collect();
        let gates: Vec<usize> = cone.iter().copied().filter(is_gate).collect();
        let order = inputs
            .iter()
            .copied()
            .chain(latches.iter().map(|&lit| gate_of(lit)))
            .chain(gates.iter().copied());
        let mut numbers: HashMap<usize, Lit> = order.zip(1..).collect();
        numbers.insert(gate_of(FALSE), 0);
        let number = |lit: Lit| numbers[&gate_of(lit)] << 1 | lit & 1;

        let count = inputs.len() + latches.len() + gates.len();
        let mut header = format!("aig {count} {} {} 1 {}\n", inputs.len(), latches.len(), gates.len());
        for lit in nexts.into_iter().chain([bad]) {
            writeln!(header, "{}", number(lit)).expect("a string takes every line");
        }
        let mut bytes = header.into_bytes();
        for &gate in &gates {
            let (a, b) = blaster.aig.inputs(gate).expect("gates have inputs");
            let (a, b) = (number(a).max(number(b)), number(a).min(number(b)));
            push_delta(&mut bytes, (numbers[&gate] << 1) - a);
            push_delta(&mut bytes, a - b);
        }
        bytes
    }
}

/// Seven bits per byte, the lowest first.
fn push_delta(bytes: &mut Vec<u8>, mut delta: u32) {
    while delta >= 0x80 {
        bytes.push(delta as u8 | 0x80);
        delta >>= 7;
    }
    bytes.push(delta as u8);
}

/// The reason why ABC gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum AbcError {
    /// ABC is not installed.
    #[error("no ABC on the search path: install berkeley-abc or yosys (Debian), or set ABC to its path")]
    Missing,
    /// The program could not be run.
    #[error("cannot run {program}: {error}; check the path")]
    Run {
        /// The program.
        program: String,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The program gave no answer.
    #[error("{program} gave no answer, check that it is a Berkeley ABC: {output}")]
    Answer {
        /// The program.
        program: String,
        /// The output of the program.
        output: String,
    },
}

/// Berkeley ABC.
#[derive(Clone, Debug)]
pub struct Abc {
    /// The program.
    pub program: PathBuf,
    /// Seconds after which the program stops without an answer.
    pub seconds_max: f32,
}

impl Abc {
    /// The ABC that the variable `ABC` names, or the first of berkeley-abc, yosys-abc and abc on the
    /// search path, with 120 seconds.
    pub fn find() -> Result<Self, AbcError> {
        let named = std::env::var_os("ABC").filter(|name| !name.is_empty()).map(PathBuf::from);
        let program = named.or_else(|| process::on_path(&["berkeley-abc", "yosys-abc", "abc"]));
        Ok(Self { program: program.ok_or(AbcError::Missing)?, seconds_max: 120.0 })
    }

    /// Whether `system` is never bad, by property directed reachability.
    pub fn prove(&self, system: &System) -> Result<Answer, AbcError> {
        Ok(self.decide(system, "strash; pdr")?.0)
    }

    /// Decides whether `system` can reach a bad state, by these commands of ABC, and after how many clocks.
    pub fn decide(&self, system: &System, commands: &str) -> Result<(Answer, Option<u32>), AbcError> {
        let program = self.program.display().to_string();
        let failed = |error| AbcError::Run { program: program.clone(), error };
        let folder = tempfile::tempdir().map_err(failed)?;
        std::fs::write(folder.path().join("system.aig"), system.aiger()).map_err(failed)?;
        let mut command = Command::new(&self.program);
        command.args(["-q", &format!("read_aiger system.aig; {commands}")]).current_dir(folder.path());
        let finished = process::run(&mut command, folder.path(), self.seconds_max).map_err(failed)?;
        const ASSERTED: &str = "was asserted in frame ";
        if finished.status.is_none() {
            Ok((Answer::Unknown, None))
        } else if finished.stdout.contains("Property proved") {
            Ok((Answer::Proved, None))
        } else if let Some((_, frame)) = finished.stdout.split_once(ASSERTED) {
            let digits = frame.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
            Ok((Answer::Refuted, digits.parse().ok()))
        } else {
            Err(AbcError::Answer {
                program,
                output: process::one_line(&(finished.stdout + &finished.stderr)),
            })
        }
    }
}
