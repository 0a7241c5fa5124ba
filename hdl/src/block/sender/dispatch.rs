//! `weft_sender_dispatch`: what an outcome of the transport means to messages, to the choice of paths and to the
//! congestion window. One per clock, for any connection pattern.

use super::words::{Entry, Feedback, Gist, News, Notes};
use crate::part::context::Context;
use crate::prelude::*;

/// Code of a post event of the transport.
const POST: u64 = 0;
/// Code of an ACK.
const ACK: u64 = 1;
/// Code of an open.
const OPEN: u64 = 4;
/// Code of a close.
const CLOSE: u64 = 5;
/// Code of a timeout.
const TIMEOUT: u64 = 7;

/// What an outcome of the transport means to messages, to the choice of paths and to the congestion window. One
/// per clock, for any connection pattern.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock)]
pub struct Dispatch<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// After reset: a connection's notes are cleared.
    pub sweeping: Signal<In, Bit>,
    /// This connection's.
    pub sweep: Signal<In, Bits<A>>,
    /// The time in ticks.
    pub now: Signal<In, Bits<32>>,
    /// Ticks without a packet after which a connection was idle; 0: never.
    pub idle: Signal<In, Bits<32>>,
    /// All that follows has room for what is in the pipeline.
    pub room: Signal<In, Bit>,
    /// An outcome is offered.
    pub outcome_valid: Signal<In, Bit>,
    /// It is taken; a register.
    pub outcome_ready: Signal<Out, Bit>,
    /// Its connection.
    pub outcome_id: Signal<In, Bits<A>>,
    /// Its data.
    pub outcome_data: Signal<In, Bits<152>>,
    /// Its kind and flags.
    pub outcome_user: Signal<In, Bits<11>>,
    /// News for the messages; a register, as all that follows.
    pub entry_valid: Signal<Out, Bit>,
    /// These.
    pub entry: Signal<Out, Entry>,
    /// News for the choice of paths.
    pub news_valid: Signal<Out, Bit>,
    /// These.
    pub news: Signal<Out, News>,
    /// News for the congestion window.
    pub feedback_valid: Signal<Out, Bit>,
    /// These.
    pub feedback: Signal<Out, Feedback>,

    notes: Context<Notes, A>,
    post: Constant<Bits<3>>,
    ack: Constant<Bits<3>>,
    open: Constant<Bits<3>>,
    close: Constant<Bits<3>>,
    timeout: Constant<Bits<3>>,
    ready: Reg<Bit>,
    take: Signal<Local, Bit>,
    s1_valid: Reg<Bit>,
    s1_live: Reg<Bit>,
    s1_sweep: Reg<Bit>,
    s1_id: Pipe<Bits<A>>,
    s1_data: Pipe<Bits<152>>,
    s1_user: Pipe<Bits<11>>,
    s1_now: Pipe<Bits<32>>,
    s1_horizon: Pipe<Bits<32>>,
    kind: Signal<Local, Bits<3>>,
    accepted: Signal<Local, Bit>,
    send: Signal<Local, Bit>,
    fresh: Signal<Local, Bit>,
    failed: Signal<Local, Bit>,
    reason: Signal<Local, Bits<2>>,
    refused: Signal<Local, Bit>,
    completed: Signal<Local, Bits<5>>,
    errors: Signal<Local, Bits<5>>,
    acked: Signal<Local, Bits<9>>,
    lost: Signal<Local, Bits<9>>,
    said: Signal<Local, Gist>,
    s4_gist: Delay<Gist>,
    s4_id: Delay<Bits<A>>,
    s4_now: Delay<Bits<32>>,
    s4_horizon: Delay<Bits<32>>,
    valids: Reg<Bits<4>>,
    sweeps: Reg<Bits<3>>,
    prior: Signal<Local, Notes>,
    gist: Signal<Local, Gist>,
    done: Signal<Local, Bits<5>>,
    later: Signal<Local, Notes>,
    s5_prior: Pipe<Notes>,
    s5_gist: Pipe<Gist>,
    s5_id: Pipe<Bits<A>>,
    s5_horizon: Pipe<Bits<32>>,
    before_it: Signal<Local, Notes>,
    meant: Signal<Local, Gist>,
    valid: Signal<Local, Bit>,
    ahead: Signal<Local, Bits<24>>,
    leaves: Signal<Local, Bit>,
    since: Signal<Local, Bits<32>>,
    ending: Signal<Local, Bit>,
    entry_made: Reg<Bit>,
    made: Signal<Local, Entry>,
    entry_word: Pipe<Entry>,
    closing: Signal<Local, Bit>,
    news_made: Reg<Bit>,
    told: Signal<Local, News>,
    news_word: Pipe<News>,
    feedback_made: Reg<Bit>,
    felt: Signal<Local, Feedback>,
    by_trim: Signal<Local, Bit>,
    feedback_word: Pipe<Feedback>,
}
impl<const A: usize> Default for Dispatch<A> {
    fn default() -> Self {
        Dispatch {
            clk: Default::default(),
            rst: Default::default(),
            sweeping: Default::default(),
            sweep: Default::default(),
            now: Default::default(),
            idle: Default::default(),
            room: Default::default(),
            outcome_valid: Default::default(),
            outcome_ready: Default::default(),
            outcome_id: Default::default(),
            outcome_data: Default::default(),
            outcome_user: Default::default(),
            entry_valid: Default::default(),
            entry: Default::default(),
            news_valid: Default::default(),
            news: Default::default(),
            feedback_valid: Default::default(),
            feedback: Default::default(),
            notes: Default::default(),
            post: Constant::new(POST.to_bits()),
            ack: Constant::new(ACK.to_bits()),
            open: Constant::new(OPEN.to_bits()),
            close: Constant::new(CLOSE.to_bits()),
            timeout: Constant::new(TIMEOUT.to_bits()),
            ready: Default::default(),
            take: Default::default(),
            s1_valid: Default::default(),
            s1_live: Default::default(),
            s1_sweep: Default::default(),
            s1_id: Default::default(),
            s1_data: Default::default(),
            s1_user: Default::default(),
            s1_now: Default::default(),
            s1_horizon: Default::default(),
            kind: Default::default(),
            accepted: Default::default(),
            send: Default::default(),
            fresh: Default::default(),
            failed: Default::default(),
            reason: Default::default(),
            refused: Default::default(),
            completed: Default::default(),
            errors: Default::default(),
            acked: Default::default(),
            lost: Default::default(),
            said: Default::default(),
            s4_gist: Delay::new(3),
            s4_id: Delay::new(3),
            s4_now: Delay::new(3),
            s4_horizon: Delay::new(3),
            valids: Default::default(),
            sweeps: Default::default(),
            prior: Default::default(),
            gist: Default::default(),
            done: Default::default(),
            later: Default::default(),
            s5_prior: Default::default(),
            s5_gist: Default::default(),
            s5_id: Default::default(),
            s5_horizon: Default::default(),
            before_it: Default::default(),
            meant: Default::default(),
            valid: Default::default(),
            ahead: Default::default(),
            leaves: Default::default(),
            since: Default::default(),
            ending: Default::default(),
            entry_made: Default::default(),
            made: Default::default(),
            entry_word: Default::default(),
            closing: Default::default(),
            news_made: Default::default(),
            told: Default::default(),
            news_word: Default::default(),
            feedback_made: Default::default(),
            felt: Default::default(),
            by_trim: Default::default(),
            feedback_word: Default::default(),
        }
    }
}

