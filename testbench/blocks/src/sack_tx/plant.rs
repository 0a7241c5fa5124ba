//! Deliberate bugs: a check that cannot fail proves nothing.

use weft_hdl::emit::Module;

/// A bug planted in the emitted Verilog of `weft_sack_tx`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// The PSN behind the window counts as one of it (rules 5 and 8).
    Edge,
    /// A NACK loses nothing (rule 5).
    Nack,
    /// A message that is completed ends once more, as an error (rule 17).
    Completion,
    /// The timer does not back off (rule 13).
    Backoff,
    /// The turn to send of a connection that was opened in line is not forfeit (rule 16).
    Forfeit,
    /// What the event just before left of the connection is not forwarded.
    Forward,
    /// The window is searched as if its slots were all of one turn (rule 10).
    Turn,
    /// What is published in the clock in which it is read is not seen (rule 18).
    Published,
}

impl Plant {
    /// All of them, with the names that the command knows them by.
    pub const ALL: [(&'static str, Plant); 8] = [
        ("edge", Plant::Edge),
        ("nack", Plant::Nack),
        ("completion", Plant::Completion),
        ("backoff", Plant::Backoff),
        ("forfeit", Plant::Forfeit),
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
        match self {
            Plant::Edge => {
                ("weft_sack_tx_place", "near & (ahead < s4_window_q)", "near & (ahead <= s4_window_q)")
            }
            Plant::Nack => ("weft_sack_tx_place", "length = {8'd0, s6_nacked_q}", "length = 9'd0"),
            Plant::Completion => {
                ("weft_sack_tx_finish", "pending_word = more - {1'd0, done}", "pending_word = more")
            }
            Plant::Backoff => ("weft_sack_tx_scanner", "{8'd0, rto} << doublings", "{8'd0, rto}"),
            Plant::Forfeit => (
                "weft_sack_tx_settle",
                "next_turn_forfeit = turns_prior_queued;",
                "next_turn_forfeit = 1'b0;",
            ),
            Plant::Forward => ("weft_context", "if (s4_near1_q)", "if (1'b0)"),
            Plant::Turn => ("weft_sack_tx_window", "(placed_turn)", "(1'b0)"),
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
