//! `weft_sender_intake`: accepts work requests, at most one every five clocks, posts them as messages or
//! refuses them, and marks connections that drain.

use super::words::{Message, Post, Refusal};
use crate::part::published::Published;
use crate::prelude::*;
use crate::word::Work;

/// The step that waits until a request is posted or refused.
const LAST_STEP: u64 = 4;
/// The last step of a drain. It waits until the report of no outstanding work is accepted.
const TELLING: u64 = 7;

/// Accepts work requests, at most one every five clocks, posts them as messages or refuses them, and marks
/// connections that drain.
///
/// # Parameters
///
/// `A` bits of connection number, `M = A + 4` bits of a message's place.
#[derive(LogicBlock, BlockDefault)]
pub struct Intake<const A: usize, const M: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// After reset: the counts of a connection become 0.
    pub sweeping: Signal<In, Bit>,
    /// Connection whose counts are cleared.
    pub sweep: Signal<In, Bits<A>>,
    /// A connection closes: the block accepts no request.
    pub closing: Signal<In, Bit>,
    /// A connection must drain after the requests accepted before. High until the drain is over.
    pub drains: Signal<In, Bit>,
    /// The connection.
    pub drain_id: Signal<In, Bits<A>>,
    /// The drain is carried out, and all its reports have left.
    pub drain_over: Signal<Out, Bit>,
    /// A report of a drain is due.
    pub telling: Signal<In, Bit>,
    /// Connection that the block works on; a register.
    pub looks: Signal<Out, Bits<A>>,
    /// Two clocks after the connection is known: the connection drains.
    pub draining: Signal<In, Bit>,
    /// The connection drains from now on.
    pub mark: Signal<Out, Bit>,
    /// Posted messages of the connection, modulo 32.
    pub marked: Signal<Out, Bits<5>>,
    /// The connection drains and has no outstanding work.
    pub settled: Signal<Out, Bit>,
    /// The report is accepted.
    pub settled_ready: Signal<In, Bit>,
    /// The block is idle; a function of registers.
    pub idle: Signal<Out, Bit>,
    /// A request is offered.
    pub work_valid: Signal<In, Bit>,
    /// The request is accepted.
    pub work_ready: Signal<Out, Bit>,
    /// The connection.
    pub work_id: Signal<In, Bits<A>>,
    /// The request.
    pub work: Signal<In, Work>,
    /// With immediate.
    pub work_immediate: Signal<In, Bit>,
    /// Payload bytes of a full packet, as a power of 2.
    pub mtu_shift: Signal<In, Bits<4>>,
    /// Payload bytes of a full packet.
    pub mtu: Signal<In, Bits<14>>,
    /// A message has ended.
    pub done: Signal<In, Bit>,
    /// The connection.
    pub done_id: Signal<In, Bits<A>>,
    /// The number of ended messages now, modulo 32.
    pub done_count: Signal<In, Bits<5>>,
    /// A message is to be posted.
    pub post_valid: Signal<Out, Bit>,
    /// The message is accepted; ignored while none is offered.
    pub post_ready: Signal<In, Bit>,
    /// The message.
    pub post: Signal<Out, Post>,
    /// A request is refused.
    pub refusal_valid: Signal<Out, Bit>,
    /// The completion of the refusal is accepted.
    pub refusal_ready: Signal<In, Bit>,
    /// The request.
    pub refusal: Signal<Out, Refusal>,
    /// The message is posted.
    pub posts: Signal<Out, Bit>,
    /// A message is offered. The block writes the fields to remember from then on, until the message is accepted.
    pub write: Signal<Out, Bit>,
    /// Place of the message: connection and slot.
    pub place: Signal<Out, Bits<M>>,
    /// The message.
    pub message: Signal<Out, Message>,
    /// Id of the message.
    pub id: Signal<Out, Bits<32>>,

    posted: RamSdp<Bits<5>, A>,
    ended: Published<Bits<5>, A>,
    #[new(LAST_STEP.to_bits())]
    last_step: Constant<Bits<3>>,
    #[new(TELLING.to_bits())]
    telling_step: Constant<Bits<3>>,
    waits: Signal<Local, Bit>,
    take: Signal<Local, Bit>,
    asked: Signal<Local, Bit>,
    pass: Pipe<Bit>,
    passed: Reg<Bit>,
    even: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    over: Signal<Local, Bit>,
    given: Signal<Local, Bit>,
    step: Reg<Bits<3>>,
    work_held: Pipe<Work>,
    connection: Pipe<Bits<A>>,
    with_immediate: Pipe<Bit>,
    held: Signal<Local, Work>,
    rounded: Pipe<Bits<33>>,
    packets: Pipe<Bits<33>>,
    outstanding: Signal<Local, Bits<5>>,
    bad: Pipe<Bit>,
    sequel: Pipe<Bits<5>>,
    some_packets: Pipe<Bits<16>>,
    posting: Signal<Local, Bit>,
    offers: Signal<Local, Bit>,
    slot: Signal<Local, Bits<5>>,
}
impl<const A: usize, const M: usize> Logic for Intake<A, M> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Step 0 waits for a request, 1 reads, 2 waits, 3 judges, 4 waits until the request is posted or refused. For
        // a drain, step 4 marks the connection. Step 7 is late enough to count every message that ended without seeing
        // the mark.
        self.idle.next = !self.step.q.val().any();
        self.asked.next = !self.step.q.val().any() & self.drains.val() & !self.passed.q.val();
        self.waits.next = !self.step.q.val().any()
            & !self.sweeping.val()
            & !self.closing.val()
            & !(self.drains.val() & !self.passed.q.val());
        self.take.next = self.waits.val() & self.work_valid.val();
        self.over.next = self.step.q.val() == self.last_step.val();
        self.given.next = self.over.val()
            & ((self.post_ready.val() & !self.bad.q.val()) | (self.refusal_ready.val() & self.bad.q.val()));
        self.outstanding.next = self.posted.rdata.val() - self.ended.rdata.val();
        self.even.next = (self.step.q.val() == self.telling_step.val()) & !self.outstanding.val().any();
        self.ends.next = (self.step.q.val() == self.telling_step.val())
            & (self.outstanding.val().any() | self.settled_ready.val());
        self.moves.next = if self.over.val() {
            self.given.val() | self.pass.q.val()
        } else if self.step.q.val() == self.telling_step.val() {
            self.ends.val()
        } else {
            self.step.q.val().any()
        };
        self.step.reg = when(
            self.take.val() | self.asked.val() | self.moves.val(),
            if self.over.val() & !self.pass.q.val() { 0.into() } else { self.step.q.val() + 1 },
        );
        self.pass.pipe = when(self.take.val() | self.asked.val(), self.asked.val());
        self.drain_over.next = self.passed.q.val() & !self.telling.val();
        self.passed.reg = when(self.ends.val() | self.drain_over.val(), self.ends.val());
        self.mark.next = self.over.val() & self.pass.q.val();
        self.settled.next = self.even.val();
        self.looks.next = self.connection.q.val();
        self.work_ready.next = self.waits.val();
        self.work_held.pipe = when(self.take.val(), self.work.val());
        self.connection.pipe = when(
            self.take.val() | self.asked.val(),
            if self.asked.val() { self.drain_id.val() } else { self.work_id.val() },
        );
        self.with_immediate.pipe = when(self.take.val(), self.work_immediate.val());

        // Packets: the length over the MTU, rounded up, at least one.
        self.held.next = self.work_held.q.val();
        self.rounded.pipe =
            bit_cast::<33, 32>(self.held.val().length) + bit_cast::<33, 14>(self.mtu.val()) - 1;
        self.packets.pipe = self.rounded.q.val() >> self.mtu_shift.val();

        // Messages that were posted and have not ended: 16 at most. Those that end in this clock may
        // still count as waiting.
        self.posted.read = self.connection.q.val();
        self.ended.clk.next = self.clk.val();
        self.ended.run.next = true;
        self.ended.raddr.next = self.connection.q.val();
        self.ended.write =
            when(self.done.val() | self.sweeping.val(), (self.done_id.val(), self.done_count.val()));
        if self.sweeping.val() {
            self.ended.waddr.next = self.sweep.val();
            self.ended.wdata.next = 0.into();
        }
        self.marked.next = self.posted.rdata.val();
        self.bad.pipe = when(
            !self.over.val(),
            self.outstanding.val().get_bit(4)
                | self.packets.q.val().get_bits::<17>(16).any()
                | self.draining.val(),
        );
        self.sequel.pipe = when(!self.over.val(), self.posted.rdata.val() + 1);
        self.some_packets.pipe = when(
            !self.over.val(),
            if !self.packets.q.val().any() { 1.into() } else { self.packets.q.val().get_bits::<16>(0) },
        );

        // Posted: into the slot after the last message's, which is free.
        self.offers.next = self.over.val() & !self.pass.q.val() & !self.bad.q.val();
        self.post_valid.next = self.offers.val();
        self.post.next.connection = bit_cast::<14, A>(self.connection.q.val());
        self.post.next.packets = self.some_packets.q.val();
        self.posting.next = self.offers.val() & self.post_ready.val();
        self.posts.next = self.posting.val();
        self.posted.write =
            when(self.posting.val() | self.sweeping.val(), (self.connection.q.val(), self.sequel.q.val()));
        if self.sweeping.val() {
            self.posted.waddr.next = self.sweep.val();
            self.posted.wdata.next = 0.into();
        }
        self.write.next = self.offers.val();
        self.slot.next = self.sequel.q.val() - 1;
        self.place.next = (bit_cast::<M, A>(self.connection.q.val()) << 4)
            | bit_cast::<M, 4>(self.slot.val().get_bits::<4>(0));
        wire!(self.message.next.* <- self.held.val().*: local, remote, key, length, immediate);
        self.message.next.with_immediate = self.with_immediate.q.val();
        self.id.next = self.held.val().id;

        // Refused.
        self.refusal_valid.next = self.over.val() & !self.pass.q.val() & self.bad.q.val();
        self.refusal.next.connection = bit_cast::<14, A>(self.connection.q.val());
        self.refusal.next.id = self.held.val().id;
    }
}
