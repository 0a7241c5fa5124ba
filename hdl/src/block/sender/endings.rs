//! `weft_sender_endings`: completions, one by one in the order of the posting, and those of refused requests.

use super::words::{Ending, Refusal};
use crate::prelude::*;

/// The step that offers a completion.
const OFFER: u64 = 4;

/// Completions, one by one in the order of the posting, and those of refused requests.
///
/// # Parameters
///
/// `A` bits of connection number, `M = A + 4` of a message's place.
#[derive(LogicBlock, BlockDefault)]
pub struct Endings<const A: usize, const M: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A message is written.
    pub write: Signal<In, Bit>,
    /// Place of the message: connection and slot.
    pub place: Signal<In, Bits<M>>,
    /// Id of the message.
    pub id: Signal<In, Bits<32>>,
    /// Messages end.
    pub ending_valid: Signal<In, Bit>,
    /// The messages are accepted.
    pub ending_ready: Signal<Out, Bit>,
    /// The messages.
    pub ending: Signal<In, Ending>,
    /// A report of a drain is due, so no message begins to end.
    pub telling: Signal<In, Bit>,
    /// Packets that were passed on, modulo 256.
    pub handed: Signal<In, Bits<8>>,
    /// A request is refused.
    pub refusal_valid: Signal<In, Bit>,
    /// The refusal is accepted.
    pub refusal_ready: Signal<Out, Bit>,
    /// The request.
    pub refusal: Signal<In, Refusal>,
    /// A completion is offered.
    pub sent_valid: Signal<Out, Bit>,
    /// The completion is accepted.
    pub sent_ready: Signal<In, Bit>,
    /// Connection of the completion; a register without reset, like the next two ports.
    pub sent_id: Signal<Out, Bits<A>>,
    /// Id of the request.
    pub sent: Signal<Out, Bits<32>>,
    /// Status of the request.
    pub sent_status: Signal<Out, Bits<3>>,
    /// A close is finished: all earlier completions were accepted.
    pub closed: Signal<Out, Bit>,
    /// A message has ended: its completion is accepted.
    pub done: Signal<Out, Bit>,
    /// The connection.
    pub done_id: Signal<Out, Bits<A>>,
    /// The number of ended messages now, modulo 32.
    pub done_count: Signal<Out, Bits<5>>,

    ids: RamSdp<Bits<32>, M>,
    #[new(OFFER.to_bits())]
    offer: Constant<Bits<3>>,
    waits: Signal<Local, Bit>,
    over: Signal<Local, Ending>,
    early: Signal<Local, Bits<8>>,
    taken: Signal<Local, Bit>,
    begins: Signal<Local, Bit>,
    refuse: Signal<Local, Bit>,
    offers: Signal<Local, Bit>,
    given: Signal<Local, Bit>,
    more: Signal<Local, Bit>,
    step: Reg<Bits<3>>,
    refused: Signal<Local, Refusal>,
    count: Pipe<Bits<5>>,
    next_done: Pipe<Bits<5>>,
    done_before: Signal<Local, Bits<5>>,
    then_done: Pipe<Bits<5>>,
    counts: Pipe<Bit>,
    closes: Pipe<Bit>,
    sent_for: Pipe<Bits<A>>,
    status: Pipe<Bits<3>>,
    sent_word: Pipe<Bits<32>>,
}
impl<const A: usize, const M: usize> Logic for Endings<A, M> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Step 0 accepts messages that end, 1 to 3 read the id of the first one, 4 offers it.
        self.waits.next = !self.step.q.val().any();
        // A message that ends waits for the packets before it, so that no packet is fetched after its
        // message's completion.
        self.over.next = self.ending.val();
        self.early.next = self.handed.val() - self.over.val().after;
        self.taken.next =
            self.waits.val() & !self.telling.val() & self.ending_valid.val() & !self.early.val().get_bit(7);
        self.begins.next = self.taken.val() & self.over.val().count.any();
        self.refuse.next = self.waits.val() & !self.taken.val() & self.refusal_valid.val();
        self.offers.next = self.step.q.val() == self.offer.val();
        self.given.next = self.offers.val() & self.sent_ready.val();
        self.ending_ready.next = self.taken.val();
        self.refusal_ready.next = self.refuse.val();
        self.more.next = self.count.q.val().get_bits::<4>(1).any();
        self.step.reg = when(
            self.begins.val()
                | self.refuse.val()
                | (!self.waits.val() & !self.offers.val())
                | self.given.val(),
            if self.refuse.val() { self.offer.val() } else { self.step.q.val() + 1 },
        );
        if self.offers.val() {
            self.step.d.next = bit_cast::<3, 1>(self.more.val().into());
        }

        // The message that ends. A refusal is the last of its kind.
        self.refused.next = self.refusal.val();
        self.count.pipe =
            when(self.begins.val() | self.refuse.val() | self.given.val(), self.count.q.val() - 1);
        self.next_done.pipe = when(self.begins.val() | self.given.val(), self.then_done.q.val());
        self.done_before.next = if self.waits.val() { self.over.val().done } else { self.then_done.q.val() };
        self.then_done.pipe = when(self.begins.val() | self.given.val(), self.done_before.val() + 1);
        self.counts.pipe = when(self.begins.val() | self.refuse.val(), self.begins.val());
        self.closes.pipe =
            when(self.begins.val() | self.refuse.val(), self.begins.val() & self.over.val().closes);
        self.sent_for.pipe =
            when(self.begins.val() | self.refuse.val(), bit_cast::<A, 14>(self.over.val().connection));
        self.status.pipe = when(self.begins.val() | self.refuse.val(), self.over.val().status);
        if self.begins.val() {
            self.count.d.next = self.over.val().count;
            self.next_done.d.next = self.over.val().done;
        } else if self.refuse.val() {
            self.count.d.next = 1.into();
            self.sent_for.d.next = bit_cast::<A, 14>(self.refused.val().connection);
            self.status.d.next = 2.into();
        }

        // Id of the message.
        self.ids.write = when(self.write.val(), (self.place.val(), self.id.val()));
        self.ids.read = (bit_cast::<M, A>(self.sent_for.q.val()) << 4)
            | bit_cast::<M, 4>(self.next_done.q.val().get_bits::<4>(0));
        self.sent_word.pipe = when(
            self.refuse.val() | (self.step.q.val() == 3),
            if self.refuse.val() { self.refused.val().id } else { self.ids.rdata.val() },
        );
        self.sent_valid.next = self.offers.val();
        self.sent_id.next = self.sent_for.q.val();
        self.sent.next = self.sent_word.q.val();
        self.sent_status.next = self.status.q.val();

        // A close arrives behind the last message; without messages it is over at once.
        self.closed.next = (self.taken.val() & !self.begins.val())
            | (self.given.val() & !self.more.val() & self.closes.q.val());

        // The slot becomes free only now.
        self.done.next = self.given.val() & self.counts.q.val();
        self.done_id.next = self.sent_for.q.val();
        self.done_count.next = self.then_done.q.val();
    }
}
