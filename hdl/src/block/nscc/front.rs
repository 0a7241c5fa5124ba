//! `weft_nscc_front`: accepts events, keeps two events of one connection apart, and after reset closes every
//! connection once.

use super::words::Event;
use crate::prelude::*;

/// Code of a close event.
const CLOSE: u64 = 4;

/// Accepts events, keeps two events of one connection apart, and after reset closes every connection once.
/// The outputs but `event_ready` are registers.
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
    pub now: Signal<In, Bits<12>>,
    /// An event is offered.
    pub event_valid: Signal<In, Bit>,
    /// The event is accepted.
    pub event_ready: Signal<Out, Bit>,
    /// The connection.
    pub event_id: Signal<In, Bits<A>>,
    /// Unacknowledged bytes in bits 71:40, RTT in 39:24, bytes in 23:0.
    pub event_data: Signal<In, Bits<72>>,
    /// Packets minus one in bits 9:6, class in 5:4, ECN mark in bit 3, kind in bits 2:0.
    pub event_user: Signal<In, Bits<10>>,
    /// An event was issued.
    pub valid: Signal<Out, Bit>,
    /// An event was issued or the sweep closes a connection.
    pub live: Signal<Out, Bit>,
    /// The connection.
    pub id: Signal<Out, Bits<A>>,
    /// The event.
    pub out_event: Signal<Out, Event>,
    /// RTT of the event.
    pub rtt: Signal<Out, Bits<16>>,

    #[new(true)]
    sweeping: Reg<Bit>,
    sweep: Reg<Bits<A>>,
    held: Reg<Bit>,
    held_id: Pipe<Bits<A>>,
    held_event: Pipe<Event>,
    held_rtt: Pipe<Bits<16>>,
    recent: [Pipe<Bits<A>>; 40],
    recent_live: Reg<Bits<40>>,
    ahead: Pipe<Bits<41>>,
    younger: Pipe<Bits<7>>,
    s1_valid: Reg<Bit>,
    s1_live: Reg<Bit>,
    s1_id: Pipe<Bits<A>>,
    s1_event: Pipe<Event>,
    s1_rtt: Pipe<Bits<16>>,
    taken: Signal<Local, Event>,
    issued: Signal<Local, Event>,
    id_now: Signal<Local, Bits<A>>,
    same: Signal<Local, Bits<41>>,
    next_ahead: Signal<Local, Bits<41>>,
    waits: Signal<Local, Bit>,
    accept: Signal<Local, Bit>,
    ready: Signal<Local, Bit>,
    issue: Signal<Local, Bit>,
    #[new(CLOSE.to_bits())]
    close: Constant<Bits<3>>,
}

impl<const A: usize> Logic for Front<A> {
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        // After reset, a close for every connection: the state is independent of the RAM's initial contents.
        self.sweeping.reg = when(self.run.val() & self.sweep.q.val().all(), false);
        self.sweep.reg = when(self.run.val() & self.sweeping.q.val(), self.sweep.q.val() + 1);

        // An event waits in the input register while one of the last 41 clocks issued an event of its connection. The
        // block compares the clocks when the event arrives; from then on that issue only grows older.
        self.same.next =
            bit_cast::<41, 1>((self.held.q.val() & (self.held_id.q.val() == self.event_id.val())).into());
        for i in 0..40 {
            self.same.next = self.same.val().replace_bit(
                i + 1,
                self.recent_live.q.val().get_bit(i) & (self.recent[i].q.val() == self.event_id.val()),
            );
        }
        // A bit of `younger` covers 6 clocks, the last one 5.
        self.waits.next = self.held.q.val() & self.younger.q.val().any();
        self.next_ahead.next = if self.waits.val() { self.ahead.q.val() << 1 } else { self.same.val() };
        self.ahead.pipe = self.next_ahead.val();
        self.younger.pipe = bit_cast::<7, 1>(self.next_ahead.val().get_bits::<6>(0).any().into())
            | (bit_cast::<7, 1>(self.next_ahead.val().get_bits::<6>(6).any().into()) << 1)
            | (bit_cast::<7, 1>(self.next_ahead.val().get_bits::<6>(12).any().into()) << 2)
            | (bit_cast::<7, 1>(self.next_ahead.val().get_bits::<6>(18).any().into()) << 3)
            | (bit_cast::<7, 1>(self.next_ahead.val().get_bits::<6>(24).any().into()) << 4)
            | (bit_cast::<7, 1>(self.next_ahead.val().get_bits::<6>(30).any().into()) << 5)
            | (bit_cast::<7, 1>(self.next_ahead.val().get_bits::<5>(36).any().into()) << 6);
        self.ready.next = self.run.val() & !self.sweeping.q.val() & !self.waits.val();
        self.accept.next = self.event_valid.val() & self.ready.val();
        self.event_ready.next = self.ready.val();
        self.issue.next = self.held.q.val() & !self.waits.val();

        // The input register.
        self.taken.next.kind = self.event_user.val().get_bits::<3>(0);
        self.taken.next.ecn = self.event_user.val().get_bit(3);
        self.taken.next.class = self.event_user.val().get_bits::<2>(4);
        self.taken.next.packets = self.event_user.val().get_bits::<4>(6);
        self.taken.next.bytes = self.event_data.val().get_bits::<24>(0);
        self.taken.next.in_flight = if self.event_data.val().get_bits::<9>(63).any() {
            0x7F_FFFF.into()
        } else {
            self.event_data.val().get_bits::<23>(40)
        };
        self.taken.next.now = self.now.val();
        self.held.reg = self.accept.val() | self.waits.val();
        self.held_id.pipe = when(self.accept.val(), self.event_id.val());
        self.held_event.pipe = when(self.accept.val(), self.taken.val());
        self.held_rtt.pipe = when(self.accept.val(), self.event_data.val().get_bits::<16>(24));

        // Stage 1: the event that was issued, and the events issued before.
        self.id_now.next = self.held_id.q.val();
        self.issued.next = self.held_event.q.val();
        if self.sweeping.q.val() {
            self.id_now.next = self.sweep.q.val();
            self.issued.next.kind = self.close.val();
        }
        self.recent_live.reg = (self.recent_live.q.val() << 1)
            | bit_cast::<40, 1>((self.issue.val() | self.sweeping.q.val()).into());
        self.recent[0].pipe = self.id_now.val();
        for i in 0..39 {
            self.recent[i + 1].clk.next = self.clk.val();
            self.recent[i + 1].en.next = self.run.val();
            self.recent[i + 1].d.next = self.recent[i].q.val();
        }
        self.s1_valid.reg = self.issue.val();
        self.s1_live.reg = self.issue.val() | self.sweeping.q.val();
        self.s1_id.pipe = self.id_now.val();
        self.s1_event.pipe = self.issued.val();
        self.s1_rtt.pipe = self.held_rtt.q.val();

        self.valid.next = self.s1_valid.q.val();
        self.live.next = self.s1_live.q.val();
        self.id.next = self.s1_id.q.val();
        self.out_event.next = self.s1_event.q.val();
        self.rtt.next = self.s1_rtt.q.val();
    }
}
