//! `weft_sack_tx_scanner`: reads the timers of one connection per clock.

use super::words::Timer;
use crate::part::published::Published;
use crate::prelude::*;

/// Codes of the events that the scanner requests.
const TIMEOUT: u64 = 7;
const EPOCH: u64 = 8;
const PROBE: u64 = 9;

/// Reads the timers of one connection per clock and requests their events. If both timers have expired, it
/// requests the event of the earlier one.
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
    /// Events may enter. Timers have no meaning before.
    pub settled: Signal<In, Bit>,
    /// The time in ticks.
    pub now: Signal<In, Bits<24>>,
    /// CSR: RTO of each class in ticks.
    pub rto: Signal<In, Bits<64>>,
    /// A timer is written.
    pub write: Signal<In, Bit>,
    /// Connection of the timer.
    pub write_id: Signal<In, Bits<A>>,
    /// The timer.
    pub timer: Signal<In, Timer>,
    /// The pipeline accepts the event.
    pub timed_out: Signal<In, Bit>,
    /// An event is requested; a register, like the next two ports.
    pub valid: Signal<Out, Bit>,
    /// Connection of the event.
    pub id: Signal<Out, Bits<A>>,
    /// Kind of the event.
    pub kind: Signal<Out, Bits<4>>,
    /// The EPOCH is late in a silence.
    pub silence: Signal<Out, Bit>,

    #[new(TIMEOUT.to_bits())]
    a_timeout: Constant<Bits<4>>,
    #[new(EPOCH.to_bits())]
    an_epoch: Constant<Bits<4>>,
    #[new(PROBE.to_bits())]
    a_probe: Constant<Bits<4>>,

    timers: Published<Timer, A>,
    moves: Signal<Local, Bit>,
    turn: Reg<Bits<R>>,
    turn_id: Signal<Local, Bits<A>>,
    stages: Reg<Bits<4>>,
    #[new(4)]
    fourth_id: Delay<Bits<A>>,
    read: Signal<Local, Timer>,
    armed: Pipe<Bit>,
    age: Pipe<Bits<24>>,
    limit: Pipe<Bits<24>>,
    rto_at: Signal<Local, Bits<6>>,
    rto_of: Signal<Local, Bits<16>>,
    three: Signal<Local, Bits<17>>,
    several: Signal<Local, Bit>,
    whole: Signal<Local, Bits<18>>,
    rest: Signal<Local, Bits<18>>,
    early: Pipe<Bits<18>>,
    last: Pipe<Bit>,
    spent: Pipe<Bit>,
    elapsed: Pipe<Bits<16>>,
    epoch: Pipe<Bits<15>>,
    runs: Pipe<Bit>,
    ends: Pipe<Bit>,
    quiet: Pipe<Bit>,
    beyond: Pipe<Bits<17>>,
    late: Pipe<Bits<25>>,
    over: Signal<Local, Bit>,
    silent: Signal<Local, Bit>,
    first: Signal<Local, Bit>,
    asked: Reg<Bit>,
    asked_id: Pipe<Bits<A>>,
    asked_for: Pipe<Bits<4>>,
    asked_late: Pipe<Bit>,
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
            | bit_cast::<4, 1>((bit_cast::<R, A>(self.turn_id.val()) == self.turn.q.val()).into());
        self.fourth_id.delay = self.turn_id.val();

        // Two clocks later: age of the timer, and its limits.
        self.read.next = self.timers.rdata.val();
        self.armed.pipe = self.read.val().armed;
        self.age.pipe = self.now.val() - self.read.val().since;
        self.rto_at.next = bit_cast::<6, 2>(self.read.val().class) << 4;
        self.rto_of.next = self.rto.val().get_bits::<16>(self.rto_at.val().index());
        self.three.next =
            bit_cast::<17, 15>(self.read.val().epoch) + (bit_cast::<17, 15>(self.read.val().epoch) << 1);
        self.several.next = self.read.val().probes.get_bits::<2>(1).any();
        self.limit.pipe = if self.several.val() {
            bit_cast::<24, 16>(self.rto_of.val()) << self.read.val().doublings
        } else if self.read.val().probes.get_bit(0) {
            bit_cast::<24, 17>(self.three.val()) << 1
        } else {
            bit_cast::<24, 17>(self.three.val())
        };
        // Two epochs and a half, or five.
        self.whole.next = bit_cast::<18, 15>(self.read.val().epoch) << 1;
        self.rest.next = bit_cast::<18, 15>(self.read.val().epoch) >> 1;
        if self.several.val() {
            self.whole.next = bit_cast::<18, 15>(self.read.val().epoch) << 2;
            self.rest.next = bit_cast::<18, 15>(self.read.val().epoch);
        }
        self.early.pipe = self.whole.val() + self.rest.val();
        self.last.pipe = self.several.val();
        self.spent.pipe = self.read.val().probes.all();
        self.elapsed.pipe = self.now.val().get_bits::<16>(0) - self.read.val().begun;
        self.epoch.pipe = self.read.val().epoch;

        // A clock later: the time since an event is due; negative if it is not due.
        self.runs.pipe = self.armed.q.val();
        self.ends.pipe = self.last.q.val();
        self.quiet.pipe = !self.spent.q.val() & (self.age.q.val() >= bit_cast::<24, 18>(self.early.q.val()));
        self.beyond.pipe = bit_cast::<17, 16>(self.elapsed.q.val()) - bit_cast::<17, 15>(self.epoch.q.val());
        self.late.pipe = bit_cast::<25, 24>(self.age.q.val()) - bit_cast::<25, 24>(self.limit.q.val());
        self.over.next = !self.beyond.q.val().get_bit(16);
        self.silent.next = !self.late.q.val().get_bit(24);
        self.first.next =
            bit_cast::<24, 16>(self.beyond.q.val().get_bits::<16>(0)) >= self.late.q.val().get_bits::<24>(0);

        self.asked.reg = when(
            self.moves.val() | self.timed_out.val(),
            self.moves.val()
                & self.stages.q.val().get_bit(3)
                & self.runs.q.val()
                & (self.silent.val() | self.over.val()),
        );
        self.asked_id.pipe = self.fourth_id.q.val();
        self.asked_for.pipe = if self.over.val() & (!self.silent.val() | self.first.val()) {
            self.an_epoch.val()
        } else if self.ends.q.val() {
            self.a_timeout.val()
        } else {
            self.a_probe.val()
        };
        self.asked_late.pipe = self.quiet.q.val();
        self.kind.next = self.asked_for.q.val();
        self.silence.next = self.asked_late.q.val();
        self.valid.next = self.asked.q.val();
        self.id.next = self.asked_id.q.val();
    }
}
