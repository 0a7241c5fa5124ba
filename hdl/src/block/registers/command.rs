//! `weft_registers_command`: the register COMMAND, and the words that it sends to the blocks.

use crate::prelude::*;
use weft_params::registers::Page;

/// Codes of COMMAND's field op.
const CLOSE: u64 = 0;
const OPEN: u64 = 1;
const PEER_CODE: u64 = 4;
const DRAIN_CODE: u64 = 5;

/// Phases of a command: no command.
const IDLE: u64 = 0;
/// Step: was the connection open?
const LOOK: u64 = 1;
/// Ingress accepts no further packet of the peer.
const SHUT: u64 = 2;
/// Receiver and sender end the connection.
const ENDING: u64 = 3;
/// Step: egress gets the peer.
const PEER: u64 = 4;
/// Step: receiver and sender begin again; seeds, path_ok and drains go to the sender in this phase.
const BEGINNING: u64 = 5;
/// Ingress accepts packets of the peer.
const ADMIT: u64 = 6;
/// After reset, the sweep closes every connection.
const SWEEP: u64 = 7;

/// The register COMMAND, a page of one word, and the words that it sends to the blocks.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock, BlockDefault)]
#[given(page: &Page)]
pub struct Command<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// Offset of the access, in words; constant until the write.
    pub at: Signal<In, Bits<14>>,
    /// Write, if the word is in this page.
    pub write: Signal<In, Bit>,
    /// Data of the write.
    pub data: Signal<In, Bits<32>>,
    /// All bytes are to be written.
    pub whole: Signal<In, Bit>,
    /// One clock after `at`: the word is in this page.
    pub found: Signal<Out, Bit>,
    /// One clock after `at`: the word must not be written now, or only with other data.
    pub refused: Signal<Out, Bit>,
    /// One clock after `at`: the word, or 0 if the word is not in this page.
    pub word: Signal<Out, Bits<32>>,
    /// A command is in progress; the staging must not change.
    pub busy: Signal<Out, Bit>,
    /// The connection.
    pub connection: Signal<Out, Bits<A>>,
    /// Operation of the sender: 0 close, 1 open, 2 seed, 3 path_ok, 5 drain.
    pub op: Signal<Out, Bits<3>>,
    /// The words for ingress and receiver open the connection; 0: they close the connection.
    pub opens: Signal<Out, Bit>,
    /// COMMAND offers the word for ingress.
    pub ingress_valid: Signal<Out, Bit>,
    /// Ingress accepts the word.
    pub ingress_ready: Signal<In, Bit>,
    /// COMMAND offers the word for egress.
    pub egress_valid: Signal<Out, Bit>,
    /// Egress accepts the word.
    pub egress_ready: Signal<In, Bit>,
    /// COMMAND offers the word for the receiver.
    pub receiver_valid: Signal<Out, Bit>,
    /// The receiver accepts the word.
    pub receiver_ready: Signal<In, Bit>,
    /// COMMAND offers the word for the sender.
    pub sender_valid: Signal<Out, Bit>,
    /// The sender accepts the word.
    pub sender_ready: Signal<In, Bit>,
    /// COMMAND offers the word for the connection's status.
    pub status_valid: Signal<Out, Bit>,
    /// The block of the status accepts the word.
    pub status_ready: Signal<In, Bit>,

    #[new((16 * page.number()).to_bits())]
    page: Constant<Bits<14>>,
    #[new((0x1_0000 - (1u64 << A)).to_bits())]
    beyond: Constant<Bits<32>>,
    #[new(CLOSE.to_bits())]
    close_code: Constant<Bits<3>>,
    #[new(OPEN.to_bits())]
    open_code: Constant<Bits<3>>,
    #[new(PEER_CODE.to_bits())]
    peer_code: Constant<Bits<3>>,
    #[new(DRAIN_CODE.to_bits())]
    drain_code: Constant<Bits<3>>,
    #[new(IDLE.to_bits())]
    idle: Constant<Bits<3>>,
    #[new(LOOK.to_bits())]
    look: Constant<Bits<3>>,
    #[new(SHUT.to_bits())]
    shut: Constant<Bits<3>>,
    #[new(ENDING.to_bits())]
    ending: Constant<Bits<3>>,
    #[new(PEER.to_bits())]
    peer: Constant<Bits<3>>,
    #[new(BEGINNING.to_bits())]
    beginning: Constant<Bits<3>>,
    #[new(ADMIT.to_bits())]
    admit: Constant<Bits<3>>,
    #[new(SWEEP.to_bits())]
    sweep: Constant<Bits<3>>,
    mine: Pipe<Bit>,
    picked: Pipe<Bits<32>>,
    start: Signal<Local, Bit>,
    asked: Signal<Local, Bits<3>>,
    wanted: Signal<Local, Bits<3>>,
    connects: Signal<Local, Bit>,
    number: Reg<Bits<A>>,
    code: Reg<Bits<3>>,
    opening: Signal<Local, Bit>,
    #[new(SWEEP.to_bits())]
    phase: Reg<Bits<3>>,
    waiting: Signal<Local, Bit>,
    looking: Signal<Local, Bit>,
    sweeping: Signal<Local, Bit>,
    swept: Reg<Bits<A>>,
    #[new(false, RamStyle::Distributed)]
    opened: RamSdp<Bit, A>,
    enter: Signal<Local, Bit>,
    next: Signal<Local, Bits<3>>,
    ingress: Reg<Bit>,
    egress: Reg<Bit>,
    receiver: Reg<Bit>,
    sender: Reg<Bit>,
    status: Reg<Bit>,
}

