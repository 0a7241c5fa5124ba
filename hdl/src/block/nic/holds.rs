//! `weft_nic_holds`: counts the clocks in which something delays the NIC.

use crate::part::counter::Counter;
use crate::prelude::*;

/// Counts the clocks in which something delays the NIC. The block watches the streams of the NIC; a clock is
/// counted three clocks later.
#[derive(LogicBlock, BlockDefault)]
pub struct Holds {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A word of a frame is offered to the MAC.
    pub net_valid: Signal<In, Bit>,
    /// The word of a frame is accepted.
    pub net_ready: Signal<In, Bit>,
    /// A DMA read request is offered.
    pub fetch_valid: Signal<In, Bit>,
    /// The DMA read request is accepted.
    pub fetch_ready: Signal<In, Bit>,
    /// A word of DMA read data is offered.
    pub read_valid: Signal<In, Bit>,
    /// The word of DMA read data is accepted.
    pub read_ready: Signal<In, Bit>,
    /// The word is the last of its request.
    pub read_last: Signal<In, Bit>,
    /// A word of DMA write data is offered.
    pub write_valid: Signal<In, Bit>,
    /// The word of DMA write data is accepted.
    pub write_ready: Signal<In, Bit>,
    /// The completion of a received message is offered.
    pub received_valid: Signal<In, Bit>,
    /// The completion is accepted.
    pub received_ready: Signal<In, Bit>,
    /// The completion of a work request is offered.
    pub sent_valid: Signal<In, Bit>,
    /// The completion is accepted.
    pub sent_ready: Signal<In, Bit>,
    /// A work request is offered.
    pub work_valid: Signal<In, Bit>,
    /// The work request is accepted.
    pub work_ready: Signal<In, Bit>,
    /// The counters: wire 15:0, reads 31:16, writes 47:32, completions 63:48, acks 79:64, work 95:80.
    pub stat: Signal<Out, Bits<96>>,

    full: Reg<Bit>,
    quiet: Reg<Bit>,
    offered: Reg<Bit>,
    asked: Reg<Bit>,
    answered: Reg<Bit>,
    unwritten: Reg<Bit>,
    untold: Reg<Bit>,
    begun: Reg<Bit>,
    over: Reg<Bit>,
    reading: Reg<Bits<8>>,
    unfinished: Reg<Bits<20>>,
    reads: Signal<Local, Bit>,
    works: Signal<Local, Bit>,
    holds: Reg<Bits<6>>,
    of_wire: Counter,
    of_reads: Counter,
    of_writes: Counter,
    of_completions: Counter,
    of_acks: Counter,
    of_work: Counter,
    low: Signal<Local, Bits<96>>,
    high: Signal<Local, Bits<96>>,
}
impl Logic for Holds {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // The state of the streams.
        self.full.reg = self.net_valid.val() & !self.net_ready.val();
        self.quiet.reg = !self.net_valid.val();
        self.offered.reg = self.fetch_valid.val();
        self.asked.reg = self.fetch_valid.val() & self.fetch_ready.val();
        self.answered.reg = self.read_valid.val() & self.read_ready.val() & self.read_last.val();
        self.unwritten.reg = self.write_valid.val() & !self.write_ready.val();
        self.untold.reg = (self.received_valid.val() & !self.received_ready.val())
            | (self.sent_valid.val() & !self.sent_ready.val());
        self.begun.reg = self.work_valid.val() & self.work_ready.val();
        self.over.reg = self.sent_valid.val() & self.sent_ready.val();

        // A clock later: DMA reads under way, requests that are unfinished, and the causes.
        self.reading.reg = self.reading.q.val() + bit_cast::<8, 1>(self.asked.q.val().into())
            - bit_cast::<8, 1>(self.answered.q.val().into());
        self.unfinished.reg = self.unfinished.q.val() + bit_cast::<20, 1>(self.begun.q.val().into())
            - bit_cast::<20, 1>(self.over.q.val().into());
        self.reads.next = self.reading.q.val().any() | self.offered.q.val();
        self.works.next = self.unfinished.q.val().any();
        self.holds.reg = bit_cast::<6, 1>(self.full.q.val().into())
            | (bit_cast::<6, 1>((self.quiet.q.val() & self.reads.val()).into()) << 1)
            | (bit_cast::<6, 1>(self.unwritten.q.val().into()) << 2)
            | (bit_cast::<6, 1>(self.untold.q.val().into()) << 3)
            | (bit_cast::<6, 1>((self.quiet.q.val() & !self.reads.val() & self.works.val()).into()) << 4)
            | (bit_cast::<6, 1>((self.quiet.q.val() & !self.reads.val() & !self.works.val()).into()) << 5);

        // A clock later the clock is counted.
        wire!(
            self.of_wire.*, self.of_reads.*, self.of_writes.*, self.of_completions.*, self.of_acks.*, self.of_work.* <- self.*: clk, rst,
        );
        self.of_wire.one.next = self.holds.q.val().get_bit(0);
        self.of_reads.one.next = self.holds.q.val().get_bit(1);
        self.of_writes.one.next = self.holds.q.val().get_bit(2);
        self.of_completions.one.next = self.holds.q.val().get_bit(3);
        self.of_acks.one.next = self.holds.q.val().get_bit(4);
        self.of_work.one.next = self.holds.q.val().get_bit(5);
        self.low.next = bit_cast::<96, 16>(self.of_wire.count.val())
            | (bit_cast::<96, 16>(self.of_reads.count.val()) << 16)
            | (bit_cast::<96, 16>(self.of_writes.count.val()) << 32);
        self.high.next = (bit_cast::<96, 16>(self.of_completions.count.val()) << 48)
            | (bit_cast::<96, 16>(self.of_acks.count.val()) << 64)
            | (bit_cast::<96, 16>(self.of_work.count.val()) << 80);
        self.stat.next = self.low.val() | self.high.val();
    }
}
