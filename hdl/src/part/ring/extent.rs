//! `weft_*_extent`: consecutive slots of a ring as a mask that is not registered.

use super::gather::Gather;
use crate::prelude::*;

/// Consecutive slots of a ring as a mask. A slot is inside if it is not below the start and below the end or,
/// if the slots wrap, if one of both holds. The mask covers groups of 16 slots first, then slots: a function
/// of five registers a bit, so that a sixth input fits into the same LUT.
///
/// # Parameters
///
/// `S` bits of a slot's number, `N = S + 1`, `P` slots, `G = P / 16` groups, `H = S - 4` bits of a group's number, `E` = 1
/// for rings above 256 slots, else 0.
#[derive(LogicBlock, BlockDefault)]
pub struct Extent<
    const S: usize = 8,
    const N: usize = 9,
    const P: usize = 256,
    const G: usize = 16,
    const H: usize = 4,
    const E: usize = 0,
> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// The first slot.
    pub start: Signal<In, Bits<S>>,
    /// Number of slots, 0 to 256.
    pub length: Signal<In, Bits<N>>,
    /// One clock later: the slots `start`, `start` + 1, ... modulo 256.
    pub mask: Signal<Out, Bits<P>>,

    stop: Signal<Local, Bits<N>>,
    start_high: Signal<Local, Bits<H>>,
    stop_high: Signal<Local, Bits<H>>,
    not_below: Signal<Local, Bits<G>>,
    below: Signal<Local, Bits<G>>,
    covered: Pipe<Bits<G>>,
    first: Pipe<Bits<G>>,
    last: Pipe<Bits<G>>,
    first_slots: Pipe<Bits<16>>,
    last_slots: Pipe<Bits<16>>,
    from: [Signal<Local, Bits<16>>; G],
    upto: [Signal<Local, Bits<16>>; G],
    gather: Gather<P, G, E>,
}

impl<const S: usize, const N: usize, const P: usize, const G: usize, const H: usize, const E: usize> Logic
    for Extent<S, N, P, G, H, E>
{
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        // Groups inside, groups of start and end, slots of these.
        self.stop.next = bit_cast::<N, S>(self.start.val()) + self.length.val();
        self.start_high.next = self.start.val().get_bits::<H>(4);
        self.stop_high.next = self.stop.val().get_bits::<H>(4);
        self.not_below.next = bits::<G>(0xFFFF) << self.start_high.val();
        self.below.next = !(bits::<G>(0xFFFF) << self.stop_high.val());
        for _larger in 0..E {
            self.not_below.next = !bits::<G>(0) << self.start_high.val();
            self.below.next = !(!bits::<G>(0) << self.stop_high.val());
        }
        for s in S..N {
            self.covered.pipe = if self.stop.val().get_bit(s) {
                self.not_below.val() | self.below.val()
            } else {
                self.not_below.val() & self.below.val()
            };
        }
        self.first.pipe = bits::<G>(1) << self.start_high.val();
        self.last.pipe = bits::<G>(1) << self.stop_high.val();
        self.first_slots.pipe = bits::<16>(0xFFFF) << self.start.val().get_bits::<4>(0);
        self.last_slots.pipe = !(bits::<16>(0xFFFF) << self.stop.val().get_bits::<4>(0));

        // The mask. The start's group counts as inside, the end's does not. A group that is both counts if
        // the span wraps.
        for g in 0..G {
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
