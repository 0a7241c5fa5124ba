//! `weft_registers_totals`: the counters of 64 bits.

use crate::prelude::*;
use weft_params::registers::{COUNTERS_AT, pages};

/// Steps of a visit.
const BEGIN: u64 = 0;
const COUNT: u64 = 2;
const SINCE: u64 = 3;
const HIGH: u64 = 4;
const ADD: u64 = 5;
const CARRY: u64 = 6;
const END: u64 = 7;

/// The counters of 64 bits. A scanner visits all counters in turn, eight clocks each. A visit adds the events
/// that the block has counted since the last visit. A read is a visit, too, and its answer leaves too late
/// for the next one to be a read. In the first round after reset all counters begin at 0, and reads wait.
///
/// The memory has four words per counter: the block's count at the last visit, the low half, the high half,
/// and the high half at the time when software last read the low half.
#[derive(LogicBlock, BlockDefault)]
pub struct Totals {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset: all counters are 0.
    pub rst: Signal<In, Bit>,
    /// Offset of the access, in words.
    pub at: Signal<In, Bits<14>>,
    /// A read of a counter waits until its word is ready.
    pub asked: Signal<In, Bit>,
    /// A read of the low half clears the counter.
    pub clear: Signal<In, Bit>,
    /// The counter that is visited; a register.
    pub index: Signal<Out, Bits<7>>,
    /// A clock later: the count of its block.
    pub count: Signal<In, Bits<24>>,
    /// The counter has 24 bits; 0: 16 bits.
    pub wide: Signal<In, Bit>,
    /// The word is ready; a register.
    pub ready: Signal<Out, Bit>,
    /// The word, 0 if none is ready.
    pub word: Signal<Out, Bits<32>>,

    #[new(BEGIN.to_bits())]
    of_begin: Constant<Bits<3>>,
    #[new(COUNT.to_bits())]
    of_count: Constant<Bits<3>>,
    #[new(SINCE.to_bits())]
    of_since: Constant<Bits<3>>,
    #[new(HIGH.to_bits())]
    of_high: Constant<Bits<3>>,
    #[new(ADD.to_bits())]
    of_add: Constant<Bits<3>>,
    #[new(CARRY.to_bits())]
    of_carry: Constant<Bits<3>>,
    #[new(END.to_bits())]
    of_end: Constant<Bits<3>>,
    #[new((pages().iter().filter(|page| page.offset >= COUNTERS_AT).count() as u64 * 8 - 1).to_bits())]
    last: Constant<Bits<7>>,
    #[new(false, RamStyle::Block)]
    memory: RamSdp<Bits<32>, 9>,
    step: Reg<Bits<3>>,
    next_step: Signal<Local, Bits<3>>,
    begins: Signal<Local, Bit>,
    #[new(true)]
    first_round: Reg<Bit>,
    asks: Signal<Local, Bit>,
    asking: Reg<Bit>,
    scanned: Reg<Bits<7>>,
    visited: Pipe<Bits<7>>,
    of_high_half: Pipe<Bit>,
    clearing: Pipe<Bit>,
    part: Signal<Local, Bits<3>>,
    kept: Signal<Local, Bits<32>>,
    now: Pipe<Bits<24>>,
    now_wide: Pipe<Bit>,
    more: Signal<Local, Bits<24>>,
    since: Pipe<Bits<24>>,
    sum: Signal<Local, Bits<33>>,
    carry: Pipe<Bit>,
    low: Pipe<Bits<32>>,
    high: Pipe<Bits<32>>,
    held: Pipe<Bits<32>>,
    begun: Reg<Bit>,
    written: Pipe<Bits<7>>,
    wipes: Pipe<Bit>,
    holds: Pipe<Bit>,
    writes: Signal<Local, Bit>,
    new_word: Signal<Local, Bits<32>>,
    served: Reg<Bit>,
    answer: Pipe<Bits<32>>,
}

impl Logic for Totals {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Step 0: whose turn it is.
        self.next_step.next = self.step.q.val() + 1;
        self.step.reg = self.next_step.val();
        self.begins.next = self.step.q.val() == self.of_begin.val();
        self.asks.next = self.asked.val() & !self.first_round.q.val();
        self.asking.reg = when(self.begins.val(), self.asks.val());
        self.visited.pipe = when(
            self.begins.val(),
            if self.asks.val() { self.at.val().get_bits::<7>(1) } else { self.scanned.q.val() },
        );
        self.scanned.reg = when(
            self.begins.val() & !self.asks.val(),
            if self.scanned.q.val() == self.last.val() { 0.into() } else { self.scanned.q.val() + 1 },
        );
        self.of_high_half.pipe = when(self.begins.val(), self.at.val().get_bit(0));
        self.clearing.pipe =
            when(self.begins.val(), self.asks.val() & self.clear.val() & !self.at.val().get_bit(0));
        self.index.next = self.visited.q.val();
        self.first_round.reg =
            when((self.step.q.val() == self.of_end.val()) & (self.visited.q.val() == self.last.val()), false);

