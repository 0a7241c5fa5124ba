//! The hosts as the engines see them, and the times at which hosts act.

mod agenda;
pub mod baseline;
pub mod cargo;
pub mod desk;
mod ends;
pub mod fixed;
pub mod nic;
pub mod probe;
pub mod queues;
pub mod registers;
pub mod words;

pub use agenda::Agenda;

use crate::events::Event;
use crate::packet::{PAUSE, Packet, fetch};
use crate::port::{Port, Sink};
use crate::schedule::{Places, Played};
use crate::tally::Counts;
use ends::{ReceiverEnd, SenderEnd};
use probe::ProbeCounts;
use serde::{Deserialize, Serialize};
use words::Words;

/// The time of an event that never happens.
pub const NEVER: u64 = u64::MAX;

/// A signal for another host: the signal starts a flow there, or announces a flow to that host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signal {
    /// The time at which the host gets the signal.
    pub time_ps: u64,
    /// The host.
    pub host: u32,
    /// The flow.
    pub flow: u32,
    /// The places of the message of a schedule that has started; `None`: the signal is for a flow of the host.
    pub places: Option<Places>,
}

/// The end of a flow at a host, for a flow that was added during the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) flow: u32,
    pub(crate) at_ps: u64,
    /// Whether the host is the sender; otherwise it is the receiver.
    pub(crate) is_sender: bool,
}

/// A host. The engine gives a host times and packets, and requests packets when its wire is free. No method
/// has a default: a wrapper of a host must pass on all of them.
pub trait Endpoint: Send {
    /// The data that the hosts of a thread share: the contents of packets, and common counts.
    type Desk: Default + Send + Counts;
    /// The contents of a packet.
    type Body: Send + Words;

    /// The part of the delays of the host's links, from and to the host, that the host itself simulates.
    fn holds_ps(&self) -> [u64; 2];
    /// Time of the host's next own action.
    fn due(&self) -> u64;
    /// Acts when the time of `due` has arrived.
    fn wake(&mut self, desk: &mut Self::Desk, now_ps: u64);
    /// Prefetches the memory of this host and of the packets' contents. The packets arrive at the host after
    /// the next.
    fn fetch(&self, desk: &Self::Desk, packets: &[Packet]);
    /// Prefetches the memory to which the packets' contents point. The packets arrive at the next host.
    fn fetch_behind(&self, desk: &Self::Desk, packets: &[Packet]);
    /// Accepts a packet.
    fn arrive(&mut self, desk: &mut Self::Desk, packet: &Packet);
    /// Returns the next packet, when the wire is free.
    fn poll(&mut self, desk: &mut Self::Desk, now_ps: u64) -> Option<Packet>;
    /// Number of ends of flows so far.
    fn finished(&self) -> u32;
    /// Number of ends of flows of the whole run.
    fn expected(&self) -> u32;
    /// Accepts a signal.
    fn signal(&mut self, signal: Signal);
    /// Signals for other hosts since the last call.
    fn signals(&mut self) -> &mut Vec<Signal>;

    /// Removes the contents of a packet that was lost. Returns the flow whose data the packet carried or
    /// acknowledged.
    fn lose(desk: &mut Self::Desk, packet: &Packet) -> Option<u32>;
    /// Removes the contents of a packet that moves to another thread.
    fn take(desk: &mut Self::Desk, word: u32) -> Self::Body;
    /// Stores the contents of a packet that arrives from another thread. Returns the packet's word.
    fn put(desk: &mut Self::Desk, body: Self::Body) -> u32;
}

/// The facts of a host at the end of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Told {
    /// The flows that start at the host, in the order of their numbers.
    pub(crate) sent: Vec<SenderEnd>,
    /// The flows that end at the host.
    pub(crate) came: Vec<ReceiverEnd>,
    /// The counters of the host's NIC; empty without a NIC.
    pub(crate) counters: Vec<u32>,
    /// The counts of the host's software.
    pub(crate) probes: ProbeCounts,
    /// The end of the host's rank, if the host is a rank of a schedule.
    pub(crate) played: Played,
    /// The noted events of the host's connections. A run in several processes notes none.
    #[serde(skip)]
    pub(crate) events: Vec<Event>,
}

/// A host with its wire into the network.
#[derive(Debug)]
pub(crate) struct Station<H> {
    pub(crate) host: H,
    pub(crate) port: Port,
    /// Whether the host had no packet to send at the last request, and has not changed since then.
    is_idle: bool,
    /// Time of the last event.
    ready_ps: u64,
    pub(crate) sent: u64,
    pub(crate) received: u64,
    pub(crate) digest: u64,
}

impl<H: Endpoint> Station<H> {
    pub(crate) fn new(host: H, port: Port) -> Self {
        Self { host, port, is_idle: true, ready_ps: 0, sent: 0, received: 0, digest: 0 }
    }

    /// Prefetches the memory of the host.
    #[inline]
    pub(crate) fn fetch(&self) {
        self.port.fetch();
        fetch(&self.host);
        fetch(&self.digest);
    }

    /// Time of the next event of the host or its wire.
    #[inline]
    pub(crate) fn next(&self) -> u64 {
        self.serves().min(self.host.due())
    }

    /// Time at which the wire can take the next packet. A NIC has no classes: a pause stops all its packets.
    #[inline]
    fn serves(&self) -> u64 {
        if self.is_idle || self.port.is_stopped() { NEVER } else { self.port.free_ps.max(self.ready_ps) }
    }

    /// Handles all events up to and including `until`. The wire is served before the host's own events.
    #[inline]
    pub(crate) fn advance(&mut self, desk: &mut H::Desk, until_ps: u64, out: &mut impl Sink) {
        loop {
            let due = self.host.due();
            let serves = self.serves();
            if serves.min(due) > until_ps {
                return;
            }
            if serves <= due {
                match self.host.poll(desk, serves) {
                    Some(mut packet) => {
                        self.sent += 1;
                        self.port.start(&mut packet, serves, out);
                    }
                    None => self.is_idle = true,
                }
            } else {
                self.host.wake(desk, due);
                (self.is_idle, self.ready_ps) = (false, due);
            }
        }
    }

    /// Accepts a packet at its time.
    #[inline]
    pub(crate) fn arrive(&mut self, desk: &mut H::Desk, packet: &Packet, out: &mut impl Sink) {
        let now = packet.time_ps;
        self.advance(desk, now, out);
        if packet.flags & PAUSE != 0 {
            self.port.pause(packet);
            return;
        }
        self.received += 1;
        let seen = u64::from(packet.source) << 32 | u64::from(packet.ev) << 8 | u64::from(packet.flags);
        self.digest =
            (self.digest.rotate_left(5) ^ now ^ seen.rotate_left(40)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.host.arrive(desk, packet);
        (self.is_idle, self.ready_ps) = (false, now);
    }
}
