//! The ports of a view without pins, such as a model: its inputs and outputs.

use super::{Pins, Port};
use crate::block::Block;
use std::marker::PhantomData;

/// The values of all ports, as a block shows them.
#[derive(Clone, Debug)]
pub struct Shown<B> {
    ports: Vec<Port>,
    /// Offset of the words of each port, and the end of the last.
    begins: Vec<usize>,
    words: Vec<u64>,
    block: PhantomData<fn() -> B>,
}

impl<B: Block> Shown<B> {
    /// The ports at their defaults. Widths of ports count in whole words here.
    pub(super) fn new() -> Self {
        let (mut ports, mut begins, mut words) = (Vec::new(), vec![0], Vec::new());
        let mut see = |name: &'static str, shown: &[u64], is_output: bool| {
            ports.push(Port { name, is_output, bits: 64 * shown.len() as u32 });
            words.extend_from_slice(shown);
            begins.push(words.len());
        };
        B::show_inputs(&B::Inputs::default(), &mut |name: &'static str, shown: &[u64]| {
            see(name, shown, false)
        });
        B::show_outputs(&B::Outputs::default(), &mut |name: &'static str, shown: &[u64]| {
            see(name, shown, true)
        });
        Self { ports, begins, words, block: PhantomData }
    }

    pub(super) fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// The ports in a clock, before its edge.
    #[inline]
    pub fn show(&mut self, inputs: &B::Inputs, outputs: &B::Outputs) -> &Self {
        let mut at = 0;
        let mut see = |shown: &[u64]| {
            self.words[at..at + shown.len()].copy_from_slice(shown);
            at += shown.len();
        };
        B::show_inputs(inputs, &mut |_: &'static str, shown: &[u64]| see(shown));
        B::show_outputs(outputs, &mut |_: &'static str, shown: &[u64]| see(shown));
        self
    }
}

impl<B> Pins for Shown<B> {
    #[inline]
    fn bit(&self, port: usize) -> bool {
        self.words[self.begins[port]] & 1 == 1
    }

    #[inline]
    fn words(&self, port: usize, words: &mut [u64]) {
        words.copy_from_slice(&self.words[self.begins[port]..self.begins[port + 1]]);
    }
}
