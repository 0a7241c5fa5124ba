//! Checks of frames that arrive, and of the writes and reports that follow.

use super::books::{Books, Fed, Opening, Passing};
use super::judge::{Kind, Ours, Verdict, judge};
use super::world::{Checked, Identity, behind, broken};
use crate::host::dma::Written;
use std::collections::BTreeSet;
use weft_nic::words::Received;

/// Words of the store for frames of other software.
const STORE: usize = 512;
/// Clocks for which words of a frame for the NIC itself may occupy the store for other software.
const STAY: u64 = 64;
/// PSNs of a window.
pub(super) const WINDOW: u32 = 256;
/// Distance of PSNs from which on a PSN counts as behind.
pub(super) const BEHIND: u32 = 1 << 23;

/// Whether a packet of this number is beyond the window that begins at `from`.
pub(super) fn is_beyond(number: u32, from: u32) -> bool {
    (WINDOW..BEHIND).contains(&behind(from, number))
}

/// The counter of a kind.
fn counter(kind: Kind) -> &'static str {
    match kind {
        Kind::Data => "ingress_data",
        Kind::Trimmed => "ingress_trims",
        Kind::Probe => "ingress_probes",
        Kind::Ack => "ingress_acks",
        Kind::Nack => "ingress_nacks",
    }
}

/// Reason why a packet is not from this peer: its address, its VLAN or its partition. At least one of the two
/// ends must be a full member of the partition.
fn stranger(packet: &Ours, identity: &Identity) -> Option<&'static str> {
    let full = packet.pkey & 0x8000 != 0 || identity.pkey & 0x8000 != 0;
    let vlan = identity.peer.tag.map_or(0, |tag| tag % 4096);
    if packet.source != identity.peer.address {
        Some("ingress_wrong_peers")
    } else if packet.vlan != vlan {
        Some("ingress_wrong_vlans")
    } else if packet.pkey & 0x7FFF != identity.pkey & 0x7FFF || !full {
        Some("ingress_wrong_pkeys")
    } else {
        None
    }
}

impl Books {
    /// Notes a frame from the MAC that entered.
    pub(super) fn arrived(&mut self, bytes: Vec<u8>, bad: bool) {
        self.counts.frames += 1;
        let words = bytes.len().div_ceil(64);
        self.recent.push_back((self.clock, words));
        while self.recent.front().is_some_and(|(clock, words)| clock + STAY + (*words as u64) < self.clock) {
            self.recent.pop_front();
        }
        match judge(&bytes, bad) {
            Verdict::Bypass => {
                let recent: usize = self.recent.iter().map(|(_, words)| words).sum();
                let waiting: usize = self.passing.iter().map(|frame| frame.bytes.len().div_ceil(64)).sum();
                self.passing.push_back(Passing { bytes, bad, words: words + recent + waiting });
            }
            Verdict::Drop(cause) => self.counts.count(cause),
            Verdict::Ours(packet) => self.ours(*packet),
        }
    }

    /// Assigns a packet without fault to its opening.
    fn ours(&mut self, packet: Ours) {
        let name = counter(packet.kind);
        let owners: Vec<usize> = packet.index.map(|index| self.of(index).collect()).unwrap_or_default();
        match owners[..] {
            [] => self.counts.count("ingress_unknown_connections"),
            [owner] if self.openings[owner].is_open() => {
                if let Some(cause) = stranger(&packet, &self.openings[owner].identity) {
                    self.counts.count(cause);
                } else {
                    self.counts.count(name);
                    if packet.ce && packet.kind == Kind::Data {
                        self.counts.count("receiver_marks");
                    }
                    self.accepted(owner, packet, false);
                }
            }
            // A command is under way.
            _ => {
                self.counts.perhaps("ingress_unknown_connections");
                self.counts.perhaps(name);
                for cause in owners.iter().filter_map(|at| stranger(&packet, &self.openings[*at].identity)) {
                    self.counts.perhaps(cause);
                }
                if packet.ce && packet.kind == Kind::Data {
                    self.counts.perhaps("receiver_marks");
                }
                for owner in owners {
                    if stranger(&packet, &self.openings[owner].identity).is_none() {
                        self.accepted(owner, packet.clone(), true);
                    }
                }
            }
        }
    }

