//! `weft_sender_orders`: packets with their entropy values, as orders to transmit and as places to fetch.

use super::words::Packet;
use crate::part::fifo::Fifo;
use crate::prelude::*;
use crate::word::{Order, Place};

/// Turns packets with their entropy values into orders to transmit and places to fetch for them.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock, Default)]
pub struct Orders<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A packet must be sent.
    pub packet_valid: Signal<In, Bit>,
    /// The packet.
    pub packet: Signal<In, Packet>,
    /// The queue has space for 16 more.
    pub packet_room: Signal<Out, Bit>,
    /// The entropy value of a packet: in the order of the packets.
    pub ev_valid: Signal<In, Bit>,
    /// The entropy value.
    pub ev: Signal<In, Bits<16>>,
    /// The queue has space for 16 more.
    pub ev_room: Signal<Out, Bit>,
    /// An order is offered.
    pub order_valid: Signal<Out, Bit>,
    /// The order is accepted.
    pub order_ready: Signal<In, Bit>,
    /// The connection.
    pub order_id: Signal<Out, Bits<A>>,
    /// The order.
    pub order: Signal<Out, Order>,
    /// Packets that were passed on, modulo 256; a register.
    pub handed: Signal<Out, Bits<8>>,
    /// A fetch is offered.
    pub fetch_valid: Signal<Out, Bit>,
    /// The fetch is accepted.
    pub fetch_ready: Signal<In, Bit>,
    /// The connection.
    pub fetch_id: Signal<Out, Bits<A>>,
    /// The fetch.
    pub fetch: Signal<Out, Place>,

    packets: Fifo<Packet, 5, 6>,
    evs: Fifo<Bits<16>, 5, 6>,
    both: Signal<Local, Bit>,
    word: Signal<Local, Packet>,
    ordering: Signal<Local, Bit>,
    fetching: Signal<Local, Bit>,
    done: Signal<Local, Bit>,
    ordered: Reg<Bit>,
    fetched: Reg<Bit>,
    count: Reg<Bits<8>>,
    whole: Signal<Local, Order>,
    place: Signal<Local, Place>,
}

impl<const A: usize> Logic for Orders<A> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.packets.*, self.evs.* <- self.*: clk, rst);
        self.packets.in_valid.next = self.packet_valid.val();
        self.packets.in_word.next = self.packet.val();
        self.packets.in_commit.next = true;
        self.packets.in_rollback.next = false;
        self.packet_room.next = !self.packets.level.val().get_bits::<2>(4).any();
        self.evs.in_valid.next = self.ev_valid.val();
        self.evs.in_word.next = self.ev.val();
        self.evs.in_commit.next = true;
        self.evs.in_rollback.next = false;
        self.ev_room.next = !self.evs.level.val().get_bits::<2>(4).any();

        // Order and fetch go their own ways; both must be accepted before the next.
        self.both.next = self.packets.out_valid.val() & self.evs.out_valid.val();
        self.word.next = self.packets.out_word.val();
        self.ordering.next = self.both.val() & !self.ordered.q.val();
        self.fetching.next = self.both.val() & !self.fetched.q.val() & self.word.val().bytes.any();
        self.done.next =
            (!self.ordering.val() | self.order_ready.val()) & (!self.fetching.val() | self.fetch_ready.val());
        self.ordered.reg =
            when(self.both.val() & (self.order_ready.val() | self.done.val()), !self.done.val());
        self.fetched.reg =
            when(self.both.val() & (self.fetch_ready.val() | self.done.val()), !self.done.val());
        self.count.reg = when(self.both.val() & self.done.val(), self.count.q.val() + 1);
        self.handed.next = self.count.q.val();
        self.packets.out_ready.next = self.both.val() & self.done.val();
        self.evs.out_ready.next = self.both.val() & self.done.val();

        self.order_valid.next = self.ordering.val();
        self.order_id.next = bit_cast::<A, 14>(self.word.val().connection);
        self.whole.next.psn = self.word.val().psn;
        self.whole.next.ev = self.evs.out_word.val();
        wire!(self.whole.next.* <- self.word.val().*: again, last, solicited);
        self.whole.next.request = self.word.val().again;
        self.whole.next.address = self.word.val().remote;
        wire!(self.whole.next.* <- self.word.val().*: key, bytes, immediate, message);
        self.order.next = self.whole.val();
        self.fetch_valid.next = self.fetching.val();
        self.fetch_id.next = bit_cast::<A, 14>(self.word.val().connection);
        self.place.next.address = self.word.val().local;
        self.place.next.bytes = self.word.val().bytes;
        self.fetch.next = self.place.val();
    }
}
