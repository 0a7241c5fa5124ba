//! The queues between the software of a host and its NIC, independent of the NIC's kind.

use weft_nic::nic::transaction::Nic;
use weft_nic::words::{Received, Sent, Work};

/// The queues between a host's software and its NIC: work requests one way, completions the other.
pub trait Queues: Send {
    /// A work request.
    fn work(&mut self, connection: u32, work: &Work, now: u64);
    /// The next message that was received.
    fn received(&mut self) -> Option<(u32, Received)>;
    /// The next work request that has ended.
    fn sent(&mut self) -> Option<(u32, Sent)>;
    /// The next freeze that began, where freezes are reported: the work request of the packet whose loss led
    /// to it.
    fn frozen(&mut self) -> Option<u32>;
    /// The counts of the NIC, in the order of its counters.
    fn counts(&self) -> Vec<u32>;
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
}
