//! Record of a run: owners of each index over time, requests posted, packets fed, and their outcomes.

use super::judge::Ours;
use super::world::{CONNECTIONS, Identity, Violation, behind};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use weft_nic::words::{Status, Work};

/// A packet that a peer sent to a connection and that the NIC must accept.
#[derive(Clone, Debug)]
pub(super) struct Fed {
    pub(super) packet: Ours,
    pub(super) clock: u64,
    /// Whether the NIC must answer the packet at once, if ingress had space for the packet.
    pub(super) due: bool,
    /// Numbers of earlier packets that make this packet due. The set is empty if the packet is due by itself.
    pub(super) rests: BTreeSet<u32>,
    pub(super) answered: bool,
    /// Whether an ACK lists the packet.
    pub(super) listed: bool,
    /// Two numbers about a packet that waited for an ACK: the ticks that the packet had waited at the last
    /// timer event (0 if no such event), and the clock in which its first ACK left.
    pub(super) flushed: Option<(u64, u64)>,
    /// First missing number at the time when the packet arrived, as far as ACKs had reported.
    pub(super) known: u32,
    /// Whether the packet may or may not have reached this opening: the observer cannot decide.
    pub(super) perhaps: bool,
    /// The packet is not permitted to write to its address, or its connection has failed for certain.
    pub(super) denied: bool,
}

/// A set of PSN numbers: all numbers below the first field, and further ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) below: u32,
    pub(super) others: BTreeSet<u32>,
}

impl Known {
    pub(super) fn contains(&self, number: u32) -> bool {
        number < self.below || self.others.contains(&number)
    }
}

/// One opening of an index.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    pub(super) identity: Identity,
    /// Clocks in which COMMAND was written, and in which COMMAND was no longer busy.
    pub(super) asked: u64,
    pub(super) ready: Option<u64>,
    pub(super) close_asked: Option<u64>,
    pub(super) closed: Option<u64>,
    /// Messages posted to the opening, in order.
    pub(super) messages: Vec<usize>,
    /// PSNs, counted from the first one, that were seen on the wire, and PSNs acknowledged towards the NIC.
    pub(super) on_wire: BTreeSet<u32>,
    pub(super) acked: Known,
    /// PSNs of `acked` that count: those acknowledged before the connection failed for certain.
    pub(super) counted: Known,
    /// DMA reads since the connection failed for certain.
    pub(super) late: u32,
    /// Packets fed, answered or not.
    pub(super) fed: Vec<Fed>,
    /// Data packets that may be placed, by PSN counted from the first one.
    pub(super) data: BTreeMap<u32, Vec<usize>>,
    /// PSNs whose payload has been written.
    pub(super) written: BTreeSet<u32>,
    /// Packets by their target address.
    pub(super) by_address: BTreeMap<u64, Vec<usize>>,
    /// The first number that was never fed.
    pub(super) hole: u32,
    /// PSNs that the NIC has acknowledged, and messages and bytes of all PSNs below the first missing one.
    pub(super) said: Known,
    pub(super) totals: (u32, u64),
    /// Packets since the last due ACK, and their bytes.
    pub(super) waiting: (u32, u32),
    /// Numbers that determine the ACK count: those since the last packet that restarts the count by itself,
    /// and that packet.
    pub(super) since: BTreeSet<u32>,
    /// Number of the message that was reported last.
    pub(super) received: Option<u32>,
    /// Number of messages that were reported.
    pub(super) reports: u32,
    /// Whether packets of one PSN arrived with different contents.
    pub(super) ambiguous: bool,
    /// Clock of the last ACK with new information, or of a post to a connection with nothing to acknowledge;
    /// and the maximum number of clocks between two such events.
    pub(super) heard: u64,
    pub(super) silence: u64,
    /// Clock of the last ACK of any kind.
    pub(super) spoken: u64,
    /// Clock in which a packet last left for the first time.
    pub(super) left: u64,
    /// Longest round trip that an ACK reported, in ticks.
    pub(super) longest_rtt: u32,
    /// Whether the connection gave up.
    pub(super) failed: bool,
    /// Clocks in which COMMAND was written for a drain, and in which COMMAND was no longer busy.
    pub(super) drain_asked: Option<u64>,
    pub(super) drained: Option<u64>,
    /// A packet without the right to write to its address arrived and may end the connection; a NACK shows
    /// that the connection ended.
    pub(super) suspect: bool,
    pub(super) breach: bool,
    /// The peer may have denied a packet of the window; the peer has denied one for certain.
    pub(super) perhaps_denied: bool,
    pub(super) denied: bool,
    /// Tick in which an event reported the freeze; clock of the ACK that ends the freeze.
    pub(super) frozen: Option<u64>,
    pub(super) thaws: Option<u64>,
    /// The host may have reported that its buffer failed; the host has reported so for certain.
    pub(super) perhaps_broken: bool,
    pub(super) broken: bool,
    /// Clock from which on arriving packets are denied for certain.
    pub(super) denies: Option<u64>,
    /// The host may have reported that it accepts no packets; the clock from which on it certainly accepts
    /// none.
    pub(super) perhaps_held: bool,
    pub(super) held: Option<u64>,
    /// Bits of the events that the NIC reported for the opening.
    pub(super) told: u8,
    /// Previous next hops, each with the clock until which frames may still go there: frames that were in the
    /// NIC when the command ended.
    pub(super) hops_before: Vec<([u8; 6], u64)>,
}

