//! The facts about a block that the bench needs: its ports by name, and its clocked model.

use crate::rules::Terms;

/// Gets the ports one by one: the name as in the Verilog, and the value in 64-bit words, the lowest first.
pub trait Visit: FnMut(&'static str, &[u64]) {}

impl<V: FnMut(&'static str, &[u64])> Visit for V {}

/// A block: the ports of its RTL, and the model that does the same on every clock.
///
/// Every port but `clk` is shown once, always in the same order.
pub trait Block: Sized + 'static {
    /// The top module.
    const TOP: &'static str;
    /// The terms of the block's page for its streams, besides the rules of AXI.
    const STREAMS: Terms = Terms { gapless: &[], longest: &[], broken: &[] };
    /// Output ports that follow the page from the second clock of the first reset on; all other ports follow
    /// it from the first clock on.
    const LATE: &'static [&'static str] = &[];
    /// The clocked model.
    type Model;
    /// The settings of software: the ports `cfg_*`. Software changes these settings at times.
    type Csr: Clone + PartialEq;
    /// All other input ports.
    type Inputs: Clone + Default;
    /// The output ports: registers or functions of registers.
    type Outputs: Clone + Default;

    /// Sets the model's CSRs.
    fn configure(model: &mut Self::Model, csr: &Self::Csr);

    /// A clock edge of the model.
    fn clock(model: &mut Self::Model, inputs: &Self::Inputs);

    /// The model's output ports before the next clock edge.
    fn outputs(model: &Self::Model) -> &Self::Outputs;

    /// Shows the ports that software sets.
    fn show_csr(csr: &Self::Csr, visit: &mut impl Visit);

    /// Shows all other input ports.
    fn show_inputs(inputs: &Self::Inputs, visit: &mut impl Visit);

    /// Shows the output ports.
    fn show_outputs(outputs: &Self::Outputs, visit: &mut impl Visit);
}

/// A block whose outputs can be read from the RTL alone.
pub trait FromPorts: Block {
    /// The outputs from the words that [`Block::show_outputs`] shows, in that order.
    fn outputs_from(next: &mut impl FnMut() -> u64) -> Self::Outputs;
}

/// The value of a `stat_*` port of 16 bits for a count: a block counts modulo 2^16.
pub fn low16(count: u32) -> u64 {
    (count & 0xFFFF).into()
}

/// The counter value on a port of 24 bits.
pub fn low24(count: u32) -> u64 {
    (count & 0xFF_FFFF).into()
}
