//! `weft_receiver_timer`: asks for an ACK for every connection that has kept one waiting too long.

use super::words::{Flush, Mark, Waiting};
use crate::part::context::Context;
use crate::part::published::Published;
use crate::prelude::*;

/// Clocks that the timer keeps quiet behind the outcome of control.
const LONG: u64 = 15;

/// Asks for an ACK for every connection that has kept one waiting too long. Before the sweep after reset is
/// over, no outcome may come.
///
/// # Parameters
///
/// `A` bits of connection number, `S` of the scanner's: a round takes 2^S clocks.
#[derive(LogicBlock)]
pub struct Timer<const A: usize, const S: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The time in ticks.
    pub now: Signal<In, Bits<32>>,
    /// Ticks that a packet may wait; 0: for ever.
    pub timeout: Signal<In, Bits<16>>,
    /// Control enters the pipeline.
    pub control: Signal<In, Bit>,
    /// An outcome.
    pub mark_valid: Signal<In, Bit>,
    /// What it does here.
    pub mark: Signal<In, Mark>,
    /// The sweep is over; a register.
    pub swept: Signal<Out, Bit>,
    /// An ACK is asked for; a register.
    pub flush_valid: Signal<Out, Bit>,
    /// The wish is heard.
    pub flush_ready: Signal<In, Bit>,
    /// For whom; a register.
    pub flush: Signal<Out, Flush>,

    waits: Context<Bit, A>,
    oldest: Published<Waiting, A>,
    long: Constant<Bits<4>>,
    scan_on: Signal<Local, Bit>,
    sweeping: Reg<Bit>,
    sweep: Reg<Bits<A>>,
    taken: Signal<Local, Mark>,
    told: Signal<Local, Mark>,
    lives: Reg<Bits<4>>,
    s1_mark: Pipe<Mark>,
    first: Signal<Local, Mark>,
    s4_mark: Delay<Mark>,
    fourth: Signal<Local, Mark>,
    waiting: Signal<Local, Waiting>,
    settled: Signal<Local, Bit>,
    controls: Reg<Bits<5>>,
    shut: Reg<Bits<4>>,
    scan: Reg<Bits<S>>,
    there: Signal<Local, Bit>,
    looks: Reg<Bits<2>>,
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
impl<const A: usize, const S: usize> Default for Timer<A, S> {
    fn default() -> Self {
        Timer {
            clk: Default::default(),
            rst: Default::default(),
            now: Default::default(),
            timeout: Default::default(),
            control: Default::default(),
            mark_valid: Default::default(),
            mark: Default::default(),
            swept: Default::default(),
            flush_valid: Default::default(),
            flush_ready: Default::default(),
            flush: Default::default(),
            waits: Default::default(),
            oldest: Default::default(),
            long: Constant::new(LONG.to_bits()),
            scan_on: Default::default(),
            sweeping: Reg::new(true),
            sweep: Default::default(),
            taken: Default::default(),
            told: Default::default(),
            lives: Default::default(),
            s1_mark: Default::default(),
            first: Default::default(),
            s4_mark: Delay::new(3),
            fourth: Default::default(),
            waiting: Default::default(),
            settled: Default::default(),
            controls: Default::default(),
            shut: Default::default(),
            scan: Default::default(),
            there: Default::default(),
            looks: Default::default(),
            third_id: Delay::new(3),
            found: Default::default(),
            waited: Default::default(),
            age: Default::default(),
            seen: Default::default(),
            late: Default::default(),
            asking: Default::default(),
            oldest_seen: Default::default(),
            wish: Default::default(),
            asked: Default::default(),
        }
    }
}

