//! Far ends and the network between: packets that are lost, trimmed, delayed, and receivers that acknowledge.

use super::oracle::Piece;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use weft_nic::words::{Acknowledgement, Order};
use weft_random::Rng;

/// Reason of a NACK for a packet that the peer will never accept (`wire.md` 7.3: UNEXP_EVENT).
pub const DENIED: u8 = 0x19;

/// Behaviour of a network and a far end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Network {
    /// Packets of 256, and acknowledgements of 256, that are lost.
    pub loss: u32,
    /// Further acknowledgements of 256 that are lost.
    pub silence: u32,
    /// Packets in 256 that are trimmed.
    pub trims: u32,
    /// Packets in 4,096 that are denied, as if the sender had no right to write to the address.
    pub denials: u32,
    /// Packets of 256 that are marked.
    pub marks: u32,
    /// Minimum number of clocks from an order to its acknowledgement.
    pub delay: u32,
    /// Bound of the random clocks added to `delay`.
    pub jitter: u32,
    /// Number of packets in order that one ACK answers, at most 17. 0 and 1: one ACK for each packet.
    pub coalesce: usize,
    /// Clocks of each `SHUT_PERIOD` in which the way back is shut. The first answers of each connection and
    /// the last ones wait until it opens, and the others are lost.
    pub shut: u32,
}

/// Clocks from one opening of the way back to the next.
const SHUT_PERIOD: u64 = 4_096;
/// Answers of a connection that wait while the way back is shut: first ones and last ones.
const WAITING: (usize, usize) = (3, 2);

#[derive(Clone, Copy, Debug)]
enum Flight {
    Packet { connection: u32, generation: (u32, u32), piece: Piece, order: Order, stamp: u16 },
    Answer(u32, Acknowledgement),
}

#[derive(Clone, Debug, Default)]
struct Receiver {
    generation: u32,
    expected: u32,
    /// PSNs received beyond `expected`, not wrapped.
    beyond: Vec<u32>,
    /// Entropy values and marks of packets that the next ACK lists.
    held: Vec<(u16, bool)>,
    /// Answers that wait until the way back opens.
    waiting: Vec<Acknowledgement>,
}

/// The far ends of all connections.
#[derive(Clone, Debug)]
pub struct Far {
    /// PSNs of a window.
    psns: u32,
    network: Network,
    rng: Rng,
    receivers: Vec<Receiver>,
    due: BinaryHeap<Reverse<(u64, u64)>>,
    flights: BTreeMap<u64, Flight>,
    number: u64,
    /// Answers for the sender.
    pub answers: VecDeque<(u32, Acknowledgement)>,
}

impl Far {
    /// Far ends behind a network.
    pub fn new(connections: u32, psns: u32, network: Network, seed: u64) -> Self {
        Self {
            psns,
            network,
            rng: Rng::new(seed),
            receivers: vec![Receiver::default(); connections as usize],
            due: BinaryHeap::new(),
            flights: BTreeMap::new(),
            number: 0,
            answers: VecDeque::new(),
        }
    }

    fn launch(&mut self, clock: u64, flight: Flight) {
        let Network { delay, jitter, .. } = self.network;
        let due = clock + u64::from(delay / 2 + self.rng.below(jitter / 2 + 1));
        self.due.push(Reverse((due, self.number)));
        self.flights.insert(self.number, flight);
        self.number += 1;
    }

    /// A packet leaves. Its opening is given by number and first PSN.
    pub fn packet(
        &mut self,
        clock: u64,
        connection: u32,
        generation: (u32, u32),
        piece: Piece,
        order: &Order,
        now: u32,
    ) {
        if self.rng.below(256) >= self.network.loss {
            let (order, stamp) = (*order, now as u16);
            self.launch(clock, Flight::Packet { connection, generation, piece, order, stamp });
        }
    }

