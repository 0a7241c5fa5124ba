//! Packets that a capture has twice: a mirror port copies them when they enter and when they leave, or two
//! switches copy them.

use super::error::TraceError;
use super::frames::Frames;
use super::recent::Recent;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::IpAddr;
use weft_wire::{Frame, packet};

/// Maximum number of pairs of hosts with known round trips.
const MAX_PAIRS: usize = 1 << 16;

/// The last sighting of a packet.
#[derive(Clone, Copy)]
struct Sighting {
    time_ns: u64,
    ttl: u8,
}

/// Distinguishes copies of packets from retransmissions.
///
/// A sender can detect a loss only after a round trip. So a repeated packet within half of the capture's
/// shortest round trip between its hosts is a copy, and so is a packet with a lower TTL than the last one.
pub(super) struct Mirror {
    /// Shortest times by source and destination of requests.
    shortest_ns: HashMap<(IpAddr, IpAddr), u64>,
    last: Recent<u64, Sighting>,
}

impl Mirror {
    /// The mirror for these frames.
    pub(super) fn new(frames: &(impl Frames + ?Sized)) -> Result<Self, TraceError> {
        let mut shortest_ns: HashMap<(IpAddr, IpAddr), u64> = HashMap::new();
        let mut sent: Recent<(IpAddr, IpAddr, u32), u64> = Recent::default();
        frames.each(&mut |frame| {
            let Ok(packet) = packet::parse(&frame.data) else { return };
            let (src, dst) = (packet.envelope.ip.src(), packet.envelope.ip.dst());
            if packet.is_request() {
                sent.insert((src, dst, packet.psn()), frame.time_ns);
            } else if let Some(said) = packet.acknowledgement()
                && let Some(psn) = said.trigger_psn.or(said.cumulative_psn)
                && let Some(&sent_ns) = sent.get(&(dst, src, psn))
                && frame.time_ns > sent_ns
                && (shortest_ns.len() < MAX_PAIRS || shortest_ns.contains_key(&(dst, src)))
            {
                let shortest = shortest_ns.entry((dst, src)).or_insert(u64::MAX);
                *shortest = (*shortest).min(frame.time_ns - sent_ns);
            }
        })?;
        Ok(Self { shortest_ns, last: Recent::default() })
    }

    /// Begins another pass over the frames.
    pub(super) fn again(&mut self) {
        self.last = Recent::default();
    }

    /// Whether the packet was seen before.
    pub(super) fn is_again(&mut self, frame: &Frame, packet: &packet::Packet<'_>) -> bool {
        let (src, dst) = (packet.envelope.ip.src(), packet.envelope.ip.dst());
        let mut hasher = DefaultHasher::new();
        // All fields that no router changes.
        let bth = packet.bth.with_resv8a(0);
        (src, dst, packet.envelope.source_port, bth, &packet.body).hash(&mut hasher);
        let ttl = packet.envelope.ttl;
        let now = Sighting { time_ns: frame.time_ns, ttl };
        let Some(last) = self.last.insert(hasher.finish(), now) else { return false };
        let ways = [(src, dst), (dst, src)];
        let shortest = ways.iter().filter_map(|way| self.shortest_ns.get(way)).min();
        let soon = shortest.is_some_and(|shortest| frame.time_ns.abs_diff(last.time_ns) <= shortest / 2);
        ttl < last.ttl || soon
    }
}
