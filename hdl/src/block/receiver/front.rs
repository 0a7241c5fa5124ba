//! `weft_receiver_front`: merges arrivals, control and the ACK timer's requests into one order, and checks
//! that a data packet stays inside the region of its connection.

use super::words::{Entry, Flush, Region};
use crate::part::published::Published;
use crate::part::wait::Wait;
use crate::prelude::*;
use crate::word::{Arrival, Bar, ReceiverControl};

/// `weft_sack_rx`'s kinds of events; data is 0.
const TRIMMED: u64 = 1;
const FLUSH: u64 = 2;
const PROBE: u64 = 3;
const OPEN: u64 = 4;
const CLOSE: u64 = 5;
const NONE: u64 = 7;

/// Merges arrivals, control and the ACK timer's requests into one order, and checks that a data packet stays
/// inside the region of its connection.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock, BlockDefault)]
pub struct Front<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The sweep after reset is over.
    pub swept: Signal<In, Bit>,
    /// The connection of the sweep.
    pub sweep_id: Signal<In, Bits<A>>,
    /// New treatment of a connection's packets.
    pub bar_valid: Signal<In, Bit>,
    /// The connection.
    pub bar_id: Signal<In, Bits<A>>,
    /// The treatment.
    pub bar: Signal<In, Bar>,
    /// A packet is offered.
    pub arrival_valid: Signal<In, Bit>,
    /// The packet is accepted.
    pub arrival_ready: Signal<Out, Bit>,
    /// The connection.
    pub arrival_id: Signal<In, Bits<A>>,
    /// The packet.
    pub arrival: Signal<In, Arrival>,
    /// Control is offered.
    pub control_valid: Signal<In, Bit>,
    /// The word is accepted: an open in its turn, a close when all earlier words have left.
    pub control_ready: Signal<Out, Bit>,
    /// The connection.
    pub control_id: Signal<In, Bits<A>>,
    /// Control.
    pub control: Signal<In, ReceiverControl>,
    /// All words from before a close have left.
    pub out: Signal<In, Bit>,
    /// The ACK timer requests an ACK.
    pub flush_valid: Signal<In, Bit>,
    /// The request is accepted.
    pub flush_ready: Signal<Out, Bit>,
    /// The connection.
    pub flush: Signal<In, Flush>,
    /// Control enters.
    pub control_enters: Signal<Out, Bit>,
    /// An event is offered.
    pub event_valid: Signal<Out, Bit>,
    /// The event is accepted.
    pub event_ready: Signal<In, Bit>,
    /// The event. Its kind does not depend on whether the packet is denied.
    pub entry: Signal<Out, Entry>,
    /// Kind of the event. A denied or held data packet counts as trimmed, because its payload is missing.
    pub kind: Signal<Out, Bits<3>>,
    /// The event is a data packet that must not write to its address, or whose connection has failed.
    pub denied: Signal<Out, Bit>,
    /// The connection has failed.
    pub failed: Signal<Out, Bit>,
    /// The event is a data packet that is held back.
    pub held: Signal<Out, Bit>,

    #[new(FLUSH.to_bits())]
    a_flush: Constant<Bits<3>>,
    #[new(PROBE.to_bits())]
    a_probe: Constant<Bits<3>>,
    #[new(OPEN.to_bits())]
    an_open: Constant<Bits<3>>,
    #[new(CLOSE.to_bits())]
    a_close: Constant<Bits<3>>,
    regions: RamSdp<Region, A>,
    bars: Published<Bar, A>,
    cleared: Signal<Local, Bar>,
    treated: Signal<Local, Bar>,
    #[new(TRIMMED.to_bits())]
    trimmed: Constant<Bits<3>>,
    #[new(NONE.to_bits())]
    nothing: Constant<Bits<3>>,
    run: Signal<Local, Bit>,
    own: Signal<Local, Bit>,
    accept: Signal<Local, Bit>,
    was_own: Reg<Bit>,
    waits: Signal<Local, Bit>,
    enters: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    control_held: Reg<Bit>,
    entered: Reg<Bit>,
    control_word: Pipe<ReceiverControl>,
    control_at: Pipe<Bits<A>>,
    word: Signal<Local, Arrival>,
    asked: Signal<Local, Flush>,
    order: Signal<Local, ReceiverControl>,
    taken: Signal<Local, Entry>,
    valids: Reg<Bits<6>>,
    s1_entry: Pipe<Entry>,
    first: Signal<Local, Entry>,
    region: Signal<Local, Region>,
    s1_region: Pipe<Region>,
    #[new(2)]
    s3_entry: Delay<Entry>,
    third: Signal<Local, Entry>,
    allowed: Signal<Local, Region>,
    s4_ahead: Pipe<Bits<64>>,
    s4_same: Pipe<Bit>,
    s4_length: Pipe<Bits<32>>,
    s4_bytes: Pipe<Bits<14>>,
    s5_end: Pipe<Bits<33>>,
    s5_far: Pipe<Bit>,
    s5_same: Pipe<Bit>,
    s5_length: Pipe<Bits<32>>,
    s5_some: Pipe<Bit>,
    beyond: Signal<Local, Bit>,
    s6_denied: Pipe<Bit>,
    #[new(5u64.to_bits())]
    behind_s1: Constant<Bits<4>>,
    s6_entry: Wait<Entry>,
    #[new(3)]
    s6_bar: Delay<Bar>,
    sixth: Signal<Local, Entry>,
    data: Signal<Local, Bit>,
    packet: Signal<Local, Bit>,
    refused: Signal<Local, Bit>,
    delayed: Signal<Local, Bit>,
}
impl<const A: usize> Logic for Front<A> {
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        // Bit i: an event is in stage i + 1.
        self.run.next = !self.valids.q.val().get_bit(5) | self.event_ready.val();

