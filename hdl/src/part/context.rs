//! `weft_*_context`: a word for every connection, read and written by one event per clock for any connection pattern.
//!
//! Stage 1 reads the RAM, 3 merges the results of older events since then, 4 computes, 5 writes. An event
//! uses the results of the four events before it: distances 4, 3 and 2 in stage 3, distance 1 in stage 4.

use crate::prelude::*;

/// A word for every connection, read and written by one event per clock for any connection pattern. Stage 1
/// reads the RAM, 3 merges the results of older events since then, 4 computes, 5 writes.
///
/// # Parameters
///
/// Words of `T`, `A` bits of connection number.
#[derive(LogicBlock, Default)]
pub struct Context<T: Synth, const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset. The words are undefined until written.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// Stage 1: an event; a register of the user.
    pub in_live: Signal<In, Bit>,
    /// Stage 1: connection of the event; a register of the user.
    pub in_id: Signal<In, Bits<A>>,
    /// Stage 4: the word before the event.
    pub prior: Signal<Out, T>,
    /// Stage 4: the word after the event.
    pub word: Signal<In, T>,
    /// Stage 5: the word after the event; a register.
    pub after: Signal<Out, T>,

    run: Enable,
    run_late: Enable,
    ram: RamSdp<T, A>,
    near1: Signal<Local, Bit>,
    near2: Signal<Local, Bit>,
    near3: Signal<Local, Bit>,
    near4: Signal<Local, Bit>,
    s2_live: Reg<Bit>,
    s2_id: Pipe<Bits<A>>,
    s2_near: Pipe<Bits<4>>,
    s3_live: Reg<Bit>,
    s3_id: Pipe<Bits<A>>,
    s3_near1: Pipe<Bit>,
    pick_low: Signal<Local, Bit>,
    pick_high: Signal<Local, Bit>,
    s3_pick: Pipe<Bits<2>>,
    s4_live: Reg<Bit>,
    s4_id: Pipe<Bits<A>>,
    s4_near1: Pipe<Bit>,
    s4_word: Pipe<T>,
    s5_live: Reg<Bit>,
    s5_id: Pipe<Bits<A>>,
    s5_word: Pipe<T>,
    s6_word: Pipe<T>,
    s7_word: Pipe<T>,
}

impl<T: Synth, const A: usize> Logic for Context<T, A> {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.*, self.run_late.* <- self.*: clk, rst, next_run);

        // Stage 1: read the word; which of the last four events are of this connection.
        self.ram.read = self.in_id.val();
        self.near1.next = self.s2_live.q.val() & (self.in_id.val() == self.s2_id.q.val());
        self.near2.next = self.s3_live.q.val() & (self.in_id.val() == self.s3_id.q.val());
        self.near3.next = self.s4_live.q.val() & (self.in_id.val() == self.s4_id.q.val());
        self.near4.next = self.s5_live.q.val() & (self.in_id.val() == self.s5_id.q.val());
        self.s2_live.reg = self.in_live.val();
        self.s2_id.pipe = self.in_id.val();
        self.s2_near.pipe = bit_cast::<4, 1>(self.near1.val().into())
            | (bit_cast::<4, 1>(self.near2.val().into()) << 1)
            | (bit_cast::<4, 1>(self.near3.val().into()) << 2)
            | (bit_cast::<4, 1>(self.near4.val().into()) << 3);

        // Stage 2: the RAM's output register.
        self.s3_live.reg = self.s2_live.q.val();
        self.s3_id.pipe = self.s2_id.q.val();
        self.s3_near1.pipe = self.s2_near.q.val().get_bit(0);
        // The youngest result that stage 3 can have, as a code: one LUT a bit there. Bit by bit, because yosys takes
        // a choice of constants for a state machine, codes it one-hot and needs three LUTs.
        self.pick_low.next = self.s2_near.q.val().get_bit(1)
            | (self.s2_near.q.val().get_bit(3) & !self.s2_near.q.val().get_bit(2));
        self.pick_high.next = !self.s2_near.q.val().get_bit(1)
            & (self.s2_near.q.val().get_bit(2) | self.s2_near.q.val().get_bit(3));
        self.s3_pick.pipe = bit_cast::<2, 1>(self.pick_low.val().into())
            | (bit_cast::<2, 1>(self.pick_high.val().into()) << 1);

        // Stage 3: the youngest result of the same connection, else the RAM's word.
        self.s4_live.reg = self.s3_live.q.val();
        self.s4_id.pipe = self.s3_id.q.val();
        self.s4_near1.pipe = self.s3_near1.q.val();
        self.s4_word.pipe = if self.s3_pick.q.val() == 1 {
            self.s5_word.q.val()
        } else if self.s3_pick.q.val() == 2 {
            self.s6_word.q.val()
        } else if self.s3_pick.q.val() == 3 {
            self.s7_word.q.val()
        } else {
            self.ram.rdata.val()
        };

        // Stage 4: the event just before may have written the word.
        self.prior.next = if self.s4_near1.q.val() { self.s5_word.q.val() } else { self.s4_word.q.val() };
        self.s5_live.reg = self.s4_live.q.val();
        self.s5_id.pipe = self.s4_id.q.val();
        self.s5_word.pipe = self.word.val();

        // Stage 5: write.
        self.ram.write =
            when(self.run.q.val() & self.s5_live.q.val(), (self.s5_id.q.val(), self.s5_word.q.val()));
        enable!(run_late.q);
        self.s6_word.pipe = self.s5_word.q.val();
        self.s7_word.pipe = self.s6_word.q.val();
        self.after.next = self.s5_word.q.val();
    }
}
