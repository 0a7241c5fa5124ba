//! `weft_sender_drains`: connections that drain, and reports of those that have no outstanding work any more.

use crate::part::published::Published;
use crate::prelude::*;

/// Connections that drain. The block reports each connection once when the connection has no outstanding
/// work, at most two connections at a time.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock, BlockDefault)]
pub struct Drains<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// After reset: a connection does not drain.
    pub sweeping: Signal<In, Bit>,
    /// The connection.
    pub sweep: Signal<In, Bits<A>>,
    /// A connection is opened or closed: it stops draining.
    pub clears: Signal<In, Bit>,
    /// The connection.
    pub clear_id: Signal<In, Bits<A>>,
    /// Connection that the intake reads; a register.
    pub id: Signal<In, Bits<A>>,
    /// Two clocks later: the connection drains.
    pub draining: Signal<Out, Bit>,
    /// The connection drains from now on; not while another is opened or closed.
    pub mark: Signal<In, Bit>,
    /// Posted messages of the connection, modulo 32.
    pub posted: Signal<In, Bits<5>>,
    /// The connection has no outstanding work.
    pub settled: Signal<In, Bit>,
    /// The report is accepted.
    pub settled_ready: Signal<Out, Bit>,
    /// A message has ended.
    pub done: Signal<In, Bit>,
    /// The connection, unchanged for three clocks at least; a register.
    pub done_id: Signal<In, Bits<A>>,
    /// The number of ended messages now, modulo 32.
    pub done_count: Signal<In, Bits<5>>,
    /// A report is still due, so messages must not begin to end; a register.
    pub left: Signal<Out, Bit>,
    /// A connection that drains has no outstanding work any more; a register, as its number.
    pub drained_valid: Signal<Out, Bit>,
    /// The report is accepted.
    pub drained_ready: Signal<In, Bit>,
    /// The connection.
    pub drained_id: Signal<Out, Bits<A>>,

    marks: Published<Bit, A>,
    lasts: Published<Bits<6>, A>,
    writes: Signal<Local, Bit>,
    place: Signal<Local, Bits<A>>,
    marked: Signal<Local, Bit>,
    last: Signal<Local, Bits<6>>,
    tells: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    push: Signal<Local, Bit>,
    pushed: Signal<Local, Bits<A>>,
    moves: Signal<Local, Bit>,
    front: Reg<Bit>,
    front_id: Pipe<Bits<A>>,
    back: Reg<Bit>,
    back_id: Pipe<Bits<A>>,
}
impl<const A: usize> Logic for Drains<A> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Whether a connection drains: one copy for the intake, and one, with its last message, for messages
        // that end.
        self.writes.next = self.sweeping.val() | self.clears.val() | self.mark.val();
        self.marked.next = !self.sweeping.val() & !self.clears.val();
        self.place.next = if self.sweeping.val() {
            self.sweep.val()
        } else if self.clears.val() {
            self.clear_id.val()
        } else {
            self.id.val()
        };
        self.marks.clk.next = self.clk.val();
        self.marks.run.next = true;
        self.marks.raddr.next = self.id.val();
        self.marks.write = when(self.writes.val(), (self.place.val(), self.marked.val()));
        self.draining.next = self.marks.rdata.val();
        self.lasts.clk.next = self.clk.val();
        self.lasts.run.next = true;
        self.lasts.raddr.next = self.done_id.val();
        self.lasts.write = when(
            self.writes.val(),
            (
                self.place.val(),
                bit_cast::<6, 5>(self.posted.val()) | (bit_cast::<6, 1>(self.marked.val().into()) << 5),
            ),
        );

        // The last message of the connection has ended.
        self.last.next = self.lasts.rdata.val();
        self.tells.next = self.done.val()
            & self.last.val().get_bit(5)
            & (self.last.val().get_bits::<5>(0) == self.done_count.val());
        self.settled_ready.next = !self.front.q.val() & !self.tells.val();
        self.takes.next = self.settled.val() & !self.front.q.val() & !self.tells.val();

        // Messages begin to end, and the intake reports, only while no report waits. So there is space for two.
        self.push.next = self.tells.val() | self.takes.val();
        self.pushed.next = if self.tells.val() { self.done_id.val() } else { self.id.val() };
        self.moves.next = !self.front.q.val() | self.drained_ready.val();
        self.front.reg = when(self.moves.val(), self.back.q.val() | self.push.val());
        self.front_id.pipe = when(
            self.moves.val() & (self.back.q.val() | self.push.val()),
            if self.back.q.val() { self.back_id.q.val() } else { self.pushed.val() },
        );
        self.back.reg = (!self.moves.val() & (self.back.q.val() | self.push.val()))
            | (self.moves.val() & self.back.q.val() & self.push.val());
        self.back_id.pipe = when(self.push.val(), self.pushed.val());
        self.left.next = self.front.q.val();
        self.drained_valid.next = self.front.q.val();
        self.drained_id.next = self.front_id.q.val();
    }
}
