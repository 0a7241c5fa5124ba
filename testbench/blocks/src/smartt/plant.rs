//! Deliberate bugs: a check that cannot fail proves nothing.

use weft_hdl::emit::Module;

/// A bug planted in the emitted Verilog of `weft_smartt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// A change of the window is rounded down, not to the nearest (rule 20).
    Rounding,
    /// QuickAdapt does not wait for its first period to begin (rule 13).
    Guard,
    /// The result of the event just before is not forwarded.
    Forward,
}

impl Plant {
    /// All of them, with the names that the command knows them by.
    pub const ALL: [(&'static str, Plant); 3] =
        [("rounding", Plant::Rounding), ("guard", Plant::Guard), ("forward", Plant::Forward)];

    /// The name that the command knows it by.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, plant)| *plant == self).map_or("", |(name, _)| name)
    }

    /// The module to change, what is there and what comes in its place.
    fn change(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Plant::Rounding => ("weft_smartt_window", "half_up = {38'd0, change47_q[0]}", "half_up = 39'd0"),
            Plant::Guard => (
                "weft_smartt_window",
                "is_over & counted_q_trigger & !counted_q_fresh",
                "is_over & counted_q_trigger",
            ),
            Plant::Forward => ("weft_smartt_window", "if (near_q[0])", "if (1'b0)"),
        }
    }

    /// Plants the bug.
    ///
    /// # Panics
    /// If the Verilog no longer has what is to be changed: then this file must follow it.
    pub fn apply(self, modules: &mut [Module]) {
        let (name, from, to) = self.change();
        let module = modules.iter_mut().find(|module| module.name == name).expect("the module to change");
        assert!(module.text.contains(from), "{name} has no `{from}` to change");
        module.text = module.text.replacen(from, to, 1);
    }
}
