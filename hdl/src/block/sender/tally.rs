//! `weft_sender_tally`: counters for an operator: losses, paths, windows and round-trip times.

use super::words::{Facts, Paths, Recovery, Rtts, Window};
use crate::part::counter::Counter;
use crate::part::sum::Sum;
use crate::prelude::*;

/// Code of an OPEN of the congestion window.
const OPEN: u64 = 3;
/// Value before the first round-trip time.
const NONE: u64 = 0xFFFF;

/// Counters for an operator: losses, paths, windows and round-trip times.
///
/// # Parameters
///
/// `N` bits of a number of packets.
#[derive(LogicBlock, BlockDefault)]
pub struct Tally<const N: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, one clock later than that of the block.
    pub rst: Signal<In, Bit>,
    /// The facts of an outcome of the transport; a register, as all that follows.
    pub facts: Signal<In, Facts<N>>,
    /// A packet was given to egress.
    pub ordered: Signal<In, Bit>,
    /// The packet was sent before.
    pub again: Signal<In, Bit>,
    /// The choice of paths has decided.
    pub decided: Signal<In, Bit>,
    /// The decision without the entropy value.
    pub decision: Signal<In, Bits<8>>,
    /// A congestion window of an open connection.
    pub answered: Signal<In, Bit>,
    /// Kind of the window's event.
    pub kind: Signal<In, Bits<3>>,
    /// Bytes of the window.
    pub bytes: Signal<In, Bits<26>>,
    /// Payload bytes of a full packet.
    pub mtu: Signal<In, Bits<14>>,
    /// Losses and their outcomes.
    pub recovery: Signal<Out, Recovery>,
    /// Packets found lost by probes.
    pub probes: Signal<Out, Bits<16>>,
    /// Entropy values.
    pub paths: Signal<Out, Paths>,
    /// Congestion windows.
    pub window: Signal<Out, Window>,
    /// ACKs by round-trip time.
    pub rtt: Signal<Out, Rtts>,
    /// The last round-trip time; all ones: not measured yet.
    pub rtt_latest: Signal<Out, Bits<16>>,
    /// The smallest round-trip time; all ones: not measured yet.
    pub rtt_smallest: Signal<Out, Bits<16>>,

    #[new(OPEN.to_bits())]
    open: Constant<Bits<3>>,
    fact: Signal<Local, Facts<N>>,
    lost: Signal<Local, Bits<14>>,
    sent_again: Counter,
    by_nack: Sum,
    by_verdict: Sum,
    probed: Counter,
    by_timeout: Sum,
    timeouts: Counter,
    spurious: Counter,
    unanswered: Counter,
    denied: Counter,
    of_send: Signal<Local, Bit>,
    source: Signal<Local, Bits<2>>,
    explored: Counter,
    recycled: Counter,
    reused: Counter,
    turned: Signal<Local, Bit>,
    freezes: Counter,
    thaws: Counter,
    marks: Counter,
    floors: Counter,
    bins: [Counter; 16],
    ticks: Signal<Local, Bits<16>>,
    #[new(NONE.to_bits())]
    latest: Reg<Bits<16>>,
    #[new(NONE.to_bits())]
    smallest: Reg<Bits<16>>,
    losses: Signal<Local, Recovery>,
    choices: Signal<Local, Paths>,
    answers: Signal<Local, Window>,
    ages: Signal<Local, Rtts>,
}
impl<const N: usize> Logic for Tally<N> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Losses.
        self.fact.next = self.facts.val();
        self.lost.next = bit_cast::<14, N>(self.fact.val().lost);
        wire!(
            self.sent_again.*, self.by_nack.*, self.by_verdict.*, self.probed.*, self.by_timeout.*, self.timeouts.*,
            self.spurious.*, self.unanswered.*, self.denied.*
            <- self.*: clk, rst,
        );
        self.sent_again.one.next = self.ordered.val() & self.again.val();
        self.by_nack.add.next = self.fact.val().by_nack;
        self.by_nack.amount.next = self.lost.val();
        self.by_verdict.add.next = self.fact.val().by_verdict;
        self.by_verdict.amount.next = self.lost.val();
        self.probed.one.next = self.fact.val().by_probe;
        self.probes.next = self.probed.count.val();
        self.by_timeout.add.next = self.fact.val().by_timeout;
        self.by_timeout.amount.next = self.lost.val();
        self.timeouts.one.next = self.fact.val().by_timeout;
        self.spurious.one.next = self.fact.val().spurious;
        self.unanswered.one.next = self.fact.val().unanswered;
        self.denied.one.next = self.fact.val().denied;
        self.losses.next.again = self.sent_again.count.val();
        self.losses.next.lost_by_nack = self.by_nack.sum.val();
        self.losses.next.lost_by_verdict = self.by_verdict.sum.val();
        self.losses.next.lost_by_timeout = self.by_timeout.sum.val();
        self.losses.next.timeouts = self.timeouts.count.val();
        self.losses.next.spurious_timeouts = self.spurious.count.val();
        self.losses.next.unanswered = self.unanswered.count.val();
        self.losses.next.denied = self.denied.count.val();
        self.recovery.next = self.losses.val();

        // Entropy values: their sources for packets, and begin and end of freezes.
        self.of_send.next = self.decided.val() & !self.decision.val().get_bits::<3>(0).any();
        self.source.next = self.decision.val().get_bits::<2>(4);
        self.turned.next = self.decided.val() & self.decision.val().get_bit(7);
        wire!(
            self.explored.*, self.recycled.*, self.reused.*, self.freezes.*, self.thaws.* <- self.*: clk, rst,
        );
        self.explored.one.next = self.of_send.val() & (self.source.val() == 1);
        self.recycled.one.next = self.of_send.val() & (self.source.val() == 2);
        self.reused.one.next = self.of_send.val() & (self.source.val() == 3);
        self.freezes.one.next = self.turned.val() & self.decision.val().get_bit(6);
        self.thaws.one.next = self.turned.val() & !self.decision.val().get_bit(6);
        self.choices.next.explored = self.explored.count.val();
        self.choices.next.recycled = self.recycled.count.val();
        self.choices.next.reused = self.reused.count.val();
        self.choices.next.freezes = self.freezes.count.val();
        self.choices.next.thaws = self.thaws.count.val();
        self.paths.next = self.choices.val();

        // Congestion windows.
        wire!(self.marks.*, self.floors.* <- self.*: clk, rst);
        self.marks.one.next = self.fact.val().answer & self.fact.val().ce;
        self.floors.one.next = self.answered.val()
            & (self.kind.val() != self.open.val())
            & (self.bytes.val() <= bit_cast::<26, 14>(self.mtu.val()));
        self.answers.next.marks = self.marks.count.val();
        self.answers.next.floors = self.floors.count.val();
        self.window.next = self.answers.val();

        // Round-trip times: 0 ticks, then a bin for each highest bit.
        self.ticks.next = bit_cast::<16, 15>(self.fact.val().rtt);
        for i in 0..16 {
            self.bins[i].clk.next = self.clk.val();
            self.bins[i].rst.next = self.rst.val();
        }
        self.bins[0].one.next = self.fact.val().answer & !self.ticks.val().any();
        for i in 0..15 {
            self.bins[i + 1].one.next = self.fact.val().answer & (self.ticks.val().get_bits::<16>(i) == 1);
        }
        self.latest.reg = when(self.fact.val().answer, self.ticks.val());
        self.smallest.reg =
            when(self.fact.val().answer & (self.ticks.val() < self.smallest.q.val()), self.ticks.val());
        self.ages.next.of_0 = self.bins[0].count.val();
        self.ages.next.of_1 = self.bins[1].count.val();
        self.ages.next.of_2 = self.bins[2].count.val();
        self.ages.next.of_4 = self.bins[3].count.val();
        self.ages.next.of_8 = self.bins[4].count.val();
        self.ages.next.of_16 = self.bins[5].count.val();
        self.ages.next.of_32 = self.bins[6].count.val();
        self.ages.next.of_64 = self.bins[7].count.val();
        self.ages.next.of_128 = self.bins[8].count.val();
        self.ages.next.of_256 = self.bins[9].count.val();
        self.ages.next.of_512 = self.bins[10].count.val();
        self.ages.next.of_1024 = self.bins[11].count.val();
        self.ages.next.of_2048 = self.bins[12].count.val();
        self.ages.next.of_4096 = self.bins[13].count.val();
        self.ages.next.of_8192 = self.bins[14].count.val();
        self.ages.next.of_16384 = self.bins[15].count.val();
        self.rtt.next = self.ages.val();
        self.rtt_latest.next = self.latest.q.val();
        self.rtt_smallest.next = self.smallest.q.val();
    }
}
