//! What a workload comes down to: memories, connections, and messages that wait for each other.

use crate::memory::Memory;

/// Two hosts that are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Both hosts.
    pub hosts: [u32; 2],
}

/// What the receiving host does with a message as its completion comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum {
    /// Adds the words here
    pub from: u64,
    /// to those here,
    pub to: u64,
    /// so many bytes.
    pub bytes: u32,
}

/// A trigger that a message waits for. Triggers go between hosts at once and without a packet, as in htsim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After {
    /// Which trigger.
    pub trigger: u32,
    /// It has fired so many times; at least 1.
    pub times: u32,
}

/// The triggers that a message fires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fires {
    /// As the sender is told that it has been sent.
    pub sent: Option<u32>,
    /// As the receiver is told of it, for which it has an immediate.
    pub received: Option<u32>,
}

/// A write from one host into another's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Its pairing.
    pub pairing: u32,
    /// From which of the two hosts.
    pub side: usize,
    /// Where the bytes are at the sender.
    pub local: u64,
    /// Where they go at the receiver.
    pub remote: u64,
    /// Bytes.
    pub length: u32,
    /// The receiver is told.
    pub immediate: Option<u32>,
    /// What it waits for; for the begin of the run without.
    pub after: Option<After>,
    /// It may be posted so many clocks after that.
    pub delay: u64,
    /// What waits for it.
    pub fires: Fires,
    /// What the receiver does as it is told.
    pub sum: Option<Sum>,
}

/// The plan. Of the messages of one side of a pairing, the one goes first that could be posted first, and of equals the
/// first one here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The memory of every host before the start.
    pub memories: Vec<Memory>,
    /// The connections.
    pub pairings: Vec<Pairing>,
    /// The messages.
    pub messages: Vec<Message>,
    /// How many triggers they fire and wait for.
    pub triggers: u32,
    /// What is to be in memory at the end, beyond what the messages bring: host, address, bytes.
    pub results: Vec<(u32, u64, Vec<u8>)>,
}

impl Plan {
    /// The hosts that a message goes from and to.
    pub fn ends(&self, message: u32) -> (u32, u32) {
        let Message { pairing, side, .. } = self.messages[message as usize];
        let hosts = self.pairings[pairing as usize].hosts;
        (hosts[side], hosts[1 - side])
    }

    /// Who sends what to whom: a leg for each message.
    pub fn legs(&self) -> Vec<Leg> {
        let leg = |(number, message): (u32, &Message)| {
            let (from, to) = self.ends(number);
            Leg { from, to, bytes: message.length }
        };
        (0..).zip(&self.messages).map(leg).collect()
    }
}

/// Who sends a message to whom, and its bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Leg {
    /// The host that sends it.
    pub from: u32,
    /// The host that it goes to.
    pub to: u32,
    /// Its payload.
    pub bytes: u32,
}

/// When a message was due, when it was posted and when it ended, if it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Times {
    /// Clock from which it could be posted: its time had come, or its trigger.
    pub due: Option<u64>,
    /// Clock of its posting.
    pub posted: Option<u64>,
    /// Clock in which the last completion came that it has.
    pub ended: Option<u64>,
}

/// Places in a memory, one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    base: u64,
    next: u64,
}

/// Bytes between places that belong to nothing: a write beyond its place is seen.
const GUARD: u64 = 64;

impl Places {
    /// In the memory of a host. All addresses of all hosts differ.
    pub(crate) fn of(host: u32) -> Self {
        let base = (u64::from(host) + 1) << 36;
        Self { base, next: base + GUARD }
    }

    /// Room for so many bytes, at an address whose remainder by 64 is `offset`.
    pub(crate) fn take(&mut self, bytes: u64, offset: u64) -> u64 {
        let address = self.next.next_multiple_of(64) + offset;
        self.next = address + bytes + GUARD;
        address
    }

    /// The memory.
    pub(crate) fn memory(&self) -> Memory {
        Memory::new(self.base, (self.next - self.base) as usize)
    }
}
