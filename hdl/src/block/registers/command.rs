//! `weft_registers_command`: the register COMMAND, and the words that it sends to the blocks.

use crate::prelude::*;
use weft_params::registers::Page;

/// Codes of COMMAND's field op.
const CLOSE: u64 = 0;
const OPEN: u64 = 1;

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
    /// Offset of the access, in words; stands still until the write.
    pub at: Signal<In, Bits<14>>,
    /// Write, if the word is in this page.
    pub write: Signal<In, Bit>,
    /// What to write.
    pub data: Signal<In, Bits<32>>,
    /// All bytes are to be written.
    pub whole: Signal<In, Bit>,
    /// One clock after `at`: the word is in this page.
    pub found: Signal<Out, Bit>,
    /// One clock after `at`: the word may not be written now, or not with this.
    pub refused: Signal<Out, Bit>,
    /// One clock after `at`: the word, 0 if it is not in this page.
    pub word: Signal<Out, Bits<32>>,
    /// A block has not taken its word; the staging must not change.
    pub busy: Signal<Out, Bit>,
    /// The connection.
    pub connection: Signal<Out, Bits<A>>,
    /// What to do: 0 close, 1 open, 2 seed, 3 path_ok.
    pub op: Signal<Out, Bits<2>>,
    /// It is to open.
    pub opens: Signal<Out, Bit>,
    /// The word for ingress waits.
    pub ingress_valid: Signal<Out, Bit>,
    /// It is taken.
    pub ingress_ready: Signal<In, Bit>,
    /// The word for egress waits.
    pub egress_valid: Signal<Out, Bit>,
    /// It is taken.
    pub egress_ready: Signal<In, Bit>,
    /// The word for the receiver waits.
    pub receiver_valid: Signal<Out, Bit>,
    /// It is taken.
    pub receiver_ready: Signal<In, Bit>,
    /// The word for the sender waits.
    pub sender_valid: Signal<Out, Bit>,
    /// It is taken.
    pub sender_ready: Signal<In, Bit>,

    #[new((16 * page.number()).to_bits())]
    page: Constant<Bits<14>>,
    #[new((0x1_0000 - (1u64 << A)).to_bits())]
    beyond: Constant<Bits<32>>,
    #[new(CLOSE.to_bits())]
    close_code: Constant<Bits<2>>,
    #[new(OPEN.to_bits())]
    open_code: Constant<Bits<2>>,
    mine: Pipe<Bit>,
    picked: Pipe<Bits<32>>,
    waiting: Signal<Local, Bit>,
    start: Signal<Local, Bit>,
    wanted: Signal<Local, Bits<2>>,
    opening: Signal<Local, Bit>,
    closing: Signal<Local, Bit>,
    number: Reg<Bits<A>>,
    code: Reg<Bits<2>>,
    ingress: Reg<Bit>,
    egress: Reg<Bit>,
    receiver: Reg<Bit>,
    sender: Reg<Bit>,
}

impl<const A: usize> Logic for Command<A> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.mine.pipe = self.at.val() == self.page.val();
        self.waiting.next =
            self.ingress.q.val() | self.egress.q.val() | self.receiver.q.val() | self.sender.q.val();
        self.found.next = self.mine.q.val();
        self.refused.next = self.mine.q.val()
            & (self.waiting.val() | !self.whole.val() | (self.data.val() & self.beyond.val()).any());
        self.picked.pipe = bit_cast::<32, A>(self.number.q.val())
            | (bit_cast::<32, 2>(self.code.q.val()) << 16)
            | (bit_cast::<32, 1>(self.waiting.val().into()) << 31);
        self.word.next = if self.mine.q.val() { self.picked.q.val() } else { 0.into() };

        self.start.next = self.mine.q.val() & self.write.val();
        self.wanted.next = self.data.val().get_bits::<2>(16);
        self.opening.next = self.wanted.val() == self.open_code.val();
        self.closing.next = self.wanted.val() == self.close_code.val();
        self.number.reg = when(self.start.val(), self.data.val().get_bits::<A>(0));
        self.code.reg = when(self.start.val(), self.wanted.val());

        // Open goes to all blocks, close to those that know of open and closed, the rest to the sender.
        self.ingress.reg = when(
            self.start.val() | self.ingress_ready.val(),
            self.start.val() & (self.opening.val() | self.closing.val()),
        );
        self.egress.reg =
            when(self.start.val() | self.egress_ready.val(), self.start.val() & self.opening.val());
        self.receiver.reg = when(
            self.start.val() | self.receiver_ready.val(),
            self.start.val() & (self.opening.val() | self.closing.val()),
        );
        self.sender.reg = when(self.start.val() | self.sender_ready.val(), self.start.val());

        self.busy.next = self.waiting.val();
        self.connection.next = self.number.q.val();
        self.op.next = self.code.q.val();
        self.opens.next = self.code.q.val() == self.open_code.val();
        self.ingress_valid.next = self.ingress.q.val();
        self.egress_valid.next = self.egress.q.val();
        self.receiver_valid.next = self.receiver.q.val();
        self.sender_valid.next = self.sender.q.val();
    }
}
