//! A synchronous circuit as expressions: one clock from the present state to the next.

use std::collections::BTreeMap;

use crate::{Node, SignalError, Signals, Substitution, Value};

/// A register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The variable for the present value.
    pub node: Node,
    /// The value at power-up, when the source gives one.
    pub init: Option<Node>,
    /// The value after the clock.
    pub next: Node,
}

/// A circuit of one clock over free variables for its inputs and registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Design {
    /// Input ports, the clock among them, as variables.
    pub inputs: Signals,
    /// Registers by name.
    pub states: BTreeMap<String, State>,
    /// Output ports, over inputs and registers.
    pub outputs: Signals,
    /// Wires that the source names, over inputs and registers: where lemmas look inside.
    pub wires: Signals,
    /// Bits that the source assumes to be 1 (`assume`).
    pub constraints: Vec<Node>,
    /// Bits that the source asserts never to be 1 (`assert`, negated).
    pub bads: Vec<Node>,
    /// Registers that follow other edges than the rising edge of the input `clk`, or further edges.
    pub other_clocks: Vec<String>,
}

impl Design {
    /// A step function as a design: registers `initial` with their values at power-up, named
    /// `scope.name`; `step` gives their next values and the outputs.
    pub fn of_step<E>(
        scope: &str,
        initial: &[(&str, Value)],
        inputs: Signals,
        step: impl FnOnce(&Signals) -> Result<(Signals, Signals), E>,
    ) -> Result<Self, E>
    where
        E: From<SignalError>,
    {
        let variable = |name: &str, width| Node::variable(&format!("{scope}.{name}"), width);
        let registers =
            initial.iter().map(|(name, value)| ((*name).to_owned(), variable(name, value.width()))).collect();
        let (next, outputs) = step(&registers)?;
        let mut states = BTreeMap::new();
        for (name, value) in initial {
            let (node, next) = (registers.node(name)?, next.node(name)?);
            let init = Some(Node::constant(value.clone()));
            states.insert((*name).to_owned(), State { node, init, next });
        }
        Ok(Design { inputs, states, outputs, ..Design::default() })
    }

    /// The present values of the registers.
    pub fn registers(&self) -> Signals {
        self.states.iter().map(|(name, state)| (name.clone(), state.node)).collect()
    }

    /// The values of the registers after the clock.
    pub fn next(&self) -> Signals {
        self.states.iter().map(|(name, state)| (name.clone(), state.next)).collect()
    }

    /// Replaces the inputs and registers named in `signals` by those expressions. Applied to
    /// [`Design::next`], the substitution gives one more clock; to [`Design::outputs`], a part of a
    /// larger design.
    pub fn feed(&self, signals: &Signals) -> Result<Substitution, SignalError> {
        let mut ports = self.registers();
        ports.extend(&self.inputs);
        let mut substitution = Substitution::new();
        for (name, node) in signals.iter() {
            let port = ports.node(name)?;
            if port.width() != node.width() {
                let (asked, actual) = (node.width(), port.width());
                return Err(SignalError::Width { name: name.to_owned(), asked, actual });
            }
            substitution.replace(port, node);
        }
        Ok(substitution)
    }
}
