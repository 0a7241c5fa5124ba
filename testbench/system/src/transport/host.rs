//! The hosts. The hosts open connections, post messages, change windows, and close idle connections. They
//! open a closed connection again while packets of its previous opening are still in transit.

use super::message::Message;
use serde::Serialize;
use std::collections::VecDeque;
use weft_nic::block::{sack_rx, sack_tx};
use weft_params::SackParams;
use weft_random::Rng;

/// Messages to deliver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Traffic {
    /// Messages of all connections together.
    pub messages: u64,
    /// Packets of the longest message; small ones are more frequent, by powers of two.
    pub packets_per_message: u32,
    /// Largest congestion window. The window changes all the time, between one packet and this value.
    pub cwnd_bytes: u32,
}

impl Traffic {
    /// 100,000 messages of up to 32 packets. The window is the largest with which the ACKs of all connections
    /// wait for the sender for less than its timer runs. This limit is necessary because nothing in this
    /// bench makes windows smaller when ACKs wait longer.
    pub fn of(connections: u32, mtu_bytes: u32) -> Self {
        let packets = (8_192 / connections.max(1)).clamp(4, 256);
        Self { messages: 100_000, packets_per_message: 32, cwnd_bytes: packets.saturating_mul(mtu_bytes) }
    }
}

/// Maximum number of packets of a message.
pub(super) const MOST_PACKETS: u32 = 4_096;

/// Maximum number of messages, and most packets, of a connection from open to close.
const MESSAGES_OF_A_LIFE: u32 = 64;
const PACKETS_OF_A_LIFE: u32 = 1 << 18;

/// Distance between the first PSNs of recent lives of a connection.
const APART: u32 = 1 << 19;

/// Maximum number of recent lives of a connection for which the space of PSNs is enough.
const LIVES: usize = 6;

/// Number of events, one of which changes the window.
const WINDOW_CHANGE: u32 = 64;

/// A request of a host: an event for a block, or a message to post.
pub(super) enum Wish {
    Receiver(sack_rx::Event),
    Sender(sack_tx::Event),
    Post(u32, Message),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Closed until this clock.
    Closed(u64),
    /// The receiver opens first.
    OpeningReceiver,
    OpeningSender,
    Open,
    /// The sender closes first.
    ClosingSender,
    ClosingReceiver,
    /// The connection closed itself.
    Failed,
}

#[derive(Clone, Debug)]
struct Connection {
    phase: Phase,
    /// Number of times that the connection was opened.
    opening: u32,
    first: u32,
    /// Numbers of messages posted in this opening, of messages and packets not yet posted, and of messages
    /// that the sender has not begun.
    posted: u32,
    messages_left: u32,
    packets_left: u32,
    waiting: u32,
    /// Recent lives: the clock of their end, and their first PSN.
    past: VecDeque<(u64, u32)>,
}

/// The hosts of both ends.
pub(super) struct Host {
    rng: Rng,
    traffic: Traffic,
    mtu: u32,
    /// Number of clocks after which no packet of a life is in transit.
    long_past_clocks: u64,
    connections: Vec<Connection>,
    /// The connection for which the host requests the next event.
    cursor: u32,
    /// Number of messages not yet posted.
    left: u64,
}

impl Host {
    pub(super) fn new(rng: Rng, traffic: Traffic, mtu: u32, long_past_clocks: u64, connections: u32) -> Self {
        let closed = Connection {
            phase: Phase::Closed(0),
            opening: 0,
            first: 0,
            posted: 0,
            messages_left: 0,
            packets_left: 0,
            waiting: 0,
            past: VecDeque::new(),
        };
        let connections = vec![closed; connections as usize];
        Self { rng, traffic, mtu, long_past_clocks, connections, cursor: 0, left: traffic.messages }
    }

    /// Requests the next event of the next connection. `pending` returns the number of its unfinished
    /// messages.
    pub(super) fn poll(&mut self, clock: u64, pending: impl Fn(u32) -> u64) -> Option<Wish> {
        let number = self.cursor;
        self.cursor = (number + 1) % self.connections.len() as u32;
        match self.connections[number as usize].phase {
            Phase::Closed(until) if until <= clock && self.left > 0 => self.open(clock, number),
            Phase::Open if self.rng.below(WINDOW_CHANGE) == 0 => {
                let cwnd_bytes = self.window();
                let event = sack_tx::Event::new(sack_tx::Kind::Window, number);
                Some(Wish::Sender(sack_tx::Event { cwnd_bytes, ..event }))
            }
            Phase::Open => self.post_or_close(number, pending(number)),
            _ => None,
        }
    }

