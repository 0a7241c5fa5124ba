//! Blocks with one stream of events in and one of answers out.

use crate::block::Block;

/// A block that accepts events.
pub trait EventBlock: Block {
    /// The input.
    type Event: Clone;
    /// The output: the words on its ports.
    type Answer: Clone + std::fmt::Debug + PartialEq;

    /// Whether the block makes events by itself, in which case the block is never done.
    const OWN_EVENTS: bool = false;

    /// The inputs of a clock without reset: the offered event, and whether an answer is accepted.
    fn inputs(event: Option<&Self::Event>, ready: bool) -> Self::Inputs;

    /// Puts the time on its port, if the time advances without events.
    fn at(_now: u32, inputs: Self::Inputs) -> Self::Inputs {
        inputs
    }

    /// The inputs with a reset.
    fn reset(inputs: Self::Inputs) -> Self::Inputs;

    /// The block accepts an event.
    fn takes(outputs: &Self::Outputs) -> bool;

    /// The answer that the block offers.
    fn answer(outputs: &Self::Outputs) -> Option<Self::Answer>;
}