        // Steps 1 to 4 read the counter's words; step 1 also picks what its block has counted.
        self.part.next = self.step.q.val() - 1;
        self.memory.read = (bit_cast::<9, 7>(self.visited.q.val()) << 2)
            | bit_cast::<9, 2>(self.part.val().get_bits::<2>(0));
        self.kept.next = if self.first_round.q.val() { 0.into() } else { self.memory.rdata.val() };
        self.now.pipe = when(self.step.q.val() == self.of_count.val(), self.count.val());
        self.now_wide.pipe = when(self.step.q.val() == self.of_count.val(), self.wide.val());

        // Step 3: what it has counted since. The word of the last visit is where the low half comes a clock later.
        self.more.next = self.now.q.val() - self.low.q.val().get_bits::<24>(0);
        self.since.pipe = when(
            self.step.q.val() == self.of_since.val(),
            if self.now_wide.q.val() {
                self.more.val()
            } else {
                bit_cast::<24, 16>(self.more.val().get_bits::<16>(0))
            },
        );

        // Steps 5 and 6: both halves.
        self.sum.next = bit_cast::<33, 32>(self.low.q.val()) + bit_cast::<33, 24>(self.since.q.val());
        self.carry.pipe = when(self.step.q.val() == self.of_add.val(), self.sum.val().get_bit(32));
        self.low.pipe = when(
            (self.step.q.val() == self.of_count.val())
                | (self.step.q.val() == self.of_since.val())
                | (self.step.q.val() == self.of_add.val()),
            if self.step.q.val().get_bit(2) { self.sum.val().get_bits::<32>(0) } else { self.kept.val() },
        );
        self.high.pipe = when(
            (self.step.q.val() == self.of_high.val()) | (self.step.q.val() == self.of_carry.val()),
            if self.step.q.val().get_bit(1) {
                self.high.q.val() + bit_cast::<32, 1>(self.carry.q.val().into())
            } else {
                self.kept.val()
            },
        );
        self.held.pipe = when(self.step.q.val() == self.of_add.val(), self.kept.val());

        // Step 6: the word that was requested.
        self.served.reg = self.asked.val()
            & (self.served.q.val() | ((self.step.q.val() == self.of_carry.val()) & self.asking.q.val()));
        self.answer.pipe = when(
            self.step.q.val() == self.of_carry.val(),
            if self.of_high_half.q.val() { self.held.q.val() } else { self.low.q.val() },
        );
        self.ready.next = self.served.q.val();
        self.word.next = if self.served.q.val() { self.answer.q.val() } else { 0.into() };

        // Step 7 and the first three of the next visit write the words.
        self.begun.reg = when(self.step.q.val() == self.of_carry.val(), true);
        self.written.pipe = when(self.step.q.val() == self.of_carry.val(), self.visited.q.val());
        self.wipes.pipe = when(self.step.q.val() == self.of_carry.val(), self.clearing.q.val());
        self.holds.pipe = when(
            self.step.q.val() == self.of_carry.val(),
            self.first_round.q.val() | (self.asking.q.val() & !self.of_high_half.q.val()),
        );
        self.writes.next = self.begun.q.val()
            & !self.next_step.val().get_bit(2)
            & !(self.next_step.val().get_bits::<2>(0).all() & !self.holds.q.val());
        self.new_word.next = if !self.next_step.val().get_bits::<2>(0).any() {
            bit_cast::<32, 24>(self.now.q.val())
        } else if self.next_step.val().get_bit(1) {
            self.high.q.val()
        } else {
            self.low.q.val()
        };
        if self.wipes.q.val() & (self.next_step.val().get_bit(0) ^ self.next_step.val().get_bit(1)) {
            self.new_word.next = 0.into();
        }
        self.memory.write = when(
            self.writes.val(),
            (
                (bit_cast::<9, 7>(self.written.q.val()) << 2)
                    | bit_cast::<9, 2>(self.next_step.val().get_bits::<2>(0)),
                self.new_word.val(),
            ),
        );
    }
}