impl<const A: usize> Logic for Command<A> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.mine.pipe = self.at.val() == self.page.val();
        self.found.next = self.mine.q.val();
        self.busy.next = self.phase.q.val().any();
        self.asked.next = self.data.val().get_bits::<3>(16);
        self.refused.next = self.mine.q.val()
            & (self.phase.q.val().any()
                | !self.whole.val()
                | (self.data.val() & self.beyond.val()).any()
                | (self.asked.val() > self.drain_code.val()));
        self.picked.pipe = bit_cast::<32, A>(self.number.q.val())
            | (bit_cast::<32, 3>(self.code.q.val()) << 16)
            | (bit_cast::<32, 1>(self.phase.q.val().any().into()) << 31);
        self.word.next = if self.mine.q.val() { self.picked.q.val() } else { 0.into() };

        self.start.next = self.mine.q.val() & self.write.val();
        self.wanted.next = self.asked.val();
        self.connects.next =
            (self.wanted.val() == self.open_code.val()) | (self.wanted.val() == self.close_code.val());
        self.number.reg = when(self.start.val(), self.data.val().get_bits::<A>(0));
        self.code.reg = when(self.start.val(), self.wanted.val());
        self.opening.next = self.code.q.val() == self.open_code.val();

        // Whether software has opened the connection before; after reset none is open.
        self.looking.next = self.phase.q.val() == self.look.val();
        self.sweeping.next = self.phase.q.val() == self.sweep.val();
        self.swept.reg = self.swept.q.val() + 1;
        self.opened.write = when(
            self.looking.val() | self.sweeping.val(),
            (
                if self.sweeping.val() { self.swept.q.val() } else { self.number.q.val() },
                self.looking.val() & self.opening.val(),
            ),
        );
        self.opened.read = self.data.val().get_bits::<A>(0);

        // A block accepts its word when it has carried the word out. A phase ends a clock after its last accepted word.
        self.waiting.next = self.ingress.q.val()
            | self.egress.q.val()
            | self.receiver.q.val()
            | self.sender.q.val()
            | self.status.q.val();
        self.enter.next = self.start.val() | (self.phase.q.val().any() & !self.waiting.val());
        self.next.next = self.phase.q.val() + 1;
        if self.start.val() {
            self.next.next = if self.connects.val() {
                self.look.val()
            } else if self.wanted.val() == self.peer_code.val() {
                self.peer.val()
            } else {
                self.beginning.val()
            };
        } else if self.looking.val() {
            self.next.next =
                if self.opening.val() & !self.opened.rdata.val() { self.peer.val() } else { self.shut.val() };
        } else if self.sweeping.val() {
            self.next.next = if self.swept.q.val().all() { self.idle.val() } else { self.sweep.val() };
        } else if (self.phase.q.val() == self.admit.val())
            | ((self.phase.q.val() >= self.peer.val()) & !self.opening.val())
        {
            self.next.next = self.idle.val();
        }
        self.phase.reg = when(self.enter.val(), self.next.val());
        self.ingress.reg = when(
            self.enter.val() | self.ingress_ready.val(),
            self.enter.val() & ((self.next.val() == self.shut.val()) | (self.next.val() == self.admit.val())),
        );
        self.receiver.reg = when(
            self.enter.val() | self.receiver_ready.val(),
            self.enter.val()
                & !self.start.val()
                & ((self.next.val() == self.ending.val()) | (self.next.val() == self.beginning.val())),
        );
        self.status.reg = when(
            self.enter.val() | self.status_ready.val(),
            self.enter.val()
                & !self.start.val()
                & ((self.next.val() == self.ending.val()) | (self.next.val() == self.beginning.val())),
        );
        self.sender.reg = when(
            self.enter.val() | self.sender_ready.val(),
            self.enter.val()
                & ((self.next.val() == self.ending.val()) | (self.next.val() == self.beginning.val())),
        );
        self.egress.reg = when(
            self.enter.val() | self.egress_ready.val(),
            self.enter.val() & (self.next.val() == self.peer.val()),
        );

        self.connection.next = self.number.q.val();
        self.op.next =
            if self.phase.q.val() == self.ending.val() { self.close_code.val() } else { self.code.q.val() };
        self.opens.next =
            (self.phase.q.val() == self.beginning.val()) | (self.phase.q.val() == self.admit.val());
        self.ingress_valid.next = self.ingress.q.val();
        self.egress_valid.next = self.egress.q.val();
        self.receiver_valid.next = self.receiver.q.val();
        self.sender_valid.next = self.sender.q.val();
        self.status_valid.next = self.status.q.val();
    }
}
