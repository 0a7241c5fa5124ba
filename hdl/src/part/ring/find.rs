//! `weft_*_find`: the first set bit of a ring at or after a slot, with wrap-around.

use super::first::First;
use crate::prelude::*;

/// The first set bit of a ring at or after a slot, with wrap-around. The search has groups of 16 slots: first the
/// start's group from the start on, then the groups after it, then the groups from 0 on. The last group in
/// reach is the start's group again.
#[derive(LogicBlock, Default)]
pub struct Find {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset of the enable.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// The ring.
    pub vec: Signal<In, Bits<256>>,
    /// The slot to begin with.
    pub start: Signal<In, Bits<8>>,
    /// Four clocks later: a bit is set; a register.
    pub found: Signal<Out, Bit>,
    /// Four clocks later: its slot, if there is one; a register.
    pub index: Signal<Out, Bits<8>>,

    run: Enable,
    start_group: Signal<Local, Bits<4>>,
    some: Signal<Local, Bits<16>>,
    start_word: Signal<Local, Bits<16>>,
    s1_vec: Pipe<Bits<256>>,
    s1_start_group: Pipe<Bits<4>>,
    s1_upper: Pipe<Bits<16>>,
    s1_some: Pipe<Bits<16>>,
    s1_after: Pipe<Bits<16>>,
    first_after: First,
    first_some: First,
    group: Signal<Local, Bits<4>>,
    s2_vec: Pipe<Bits<256>>,
    s2_upper: Pipe<Bits<16>>,
    s2_in_upper: Pipe<Bit>,
    s2_group: Pipe<Bits<4>>,
    group_word: Signal<Local, Bits<16>>,
    s3_word: Pipe<Bits<16>>,
    s3_group: Pipe<Bits<4>>,
    first_slot: First,
    s4_found: Pipe<Bit>,
    s4_index: Pipe<Bits<8>>,
}

impl Logic for Find {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.* <- self.*: clk, rst, next_run);

        // Clock 1: the start's group from the start on; the groups with a bit, and those of them after the start's.
        self.start_group.next = self.start.val().get_bits::<4>(4);
        self.start_word.next =
            (self.vec.val() >> (bit_cast::<8, 4>(self.start_group.val()) << 4)).get_bits::<16>(0);
        self.some.next = 0.into();
        for g in 0..16 {
            self.some.next = self.some.val().replace_bit(g, self.vec.val().get_bits::<16>(16 * g).any());
        }
        self.s1_vec.pipe = self.vec.val();
        self.s1_start_group.pipe = self.start_group.val();
        self.s1_upper.pipe =
            self.start_word.val() & (bits::<16>(0xFFFF) << self.start.val().get_bits::<4>(0));
        self.s1_some.pipe = self.some.val();
        self.s1_after.pipe = self.some.val() & (bits::<16>(0xFFFE) << self.start_group.val());

        // Clock 2: the group.
        self.first_after.vec.next = self.s1_after.q.val();
        self.first_some.vec.next = self.s1_some.q.val();
        self.group.next = if self.s1_upper.q.val().any() {
            self.s1_start_group.q.val()
        } else if self.first_after.found.val() {
            self.first_after.index.val()
        } else {
            self.first_some.index.val()
        };
        self.s2_vec.pipe = self.s1_vec.q.val();
        self.s2_upper.pipe = self.s1_upper.q.val();
        self.s2_in_upper.pipe = self.s1_upper.q.val().any();
        self.s2_group.pipe = self.group.val();

        // Clock 3: its word.
        self.group_word.next =
            (self.s2_vec.q.val() >> (bit_cast::<8, 4>(self.s2_group.q.val()) << 4)).get_bits::<16>(0);
        self.s3_word.pipe =
            if self.s2_in_upper.q.val() { self.s2_upper.q.val() } else { self.group_word.val() };
        self.s3_group.pipe = self.s2_group.q.val();

        // Clock 4: the first bit in it.
        self.first_slot.vec.next = self.s3_word.q.val();
        self.s4_found.pipe = self.first_slot.found.val();
        self.s4_index.pipe =
            (bit_cast::<8, 4>(self.s3_group.q.val()) << 4) | bit_cast::<8, 4>(self.first_slot.index.val());
        self.found.next = self.s4_found.q.val();
        self.index.next = self.s4_index.q.val();
    }
}
