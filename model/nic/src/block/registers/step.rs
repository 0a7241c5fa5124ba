//! The register COMMAND, the connections that it has opened, and the words that it sends to the blocks.

use super::rules::{self, Each, Phase, Write};
use super::state::Map;
use crate::words::{Offer, Packed};
use weft_params::registers::{self, Part};
use weft_word::{Bit, Bits, Concrete, Domain, Word};

fn write(data: u32, strobes: u8) -> Write<Concrete> {
    Write { data: Bits::truncated(data.into()), strobes: Bits::truncated(strobes.into()) }
}

/// The word after a write. `found` is the word before (rule 3).
pub(super) fn merged(found: Option<u32>, data: u32, strobes: u8) -> u32 {
    write(data, strobes).merged(Bits::truncated(found.unwrap_or(0).into())).value() as u32
}

fn bit(value: bool) -> Bit<Concrete> {
    Concrete::lit(value.into())
}

/// The last command that began.
#[derive(Clone, Debug)]
pub(super) struct Command {
    command: rules::Command<Concrete>,
    /// Whether software has opened each connection.
    open: Vec<bool>,
    /// Number of connections that the sweep has closed.
    swept: usize,
}

impl Command {
    /// The state before the sweep after reset.
    pub(super) fn new(connections: u32) -> Self {
        Self { command: rules::Command::in_reset(), open: vec![false; connections as usize], swept: 0 }
    }

    /// Whether a command is in progress.
    pub(super) fn busy(&self) -> bool {
        self.command.busy().decide()
    }

    /// The words that wait for their blocks, in the order of [`registers::controls`].
    pub(super) fn waiting(&self) -> [bool; 4] {
        let Each { ingress, egress, receiver, sender, .. } = self.command.waiting;
        [ingress, egress, receiver, sender].map(Word::decide)
    }

    /// The word that a read returns.
    pub(super) fn word(&self) -> u32 {
        self.command.word().value() as u32
    }

    /// Whether the write begins a command (rule 8).
    pub(super) fn accepts(&self, data: u32, strobes: u8) -> bool {
        let beyond = Bits::truncated(!(self.open.len() as u128 - 1));
        self.command.accepts(&write(data, strobes), beyond).decide()
    }

    /// Begins a command.
    pub(super) fn begin(&mut self, data: u32) {
        self.command = self.command.begins(&write(data, 0xF));
    }

    /// Whether a word waits for its block.
    pub(super) fn waits(&self) -> bool {
        self.command.waiting.any().decide()
    }

    /// The word for the connection's status: whether the connection is opened or closed.
    pub(super) fn status(&self) -> Option<(u32, bool)> {
        let word = (self.connection(), self.command.opens().decide());
        self.command.waiting.status.decide().then_some(word)
    }

    fn connection(&self) -> u32 {
        self.command.connection.value() as u32
    }

    /// A clock edge. `ready`: the blocks that accept their words, in the order of [`registers::controls`];
    /// `status`: the status accepts its word.
    pub(super) fn clock(&mut self, ready: [bool; 4], status: bool) {
        if !self.busy() {
            return;
        }
        let [ingress, egress, receiver, sender] = ready.map(bit);
        let accepted = Each { ingress, egress, receiver, sender, status: bit(status) };
        let looked = &mut self.open[self.command.connection.value() as usize];
        let was_open = bit(*looked);
        if self.command.at(Phase::Look).decide() {
            *looked = self.command.opened().decide();
        }
        self.swept += usize::from(self.command.at(Phase::Sweep).decide());
        self.command = self.command.clock(&accepted, was_open, bit(self.swept == self.open.len()));
    }

    /// The word for a block, from the staged registers.
    pub(super) fn offer<const N: usize>(&self, control: usize, map: &Map) -> Offer<[u64; N]> {
        let mut word = Packed::default();
        for part in registers::controls()[control].parts {
            word = match part.source() {
                Some((register, lsb, width)) => {
                    word.put(register.value(|offset| map.stored(offset)) >> lsb, width)
                }
                None if *part == Part::Op => word.put(self.command.asks().value() as u8, 3),
                None => word.flag(self.command.opens().decide()),
            };
        }
        Offer { valid: self.waiting()[control], id: self.connection(), word: word.words() }
    }
}
