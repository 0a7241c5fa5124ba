//! True state of every connection. The ledger derives this state without a bitmap from the events in the
//! order of their outcomes, and compares each outcome with it.

mod epochs;
mod receiver;
mod sender;
mod words;

use receiver::ReceiverLedger;
use sender::SenderLedger;
pub(super) use sender::{Sent, Time};

use super::breach::Breach;

/// Both ends of a connection.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    pub(super) sender: SenderLedger,
    pub(super) receiver: ReceiverLedger,
}

impl Ledger {
    /// Posts a message at both ends.
    pub(super) fn post(&mut self, time: Time, packets: u16) {
        self.sender.post(time, packets.into());
        self.receiver.post(packets.into());
    }

    /// Checks that no message completes at the sender before it does at the receiver.
    pub(super) fn check_order(&self) -> Result<(), Breach> {
        let (sender, receiver) = (self.sender.completed(), self.receiver.completed());
        if sender <= receiver { Ok(()) } else { Err(Breach::Early { sender, receiver }) }
    }
}
