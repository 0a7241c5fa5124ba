//! `weft_receiver_timer`: requests an ACK for every connection whose packet has waited too long for one.

use super::words::{Flush, Mark, Waiting};
use crate::part::context::Context;
use crate::part::published::Published;
use crate::prelude::*;

/// Clocks during which the timer makes no request after the outcome of a control word.
const LONG: u64 = 15;

/// Requests an ACK for every connection whose packet has waited too long for one. Until the sweep after reset
/// is over, no outcome may arrive.
///
/// # Parameters
///
/// `A` bits of connection number, `S` of the scanner's: a round takes 2^S clocks.
#[derive(LogicBlock, BlockDefault)]
pub struct Timer<const A: usize, const S: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The time in ticks.
    pub now: Signal<In, Bits<32>>,
    /// Ticks that a packet may wait; 0: forever.
    pub timeout: Signal<In, Bits<16>>,
    /// Control enters the pipeline.
    pub control: Signal<In, Bit>,
    /// An outcome.
    pub mark_valid: Signal<In, Bit>,
    /// The change to the timer's entry.
    pub mark: Signal<In, Mark>,
    /// The sweep is over; a register.
    pub swept: Signal<Out, Bit>,
    /// The connection of the sweep; a register.
    pub sweep_id: Signal<Out, Bits<A>>,
    /// An ACK is requested; a register.
    pub flush_valid: Signal<Out, Bit>,
    /// The request is accepted.
    pub flush_ready: Signal<In, Bit>,
    /// The connection; a register.
    pub flush: Signal<Out, Flush>,

    waits: Context<Bit, A>,
    oldest: Published<Waiting, A>,
    #[new(LONG.to_bits())]
    long: Constant<Bits<4>>,
    scan_on: Signal<Local, Bit>,
    #[new(true)]
    sweeping: Reg<Bit>,
    sweep: Reg<Bits<A>>,
    taken: Signal<Local, Mark>,
    told: Signal<Local, Mark>,
    lives: Reg<Bits<4>>,
    s1_mark: Pipe<Mark>,
    first: Signal<Local, Mark>,
    s2_mark: Pipe<Mark>,
    #[new(2)]
    s4_mark: Delay<Mark>,
    fourth: Signal<Local, Mark>,
    waiting: Signal<Local, Waiting>,
    settled: Signal<Local, Bit>,
    controls: Reg<Bits<5>>,
    shut: Reg<Bits<4>>,
    scan: Reg<Bits<S>>,
    there: Signal<Local, Bit>,
    looks: Reg<Bits<2>>,
    #[new(3)]
    third_id: Delay<Bits<A>>,
    found: Signal<Local, Waiting>,
    waited: Reg<Bit>,
    age: Pipe<Bits<24>>,
    seen: Pipe<Waiting>,
    late: Signal<Local, Bit>,
    asking: Reg<Bit>,
    oldest_seen: Signal<Local, Waiting>,
    wish: Signal<Local, Flush>,
    asked: Pipe<Flush>,
}
impl<const A: usize, const S: usize> Logic for Timer<A, S> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // The scanner looks around while no wish of its own is unheard.
        self.scan_on.next = !self.asking.q.val();

        // After reset, a stop for every connection.
        self.sweeping.reg = when(self.sweep.q.val().all(), false);
        self.sweep.reg = when(self.sweeping.q.val(), self.sweep.q.val() + 1);
        self.swept.next = !self.sweeping.q.val();
        self.sweep_id.next = self.sweep.q.val();
        self.taken.next = self.mark.val();
        self.told.next.id =
            if self.sweeping.q.val() { bit_cast::<14, A>(self.sweep.q.val()) } else { self.taken.val().id };
        self.told.next.start = self.taken.val().start;
        self.told.next.stop = self.taken.val().stop | self.sweeping.q.val();
        wire!(self.told.next.* <- self.taken.val().*: control, psn, stamp, ev);

        // Bit i: a mark is in stage i + 1.
        self.lives.reg = (self.lives.q.val() << 1)
            | bit_cast::<4, 1>((self.mark_valid.val() | self.sweeping.q.val()).into());
        self.s1_mark.pipe = self.told.val();
        self.first.next = self.s1_mark.q.val();
        wire!(self.waits.* <- self.*: clk, rst);
        self.waits.next_run.next = true;
        self.waits.in_live.next = self.lives.q.val().get_bit(0);
        self.waits.in_id.next = self.first.val().id.get_bits::<A>(0);
        self.s2_mark.pipe = when(self.lives.q.val().get_bit(0), self.s1_mark.q.val());
        self.s4_mark.delay = self.s2_mark.q.val();

        // Stage 4: only the first packet that waits is remembered.
        self.fourth.next = self.s4_mark.q.val();
        self.waits.word.next = (self.waits.prior.val() | self.fourth.val().start) & !self.fourth.val().stop;
        self.waiting.next.some = !self.fourth.val().stop;
        self.waiting.next.since = self.now.val().get_bits::<24>(0);
        wire!(self.waiting.next.* <- self.fourth.val().*: psn, stamp, ev);
        self.oldest.clk.next = self.clk.val();
        self.oldest.run.next = self.scan_on.val();
        self.oldest.write = when(
            self.lives.q.val().get_bit(3)
                & (self.fourth.val().stop | (self.fourth.val().start & !self.waits.prior.val())),
            (self.fourth.val().id.get_bits::<A>(0), self.waiting.val()),
        );

        // While control is under way, and until the scanner has seen its effect, the timer requests no ACK: a
        // packet of an older opening would otherwise get one.
        self.settled.next = self.mark_valid.val() & self.taken.val().control;
        self.controls.reg = when(
            self.control.val() ^ self.settled.val(),
            if self.settled.val() { self.controls.q.val() - 1 } else { self.controls.q.val() + 1 },
        );
        self.shut.reg = if self.control.val() | self.controls.q.val().any() {
            self.long.val()
        } else if self.shut.q.val().any() {
            self.shut.q.val() - 1
        } else {
            self.shut.q.val()
        };

        // One connection per clock.
        self.scan.reg = when(self.scan_on.val(), self.scan.q.val() + 1);
        self.oldest.raddr.next = self.scan.q.val().get_bits::<A>(0);
        self.there.next = !self.sweeping.q.val()
            & (bit_cast::<S, A>(self.scan.q.val().get_bits::<A>(0)) == self.scan.q.val());
        self.looks.reg =
            when(self.scan_on.val(), (self.looks.q.val() << 1) | bit_cast::<2, 1>(self.there.val().into()));
        self.third_id.delay = when(self.scan_on.val(), self.scan.q.val().get_bits::<A>(0));
        self.found.next = self.oldest.rdata.val();
        self.waited.reg = when(self.scan_on.val(), self.found.val().some & self.looks.q.val().get_bit(1));
        self.age.pipe = when(self.scan_on.val(), self.now.val().get_bits::<24>(0) - self.found.val().since);
        self.seen.pipe = when(self.scan_on.val(), self.found.val());

        // Too old: ask. The time that it waited is no part of the round trip.
        self.late.next = self.waited.q.val()
            & self.timeout.val().any()
            & (self.age.q.val() >= bit_cast::<24, 16>(self.timeout.val()));
        self.asking.reg = if self.asking.q.val() {
            !self.flush_ready.val() & !self.shut.q.val().any()
        } else {
            self.late.val() & !self.shut.q.val().any()
        };
        self.oldest_seen.next = self.seen.q.val();
        self.wish.next.id = bit_cast::<14, A>(self.third_id.q.val());
        self.wish.next.psn = self.oldest_seen.val().psn;
        self.wish.next.stamp = self.oldest_seen.val().stamp + self.age.q.val().get_bits::<16>(0);
        self.wish.next.ev = self.oldest_seen.val().ev;
        self.asked.pipe = when(self.scan_on.val(), self.wish.val());
        self.flush_valid.next = self.asking.q.val();
        self.flush.next = self.asked.q.val();
    }
}
