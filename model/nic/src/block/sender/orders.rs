//! Turns packets with their entropy values into orders to transmit, and places to fetch for them.

use super::step::Packet;
use crate::part::fifo::Fifo;
use crate::words::{Offer, Order, Place};

/// Maximum number of words in the pipeline when the queue reports space.
const ROOM: usize = 16;

/// The orders.
#[derive(Clone, Debug)]
pub(super) struct Orders {
    packets: Fifo<Packet>,
    evs: Fifo<u16>,
    /// Whether, for the packet at the front, the order was accepted and the fetch was accepted. The next
    /// packet must wait for both (rule 8).
    ordered: bool,
    fetched: bool,
    /// Packets that were passed on, modulo 256.
    handed: u8,
}

impl Orders {
    pub(super) fn new() -> Self {
        Self { packets: Fifo::new(5), evs: Fifo::new(5), ordered: false, fetched: false, handed: 0 }
    }

    /// Whether the queue has space for packets.
    pub(super) fn packet_room(&self) -> bool {
        self.packets.level() < ROOM
    }

    /// Whether the queue has space for entropy values.
    pub(super) fn ev_room(&self) -> bool {
        self.evs.level() < ROOM
    }

    /// Packets that were passed on, modulo 256.
    pub(super) fn handed(&self) -> u8 {
        self.handed
    }

    fn both(&self) -> bool {
        self.packets.offered().is_some() && self.evs.offered().is_some()
    }

    /// The order that is offered.
    pub(super) fn order(&self) -> Offer<Order> {
        let packet = self.packets.word();
        Offer {
            valid: self.both() && !self.ordered,
            id: packet.connection,
            word: packet.order(self.evs.word()),
        }
    }

    /// The fetch that is offered.
    pub(super) fn fetch(&self) -> Offer<Place> {
        let packet = self.packets.word();
        Offer {
            valid: self.both() && !self.fetched && packet.bytes != 0,
            id: packet.connection,
            word: packet.fetch(),
        }
    }

    /// A clock edge. The inputs: a packet, an entropy value, and whether the offered words are accepted.
    pub(super) fn clock(
        &mut self,
        packet: Option<Packet>,
        ev: Option<u16>,
        order_ready: bool,
        fetch_ready: bool,
    ) {
        let ordered = order_ready || !self.order().valid;
        let fetched = fetch_ready || !self.fetch().valid;
        let both = self.both();
        let done = both && ordered && fetched;
        if both {
            self.ordered = !done && ordered;
            self.fetched = !done && fetched;
        }
        self.handed = self.handed.wrapping_add(done.into());
        self.packets.clock(packet, true, false, done);
        self.evs.clock(ev, true, false, done);
    }
}
