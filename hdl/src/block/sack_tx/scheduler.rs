//! `weft_sack_tx_scheduler`: chooses the connection that sends next, and its packet.

use super::words::{Card, Request};
use crate::part::published::Published;
use crate::prelude::*;

/// The next connection to send, and its packet.
///
/// # Parameters
///
/// `A` bits of connection number, `B = A + 1`, `M = A + 4` bits of a message's place.
#[derive(LogicBlock, BlockDefault)]
pub struct Scheduler<const A: usize, const B: usize, const M: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset: no connection waits.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// A connection's card is written.
    pub write: Signal<In, Bit>,
    /// Connection of the card.
    pub write_id: Signal<In, Bits<A>>,
    /// The card.
    pub card: Signal<In, Card>,
    /// The connection enters the queue of those that want to send. At most once until its request.
    pub enqueue: Signal<In, Bit>,
    /// A message of the connection enters its queue.
    pub post: Signal<In, Bit>,
    /// Place of the message.
    pub post_at: Signal<In, Bits<4>>,
    /// Number of packets of the message.
    pub post_packets: Signal<In, Bits<16>>,
    /// The pipeline accepts the request.
    pub sent: Signal<In, Bit>,
    /// A request; a register, like the next two ports.
    pub valid: Signal<Out, Bit>,
    /// Connection of the request.
    pub id: Signal<Out, Bits<A>>,
    /// The packet to send.
    pub request: Signal<Out, Request>,

    waiting: RamSdp<Bits<A>, A>,
    cards: Published<Card, A>,
    messages: RamSdp<Bits<16>, M>,
    moves: Signal<Local, Bit>,
    back: Reg<Bits<B>>,
    some: Signal<Local, Bit>,
    front: Reg<Bits<B>>,
    stages: Reg<Bits<6>>,
    popped: Signal<Local, Bits<A>>,
    #[new(2)]
    read_id: Delay<Bits<A>>,
    read_card: Signal<Local, Card>,
    #[new(2)]
    made_id: Delay<Bits<A>>,
    #[new(2)]
    made_card: Delay<Card>,
    none_left: Signal<Local, Bit>,
    alone: Signal<Local, Bit>,
    packets: Signal<Local, Bits<16>>,
    made: Signal<Local, Request>,
    asked: Reg<Bit>,
    asked_id: Reg<Bits<A>>,
    asked_for: Pipe<Request>,
    second: Signal<Local, Bit>,
    follows: Signal<Local, Bit>,
    first: Signal<Local, Request>,
    due: Signal<Local, Request>,
}
impl<const A: usize, const B: usize, const M: usize> Logic for Scheduler<A, B, M> {
    #[clocked(en = moves)]
    #[hdl_gen]
    fn update(&mut self) {
        self.second.next = self.sent.val() & self.asked_for.q.val().more;
        self.moves.next =
            self.run.val() & (!self.asked.q.val() | (self.sent.val() & !self.asked_for.q.val().more));

        // The queue has a place for every connection, and none is in it twice.
        self.back.reg = when(self.run.val() & self.enqueue.val(), self.back.q.val() + 1);
        self.some.next = self.front.q.val() != self.back.q.val();
        self.front.reg = when(self.moves.val() & self.some.val(), self.front.q.val() + 1);
        self.waiting.write = when(
            self.run.val() & self.enqueue.val(),
            (self.back.q.val().get_bits::<A>(0), self.write_id.val()),
        );
        self.waiting.read = self.front.q.val().get_bits::<A>(0);
        // Bit i: a connection is i + 1 clocks behind its pop.
        self.stages.reg = (self.stages.q.val() << 1) | bit_cast::<6, 1>(self.some.val().into());

        // Two clocks later its card is read, two more its message.
        self.popped.next = self.waiting.rdata.val();
        self.cards.clk.next = self.clk.val();
        self.cards.run.next = self.moves.val();
        self.cards.write = when(self.run.val() & self.write.val(), (self.write_id.val(), self.card.val()));
        self.cards.raddr.next = self.popped.val();
        self.read_id.delay = self.popped.val();
        self.read_card.next = self.cards.rdata.val();
        self.messages.write = when(
            self.run.val() & self.post.val(),
            (
                (bit_cast::<M, A>(self.write_id.val()) << 4) | bit_cast::<M, 4>(self.post_at.val()),
                self.post_packets.val(),
            ),
        );
        self.messages.read =
            (bit_cast::<M, A>(self.read_id.q.val()) << 4) | bit_cast::<M, 4>(self.read_card.val().head);
        self.made_id.delay = self.read_id.q.val();
        self.made_card.delay = self.read_card.val();

        self.none_left.next = !self.made_card.q.val().left.any();
        wire!(self.made.next.* <- self.made_card.q.val().*: ready, fresh);
        self.made.next.taken = self.none_left.val();
        self.made.next.psn = self.made_card.q.val().psn;
        self.packets.next =
            if self.none_left.val() { self.messages.rdata.val() } else { self.made_card.q.val().left };
        self.made.next.packets = self.packets.val();
        // Who is alone, and had the turn before, sends two in a turn.
        self.alone.next = !self.some.val()
            & !self.stages.q.val().get_bits::<5>(0).any()
            & (self.made_id.q.val() == self.asked_id.q.val());
        self.made.next.more =
            self.alone.val() & self.made_card.q.val().pair & self.packets.val().get_bits::<15>(1).any();
        self.asked.reg = self.stages.q.val().get_bit(5);
        self.asked_id.reg = when(self.moves.val() & self.stages.q.val().get_bit(5), self.made_id.q.val());
        // A second one is the packet behind the first. Nothing else comes while one is to follow.
        self.follows.next = self.asked.q.val() & self.asked_for.q.val().more;
        self.due.next = self.made.val();
        self.first.next = self.made.val();
        if self.follows.val() {
            self.due.next = self.asked_for.q.val();
            self.due.next.taken = false;
            self.due.next.more = false;
            self.first.next = self.asked_for.q.val();
        }
        self.due.next.psn = self.first.val().psn + bit_cast::<24, 1>(self.follows.val().into());
        self.due.next.packets = self.first.val().packets - bit_cast::<16, 1>(self.follows.val().into());
        self.asked_for.pipe = when(self.moves.val() | self.second.val(), self.due.val());
        self.valid.next = self.asked.q.val();
        self.id.next = self.asked_id.q.val();
        self.request.next = self.asked_for.q.val();
    }
}
