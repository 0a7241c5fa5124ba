//! `weft_sack_tx_finish`: stages 20 to 30, messages that an event completed, or ended unfinished.

use super::words::{Account, Ends, Flow, Group, Left, Seen, Settled, Tally};
use crate::part::context::Context;
use crate::part::ring::compressor::Compressor;
use crate::part::wait::Wait;
use crate::prelude::*;

/// Stages 20 to 30: messages that an event completed, or ended unfinished. A connection's PSNs are in 16
/// groups of 32 from its first PSN on. This is twice the window, so a group is not written again while una is
/// in it. Each group is stored with the number of messages that end before it. The block counts the messages
/// that end in the group before una.
///
/// # Parameters
///
/// `A` bits of connection number, `M = A + H` of a group's place; `N` bits of a number of packets, `O = N + 1`,
/// `H = N - 5`, `E` = 1 for windows above 256 PSNs, else 0.
#[derive(LogicBlock, BlockDefault)]
pub struct Finish<
    const A: usize,
    const M: usize,
    const N: usize = 9,
    const O: usize = 10,
    const H: usize = 4,
    const E: usize = 0,
> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// Stage 20: an event or a close of the sweep.
    pub s20_live: Signal<In, Bit>,
    /// Stage 20: connection of the event.
    pub s20_id: Signal<In, Bits<A>>,
    /// Stage 21: the lowest PSN that was not acknowledged before the event.
    pub s21_una_before: Signal<In, Bits<24>>,
    /// Stage 21: the connection after the event.
    pub s21_flow: Signal<In, Flow<N>>,
    /// Stage 21: numbers of packets of the connection that wait.
    pub s21_tally: Signal<In, Tally<N>>,
    /// Stage 21: the result of the event.
    pub s21_settled: Signal<In, Settled<N>>,
    /// Stage 24: an event or a close of the sweep.
    pub s24_live: Signal<In, Bit>,
    /// Stage 24: connection of the event.
    pub s24_id: Signal<In, Bits<A>>,
    /// Stage 26: an event or a close of the sweep.
    pub s26_live: Signal<In, Bit>,
    /// Stage 26: connection of the event.
    pub s26_id: Signal<In, Bits<A>>,
    /// Stage 30: messages completed.
    pub completed: Signal<Out, Bits<N>>,
    /// Stage 30: messages ended unfinished.
    pub errors: Signal<Out, Bits<O>>,
    /// Stage 30: the result of the event.
    pub settled: Signal<Out, Settled<N>>,
    /// Stage 30: the lowest PSN that is not acknowledged.
    pub una: Signal<Out, Bits<24>>,
    /// Stage 30: packets sent and not acknowledged.
    pub unacked: Signal<Out, Bits<N>>,
    /// Stage 30: of these, the ones that are not lost.
    pub in_flight: Signal<Out, Bits<N>>,

    run: Enable,
    #[new((H as u64).to_bits())]
    group_bits: Constant<Bits<4>>,
    ends: Context<Ends<N>, A>,
    groups: RamSdp<Group<N>, M>,
    slots: Compressor<6>,
    counts: [Compressor<1>; 3],
    account: Context<Account<N>, A>,
    seen: Signal<Local, Seen<N>>,
    early: Signal<Local, Settled<N>>,
    at: Signal<Local, Bits<N>>,
    sum: Signal<Local, Bits<O>>,
    s22_offset: Pipe<Bits<N>>,
    s22_fresh: Pipe<Bit>,
    s22_last: Pipe<Bit>,
    s22_opens: Pipe<Bit>,
    s22_moves: Pipe<Bit>,
    #[new(7)]
    s29_moves: Delay<Bit>,
    low: Signal<Local, Bits<5>>,
    s23_begins: Pipe<Bit>,
    s23_here: Pipe<Bits<32>>,
    s23_last: Pipe<Bit>,
    s23_opens: Pipe<Bit>,
    #[new(2)]
    s24_offset: Delay<Bits<N>>,
    #[new(2)]
    s24_fresh: Delay<Bit>,
    had: Signal<Local, Ends<N>>,
    old: Signal<Local, Group<N>>,
    group: Signal<Local, Group<N>>,
    newest: Signal<Local, Ends<N>>,
    written: Signal<Local, Ends<N>>,
    place: Signal<Local, Bits<M>>,
    #[new(2)]
    s26_low: Delay<Bits<5>>,
    found: Signal<Local, Group<N>>,
    s27_ends: Pipe<Bits<32>>,
    #[new(2)]
    s28_before: Delay<Bits<N>>,
    s28_ones: Pipe<Bits<3>>,
    s28_twos: Pipe<Bits<3>>,
    s28_fours: Pipe<Bits<3>>,
    s29_passed: Pipe<Bits<N>>,
    s29_settled: Wait<Settled<N>>,
    last: Signal<Local, Left<N>>,
    s22_left: Pipe<Left<N>>,
    s30_left: Wait<Left<N>>,
    told: Signal<Local, Left<N>>,
    now: Signal<Local, Settled<N>>,
    counted: Signal<Local, Account<N>>,
    left: Signal<Local, Account<N>>,
    s30_completed: Pipe<Bits<N>>,
    s30_errors: Pipe<Bits<O>>,
    s30_settled: Pipe<Settled<N>>,
}
impl<const A: usize, const M: usize, const N: usize, const O: usize, const H: usize, const E: usize> Logic
    for Finish<A, M, N, O, H, E>
{
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.*, self.ends.*, self.account.* <- self.*: clk, rst, next_run);

        // Stage 21: where the new packet lies, else the last one that is acknowledged for good: a - b - 1 is a + !b.
        self.seen.next = self.s21_flow.val().seen;
        self.early.next = self.s21_settled.val();
        self.at.next = if self.early.val().fresh {
            self.early.val().psn.get_bits::<N>(0)
        } else {
            self.seen.val().una.get_bits::<N>(0)
        };
        self.sum.next = ((bit_cast::<O, N>(self.at.val()) << 1) | 1)
            + ((bit_cast::<O, N>(!self.seen.val().origin) << 1)
                | bit_cast::<O, 1>(self.early.val().fresh.into()));
        self.s22_offset.pipe = self.sum.val().get_bits::<N>(1);
        self.s22_fresh.pipe = self.early.val().fresh;
        self.s22_last.pipe = self.early.val().last;
        self.s22_opens.pipe = self.early.val().kind == 4;
        self.s22_moves.pipe = self.early.val().accepted
            & !self.early.val().ends
            & !self.early.val().fresh
            & (self.seen.val().una.get_bits::<N>(0) != self.s21_una_before.val().get_bits::<N>(0));
        self.s29_moves.delay = self.s22_moves.q.val();
        wire!(self.s29_settled.*, self.s30_left.* <- self.*: clk, rst);
        self.s29_settled.en.next = self.run.q.val();
        self.s29_settled.clocks.next = 8.into();
        self.s29_settled.word.next = self.early.val();
        self.last.next.una = 0.into();
        self.last.next.unacked = 0.into();
        self.last.next.in_flight = 0.into();
        if self.seen.val().open {
            self.last.next.una = self.seen.val().una;
            self.last.next.unacked = self.s21_tally.val().unacked;
            self.last.next.in_flight = self.s21_tally.val().unacked - self.s21_tally.val().lost;
        }
        self.s22_left.pipe = self.last.val();
        self.s30_left.en.next = self.run.q.val();
        self.s30_left.clocks.next = 8.into();
        self.s30_left.word.next = self.s22_left.q.val();

        // Stage 22: does a group begin; the end of a message.
        self.low.next = self.s22_offset.q.val().get_bits::<5>(0);
        self.s23_begins.pipe = self.s22_fresh.q.val() & !self.low.val().any();
        self.s23_here.pipe = bit_cast::<32, 1>(self.s22_last.q.val().into()) << self.low.val();
        self.s23_last.pipe = self.s22_last.q.val();
        self.s23_opens.pipe = self.s22_opens.q.val();
        self.s24_offset.delay = self.s22_offset.q.val();
        self.s24_fresh.delay = self.s22_fresh.q.val();

        // Stage 23: the group of the newest packet.
        wire!(self.ends.in_* <- self.s20_*: live, id);
        self.had.next = self.ends.prior.val();
        self.old.next = self.had.val().group;
        self.group.next = self.old.val();
        if self.s23_begins.q.val() {
            self.group.next.number = self.had.val().total;
            self.group.next.ends = self.s23_here.q.val();
        } else {
            self.group.next.ends = self.old.val().ends | self.s23_here.q.val();
        }
        self.newest.next.total = if self.s23_opens.q.val() {
            0.into()
        } else {
            self.had.val().total + bit_cast::<N, 1>(self.s23_last.q.val().into())
        };
        self.newest.next.group = self.group.val();
        self.ends.word.next = self.newest.val();

        // Stage 24: it is written; that of the last packet that is acknowledged for good is read.
        self.written.next = self.ends.after.val();
        self.place.next = (bit_cast::<M, A>(self.s24_id.val()) << 4)
            | bit_cast::<M, H>(self.s24_offset.q.val().get_bits::<H>(5));
        for _larger in 0..E {
            self.place.next = (bit_cast::<M, A>(self.s24_id.val()) << self.group_bits.val())
                | bit_cast::<M, H>(self.s24_offset.q.val().get_bits::<H>(5));
        }
        self.groups.write = when(
            self.run.q.val() & self.s24_live.val() & self.s24_fresh.q.val(),
            (self.place.val(), self.written.val().group),
        );
        self.groups.read = self.place.val();
        self.s26_low.delay = self.s24_offset.q.val().get_bits::<5>(0);

        // Stages 26 to 28: messages that end before una.
        self.found.next = self.groups.rdata.val();
        self.s27_ends.pipe = self.found.val().ends & !(!bits::<32>(1) << self.s26_low.q.val());
        self.s28_before.delay = self.found.val().number;
        for i in 0..6 {
            self.slots.rows[i].next = self.s27_ends.q.val().get_bits::<6>(6 * i);
            self.counts[0].rows[i].next = self.slots.ones.val().get_bits::<1>(i);
            self.counts[1].rows[i].next = self.slots.twos.val().get_bits::<1>(i);
            self.counts[2].rows[i].next = self.slots.fours.val().get_bits::<1>(i);
        }
        self.s28_ones.pipe = bit_cast::<3, 1>(self.counts[0].ones.val())
            | (bit_cast::<3, 1>(self.counts[0].twos.val()) << 1)
            | (bit_cast::<3, 1>(self.counts[0].fours.val()) << 2);
        self.s28_twos.pipe = bit_cast::<3, 1>(self.counts[1].ones.val())
            | (bit_cast::<3, 1>(self.counts[1].twos.val()) << 1)
            | (bit_cast::<3, 1>(self.counts[1].fours.val()) << 2);
        self.s28_fours.pipe = bit_cast::<3, 1>(self.counts[2].ones.val())
            | (bit_cast::<3, 1>(self.counts[2].twos.val()) << 1)
            | (bit_cast::<3, 1>(self.counts[2].fours.val()) << 2);
        self.s29_passed.pipe = self.s28_before.q.val()
            + bit_cast::<N, 3>(self.s28_ones.q.val())
            + (bit_cast::<N, 3>(self.s28_twos.q.val()) << 1)
            + (bit_cast::<N, 3>(self.s28_fours.q.val()) << 2);

        // Stage 29: what is posted and what is completed.
        wire!(self.account.in_* <- self.s26_*: live, id);
        self.now.next = self.s29_settled.late.val();
        self.counted.next = self.account.prior.val();
        self.left.next.posted = self.counted.val().posted + bit_cast::<N, 1>(self.now.val().posted.into());
        self.left.next.completed =
            if self.s29_moves.q.val() { self.s29_passed.q.val() } else { self.counted.val().completed };
        self.s30_completed.pipe = 0.into();
        if self.s29_moves.q.val() {
            self.s30_completed.d.next = self.s29_passed.q.val() - self.counted.val().completed;
        }
        self.s30_errors.pipe = 0.into();
        if self.now.val().ends {
            self.s30_errors.d.next =
                bit_cast::<O, N>(self.counted.val().posted - self.counted.val().completed);
            self.left.next.posted = 0.into();
            self.left.next.completed = 0.into();
        }
        self.account.word.next = self.left.val();
        self.s30_settled.pipe = self.now.val();
        self.completed.next = self.s30_completed.q.val();
        self.errors.next = self.s30_errors.q.val();
        self.settled.next = self.s30_settled.q.val();
        self.told.next = self.s30_left.late.val();
        wire!(self.* <- self.told.val().*: una, unacked, in_flight);
    }
}
