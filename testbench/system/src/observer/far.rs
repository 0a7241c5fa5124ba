//! The far end of an opening, which keeps to the protocol.

use super::books::Known;
use super::craft::{self, Marks, Packet};
use super::receiving::BEHIND;
use super::world::{Identity, PSN_MASK, behind};
use std::collections::BTreeSet;
use weft_random::Rng;
use weft_wire::Data;

/// PSNs of a window.
const WINDOW: u32 = 256;
/// Maximum number of unfinished messages at a time.
const MESSAGES: u16 = 16;
/// Packets that a peer sends after it was reset.
const TRIES: u32 = 60;
/// Number of arrived packets that a pretending peer requests again.
const ASKED: usize = 3;
/// Clocks after which a packet is sent again.
const PATIENCE: u64 = 3_000;

/// The far end of one opening.
#[derive(Clone, Debug)]
pub(super) struct Far {
    pub(super) opening: usize,
    pub(super) identity: Identity,
    /// Packets for the NIC, each with the clock in which it was last sent.
    packets: Vec<(Packet, Option<u64>)>,
    /// Packets that the NIC has acknowledged: all packets below this one, and further ones.
    below: u32,
    acked: BTreeSet<u32>,
    messages: u16,
    /// Offset in the region of the next packet.
    cursor: u64,
    /// Packets that have arrived from the NIC: all numbers below the first field, and those in the second.
    got: (u32, BTreeSet<u32>),
    /// Entropy values and marks of the packets that arrived last.
    latest: Vec<(u16, bool)>,
    /// Whether the peer answers no data.
    pub(super) deaf: bool,
    /// Whether the peer denies all data.
    pub(super) denies: bool,
    /// The peer requests packets again that have arrived (`asked`), until the NIC reads one of them again.
    pub(super) pretends: bool,
    asked: BTreeSet<u32>,
    /// The peer was reset and has lost its state: number of packets that it still sends before it gives up.
    pub(super) tries: Option<u32>,
    /// Owner of the memory from which the payloads are copied.
    owner: u64,
    /// Time stamp of the packet that arrived last.
    stamp: u16,
    /// The NIC has denied a packet, so the peer sends no further packet.
    ended: bool,
}

impl Far {
    pub(super) fn new(opening: usize, identity: Identity) -> Self {
        Self {
            opening,
            identity,
            packets: Vec::new(),
            below: 0,
            acked: BTreeSet::new(),
            messages: 0,
            cursor: 0,
            got: (0, BTreeSet::new()),
            latest: Vec::new(),
            deaf: false,
            denies: false,
            pretends: false,
            asked: BTreeSet::new(),
            tries: None,
            owner: (opening as u64) << 32,
            stamp: 0,
            ended: false,
        }
    }

    /// The peer after a reset, with other PSNs in both directions.
    pub(super) fn restarted(&self, send_psn: u32, receive_psn: u32) -> Self {
        let identity = Identity { send_psn, receive_psn, ..self.identity };
        let owner = self.owner + (1 << 24);
        Self { tries: Some(TRIES), owner, ..Self::new(self.opening, identity) }
    }

    /// Whether the peer will send no further packet to the NIC.
    pub(super) fn is_silent(&self) -> bool {
        self.deaf || self.tries.is_some()
    }

    /// Whether each packet of the peer is acknowledged or will never be.
    pub(super) fn is_done(&self) -> bool {
        self.ended || self.below as usize == self.packets.len()
    }

    /// The NIC has denied a packet. A denied packet of the window ends the peer.
    pub(super) fn is_denied(&mut self, psn: u32) {
        let number = behind(self.identity.receive_psn, psn);
        self.ended |= (self.below..self.next()).contains(&number);
    }

    /// Progress of the peer, for messages.
    pub(super) fn state(&self) -> String {
        let next = self.packets.get(self.below as usize);
        let Identity { index, base, length, .. } = self.identity;
        format!(
            "connection {index} ({base:#x}, {length:#x}): {} of {}, {next:x?}",
            self.below,
            self.packets.len()
        )
    }

    /// First number that no packet has.
    pub(super) fn next(&self) -> u32 {
        self.packets.len() as u32
    }

    /// Adds a message of `packets` packets, as far as the region has space.
    pub(super) fn message(&mut self, rng: &mut Rng, packets: u32, mtu: u32) {
        let Identity { base, length, key, .. } = self.identity;
        let solicited = rng.chance(3, 4);
        let mut message = Vec::new();
        for left in (0..packets).rev() {
            let any = rng.below(mtu + 1);
            let mut bytes = *rng.pick(&[0, 1, 63, 64, 65, 128, mtu, mtu, any, any]).min(&mtu);
            // Sometimes the message fills the rest of the region to the last byte.
            let room = u64::from(length).saturating_sub(self.cursor) as u32;
            if room <= mtu || (left == 0 && room < 2 * mtu) {
                bytes = room.min(mtu);
            }
            if room == 0 {
                break;
            }
            let (number, message_number) = (self.next() + message.len() as u32, self.messages);
            message.push(Packet {
                number,
                address: base.wrapping_add(self.cursor),
                key,
                bytes,
                last: left == 0 || bytes == room,
                solicited,
                message: message_number,
                owner: self.owner + u64::from(number),
            });
            // Each packet has an address of its own.
            self.cursor += u64::from(bytes.max(1));
            if bytes == room {
                break;
            }
        }
        if let Some(last) = message.last_mut() {
            last.last = true;
            self.messages = self.messages.wrapping_add(1);
        }
        self.packets.extend(message.into_iter().map(|packet| (packet, None)));
    }

