//! `weft_*_extent`: consecutive slots of a ring as a mask that is not registered.

use super::gather::Gather;
use crate::prelude::*;

/// Consecutive slots of a ring as a mask. A slot is inside if it is not below the start and is below the end.
/// If the slots wrap around, one of the two conditions is enough. The mask covers groups of 16 slots first,
/// then slots. Each bit is a function of five registers, so that a sixth input fits into the same LUT.
#[derive(LogicBlock, Default)]
pub struct Extent {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// The first slot.
    pub start: Signal<In, Bits<8>>,
    /// Number of slots, 0 to 256.
    pub length: Signal<In, Bits<9>>,
    /// One clock later: the slots `start`, `start` + 1, ... modulo 256.
    pub mask: Signal<Out, Bits<256>>,

    stop: Signal<Local, Bits<9>>,
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

impl Logic for Extent {
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        // Groups inside, groups of start and end, slots of these.
        self.stop.next = bit_cast::<9, 8>(self.start.val()) + self.length.val();
        self.start_high.next = self.start.val().get_bits::<4>(4);
        self.stop_high.next = self.stop.val().get_bits::<4>(4);
        self.not_below.next = bits::<16>(0xFFFF) << self.start_high.val();
        self.below.next = !(bits::<16>(0xFFFF) << self.stop_high.val());
        self.covered.pipe = if self.stop.val().get_bit(8) {
            self.not_below.val() | self.below.val()
        } else {
            self.not_below.val() & self.below.val()
        };
        self.first.pipe = bits::<16>(1) << self.start_high.val();
        self.last.pipe = bits::<16>(1) << self.stop_high.val();
        self.first_slots.pipe = bits::<16>(0xFFFF) << self.start.val().get_bits::<4>(0);
        self.last_slots.pipe = !(bits::<16>(0xFFFF) << self.stop.val().get_bits::<4>(0));

        // The mask. The start's group counts as inside, the end's does not. A group that is both counts if
        // the span wraps.
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