    /// Notes a packet from the peer of a connection. With `perhaps` the connection may be closed.
    fn accepted(&mut self, at: usize, packet: Ours, perhaps: bool) {
        if matches!(packet.kind, Kind::Ack | Kind::Nack) {
            return self.acknowledged(at, &packet);
        }
        let clock = self.clock;
        let timed = self.ack_timeout > 0 && self.ack_packets > 1;
        let triggers = (self.ack_packets, self.ack_bytes);
        let opening = &mut self.openings[at];
        let data = packet.kind == Kind::Data;
        let ended = opening.denies.is_some_and(|since| clock > since);
        let carries = data || packet.kind == Kind::Trimmed;
        let denied = carries && ended || data && !allowed(opening, &packet);
        // The packet may end the connection. The observer cannot determine at once from which packet on.
        opening.suspect |= data && !allowed(opening, &packet);
        opening.ambiguous |=
            carries && !ended && opening.may_deny() || data && !ended && opening.perhaps_held;
        if data && opening.perhaps_held {
            self.counts.perhaps("receiver_held");
        }
        if carries && !denied && opening.may_deny() {
            self.counts.perhaps("receiver_access_errors");
        }
        if denied {
            let counts = &mut self.counts;
            if perhaps {
                counts.perhaps("receiver_access_errors")
            } else {
                counts.count("receiver_access_errors")
            }
        }
        opening.ambiguous |= perhaps;
        let number = opening.expected(packet.psn);
        let known = opening.said.below;
        let before = number >= BEHIND && behind(known, number) >= BEHIND;
        let outside = packet.kind != Kind::Probe && is_beyond(number, known);
        // The NIC may have moved its window since its last ACK.
        opening.ambiguous |= outside != (packet.kind != Kind::Probe && is_beyond(number, opening.hole));
        // `None` if the packet is not due, else the numbers that this depends on.
        let mut due = Some(BTreeSet::new());
        let fed = opening.fed.len();
        if packet.kind == Kind::Data && !denied && !before && (!outside || number < opening.hole + WINDOW) {
            let candidates = opening.data.entry(number).or_default();
            let first = candidates.first().map(|first| &opening.fed[*first].packet);
            let same = |first: &Ours| {
                (first.address, &first.payload, first.last, first.solicited, first.immediate)
                    == (packet.address, &packet.payload, packet.last, packet.solicited, packet.immediate)
            };
            let fresh = first.is_none();
            opening.ambiguous |= first.is_some_and(|first| !same(first));
            candidates.push(fed);
            opening.by_address.entry(packet.address).or_default().push(fed);
            if fresh {
                due = arrives(opening, &packet, timed, triggers);
            } else if !alone(&packet, triggers) && !opening.said.contains(number) {
                due = Some(BTreeSet::from([number]));
            }
        }
        let asked_again = packet.kind == Kind::Trimmed || denied;
        let acked = !asked_again || before || opening.data.contains_key(&number);
        if due.is_some() && acked && !outside {
            opening.waiting = (0, 0);
            if due.as_ref().is_some_and(BTreeSet::is_empty) {
                opening.since.clear();
            }
        }
        opening.since.insert(number);
        opening.since.extend(due.iter().flatten());
        opening.fed.push(Fed {
            packet,
            clock,
            due: due.is_some() && !perhaps,
            rests: due.unwrap_or_default(),
            answered: false,
            listed: false,
            flushed: None,
            known,
            perhaps,
            denied,
        });
    }

    /// Checks a packet that was written to memory.
    pub(super) fn written(&mut self, Written { connection, address, bytes }: Written) -> Checked {
        let what = format!("connection {connection} writes {} bytes to {address:#x}", bytes.len());
        let mut twice = false;
        // While an index is opened again, arriving packets belong to the earlier opening.
        for at in self.owners[connection as usize].clone() {
            let opening = &mut self.openings[at];
            for fed in opening.by_address.get(&address).into_iter().flatten() {
                let packet = &opening.fed[*fed].packet;
                let (came, since) = (opening.fed[*fed].clock, opening.held);
                if packet.payload == bytes && since.is_some_and(|since| came > since) {
                    return broken('b', format!("{what}, while the host takes none"));
                }
                if packet.payload == bytes && opening.written.insert(opening.expected(packet.psn)) {
                    self.counts.add("receiver_bytes", bytes.len() as u64);
                    return if allowed(opening, packet) {
                        Ok(())
                    } else {
                        broken('b', format!("{what}, not allowed"))
                    };
                }
                twice |= packet.payload == bytes;
            }
        }
        let holds = |opening: &&Opening| {
            let fed = opening.by_address.get(&address).into_iter().flatten();
            fed.into_iter().any(|fed| opening.fed[*fed].packet.payload == bytes)
        };
        let whose = match (twice, self.openings.iter().rev().find(holds)) {
            (true, _) => "a PSN that was written before".to_owned(),
            (_, Some(opening)) => {
                format!("what was sent to {}, closed in {:?}", opening.name(), opening.closed)
            }
            _ => "what no peer of it sent".to_owned(),
        };
        let owner = self.of(connection).next().map_or("nobody".to_owned(), |at| self.openings[at].name());
        broken('b', format!("{what}: {whose}; its owner is {owner}"))
    }

