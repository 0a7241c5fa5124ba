//! `weft_reps_front`: accepts events, and after reset closes every connection once.

use crate::prelude::*;

/// Code of a close event.
const CLOSE: u64 = 6;

/// Accepts events, and after reset closes every connection once. The outputs are registers.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock, BlockDefault)]
pub struct Front<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// The time in ticks.
    pub now: Signal<In, Bits<32>>,
    /// An event is offered.
    pub event_valid: Signal<In, Bit>,
    /// The event is accepted.
    pub event_ready: Signal<Out, Bit>,
    /// The connection.
    pub event_id: Signal<In, Bits<A>>,
    /// Data of the event.
    pub event_data: Signal<In, Bits<32>>,
    /// ECN mark and kind of the event.
    pub event_user: Signal<In, Bits<4>>,
    /// The block accepted an event.
    pub valid: Signal<Out, Bit>,
    /// The block accepted an event, or the sweep closes a connection.
    pub live: Signal<Out, Bit>,
    /// The connection.
    pub id: Signal<Out, Bits<A>>,
    /// The data.
    pub data: Signal<Out, Bits<32>>,
    /// ECN mark and kind.
    pub user: Signal<Out, Bits<4>>,
    /// The time at which the event was accepted.
    pub stamp: Signal<Out, Bits<32>>,

    #[new(true)]
    sweeping: Reg<Bit>,
    s1_valid: Reg<Bit>,
    s1_live: Reg<Bit>,
    s1_id: Reg<Bits<A>>,
    s1_data: Pipe<Bits<32>>,
    #[new(CLOSE.to_bits())]
    s1_user: Reg<Bits<4>>,
    s1_time: Pipe<Bits<32>>,
    ready: Signal<Local, Bit>,
    base: Signal<Local, Bits<A>>,
}

impl<const A: usize> Logic for Front<A> {
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        // After reset, a close for every connection, 0 the last: the state is independent of the RAM's
        // initial contents.
        self.sweeping.reg = when(self.run.val() & self.s1_id.q.val().all(), false);
        self.base.next = if self.sweeping.q.val() { self.s1_id.q.val() } else { self.event_id.val() };

        self.ready.next = self.run.val() & !self.sweeping.q.val();
        self.event_ready.next = self.ready.val();

        self.s1_valid.reg = self.event_valid.val() & self.ready.val();
        self.s1_live.reg = self.event_valid.val() | self.sweeping.q.val();
        self.s1_id.reg = self.base.val() + bit_cast::<A, 1>(self.sweeping.q.val().into());
        // The reset value is a close.
        self.s1_user.clk.next = self.clk.val();
        self.s1_user.rst.next = self.sweeping.q.val();
        self.s1_user.en.next = self.run.val();
        self.s1_user.d.next = self.event_user.val();
        self.s1_data.pipe = self.event_data.val();
        self.s1_time.pipe = self.now.val();

        self.valid.next = self.s1_valid.q.val();
        self.live.next = self.s1_live.q.val();
        self.id.next = self.s1_id.q.val();
        self.data.next = self.s1_data.q.val();
        self.user.next = self.s1_user.q.val();
        self.stamp.next = self.s1_time.q.val();
    }
}
