//! Deliberate bugs: a check that cannot fail proves nothing.

use weft_hdl::emit::Module;

/// A bug planted in the emitted Verilog of `weft_sack_rx`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// The last PSN of the window is refused (rule 4).
    Edge,
    /// A trimmed packet and one beyond the window are not answered (rules 7 and 10).
    Nack,
    /// Messages that are complete are completed again (rule 9).
    Completion,
    /// What the event just before received is not forwarded.
    Forward,
    /// The search for the first missing PSN takes every window for one of the first turn (rule 8).
    Turn,
    /// What is published in the clock in which it is read is not seen (rule 16).
    Published,
}

impl Plant {
    /// All of them, with the names that the command knows them by.
    pub const ALL: [(&'static str, Plant); 6] = [
        ("edge", Plant::Edge),
        ("nack", Plant::Nack),
        ("completion", Plant::Completion),
        ("forward", Plant::Forward),
        ("turn", Plant::Turn),
        ("published", Plant::Published),
    ];

    /// The name that the command knows it by.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, plant)| *plant == self).map_or("", |(name, _)| name)
    }

    /// The module to change, what is there and what comes in its place.
    fn change(self) -> (&'static str, &'static str, &'static str) {
        const WINDOW: &str = "weft_sack_rx_window";
        match self {
            Plant::Edge => (WINDOW, "!(|s4_ahead_q[23:8])", "!((|s4_ahead_q[23:8]) | (&s4_ahead_q[7:0]))"),
            Plant::Nack => ("weft_sack_rx_account", "s22_response_d = 2'd2", "s22_response_d = 2'd0"),
            Plant::Completion => {
                ("weft_sack_rx_account", "after_messages = messages", "after_messages = words_prior_messages")
            }
            Plant::Forward => ("weft_context", "if (s4_near1_q)", "if (1'b0)"),
            Plant::Turn => (WINDOW, "s7_from_turn_d = s5_from_q[8]", "s7_from_turn_d = 1'b0"),
            Plant::Published => ("weft_published", "if (s3_same_q)", "if (1'b0)"),
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