    /// One clock: due packets and answers arrive. `came` is called for each packet that arrived.
    pub fn clock(&mut self, clock: u64, mut came: impl FnMut(Piece)) {
        if clock % SHUT_PERIOD == u64::from(self.network.shut) {
            self.open(clock);
        }
        while let Some(&Reverse((due, number))) = self.due.peek()
            && due <= clock
        {
            self.due.pop();
            match self.flights.remove(&number) {
                Some(Flight::Answer(connection, answer)) => self.answers.push_back((connection, answer)),
                Some(Flight::Packet { connection, generation, piece, order, stamp }) => {
                    let (placed, answer) = self.receive(connection, generation, &order, stamp);
                    if placed {
                        came(piece);
                    }
                    if let Some(answer) = answer
                        && self.rng.below(256) >= self.network.loss + self.network.silence
                    {
                        self.answer(clock, connection, answer);
                    }
                }
                None => {}
            }
        }
    }

    /// An answer leaves, waits or is lost.
    fn answer(&mut self, clock: u64, connection: u32, answer: Acknowledgement) {
        if clock % SHUT_PERIOD >= u64::from(self.network.shut) {
            return self.launch(clock, Flight::Answer(connection, answer));
        }
        let waiting = &mut self.receivers[connection as usize].waiting;
        if waiting.len() == WAITING.0 + WAITING.1 {
            waiting.remove(WAITING.0);
        }
        waiting.push(answer);
    }

    /// The way back opens.
    fn open(&mut self, clock: u64) {
        for connection in 0..self.receivers.len() {
            for answer in std::mem::take(&mut self.receivers[connection].waiting) {
                self.launch(clock, Flight::Answer(connection as u32, answer));
            }
        }
    }

    /// Receives a packet. Returns whether it is placed, and its answer.
    fn receive(
        &mut self,
        connection: u32,
        (generation, start): (u32, u32),
        order: &Order,
        stamp: u16,
    ) -> (bool, Option<Acknowledgement>) {
        let receiver = &mut self.receivers[connection as usize];
        if receiver.generation < generation {
            *receiver = Receiver { generation, expected: start, ..Receiver::default() };
        }
        if receiver.generation > generation {
            return (false, None);
        }
        let psn = order.psn;
        let ahead = psn.wrapping_sub(receiver.expected) & 0xFF_FFFF;
        let before = ahead >= 0x80_0000;
        let nack = self.rng.below(256) < self.network.trims || (!before && ahead >= self.psns);
        let denials = self.network.denials;
        let denied = !before && denials > 0 && self.rng.below(4_096) < denials;
        let nack = nack || denied;
        let mut answer = Acknowledgement {
            nack,
            reason: if denied { DENIED } else { u8::from(nack) },
            expected: psn,
            trigger: psn,
            ce: self.rng.below(256) < self.network.marks,
            ev: order.ev,
            stamp,
            ..Acknowledgement::default()
        };
        if !nack {
            let asked = order.request || order.last || ahead != 0 || !receiver.beyond.is_empty();
            if !asked && receiver.held.len() + 1 < self.network.coalesce {
                receiver.expected = (psn + 1) & 0xFF_FFFF;
                receiver.held.push((answer.ev, answer.ce));
                return (true, None);
            }
            for (at, (ev, ce)) in receiver.held.drain(..).enumerate() {
                answer.there |= 1 << at;
                answer.marked |= u16::from(ce) << at;
                answer.evs[at] = ev;
            }
            if !before && !receiver.beyond.contains(&psn) {
                receiver.beyond.push(psn);
            }
            while let Some(at) = receiver.beyond.iter().position(|&it| it == receiver.expected) {
                receiver.beyond.swap_remove(at);
                receiver.expected = (receiver.expected + 1) & 0xFF_FFFF;
            }
            answer.expected = receiver.expected;
            // Rule 25 of sack_tx: the bitmap of a far PSN ends with that PSN.
            let ahead = psn.wrapping_sub(receiver.expected) & 0xFF_FFFF;
            let first =
                if (256..self.psns).contains(&ahead) { psn.wrapping_sub(255) } else { receiver.expected };
            for &it in &receiver.beyond {
                let bit = it.wrapping_sub(first) & 0xFF_FFFF;
                if bit < 256 {
                    answer.bitmap[bit as usize / 64] |= 1 << (bit % 64);
                }
            }
        }
        (!nack, Some(answer))
    }
}
