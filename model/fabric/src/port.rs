//! An output port. An output port has two queues, the control queue first, and between them the packets that
//! a load balancer holds back. The port marks packets when they leave, and trims packets without space. The
//! link behind it may be cut or slow, or have bit errors.
//!
//! Departures are computed, not scheduled: the engine makes a port catch up. Departures precede arrivals.

mod counts;
mod errors;
mod reorder;

pub use counts::{Counts, Series};

use crate::buffer::PAUSE_BYTES;
use crate::network::{Link, Network, PACE_BITS, Queue, pace};
use crate::packet::{
    CONTROL, ECN, Fifo, HEADER_BYTES, LAST_HOP, MADE, MARKER, PAUSE, PROBE, Packet, TRIMMED, fetch,
};
use crate::tally::Tally;
use errors::Errors;
use reorder::Reorder;
use serde::Serialize;
use weft_random::Rng;

/// The reason why a packet was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The data queue is full, and trimming is off.
    DataQueue,
    /// The control queue is full.
    ControlQueue,
    /// The buffer that ports share is full.
    Buffer,
    /// The link was cut while the packet left.
    Link,
    /// The packet has a bad FCS.
    Corrupt,
    /// The switch had no path.
    NoWay,
}

impl Cause {
    /// All causes, in the order of their numbers.
    pub const ALL: [Self; 6] =
        [Self::DataQueue, Self::ControlQueue, Self::Buffer, Self::Link, Self::Corrupt, Self::NoWay];
}

/// Accepts the packets of ports.
pub(crate) trait Sink {
    /// Whether the shared buffer has space for a packet in a reorder queue, or in the port's queue (0).
    fn admit(&mut self, _packet: &Packet, _queue: u8) -> bool {
        true
    }
    /// Releases the space of a packet that no longer waits.
    fn release(&mut self, _packet: &Packet, _queue: u8) {}
    /// Handles a packet that starts to leave its queue. The packet's time is that of its arrival.
    fn leave(&mut self, _packet: &mut Packet, _now_ps: u64) {}
    /// Passes a packet on to the next node, with the time and the port of its arrival there. (`come` is a
    /// separate argument, so that the packet is copied from memory: a load across recent stores waits.)
    fn send(&mut self, packet: &Packet, come: Come);
    /// Accepts a lost packet.
    fn lose(&mut self, packet: Packet, cause: Cause);
    /// The counts of ports.
    fn tally(&mut self) -> &mut Tally;
}

/// Time and port at which a packet arrives at the next node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Come {
    pub(crate) time_ps: u64,
    pub(crate) ingress: u8,
}

/// The state of a link from a time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Start of the state.
    pub at_ps: u64,
    /// Whether the link carries no packets.
    pub is_cut: bool,
    /// Rate in Gb/s.
    pub gbps: u32,
    /// Bit error rate in units of 2^-64.
    pub bit_errors: u64,
}

/// Flag: the peer has requested a pause.
const STOPPED: u8 = 1;
/// Flag: the port must send a PFC frame to the peer, as soon as the wire is free.
const TELLS: u8 = 2;
/// Flag: this PFC frame requests a pause.
const STOPS: u8 = 4;

/// A port. The fields that every packet needs are in its first two cache lines: with thousands of hosts,
/// access to memory limits the speed.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Port {
    /// Time from which the link is free.
    pub(crate) free_ps: u64,
    delay_ps: u64,
    pace: u32,
    data_bytes: u32,
    control_bytes: u32,
    peak_bytes: u32,
    in_service: u16,
    gap: u16,
    /// Index of the port's queue in the network's queues.
    queue: u8,
    ingress: u8,
    is_last_hop: bool,
    layer: u8,
    /// Whether the link changes or has errors, or the series of the port is recorded.
    is_special: bool,
    /// State of PFC: [`STOPPED`], [`TELLS`], [`STOPS`].
    pfc: u8,
    /// Whether a reorder queue has packets that may leave.
    is_ready: bool,
    /// Heap engine: whether an event for the departure exists.
    pub(crate) is_armed: bool,
    data: Fifo,
    control: Fifo,
    packets: u64,
    bytes: u64,
    random: Rng,
    marks: u64,
    trims: u64,
    /// The packets that arrived too early.
    reorder: Option<Box<Reorder>>,
    /// Numbers of PFC frames sent and received.
    pub(crate) pauses: [u64; 2],
    change_ps: u64,
    is_cut: bool,
    changes: Vec<Change>,
    errors: Errors,
    series: Option<Box<Series>>,
}

