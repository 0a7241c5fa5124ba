//! Registers: `always @(posedge clk)` with an optional reset, which wins, and an optional enable.

use super::expression::Expression;
use super::{ReadError, Reader};
use std::collections::HashMap;

/// A register.
#[derive(Clone, Debug)]
pub(crate) struct Register {
    /// The signal that it drives.
    pub(crate) signal: String,
    /// Condition of reset and value after it.
    pub(crate) reset: Option<(Expression, Expression)>,
    pub(crate) enable: Option<Expression>,
    /// The value that it loads.
    pub(crate) value: Expression,
    /// The place behind all statements of its `always`.
    pub(crate) end: usize,
}

impl Reader<'_> {
    /// Reads the rest of an `always @(posedge clk)`, from the name of the clock on.
    pub(super) fn registers(&mut self) -> Result<Vec<Register>, ReadError> {
        self.name()?;
        self.expect(")")?;
        self.expect("begin")?;
        let mut registers = Vec::new();
        while self.word() != "end" {
            registers.extend(self.together()?);
        }
        let end = self.place();
        self.expect("end")?;
        registers.iter_mut().for_each(|it| it.end = end);
        Ok(registers)
    }

    /// Reads the registers of one reset and enable; their `end` is not known yet.
    fn together(&mut self) -> Result<Vec<Register>, ReadError> {
        let (mut reset, mut enable, mut initial) = (None, None, HashMap::new());
        let mut test = self.condition()?;
        let mut loads = self.loads()?;
        if self.skip("else") {
            reset = test.take();
            initial = loads.into_iter().collect();
            enable = self.condition()?;
            loads = self.loads()?;
        }
        enable = enable.or(test);
        let registers = loads.into_iter().map(|(signal, value)| {
            let after = initial.remove(&signal);
            Register { signal, reset: reset.clone().zip(after), enable: enable.clone(), value, end: 0 }
        });
        Ok(registers.collect())
    }

    fn condition(&mut self) -> Result<Option<Expression>, ReadError> {
        if !self.skip("if") {
            return Ok(None);
        }
        self.expect("(")?;
        let test = self.expression()?;
        self.expect(")")?;
        Ok(Some(test))
    }

    /// Reads what is loaded: one statement, or those between `begin` and `end`.
    fn loads(&mut self) -> Result<Vec<(String, Expression)>, ReadError> {
        let several = self.skip("begin");
        let mut loads = Vec::new();
        loop {
            let signal = self.name()?;
            self.expect("<=")?;
            loads.push((signal, self.expression()?));
            self.expect(";")?;
            if !several || self.skip("end") {
                return Ok(loads);
            }
        }
    }
}
