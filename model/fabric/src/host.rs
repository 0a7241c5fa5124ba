//! The hosts as the engines see them, and the times at which they act.

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

pub use agenda::Agenda;

use crate::packet::{PAUSE, Packet, fetch};
use crate::port::{Port, Sink};
use crate::schedule::Played;
use crate::tally::Counts;
use ends::{ReceiverEnd, SenderEnd};
use probe::ProbeCounts;

/// No time.
pub const NEVER: u64 = u64::MAX;

/// A flow may start at another host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signal {
    /// The time at which the host gets the signal.
    pub time_ps: u64,
    /// Which host.
    pub host: u32,
    /// Which flow.
    pub flow: u32,
}

/// A flow that came while a run went on has ended at a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) flow: u32,
    pub(crate) at_ps: u64,
    /// At its sender, else at its receiver.
    pub(crate) is_sender: bool,
}

/// A host. The engine gives a host times and packets, and asks for packets as its wire is free. All methods are without
/// a default: a host that wraps another one passes on all of them.
pub trait Endpoint: Send {
    /// The data that the hosts of a thread share: the contents of packets, and common counts.
    type Desk: Default + Send + Counts;
    /// The contents of a packet.
    type Body: Send;

    /// The part of the delays of its links, from it and to it, that the host itself lets pass.
    fn holds_ps(&self) -> [u64; 2];
    /// When it does something by itself next.
    fn due(&self) -> u64;
    /// The time of `due` has come.
    fn wake(&mut self, desk: &mut Self::Desk, now_ps: u64);
    /// Packets come soon, to the host after the next: asks for its memory and that of their contents.
    fn fetch(&self, desk: &Self::Desk, packets: &[Packet]);
    /// Packets come to the next host: asks for the memory to which their contents lead.
    fn fetch_behind(&self, desk: &Self::Desk, packets: &[Packet]);
    /// A packet has come.
    fn arrive(&mut self, desk: &mut Self::Desk, packet: &Packet);
    /// The next packet, when its wire is free.
    fn poll(&mut self, desk: &mut Self::Desk, now_ps: u64) -> Option<Packet>;
    /// Ends of flows that it has seen.
    fn finished(&self) -> u32;
    /// Ends of flows that it will see.
    fn expected(&self) -> u32;
    /// A signal for it.
    fn signal(&mut self, signal: Signal);
    /// Signals for others, since it was asked last.
    fn signals(&mut self) -> &mut Vec<Signal>;

    /// Takes the contents of a packet that has ended on its way: the flow whose data it carried, or answered.
    fn lose(desk: &mut Self::Desk, packet: &Packet) -> Option<u32>;
    /// Takes the contents of a packet, which goes to another thread.
    fn take(desk: &mut Self::Desk, word: u32) -> Self::Body;
    /// Puts them in; the packet's word.
    fn put(desk: &mut Self::Desk, body: Self::Body) -> u32;
}

/// The facts of a host at the end of a run.
#[derive(Clone, Debug)]
pub struct Told {
    /// The flows that start at it, in the order of their numbers.
    pub(crate) sent: Vec<SenderEnd>,
    /// Those that end at it.
    pub(crate) came: Vec<ReceiverEnd>,
    /// The counters of its NIC; empty without a NIC.
    pub(crate) counters: Vec<u32>,
    /// The counts of its software.
    pub(crate) probes: ProbeCounts,
    /// The end of its rank, if it is one of a schedule.
    pub(crate) played: Played,
}

/// A host with its wire into the network.
#[derive(Debug)]
pub(crate) struct Station<H> {
    pub(crate) host: H,
    pub(crate) port: Port,
    /// The host had no packet to send, and its state is the same since.
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

    /// Asks for its memory.
    #[inline]
    pub(crate) fn fetch(&self) {
        self.port.fetch();
        fetch(&self.host);
        fetch(&self.digest);
    }

    /// When it has something to do next.
    #[inline]
    pub(crate) fn next(&self) -> u64 {
        self.serves().min(self.host.due())
    }

    /// When its wire takes something next. A NIC has no classes: a pause stops all that it sends.
    #[inline]
    fn serves(&self) -> u64 {
        if self.is_idle || self.port.is_stopped() { NEVER } else { self.port.free_ps.max(self.ready_ps) }
    }

    /// Everything up to `until`, that included: the wire goes before the host's own events.
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

    /// A packet comes at its time.
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
