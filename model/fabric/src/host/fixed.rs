//! A host with a fixed window and a random entropy value for every packet: the simplest load of a network.
//! This host is for measurements and comparisons of engines; it resembles no transport of the papers.

use super::{Endpoint, NEVER, Signal};
use crate::balance::hash;
use crate::packet::{CONTROL, ECN, Packet, TRIMMED};
use weft_random::Rng;

/// A NACK: the packet was trimmed.
const NACK: u8 = TRIMMED;

/// The settings of one host.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The host to which this host sends.
    pub destination: u32,
    /// Packets that this host sends.
    pub packets: u32,
    /// Maximum number of packets in flight.
    pub window: u32,
    /// Packets per ACK.
    pub per_ack: u32,
    /// Bytes of a packet, and of an ACK.
    pub bytes: [u16; 2],
    /// Time of the start.
    pub start_ps: u64,
}

/// The host.
#[derive(Clone, Debug)]
pub struct Fixed {
    number: u32,
    settings: Settings,
    hash: u32,
    next: u32,
    under_way: u32,
    acked: u32,
    came: u32,
    is_started: bool,
    resend: Vec<u32>,
    answers: std::collections::VecDeque<Packet>,
    /// The host that got the last answer, and the hash of packets to that host.
    answered: (u32, u32),
    random: Rng,
    /// Time at which all packets were acknowledged.
    pub done_ps: Option<u64>,
    none: Vec<Signal>,
}

impl Fixed {
    /// The host of this number.
    pub fn new(number: u32, settings: Settings, seed: u64) -> Self {
        Self {
            number,
            settings,
            hash: hash::of_flow(number, settings.destination),
            next: 0,
            under_way: 0,
            acked: 0,
            came: 0,
            is_started: false,
            resend: Vec::new(),
            answers: Default::default(),
            answered: (number, hash::of_flow(number, number)),
            random: Rng::of(&[seed, number.into()]),
            done_ps: None,
            none: Vec::new(),
        }
    }
}

impl Endpoint for Fixed {
    type Desk = ();
    type Body = u32;

    fn holds_ps(&self) -> [u64; 2] {
        [0; 2]
    }

    fn due(&self) -> u64 {
        if self.is_started { NEVER } else { self.settings.start_ps }
    }

    fn wake(&mut self, (): &mut (), _: u64) {
        self.is_started = true;
    }

    #[inline]
    fn fetch(&self, (): &(), _: &[Packet]) {}

    #[inline]
    fn fetch_behind(&self, (): &(), _: &[Packet]) {}

    fn arrive(&mut self, (): &mut (), packet: &Packet) {
        if packet.flags & CONTROL != 0 {
            if packet.flags & NACK != 0 {
                self.under_way -= 1;
                self.resend.push(packet.word);
                return;
            }
            let all = self.settings.packets - self.acked;
            let count = self.settings.per_ack.min(all);
            self.under_way -= count;
            self.acked += count;
            if self.acked == self.settings.packets {
                self.done_ps = Some(packet.time_ps);
            }
            return;
        }
        let is_trimmed = packet.flags & TRIMMED != 0;
        self.came += u32::from(!is_trimmed);
        if is_trimmed || self.came.is_multiple_of(self.settings.per_ack) {
            if self.answered.0 != packet.source {
                self.answered = (packet.source, hash::of_flow(self.number, packet.source));
            }
            self.answers.push_back(Packet {
                source: self.number,
                destination: packet.source,
                hash: self.answered.1,
                flags: CONTROL | packet.flags & ECN | if is_trimmed { NACK } else { 0 },
                bytes: self.settings.bytes[1],
                ..*packet
            });
        }
    }

    fn poll(&mut self, (): &mut (), _: u64) -> Option<Packet> {
        if let Some(answer) = self.answers.pop_front() {
            return Some(answer);
        }
        let Settings { destination, packets, window, bytes, .. } = self.settings;
        if !self.is_started || self.under_way >= window {
            return None;
        }
        let word = match self.resend.pop() {
            Some(word) => word,
            None if self.next < packets => {
                self.next += 1;
                self.next - 1
            }
            None => return None,
        };
        self.under_way += 1;
        Some(Packet {
            source: self.number,
            destination,
            hash: self.hash,
            word,
            ev: (self.random.draw() >> 48) as u16,
            bytes: bytes[0],
            ..Packet::default()
        })
    }

    fn finished(&self) -> u32 {
        self.done_ps.is_some().into()
    }

    fn expected(&self) -> u32 {
        (self.settings.packets > 0).into()
    }

    fn signal(&mut self, _: Signal) {}

    fn signals(&mut self) -> &mut Vec<Signal> {
        &mut self.none
    }

    fn lose((): &mut (), _: &Packet) -> Option<u32> {
        None
    }

    fn take((): &mut (), word: u32) -> u32 {
        word
    }

    fn put((): &mut (), body: u32) -> u32 {
        body
    }
}
