//! `weft_registers_status`: the state of every connection, and the events that report its changes.

use super::words::Standing;
use crate::part::fifo::Fifo;
use crate::part::published::Published;
use crate::prelude::*;

/// Steps of a report: choose the report, read the connection's word, get the word from the RAM. The new word is written
/// while the next report is chosen.
const READ: u64 = 1;
const TAKE: u64 = 2;

/// Kinds of reports, in the order of the turns. A failure of the sender has no turn: it has priority over all
/// turns.
const FREEZE: u64 = 0;
const BREACH: u64 = 1;
const BUFFER: u64 = 2;
const CONTROL: u64 = 3;
const DRAINED: u64 = 4;
const EVENT: u64 = 5;
const FAILURE: u64 = 6;

/// The state of every connection, and the events that report changes of it. A report takes four clocks, and
/// one can begin every three. A connection waits in the queue of events at most once, so the queue has a
/// place for each connection, and reports never wait for the host.
///
/// # Parameters
///
/// `A` bits of connection number, `B = A + 1`.
#[derive(LogicBlock, BlockDefault)]
pub struct Status<const A: usize, const B: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset. Afterwards a sweep clears all connections, one per clock.
    pub rst: Signal<In, Bit>,
    /// The sender reports a connection that it has ended.
    pub failed_valid: Signal<In, Bit>,
    /// The block accepts the report.
    pub failed_ready: Signal<Out, Bit>,
    /// Connection that has ended.
    pub failed_id: Signal<In, Bits<A>>,
    /// The peer denied a packet; 0: the peer did not answer.
    pub failed: Signal<In, Bit>,
    /// The sender reports that a freeze began or ended.
    pub freeze_valid: Signal<In, Bit>,
    /// The block accepts the report.
    pub freeze_ready: Signal<Out, Bit>,
    /// Connection of the freeze.
    pub freeze_id: Signal<In, Bits<A>>,
    /// The freeze began; 0: it ended.
    pub freeze: Signal<In, Bit>,
    /// The receiver reports a packet that was not permitted to write to its address.
    pub breach_valid: Signal<In, Bit>,
    /// The block accepts the report.
    pub breach_ready: Signal<Out, Bit>,
    /// Connection of the packet.
    pub breach_id: Signal<In, Bits<A>>,
    /// The host reports the state of a connection's buffer.
    pub buffer_valid: Signal<In, Bit>,
    /// The block accepts the word.
    pub buffer_ready: Signal<Out, Bit>,
    /// Connection of the buffer.
    pub buffer_id: Signal<In, Bits<A>>,
    /// 0 the buffer accepts packets, 1 it does not accept packets, 2 or 3 it failed.
    pub buffer: Signal<In, Bits<2>>,
    /// The sender reports a connection that drains and has no outstanding work.
    pub drained_valid: Signal<In, Bit>,
    /// The block accepts the report.
    pub drained_ready: Signal<Out, Bit>,
    /// Connection that has drained.
    pub drained_id: Signal<In, Bits<A>>,
    /// COMMAND opens or closes a connection.
    pub control_valid: Signal<In, Bit>,
    /// The block accepts the command: no earlier event of the connection is on offer.
    pub control_ready: Signal<Out, Bit>,
    /// Connection of the command.
    pub control_id: Signal<In, Bits<A>>,
    /// The command opens the connection; 0: it closes the connection.
    pub control_open: Signal<In, Bit>,
    /// The connection that software requests; a register.
    pub query: Signal<In, Bits<A>>,
    /// Two clocks later: state of the connection; 0 until the sweep is over.
    pub state: Signal<Out, Bits<8>>,
    /// Two clocks later: freezes since the connection was opened in bits 7:0, causes of the last failure in 11:8.
    pub history: Signal<Out, Bits<12>>,
    /// New treatment of a connection's packets; the receiver always accepts. A register, like the next two ports.
    pub bar_valid: Signal<Out, Bit>,
    /// Connection of the packets.
    pub bar_id: Signal<Out, Bits<A>>,
    /// Bit 0: hold the packets back; bit 1: deny them.
    pub bar: Signal<Out, Bits<2>>,
    /// A connection has failed at this end; a register, like the next two ports.
    pub failure_valid: Signal<Out, Bit>,
    /// The sender accepts the report.
    pub failure_ready: Signal<In, Bit>,
    /// Connection that has failed.
    pub failure_id: Signal<Out, Bits<A>>,
    /// The buffer failed; 0: a packet of the peer was not permitted to write to its address.
    pub failure: Signal<Out, Bit>,
    /// An event is offered; a register, like the next two ports, which have no reset.
    pub told_valid: Signal<Out, Bit>,
    /// The host accepts the event.
    pub told_ready: Signal<In, Bit>,
    /// Connection of the event.
    pub told_id: Signal<Out, Bits<A>>,
    /// State of the connection.
    pub told: Signal<Out, Bits<8>>,

    #[new(READ.to_bits())]
    read: Constant<Bits<2>>,
    #[new(TAKE.to_bits())]
    take: Constant<Bits<2>>,
    #[new(FREEZE.to_bits())]
    is_freeze: Constant<Bits<3>>,
    #[new(BREACH.to_bits())]
    is_breach: Constant<Bits<3>>,
    #[new(BUFFER.to_bits())]
    is_buffer: Constant<Bits<3>>,
    #[new(CONTROL.to_bits())]
    is_control: Constant<Bits<3>>,
    #[new(DRAINED.to_bits())]
    is_drained: Constant<Bits<3>>,
    #[new(EVENT.to_bits())]
    is_event: Constant<Bits<3>>,
    #[new(FAILURE.to_bits())]
    is_failure: Constant<Bits<3>>,
    #[new(true)]
    sweeping: Reg<Bit>,
    swept: Reg<Bits<A>>,
    taken: Signal<Local, Bit>,
    chosen: Signal<Local, Bit>,
    fault: Reg<Bit>,
    fault_id: Pipe<Bits<A>>,
    fault_denied: Pipe<Bit>,
    step: Reg<Bits<2>>,
    choosing: Signal<Local, Bit>,
    turns: Signal<Local, Bit>,
    turn: Reg<Bits<3>>,
    begins: Signal<Local, Bit>,
    kind: Pipe<Bits<3>>,
    id: Pipe<Bits<A>>,
    what: Pipe<Bits<2>>,
    #[new(false, RamStyle::Block)]
    standings: RamSdp<Standing, A>,
    shown: Published<Bits<20>, A>,
    prior: Pipe<Standing>,
    next: Signal<Local, Standing>,
    written: Signal<Local, Standing>,
    news: Signal<Local, Bit>,
    writes: Reg<Bit>,
    place: Signal<Local, Bits<A>>,
    failing: Signal<Local, Bit>,
    had_failed: Signal<Local, Bit>,
    fails: Signal<Local, Bit>,
    failures: Fifo<Bits<B>, A, B>,
    clear: Reg<Bit>,
    treatment: Signal<Local, Bits<2>>,
    summary: Signal<Local, Bits<8>>,
    whole: Signal<Local, Bits<20>>,
    freezes: Signal<Local, Bit>,
    causes: Signal<Local, Bits<4>>,
    tells: Signal<Local, Bit>,
    queue: Fifo<Bits<A>, A, B>,
    pops: Signal<Local, Bit>,
    offers: Reg<Bit>,
    untold: Signal<Local, Bit>,
    offered_id: Pipe<Bits<A>>,
    offered: Pipe<Bits<8>>,
    bars: Reg<Bit>,
    bar_for: Pipe<Bits<A>>,
    bar_word: Pipe<Bits<2>>,
    known: Reg<Bits<2>>,
}

