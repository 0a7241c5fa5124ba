//! `weft_sack_rx_front`: accepts events. After reset closes every connection once. After an open or a close
//! keeps all events out until that event is published.

use super::words::Event;
use crate::prelude::*;

/// Code of a close event.
const CLOSE: u64 = 5;
/// Clocks without events behind an open or close.
const DRAIN: u64 = 20;

/// Accepts events. After reset closes every connection once. After an open or a close keeps all events out
/// until that event is published. The outputs are registers.
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
    /// An event is offered.
    pub event_valid: Signal<In, Bit>,
    /// The event is accepted.
    pub event_ready: Signal<Out, Bit>,
    /// The connection.
    pub event_id: Signal<In, Bits<A>>,
    /// Data of the event.
    pub event_data: Signal<In, Bits<72>>,
    /// Flags and kind of the event.
    pub event_user: Signal<In, Bits<6>>,
    /// The block accepted an event.
    pub valid: Signal<Out, Bit>,
    /// The block accepted an event, or the sweep closes a connection.
    pub live: Signal<Out, Bit>,
    /// The connection.
    pub id: Signal<Out, Bits<A>>,
    /// The event.
    pub entry: Signal<Out, Event>,

    #[new(CLOSE.to_bits())]
    close: Constant<Bits<3>>,
    #[new(DRAIN.to_bits())]
    drain: Constant<Bits<5>>,
    ready: Signal<Local, Bit>,
    accept: Signal<Local, Bit>,
    #[new(true)]
    sweeping: Reg<Bit>,
    sweep: Reg<Bits<A>>,
    control: Signal<Local, Bit>,
    draining: Reg<Bits<5>>,
    taken: Signal<Local, Event>,
    id_now: Signal<Local, Bits<A>>,
    s1_valid: Reg<Bit>,
    s1_live: Reg<Bit>,
    s1_id: Pipe<Bits<A>>,
    s1_event: Pipe<Event>,
}
impl<const A: usize> Logic for Front<A> {
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = self.run.val() & !self.sweeping.q.val() & !self.draining.q.val().any();
        self.accept.next = self.event_valid.val() & self.ready.val();
        self.event_ready.next = self.ready.val();

        // After reset, a close for every connection: the state is independent of the RAMs' initial contents.
        self.sweeping.reg = when(self.run.val() & self.sweep.q.val().all(), false);
        self.sweep.reg = when(self.run.val() & self.sweeping.q.val(), self.sweep.q.val() + 1);

        // The kinds 4 and 5, and the sweep, keep other events out.
        self.control.next = self.event_user.val().get_bits::<2>(1) == 2;
        self.draining.reg = if self.sweeping.q.val() | (self.accept.val() & self.control.val()) {
            self.drain.val()
        } else if self.draining.q.val().any() {
            self.draining.q.val() - 1
        } else {
            self.draining.q.val()
        };

        self.taken.next.kind =
            if self.sweeping.q.val() { self.close.val() } else { self.event_user.val().get_bits::<3>(0) };
        self.taken.next.ce = self.event_user.val().get_bit(3);
        self.taken.next.request = self.event_user.val().get_bit(4);
        self.taken.next.last = self.event_user.val().get_bit(5);
        self.taken.next.psn = self.event_data.val().get_bits::<24>(0);
        self.taken.next.bytes = self.event_data.val().get_bits::<16>(24);
        self.taken.next.tag = self.event_data.val().get_bits::<32>(40);
        self.id_now.next = if self.sweeping.q.val() { self.sweep.q.val() } else { self.event_id.val() };
        self.s1_valid.reg = self.accept.val();
        self.s1_live.reg = self.accept.val() | self.sweeping.q.val();
        self.s1_id.pipe = self.id_now.val();
        self.s1_event.pipe = self.taken.val();
        self.valid.next = self.s1_valid.q.val();
        self.live.next = self.s1_live.q.val();
        self.id.next = self.s1_id.q.val();
        self.entry.next = self.s1_event.q.val();
    }
}
