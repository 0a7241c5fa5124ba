//! `weft_sender_windows`: the newest congestion window of every connection, until the transport takes it.
//!
//! It takes an answer in every clock, so that what the transport waits for never waits for the transport: a
//! connection waits in the queue at most once, and the queue has a place for each.

use super::words::{Allowance, Newest};
use crate::part::context::Context;
use crate::part::fifo::Fifo;
use crate::prelude::*;

/// The newest congestion window of every connection, until the transport takes it. It takes an answer in every
/// clock, so that what the transport waits for never waits for the transport: a connection waits in the queue
/// at most once, and the queue has a place for each.
///
/// # Parameters
///
/// `A` bits of connection number, `B = A + 1`.
#[derive(LogicBlock)]
pub struct Windows<const A: usize, const B: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset: nobody waits.
    pub rst: Signal<In, Bit>,
    /// After reset: a connection's word is cleared.
    pub sweeping: Signal<In, Bit>,
    /// This connection's.
    pub sweep: Signal<In, Bits<A>>,
    /// An answer of an open connection.
    pub in_valid: Signal<In, Bit>,
    /// Its connection.
    pub in_id: Signal<In, Bits<A>>,
    /// The window in bytes.
    pub in_bytes: Signal<In, Bits<26>>,
    /// A window is offered.
    pub out_valid: Signal<Out, Bit>,
    /// It is taken.
    pub out_ready: Signal<In, Bit>,
    /// The window.
    pub out: Signal<Out, Allowance>,

    newest: Context<Newest, A>,
    queue: Fifo<Bits<A>, A, B>,
    leaving: Fifo<Allowance, 4, 5>,
    push: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    pop: Signal<Local, Bit>,
    s1_live: Reg<Bit>,
    s1_id: Pipe<Bits<A>>,
    s1_push: Reg<Bit>,
    s1_pop: Reg<Bit>,
    s1_bytes: Pipe<Bits<26>>,
    s2_push: Reg<Bit>,
    s3_push: Reg<Bit>,
    s4_push: Reg<Bit>,
    s2_pop: Reg<Bit>,
    s3_pop: Reg<Bit>,
    s4_pop: Reg<Bit>,
    s4_bytes: Delay<Bits<26>>,
    s4_id: Delay<Bits<A>>,
    prior: Signal<Local, Newest>,
    news: Signal<Local, Bit>,
    word: Signal<Local, Newest>,
    s5_enqueue: Reg<Bit>,
    s5_pop: Reg<Bit>,
    s5_id: Pipe<Bits<A>>,
    latest: Signal<Local, Newest>,
    allowance: Signal<Local, Allowance>,
}
impl<const A: usize, const B: usize> Default for Windows<A, B> {
    fn default() -> Self {
        Windows {
            clk: Default::default(),
            rst: Default::default(),
            sweeping: Default::default(),
            sweep: Default::default(),
            in_valid: Default::default(),
            in_id: Default::default(),
            in_bytes: Default::default(),
            out_valid: Default::default(),
            out_ready: Default::default(),
            out: Default::default(),
            newest: Default::default(),
            queue: Default::default(),
            leaving: Default::default(),
            push: Default::default(),
            room: Default::default(),
            pop: Default::default(),
            s1_live: Default::default(),
            s1_id: Default::default(),
            s1_push: Default::default(),
            s1_pop: Default::default(),
            s1_bytes: Default::default(),
            s2_push: Default::default(),
            s3_push: Default::default(),
            s4_push: Default::default(),
            s2_pop: Default::default(),
            s3_pop: Default::default(),
            s4_pop: Default::default(),
            s4_bytes: Delay::new(3),
            s4_id: Delay::new(3),
            prior: Default::default(),
            news: Default::default(),
            word: Default::default(),
            s5_enqueue: Default::default(),
            s5_pop: Default::default(),
            s5_id: Default::default(),
            latest: Default::default(),
            allowance: Default::default(),
        }
    }
}

impl<const A: usize, const B: usize> Logic for Windows<A, B> {
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 1: an answer, or else the front of the queue, if what leaves has room for all on its way.
        self.push.next = self.in_valid.val() & !self.sweeping.val();
        self.room.next = !self.leaving.level.val().get_bit(3) & !self.leaving.level.val().get_bit(4);
        self.pop.next =
            !self.in_valid.val() & !self.sweeping.val() & self.room.val() & self.queue.out_valid.val();
        self.s1_live.clk.next = self.clk.val();
        self.s1_live.rst.next = self.rst.val();
        self.s1_live.en.next = true;
        self.s1_live.d.next = self.sweeping.val() | self.push.val() | self.pop.val();
        self.s1_id.clk.next = self.clk.val();
        self.s1_id.en.next = true;
        self.s1_id.d.next = self.queue.out_word.val();
        if self.sweeping.val() {
            self.s1_id.d.next = self.sweep.val();
        } else if self.in_valid.val() {
            self.s1_id.d.next = self.in_id.val();
        }
        self.s1_push.clk.next = self.clk.val();
        self.s1_push.rst.next = self.rst.val();
        self.s1_push.en.next = true;
        self.s1_push.d.next = self.push.val();
        self.s1_pop.clk.next = self.clk.val();
        self.s1_pop.rst.next = self.rst.val();
        self.s1_pop.en.next = true;
        self.s1_pop.d.next = self.pop.val();
        self.s1_bytes.clk.next = self.clk.val();
        self.s1_bytes.en.next = true;
        self.s1_bytes.d.next = self.in_bytes.val();

