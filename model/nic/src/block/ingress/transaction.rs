//! The transaction view: the verdict on a frame, independent of clocks. All queues are unlimited.

use super::state::{Cause, Packet, Peer, Stats, Verdict};
use super::step::{self, judge_in, meet};
use crate::part::table::Table;
use weft_params::{IngressCsr, SackParams};

/// Peers and counters.
#[derive(Clone, Debug)]
pub struct Ingress {
    params: SackParams,
    /// PSNs of a window.
    psns: u32,
    csr: IngressCsr,
    peers: Table<Peer>,
    stats: Stats,
}

impl Ingress {
    /// The state after reset: every connection is closed.
    pub fn new(params: SackParams, csr: IngressCsr) -> Self {
        Self::with_psns(params, SackParams::WINDOW, csr)
    }

    /// The state after reset, with a window of `psns`.
    pub fn with_psns(params: SackParams, psns: u32, csr: IngressCsr) -> Self {
        Self { params, psns, csr, peers: Table::new(Peer::default()), stats: Stats::default() }
    }

    /// Sets the CSRs from the next frame on.
    pub fn set_csr(&mut self, csr: IngressCsr) {
        self.csr = csr;
    }

    /// Sets the peer of a connection. A frame is handled as a whole, so a close leaves no state behind.
    pub fn set_peer(&mut self, connection: u32, peer: Peer) {
        *self.peers.row(connection) = peer;
    }

    /// The counters.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The contents of a frame and their connection, if the frame is for this NIC and valid; `bad`: the MAC
    /// marked the frame as bad.
    pub fn receive(&mut self, frame: &[u8], bad: bool) -> Result<(u32, Packet), Refusal> {
        let verdict = judge_in(&self.csr, self.params.connections, self.psns, frame, bad);
        let verdict = meet(verdict, |connection| *self.peers.get(connection));
        let (counter, outcome) = match verdict {
            Verdict::Foreign => (&mut self.stats.bypassed, Err(Refusal::Foreign)),
            Verdict::Dropped(cause) => (self.stats.dropped(cause), Err(Refusal::Dropped(cause))),
            Verdict::Sound { connection, packet, .. } => {
                (self.stats.accepted(&packet), Ok((connection.unwrap_or_default(), packet)))
            }
        };
        *counter = counter.wrapping_add(1);
        outcome
    }

    /// Counts a packet that is accepted without its bytes.
    pub(crate) fn count(&mut self, packet: &Packet) {
        let counter = self.stats.accepted(packet);
        *counter = counter.wrapping_add(1);
    }

    /// The payload of a data packet, in its frame.
    pub fn payload<'a>(&self, frame: &'a [u8]) -> &'a [u8] {
        step::payload(&self.csr, frame).and_then(|range| frame.get(range)).unwrap_or_default()
    }
}

/// The reason why a frame has no packet for a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The frame is not for this NIC: it goes to the bypass.
    Foreign,
    /// The frame is dropped and counted.
    Dropped(Cause),
}
