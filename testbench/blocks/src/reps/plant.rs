//! Deliberate bugs: a check that cannot fail proves nothing.

use weft_hdl::emit::Module;

/// A bug planted in the emitted Verilog of `weft_reps`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// The result of the event just before is not forwarded.
    Forwarding,
    /// Time compares do not survive the wrap of the time.
    Wrap,
    /// A freeze ends before its time.
    Thaw,
}

impl Plant {
    /// All of them, with the names that the command knows them by.
    pub const ALL: [(&'static str, Plant); 3] =
        [("forwarding", Plant::Forwarding), ("wrap", Plant::Wrap), ("thaw", Plant::Thaw)];

    /// The name that the command knows it by.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, plant)| *plant == self).map_or("", |(name, _)| name)
    }

    /// The module to change, what is there and what comes in its place.
    fn change(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Plant::Forwarding => ("weft_reps_control", "if (s4_near1_q)", "if (1'b0)"),
            Plant::Wrap => {
                ("weft_reps_control", "s4_elapsed_d = age[31]", "s4_elapsed_d = merged[42:11] < s3_since_q")
            }
            Plant::Thaw => ("weft_reps_control_core", "& elapsed) | path_ok", ") | path_ok"),
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