impl<const A: usize, const S: usize> Logic for Timer<A, S> {
    #[hdl_gen]
    fn update(&mut self) {
        // The scanner looks around while no wish of its own is unheard.
        self.scan_on.next = !self.asking.q.val();

        // After reset, a stop for every connection.
        self.sweeping.clk.next = self.clk.val();
        self.sweeping.rst.next = self.rst.val();
        self.sweeping.en.next = self.sweep.q.val().all();
        self.sweeping.d.next = false;
        self.sweep.clk.next = self.clk.val();
        self.sweep.rst.next = self.rst.val();
        self.sweep.en.next = self.sweeping.q.val();
        self.sweep.d.next = self.sweep.q.val() + 1;
        self.swept.next = !self.sweeping.q.val();
        self.taken.next = self.mark.val();
        self.told.next.id = self.taken.val().id;
        if self.sweeping.q.val() {
            self.told.next.id = bit_cast::<12, A>(self.sweep.q.val());
        }
        self.told.next.start = self.taken.val().start;
        self.told.next.stop = self.taken.val().stop | self.sweeping.q.val();
        self.told.next.control = self.taken.val().control;
        self.told.next.psn = self.taken.val().psn;
        self.told.next.stamp = self.taken.val().stamp;
        self.told.next.ev = self.taken.val().ev;

        // Bit i: a mark is in stage i + 1.
        self.lives.clk.next = self.clk.val();
        self.lives.rst.next = self.rst.val();
        self.lives.en.next = true;
        self.lives.d.next = (self.lives.q.val() << 1)
            | bit_cast::<4, 1>((self.mark_valid.val() | self.sweeping.q.val()).into());
        self.s1_mark.clk.next = self.clk.val();
        self.s1_mark.en.next = true;
        self.s1_mark.d.next = self.told.val();
        self.first.next = self.s1_mark.q.val();
        self.waits.clk.next = self.clk.val();
        self.waits.rst.next = self.rst.val();
        self.waits.run.next = true;
        self.waits.in_live.next = self.lives.q.val().get_bit(0);
        self.waits.in_id.next = self.first.val().id.get_bits::<A>(0);
        self.s4_mark.clk.next = self.clk.val();
        self.s4_mark.en.next = true;
        self.s4_mark.d.next = self.s1_mark.q.val();

        // Stage 4: only the first packet that waits is remembered.
        self.fourth.next = self.s4_mark.q.val();
        self.waits.word.next = (self.waits.prior.val() | self.fourth.val().start) & !self.fourth.val().stop;
        self.waiting.next.some = !self.fourth.val().stop;
        self.waiting.next.since = self.now.val().get_bits::<24>(0);
        self.waiting.next.psn = self.fourth.val().psn;
        self.waiting.next.stamp = self.fourth.val().stamp;
        self.waiting.next.ev = self.fourth.val().ev;
        self.oldest.clk.next = self.clk.val();
        self.oldest.run.next = self.scan_on.val();
        self.oldest.we.next = self.lives.q.val().get_bit(3)
            & (self.fourth.val().stop | (self.fourth.val().start & !self.waits.prior.val()));
        self.oldest.waddr.next = self.fourth.val().id.get_bits::<A>(0);
        self.oldest.wdata.next = self.waiting.val();

        // While control is under way, and until the scanner has seen what it did, nothing is asked for: no ACK may speak
        // of a packet of an older opening.
        self.settled.next = self.mark_valid.val() & self.taken.val().control;
        self.controls.clk.next = self.clk.val();
        self.controls.rst.next = self.rst.val();
        self.controls.en.next = self.control.val() ^ self.settled.val();
        self.controls.d.next = self.controls.q.val() + 1;
        if self.settled.val() {
            self.controls.d.next = self.controls.q.val() - 1;
        }
        self.shut.clk.next = self.clk.val();
        self.shut.rst.next = self.rst.val();
        self.shut.en.next = true;
        self.shut.d.next = self.shut.q.val();
        if self.control.val() | self.controls.q.val().any() {
            self.shut.d.next = self.long.val();
        } else if self.shut.q.val().any() {
            self.shut.d.next = self.shut.q.val() - 1;
        }

        // One connection per clock.
        self.scan.clk.next = self.clk.val();
        self.scan.rst.next = self.rst.val();
        self.scan.en.next = self.scan_on.val();
        self.scan.d.next = self.scan.q.val() + 1;
        self.oldest.raddr.next = self.scan.q.val().get_bits::<A>(0);
        self.there.next = !self.sweeping.q.val()
            & (bit_cast::<S, A>(self.scan.q.val().get_bits::<A>(0)) == self.scan.q.val());
        self.looks.clk.next = self.clk.val();
        self.looks.rst.next = self.rst.val();
        self.looks.en.next = self.scan_on.val();
        self.looks.d.next = (self.looks.q.val() << 1) | bit_cast::<2, 1>(self.there.val().into());
        self.third_id.clk.next = self.clk.val();
        self.third_id.en.next = self.scan_on.val();
        self.third_id.d.next = self.scan.q.val().get_bits::<A>(0);
        self.found.next = self.oldest.rdata.val();
        self.waited.clk.next = self.clk.val();
        self.waited.rst.next = self.rst.val();
        self.waited.en.next = self.scan_on.val();
        self.waited.d.next = self.found.val().some & self.looks.q.val().get_bit(1);
        self.age.clk.next = self.clk.val();
        self.age.en.next = self.scan_on.val();
        self.age.d.next = self.now.val().get_bits::<24>(0) - self.found.val().since;
        self.seen.clk.next = self.clk.val();
        self.seen.en.next = self.scan_on.val();
        self.seen.d.next = self.found.val();

        // Too old: ask. The time that it waited is no part of the round trip.
        self.late.next = self.waited.q.val()
            & self.timeout.val().any()
            & (self.age.q.val() >= bit_cast::<24, 16>(self.timeout.val()));
        self.asking.clk.next = self.clk.val();
        self.asking.rst.next = self.rst.val();
        self.asking.en.next = true;
        self.asking.d.next = self.late.val() & !self.shut.q.val().any();
        if self.asking.q.val() {
            self.asking.d.next = !self.flush_ready.val() & !self.shut.q.val().any();
        }
        self.oldest_seen.next = self.seen.q.val();
        self.wish.next.id = bit_cast::<12, A>(self.third_id.q.val());
        self.wish.next.psn = self.oldest_seen.val().psn;
        self.wish.next.stamp = self.oldest_seen.val().stamp + self.age.q.val().get_bits::<16>(0);
        self.wish.next.ev = self.oldest_seen.val().ev;
        self.asked.clk.next = self.clk.val();
        self.asked.en.next = self.scan_on.val();
        self.asked.d.next = self.wish.val();
        self.flush_valid.next = self.asking.q.val();
        self.flush.next = self.asked.q.val();
    }
}
