//! `weft_sender_congestion`: sends the congestion window its feedback, one to three events each, in bytes.
//! Feedback of the same connection that arrives meanwhile is merged.

use super::words::Feedback;
use crate::prelude::*;

/// Sends the congestion window the feedback, one to three events each, in bytes. Feedback that arrives for the same
/// connection while feedback waits is merged with it.
///
/// # Parameters
///
/// `A` bits of connection number; `S` of a PSN of the window, `N = S + 1` of a number of packets, `C = N + 1`.
#[derive(LogicBlock, Default)]
pub struct Congestion<const A: usize, const S: usize, const N: usize, const C: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// Payload bytes of a full packet, as a power of 2.
    pub mtu_shift: Signal<In, Bits<4>>,
    /// Feedback is offered.
    pub feedback_valid: Signal<In, Bit>,
    /// The feedback is accepted.
    pub feedback_ready: Signal<Out, Bit>,
    /// The feedback.
    pub feedback: Signal<In, Feedback<N>>,
    /// An event is offered.
    pub event_valid: Signal<Out, Bit>,
    /// The event is accepted.
    pub event_ready: Signal<In, Bit>,
    /// The connection.
    pub event_id: Signal<Out, Bits<A>>,
    /// Data of the event.
    pub event_data: Signal<Out, Bits<72>>,
    /// Kind, ECN mark, class and packets minus one of the event.
    pub event_user: Signal<Out, Bits<10>>,

    front: Signal<Local, Feedback<N>>,
    holds: Reg<Bit>,
    held: Pipe<Feedback<N>>,
    held_unmarked: Pipe<Bit>,
    held_marked: Pipe<Bit>,
    word: Signal<Local, Feedback<N>>,
    turn: Signal<Local, Bit>,
    word_acks: Signal<Local, Bit>,
    front_unmarked: Signal<Local, Bit>,
    front_marked: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    front_trims: Signal<Local, Bit>,
    trims: Signal<Local, Bit>,
    fits: Signal<Local, Bit>,
    joins: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    joined: Signal<Local, Feedback<N>>,
    unmarked: Signal<Local, Bit>,
    marked: Signal<Local, Bit>,
    ack: Signal<Local, Bit>,
    more: Signal<Local, Bit>,
    past_unmarked: Reg<Bit>,
    past_marked: Reg<Bit>,
    packets: Signal<Local, Bits<N>>,
    few: Signal<Local, Bits<4>>,
    less: Signal<Local, Bits<4>>,
    beyond: Signal<Local, Bits<4>>,
    kind: Signal<Local, Bits<3>>,
    ce: Signal<Local, Bit>,
    held_later: Pipe<Bits<C>>,
    later: Signal<Local, Bits<C>>,
    bytes: Signal<Local, Bits<24>>,
    in_flight: Signal<Local, Bits<32>>,
}