impl<const A: usize> Logic for Dispatch<A> {
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 1: an outcome, or the sweep.
        self.ready.clk.next = self.clk.val();
        self.ready.rst.next = self.rst.val();
        self.ready.en.next = true;
        self.ready.d.next = self.room.val();
        self.outcome_ready.next = self.ready.q.val();
        self.take.next = self.outcome_valid.val() & self.ready.q.val();
        self.s1_valid.clk.next = self.clk.val();
        self.s1_valid.rst.next = self.rst.val();
        self.s1_valid.en.next = true;
        self.s1_valid.d.next = self.take.val();
        self.s1_live.clk.next = self.clk.val();
        self.s1_live.rst.next = self.rst.val();
        self.s1_live.en.next = true;
        self.s1_live.d.next = self.take.val() | self.sweeping.val();
        self.s1_sweep.clk.next = self.clk.val();
        self.s1_sweep.rst.next = self.rst.val();
        self.s1_sweep.en.next = true;
        self.s1_sweep.d.next = self.sweeping.val();
        self.s1_id.clk.next = self.clk.val();
        self.s1_id.en.next = true;
        self.s1_id.d.next = self.outcome_id.val();
        if self.sweeping.val() {
            self.s1_id.d.next = self.sweep.val();
        }
        self.s1_data.clk.next = self.clk.val();
        self.s1_data.en.next = true;
        self.s1_data.d.next = self.outcome_data.val();
        self.s1_user.clk.next = self.clk.val();
        self.s1_user.en.next = true;
        self.s1_user.d.next = self.outcome_user.val();
        self.s1_now.clk.next = self.clk.val();
        self.s1_now.en.next = true;
        self.s1_now.d.next = self.now.val();
        self.s1_horizon.clk.next = self.clk.val();
        self.s1_horizon.en.next = true;
        self.s1_horizon.d.next = self.now.val() - self.idle.val();

