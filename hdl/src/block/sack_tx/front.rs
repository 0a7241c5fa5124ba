//! `weft_sack_tx_front`: takes events in, from outside and the block's own in turn; after reset closes every
//! connection once; keeps everything out behind what opens or closes a connection, until that is published.

use super::words::{Event, Request};
use crate::prelude::*;

/// Codes of the events that it makes.
const CLOSE: u64 = 5;
const SEND: u64 = 6;
const TIMEOUT: u64 = 7;
/// Clocks in which nothing enters behind an open or close.
const DRAIN: u64 = 21;

/// Takes events in, from outside and the block's own in turn; after reset closes every connection once; keeps
/// everything out behind what opens or closes a connection, until that is published. The outputs are registers,
/// but `settled`, `sent`, `timed_out` and `event_ready`.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock)]
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
    /// It is taken.
    pub event_ready: Signal<Out, Bit>,
    /// Its connection.
    pub event_id: Signal<In, Bits<A>>,
    /// Its data.
    pub event_data: Signal<In, Bits<344>>,
    /// Its kind.
    pub event_user: Signal<In, Bits<3>>,
    /// The scheduler asks for a packet.
    pub send_valid: Signal<In, Bit>,
    /// Of this connection.
    pub send_id: Signal<In, Bits<A>>,
    /// This one.
    pub send: Signal<In, Request>,
    /// It is taken.
    pub sent: Signal<Out, Bit>,
    /// A timer has expired.
    pub timeout_valid: Signal<In, Bit>,
    /// Of this connection.
    pub timeout_id: Signal<In, Bits<A>>,
    /// It is taken.
    pub timed_out: Signal<Out, Bit>,
    /// Neither the sweep nor an open or close keeps events out.
    pub settled: Signal<Out, Bit>,
    /// An event was taken.
    pub valid: Signal<Out, Bit>,
    /// An event was taken or the sweep closes a connection.
    pub live: Signal<Out, Bit>,
    /// The connection.
    pub id: Signal<Out, Bits<A>>,
    /// The event.
    pub entry: Signal<Out, Event>,
    /// The bitmap of an ACK.
    pub bitmap: Signal<Out, Bits<256>>,

    close: Constant<Bits<3>>,
    a_send: Constant<Bits<3>>,
    a_timeout: Constant<Bits<3>>,
    drain: Constant<Bits<5>>,
    calm: Signal<Local, Bit>,
    own: Signal<Local, Bit>,
    turn: Reg<Bit>,
    ready: Signal<Local, Bit>,
    accept: Signal<Local, Bit>,
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
impl<const A: usize> Default for Front<A> {
    fn default() -> Self {
        Front {
            clk: Default::default(),
            rst: Default::default(),
            run: Default::default(),
            now: Default::default(),
            event_valid: Default::default(),
            event_ready: Default::default(),
            event_id: Default::default(),
            event_data: Default::default(),
            event_user: Default::default(),
            send_valid: Default::default(),
            send_id: Default::default(),
            send: Default::default(),
            sent: Default::default(),
            timeout_valid: Default::default(),
            timeout_id: Default::default(),
            timed_out: Default::default(),
            settled: Default::default(),
            valid: Default::default(),
            live: Default::default(),
            id: Default::default(),
            entry: Default::default(),
            bitmap: Default::default(),
            close: Constant::new(CLOSE.to_bits()),
            a_send: Constant::new(SEND.to_bits()),
            a_timeout: Constant::new(TIMEOUT.to_bits()),
            drain: Constant::new(DRAIN.to_bits()),
            calm: Default::default(),
            own: Default::default(),
            turn: Default::default(),
            ready: Default::default(),
            accept: Default::default(),
            sweeping: Reg::new(true),
            sweep: Default::default(),
            control: Default::default(),
            draining: Default::default(),
            taken: Default::default(),
            id_now: Default::default(),
            s1_valid: Default::default(),
            s1_live: Default::default(),
            s1_id: Default::default(),
            s1_event: Default::default(),
            s1_bitmap: Default::default(),
        }
    }
}

