//! Deliberate bugs: they show that a check can fail.

use crate::{Error, Exchange};
use weft_hdl::Module;

/// A bug to plant in emitted Verilog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plant {
    /// The name of the bug on the command line.
    pub name: &'static str,
    /// The rule or behaviour that the bug breaks.
    pub breaks: &'static str,
    /// The module to change.
    pub module: &'static str,
    /// The text that is replaced; it occurs once.
    pub text: &'static str,
    /// The text that replaces the right one.
    pub bug: &'static str,
}

impl Plant {
    /// The plant of this name.
    pub fn named(plants: &'static [Plant], name: &str) -> Option<&'static Plant> {
        plants.iter().find(|plant| plant.name == name)
    }

    /// The module with the bug. An error if the Verilog does not have the text exactly once: then the plant
    /// must be adapted.
    pub fn planted(&self, modules: &[Module]) -> Result<Module, Error> {
        let module = modules.iter().find(|module| module.name == self.module);
        let found = module.map_or(0, |module| module.text.matches(self.text).count());
        match module {
            Some(module) if found == 1 => {
                Ok(Module { text: module.text.replacen(self.text, self.bug, 1), ..module.clone() })
            }
            _ => Err(Error::Plant { plant: *self, found }),
        }
    }

    /// Plants the bug.
    pub fn apply(&self, modules: &mut Vec<Module>) -> Result<(), Error> {
        Exchange::from(self).apply(modules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plant_wants_its_text_exactly_once() {
        let plant = Plant { name: "p", breaks: "it", module: "m", text: "a & b", bug: "a | b" };
        let module = |text: &str| Module {
            text: text.to_owned(),
            name: "m".to_owned(),
            floor: weft_hdl::Floor::Block,
        };
        let mut modules = vec![module("x = a & b;")];
        plant.apply(&mut modules).expect("it stands there once");
        assert_eq!(modules[0].text, "x = a | b;");
        for text in ["x = a;", "x = a & b; y = a & b;"] {
            assert!(plant.apply(&mut vec![module(text)]).is_err(), "{text}");
        }
        assert!(plant.apply(&mut Vec::new()).is_err());
    }
}