        // Stage 1: what its bits say. A message is completed by an ACK, ended by others, never both at once.
        self.kind.next = self.s1_user.q.val().get_bits::<3>(0);
        self.accepted.next = self.s1_user.q.val().get_bit(3);
        self.send.next = self.s1_user.q.val().get_bit(4);
        self.fresh.next = self.s1_user.q.val().get_bit(5);
        self.failed.next = self.s1_user.q.val().get_bit(7);
        self.reason.next = self.s1_user.q.val().get_bits::<2>(8);
        self.refused.next =
            (self.kind.val() == self.post.val()) & (!self.accepted.val() | self.reason.val().all());
        self.completed.next = self.s1_data.q.val().get_bits::<5>(56);
        self.errors.next = self.s1_data.q.val().get_bits::<5>(72);
        self.acked.next = self.s1_data.q.val().get_bits::<9>(24);
        self.lost.next = self.s1_data.q.val().get_bits::<9>(40);
        self.said.next.send = self.send.val();
        self.said.next.fresh = self.send.val() & self.fresh.val();
        self.said.next.finish = self.send.val() & self.fresh.val() & self.s1_user.q.val().get_bit(6);
        self.said.next.told = self.accepted.val() & !self.send.val();
        self.said.next.opening = self.accepted.val() & (self.kind.val() == self.open.val());
        self.said.next.ended = self.accepted.val()
            & ((self.kind.val() == self.open.val())
                | (self.kind.val() == self.close.val())
                | self.failed.val());
        self.said.next.refused = self.refused.val();
        self.said.next.answer =
            self.accepted.val() & (self.kind.val() == self.ack.val()) & (self.reason.val() != 1);
        self.said.next.expired =
            self.accepted.val() & (self.kind.val() == self.timeout.val()) & !self.failed.val();
        self.said.next.acks = self.acked.val().any();
        self.said.next.loses = self.lost.val().any() & !self.failed.val();
        self.said.next.count = self.completed.val() | self.errors.val();
        if self.refused.val() {
            self.said.next.count = 1.into();
        }
        self.said.next.psn = self.s1_data.q.val().get_bits::<24>(0);
        self.said.next.acked = self.acked.val();
        self.said.next.lost = self.lost.val();
        self.said.next.unacked = self.s1_data.q.val().get_bits::<9>(88);
        self.said.next.ev = self.s1_data.q.val().get_bits::<16>(120);
        self.said.next.rtt = self.s1_data.q.val().get_bits::<15>(136);
        self.said.next.ce = self.s1_data.q.val().get_bit(151);
        self.s4_gist.clk.next = self.clk.val();
        self.s4_gist.en.next = true;
        self.s4_gist.d.next = self.said.val();
        self.s4_id.clk.next = self.clk.val();
        self.s4_id.en.next = true;
        self.s4_id.d.next = self.s1_id.q.val();
        self.s4_now.clk.next = self.clk.val();
        self.s4_now.en.next = true;
        self.s4_now.d.next = self.s1_now.q.val();
        self.s4_horizon.clk.next = self.clk.val();
        self.s4_horizon.en.next = true;
        self.s4_horizon.d.next = self.s1_horizon.q.val();
        // Bit i: an outcome is in stage i + 2.
        self.valids.clk.next = self.clk.val();
        self.valids.rst.next = self.rst.val();
        self.valids.en.next = true;
        self.valids.d.next = (self.valids.q.val() << 1) | bit_cast::<4, 1>(self.s1_valid.q.val().into());
        self.sweeps.clk.next = self.clk.val();
        self.sweeps.rst.next = self.rst.val();
        self.sweeps.en.next = true;
        self.sweeps.d.next = (self.sweeps.q.val() << 1) | bit_cast::<3, 1>(self.s1_sweep.q.val().into());

