//! The rules of a write, and of the register COMMAND: the words that it sends to the blocks.

use super::state::Map;
use crate::words::{Offer, Packed};
use weft_params::registers::{self, Op, Part};

/// A write whose word was looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub(super) offset: u16,
    /// What the bus gave.
    pub(super) data: u32,
    /// Bit *i*: byte *i* is to be written.
    pub(super) strobes: u8,
}

impl Write {
    /// The word after it, where `found` stands.
    pub(super) fn merged(&self, found: u32) -> u32 {
        let bytes = (0..4).filter(|byte| self.strobes >> byte & 1 == 1);
        let mask: u32 = bytes.map(|byte| 0xFF << (8 * byte)).sum();
        self.data & mask | found & !mask
    }

    fn whole(&self) -> bool {
        self.strobes == 0xF
    }
}

/// The command that was begun last.
#[derive(Clone, Debug)]
pub(super) struct Command {
    op: Op,
    connection: u32,
    /// The word is not taken yet, in the order of [`registers::controls`].
    waiting: [bool; 4],
}

impl Default for Command {
    fn default() -> Self {
        Self { op: Op::Close, connection: 0, waiting: [false; 4] }
    }
}

impl Command {
    /// A block has not taken its word.
    pub(super) fn busy(&self) -> bool {
        self.waiting.contains(&true)
    }

    /// Which words are not taken yet.
    pub(super) fn waiting(&self) -> [bool; 4] {
        self.waiting
    }

    /// What a read finds.
    pub(super) fn word(&self) -> u32 {
        self.op.command(self.connection) | u32::from(self.busy()) << 31
    }

    /// The write begins a command.
    pub(super) fn accepts(&self, write: &Write, connections: u32) -> bool {
        !self.busy() && write.whole() && write.data & 0xFFFF < connections
    }

    /// The blocks take their words.
    pub(super) fn clock(&mut self, ready: [bool; 4]) {
        for (waiting, ready) in self.waiting.iter_mut().zip(ready) {
            *waiting &= !ready;
        }
    }

    /// Begins a command.
    pub(super) fn begin(&mut self, data: u32) {
        let code = data >> 16 & 3;
        self.op = Op::ALL[code as usize];
        self.connection = data & 0xFFFF;
        self.waiting = registers::controls().map(|control| control.ops.contains(&self.op));
    }

    /// The word for a block: the staging as it stands.
    pub(super) fn offer<const N: usize>(&self, control: usize, map: &Map) -> Offer<[u64; N]> {
        let mut word = Packed::default();
        for part in registers::controls()[control].parts {
            word = match part.source() {
                Some((register, lsb, width)) => {
                    word.put(register.value(|offset| map.stored(offset)) >> lsb, width)
                }
                None if *part == Part::Op => word.put(self.op as u8, 2),
                None => word.flag(self.op == Op::Open),
            };
        }
        Offer { valid: self.waiting[control], id: self.connection, word: word.words() }
    }
}
