//! What is so: the truth about every connection, kept without a bitmap from the events in the order of their
//! outcomes, and every outcome held against it.

mod receiver;
mod sender;

use receiver::ReceiverLedger;
use sender::SenderLedger;
pub(super) use sender::{Sent, Time};

use super::fault::Breach;

/// Both ends of a connection.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    pub(super) sender: SenderLedger,
    pub(super) receiver: ReceiverLedger,
}

impl Ledger {
    /// A message that both ends know of.
    pub(super) fn post(&mut self, time: Time, packets: u16) {
        self.sender.post(time, packets.into());
        self.receiver.post(packets.into());
    }

    /// No message completes at the sender before it has at the receiver.
    pub(super) fn check_order(&self) -> Result<(), Breach> {
        let (sender, receiver) = (self.sender.completed(), self.receiver.completed());
        if sender <= receiver { Ok(()) } else { Err(Breach::Early { sender, receiver }) }
    }
}

/// A PSN as its distance from the connection's first, of those the one nearest to `near`.
fn unwrapped(first: u32, near: u64, psn: u32) -> i64 {
    let there = first.wrapping_add(near as u32);
    let distance = (psn.wrapping_sub(there) << 8).cast_signed() >> 8;
    near as i64 + i64::from(distance)
}

/// `got` is `due`, or the outcome's word is wrong.
fn same(end: &'static str, what: &'static str, got: u64, due: u64) -> Result<(), Breach> {
    if got == due { Ok(()) } else { Err(Breach::Word { end, what, got, due }) }
}