        // Control and the timer go first, never in two clocks in a row: `tready` is known before an offer.
        self.waits.next = self.control_held.q.val() & !self.entered.q.val();
        self.own.next =
            self.swept.val() & (self.flush_valid.val() | self.waits.val()) & !self.was_own.q.val();
        self.arrival_ready.next = self.run.val() & self.swept.val() & !self.own.val();
        self.flush_ready.next = self.run.val() & self.own.val() & !self.waits.val();
        self.enters.next = self.run.val() & self.own.val() & self.waits.val();
        self.control_enters.next = self.enters.val();
        self.accept.next = self.run.val() & self.swept.val() & (self.own.val() | self.arrival_valid.val());
        self.was_own.reg = self.own.val();

        // A control word stays offered until it is accepted: an open in its turn, a close when all earlier
        // words have left.
        self.order.next = self.control_word.q.val();
        self.leaves.next = (self.enters.val() & self.order.val().open) | self.out.val();
        self.control_ready.next = self.leaves.val();
        self.control_held.reg = when(
            true,
            if self.control_held.q.val() {
                !self.leaves.val()
            } else {
                self.swept.val() & self.control_valid.val()
            },
        );
        self.entered.reg = when(self.enters.val() | self.leaves.val(), !self.leaves.val());
        self.control_word.pipe = when(!self.control_held.q.val(), self.control.val());
        self.control_at.pipe = when(!self.control_held.q.val(), self.control_id.val());

        self.word.next = self.arrival.val();
        self.asked.next = self.flush.val();
        self.taken.next.id = bit_cast::<14, A>(self.arrival_id.val());
        self.taken.next.kind = if self.word.val().kind == 2 {
            self.a_probe.val()
        } else if self.word.val().kind == 3 {
            self.nothing.val()
        } else {
            bit_cast::<3, 2>(self.word.val().kind)
        };
        self.taken.next.psn = self.word.val().psn;
        self.taken.next.ce = self.word.val().ce & !self.own.val();
        self.taken.next.request = self.word.val().request & !self.own.val();
        self.taken.next.last = self.word.val().last & !self.own.val();
        self.taken.next.solicited = self.word.val().solicited & !self.own.val();
        self.taken.next.last_hop = self.word.val().last_hop & !self.own.val();
        self.taken.next.stamp = self.word.val().stamp;
        self.taken.next.ev = self.word.val().ev;
        self.taken.next.address = self.word.val().address;
        self.taken.next.key = self.word.val().key;
        self.taken.next.bytes = self.word.val().bytes;
        self.taken.next.immediate = self.word.val().immediate;
        self.taken.next.message = self.word.val().message;
        if self.own.val() {
            self.taken.next.id = self.asked.val().id;
            self.taken.next.kind = self.a_flush.val();
            self.taken.next.psn = self.asked.val().psn;
            self.taken.next.stamp = self.asked.val().stamp;
            self.taken.next.ev = self.asked.val().ev;
            if self.waits.val() {
                self.taken.next.id = bit_cast::<14, A>(self.control_at.q.val());
                self.taken.next.kind =
                    if self.order.val().open { self.an_open.val() } else { self.a_close.val() };
                self.taken.next.psn = self.order.val().psn;
            }
        }
        self.valids.reg = (self.valids.q.val() << 1) | bit_cast::<6, 1>(self.accept.val().into());

