//! The books: who owned an index when, what was posted, what was fed, what came of it.

use super::judge::Ours;
use super::world::{CONNECTIONS, Identity, Violation, behind};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use weft_nic::words::{Status, Work};

/// A packet that a peer sent to a connection, and that the NIC has to take.
#[derive(Clone, Debug)]
pub(super) struct Fed {
    pub(super) packet: Ours,
    pub(super) clock: u64,
    /// It has to be answered at once, if it got in.
    pub(super) due: bool,
    /// Numbers of others but for which it would not be due; none if it is due whatever came before.
    pub(super) rests: BTreeSet<u32>,
    pub(super) answered: bool,
    /// An ACK lists it.
    pub(super) listed: bool,
    /// It waited for an ACK: the ticks for which it had when the timer asked, the last time, or 0; when the first ACK that
    /// answered it left.
    pub(super) flushed: Option<(u64, u64)>,
    /// The first number that was missing then, as far as ACKs had said.
    pub(super) known: u32,
    /// Whether it got to this opening cannot be known.
    pub(super) perhaps: bool,
    /// It has no right to its address, or its connection has failed for certain.
    pub(super) denied: bool,
}

/// Numbers of PSNs: all below the first, and others.
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

/// An opening of an index.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    pub(super) identity: Identity,
    /// When COMMAND was written, and when it was not busy any more.
    pub(super) asked: u64,
    pub(super) ready: Option<u64>,
    pub(super) close_asked: Option<u64>,
    pub(super) closed: Option<u64>,
    /// Messages posted to it, in order.
    pub(super) messages: Vec<usize>,
    /// PSNs, counted from the first one, that were seen on the wire, and that were acknowledged towards the NIC.
    pub(super) on_wire: BTreeSet<u32>,
    pub(super) acked: Known,
    /// Of those, the ones before it failed for certain: what was acknowledged later is not done.
    pub(super) counted: Known,
    /// Reads since it failed for certain.
    pub(super) late: u32,
    /// Packets fed, and those that wait for an answer.
    pub(super) fed: Vec<Fed>,
    /// By PSN, counted from the first one: data packets that may be placed.
    pub(super) data: BTreeMap<u32, Vec<usize>>,
    /// PSNs whose payload has been written.
    pub(super) written: BTreeSet<u32>,
    /// Packets by the address that they are for.
    pub(super) by_address: BTreeMap<u64, Vec<usize>>,
    /// The first number that was never fed.
    pub(super) hole: u32,
    /// PSNs that the NIC has acknowledged, and the messages and bytes of those below the first that it has not.
    pub(super) said: Known,
    pub(super) totals: (u32, u64),
    /// Of the packets since the last ACK that is due: how many, and their bytes.
    pub(super) waiting: (u32, u32),
    /// Numbers on which it rests that the NIC has counted the same: those since the last packet that made it begin anew
    /// whatever came before, and that one.
    pub(super) since: BTreeSet<u32>,
    /// The number of the last message that was reported, and how many were.
    pub(super) received: Option<u32>,
    pub(super) reports: u32,
    /// PSNs that came with differing contents.
    pub(super) ambiguous: bool,
    /// When an ACK has acknowledged something, or something was posted to a connection with nothing to acknowledge; and
    /// the most clocks between two of these.
    pub(super) heard: u64,
    pub(super) silence: u64,
    /// The same of any ACK, whatever it has said.
    pub(super) spoken: u64,
    /// When a packet left for the first time.
    pub(super) left: u64,
    /// The longest round trip that an ACK told, in ticks.
    pub(super) longest_rtt: u32,
    /// It has given up.
    pub(super) failed: bool,
    /// When COMMAND was written for a drain, and when it was not busy any more.
    pub(super) drain_asked: Option<u64>,
    pub(super) drained: Option<u64>,
    /// A packet came that had no right to its address, and may end the connection; it has, as its NACK says.
    pub(super) suspect: bool,
    pub(super) breach: bool,
    /// The peer may have denied a packet of the window, and has.
    pub(super) perhaps_denied: bool,
    pub(super) denied: bool,
    /// The tick in which an event said that it is frozen; the clock in which an ACK came that ends that.
    pub(super) frozen: Option<u64>,
    pub(super) thaws: Option<u64>,
    /// The host may have said that its buffer failed, and has.
    pub(super) perhaps_broken: bool,
    pub(super) broken: bool,
    /// Since when packets that arrive are denied for certain.
    pub(super) denies: Option<u64>,
    /// The host may have said that it takes no packets; since when it takes none for certain.
    pub(super) perhaps_held: bool,
    pub(super) held: Option<u64>,
    /// What events have said of it.
    pub(super) told: u8,
    /// Next hops before the present one, and until when frames may go there: those that were on their way when the command
    /// ended.
    pub(super) hops_before: Vec<([u8; 6], u64)>,
}

