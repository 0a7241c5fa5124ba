//! The rules of a write, and of the register COMMAND: the words that it sends to the blocks.

use super::state::Map;
use crate::words::{Offer, Packed};
use weft_params::registers::{self, Op, Part};

/// A write whose word was looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub(super) offset: u16,
    /// Data from the bus.
    pub(super) data: u32,
    /// Bit *i*: byte *i* is written.
    pub(super) strobes: u8,
}

impl Write {
    /// The word after the write. `found` is the word before (rule 3).
    pub(super) fn merged(&self, found: u32) -> u32 {
        let bytes = (0..4).filter(|byte| self.strobes >> byte & 1 == 1);
        let mask: u32 = bytes.map(|byte| 0xFF << (8 * byte)).sum();
        self.data & mask | found & !mask
    }

    fn whole(&self) -> bool {
        self.strobes == 0xF
    }
}

/// The phase of a command (rule 9). A block accepts its word when the action of the word is done. Hence a
/// phase ends with the last of its words (page `docs/blocks/registers.md`, rule 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No command is in progress.
    Idle,
    /// Looks whether the connection was open.
    Look,
    /// No packet of the peer enters any more, and those that entered have been passed on.
    Shut,
    /// Receiver and sender end the connection.
    Ending,
    /// The frames of the connection have left.
    Peer,
    /// Receiver and sender open the connection. Seeds, path_ok and drains go to the sender in this phase.
    Beginning,
    /// Packets may enter.
    Admit,
    /// After reset, every connection is closed, one per clock (rule 13; rule 11 of the NIC).
    Sweep,
}

/// The last command that began.
#[derive(Clone, Debug)]
pub(super) struct Command {
    op: Op,
    connection: u32,
    phase: Phase,
    /// Whether the word of each block waits, in the order of [`registers::controls`].
    waiting: [bool; 4],
    /// Whether the word for the connection's status waits.
    status_waits: bool,
    /// Whether software has opened each connection.
    open: Vec<bool>,
    /// Number of connections that the sweep has closed.
    swept: usize,
}

impl Command {
    /// The state before the sweep after reset.
    pub(super) fn new(connections: u32) -> Self {
        Self {
            op: Op::Close,
            connection: 0,
            phase: Phase::Sweep,
            waiting: [false; 4],
            status_waits: false,
            open: vec![false; connections as usize],
            swept: 0,
        }
    }

    /// Whether a command is in progress.
    pub(super) fn busy(&self) -> bool {
        self.phase != Phase::Idle
    }

    /// The words that wait for their blocks.
    pub(super) fn waiting(&self) -> [bool; 4] {
        self.waiting
    }

    /// The word that a read returns.
    pub(super) fn word(&self) -> u32 {
        self.op.command(self.connection) | u32::from(self.busy()) << 31
    }

    /// Whether the write begins a command (rule 8).
    pub(super) fn accepts(&self, write: &Write, connections: u32) -> bool {
        let known = (write.data >> 16 & 7) < Op::ALL.len() as u32;
        !self.busy() && write.whole() && write.data & 0xFFFF < connections && known
    }

    /// Begins a command.
    pub(super) fn begin(&mut self, data: u32) {
        let code = data >> 16 & 7;
        self.op = Op::ALL[code as usize];
        self.connection = data & 0xFFFF;
        match self.op {
            Op::Close | Op::Open => self.enter(Phase::Look),
            Op::Peer => self.enter(Phase::Peer),
            Op::Seed | Op::PathOk | Op::Drain => {
                self.phase = Phase::Beginning;
                self.waiting = [false, false, false, true];
            }
        }
    }

    /// Removes the words that their blocks accept.
    pub(super) fn take(&mut self, ready: [bool; 4]) {
        for (waiting, ready) in self.waiting.iter_mut().zip(ready) {
            *waiting &= !ready;
        }
    }

    /// Whether a word waits for its block.
    pub(super) fn waits(&self) -> bool {
        self.status_waits || self.waiting.contains(&true)
    }

    /// The word for the connection's status: whether the connection is opened or closed.
    pub(super) fn status(&self) -> Option<(u32, bool)> {
        self.status_waits.then_some((self.connection, self.phase == Phase::Beginning))
    }

    /// Removes the word for the status.
    pub(super) fn take_status(&mut self) {
        self.status_waits = false;
    }

    /// Enters the next phase if no word waits.
    pub(super) fn advance(&mut self) {
        if self.waits() {
            return;
        }
        let opens = self.op == Op::Open;
        match self.phase {
            Phase::Idle => {}
            Phase::Look => {
                let was_open = std::mem::replace(&mut self.open[self.connection as usize], opens);
                self.enter(if was_open || !opens { Phase::Shut } else { Phase::Peer });
            }
            Phase::Shut => self.enter(Phase::Ending),
            Phase::Ending => self.enter(Phase::Peer),
            Phase::Peer => self.enter(if opens { Phase::Beginning } else { Phase::Idle }),
            Phase::Beginning => self.enter(if opens { Phase::Admit } else { Phase::Idle }),
            Phase::Admit => self.enter(Phase::Idle),
            Phase::Sweep => {
                self.swept += 1;
                if self.swept == self.open.len() {
                    self.enter(Phase::Idle);
                }
            }
        }
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.waiting = match phase {
            Phase::Shut | Phase::Admit => [true, false, false, false],
            Phase::Peer => [false, true, false, false],
            Phase::Ending | Phase::Beginning => [false, false, true, true],
            Phase::Idle | Phase::Look | Phase::Sweep => [false; 4],
        };
        self.status_waits = matches!(phase, Phase::Ending | Phase::Beginning);
    }

    /// The word for a block, from the staged registers.
    pub(super) fn offer<const N: usize>(&self, control: usize, map: &Map) -> Offer<[u64; N]> {
        let opens = matches!(self.phase, Phase::Beginning | Phase::Admit);
        let op = if self.phase == Phase::Ending { Op::Close } else { self.op };
        let mut word = Packed::default();
        for part in registers::controls()[control].parts {
            word = match part.source() {
                Some((register, lsb, width)) => {
                    word.put(register.value(|offset| map.stored(offset)) >> lsb, width)
                }
                None if *part == Part::Op => word.put(op as u8, 3),
                None => word.flag(opens),
            };
        }
        Offer { valid: self.waiting[control], id: self.connection, word: word.words() }
    }
}