    fn open(&mut self, clock: u64, number: u32) -> Option<Wish> {
        let connection = &mut self.connections[number as usize];
        while connection.past.front().is_some_and(|(end, _)| end + self.long_past_clocks <= clock) {
            connection.past.pop_front();
        }
        if connection.past.len() == LIVES {
            return None;
        }
        // Half of the openings begin shortly before PSNs wrap.
        connection.first = loop {
            let psn = self.rng.below(1 << 24);
            let psn = if self.rng.below(2) == 0 { psn | 0xFF_F000 } else { psn };
            let far = |&(_, other): &(u64, u32)| {
                let ahead = psn.wrapping_sub(other) & 0xFF_FFFF;
                ahead.min((1 << 24) - ahead) > APART
            };
            if connection.past.iter().all(far) {
                break psn;
            }
        };
        connection.opening += 1;
        connection.phase = Phase::OpeningReceiver;
        connection.messages_left = 1 + self.rng.below(MESSAGES_OF_A_LIFE);
        connection.packets_left = PACKETS_OF_A_LIFE;
        (connection.posted, connection.waiting) = (0, 0);
        Some(Wish::Receiver(sack_rx::Event::new(sack_rx::Kind::Open, number, connection.first)))
    }

    fn post_or_close(&mut self, number: u32, pending: u64) -> Option<Wish> {
        let connection = &mut self.connections[number as usize];
        if connection.waiting == SackParams::QUEUE {
            return None;
        }
        if connection.messages_left == 0 || self.left == 0 {
            if pending > 0 || connection.waiting > 0 {
                return None;
            }
            connection.phase = Phase::ClosingSender;
            return Some(Wish::Sender(sack_tx::Event::new(sack_tx::Kind::Close, number)));
        }
        let powers = self.traffic.packets_per_message.ilog2() + 1;
        let most = (2 << self.rng.below(powers)).min(self.traffic.packets_per_message);
        let packets = (1 + self.rng.below(most)).min(connection.packets_left);
        let last_bytes = 1 + self.rng.below(self.mtu);
        let message = Message { number: connection.posted, packets: packets as u16, last_bytes };
        connection.posted += 1;
        connection.waiting += 1;
        connection.messages_left -= 1;
        connection.packets_left -= packets;
        if connection.packets_left == 0 {
            connection.messages_left = 0;
        }
        self.left -= 1;
        Some(Wish::Post(number, message))
    }

    /// A random window. Small windows are as frequent as large ones, by powers of two.
    fn window(&mut self) -> u32 {
        let most = self.traffic.cwnd_bytes;
        let powers = (most / self.mtu).ilog2() + 1;
        let least = self.mtu << self.rng.below(powers);
        (least + self.rng.below(least)).min(most)
    }

    /// The receiver is open. Returns the event that opens the sender.
    pub(super) fn receiver_opened(&mut self, number: u32) -> sack_tx::Event {
        let cwnd_bytes = self.window();
        let connection = &mut self.connections[number as usize];
        connection.phase = Phase::OpeningSender;
        let event = sack_tx::Event::new(sack_tx::Kind::Open, number);
        sack_tx::Event { psn: connection.first, cwnd_bytes, ..event }
    }

    pub(super) fn sender_opened(&mut self, number: u32) {
        self.connections[number as usize].phase = Phase::Open;
    }

    /// The sender is closed. Returns the event that closes the receiver.
    pub(super) fn sender_closed(&mut self, number: u32) -> sack_rx::Event {
        self.connections[number as usize].phase = Phase::ClosingReceiver;
        sack_rx::Event::new(sack_rx::Kind::Close, number, 0)
    }

    pub(super) fn receiver_closed(&mut self, clock: u64, number: u32) {
        let pause = u64::from(self.rng.below(4_096));
        let connection = &mut self.connections[number as usize];
        connection.phase = Phase::Closed(clock + pause);
        connection.past.push_back((clock, connection.first));
    }

    /// Notes that the connection gave up.
    pub(super) fn failed(&mut self, number: u32) {
        self.connections[number as usize].phase = Phase::Failed;
    }

    /// Notes that the sender has begun a message.
    pub(super) fn begun(&mut self, number: u32) {
        self.connections[number as usize].waiting -= 1;
    }

    /// Number of times that the connection was opened.
    pub(super) fn opening(&self, number: u32) -> u32 {
        self.connections[number as usize].opening
    }

    /// Whether no message will be posted any more and every open connection has failed.
    pub(super) fn is_done(&self) -> bool {
        let idle = |it: &Connection| match it.phase {
            Phase::Closed(_) => self.left == 0,
            phase => phase == Phase::Failed,
        };
        self.connections.iter().all(idle)
    }
}
