//! `weft_*_finds`: the first set slot of a ring above 256 slots, after the search in its first 256.

use super::find::Find;
use crate::prelude::*;

/// The first set slot of a ring above 256 slots, after the search in its first 256: searches in the blocks of 256 behind
/// them, and the choice between all. In the block of the first slot to look at, the search begins at that slot, and
/// wraps; in the others it begins at slot 0.
///
/// # Parameters
///
/// `S` bits of a slot's number, `P` slots, `B = S - 8` bits of a block's number, `K` blocks, `X = K - 1`.
#[derive(LogicBlock, BlockDefault)]
pub struct Finds<const S: usize, const P: usize, const B: usize, const K: usize, const X: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset of the enable.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// The ring.
    pub vec: Signal<In, Bits<P>>,
    /// The slot to begin with.
    pub start: Signal<In, Bits<S>>,
    /// The slot to begin with in the first block.
    pub first_start: Signal<Out, Bits<8>>,
    /// Four clocks later: a bit of the first block is set.
    pub first_found: Signal<In, Bit>,
    /// Four clocks later: its slot.
    pub first_index: Signal<In, Bits<8>>,
    /// Four clocks later: a bit is set.
    pub found: Signal<Out, Bit>,
    /// Four clocks later: its slot, if there is one.
    pub index: Signal<Out, Bits<S>>,

    run: Enable,
    finds: [Find; X],
    block: Signal<Local, Bits<K>>,
    #[new(4)]
    s4_start: Delay<Bits<S>>,
    some: [Signal<Local, Bit>; K],
    slot: [Signal<Local, Bits<8>>; K],
    any: Signal<Local, Bit>,
    place: Signal<Local, Bits<S>>,
    here: Signal<Local, Bits<B>>,
    at: Signal<Local, Bits<B>>,
    low: Signal<Local, Bits<8>>,
}

impl<const S: usize, const P: usize, const B: usize, const K: usize, const X: usize> Logic
    for Finds<S, P, B, K, X>
{
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.* <- self.*: clk, rst, next_run);

        self.block.next = bits::<K>(1) << self.start.val().get_bits::<B>(8);
        self.first_start.next =
            if self.block.val().get_bit(0) { self.start.val().get_bits::<8>(0) } else { 0.into() };
        self.some[0].next = self.first_found.val();
        self.slot[0].next = self.first_index.val();
        for x in 0..X {
            wire!(self.finds[x].* <- self.*: clk, rst, next_run);
            self.finds[x].vec.next = self.vec.val().get_bits::<256>(256 * x + 256);
            self.finds[x].start.next =
                if self.block.val().get_bit(x + 1) { self.start.val().get_bits::<8>(0) } else { 0.into() };
            self.some[x + 1].next = self.finds[x].found.val();
            self.slot[x + 1].next = self.finds[x].index.val();
        }

        // Clock 4.
        self.s4_start.delay = self.start.val();
        self.here.next = self.s4_start.q.val().get_bits::<B>(8);
        self.low.next = self.s4_start.q.val().get_bits::<8>(0);

        // The rest of the start's block, the blocks after it, those before it, and the start's block up to the start.
        self.any.next = false;
        self.place.next = 0.into();
        self.at.next = 0.into();
        for k in 0..K {
            if (self.at.val() == self.here.val())
                & self.some[k].val()
                & (self.slot[k].val() >= self.low.val())
            {
                self.any.next = true;
                self.place.next =
                    self.slot[k].val().get_bits::<S>(0) | (bit_cast::<S, B>(self.at.val()) << 8);
            }
            self.at.next = self.at.val() + 1;
        }
        self.at.next = 0.into();
        for k in 0..K {
            if !self.any.val() & (self.at.val() > self.here.val()) & self.some[k].val() {
                self.any.next = true;
                self.place.next =
                    self.slot[k].val().get_bits::<S>(0) | (bit_cast::<S, B>(self.at.val()) << 8);
            }
            self.at.next = self.at.val() + 1;
        }
        self.at.next = 0.into();
        for k in 0..K {
            if !self.any.val() & (self.at.val() <= self.here.val()) & self.some[k].val() {
                self.any.next = true;
                self.place.next =
                    self.slot[k].val().get_bits::<S>(0) | (bit_cast::<S, B>(self.at.val()) << 8);
            }
            self.at.next = self.at.val() + 1;
        }
        self.found.next = self.any.val();
        self.index.next = self.place.val();
    }
}