impl<const A: usize, const S: usize, const N: usize, const C: usize> Logic for Congestion<A, S, N, C> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Packets without a mark go first, then those with one, then the third part.
        self.word.next = self.held.q.val();
        self.turn.next = self.holds.q.val() & self.event_ready.val();
        self.unmarked.next = self.held_unmarked.q.val() & !self.past_unmarked.q.val();
        self.marked.next = self.held_marked.q.val() & !self.past_marked.q.val() & !self.unmarked.val();
        self.ack.next = self.unmarked.val() | self.marked.val();
        self.more.next =
            (self.unmarked.val() & self.held_marked.q.val()) | (self.ack.val() & self.word.val().other);
        self.past_unmarked.reg = when(self.turn.val(), self.more.val());
        self.past_marked.reg = when(self.turn.val(), self.more.val() & self.marked.val());
        self.event_valid.next = self.holds.q.val();

        // While a word waits, the next word of the same connection is merged with it: acknowledged packets,
        // or TRIMs alone.
        self.front.next = self.feedback.val();
        self.word_acks.next = self.held_unmarked.q.val() | self.held_marked.q.val();
        self.front_unmarked.next = self.front.val().unmarked.any();
        self.front_marked.next = self.front.val().marked.any();
        self.front_trims.next = self.front.val().other & (self.front.val().kind == 1);
        self.trims.next = self.word.val().other
            & (self.word.val().kind == 1)
            & self.front_trims.val()
            & !self.word_acks.val()
            & !self.front_unmarked.val()
            & !self.front_marked.val();
        // For as many packets as a window has no sum is made.
        for s in S..N {
            self.fits.next = !self.word.val().unmarked.get_bit(s)
                & !self.front.val().unmarked.get_bit(s)
                & !self.word.val().marked.get_bit(s)
                & !self.front.val().marked.get_bit(s)
                & !(self.trims.val() & (self.word.val().lost.get_bit(s) | self.front.val().lost.get_bit(s)));
        }
        self.joins.next = self.feedback_valid.val()
            & (self.word.val().connection == self.front.val().connection)
            & (self.trims.val()
                | (!self.word.val().other & (!self.front.val().other | self.front_trims.val())))
            & self.fits.val()
            & !self.past_unmarked.q.val()
            & !self.past_marked.q.val();
        self.takes.next = !self.holds.q.val()
            | (self.event_ready.val() & !self.more.val())
            | (!self.event_ready.val() & self.joins.val());
        self.feedback_ready.next = self.takes.val();
        self.holds.reg = when(self.takes.val(), self.feedback_valid.val());
        self.joined.next = self.front.val();
        self.waits.next = self.holds.q.val() & !self.event_ready.val();
        if self.waits.val() {
            self.joined.next.unmarked = self.word.val().unmarked + self.front.val().unmarked;
            self.joined.next.marked = self.word.val().marked + self.front.val().marked;
            if self.trims.val() {
                self.joined.next.lost = self.word.val().lost + self.front.val().lost;
            }
        }
        self.held.pipe = when(self.takes.val(), self.joined.val());
        // Whether the word has unmarked or marked packets, kept as bits because the sums are slow.
        self.held_unmarked.pipe = when(
            self.takes.val(),
            self.front_unmarked.val() | (self.waits.val() & self.held_unmarked.q.val()),
        );
        self.held_marked.pipe =
            when(self.takes.val(), self.front_marked.val() | (self.waits.val() & self.held_marked.q.val()));
        self.held_later.pipe = when(
            self.takes.val(),
            bit_cast::<C, N>(self.joined.val().before) + bit_cast::<C, N>(self.joined.val().marked),
        );
        self.event_id.next = bit_cast::<A, 14>(self.word.val().connection);
        self.packets.next = self.word.val().lost;
        self.kind.next = self.word.val().kind;
        self.ce.next = self.word.val().ce;
        // The packets of the later parts are still in the network at that time. The first sum is one of the
        // clock before.
        self.later.next = if self.unmarked.val() {
            self.held_later.q.val()
        } else if self.marked.val() {
            bit_cast::<C, N>(self.word.val().before)
        } else {
            bit_cast::<C, N>(self.word.val().in_flight)
        };
        if self.unmarked.val() {
            self.packets.next = self.word.val().unmarked;
            self.kind.next = 0.into();
            self.ce.next = false;
        } else if self.marked.val() {
            self.packets.next = self.word.val().marked;
            self.kind.next = 0.into();
            self.ce.next = true;
        }
        self.bytes.next = bit_cast::<24, N>(self.packets.val()) << self.mtu_shift.val();
        self.in_flight.next = bit_cast::<32, C>(self.later.val()) << self.mtu_shift.val();
        self.event_data.next = bit_cast::<72, 24>(self.bytes.val())
            | (bit_cast::<72, 15>(self.word.val().rtt) << 24)
            | (bit_cast::<72, 32>(self.in_flight.val()) << 40);
        // More than 16 packets count as 16; for any event but an ACK the field is 0. One less, bit by bit: an
        // adder would lie behind the choice of packets.
        self.few.next = self.packets.val().get_bits::<4>(0);
        self.less.next =
            self.few.val() ^ !((self.few.val() << 1) | (self.few.val() << 2) | (self.few.val() << 3));
        self.beyond.next = if !self.ack.val() {
            0.into()
        } else if self.packets.val().get_bits::<5>(4).any() {
            15.into()
        } else {
            self.less.val()
        };
        self.event_user.next = bit_cast::<10, 3>(self.kind.val())
            | (bit_cast::<10, 1>(self.ce.val().into()) << 3)
            | (bit_cast::<10, 2>(self.word.val().class) << 4)
            | (bit_cast::<10, 4>(self.beyond.val()) << 6);
    }
}