        // Stages 1 to 5: the connection's word.
        self.newest.clk.next = self.clk.val();
        self.newest.rst.next = self.rst.val();
        self.newest.run.next = true;
        self.newest.in_live.next = self.s1_live.q.val();
        self.newest.in_id.next = self.s1_id.q.val();
        self.s2_push.clk.next = self.clk.val();
        self.s2_push.rst.next = self.rst.val();
        self.s2_push.en.next = true;
        self.s2_push.d.next = self.s1_push.q.val();
        self.s3_push.clk.next = self.clk.val();
        self.s3_push.rst.next = self.rst.val();
        self.s3_push.en.next = true;
        self.s3_push.d.next = self.s2_push.q.val();
        self.s4_push.clk.next = self.clk.val();
        self.s4_push.rst.next = self.rst.val();
        self.s4_push.en.next = true;
        self.s4_push.d.next = self.s3_push.q.val();
        self.s2_pop.clk.next = self.clk.val();
        self.s2_pop.rst.next = self.rst.val();
        self.s2_pop.en.next = true;
        self.s2_pop.d.next = self.s1_pop.q.val();
        self.s3_pop.clk.next = self.clk.val();
        self.s3_pop.rst.next = self.rst.val();
        self.s3_pop.en.next = true;
        self.s3_pop.d.next = self.s2_pop.q.val();
        self.s4_pop.clk.next = self.clk.val();
        self.s4_pop.rst.next = self.rst.val();
        self.s4_pop.en.next = true;
        self.s4_pop.d.next = self.s3_pop.q.val();
        self.s4_bytes.clk.next = self.clk.val();
        self.s4_bytes.en.next = true;
        self.s4_bytes.d.next = self.s1_bytes.q.val();
        self.s4_id.clk.next = self.clk.val();
        self.s4_id.en.next = true;
        self.s4_id.d.next = self.s1_id.q.val();
        self.prior.next = self.newest.prior.val();
        // A window that is as the transport knows it needs no event.
        self.news.next = self.s4_push.q.val() & (self.s4_bytes.q.val() != self.prior.val().bytes);
        self.word.next = self.prior.val();
        self.word.next.waiting = self.s4_push.q.val() & (self.prior.val().waiting | self.news.val());
        if self.s4_push.q.val() {
            self.word.next.bytes = self.s4_bytes.q.val();
        } else if !self.s4_pop.q.val() {
            self.word.next.bytes = 0.into();
        }
        self.newest.word.next = self.word.val();
        self.s5_enqueue.clk.next = self.clk.val();
        self.s5_enqueue.rst.next = self.rst.val();
        self.s5_enqueue.en.next = true;
        self.s5_enqueue.d.next = self.news.val() & !self.prior.val().waiting;
        self.s5_pop.clk.next = self.clk.val();
        self.s5_pop.rst.next = self.rst.val();
        self.s5_pop.en.next = true;
        self.s5_pop.d.next = self.s4_pop.q.val();
        self.s5_id.clk.next = self.clk.val();
        self.s5_id.en.next = true;
        self.s5_id.d.next = self.s4_id.q.val();

        // Stage 5: into the queue, or out.
        self.queue.clk.next = self.clk.val();
        self.queue.rst.next = self.rst.val();
        self.queue.in_valid.next = self.s5_enqueue.q.val();
        self.queue.in_word.next = self.s5_id.q.val();
        self.queue.in_commit.next = true;
        self.queue.in_rollback.next = false;
        self.queue.out_ready.next = self.pop.val();
        self.latest.next = self.newest.after.val();
        self.allowance.next.connection = bit_cast::<12, A>(self.s5_id.q.val());
        self.allowance.next.bytes = self.latest.val().bytes;
        self.leaving.clk.next = self.clk.val();
        self.leaving.rst.next = self.rst.val();
        self.leaving.in_valid.next = self.s5_pop.q.val();
        self.leaving.in_word.next = self.allowance.val();
        self.leaving.in_commit.next = true;
        self.leaving.in_rollback.next = false;
        self.leaving.out_ready.next = self.out_ready.val();
        self.out_valid.next = self.leaving.out_valid.val();
        self.out.next = self.leaving.out_word.val();
    }
}
