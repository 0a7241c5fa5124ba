//! Running a [`Design`] clock by clock on numbers.

use crate::{Assignment, Design, SignalError, Value};

/// A design with values in its registers and on its inputs.
#[derive(Clone, Debug)]
pub struct Simulation<'a> {
    design: &'a Design,
    values: Assignment,
}

impl<'a> Simulation<'a> {
    /// The design at power-up: registers at their initial values, or 0 without one; inputs 0.
    pub fn new(design: &'a Design) -> Self {
        let mut values = Assignment::new();
        let nothing = Assignment::new();
        for state in design.states.values() {
            if let Some(init) = state.init {
                values.set(state.node, nothing.eval(init).number().clone());
            }
        }
        Self { design, values }
    }

    /// Drives an input, truncated to its width, until another value is set.
    pub fn set(&mut self, input: &str, value: impl Into<num_bigint::BigUint>) -> Result<(), SignalError> {
        self.values.set(self.design.inputs.node(input)?, value);
        Ok(())
    }

    /// The value of an output now, before the clock.
    pub fn output(&self, name: &str) -> Result<Value, SignalError> {
        Ok(self.values.eval(self.design.outputs.node(name)?))
    }

    /// The values of all inputs and registers now.
    pub fn values(&self) -> &Assignment {
        &self.values
    }

    /// One clock edge.
    pub fn clock(&mut self) {
        let states = || self.design.states.values();
        let next = self.values.eval_all(states().map(|state| state.next));
        for (state, value) in states().zip(next) {
            self.values.set(state.node, value.number().clone());
        }
    }
}
