//! `weft_sender_dispatch`: the meaning of an outcome of the transport to messages, to the choice of paths and
//! to the congestion window. The block accepts one outcome per clock, for any connection pattern.

use super::billing::Billing;
use super::words::{Bill, Entry, Facts, Feedback, Gist, Listing, News, Notes, Outcome};
use crate::part::context::Context;
use crate::part::wait::Wait;
use crate::prelude::*;
use crate::word::Past;

/// Code of a post event of the transport.
const POST: u64 = 0;
/// Code of an ACK.
const ACK: u64 = 1;
/// Code of a NACK.
const NACK: u64 = 2;
/// Code of an open.
const OPEN: u64 = 4;
/// Code of a close.
const CLOSE: u64 = 5;
/// Code of a timeout.
const SEND: u64 = 6;
const TIMEOUT: u64 = 7;
/// Codes of an epoch and of a probe.
const EPOCH: u64 = 8;
const PROBE: u64 = 9;
/// The longest round-trip time.
const LONGEST: u64 = 0x7FFF;

/// The meaning of an outcome of the transport to messages, to the choice of paths and to the congestion window.
/// The block accepts one outcome per clock, for any connection pattern.
///
/// # Parameters
///
/// `A` bits of connection number, `N` of a number of packets, `C = N + 1`, `U` of `una` for egress.
#[derive(LogicBlock, BlockDefault)]
pub struct Dispatch<const A: usize, const N: usize, const C: usize, const U: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// After reset: the notes of a connection are cleared.
    pub sweeping: Signal<In, Bit>,
    /// Connection whose notes are cleared.
    pub sweep: Signal<In, Bits<A>>,
    /// The time in ticks.
    pub now: Signal<In, Bits<32>>,
    /// Ticks without a packet after which a connection counts as idle; 0: never.
    pub idle: Signal<In, Bits<32>>,
    /// The network trims: only NACKs signal congestion.
    pub trims: Signal<In, Bit>,
    /// All queues behind have space for the outcomes in the pipeline.
    pub room: Signal<In, Bit>,
    /// An outcome is offered.
    pub outcome_valid: Signal<In, Bit>,
    /// The outcome is accepted; a register.
    pub outcome_ready: Signal<Out, Bit>,
    /// The connection.
    pub outcome_id: Signal<In, Bits<A>>,
    /// Data of the outcome.
    pub outcome_data: Signal<In, Bits<152>>,
    /// Kind and flags of the outcome.
    pub outcome_user: Signal<In, Bits<15>>,
    /// The block accepts the outcome of an ACK.
    pub acked_one: Signal<Out, Bit>,
    /// Counts of that ACK's list.
    pub listing: Signal<In, Listing>,
    /// News for the messages; a register, as all that follows.
    pub entry_valid: Signal<Out, Bit>,
    /// The entry.
    pub entry: Signal<Out, Entry>,
    /// A SEND had no effect.
    pub voids: Signal<Out, Bit>,
    /// Packets of a connection need not be sent any more; a register, like the next two ports.
    pub passed_valid: Signal<Out, Bit>,
    /// The connection.
    pub passed_id: Signal<Out, Bits<A>>,
    /// The packets.
    pub passed: Signal<Out, Past<U>>,
    /// News for the choice of paths.
    pub news_valid: Signal<Out, Bit>,
    /// The report for the choice of paths.
    pub news: Signal<Out, News>,
    /// News for the congestion window.
    pub feedback_valid: Signal<Out, Bit>,
    /// The feedback for the congestion window.
    pub feedback: Signal<Out, Feedback<N>>,
    /// The facts of the outcome for the counters.
    pub facts: Signal<Out, Facts<N>>,
    /// A connection gave up, or its peer denied a packet.
    pub failed_valid: Signal<Out, Bit>,
    /// The connection.
    pub failed_id: Signal<Out, Bits<A>>,
    /// The peer denied a packet.
    pub failed_denied: Signal<Out, Bit>,

    notes: Context<Notes, A>,
    #[new(POST.to_bits())]
    post: Constant<Bits<4>>,
    #[new(ACK.to_bits())]
    ack: Constant<Bits<4>>,
    #[new(NACK.to_bits())]
    nack: Constant<Bits<4>>,
    #[new(OPEN.to_bits())]
    open: Constant<Bits<4>>,
    #[new(CLOSE.to_bits())]
    close: Constant<Bits<4>>,
    #[new(TIMEOUT.to_bits())]
    timeout: Constant<Bits<4>>,
    #[new(EPOCH.to_bits())]
    epoch: Constant<Bits<4>>,
    #[new(PROBE.to_bits())]
    probe: Constant<Bits<4>>,
    #[new(SEND.to_bits())]
    a_send: Constant<Bits<4>>,
    vain: Reg<Bit>,
    passes: Reg<Bit>,
    passed_for: Pipe<Bits<A>>,
    past: Signal<Local, Past<U>>,
    passed_word: Pipe<Past<U>>,
    ready: Reg<Bit>,
    take: Signal<Local, Bit>,
    s1_valid: Reg<Bit>,
    s1_live: Reg<Bit>,
    s1_sweep: Reg<Bit>,
    s1_id: Pipe<Bits<A>>,
    s1_data: Pipe<Bits<152>>,
    s1_user: Pipe<Bits<15>>,
    s1_listing: Pipe<Listing>,
    heard: Signal<Local, Listing>,
    s1_told: Pipe<Bits<6>>,
    s1_now: Pipe<Bits<32>>,
    kind: Signal<Local, Bits<4>>,
    accepted: Signal<Local, Bit>,
    send: Signal<Local, Bit>,
    fresh: Signal<Local, Bit>,
    failed: Signal<Local, Bit>,
    reason: Signal<Local, Bits<2>>,
    refused: Signal<Local, Bit>,
    is_close: Signal<Local, Bit>,
    closes: Signal<Local, Bit>,
    completed: Signal<Local, Bits<5>>,
    errors: Signal<Local, Bits<5>>,
    acked: Signal<Local, Bits<N>>,
    lost: Signal<Local, Bits<N>>,
    by_ack: Signal<Local, Bit>,
    judges: Signal<Local, Bit>,
    answers: Signal<Local, Bit>,
    list: Signal<Local, Listing>,
    of_ack: Signal<Local, Listing>,
    listed: Signal<Local, Bits<5>>,
    rest: Signal<Local, Bits<C>>,
    ce: Signal<Local, Bit>,
    billing: Billing<N>,
    bill: Signal<Local, Bill<N>>,
    #[new(LONGEST.to_bits())]
    longest: Constant<Bits<15>>,
    probes: Signal<Local, Bit>,
    calm: Signal<Local, Bit>,
    in_flight: Signal<Local, Bits<N>>,
    lost_told: Signal<Local, Bits<N>>,
    said: Signal<Local, Gist<N, C>>,
    outcome: Signal<Local, Outcome<N, C>>,
    s4_outcome: Wait<Outcome<N, C>>,
    late: Signal<Local, Outcome<N, C>>,
    valids: Reg<Bits<4>>,
    sweeps: Reg<Bits<3>>,
    prior: Signal<Local, Notes>,
    gist: Signal<Local, Gist<N, C>>,
    done: Signal<Local, Bits<5>>,
    known_of: Signal<Local, Bits<C>>,
    remain: Signal<Local, Bits<C>>,
    s5_known: Pipe<Bits<5>>,
    s5_short: Pipe<Bit>,
    silent: Signal<Local, Bit>,
    later: Signal<Local, Notes>,
    s5_prior: Pipe<Notes>,
    s5_gist: Pipe<Gist<N, C>>,
    s5_id: Pipe<Bits<14>>,
    s5_rests: Pipe<Bits<32>>,
    s5_now: Pipe<Bits<20>>,
    before_it: Signal<Local, Notes>,
    meant: Signal<Local, Gist<N, C>>,
    valid: Signal<Local, Bit>,
    ahead: Signal<Local, Bits<24>>,
    leaves: Signal<Local, Bit>,
    rested: Signal<Local, Bit>,
    ending: Signal<Local, Bit>,
    entry_made: Reg<Bit>,
    made: Signal<Local, Entry>,
    entry_word: Pipe<Entry>,
    closing: Signal<Local, Bit>,
    news_made: Reg<Bit>,
    told: Signal<Local, News>,
    news_word: Pipe<News>,
    feedback_made: Reg<Bit>,
    felt: Signal<Local, Feedback<N>>,
    tells: Signal<Local, Bit>,
    by_trim: Signal<Local, Bit>,
    feedback_word: Pipe<Feedback<N>>,
    after: Signal<Local, Bits<20>>,
    lost_some: Signal<Local, Bit>,
    known: Signal<Local, Facts<N>>,
    fact_word: Pipe<Facts<N>>,
    failed_made: Reg<Bit>,
    failed_for: Pipe<Bits<14>>,
    failed_by: Pipe<Bit>,
}
impl<const A: usize, const N: usize, const C: usize, const U: usize> Logic for Dispatch<A, N, C, U> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 1: an outcome, or the sweep.
        self.ready.reg = self.room.val();
        self.outcome_ready.next = self.ready.q.val();
        self.take.next = self.outcome_valid.val() & self.ready.q.val();
        self.s1_valid.reg = self.take.val();
        self.s1_live.reg = self.take.val() | self.sweeping.val();
        self.s1_sweep.reg = self.sweeping.val();
        self.s1_id.pipe = if self.sweeping.val() { self.sweep.val() } else { self.outcome_id.val() };
        self.s1_data.pipe = self.outcome_data.val();
        self.s1_user.pipe = self.outcome_user.val();
        self.s1_listing.pipe = self.listing.val();
        self.heard.next = self.listing.val();
        self.s1_told.pipe = bit_cast::<6, 5>(self.heard.val().listed) + 1;
        self.acked_one.next = self.take.val()
            & (self.outcome_user.val().get_bits::<3>(0) == 1)
            & !self.outcome_user.val().get_bit(11);
        self.s1_now.pipe = self.now.val();

        // Stage 1: the meaning of its bits. A message is completed by an ACK or ended by another outcome, never both.
        self.kind.next = bit_cast::<4, 3>(self.s1_user.q.val().get_bits::<3>(0))
            | (bit_cast::<4, 1>(self.s1_user.q.val().get_bit(11).into()) << 3);
        self.accepted.next = self.s1_user.q.val().get_bit(3);
        self.send.next = self.s1_user.q.val().get_bit(4);
        self.fresh.next = self.s1_user.q.val().get_bit(5);
        self.failed.next = self.s1_user.q.val().get_bit(7);
        self.reason.next = self.s1_user.q.val().get_bits::<2>(8);
        self.refused.next =
            (self.kind.val() == self.post.val()) & (!self.accepted.val() | self.reason.val().all());
        self.completed.next = self.s1_data.q.val().get_bits::<5>(56);
        self.errors.next = self.s1_data.q.val().get_bits::<5>(72);
        self.acked.next = self.s1_data.q.val().get_bits::<N>(24);
        self.lost.next = self.s1_data.q.val().get_bits::<N>(40);
        self.said.next.send = self.send.val();
        self.said.next.fresh = self.send.val() & self.fresh.val();
        self.said.next.finish = self.send.val() & self.fresh.val() & self.s1_user.q.val().get_bit(6);
        self.said.next.told = self.accepted.val() & !self.send.val();
        self.said.next.opening = self.accepted.val() & (self.kind.val() == self.open.val());
        self.ce.next = self.s1_data.q.val().get_bit(151);
        // A close is reported for any connection, because the parts behind have to finish it.
        self.is_close.next = self.kind.val() == self.close.val();
        self.closes.next = self.is_close.val() & !self.ce.val();
        self.said.next.closes = self.closes.val();
        // A failure at this end has a tag that says so.
        self.said.next.here = self.is_close.val() & self.ce.val();
        self.said.next.broken = self.s1_data.q.val().get_bit(150);
        self.said.next.ended = self.closes.val()
            | (self.accepted.val()
                & ((self.kind.val() == self.open.val()) | self.is_close.val() | self.failed.val()));
        self.said.next.unanswered = self.failed.val() & (self.kind.val() == self.timeout.val());
        self.said.next.denied = self.failed.val() & (self.kind.val() == self.nack.val());
        self.said.next.refused = self.refused.val();
        self.by_ack.next = self.kind.val() == self.ack.val();
        self.answers.next = self.accepted.val() & self.by_ack.val() & (self.reason.val() != 1);
        self.said.next.answer = self.answers.val();
        // The list of an ACK, and the entries that may be reported.
        self.list.next = self.s1_listing.q.val();
        self.of_ack.next.listed = if self.by_ack.val() { self.list.val().listed } else { 0.into() };
        self.of_ack.next.marked = if self.by_ack.val() { self.list.val().marked } else { 0.into() };
        self.listed.next = if self.answers.val() { self.list.val().listed } else { 0.into() };
        self.rest.next = bit_cast::<C, N>(self.acked.val()) - bit_cast::<C, 5>(self.listed.val());
        self.said.next.listed = self.of_ack.val().listed;
        self.billing.clk.next = self.clk.val();
        self.billing.acked.next = self.acked.val();
        self.billing.told.next = self.s1_told.q.val();
        self.billing.lists.next = self.by_ack.val();
        self.billing.marks.next = self.of_ack.val().marked + bit_cast::<5, 1>(self.ce.val().into());
        // A timer that expires and loses no packet is ignored.
        self.said.next.expired = self.accepted.val()
            & (self.kind.val() == self.timeout.val())
            & !self.failed.val()
            & self.lost.val().any();
        self.said.next.nacked = self.kind.val() == self.nack.val();
        self.said.next.acks = self.acked.val().any();
        self.said.next.loses = self.lost.val().any() & !self.failed.val();
        // A verdict, of an ACK or of an epoch, is congestion only where no switch trims; a probe never is.
        self.probes.next = self.kind.val() == self.probe.val();
        self.said.next.probed = self.probes.val();
        self.judges.next = self.by_ack.val() | (self.kind.val() == self.epoch.val());
        self.calm.next =
            self.probes.val() | (self.judges.val() & (self.trims.val() | !self.s1_user.q.val().get_bit(12)));
        self.said.next.silent = self.calm.val();
        self.said.next.fails = self.s1_user.q.val().get_bit(13);
        self.said.next.turn = self.kind.val() == self.a_send.val();
        self.said.next.count =
            if self.refused.val() { 1.into() } else { self.completed.val() | self.errors.val() };
        self.said.next.psn = self.s1_data.q.val().get_bits::<24>(0);
        wire!(self.said.next.* <- self.*: acked, lost, rest, ce);
        self.in_flight.next = self.s1_data.q.val().get_bits::<N>(104);
        self.said.next.in_flight = self.in_flight.val();
        self.lost_told.next = if self.calm.val() { 0.into() } else { self.lost.val() };
        self.said.next.before = self.in_flight.val() + self.lost_told.val();
        self.said.next.ev = self.s1_data.q.val().get_bits::<16>(120);
        // An unsure round-trip time is replaced by the longest.
        self.said.next.rtt = self.s1_data.q.val().get_bits::<15>(136);
        if self.s1_user.q.val().get_bit(14) {
            self.said.next.rtt = self.longest.val();
        }
        self.outcome.next.gist = self.said.val();
        self.outcome.next.connection = bit_cast::<14, A>(self.s1_id.q.val());
        self.outcome.next.now = self.s1_now.q.val();
        wire!(self.s4_outcome.* <- self.*: clk, rst);
        self.s4_outcome.en.next = true;
        self.s4_outcome.clocks.next = 3.into();
        self.s4_outcome.word.next = self.outcome.val();
        // Bit i: an outcome is in stage i + 2.
        self.valids.reg = (self.valids.q.val() << 1) | bit_cast::<4, 1>(self.s1_valid.q.val().into());
        self.sweeps.reg = (self.sweeps.q.val() << 1) | bit_cast::<3, 1>(self.s1_sweep.q.val().into());

        // Stage 4: the connection's notes.
        wire!(self.notes.* <- self.*: clk, rst);
        self.notes.next_run.next = true;
        self.notes.in_live.next = self.s1_live.q.val();
        self.notes.in_id.next = self.s1_id.q.val();
        self.prior.next = self.notes.prior.val();
        self.late.next = self.s4_outcome.late.val();
        self.gist.next = self.late.val().gist;
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
            self.later.next.active = self.late.val().now;
        }
        if self.gist.val().ended | self.gist.val().refused {
            self.later.next.cursor = self.done.val().get_bits::<4>(0);
            self.later.next.middle = false;
        }
        // A timeout is suspect until a packet is acknowledged.
        if self.gist.val().expired {
            self.later.next.suspect = true;
            self.later.next.expired = self.late.val().now.get_bits::<20>(0);
        }
        if self.gist.val().acks | self.gist.val().ended {
            self.later.next.suspect = false;
        }
        // Packets acknowledged that were in none of the lists, 255 at most, less those that are reported now.
        self.known_of.next =
            bit_cast::<C, 8>(self.prior.val().untold) + bit_cast::<C, N>(self.gist.val().acked);
        self.remain.next = bit_cast::<C, 8>(self.prior.val().untold) + self.gist.val().rest;
        for sign in N..C {
            self.later.next.untold = if self.known_of.val().get_bit(8) {
                255 - bit_cast::<8, C>(bit_cast::<C, N>(self.gist.val().acked) - self.gist.val().rest)
            } else if self.remain.val().get_bit(sign) {
                0.into()
            } else {
                self.remain.val().get_bits::<8>(0)
            };
        }
        for b in 9..N {
            if self.known_of.val().get_bit(b) {
                self.later.next.untold =
                    255 - bit_cast::<8, C>(bit_cast::<C, N>(self.gist.val().acked) - self.gist.val().rest);
            }
        }
        if self.gist.val().opening {
            self.later.next.class = self.gist.val().rtt.get_bits::<2>(0);
            self.later.next.message = 0.into();
            self.later.next.active = self.late.val().now;
            self.later.next.untold = 0.into();
        }
        if self.sweeps.q.val().get_bit(2) {
            self.later.next.class = 0.into();
            self.later.next.done = 0.into();
            self.later.next.cursor = 0.into();
            self.later.next.message = 0.into();
            self.later.next.middle = false;
            self.later.next.una = 0.into();
            self.later.next.active = 0.into();
            self.later.next.suspect = false;
            self.later.next.expired = 0.into();
            self.later.next.untold = 0.into();
        }
        self.notes.word.next = self.later.val();
        self.s5_prior.pipe = self.prior.val();
        self.s5_gist.pipe = self.gist.val();
        self.s5_known.pipe = self.known_of.val().get_bits::<5>(0);
        for sign in N..C {
            self.s5_short.pipe = self.remain.val().get_bit(sign);
        }
        self.s5_id.pipe = self.late.val().connection;
        self.s5_rests.pipe = self.late.val().now - self.prior.val().active;
        self.s5_now.pipe = self.late.val().now.get_bits::<20>(0);

        // Stage 5: a packet that was acknowledged before its turn came is not sent.
        self.before_it.next = self.s5_prior.q.val();
        self.meant.next = self.s5_gist.q.val();
        self.valid.next = self.valids.q.val().get_bit(3);
        self.ahead.next = self.meant.val().psn - self.before_it.val().una;
        self.leaves.next = self.meant.val().send & !self.ahead.val().get_bit(23);
        self.rested.next = self.s5_rests.q.val() >= self.idle.val();

        // News for the messages.
        self.ending.next = self.meant.val().count.any() | self.meant.val().closes;
        self.entry_made.reg = self.valid.val() & (self.leaves.val() | self.ending.val());
        self.made.next.connection = self.s5_id.q.val();
        self.made.next.send = self.leaves.val();
        self.made.next.again = !self.meant.val().fresh;
        self.made.next.first = self.meant.val().fresh & !self.before_it.val().middle;
        self.made.next.psn = self.meant.val().psn;
        self.made.next.slot = self.before_it.val().cursor;
        self.made.next.message = self.before_it.val().message;
        self.made.next.count = self.meant.val().count;
        self.made.next.done = self.before_it.val().done;
        self.made.next.status = bit_cast::<3, 1>((self.meant.val().ended & !self.meant.val().here).into())
            | (bit_cast::<3, 1>(
                (self.meant.val().refused
                    | self.meant.val().unanswered
                    | (self.meant.val().here & self.meant.val().broken))
                    .into(),
            ) << 1)
            | (bit_cast::<3, 1>((self.meant.val().denied | self.meant.val().here).into()) << 2);
        self.made.next.closes = self.meant.val().closes;
        self.vain.reg = self.valid.val() & self.meant.val().turn & !self.leaves.val();
        self.voids.next = self.vain.q.val();
        self.entry_word.pipe = self.made.val();
        self.entry_valid.next = self.entry_made.q.val();
        self.passes.reg = self.valid.val() & (self.meant.val().told | self.meant.val().ended);
        self.passed_for.pipe = bit_cast::<A, 14>(self.s5_id.q.val());
        self.past.next.una = self.meant.val().psn.get_bits::<U>(0);
        self.past.next.ended = self.meant.val().ended & !self.meant.val().opening;
        self.passed_word.pipe = self.past.val();
        self.passed_valid.next = self.passes.q.val();
        self.passed_id.next = self.passed_for.q.val();
        self.passed.next = self.passed_word.q.val();
        self.entry.next = self.entry_word.q.val();

        // News for the choice of paths: SEND, ACK, TIMEOUT, OPEN, CLOSE are 0, 1, 2, 5, 6.
        self.closing.next = self.meant.val().ended & !self.meant.val().opening;
        self.silent.next = !self.meant.val().answer & self.meant.val().listed.any();
        self.news_made.reg = self.valid.val()
            & (self.leaves.val()
                | self.meant.val().answer
                | self.silent.val()
                | self.meant.val().expired
                | self.meant.val().ended);
        self.told.next.connection = self.s5_id.q.val();
        self.told.next.idle = self.leaves.val() & self.idle.val().any() & self.rested.val();
        self.told.next.fails = self.meant.val().answer & self.meant.val().fails & !self.leaves.val();
        self.told.next.silent = self.silent.val();
        self.told.next.listed = self.meant.val().listed;
        self.told.next.told = if !self.meant.val().answer {
            0.into()
        } else if self.s5_short.q.val() {
            self.s5_known.q.val()
        } else {
            self.meant.val().listed
        };
        self.told.next.kind =
            bit_cast::<3, 1>((self.meant.val().answer | self.silent.val() | self.meant.val().opening).into())
                | (bit_cast::<3, 1>((self.meant.val().expired | self.closing.val()).into()) << 1)
                | (bit_cast::<3, 1>(self.meant.val().ended.into()) << 2);
        self.told.next.ev = self.meant.val().ev;
        self.told.next.rtt = if self.meant.val().opening { 0.into() } else { self.meant.val().rtt };
        self.told.next.ce = self.meant.val().ce;
        self.news_word.pipe = self.told.val();
        self.news_valid.next = self.news_made.q.val();
        self.news.next = self.news_word.q.val();

        // News for the congestion window: TRIM, TIMEOUT, OPEN, CLOSE are 1, 2, 3, 4.
        self.tells.next = self.meant.val().loses & !self.meant.val().silent;
        self.feedback_made.reg =
            self.valid.val() & (self.meant.val().acks | self.tells.val() | self.meant.val().ended);
        self.felt.next.connection = self.s5_id.q.val();
        self.felt.next.other = self.tells.val() | self.meant.val().ended;
        self.by_trim.next = !self.meant.val().ended & !self.meant.val().expired;
        self.felt.next.kind = bit_cast::<3, 1>((self.by_trim.val() | self.meant.val().opening).into())
            | (bit_cast::<3, 1>((self.meant.val().expired | self.meant.val().opening).into()) << 1)
            | (bit_cast::<3, 1>(self.closing.val().into()) << 2);
        self.felt.next.ce = self.meant.val().ce;
        self.felt.next.class = if self.meant.val().opening {
            self.meant.val().rtt.get_bits::<2>(0)
        } else {
            self.before_it.val().class
        };
        wire!(self.felt.next.* <- self.meant.val().*: rtt, lost, in_flight, before);
        self.bill.next = self.billing.bill.val();
        wire!(self.felt.next.* <- self.bill.val().*: unmarked, marked);
        self.feedback_word.pipe = self.felt.val();
        self.feedback_valid.next = self.feedback_made.q.val();
        self.feedback.next = self.feedback_word.q.val();

        // News for the counters. An ACK acknowledges a packet that left before the last timeout: the packet
        // was only late, so the timeout was spurious.
        self.after.next = self.s5_now.q.val() - self.before_it.val().expired;
        self.lost_some.next = self.valid.val() & self.meant.val().loses;
        self.known.next.by_timeout = self.lost_some.val() & self.meant.val().expired;
        self.known.next.by_nack = self.lost_some.val() & self.meant.val().nacked;
        self.known.next.by_probe = self.lost_some.val() & self.meant.val().probed;
        self.known.next.by_verdict = self.lost_some.val()
            & !self.meant.val().expired
            & !self.meant.val().nacked
            & !self.meant.val().probed;
        self.known.next.lost = self.meant.val().lost;
        self.known.next.spurious = self.valid.val()
            & self.meant.val().acks
            & self.before_it.val().suspect
            & (self.after.val() < bit_cast::<20, 15>(self.meant.val().rtt));
        self.known.next.unanswered = self.valid.val() & self.meant.val().unanswered;
        self.known.next.denied = self.valid.val() & self.meant.val().denied;
        self.known.next.answer = self.valid.val() & self.meant.val().answer;
        wire!(self.known.next.* <- self.meant.val().*: rtt, ce);
        self.fact_word.pipe = self.known.val();
        self.facts.next = self.fact_word.q.val();
        self.failed_made.reg = self.valid.val() & (self.meant.val().unanswered | self.meant.val().denied);
        self.failed_for.pipe = self.s5_id.q.val();
        self.failed_by.pipe = self.meant.val().denied;
        self.failed_valid.next = self.failed_made.q.val();
        self.failed_id.next = self.failed_for.q.val().get_bits::<A>(0);
        self.failed_denied.next = self.failed_by.q.val();
    }
}
