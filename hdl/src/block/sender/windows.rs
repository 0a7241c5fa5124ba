//! `weft_sender_windows`: stores the newest congestion window of every connection, until the transport
//! accepts it.
//!
//! The mailbox accepts an answer in every clock. So the congestion window never waits for the transport,
//! which waits for the congestion window. A connection is in the queue at most once, and the queue has a
//! place for each connection.

use super::words::{Allowance, Newest};
use crate::part::context::Context;
use crate::part::fifo::Fifo;
use crate::prelude::*;

/// The newest congestion window of every connection, until the transport accepts it. The mailbox accepts an
/// answer in every clock. So the congestion window never waits for the transport, which waits for the
/// congestion window. A connection is in the queue at most once, and the queue has a place for each
/// connection.
///
/// # Parameters
///
/// `A` bits of connection number, `B = A + 1`.
#[derive(LogicBlock, BlockDefault)]
pub struct Windows<const A: usize, const B: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset: the queue is empty.
    pub rst: Signal<In, Bit>,
    /// After reset: the word of a connection is cleared.
    pub sweeping: Signal<In, Bit>,
    /// Connection whose word is cleared.
    pub sweep: Signal<In, Bits<A>>,
    /// An answer of an open connection.
    pub in_valid: Signal<In, Bit>,
    /// The connection.
    pub in_id: Signal<In, Bits<A>>,
    /// The window in bytes.
    pub in_bytes: Signal<In, Bits<26>>,
    /// A connection closes; never with an answer.
    pub close_valid: Signal<In, Bit>,
    /// The connection.
    pub close_id: Signal<In, Bits<A>>,
    /// A window is offered.
    pub out_valid: Signal<Out, Bit>,
    /// The window is accepted.
    pub out_ready: Signal<In, Bit>,
    /// The window.
    pub out: Signal<Out, Allowance>,
    /// A close leaves: all earlier windows were accepted.
    pub closed: Signal<Out, Bit>,

    newest: Context<Newest, A>,
    queue: Fifo<Bits<B>, A, B>,
    leaving: Fifo<Allowance, 4, 5>,
    push: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    pop: Signal<Local, Bit>,
    s1_live: Reg<Bit>,
    s1_id: Pipe<Bits<A>>,
    s1_push: Reg<Bit>,
    s1_close: Reg<Bit>,
    s1_closes: Pipe<Bit>,
    s1_pop: Reg<Bit>,
    s1_bytes: Pipe<Bits<26>>,
    s2_push: Reg<Bit>,
    s3_push: Reg<Bit>,
    s4_push: Reg<Bit>,
    s2_close: Reg<Bit>,
    s3_close: Reg<Bit>,
    s4_close: Reg<Bit>,
    #[new(3)]
    s4_closes: Delay<Bit>,
    s2_pop: Reg<Bit>,
    s3_pop: Reg<Bit>,
    s4_pop: Reg<Bit>,
    #[new(3)]
    s4_bytes: Delay<Bits<26>>,
    #[new(3)]
    s4_id: Delay<Bits<A>>,
    prior: Signal<Local, Newest>,
    news: Signal<Local, Bit>,
    word: Signal<Local, Newest>,
    s5_enqueue: Reg<Bit>,
    s5_pop: Reg<Bit>,
    s5_id: Pipe<Bits<A>>,
    s5_closes: Pipe<Bit>,
    latest: Signal<Local, Newest>,
    allowance: Signal<Local, Allowance>,
    leaves: Signal<Local, Allowance>,
    over: Signal<Local, Bit>,
}
impl<const A: usize, const B: usize> Logic for Windows<A, B> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 1: an answer or a close, else the front of the queue, if the output has space for all on its way.
        self.push.next = self.in_valid.val() & !self.sweeping.val();
        self.room.next = !self.leaving.level.val().get_bit(3) & !self.leaving.level.val().get_bit(4);
        self.pop.next = !self.in_valid.val()
            & !self.close_valid.val()
            & !self.sweeping.val()
            & self.room.val()
            & self.queue.out_valid.val();
        self.s1_live.reg = self.sweeping.val() | self.push.val() | self.pop.val();
        self.s1_id.pipe = if self.sweeping.val() {
            self.sweep.val()
        } else if self.in_valid.val() {
            self.in_id.val()
        } else if self.close_valid.val() {
            self.close_id.val()
        } else {
            self.queue.out_word.val().get_bits::<A>(1)
        };
        self.s1_push.reg = self.push.val();
        self.s1_close.reg = self.close_valid.val();
        self.s1_closes.pipe = self.close_valid.val() | self.queue.out_word.val().get_bit(0);
        self.s1_pop.reg = self.pop.val();
        self.s1_bytes.pipe = self.in_bytes.val();

        // Stages 1 to 5: the connection's word.
        wire!(self.newest.* <- self.*: clk, rst);
        self.newest.next_run.next = true;
        self.newest.in_live.next = self.s1_live.q.val();
        self.newest.in_id.next = self.s1_id.q.val();
        self.s2_push.reg = self.s1_push.q.val();
        self.s3_push.reg = self.s2_push.q.val();
        self.s4_push.reg = self.s3_push.q.val();
        self.s2_close.reg = self.s1_close.q.val();
        self.s3_close.reg = self.s2_close.q.val();
        self.s4_close.reg = self.s3_close.q.val();
        self.s4_closes.delay = self.s1_closes.q.val();
        self.s2_pop.reg = self.s1_pop.q.val();
        self.s3_pop.reg = self.s2_pop.q.val();
        self.s4_pop.reg = self.s3_pop.q.val();
        self.s4_bytes.delay = self.s1_bytes.q.val();
        self.s4_id.delay = self.s1_id.q.val();
        self.prior.next = self.newest.prior.val();
        // A window equal to the one that the transport has needs no event.
        self.news.next = self.s4_push.q.val() & (self.s4_bytes.q.val() != self.prior.val().bytes);
        self.word.next = self.prior.val();
        self.word.next.waiting = self.s4_push.q.val() & (self.prior.val().waiting | self.news.val());
        if self.s4_push.q.val() {
            self.word.next.bytes = self.s4_bytes.q.val();
        } else if !self.s4_pop.q.val() {
            self.word.next.bytes = 0.into();
        }
        self.newest.word.next = self.word.val();
        self.s5_enqueue.reg = (self.news.val() & !self.prior.val().waiting) | self.s4_close.q.val();
        self.s5_closes.pipe = !self.s4_push.q.val() & self.s4_closes.q.val();
        self.s5_pop.reg = self.s4_pop.q.val();
        self.s5_id.pipe = self.s4_id.q.val();

        // Stage 5: into the queue, or out.
        wire!(self.queue.*, self.leaving.* <- self.*: clk, rst);
        self.queue.in_valid.next = self.s5_enqueue.q.val();
        self.queue.in_word.next =
            (bit_cast::<B, A>(self.s5_id.q.val()) << 1) | bit_cast::<B, 1>(self.s5_closes.q.val().into());
        self.queue.in_commit.next = true;
        self.queue.in_rollback.next = false;
        self.queue.out_ready.next = self.pop.val();
        self.latest.next = self.newest.after.val();
        self.allowance.next.connection = bit_cast::<14, A>(self.s5_id.q.val());
        self.allowance.next.bytes = self.latest.val().bytes;
        self.allowance.next.closes = self.s5_closes.q.val();
        self.leaving.in_valid.next = self.s5_pop.q.val();
        self.leaving.in_word.next = self.allowance.val();
        self.leaving.in_commit.next = true;
        self.leaving.in_rollback.next = false;
        self.leaves.next = self.leaving.out_word.val();
        self.over.next = self.leaving.out_valid.val() & self.leaves.val().closes;
        self.closed.next = self.over.val();
        self.leaving.out_ready.next = self.out_ready.val() | self.over.val();
        self.out_valid.next = self.leaving.out_valid.val() & !self.leaves.val().closes;
        self.out.next = self.leaves.val();
    }
}
