//! The transaction view: the frames of replies and orders, with no notion of clocks.

use super::state::{Counters, Peer};
use super::step;
use super::store::FRAME;
use crate::part::table::Table;
use crate::words::{Beat, Order, Reply};
use weft_params::{EgressCsr, SackParams};

/// Peers and counters.
#[derive(Clone, Debug)]
pub struct Egress {
    csr: EgressCsr,
    /// PSNs of a window.
    psns: u32,
    peers: Table<Peer>,
    counters: Counters,
}

fn count(counter: &mut u32) {
    *counter = counter.wrapping_add(1);
}

impl Egress {
    /// The state after reset: every peer is 0.
    pub fn new(csr: EgressCsr) -> Self {
        Self::with_psns(SackParams::WINDOW, csr)
    }

    /// The state after reset, with a window of `psns`.
    pub fn with_psns(psns: u32, csr: EgressCsr) -> Self {
        Self { csr, psns, peers: Table::new(Peer::default()), counters: Counters::default() }
    }

    /// Sets the CSRs from the next frame on.
    pub fn set_csr(&mut self, csr: EgressCsr) {
        self.csr = csr;
    }

    /// Sets the peer of a connection. The view makes a frame as a whole, so no frame of the earlier peer is
    /// left.
    pub fn set_peer(&mut self, connection: u32, peer: Peer) {
        *self.peers.row(connection) = peer;
    }

    /// The connections whose peer has this address, IPv6 or IPv4, and this queue pair.
    pub fn connections_to(&self, v6: bool, address: u128, qp: u32) -> impl Iterator<Item = u32> + '_ {
        let is_there = move |peer: &Peer| (peer.v6, peer.address, peer.qp) == (v6, address, qp);
        (0..self.peers.rows() as u32).filter(move |&connection| is_there(self.peers.get(connection)))
    }

    /// The counters.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The frame of an ACK or NACK.
    pub fn reply(&mut self, connection: u32, reply: &Reply) -> Vec<u8> {
        self.count_reply(reply);
        step::reply(&self.csr, self.peers.get(connection), reply, self.psns)
    }

    /// The frame of a data packet that begins now. `None`, with an error counted, if the payload could not be
    /// read, is shorter than in the order or fills more bus words. `None` if the packet is `past`: it no
    /// longer needs to be sent.
    pub fn data(
        &mut self,
        connection: u32,
        order: &Order,
        payload: Option<&[u8]>,
        past: bool,
        now: u64,
    ) -> Option<Vec<u8>> {
        let bytes = usize::from(order.bytes);
        let fits = bytes..=bytes.next_multiple_of(Beat::BYTES);
        let Some(payload) = payload.filter(|payload| fits.contains(&payload.len())) else {
            count(&mut self.counters.read_errors);
            return None;
        };
        if past {
            return None;
        }
        self.count_data(order);
        Some(step::data(&self.csr, self.peers.get(connection), order, now as u16, &payload[..bytes]))
    }

    /// Counts the frame of an ACK or NACK.
    pub(crate) fn count_reply(&mut self, reply: &Reply) {
        let Counters { ack_frames, nack_frames, .. } = &mut self.counters;
        count(if reply.nack { nack_frames } else { ack_frames });
    }

    /// Counts the frame of a data packet.
    pub(crate) fn count_data(&mut self, order: &Order) {
        count(&mut self.counters.data_frames);
        let bytes = &mut self.counters.data_bytes;
        *bytes = bytes.wrapping_add(order.bytes.into());
    }

    /// A frame of other software begins.
    pub fn bypass(&mut self) {
        count(&mut self.counters.bypass_frames);
    }

    /// A frame of other software arrives. A frame that is too long is counted as such, and the function
    /// returns `false`.
    pub fn takes(&mut self, frame: &[u8]) -> bool {
        let fits = frame.len() <= FRAME * Beat::BYTES;
        if !fits {
            count(&mut self.counters.bypass_overflows);
        }
        fits
    }
}