impl<const A: usize> Logic for Front<A> {
    #[hdl_gen]
    fn update(&mut self) {
        // The block's own events enter at most in every second clock, timers first.
        self.calm.next = !self.sweeping.q.val() & !self.draining.q.val().any();
        self.own.next =
            (self.send_valid.val() | self.timeout_valid.val()) & !self.turn.q.val() & self.calm.val();
        self.turn.clk.next = self.clk.val();
        self.turn.rst.next = self.rst.val();
        self.turn.en.next = self.run.val();
        self.turn.d.next = self.own.val();
        self.ready.next = self.run.val() & self.calm.val() & !self.own.val();
        self.accept.next = self.event_valid.val() & self.ready.val();
        self.event_ready.next = self.ready.val();
        self.settled.next = self.calm.val();
        self.timed_out.next = self.run.val() & self.own.val() & self.timeout_valid.val();
        self.sent.next = self.run.val() & self.own.val() & !self.timeout_valid.val();

        // After reset, a close for every connection: nothing depends on what the RAMs held.
        self.sweeping.clk.next = self.clk.val();
        self.sweeping.rst.next = self.rst.val();
        self.sweeping.en.next = self.run.val() & self.sweep.q.val().all();
        self.sweeping.d.next = false;
        self.sweep.clk.next = self.clk.val();
        self.sweep.rst.next = self.rst.val();
        self.sweep.en.next = self.run.val() & self.sweeping.q.val();
        self.sweep.d.next = self.sweep.q.val() + 1;

        // The kinds 4 and 5, and the sweep, keep others out.
        self.control.next = self.event_user.val().get_bits::<2>(1) == 2;
        self.draining.clk.next = self.clk.val();
        self.draining.rst.next = self.rst.val();
        self.draining.en.next = self.run.val();
        self.draining.d.next = self.draining.q.val();
        if self.sweeping.q.val() | (self.accept.val() & self.control.val()) {
            self.draining.d.next = self.drain.val();
        } else if self.draining.q.val().any() {
            self.draining.d.next = self.draining.q.val() - 1;
        }

        self.taken.next.kind = self.event_user.val();
        self.taken.next.own = self.own.val();
        self.taken.next.sweep = self.sweeping.q.val();
        self.taken.next.ready = self.send.val().ready;
        self.taken.next.fresh = self.send.val().fresh;
        self.taken.next.taken = self.send.val().taken;
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
            if self.timeout_valid.val() {
                self.taken.next.kind = self.a_timeout.val();
                self.id_now.next = self.timeout_id.val();
            } else {
                self.taken.next.kind = self.a_send.val();
                self.id_now.next = self.send_id.val();
            }
        }
        self.s1_valid.clk.next = self.clk.val();
        self.s1_valid.rst.next = self.rst.val();
        self.s1_valid.en.next = self.run.val();
        self.s1_valid.d.next = self.accept.val() | self.own.val();
        self.s1_live.clk.next = self.clk.val();
        self.s1_live.rst.next = self.rst.val();
        self.s1_live.en.next = self.run.val();
        self.s1_live.d.next = self.accept.val() | self.own.val() | self.sweeping.q.val();
        self.s1_id.clk.next = self.clk.val();
        self.s1_id.en.next = self.run.val();
        self.s1_id.d.next = self.id_now.val();
        self.s1_event.clk.next = self.clk.val();
        self.s1_event.en.next = self.run.val();
        self.s1_event.d.next = self.taken.val();
        self.s1_bitmap.clk.next = self.clk.val();
        self.s1_bitmap.en.next = self.run.val();
        self.s1_bitmap.d.next = self.event_data.val().get_bits::<256>(0);
        self.valid.next = self.s1_valid.q.val();
        self.live.next = self.s1_live.q.val();
        self.id.next = self.s1_id.q.val();
        self.entry.next = self.s1_event.q.val();
        self.bitmap.next = self.s1_bitmap.q.val();
    }
}
