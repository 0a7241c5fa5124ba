//! The rules of a write, and of the register COMMAND, over words of any kind.

use weft_params::registers::Op;
use weft_word::{Bit, Domain, Word};

/// A write to a word that was looked up.
#[derive(Clone, Copy, Debug)]
pub struct Write<D: Domain> {
    /// Data from the bus.
    pub data: D::Word<32>,
    /// Bit *i*: byte *i* is written.
    pub strobes: D::Word<4>,
}

impl<D: Domain> Write<D> {
    /// The word after the write. `found` is the word before (rule 3).
    pub fn merged(&self, found: D::Word<32>) -> D::Word<32> {
        let byte = |strobe: Bit<D>| D::lit::<8>(0xFF).when(strobe, D::lit(0));
        let low = byte(self.strobes.slice::<1, 1>()).cat::<8, 16>(byte(self.strobes.slice::<0, 1>()));
        let high = byte(self.strobes.slice::<3, 1>()).cat::<8, 16>(byte(self.strobes.slice::<2, 1>()));
        let mask = high.cat::<16, 32>(low);
        (self.data & mask) | (found & !mask)
    }

    /// The op, in the form of COMMAND.
    pub fn op(&self) -> D::Word<3> {
        self.data.slice::<16, 3>()
    }

    /// The connection, in the form of COMMAND.
    pub fn connection(&self) -> D::Word<16> {
        self.data.slice::<0, 16>()
    }
}

/// The phase of a command (rule 9). A block accepts its word when the action of the word is done. Hence a
/// phase ends with the last of its words (page `docs/blocks/registers.md`, rule 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No command is in progress.
    Idle,
    /// Finds out whether the connection was open.
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

/// A bit for each word of a command.
#[derive(Clone, Copy, Debug)]
pub struct Each<D: Domain> {
    /// The word for ingress.
    pub ingress: Bit<D>,
    /// The word for egress.
    pub egress: Bit<D>,
    /// The word for the receiver.
    pub receiver: Bit<D>,
    /// The word for the sender.
    pub sender: Bit<D>,
    /// The word for the connection's status: whether the connection is opened or closed.
    pub status: Bit<D>,
}

impl<D: Domain> Each<D> {
    /// No word.
    pub fn none() -> Self {
        let none = D::lit(0);
        Self { ingress: none, egress: none, receiver: none, sender: none, status: none }
    }

    /// Whether a word waits for any block.
    pub fn any(&self) -> Bit<D> {
        self.ingress | self.egress | self.receiver | self.sender | self.status
    }

    /// The waiting words, without the words that blocks accept.
    pub fn without(&self, accepted: &Self) -> Self {
        Self {
            ingress: self.ingress & !accepted.ingress,
            egress: self.egress & !accepted.egress,
            receiver: self.receiver & !accepted.receiver,
            sender: self.sender & !accepted.sender,
            status: self.status & !accepted.status,
        }
    }
}

/// The last command that began.
#[derive(Clone, Copy, Debug)]
pub struct Command<D: Domain> {
    /// The code of the command's [`Op`].
    pub op: D::Word<3>,
    /// The connection.
    pub connection: D::Word<16>,
    /// The code of the command's [`Phase`].
    pub phase: D::Word<3>,
    /// The words that wait for their blocks.
    pub waiting: Each<D>,
}

impl<D: Domain> Command<D> {
    /// The state before the sweep after reset.
    pub fn in_reset() -> Self {
        Self {
            op: D::lit(Op::Close as u128),
            connection: D::lit(0),
            phase: D::lit(Phase::Sweep as u128),
            waiting: Each::none(),
        }
    }

    fn is(&self, op: Op) -> Bit<D> {
        self.op.equals(D::lit(op as u128))
    }

    /// Whether the command is in this phase.
    pub fn at(&self, phase: Phase) -> Bit<D> {
        self.phase.equals(D::lit(phase as u128))
    }

    /// Whether a command is in progress (rule 10).
    pub fn busy(&self) -> Bit<D> {
        !self.at(Phase::Idle)
    }

    /// The word that a read returns.
    pub fn word(&self) -> D::Word<32> {
        let none = D::lit::<12>(0);
        self.busy().cat::<12, 13>(none).cat::<3, 16>(self.op).cat::<16, 32>(self.connection)
    }

    /// Whether the write begins a command (rule 8). `beyond` has the bits that no number of a connection has.
    pub fn accepts(&self, write: &Write<D>, beyond: D::Word<16>) -> Bit<D> {
        let known = write.op().less(D::lit(Op::ALL.len() as u128));
        let whole = write.strobes.equals(D::lit(0xF));
        !self.busy() & whole & (write.connection() & beyond).is_zero() & known
    }

    /// Rule 9: the command of a write that was accepted.
    pub fn begins(&self, write: &Write<D>) -> Self {
        let command = Self { op: write.op(), connection: write.connection(), ..*self };
        let connects = command.is(Op::Close) | command.is(Op::Open);
        let code = |phase: Phase| D::lit::<3>(phase as u128);
        let of_other = code(Phase::Peer).when(command.is(Op::Peer), code(Phase::Beginning));
        let begun = command.enters(code(Phase::Look).when(connects, of_other));
        // Seeds, path_ok and drains go to the sender alone.
        let none = D::lit(0);
        Self { waiting: Each { receiver: none, status: none, ..begun.waiting }, ..begun }
    }

    /// Rule 9: a clock without a write. A phase ends a clock after its last word was accepted. `was_open`:
    /// software has opened the connection; `last`: the sweep closes the last connection.
    pub fn clock(&self, accepted: &Each<D>, was_open: Bit<D>, last: Bit<D>) -> Self {
        if self.waiting.any().decide() {
            Self { waiting: self.waiting.without(accepted), ..*self }
        } else {
            self.enters(self.follows(was_open, last))
        }
    }

    /// The phase after this one.
    fn follows(&self, was_open: Bit<D>, last: Bit<D>) -> D::Word<3> {
        let opens = self.is(Op::Open);
        let code = |phase: Phase| D::lit::<3>(phase as u128);
        let idle = code(Phase::Idle);
        let next = [
            (Phase::Look, code(Phase::Shut).when(was_open | !opens, code(Phase::Peer))),
            (Phase::Shut, code(Phase::Ending)),
            (Phase::Ending, code(Phase::Peer)),
            (Phase::Peer, code(Phase::Beginning).when(opens, idle)),
            (Phase::Beginning, code(Phase::Admit).when(opens, idle)),
            (Phase::Sweep, idle.when(last, code(Phase::Sweep))),
        ];
        next.into_iter().fold(idle, |found, (phase, next)| next.when(self.at(phase), found))
    }

    fn enters(&self, phase: D::Word<3>) -> Self {
        let entered = Self { phase, ..*self };
        let both = entered.at(Phase::Ending) | entered.at(Phase::Beginning);
        let waiting = Each {
            ingress: entered.at(Phase::Shut) | entered.at(Phase::Admit),
            egress: entered.at(Phase::Peer),
            receiver: both,
            sender: both,
            status: both,
        };
        Self { waiting, ..entered }
    }

    /// Whether software has opened the connection; valid after the phase that looks.
    pub fn opened(&self) -> Bit<D> {
        self.is(Op::Open)
    }

    /// Whether the words for ingress, receiver and status open the connection.
    pub fn opens(&self) -> Bit<D> {
        self.at(Phase::Beginning) | self.at(Phase::Admit)
    }

    /// The op for the sender.
    pub fn asks(&self) -> D::Word<3> {
        D::lit(Op::Close as u128).when(self.at(Phase::Ending), self.op)
    }
}
