//! `weft_sack_tx_scanner`: looks at one retransmission timer per clock.

use super::words::Timer;
use crate::part::published::Published;
use crate::prelude::*;

/// Looks at one retransmission timer per clock.
///
/// # Parameters
///
/// `A` bits of connection number; a round takes 2^R clocks, `R` at least 6 and at least `A`.
#[derive(LogicBlock, BlockDefault)]
pub struct Scanner<const A: usize, const R: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// Events may enter; before, timers mean nothing.
    pub settled: Signal<In, Bit>,
    /// The time in ticks.
    pub now: Signal<In, Bits<24>>,
    /// CSR: RTO in ticks.
    pub rto: Signal<In, Bits<16>>,
    /// CSR: the RTO doubles at most so often.
    pub backoff_limit: Signal<In, Bits<3>>,
    /// A timer is written.
    pub write: Signal<In, Bit>,
    /// Of this connection.
    pub write_id: Signal<In, Bits<A>>,
    /// The timer.
    pub timer: Signal<In, Timer>,
    /// The request is taken.
    pub timed_out: Signal<In, Bit>,
    /// A timer has expired; a register, as the next.
    pub valid: Signal<Out, Bit>,
    /// Of this connection.
    pub id: Signal<Out, Bits<A>>,

    timers: Published<Timer, A>,
    moves: Signal<Local, Bit>,
    turn: Reg<Bits<R>>,
    turn_id: Signal<Local, Bits<A>>,
    stages: Reg<Bits<3>>,
    #[new(3)]
    third_id: Delay<Bits<A>>,
    read: Signal<Local, Timer>,
    doublings: Signal<Local, Bits<3>>,
    armed: Pipe<Bit>,
    age: Pipe<Bits<24>>,
    limit: Pipe<Bits<24>>,
    asked: Reg<Bit>,
    asked_id: Pipe<Bits<A>>,
}
impl<const A: usize, const R: usize> Logic for Scanner<A, R> {
    #[clocked(en = moves)]
    #[hdl_gen]
    fn update(&mut self) {
        self.moves.next = self.run.val() & !self.asked.q.val() & self.settled.val();
        self.turn.reg = self.turn.q.val() + 1;
        self.turn_id.next = self.turn.q.val().get_bits::<A>(0);
        self.timers.clk.next = self.clk.val();
        self.timers.run.next = self.moves.val();
        self.timers.write = when(self.run.val() & self.write.val(), (self.write_id.val(), self.timer.val()));
        self.timers.raddr.next = self.turn_id.val();
        // Bit i: a timer is i + 1 clocks behind its read.
        self.stages.reg = (self.stages.q.val() << 1)
            | bit_cast::<3, 1>((bit_cast::<R, A>(self.turn_id.val()) == self.turn.q.val()).into());
        self.third_id.delay = self.turn_id.val();

        // Two clocks later, its age and what it may be.
        self.read.next = self.timers.rdata.val();
        self.doublings.next = if self.read.val().retries > bit_cast::<10, 3>(self.backoff_limit.val()) {
            self.backoff_limit.val()
        } else {
            self.read.val().retries.get_bits::<3>(0)
        };
        self.armed.pipe = self.read.val().armed;
        self.age.pipe = self.now.val() - self.read.val().since;
        self.limit.pipe = bit_cast::<24, 16>(self.rto.val()) << self.doublings.val();

        self.asked.reg = when(
            self.moves.val() | self.timed_out.val(),
            self.moves.val()
                & self.stages.q.val().get_bit(2)
                & self.armed.q.val()
                & (self.age.q.val() >= self.limit.q.val()),
        );
        self.asked_id.pipe = self.third_id.q.val();
        self.valid.next = self.asked.q.val();
        self.id.next = self.asked_id.q.val();
    }
}