/// Clocks after which a connection's packets are treated as its status says.
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

    /// Its packets are denied from now on.
    pub(super) fn ends(&mut self, clock: u64) {
        self.denies.get_or_insert(clock + TREATED);
    }

    /// Its peer has denied a packet of the window, which is known at this clock at the latest.
    pub(super) fn is_denied(&mut self, clock: u64) {
        (self.perhaps_denied, self.denied) = (true, true);
        self.ends(clock);
    }

    /// It has failed for certain.
    pub(super) fn has_failed(&self, clock: u64) -> bool {
        self.denies.is_some_and(|since| clock > since)
    }

    /// Its packets may be denied.
    pub(super) fn may_deny(&self) -> bool {
        self.suspect || self.failed || self.perhaps_denied || self.perhaps_broken
    }

    /// Something of it may still be in the NIC.
    pub(super) fn is_there(&self) -> bool {
        self.closed.is_none()
    }

    /// It is open for certain.
    pub(super) fn is_open(&self) -> bool {
        self.ready.is_some() && self.close_asked.is_none()
    }

    /// Its sender begins to wait for acknowledgements, or begins anew.
    pub(super) fn hears(&mut self, clock: u64) {
        self.silence = self.silence.max(clock - self.heard);
        self.heard = clock;
    }

    /// Its number of a PSN that it expects.
    pub(super) fn expected(&self, psn: u32) -> u32 {
        behind(self.identity.receive_psn, psn)
    }

    /// The first number up to this one whose bytes have not been written.
    pub(super) fn unwritten(&self, end: u32) -> Option<u32> {
        (0..=end).find(|number| {
            let of = |fed: &usize| self.fed[*fed].packet.payload.is_empty();
            let empty = self.data.get(number).is_some_and(|candidates| candidates.iter().any(of));
            !empty && !self.written.contains(number)
        })
    }

    /// The peer's packets count messages as the pages ask for, as far as they are known: frames of an earlier opening
    /// need not.
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
    /// When the completion was taken.
    pub(super) ended_at: u64,
    /// The number of its first PSN, and its own number, once a packet of it was seen.
    pub(super) place: Option<(u32, u16)>,
    /// How often each packet was fetched.
    pub(super) fetched: BTreeMap<u64, u32>,
}

/// What a run has to remember.
#[derive(Debug)]
pub(super) struct Books {
    pub(super) mtu: u32,
    pub(super) clock: u64,
    /// The tick of clock 0, and whether it is known.
    pub(super) ticks: Option<u64>,
    pub(super) openings: Vec<Opening>,
    /// Openings of each index that may still be there.
    pub(super) owners: Vec<Vec<usize>>,
    pub(super) posted: Vec<Posted>,
    /// Requests that have not ended, by index, in order.
    pub(super) unfinished: Vec<VecDeque<usize>>,
    /// The request whose bytes begin at a local address.
    pub(super) by_address: BTreeMap<u64, usize>,
    /// Fetched and not read; read and not sent: request, packet, and of the latter the clock.
    pub(super) fetching: VecDeque<(usize, u64)>,
    pub(super) read: VecDeque<(usize, u64, u64)>,
    /// Frames of others on their way through the NIC, in and out.
    pub(super) passing: VecDeque<Passing>,
    pub(super) giving: VecDeque<(Vec<u8>, bool)>,
    pub(super) counts: Counts,
    /// What answers have to say when packets wait for each other.
    pub(super) ack_packets: u32,
    pub(super) ack_bytes: u32,
    pub(super) ack_timeout: u32,
    /// Words from the MAC, and when: for the room of the bypass.
    pub(super) recent: VecDeque<(u64, usize)>,
    pub(super) fixed_ev: bool,
    /// Clocks without an acknowledgement after which a connection gives up.
    pub(super) endurance: u64,
    /// Timeouts of that.
    pub(super) timeouts: u64,
    /// Since when nothing keeps the sender waiting: nothing behind it was held lately.
    pub(super) flows: u64,
    /// The same but for completions, and of events.
    pub(super) orders_flow: u64,
    pub(super) events_flow: u64,
    /// Ticks of a freeze.
    pub(super) freeze: u64,
    /// Where completions that come after their connection is closed are noted, if they do not end the run.
    pub(super) late: Option<Vec<Violation>>,
}

/// A frame of others that came from the MAC.
#[derive(Clone, Debug)]
pub(super) struct Passing {
    pub(super) bytes: Vec<u8>,
    pub(super) bad: bool,
    /// Words that there may have been in front of it, and its own.
    pub(super) words: usize,
}

/// What the counters should say: at least and, with what nobody can know, at most.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub(super) least: BTreeMap<&'static str, u64>,
    pub(super) perhaps: BTreeMap<&'static str, u64>,
    /// Frames from the MAC.
    pub(super) frames: u64,
    /// An ACK answered what nothing asked to be answered.
    pub(super) unasked: Option<String>,
    /// Openings that were told to close, those that gave up, those that were denied; freezes whose end was due.
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

    /// Openings of an index that may still be there, the newest first.
    pub(super) fn of(&self, index: u32) -> impl Iterator<Item = usize> + '_ {
        self.owners[index as usize].iter().rev().copied()
    }

    /// The opening of an index that is open for certain.
    pub(super) fn open(&self, index: u32) -> Option<usize> {
        self.of(index).next().filter(|opening| self.openings[*opening].is_open())
    }

    /// Nothing of an earlier opening is there, and no command is under way.
    pub(super) fn is_free(&self, index: u32) -> bool {
        self.owners[index as usize].is_empty()
    }

    /// The ticks since reset.
    pub(super) fn ticks_now(&self) -> Option<u64> {
        Some((self.ticks? + self.clock) >> super::world::TICK_SHIFT)
    }

    /// The tick of this clock, modulo 2^16.
    pub(super) fn tick(&self, clock: u64) -> Option<u16> {
        Some(((self.ticks? + clock) >> super::world::TICK_SHIFT) as u16)
    }
}