        // Stage 1: an open writes the region, other events read it. The register loads in every clock, with or
        // without an event.
        self.s1_entry.pipe = when(self.run.val() & self.swept.val(), self.taken.val());
        self.first.next = self.s1_entry.q.val();
        wire!(self.region.next.* <- self.order.val().*: base, length, key);
        self.s1_region.pipe = self.region.val();
        self.regions.write = when(
            self.run.val() & self.valids.q.val().get_bit(0) & (self.first.val().kind == self.an_open.val()),
            (self.first.val().id.get_bits::<A>(0), self.s1_region.q.val()),
        );
        self.regions.read = self.first.val().id.get_bits::<A>(0);
        self.bars.clk.next = self.clk.val();
        self.bars.run.next = self.run.val();
        self.bars.raddr.next = self.first.val().id.get_bits::<A>(0);
        self.cleared.next.held = self.bar.val().held & self.swept.val();
        self.cleared.next.failed = self.bar.val().failed & self.swept.val();
        self.bars.write = when(
            self.bar_valid.val() | !self.swept.val(),
            (if self.swept.val() { self.bar_id.val() } else { self.sweep_id.val() }, self.cleared.val()),
        );
        self.s3_entry.delay = self.s1_entry.q.val();

        // Stage 3: offset in the region. Addresses wrap at 2^64.
        self.third.next = self.s3_entry.q.val();
        self.allowed.next = self.regions.rdata.val();
        self.s4_ahead.pipe = self.third.val().address - self.allowed.val().base;
        self.s4_same.pipe = self.third.val().key == self.allowed.val().key;
        self.s4_length.pipe =
            when(self.run.val() & self.valids.q.val().get_bit(2), self.allowed.val().length);
        self.s4_bytes.pipe = self.third.val().bytes;

        // Stage 4: end of the packet.
        self.s5_end.pipe = bit_cast::<33, 32>(self.s4_ahead.q.val().get_bits::<32>(0))
            + bit_cast::<33, 14>(self.s4_bytes.q.val());
        self.s5_far.pipe = self.s4_ahead.q.val().get_bits::<32>(32).any();
        self.s5_same.pipe = self.s4_same.q.val();
        self.s5_length.pipe = self.s4_length.q.val();
        self.s5_some.pipe = self.s4_bytes.q.val().any();

        // Stage 5: inside the region or not. A packet without bytes is always inside.
        self.beyond.next =
            self.s5_far.q.val() | (self.s5_end.q.val() > bit_cast::<33, 32>(self.s5_length.q.val()));
        self.s6_denied.pipe = !self.s5_same.q.val() | (self.s5_some.q.val() & self.beyond.val());
        wire!(self.s6_entry.* <- self.*: clk, rst);
        self.s6_entry.en.next = self.run.val();
        self.s6_entry.clocks.next = self.behind_s1.val();
        self.s6_entry.word.next = self.s1_entry.q.val();
        self.s6_bar.delay = self.bars.rdata.val();

        // Stage 6: the event.
        self.sixth.next = self.s6_entry.late.val();
        self.event_valid.next = self.valids.q.val().get_bit(5);
        self.entry.next = self.sixth.val();
        self.treated.next = self.s6_bar.q.val();
        self.data.next = self.sixth.val().kind == 0;
        self.packet.next = !self.sixth.val().kind.get_bits::<2>(1).any();
        self.refused.next =
            (self.data.val() & self.s6_denied.q.val()) | (self.packet.val() & self.treated.val().failed);
        self.delayed.next = self.data.val() & self.treated.val().held & !self.refused.val();
        self.denied.next = self.refused.val();
        self.failed.next = self.treated.val().failed;
        self.held.next = self.delayed.val();
        self.kind.next =
            if self.refused.val() | self.delayed.val() { self.trimmed.val() } else { self.sixth.val().kind };
    }
}