        // Stage 4: the connection's notes.
        self.notes.clk.next = self.clk.val();
        self.notes.rst.next = self.rst.val();
        self.notes.run.next = true;
        self.notes.in_live.next = self.s1_live.q.val();
        self.notes.in_id.next = self.s1_id.q.val();
        self.prior.next = self.notes.prior.val();
        self.gist.next = self.s4_gist.q.val();
        self.done.next = self.prior.val().done + self.gist.val().count;
        self.later.next = self.prior.val();
        self.later.next.done = self.done.val();
        if self.gist.val().finish {
            self.later.next.cursor = self.prior.val().cursor + 1;
            self.later.next.message = self.prior.val().message + 1;
        }
        if self.gist.val().fresh {
            self.later.next.middle = !self.gist.val().finish;
        }
        if self.gist.val().told {
            self.later.next.una = self.gist.val().psn;
        }
        if self.gist.val().send {
            self.later.next.active = self.s4_now.q.val();
        }
        if self.gist.val().ended | self.gist.val().refused {
            self.later.next.cursor = self.done.val().get_bits::<4>(0);
            self.later.next.middle = false;
        }
        if self.gist.val().opening {
            self.later.next.class = self.gist.val().rtt.get_bits::<2>(0);
            self.later.next.message = 0.into();
            self.later.next.active = self.s4_now.q.val();
        }
        if self.sweeps.q.val().get_bit(2) {
            self.later.next.class = 0.into();
            self.later.next.done = 0.into();
            self.later.next.cursor = 0.into();
            self.later.next.message = 0.into();
            self.later.next.middle = false;
            self.later.next.una = 0.into();
            self.later.next.active = 0.into();
        }
        self.notes.word.next = self.later.val();
        self.s5_prior.clk.next = self.clk.val();
        self.s5_prior.en.next = true;
        self.s5_prior.d.next = self.prior.val();
        self.s5_gist.clk.next = self.clk.val();
        self.s5_gist.en.next = true;
        self.s5_gist.d.next = self.gist.val();
        self.s5_id.clk.next = self.clk.val();
        self.s5_id.en.next = true;
        self.s5_id.d.next = self.s4_id.q.val();
        self.s5_horizon.clk.next = self.clk.val();
        self.s5_horizon.en.next = true;
        self.s5_horizon.d.next = self.s4_horizon.q.val();

        // Stage 5: a packet that was acknowledged while its turn came is not sent.
        self.before_it.next = self.s5_prior.q.val();
        self.meant.next = self.s5_gist.q.val();
        self.valid.next = self.valids.q.val().get_bit(3);
        self.ahead.next = self.meant.val().psn - self.before_it.val().una;
        self.leaves.next = self.meant.val().send & !self.ahead.val().get_bit(23);
        self.since.next = self.s5_horizon.q.val() - self.before_it.val().active;