/// Clocks after which the NIC treats a connection's packets as the connection's status requires.
const TREATED: u64 = 100;

impl Opening {
    pub(super) fn new(identity: Identity, asked: u64) -> Self {
        Self {
            identity,
            asked,
            ready: None,
            close_asked: None,
            closed: None,
            messages: Vec::new(),
            on_wire: BTreeSet::new(),
            acked: Known::default(),
            counted: Known::default(),
            late: 0,
            fed: Vec::new(),
            data: BTreeMap::new(),
            written: BTreeSet::new(),
            by_address: BTreeMap::new(),
            hole: 0,
            said: Known::default(),
            totals: (0, 0),
            waiting: (0, 0),
            since: BTreeSet::new(),
            received: None,
            reports: 0,
            ambiguous: false,
            heard: asked,
            silence: 0,
            spoken: asked,
            left: asked,
            longest_rtt: 0,
            failed: false,
            drain_asked: None,
            drained: None,
            suspect: false,
            breach: false,
            perhaps_denied: false,
            denied: false,
            frozen: None,
            thaws: None,
            perhaps_broken: false,
            broken: false,
            denies: None,
            perhaps_held: false,
            held: None,
            told: 0,
            hops_before: Vec::new(),
        }
    }

    /// Packets of this opening are denied from now on.
    pub(super) fn ends(&mut self, clock: u64) {
        self.denies.get_or_insert(clock + TREATED);
    }

    /// The peer has denied a packet of the window. The sender has handled the denial by this clock at the
    /// latest.
    pub(super) fn is_denied(&mut self, clock: u64) {
        (self.perhaps_denied, self.denied) = (true, true);
        self.ends(clock);
    }

    /// Whether the connection has failed for certain.
    pub(super) fn has_failed(&self, clock: u64) -> bool {
        self.denies.is_some_and(|since| clock > since)
    }

    /// Whether the NIC may deny packets of the connection.
    pub(super) fn may_deny(&self) -> bool {
        self.suspect || self.failed || self.perhaps_denied || self.perhaps_broken
    }

    /// Whether the NIC may still have state of the opening.
    pub(super) fn is_there(&self) -> bool {
        self.closed.is_none()
    }

    /// Whether the opening is open for certain.
    pub(super) fn is_open(&self) -> bool {
        self.ready.is_some() && self.close_asked.is_none()
    }

    /// The sender begins to wait for acknowledgements, or begins again.
    pub(super) fn hears(&mut self, clock: u64) {
        self.silence = self.silence.max(clock - self.heard);
        self.heard = clock;
    }

    /// Number of a PSN in the receive direction.
    pub(super) fn expected(&self, psn: u32) -> u32 {
        behind(self.identity.receive_psn, psn)
    }

    /// First number up to `end` whose bytes have not been written.
    pub(super) fn unwritten(&self, end: u32) -> Option<u32> {
        (0..=end).find(|number| {
            let of = |fed: &usize| self.fed[*fed].packet.payload.is_empty();
            let empty = self.data.get(number).is_some_and(|candidates| candidates.iter().any(of));
            !empty && !self.written.contains(number)
        })
    }

    /// Whether the peer's known packets number messages as the pages require. Frames of an earlier opening
    /// may break this numbering.
    pub(super) fn counts(&self) -> bool {
        let first = |candidates: &Vec<usize>| candidates.first().map(|fed| &self.fed[*fed].packet);
        let mut least = 0;
        let mut in_order = self.data.values().filter_map(first);
        !self.ambiguous
            && in_order.all(|packet| {
                let fits = packet.message >= least;
                least = packet.message.wrapping_add(u16::from(packet.last));
                fits
            })
    }

    pub(super) fn name(&self) -> String {
        let Identity { index, peer, peer_qp, .. } = self.identity;
        format!(
            "connection {index} with {} (queue pair {peer_qp:#x}, asked in clock {})",
            peer.address, self.asked
        )
    }
}

/// Whether a request may, must or must not be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Never,
    May,
    Must,
}

/// A work request.
#[derive(Clone, Debug)]
pub(super) struct Posted {
    pub(super) index: u32,
    pub(super) work: Work,
    pub(super) opening: Option<usize>,
    pub(super) packets: u64,
    pub(super) posted_at: u64,
    pub(super) refusal: Refusal,
    pub(super) ended: Option<Status>,
    /// Clock of the completion.
    pub(super) ended_at: u64,
    /// Number of the first PSN and of the message, once a packet of the message was seen.
    pub(super) place: Option<(u32, u16)>,
    /// Number of reads of each packet.
    pub(super) fetched: BTreeMap<u64, u32>,
}

