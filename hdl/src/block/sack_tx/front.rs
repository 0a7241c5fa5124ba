//! `weft_sack_tx_front`: accepts events from outside and of the block in turn. After reset closes every
//! connection once. After an open or a close keeps all events out until that event is published.

use super::words::{Event, Request};
use crate::prelude::*;

/// Codes of the events that the block makes.
const CLOSE: u64 = 5;
const SEND: u64 = 6;
/// Clocks in which no event enters behind an open or close.
const DRAIN: u64 = 21;

/// Accepts events from outside and of the block in turn. After reset closes every connection once. After an
/// open or a close keeps all events out until that event is published. The outputs are registers, except
/// `settled`, `sent`, `timed_out` and `event_ready`.
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
    pub now: Signal<In, Bits<24>>,
    /// An event is offered.
    pub event_valid: Signal<In, Bit>,
    /// The block accepts the event.
    pub event_ready: Signal<Out, Bit>,
    /// Connection of the event.
    pub event_id: Signal<In, Bits<A>>,
    /// Data of the event.
    pub event_data: Signal<In, Bits<344>>,
    /// Kind of the event.
    pub event_user: Signal<In, Bits<3>>,
    /// No packet may leave.
    pub hold: Signal<In, Bit>,
    /// The scheduler requests a packet.
    pub send_valid: Signal<In, Bit>,
    /// Connection of the request.
    pub send_id: Signal<In, Bits<A>>,
    /// The request.
    pub send: Signal<In, Request>,
    /// The block accepts the request.
    pub sent: Signal<Out, Bit>,
    /// A timer requests an event.
    pub timeout_valid: Signal<In, Bit>,
    /// Connection of the timer.
    pub timeout_id: Signal<In, Bits<A>>,
    /// Kind of the event.
    pub timeout_kind: Signal<In, Bits<4>>,
    /// The EPOCH is late in a silence.
    pub timeout_silence: Signal<In, Bit>,
    /// The block accepts the timer's event.
    pub timed_out: Signal<Out, Bit>,
    /// No sweep, open or close keeps events out.
    pub settled: Signal<Out, Bit>,
    /// The block accepted an event.
    pub valid: Signal<Out, Bit>,
    /// The block accepted an event, or the sweep closes a connection.
    pub live: Signal<Out, Bit>,
    /// The connection.
    pub id: Signal<Out, Bits<A>>,
    /// The event.
    pub entry: Signal<Out, Event>,
    /// The bitmap of an ACK.
    pub bitmap: Signal<Out, Bits<256>>,

    #[new(CLOSE.to_bits())]
    close: Constant<Bits<4>>,
    #[new(SEND.to_bits())]
    a_send: Constant<Bits<4>>,
    #[new(DRAIN.to_bits())]
    drain: Constant<Bits<5>>,
    calm: Signal<Local, Bit>,
    own: Signal<Local, Bit>,
    turn: Reg<Bit>,
    sends: Reg<Bit>,
    held: Reg<Bit>,
    asks: Signal<Local, Bit>,
    timed: Signal<Local, Bit>,
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
    s1_bitmap: Pipe<Bits<256>>,
}
impl<const A: usize> Logic for Front<A> {
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        // The block's own events enter at most in every second clock, those of timers and sends in turn.
        self.calm.next = !self.sweeping.q.val() & !self.draining.q.val().any();
        self.held.reg = self.hold.val();
        self.asks.next = self.send_valid.val() & !self.held.q.val();
        self.own.next = (self.asks.val() | self.timeout_valid.val()) & !self.turn.q.val() & self.calm.val();
        self.turn.reg = self.own.val();
        self.ready.next = self.run.val() & self.calm.val() & !self.own.val();
        self.accept.next = self.event_valid.val() & self.ready.val();
        self.event_ready.next = self.ready.val();
        self.settled.next = self.calm.val();
        self.timed.next = self.timeout_valid.val() & !(self.sends.q.val() & self.asks.val());
        self.sends.reg = when(self.run.val() & self.own.val(), self.timed.val());
        self.timed_out.next = self.run.val() & self.own.val() & self.timed.val();
        self.sent.next = self.run.val() & self.own.val() & !self.timed.val();

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

        self.taken.next.kind = bit_cast::<4, 3>(self.event_user.val());
        self.taken.next.own = self.own.val();
        self.taken.next.sweep = self.sweeping.q.val();
        wire!(self.taken.next.* <- self.send.val().*: ready, fresh, taken, more);
        self.taken.next.silent = self.timeout_silence.val();
        self.taken.next.psn = self.event_data.val().get_bits::<24>(256);
        self.taken.next.second = self.event_data.val().get_bits::<26>(280);
        self.taken.next.packets = self.event_data.val().get_bits::<16>(256);
        self.taken.next.tag = self.event_data.val().get_bits::<32>(312);
        self.taken.next.now = self.now.val();
        self.id_now.next = self.event_id.val();
        if self.sweeping.q.val() {
            self.taken.next.kind = self.close.val();
            self.id_now.next = self.sweep.q.val();
        } else if self.own.val() {
            self.taken.next.psn = self.send.val().psn;
            self.taken.next.packets = self.send.val().packets;
            self.taken.next.tag = 0.into();
            if self.timed.val() {
                self.taken.next.kind = self.timeout_kind.val();
                self.id_now.next = self.timeout_id.val();
            } else {
                self.taken.next.kind = self.a_send.val();
                self.id_now.next = self.send_id.val();
            }
        }
        self.s1_valid.reg = self.accept.val() | self.own.val();
        self.s1_live.reg = self.accept.val() | self.own.val() | self.sweeping.q.val();
        self.s1_id.pipe = self.id_now.val();
        self.s1_event.pipe = self.taken.val();
        self.s1_bitmap.pipe = self.event_data.val().get_bits::<256>(0);
        self.valid.next = self.s1_valid.q.val();
        self.live.next = self.s1_live.q.val();
        self.id.next = self.s1_id.q.val();
        self.entry.next = self.s1_event.q.val();
        self.bitmap.next = self.s1_bitmap.q.val();
    }
}