const _: () = assert!(std::mem::offset_of!(Port, random) == 128 && size_of::<Port>() == 256);

impl Port {
    /// The port with a number.
    pub(crate) fn new(network: &Network, number: u32, link: &Link) -> Self {
        Self {
            free_ps: 0,
            delay_ps: link.delay_ps,
            pace: pace(link.gbps),
            data_bytes: 0,
            control_bytes: 0,
            peak_bytes: 0,
            in_service: 0,
            gap: network.wire.gap_bytes,
            queue: link.queue,
            ingress: link.ingress,
            is_last_hop: link.is_last_hop,
            layer: link.layer,
            is_special: false,
            pfc: 0,
            is_ready: false,
            is_armed: false,
            data: Fifo::default(),
            control: Fifo::default(),
            packets: 0,
            bytes: 0,
            random: Rng::of(&[network.seed, 0x504F_5254, number.into()]),
            marks: 0,
            trims: 0,
            reorder: None,
            pauses: [0; 2],
            change_ps: u64::MAX,
            is_cut: false,
            changes: Vec::new(),
            errors: Errors::new(network.seed, number),
            series: None,
        }
    }

    /// Begins to record the series of the port, in bins of `every_ps`.
    pub(crate) fn record(&mut self, every_ps: u64) {
        self.series = Some(Box::new(Series { every_ps, ..Series::default() }));
        self.is_special = true;
    }

    /// The recorded series.
    pub(crate) fn series(&self) -> Option<&Series> {
        self.series.as_deref()
    }

    /// Sets the changes of the link, in the order of time.
    pub(crate) fn plan(&mut self, changes: Vec<Change>) {
        self.change_ps = changes.first().map_or(u64::MAX, |change| change.at_ps);
        self.changes = changes;
        self.is_special = true;
    }

    /// The counts of the port.
    pub(crate) fn counts(&self) -> Counts {
        let Self { packets, bytes, marks, trims, peak_bytes, .. } = *self;
        Counts { packets, bytes, marks, trims, peak_bytes }
    }

    /// Bytes that wait or are being sent at `now`. The port must have caught up.
    #[inline]
    pub(crate) fn load(&self, now_ps: u64) -> u32 {
        self.data_bytes
            + self.control_bytes
            + if self.free_ps > now_ps { u32::from(self.in_service) } else { 0 }
    }

    /// Whether a packet waits and may leave.
    #[inline]
    pub(crate) fn waits(&self) -> bool {
        if self.pfc != 0 {
            return self.control_bytes > 0
                || self.pfc & TELLS != 0
                || (!self.is_stopped() && (self.data_bytes > 0 || self.is_ready));
        }
        self.data_bytes + self.control_bytes > 0 || self.is_ready
    }