/// The state that a run must remember.
#[derive(Debug)]
pub(super) struct Books {
    pub(super) mtu: u32,
    pub(super) clock: u64,
    /// Tick of clock 0, once it is known.
    pub(super) ticks: Option<u64>,
    pub(super) openings: Vec<Opening>,
    /// Openings of each index of which the NIC may still have state.
    pub(super) owners: Vec<Vec<usize>>,
    pub(super) posted: Vec<Posted>,
    /// Requests that have not ended, by index, in order.
    pub(super) unfinished: Vec<VecDeque<usize>>,
    /// The request whose bytes begin at a local address.
    pub(super) by_address: BTreeMap<u64, usize>,
    /// Packets fetched and not read: request and packet. Packets read and not sent: request, packet and
    /// clock.
    pub(super) fetching: VecDeque<(usize, u64)>,
    pub(super) read: VecDeque<(usize, u64, u64)>,
    /// Frames of other software in the NIC: towards that software, and towards the MAC.
    pub(super) passing: VecDeque<Passing>,
    pub(super) giving: VecDeque<(Vec<u8>, bool)>,
    pub(super) counts: Counts,
    /// Limits of packets, bytes and ticks at which the receiver sends an ACK.
    pub(super) ack_packets: u32,
    pub(super) ack_bytes: u32,
    pub(super) ack_timeout: u32,
    /// Clocks and words of frames from the MAC, for the space of the bypass.
    pub(super) recent: VecDeque<(u64, usize)>,
    pub(super) fixed_ev: bool,
    /// Clocks without an acknowledgement after which a connection gives up.
    pub(super) endurance: u64,
    /// Timeouts in a row after which a connection gives up.
    pub(super) timeouts: u64,
    /// Clock since which no held stream blocks the sender.
    pub(super) flows: u64,
    /// The clock without regard to completions, and the clock for events.
    pub(super) orders_flow: u64,
    pub(super) events_flow: u64,
    /// Ticks of a freeze.
    pub(super) freeze: u64,
    /// Completions that arrived after their connection was closed, if they do not end the run.
    pub(super) late: Option<Vec<Violation>>,
}

/// A frame for other software that arrived from the MAC.
#[derive(Clone, Debug)]
pub(super) struct Passing {
    pub(super) bytes: Vec<u8>,
    pub(super) bad: bool,
    /// Words that the bypass may have stored in front of the frame, plus its own.
    pub(super) words: usize,
}

/// Expected values of counters: minimum, and uncertain additions.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub(super) least: BTreeMap<&'static str, u64>,
    pub(super) perhaps: BTreeMap<&'static str, u64>,
    /// Frames from the MAC.
    pub(super) frames: u64,
    /// An ACK that answered a packet which required no answer.
    pub(super) unasked: Option<String>,
    /// Openings closed, openings that gave up, openings that were denied; freezes whose end was due.
    pub(super) closes: u64,
    pub(super) failed: u64,
    pub(super) denied: u64,
    pub(super) thaws: u64,
}

impl Counts {
    pub(super) fn count(&mut self, name: &'static str) {
        *self.least.entry(name).or_default() += 1;
    }

    pub(super) fn add(&mut self, name: &'static str, count: u64) {
        *self.least.entry(name).or_default() += count;
    }

    pub(super) fn perhaps(&mut self, name: &'static str) {
        *self.perhaps.entry(name).or_default() += 1;
    }
}

impl Books {
    pub(super) fn new(mtu: u32) -> Self {
        Self {
            mtu,
            clock: 0,
            ticks: None,
            openings: Vec::new(),
            owners: vec![Vec::new(); CONNECTIONS as usize],
            posted: Vec::new(),
            unfinished: vec![VecDeque::new(); CONNECTIONS as usize],
            by_address: BTreeMap::new(),
            fetching: VecDeque::new(),
            read: VecDeque::new(),
            passing: VecDeque::new(),
            giving: VecDeque::new(),
            counts: Counts::default(),
            ack_packets: 1,
            ack_bytes: 0x4000,
            ack_timeout: 125,
            recent: VecDeque::new(),
            fixed_ev: false,
            endurance: u64::MAX,
            timeouts: 0,
            flows: 0,
            orders_flow: 0,
            events_flow: 0,
            freeze: u64::MAX,
            late: None,
        }
    }

    /// Openings of an index of which the NIC may still have state, the newest first.
    pub(super) fn of(&self, index: u32) -> impl Iterator<Item = usize> + '_ {
        self.owners[index as usize].iter().rev().copied()
    }

    /// The opening of an index, if it is open for certain.
    pub(super) fn open(&self, index: u32) -> Option<usize> {
        self.of(index).next().filter(|opening| self.openings[*opening].is_open())
    }

    /// Whether the index has no earlier opening in the NIC and no command in progress.
    pub(super) fn is_free(&self, index: u32) -> bool {
        self.owners[index as usize].is_empty()
    }

    /// Ticks since reset.
    pub(super) fn ticks_now(&self) -> Option<u64> {
        Some((self.ticks? + self.clock) >> super::world::TICK_SHIFT)
    }

    /// Tick of this clock, modulo 2^16.
    pub(super) fn tick(&self, clock: u64) -> Option<u16> {
        Some(((self.ticks? + clock) >> super::world::TICK_SHIFT) as u16)
    }
}
