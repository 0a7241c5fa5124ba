//! Deliberate bugs: a check that cannot fail proves nothing.

use weft_hdl::emit::Module;

/// A bug planted in the emitted Verilog of `weft_egress`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// The ICRC's last two bytes get no word of their own.
    Spill,
    /// Bytes behind the payload are sent.
    Cut,
    /// The UDP checksum of tagged IPv6 frames is covered as it is.
    Masked,
    /// The IPv4 checksum loses its last carry.
    Carry,
    /// Read data is not compared with what was asked for.
    Compare,
    /// Frames of others have no turn.
    Turn,
    /// A peer that is written when it is read is not seen.
    Published,
    /// Half of the queue of orders is used.
    Queue,
}

impl Plant {
    /// All of them.
    pub const ALL: [Plant; 8] = [
        Plant::Spill,
        Plant::Cut,
        Plant::Masked,
        Plant::Carry,
        Plant::Compare,
        Plant::Turn,
        Plant::Published,
        Plant::Queue,
    ];

    /// The module to change, what is there and what comes in its place.
    fn change(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Plant::Spill => ("weft_egress_beats", "if (s16_spill_q)", "if (1'b0)"),
            Plant::Cut => ("weft_egress_choice", "if (words_q == 8'd1)", "if (1'b0)"),
            Plant::Masked => ("weft_egress_beats", "s5_data_q | SECOND_TAGGED", "s5_data_q"),
            Plant::Carry => ("weft_egress_header", "{2'd0, folded[16]}", "3'd0"),
            Plant::Compare => ("weft_egress_orders", "packet_bad | ", "packet_bad & "),
            Plant::Turn => ("weft_egress_choice", "!(order_valid & order_turn_q)", "!order_valid"),
            Plant::Queue => ("weft_egress_orders", "!queue_level[5]", "!queue_level[4]"),
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
        module.text = module.text.replace(from, to);
    }
}