impl<const A: usize, const B: usize> Logic for Status<A, B> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // After reset nothing is known of any connection.
        self.sweeping.reg = when(self.swept.q.val().all(), false);
        self.swept.reg = when(self.sweeping.q.val(), self.swept.q.val() + 1);

        // A failure that the sender tells waits here, so that it comes first.
        self.choosing.next = !self.step.q.val().any() & !self.sweeping.q.val();
        self.chosen.next = self.choosing.val() & self.fault.q.val();
        self.failed_ready.next = !self.fault.q.val();
        self.taken.next = self.failed_valid.val() & !self.fault.q.val();
        self.fault.reg = when(self.taken.val() | self.chosen.val(), self.taken.val());
        self.fault_id.pipe = when(self.taken.val(), self.failed_id.val());
        self.fault_denied.pipe = when(self.taken.val(), self.failed.val());

        // Step 0: a failure, or else whose turn it is, if it has anything.
        self.turns.next = self.choosing.val() & !self.fault.q.val();
        self.turn.reg = when(
            self.turns.val(),
            if self.turn.q.val() == self.is_event.val() { 0.into() } else { self.turn.q.val() + 1 },
        );
        self.freeze_ready.next = self.turns.val() & (self.turn.q.val() == self.is_freeze.val());
        self.breach_ready.next = self.turns.val() & (self.turn.q.val() == self.is_breach.val());
        self.buffer_ready.next = self.turns.val() & (self.turn.q.val() == self.is_buffer.val());
        // COMMAND waits until the sender has accepted all earlier failures, so that none meets the index' next owner.
        // COMMAND also waits until the host has accepted the connection's event. (The event before has been chosen three turns ago.)
        self.untold.next = self.offers.q.val() & (self.offered_id.q.val() == self.control_id.val());
        self.control_ready.next = self.turns.val()
            & (self.turn.q.val() == self.is_control.val())
            & self.clear.q.val()
            & !self.untold.val();
        self.drained_ready.next = self.turns.val() & (self.turn.q.val() == self.is_drained.val());
        self.pops.next = self.turns.val()
            & (self.turn.q.val() == self.is_event.val())
            & self.queue.out_valid.val()
            & !self.offers.q.val();
        self.begins.next = self.chosen.val()
            | (self.freeze_ready.val() & self.freeze_valid.val())
            | (self.breach_ready.val() & self.breach_valid.val())
            | (self.buffer_ready.val() & self.buffer_valid.val())
            | (self.control_ready.val() & self.control_valid.val())
            | (self.drained_ready.val() & self.drained_valid.val())
            | self.pops.val();
        self.step.reg = if self.begins.val() {
            self.read.val()
        } else if self.step.q.val() == self.read.val() {
            self.take.val()
        } else {
            0.into()
        };
        self.kind.pipe = when(
            self.choosing.val(),
            if self.fault.q.val() { self.is_failure.val() } else { self.turn.q.val() },
        );
        self.id.pipe = when(self.choosing.val(), self.queue.out_word.val());
        self.what.pipe = when(self.choosing.val(), bit_cast::<2, 1>(self.freeze.val().into()));
        if self.fault.q.val() {
            self.id.d.next = self.fault_id.q.val();
            self.what.d.next = bit_cast::<2, 1>(self.fault_denied.q.val().into());
        } else if self.turn.q.val() == self.is_freeze.val() {
            self.id.d.next = self.freeze_id.val();
        } else if self.turn.q.val() == self.is_breach.val() {
            self.id.d.next = self.breach_id.val();
        } else if self.turn.q.val() == self.is_buffer.val() {
            self.id.d.next = self.buffer_id.val();
            self.what.d.next = self.buffer.val();
        } else if self.turn.q.val() == self.is_control.val() {
            self.id.d.next = self.control_id.val();
            self.what.d.next = bit_cast::<2, 1>(self.control_open.val().into());
        } else if self.turn.q.val() == self.is_drained.val() {
            self.id.d.next = self.drained_id.val();
        }

        // Step 1 reads, step 2 registers the word read, and with the next step 0 the new word is written. Reports of a
        // closed connection have no effect.
        self.standings.read = self.id.q.val();
        self.prior.pipe = self.standings.rdata.val();
        self.writes.reg = self.step.q.val() == self.take.val();
        self.freezes.next =
            self.what.q.val().get_bit(0) & !self.prior.q.val().frozen & !self.prior.q.val().freezes.all();
        self.next.next = self.prior.q.val();
        if self.kind.q.val() == self.is_control.val() {
            self.next.next.open = self.what.q.val().get_bit(0);
            self.next.next.held = false;
            self.next.next.frozen = false;
            self.next.next.drained = false;
            self.next.next.unanswered = false;
            self.next.next.denied = false;
            self.next.next.breach = false;
            self.next.next.broken = false;
            self.next.next.freezes = 0.into();
        } else if self.prior.q.val().open {
            if self.kind.q.val() == self.is_failure.val() {
                self.next.next.unanswered = self.prior.q.val().unanswered | !self.what.q.val().get_bit(0);
                self.next.next.denied = self.prior.q.val().denied | self.what.q.val().get_bit(0);
            } else if self.kind.q.val() == self.is_freeze.val() {
                self.next.next.frozen = self.what.q.val().get_bit(0);
                if self.freezes.val() {
                    self.next.next.freezes = self.prior.q.val().freezes + 1;
                }
            } else if self.kind.q.val() == self.is_breach.val() {
                self.next.next.breach = true;
            } else if self.kind.q.val() == self.is_drained.val() {
                self.next.next.drained = true;
            } else if self.kind.q.val() == self.is_buffer.val() {
                if self.what.q.val().get_bit(1) {
                    self.next.next.broken = true;
                } else {
                    self.next.next.held = self.what.q.val().get_bit(0);
                }
            }
        }
        self.news.next = (self.kind.q.val() != self.is_control.val())
            & ((self.next.val().frozen != self.prior.q.val().frozen)
                | (self.next.val().drained != self.prior.q.val().drained)
                | (self.next.val().unanswered != self.prior.q.val().unanswered)
                | (self.next.val().denied != self.prior.q.val().denied)
                | (self.next.val().breach != self.prior.q.val().breach)
                | (self.next.val().broken != self.prior.q.val().broken));
        self.causes.next = bit_cast::<4, 1>(self.next.val().unanswered.into())
            | (bit_cast::<4, 1>(self.next.val().denied.into()) << 1)
            | (bit_cast::<4, 1>(self.next.val().breach.into()) << 2)
            | (bit_cast::<4, 1>(self.next.val().broken.into()) << 3);
        self.failing.next = self.causes.val().any();
        self.written.next = self.next.val();
        self.written.next.waiting =
            self.news.val() | (self.prior.q.val().waiting & (self.kind.q.val() != self.is_event.val()));
        if self.failing.val() {
            self.written.next.last = self.causes.val();
        }
        if self.sweeping.q.val() {
            self.written.next.open = false;
            self.written.next.held = false;
            self.written.next.frozen = false;
            self.written.next.drained = false;
            self.written.next.unanswered = false;
            self.written.next.denied = false;
            self.written.next.breach = false;
            self.written.next.broken = false;
            self.written.next.waiting = false;
            self.written.next.freezes = 0.into();
            self.written.next.last = 0.into();
        }
        self.place.next = if self.sweeping.q.val() { self.swept.q.val() } else { self.id.q.val() };
        self.standings.write =
            when(self.writes.q.val() | self.sweeping.q.val(), (self.place.val(), self.written.val()));

        // The parts of the state that others see: software and the host all, the receiver how to treat packets.
        self.summary.next = bit_cast::<8, 1>(self.written.val().open.into())
            | (bit_cast::<8, 1>(self.written.val().held.into()) << 1)
            | (bit_cast::<8, 1>(self.written.val().frozen.into()) << 2)
            | (bit_cast::<8, 1>(self.written.val().drained.into()) << 3)
            | (bit_cast::<8, 1>(self.written.val().unanswered.into()) << 4)
            | (bit_cast::<8, 1>(self.written.val().denied.into()) << 5)
            | (bit_cast::<8, 1>(self.written.val().breach.into()) << 6)
            | (bit_cast::<8, 1>(self.written.val().broken.into()) << 7);
        self.whole.next = bit_cast::<20, 8>(self.summary.val())
            | (bit_cast::<20, 8>(self.written.val().freezes) << 8)
            | (bit_cast::<20, 4>(self.written.val().last) << 16);
        self.shown.clk.next = self.clk.val();
        self.shown.run.next = true;
        self.shown.raddr.next = self.query.val();
        self.shown.write =
            when(self.writes.q.val() | self.sweeping.q.val(), (self.place.val(), self.whole.val()));
        self.known.reg = (self.known.q.val() << 1) | bit_cast::<2, 1>((!self.sweeping.q.val()).into());
        self.state.next = 0.into();
        self.history.next = 0.into();
        if self.known.q.val().all() {
            self.state.next = self.shown.rdata.val().get_bits::<8>(0);
            self.history.next = self.shown.rdata.val().get_bits::<12>(8);
        }
        self.treatment.next = bit_cast::<2, 1>(self.written.val().held.into())
            | (bit_cast::<2, 1>(self.failing.val().into()) << 1);
        self.bars.reg = self.writes.q.val();
        self.bar_for.pipe = when(self.writes.q.val(), self.id.q.val());
        self.bar_word.pipe = when(self.writes.q.val(), self.treatment.val());
        self.bar_valid.next = self.bars.q.val();
        self.bar_id.next = self.bar_for.q.val();
        self.bar.next = self.bar_word.q.val();

        // The sender gets the failures that it did not find itself. A connection fails once, so there is space.
        self.had_failed.next = self.prior.q.val().unanswered
            | self.prior.q.val().denied
            | self.prior.q.val().breach
            | self.prior.q.val().broken;
        self.fails.next = self.writes.q.val()
            & self.failing.val()
            & !self.had_failed.val()
            & ((self.kind.q.val() == self.is_breach.val()) | (self.kind.q.val() == self.is_buffer.val()));
        wire!(self.failures.* <- self.*: clk, rst);
        self.failures.in_valid.next = self.fails.val();
        self.failures.in_word.next = (bit_cast::<B, A>(self.id.q.val()) << 1)
            | bit_cast::<B, 1>((self.kind.q.val() == self.is_buffer.val()).into());
        self.failures.in_commit.next = true;
        self.failures.in_rollback.next = false;
        self.failures.out_ready.next = self.failure_ready.val();
        self.failure_valid.next = self.failures.out_valid.val();
        self.failure_id.next = self.failures.out_word.val().get_bits::<A>(1);
        self.failure.next = self.failures.out_word.val().get_bit(0);
        self.clear.reg =
            !self.failures.level.val().any() & !self.failures.out_valid.val() & !self.fails.val();

        // The queue of events, and the one that is offered.
        wire!(self.queue.* <- self.*: clk, rst);
        self.queue.in_valid.next = self.writes.q.val() & self.news.val() & !self.prior.q.val().waiting;
        self.queue.in_word.next = self.id.q.val();
        self.queue.in_commit.next = true;
        self.queue.in_rollback.next = false;
        self.queue.out_ready.next = self.pops.val();
        self.tells.next = self.writes.q.val() & (self.kind.q.val() == self.is_event.val());
        self.offers.reg = when(self.tells.val() | self.told_ready.val(), self.tells.val());
        self.offered_id.pipe = when(self.tells.val(), self.id.q.val());
        self.offered.pipe = when(self.tells.val(), self.summary.val());
        self.told_valid.next = self.offers.q.val();
        self.told_id.next = self.offered_id.q.val();
        self.told.next = self.offered.q.val();
    }
}
