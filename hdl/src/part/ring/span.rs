//! `weft_*_span`: consecutive slots of a ring as a mask.

use super::gather::Gather;
use crate::prelude::*;

/// Consecutive slots of a ring as a mask. A slot is in the span if it is not below the start and below the end
/// or, of a span that goes round, one of both. The registers say the same of groups of 16 slots and of the slots of
/// two groups; what uses a bit of the mask finds five of them in one LUT.
#[derive(LogicBlock, Default)]
pub struct Span {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// The first slot.
    pub start: Signal<In, Bits<8>>,
    /// How many slots, 0 to 256.
    pub length: Signal<In, Bits<9>>,
    /// Two clocks later: the slots `start`, `start` + 1, ... modulo 256, each bit of five registers.
    pub mask: Signal<Out, Bits<256>>,

    head: Pipe<Bits<8>>,
    stop: Pipe<Bits<9>>,
    start_high: Signal<Local, Bits<4>>,
    stop_high: Signal<Local, Bits<4>>,
    not_below: Signal<Local, Bits<16>>,
    below: Signal<Local, Bits<16>>,
    covered: Pipe<Bits<16>>,
    first: Pipe<Bits<16>>,
    last: Pipe<Bits<16>>,
    first_slots: Pipe<Bits<16>>,
    last_slots: Pipe<Bits<16>>,
    from: [Signal<Local, Bits<16>>; 16],
    upto: [Signal<Local, Bits<16>>; 16],
    gather: Gather,
}

impl Logic for Span {
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        // Clock 1: start and end.
        self.head.pipe = self.start.val();
        self.stop.pipe = bit_cast::<9, 8>(self.start.val()) + self.length.val();

        // Clock 2: the groups inside, the groups of start and end, the slots of these.
        self.start_high.next = self.head.q.val().get_bits::<4>(4);
        self.stop_high.next = self.stop.q.val().get_bits::<4>(4);
        self.not_below.next = bits::<16>(0xFFFF) << self.start_high.val();
        self.below.next = !(bits::<16>(0xFFFF) << self.stop_high.val());
        self.covered.pipe = if self.stop.q.val().get_bit(8) {
            self.not_below.val() | self.below.val()
        } else {
            self.not_below.val() & self.below.val()
        };
        self.first.pipe = bits::<16>(1) << self.start_high.val();
        self.last.pipe = bits::<16>(1) << self.stop_high.val();
        self.first_slots.pipe = bits::<16>(0xFFFF) << self.head.q.val().get_bits::<4>(0);
        self.last_slots.pipe = !(bits::<16>(0xFFFF) << self.stop.q.val().get_bits::<4>(0));

        // The mask. The start's group counts as inside, the end's does not, and one that is both does if
        // the span goes round.
        for g in 0..16 {
            self.from[g].next =
                if self.first.q.val().get_bit(g) { self.first_slots.q.val() } else { 0xFFFF.into() };
            self.upto[g].next = if self.last.q.val().get_bit(g) { self.last_slots.q.val() } else { 0.into() };
            self.gather.groups[g].next = if self.covered.q.val().get_bit(g) {
                self.from[g].val() | self.upto[g].val()
            } else {
                self.from[g].val() & self.upto[g].val()
            };
        }
        self.mask.next = self.gather.ring.val();
    }
}