    /// Whether the peer has requested a pause: no data leaves.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.pfc & STOPPED != 0
    }

    /// Handles a PFC frame of the peer, which begins or ends a pause.
    pub(crate) fn pause(&mut self, packet: &Packet) {
        self.pauses[1] += 1;
        self.pfc = self.pfc & !STOPPED | if packet.word == 1 { STOPPED } else { 0 };
        self.free_ps = self.free_ps.max(packet.time_ps);
    }

    /// Holds a reorder queue, or releases it.
    pub(crate) fn hold(&mut self, queue: u8, holds: bool, now_ps: u64) {
        let reorder = self.reorder.get_or_insert_default();
        reorder.hold(queue, holds);
        self.is_ready = reorder.ready() != 0;
        if !holds {
            self.free_ps = self.free_ps.max(now_ps);
        }
    }

    /// Makes the port send a PFC frame to the peer as soon as the wire is free.
    pub(crate) fn tell(&mut self, stops: bool, now_ps: u64) {
        self.pfc = self.pfc & !STOPS | TELLS | if stops { STOPS } else { 0 };
        self.free_ps = self.free_ps.max(now_ps);
    }

    /// Sends the PFC frame.
    #[cold]
    fn send_pause(&mut self, at_ps: u64, out: &mut impl Sink) {
        let stops = self.pfc & STOPS != 0;
        self.pfc &= STOPPED;
        self.pauses[0] += 1;
        self.free_ps = at_ps + self.serial_ps(PAUSE_BYTES);
        self.in_service = PAUSE_BYTES;
        let (bytes, flags) = (PAUSE_BYTES, PAUSE | CONTROL);
        let packet = Packet { word: stops.into(), bytes, flags, ..Packet::default() };
        out.send(&packet, self.come(self.free_ps));
    }

    /// Prefetches the memory of the port.
    #[inline]
    pub(crate) fn fetch(&self) {
        fetch(&self.free_ps);
        fetch(&self.bytes);
    }

    /// Prefetches the memory of the queues.
    #[inline]
    pub(crate) fn fetch_queues(&self) {
        self.data.fetch();
        self.control.fetch();
    }

    /// Number of packets that wait.
    pub(crate) fn waiting(&self) -> usize {
        debug_assert_eq!(
            self.data.iter().map(|packet| u32::from(packet.bytes)).sum::<u32>(),
            self.data_bytes
        );
        self.data.len() + self.control.len() + self.reorder.as_ref().map_or(0, |reorder| reorder.len())
    }

    #[inline]
    fn serial_ps(&self, bytes: u16) -> u64 {
        ((u64::from(bytes) + u64::from(self.gap)) * u64::from(self.pace)) >> PACE_BITS
    }

    /// Place and time of the arrival of a packet that left at `left_ps`.
    #[inline]
    fn come(&self, left_ps: u64) -> Come {
        Come { time_ps: left_ps + self.delay_ps, ingress: self.ingress }
    }

    /// Starts a packet.
    #[inline(always)]
    pub(crate) fn start(&mut self, packet: &mut Packet, at_ps: u64, out: &mut impl Sink) {
        out.leave(packet, at_ps);
        let mut done = at_ps + self.serial_ps(packet.bytes);
        let mut is_lost = false;
        if self.is_special {
            (done, is_lost) = self.follow(packet.bytes, at_ps);
        }
        self.free_ps = done;
        self.in_service = packet.bytes;
        if packet.flags & MARKER != 0 {
            return;
        }
        self.packets += 1;
        self.bytes += u64::from(packet.bytes);
        out.tally().leaves(self.layer, packet);
        if self.is_special
            && let Some(cause) = self.ends(packet, at_ps, is_lost)
        {
            out.lose(*packet, cause);
            return;
        }
        out.send(packet, self.come(done));
    }

    /// Records that a packet leaves. Returns the cause if the link loses the packet. A packet with a bad FCS
    /// is not reported: the far end drops it.
    #[cold]
    fn ends(&mut self, packet: &Packet, at_ps: u64, is_lost: bool) -> Option<Cause> {
        if let Some(series) = &mut self.series {
            series.sends(at_ps, packet.bytes);
            if is_lost && packet.flags & PROBE == 0 {
                series.loses(at_ps);
            }
        }
        if is_lost {
            return Some(Cause::Link);
        }
        self.errors.hit(packet.bytes).then_some(Cause::Corrupt)
    }

    /// Records the number of bytes that wait.
    #[cold]
    fn holds_now(&mut self, at_ps: u64, bytes: u32) {
        if let Some(series) = &mut self.series {
            series.holds(at_ps, bytes);
        }
    }

    /// Computes the end of a packet that starts at `at` on a link that may change meanwhile, and whether the
    /// packet is lost. The rates are those of the start.
    #[cold]
    fn follow(&mut self, bytes: u16, at_ps: u64) -> (u64, bool) {
        let done = at_ps + self.serial_ps(bytes);
        if done < self.change_ps {
            return (done, self.is_cut);
        }
        let past = self.changes.iter().take_while(|change| change.at_ps <= at_ps).count();
        if let Some(now) = self.changes.drain(..past).next_back() {
            (self.is_cut, self.pace, self.errors.rate) = (now.is_cut, pace(now.gbps), now.bit_errors);
        }
        self.change_ps = self.changes.first().map_or(u64::MAX, |change| change.at_ps);
        let done = at_ps + self.serial_ps(bytes);
        let is_cut = self.changes.iter().any(|change| change.at_ps <= done && change.is_cut);
        (done, self.is_cut || is_cut)
    }

    /// Starts the next packet at `at`, if there is one.
    #[inline]
    pub(crate) fn serve(&mut self, queues: &[Queue], at_ps: u64, out: &mut impl Sink) -> bool {
        if self.pfc & TELLS != 0 {
            self.send_pause(at_ps, out);
            return true;
        }
        let mut packet = match self.control.pop() {
            Some(packet) => {
                self.control_bytes -= u32::from(packet.bytes);
                out.release(&packet, 0);
                packet
            }
            None if self.is_stopped() => return false,
            None if self.is_ready => return self.serve_early(queues, at_ps, out),
            None => {
                let Some(mut packet) = self.data.pop() else { return false };
                out.release(&packet, 0);
                if self.is_special {
                    self.holds_now(at_ps, self.data_bytes);
                }
                self.data_bytes -= u32::from(packet.bytes);
                self.mark(&queues[usize::from(self.queue)], &mut packet, self.data_bytes);
                packet
            }
        };
        self.start(&mut packet, at_ps, out);
        true
    }

    /// Starts the first packet of the highest reorder queue that may continue.
    #[cold]
    fn serve_early(&mut self, queues: &[Queue], at_ps: u64, out: &mut impl Sink) -> bool {
        let Some(reorder) = &mut self.reorder else { return false };
        let Some((queue, mut packet, behind)) = reorder.pop() else { return false };
        self.is_ready = reorder.ready() != 0;
        out.release(&packet, queue);
        if packet.flags & MADE == 0 {
            self.mark(&queues[usize::from(self.queue)], &mut packet, behind);
        }
        self.start(&mut packet, at_ps, out);
        true
    }

    /// Marks a packet by the bytes that wait after it.
    #[inline]
    fn mark(&mut self, queue: &Queue, packet: &mut Packet, behind: u32) {
        if let Some(red) = &queue.red
            && red.marks(behind, &mut self.random)
        {
            packet.flags |= ECN;
            self.marks += 1;
        }
    }

    /// Whether a packet can start by `until`.
    #[inline]
    pub(crate) fn is_due(&self, until_ps: u64) -> bool {
        self.free_ps <= until_ps && self.waits()
    }

    /// Starts all packets that can start by `until`.
    #[inline(never)]
    pub(crate) fn catch_up(&mut self, queues: &[Queue], until_ps: u64, out: &mut impl Sink) {
        while self.is_due(until_ps) {
            self.serve(queues, self.free_ps, out);
        }
    }

    /// Accepts a packet at its time, into a reorder queue or none (0). The port has caught up to this time.
    #[inline]
    pub(crate) fn arrive(&mut self, network: &Network, packet: &mut Packet, early: u8, out: &mut impl Sink) {
        let now = packet.time_ps;
        if !packet.is_control() {
            out.tally().found[usize::from(self.layer)].add(self.data_bytes.into());
        }
        // A queue that was released at this very time is still full.
        let is_next = packet.is_control()
            || (!self.is_stopped() && !self.is_ready && (early == 0 || !self.holds(early)));
        if self.free_ps <= now && is_next {
            self.start(packet, now, out);
            return;
        }
        let queue = &network.queues[usize::from(self.queue)];
        if early != 0 {
            let reorder = self.reorder.get_or_insert_default();
            let fits = reorder.bytes(early) + u32::from(packet.bytes) <= queue.data_bytes;
            if fits && out.admit(packet, early) {
                reorder.push(early, *packet);
                self.is_ready = reorder.ready() != 0;
                out.tally().held.add(reorder.held().into());
                return;
            }
            if !queue.trims || packet.flags & MADE != 0 {
                out.lose(*packet, if fits { Cause::Buffer } else { Cause::DataQueue });
                return;
            }
            self.trim(packet, network.wire.trimmed_bytes);
        } else if !packet.is_control() {
            let waits = self.data_bytes + u32::from(packet.bytes);
            let fits = waits <= queue.data_bytes;
            if fits && out.admit(packet, 0) {
                self.data_bytes = waits;
                self.peak_bytes = self.peak_bytes.max(waits);
                if self.is_special {
                    self.holds_now(now, waits);
                }
                self.data.push(*packet);
                return;
            }
            if !queue.trims {
                out.lose(*packet, if fits { Cause::Buffer } else { Cause::DataQueue });
                return;
            }
            self.trim(packet, network.wire.trimmed_bytes);
        }
        let waits = self.control_bytes + u32::from(packet.bytes);
        let fits = waits <= queue.control_bytes;
        if !fits || !out.admit(packet, 0) {
            out.lose(*packet, if fits { Cause::Buffer } else { Cause::ControlQueue });
            return;
        }
        self.control_bytes = waits;
        self.control.push(*packet);
    }

    fn trim(&mut self, packet: &mut Packet, trimmed_bytes: u16) {
        packet.flags |= if self.is_last_hop { TRIMMED | LAST_HOP } else { TRIMMED };
        packet.bytes = trimmed_bytes + if packet.header == 0 { 0 } else { HEADER_BYTES };
        self.trims += 1;
    }

    fn holds(&self, queue: u8) -> bool {
        self.reorder.as_ref().is_some_and(|reorder| reorder.holds(queue))
    }
}