    /// Checks the report of a received message.
    pub(super) fn received(&mut self, index: u32, Received { immediate, message }: Received) -> Checked {
        let what = format!("connection {index} reports message {message} with {immediate:#x}");
        let owners = self.owners[index as usize].clone();
        let newest = owners.last().copied();
        for at in owners {
            let opening = &mut self.openings[at];
            let fits = |fed: &&Fed| {
                let packet = &fed.packet;
                let said = (packet.message, packet.immediate) == (message as u16, immediate);
                packet.kind == Kind::Data && !fed.denied && packet.last && packet.solicited && said
            };
            // Frames of an earlier opening may differ from these only in the PSN.
            let ends = opening.fed.iter().filter(fits).map(|last| opening.expected(last.packet.psn));
            let holes: Vec<Option<u32>> = ends.map(|end| opening.unwritten(end)).collect();
            let Some(hole) = holes.iter().min() else { continue };
            let again = opening.received.is_some_and(|before| before >= message);
            if again && Some(at) != newest {
                continue;
            }
            if let Some(number) = hole.filter(|_| opening.counts()) {
                return broken('c', format!("{what}, but PSN number {number} is not written"));
            }
            if again {
                return broken('c', format!("{what} after message {:?}", opening.received));
            }
            opening.received = Some(message);
            opening.reports += 1;
            self.counts.count("receiver_received");
            return Ok(());
        }
        broken('c', format!("{what}, which no peer of it sent"))
    }

    /// Checks a frame that the bypass delivered.
    pub(super) fn passed(&mut self, bytes: &[u8], bad: bool) -> Checked {
        while let Some(frame) = self.passing.pop_front() {
            if frame.bytes == bytes && frame.bad == bad {
                self.counts.count("ingress_bypassed");
                return Ok(());
            }
            self.lost(&frame)?;
        }
        broken('d', format!("{} bytes of others come out that did not come in", bytes.len()))
    }

    /// Checks that the bypass could have dropped a frame.
    pub(super) fn lost(&mut self, frame: &Passing) -> Checked {
        self.counts.count("ingress_bypass_overflows");
        if frame.words + 4 > STORE {
            return Ok(());
        }
        broken(
            'd',
            format!(
                "{} bytes of others are lost or changed; {} words waited",
                frame.bytes.len(),
                frame.words
            ),
        )
    }
}

/// Whether the packet has the region's key and is in the region.
fn allowed(opening: &Opening, packet: &Ours) -> bool {
    let offset = packet.address.wrapping_sub(opening.identity.base);
    let length = u64::from(opening.identity.length);
    let bytes = packet.payload.len() as u64;
    packet.key == opening.identity.key && (bytes == 0 || (offset < length && bytes <= length - offset))
}

/// Bytes that a packet counts for its ACK.
fn weight(packet: &Ours) -> u32 {
    (packet.payload.len() as u32).max(1024)
}

/// Whether a data packet alone is answered at once, new or not.
fn alone(packet: &Ours, (packets, bytes): (u32, u32)) -> bool {
    let enough = packets <= 1 || (bytes > 0 && weight(packet) >= bytes);
    packet.ce || packet.request || packet.last || enough
}

/// Notes a new packet inside the window. Returns the numbers on which the packet's ACK depends, if an ACK is
/// due.
fn arrives(
    opening: &mut Opening,
    packet: &Ours,
    timed: bool,
    (packets, bytes): (u32, u32),
) -> Option<BTreeSet<u32>> {
    let from = opening.hole;
    while opening.data.contains_key(&opening.hole) {
        opening.hole += 1;
    }
    let ends = |number: &u32| {
        let of = |candidates: &Vec<usize>| candidates.first().and_then(|fed| opening.fed.get(*fed));
        let known = opening.data.get(number).and_then(of);
        known.map_or(packet.last, |fed| fed.packet.last)
    };
    let completes = (from..opening.hole).find(ends);
    opening.waiting.0 += 1;
    opening.waiting.1 += weight(packet);
    let enough = opening.waiting.0 >= packets || (bytes > 0 && opening.waiting.1 >= bytes);
    if alone(packet, (packets, bytes)) {
        return Some(BTreeSet::new());
    }
    if let Some(end) = completes {
        let others = (opening.said.below..=end).filter(|number| *number != from);
        return Some(others.filter(|number| !opening.said.contains(*number)).collect());
    }
    (enough && !timed).then(|| opening.since.clone())
}
