//! Plan of a workload: memories, connections, and messages that wait for each other.

use crate::memory::Memory;

/// Two hosts that are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Numbers of both hosts.
    pub hosts: [u32; 2],
}

/// A sum that the receiving host computes on the completion of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum {
    /// Address of the words to add.
    pub from: u64,
    /// Address of the words to which the first words are added.
    pub to: u64,
    /// Number of bytes of each.
    pub bytes: u32,
}

/// A trigger that a message waits for. Triggers reach other hosts at once and without a packet, as in htsim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After {
    /// Number of the trigger.
    pub trigger: u32,
    /// Times that the trigger must have fired, at least 1.
    pub times: u32,
}

/// The triggers that a message fires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fires {
    /// Trigger fired by the sender's completion.
    pub sent: Option<u32>,
    /// Trigger fired by the receiver's completion. The message then has an immediate.
    pub received: Option<u32>,
}

/// A write from one host into another's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Number of the pairing.
    pub pairing: u32,
    /// Index of the sending host in the pairing.
    pub side: usize,
    /// Address of the bytes at the sender.
    pub local: u64,
    /// Address of the bytes at the receiver.
    pub remote: u64,
    /// Bytes.
    pub length: u32,
    /// Immediate, if the receiver gets a completion.
    pub immediate: Option<u32>,
    /// Trigger that the message waits for. `None`: the beginning of the run.
    pub after: Option<After>,
    /// Clocks after the trigger until the message may be posted.
    pub delay: u64,
    /// Triggers that the message fires.
    pub fires: Fires,
    /// Sum that the receiver computes on its completion.
    pub sum: Option<Sum>,
}

/// A plan. Among the messages of one side of a pairing, the message that became due first goes first.
/// Messages that became due together keep the order of this plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The memory of every host before the start.
    pub memories: Vec<Memory>,
    /// The connections.
    pub pairings: Vec<Pairing>,
    /// The messages.
    pub messages: Vec<Message>,
    /// Number of triggers that the messages fire and wait for.
    pub triggers: u32,
    /// Expected contents of memory at the end besides the messages' bytes: host, address, bytes.
    pub results: Vec<(u32, u64, Vec<u8>)>,
}

impl Plan {
    /// The two hosts of a message: sender, receiver.
    pub fn ends(&self, message: u32) -> (u32, u32) {
        let Message { pairing, side, .. } = self.messages[message as usize];
        let hosts = self.pairings[pairing as usize].hosts;
        (hosts[side], hosts[1 - side])
    }

    /// Legs of all messages: sender, receiver and bytes.
    pub fn legs(&self) -> Vec<Leg> {
        let leg = |(number, message): (u32, &Message)| {
            let (from, to) = self.ends(number);
            Leg { from, to, bytes: message.length }
        };
        (0..).zip(&self.messages).map(leg).collect()
    }
}

/// Sender, receiver and bytes of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Leg {
    /// Host that sends the message.
    pub from: u32,
    /// Host that receives the message.
    pub to: u32,
    /// Bytes of payload.
    pub bytes: u32,
}

/// Clocks in which a message was due, was posted and ended, as far as these events have happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Times {
    /// Clock from which on the message could be posted, by its time or its trigger.
    pub due: Option<u64>,
    /// Clock in which the message was posted.
    pub posted: Option<u64>,
    /// Clock of its last completion.
    pub ended: Option<u64>,
}

/// Places in a memory, one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    base: u64,
    next: u64,
}

/// Bytes between places that belong to no place, so that a write beyond a place is detected.
const GUARD: u64 = 64;

impl Places {
    /// Places in the memory of a host. All addresses of all hosts differ.
    pub(crate) fn of(host: u32) -> Self {
        let base = (u64::from(host) + 1) << 36;
        Self { base, next: base + GUARD }
    }

    /// Space for `bytes` bytes, at an address whose remainder by 64 is `offset`.
    pub(crate) fn take(&mut self, bytes: u64, offset: u64) -> u64 {
        let address = self.next.next_multiple_of(64) + offset;
        self.next = address + bytes + GUARD;
        address
    }

    /// Memory that has all places.
    pub(crate) fn memory(&self) -> Memory {
        Memory::new(self.base, (self.next - self.base) as usize)
    }
}