        // To the messages.
        self.ending.next = self.meant.val().count.any();
        self.entry_made.clk.next = self.clk.val();
        self.entry_made.rst.next = self.rst.val();
        self.entry_made.en.next = true;
        self.entry_made.d.next = self.valid.val() & (self.leaves.val() | self.ending.val());
        self.made.next.connection = bit_cast::<12, A>(self.s5_id.q.val());
        self.made.next.send = self.leaves.val();
        self.made.next.again = !self.meant.val().fresh;
        self.made.next.first = self.meant.val().fresh & !self.before_it.val().middle;
        self.made.next.psn = self.meant.val().psn;
        self.made.next.slot = self.before_it.val().cursor;
        self.made.next.message = self.before_it.val().message;
        self.made.next.count = self.meant.val().count;
        self.made.next.done = self.before_it.val().done;
        self.made.next.status = bit_cast::<2, 1>(self.meant.val().ended.into())
            | (bit_cast::<2, 1>(self.meant.val().refused.into()) << 1);
        self.entry_word.clk.next = self.clk.val();
        self.entry_word.en.next = true;
        self.entry_word.d.next = self.made.val();
        self.entry_valid.next = self.entry_made.q.val();
        self.entry.next = self.entry_word.q.val();

        // To the choice of paths: SEND, ACK, TIMEOUT, OPEN, CLOSE are 0, 1, 2, 5, 6.
        self.closing.next = self.meant.val().ended & !self.meant.val().opening;
        self.news_made.clk.next = self.clk.val();
        self.news_made.rst.next = self.rst.val();
        self.news_made.en.next = true;
        self.news_made.d.next = self.valid.val()
            & (self.leaves.val()
                | self.meant.val().answer
                | self.meant.val().expired
                | self.meant.val().ended);
        self.told.next.connection = bit_cast::<12, A>(self.s5_id.q.val());
        self.told.next.idle = self.leaves.val() & self.idle.val().any() & !self.since.val().get_bit(31);
        self.told.next.kind = bit_cast::<3, 1>((self.meant.val().answer | self.meant.val().opening).into())
            | (bit_cast::<3, 1>((self.meant.val().expired | self.closing.val()).into()) << 1)
            | (bit_cast::<3, 1>(self.meant.val().ended.into()) << 2);
        self.told.next.ev = self.meant.val().ev;
        self.told.next.rtt = self.meant.val().rtt;
        if self.meant.val().opening {
            self.told.next.rtt = 0.into();
        }
        self.told.next.ce = self.meant.val().ce;
        self.news_word.clk.next = self.clk.val();
        self.news_word.en.next = true;
        self.news_word.d.next = self.told.val();
        self.news_valid.next = self.news_made.q.val();
        self.news.next = self.news_word.q.val();

        // To the congestion window: TRIM, TIMEOUT, OPEN, CLOSE are 1, 2, 3, 4.
        self.feedback_made.clk.next = self.clk.val();
        self.feedback_made.rst.next = self.rst.val();
        self.feedback_made.en.next = true;
        self.feedback_made.d.next =
            self.valid.val() & (self.meant.val().acks | self.meant.val().loses | self.meant.val().ended);
        self.felt.next.connection = bit_cast::<12, A>(self.s5_id.q.val());
        self.felt.next.ack = self.meant.val().acks;
        self.felt.next.other = self.meant.val().loses | self.meant.val().ended;
        self.by_trim.next = !self.meant.val().ended & !self.meant.val().expired;
        self.felt.next.kind = bit_cast::<3, 1>((self.by_trim.val() | self.meant.val().opening).into())
            | (bit_cast::<3, 1>((self.meant.val().expired | self.meant.val().opening).into()) << 1)
            | (bit_cast::<3, 1>(self.closing.val().into()) << 2);
        self.felt.next.ce = self.meant.val().ce;
        self.felt.next.class = self.before_it.val().class;
        if self.meant.val().opening {
            self.felt.next.class = self.meant.val().rtt.get_bits::<2>(0);
        }
        self.felt.next.rtt = self.meant.val().rtt;
        self.felt.next.acked = self.meant.val().acked;
        self.felt.next.lost = self.meant.val().lost;
        self.felt.next.unacked = self.meant.val().unacked;
        self.feedback_word.clk.next = self.clk.val();
        self.feedback_word.en.next = true;
        self.feedback_word.d.next = self.felt.val();
        self.feedback_valid.next = self.feedback_made.q.val();
        self.feedback.next = self.feedback_word.q.val();
    }
}
