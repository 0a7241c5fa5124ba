//! The queues between the software of a host and its NIC, independent of the NIC's kind.

use weft_nic::nic::transaction::Nic;
use weft_nic::words::{Received, Sent, Work};

/// A connection that sends, as its NIC shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Window and payload in flight in bytes; `None` if no port of the NIC shows them.
    pub bytes: Option<[u32; 2]>,
    /// Whether REPS is in freezing mode.
    pub is_frozen: bool,
    /// The lowest unacknowledged PSN, and the PSNs that were found lost and wait for retransmission; empty if
    /// no port of the NIC shows them.
    pub lowest: u32,
    /// See `lowest`.
    pub lost: Vec<u32>,
}

/// The queues between a host's software and its NIC: work requests one way, completions the other.
pub trait Queues: Send {
    /// Posts a work request.
    fn work(&mut self, connection: u32, work: &Work, now: u64);
    /// The next message that was received.
    fn received(&mut self) -> Option<(u32, Received)>;
    /// The next work request that has ended.
    fn sent(&mut self) -> Option<(u32, Sent)>;
    /// The next reported start of a freeze: the work request of the packet whose loss led to the freeze.
    fn frozen(&mut self) -> Option<u32>;
    /// The counts of the NIC, in the order of its counters.
    fn counts(&self) -> Vec<u32>;
    /// The state of a connection that sends.
    fn look(&self, connection: u32) -> Look;
}

impl Queues for Nic {
    #[inline]
    fn work(&mut self, connection: u32, work: &Work, now: u64) {
        self.work(connection, work, now);
    }

    #[inline]
    fn received(&mut self) -> Option<(u32, Received)> {
        self.received()
    }

    #[inline]
    fn sent(&mut self) -> Option<(u32, Sent)> {
        self.sent()
    }

    #[inline]
    fn frozen(&mut self) -> Option<u32> {
        self.frozen()
    }

    fn counts(&self) -> Vec<u32> {
        self.counters().to_vec()
    }

    fn look(&self, connection: u32) -> Look {
        let (transport, reps) = (self.sender().sack(), self.sender().reps());
        let view = transport.view(connection);
        let in_flight = view.in_flight.value() as u32 * transport.csr().mtu_bytes;
        Look {
            bytes: Some([view.cwnd.value() as u32, in_flight]),
            is_frozen: reps.control(connection).frozen.value() == 1,
            lowest: view.una.value() as u32,
            lost: transport.lost(connection),
        }
    }
}