    /// Next packet that is due, if any.
    pub(super) fn send(&mut self, clock: u64, rng: &mut Rng) -> Option<Vec<u8>> {
        if self.ended {
            return None;
        }
        while self.below < self.next() && self.acked.remove(&self.below) {
            self.below += 1;
        }
        let oldest = self.packets.get(self.below as usize)?.0.message;
        let end = (self.below + WINDOW).min(self.next());
        let may = |(packet, sent): &(Packet, Option<u64>), acked: &BTreeSet<u32>| {
            // A packet that was never sent counts as not acknowledged, even if a forged packet had it
            // acknowledged.
            let waits = sent.is_none_or(|sent| sent + PATIENCE < clock && !acked.contains(&packet.number));
            waits && packet.message.wrapping_sub(oldest) < MESSAGES
        };
        let number = (self.below..end).find(|number| may(&self.packets[*number as usize], &self.acked))?;
        if let Some(tries) = &mut self.tries {
            *tries = tries.saturating_sub(1);
            self.ended |= *tries == 0;
        }
        let (packet, sent) = &mut self.packets[number as usize];
        *sent = Some(clock);
        Some(craft::data(&self.identity, &self.identity.peer, packet, Marks::random(rng)))
    }

    /// A packet of the past or the future, as a template for a forged one.
    pub(super) fn sample(&self, rng: &mut Rng) -> Packet {
        let number = self.next() + rng.below(4);
        Packet {
            number,
            address: self.identity.base,
            key: self.identity.key,
            bytes: 1 + rng.below(64),
            last: false,
            solicited: false,
            message: self.messages,
            owner: rng.draw(),
        }
    }

    /// Notes an ACK of the NIC.
    pub(super) fn acknowledged(&mut self, cumulative: u32, bitmap: [u64; 4]) {
        let below = behind(self.identity.receive_psn, cumulative.wrapping_add(1) & PSN_MASK);
        // An attacker may have forged packets that the peer has not sent yet.
        let below = if below >> 23 == 0 { below.min(self.next()) } else { 0 };
        let bits = (0..WINDOW).filter(|bit| bitmap[*bit as usize / 64] >> (bit % 64) & 1 == 1);
        self.acked.extend(bits.map(|bit| below + bit));
        self.below = self.below.max(below);
        self.acked = self.acked.split_off(&self.below);
    }

    /// The NIC has sent this PSN. Earlier PSNs that an ACK acknowledged will not be sent again, even if the
    /// ACK was of an earlier opening. They count as received; otherwise the window would never move past
    /// them.
    pub(super) fn hears(&mut self, psn: u32, acked: &Known) {
        let number = behind(self.identity.send_psn, psn);
        let end = if number < BEHIND { number } else { 0 };
        self.got.1.extend((self.got.0..end).filter(|before| acked.contains(*before)));
    }

    /// Answers data from the NIC.
    pub(super) fn answer(
        &mut self,
        psn: u32,
        ev: u16,
        data: &Data<'_>,
        rng: &mut Rng,
        nacks: u32,
    ) -> Vec<u8> {
        let number = behind(self.identity.send_psn, psn);
        self.stamp = data.xeth.tx_timestamp();
        let marks = Marks { ev, stamp: self.stamp, request: false, ce: rng.chance(1, 8) };
        let beyond = number < BEHIND && number.saturating_sub(self.got.0) >= WINDOW;
        if self.denies || self.tries.is_some() && beyond {
            return craft::denial(&self.identity, number, marks);
        }
        if self.tries.is_some() && number >= BEHIND {
            return self.said(number, marks, &[]);
        }
        if self.pretends
            && self.asked.len() < ASKED
            && number >= self.got.0
            && !self.got.1.contains(&number)
            && self.asked.insert(number)
        {
            return craft::nack(&self.identity, number, marks);
        }
        if rng.chance(nacks, 64) && number >= self.got.0 && !self.got.1.contains(&number) {
            return craft::nack(&self.identity, number, marks);
        }
        if number >= self.got.0 {
            self.got.1.insert(number);
        }
        while self.got.1.remove(&self.got.0) {
            self.got.0 += 1;
        }
        // The answer claims that the peer did not answer the packets before at once.
        let listed = if rng.chance(1, 4) { std::mem::take(&mut self.latest) } else { Vec::new() };
        if self.latest.len() < 16 {
            self.latest.push((ev, marks.ce));
        }
        self.said(number, marks, &listed)
    }

    /// An ACK that answers a packet and acknowledges all packets that have arrived.
    fn said(&self, number: u32, marks: Marks, listed: &[(u16, bool)]) -> Vec<u8> {
        let mut bitmap = [0; 4];
        for bit in self.got.1.iter().map(|number| number - self.got.0).filter(|bit| *bit < WINDOW) {
            bitmap[bit as usize / 64] |= 1 << (bit % 64);
        }
        craft::ack(&self.identity, self.got.0, bitmap, number, marks, listed)
    }

    /// The NIC reads one of the packets that the peer requested again. The peer then acknowledges all
    /// packets.
    pub(super) fn comes_clean(&mut self) -> Option<Vec<u8>> {
        let last = self.got.1.last().max(self.asked.last()).copied().filter(|_| self.pretends)?;
        (self.pretends, self.asked) = (false, BTreeSet::new());
        self.got = (self.got.0.max(last + 1), BTreeSet::new());
        let marks = Marks { ev: 0xC000, stamp: self.stamp, request: false, ce: false };
        Some(self.said(self.got.0 - 1, marks, &[]))
    }
}
