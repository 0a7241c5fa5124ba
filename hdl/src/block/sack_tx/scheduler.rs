//! `weft_sack_tx_scheduler`: whose turn it is to send, and what.

use super::words::{Card, Request};
use crate::part::published::Published;
use crate::prelude::*;

/// Whose turn it is to send, and what.
///
/// # Parameters
///
/// `A` bits of connection number, `B = A + 1`, `M = A + 4` bits of a message's place.
#[derive(LogicBlock)]
pub struct Scheduler<const A: usize, const B: usize, const M: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset: nobody waits.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// A connection's card is written.
    pub write: Signal<In, Bit>,
    /// This connection's.
    pub write_id: Signal<In, Bits<A>>,
    /// The card.
    pub card: Signal<In, Card>,
    /// It enters the queue of those that want to send. At most once until its request.
    pub enqueue: Signal<In, Bit>,
    /// A message of it enters its queue.
    pub post: Signal<In, Bit>,
    /// At this place.
    pub post_at: Signal<In, Bits<4>>,
    /// With so many packets.
    pub post_packets: Signal<In, Bits<16>>,
    /// The request is taken.
    pub sent: Signal<In, Bit>,
    /// A request; a register, as the next two.
    pub valid: Signal<Out, Bit>,
    /// Of this connection.
    pub id: Signal<Out, Bits<A>>,
    /// For this packet.
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
    read_id: Delay<Bits<A>>,
    read_card: Signal<Local, Card>,
    made_id: Delay<Bits<A>>,
    made_card: Delay<Card>,
    none_left: Signal<Local, Bit>,
    made: Signal<Local, Request>,
    asked: Reg<Bit>,
    asked_id: Pipe<Bits<A>>,
    asked_for: Pipe<Request>,
}
impl<const A: usize, const B: usize, const M: usize> Default for Scheduler<A, B, M> {
    fn default() -> Self {
        Scheduler {
            clk: Default::default(),
            rst: Default::default(),
            run: Default::default(),
            write: Default::default(),
            write_id: Default::default(),
            card: Default::default(),
            enqueue: Default::default(),
            post: Default::default(),
            post_at: Default::default(),
            post_packets: Default::default(),
            sent: Default::default(),
            valid: Default::default(),
            id: Default::default(),
            request: Default::default(),
            waiting: Default::default(),
            cards: Default::default(),
            messages: Default::default(),
            moves: Default::default(),
            back: Default::default(),
            some: Default::default(),
            front: Default::default(),
            stages: Default::default(),
            popped: Default::default(),
            read_id: Delay::new(2),
            read_card: Default::default(),
            made_id: Delay::new(2),
            made_card: Delay::new(2),
            none_left: Default::default(),
            made: Default::default(),
            asked: Default::default(),
            asked_id: Default::default(),
            asked_for: Default::default(),
        }
    }
}

impl<const A: usize, const B: usize, const M: usize> Logic for Scheduler<A, B, M> {
    #[hdl_gen]
    fn update(&mut self) {
        self.moves.next = self.run.val() & (!self.asked.q.val() | self.sent.val());

        // The queue has a place for every connection, and none is in it twice.
        self.back.clk.next = self.clk.val();
        self.back.rst.next = self.rst.val();
        self.back.en.next = self.run.val() & self.enqueue.val();
        self.back.d.next = self.back.q.val() + 1;
        self.some.next = self.front.q.val() != self.back.q.val();
        self.front.clk.next = self.clk.val();
        self.front.rst.next = self.rst.val();
        self.front.en.next = self.moves.val() & self.some.val();
        self.front.d.next = self.front.q.val() + 1;
        self.waiting.clk.next = self.clk.val();
        self.waiting.we.next = self.run.val() & self.enqueue.val();
        self.waiting.waddr.next = self.back.q.val().get_bits::<A>(0);
        self.waiting.wdata.next = self.write_id.val();
        self.waiting.re.next = self.moves.val();
        self.waiting.raddr.next = self.front.q.val().get_bits::<A>(0);
        self.waiting.oe.next = self.moves.val();
        // Bit i: a connection is i + 1 clocks behind its pop.
        self.stages.clk.next = self.clk.val();
        self.stages.rst.next = self.rst.val();
        self.stages.en.next = self.moves.val();
        self.stages.d.next = (self.stages.q.val() << 1) | bit_cast::<6, 1>(self.some.val().into());

        // Two clocks later its card is read, two more its message.
        self.popped.next = self.waiting.rdata.val();
        self.cards.clk.next = self.clk.val();
        self.cards.run.next = self.moves.val();
        self.cards.we.next = self.run.val() & self.write.val();
        self.cards.waddr.next = self.write_id.val();
        self.cards.wdata.next = self.card.val();
        self.cards.raddr.next = self.popped.val();
        self.read_id.clk.next = self.clk.val();
        self.read_id.en.next = self.moves.val();
        self.read_id.d.next = self.popped.val();
        self.read_card.next = self.cards.rdata.val();
        self.messages.clk.next = self.clk.val();
        self.messages.we.next = self.run.val() & self.post.val();
        self.messages.waddr.next =
            (bit_cast::<M, A>(self.write_id.val()) << 4) | bit_cast::<M, 4>(self.post_at.val());
        self.messages.wdata.next = self.post_packets.val();
        self.messages.re.next = self.moves.val();
        self.messages.raddr.next =
            (bit_cast::<M, A>(self.read_id.q.val()) << 4) | bit_cast::<M, 4>(self.read_card.val().head);
        self.messages.oe.next = self.moves.val();
        self.made_id.clk.next = self.clk.val();
        self.made_id.en.next = self.moves.val();
        self.made_id.d.next = self.read_id.q.val();
        self.made_card.clk.next = self.clk.val();
        self.made_card.en.next = self.moves.val();
        self.made_card.d.next = self.read_card.val();

        self.none_left.next = !self.made_card.q.val().left.any();
        self.made.next.ready = self.made_card.q.val().ready;
        self.made.next.fresh = self.made_card.q.val().fresh;
        self.made.next.taken = self.none_left.val();
        self.made.next.psn = self.made_card.q.val().psn;
        self.made.next.packets = self.made_card.q.val().left;
        if self.none_left.val() {
            self.made.next.packets = self.messages.rdata.val();
        }
        self.asked.clk.next = self.clk.val();
        self.asked.rst.next = self.rst.val();
        self.asked.en.next = self.moves.val();
        self.asked.d.next = self.stages.q.val().get_bit(5);
        self.asked_id.clk.next = self.clk.val();
        self.asked_id.en.next = self.moves.val();
        self.asked_id.d.next = self.made_id.q.val();
        self.asked_for.clk.next = self.clk.val();
        self.asked_for.en.next = self.moves.val();
        self.asked_for.d.next = self.made.val();
        self.valid.next = self.asked.q.val();
        self.id.next = self.asked_id.q.val();
        self.request.next = self.asked_for.q.val();
    }
}
