//! The traffic manager (page `docs/switches.md`, section "Traffic manager"): queues between ingress and egress, with
//! strict priority, pause and resume, a shared buffer with dynamic thresholds, ECN, trimming and PFC.
//!
//! The traffic manager has no clock of its own: the caller gives the clock of every event, in order of time.
//! An item is a frame or any other unit that a switch sends. All arithmetic uses integers.

mod buffer;
mod counters;
mod error;
mod port;
mod red;
mod settings;
#[cfg(test)]
mod tests;

pub use buffer::{Account, Buffer, Terms};
pub use counters::{Cause, Counters, Drops};
pub use error::{MAX_QUEUES, MIN_QUANTA, SettingsError};
pub use red::{At, Over, Red};
pub use settings::{Alpha, Pfc, Port, Queue, Rate, Settings, Trim, WIRE_MIN, WIRE_OVERHEAD};

use crate::pfc::Pause;
use weft_random::Rng;

/// An item that waits in queues.
pub trait Item {
    /// Bytes of the frame, without FCS.
    fn bytes(&self) -> u32;
    /// Port by which the item entered the switch.
    fn came_by(&self) -> u16;
    /// Trims the item. Returns `false`, and leaves the item unchanged, if it cannot be trimmed.
    fn trim(&mut self, last_hop: bool) -> bool;
    /// Marks the item CE. Returns `false` if it cannot be marked.
    fn mark(&mut self) -> bool;
}

/// The verdict on an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The item is in its queue.
    Queued,
    /// The item was trimmed, and is in the queue for trimmed items.
    Trimmed,
    /// The item was dropped.
    Dropped(Cause),
}

/// An item that leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departure<I> {
    /// Port of the item.
    pub port: u16,
    /// Queue of the item.
    pub queue: u16,
    /// The item.
    pub item: I,
    /// Bytes that wait behind the item in its queue.
    pub waiting: u32,
    /// Clock in which the item arrived.
    pub since: u64,
    /// Whether this traffic manager marked the item.
    pub marked: bool,
    /// The queue that the departure resumed.
    pub resumed: Option<(u16, u16)>,
}

/// A traffic manager with its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrafficManager<I> {
    settings: Settings,
    ports: Vec<port::Port<I>>,
    /// The bytes in lossless classes, by ingress port.
    ingress: Vec<[Account; 8]>,
    buffer: Buffer,
    random: Rng,
    /// The port that is served first in the next clock.
    turn: usize,
    loads: Vec<u32>,
    counters: Counters,
}

/// The holder of an item's buffer.
#[derive(Clone, Copy)]
enum Holder {
    Queue(usize, usize),
    Ingress(usize, u8),
}

impl<I: Item> TrafficManager<I> {
    /// An empty traffic manager. The seed is for marking.
    pub fn new(settings: Settings, seed: u64) -> Result<Self, SettingsError> {
        let shared = settings.shared_bytes()?;
        Ok(Self {
            ports: settings.ports.iter().map(port::Port::new).collect(),
            ingress: vec![[Account::default(); 8]; settings.ports.len()],
            buffer: Buffer::new(shared),
            random: Rng::new(seed),
            turn: 0,
            loads: vec![0; settings.ports.len()],
            counters: Counters::default(),
            settings,
        })
    }

    /// Adds an item to a queue. `on_leave` names a port and one of its queues, which is resumed in the clock
    /// in which the item leaves.
    pub fn enqueue(
        &mut self,
        clock: u64,
        port: u16,
        queue: u16,
        mut item: I,
        on_leave: Option<(u16, u16)>,
    ) -> Verdict {
        let (mut bytes, mut trimmed) = (item.bytes(), false);
        let placed = match self.find(port, queue) {
            None => Err(Cause::NoQueue),
            Some((port, queue)) => self.admit(port, queue, item.came_by(), bytes).map_or_else(
                |cause| {
                    let settings = &self.settings.ports[port];
                    let to = self.settings.trim.filter(|_| settings.queues[queue].trims);
                    match to.map(|trim| usize::from(trim.to_queue)) {
                        Some(to) if item.trim(settings.is_last_hop) => {
                            (bytes, trimmed) = (item.bytes(), true);
                            let admitted = self.admit(port, to, item.came_by(), bytes);
                            admitted.map_or(Err(Cause::Trimmed), |charged| Ok((port, to, charged)))
                        }
                        _ => Err(cause),
                    }
                },
                |charged| Ok((port, queue, charged)),
            ),
        };
        match placed {
            Err(cause) => {
                self.counters.dropped.count(cause);
                self.counters.lost_resumes += u64::from(on_leave.is_some());
                Verdict::Dropped(cause)
            }
            Ok((port, queue, charged)) => {
                let marked = self.mark(At::Enqueue, port, queue, &mut item);
                self.counters.queued += 1;
                self.counters.trimmed += u64::from(trimmed);
                self.loads[port] += bytes;
                let marks = self.settings.ports[port].queues[queue].marks;
                let waiting = port::Waiting { item, bytes, since: clock, on_leave, charged, marked };
                self.ports[port].push(queue, waiting, marks);
                if trimmed { Verdict::Trimmed } else { Verdict::Queued }
            }
        }
    }

    /// The item that leaves in this clock, if any. Ports that are due take turns. In a port, the highest
    /// queue that has items and is not paused has priority. The port is then busy for the item's time on the
    /// wire.
    pub fn dequeue(&mut self, clock: u64) -> Option<Departure<I>> {
        let is_due = |port: &port::Port<I>| port.due <= clock;
        let (first, last) = self.ports.split_at(self.turn);
        let at = match last.iter().position(is_due) {
            Some(at) => self.turn + at,
            None => first.iter().position(is_due)?,
        };
        let queue = self.ports[at].turn(clock)?;
        let marks = self.settings.ports[at].queues[queue].marks;
        let mut waiting = self.ports[at].pop(clock, queue, marks)?;
        self.turn = if at + 1 == self.ports.len() { 0 } else { at + 1 };
        self.loads[at] -= waiting.bytes;
        if waiting.charged {
            let (holder, terms) = self.holder(at, queue, waiting.item.came_by());
            let account = account(&mut self.ports, &mut self.ingress, holder);
            self.buffer.give(account, &terms, waiting.bytes);
            self.watch(holder, &terms);
        }
        waiting.marked |= self.mark(At::Dequeue, at, queue, &mut waiting.item);
        self.counters.departed += 1;
        if let Some((port, queue)) = waiting.on_leave {
            self.counters.resumed_on_leave += 1;
            self.resume(port, queue);
        }
        Some(Departure {
            port: at as u16,
            queue: queue as u16,
            item: waiting.item,
            waiting: self.ports[at].queues[queue].bytes,
            since: waiting.since,
            marked: waiting.marked,
            resumed: waiting.on_leave,
        })
    }

    /// Pauses a queue: no item leaves the queue until it is resumed.
    pub fn pause(&mut self, port: u16, queue: u16) {
        match self.find(port, queue) {
            Some((port, queue)) => self.ports[port].set_paused(queue, true),
            None => self.counters.no_queue += 1,
        }
    }

    /// Resumes a queue. Items that arrived during the pause are charged now, if they were not charged on
    /// arrival. No item is dropped for this reason.
    pub fn resume(&mut self, port: u16, queue: u16) {
        let Some((port, queue)) = self.find(port, queue) else {
            self.counters.no_queue += 1;
            return;
        };
        self.ports[port].set_paused(queue, false);
        if self.settings.charge_paused {
            return;
        }
        let marks = self.settings.ports[port].queues[queue].marks;
        // Items that are not charged are the last of the queue, as a paused queue keeps all its items.
        let items = &self.ports[port].queues[queue].items;
        for at in items.partition_point(|waiting| waiting.charged)..items.len() {
            let place = &mut self.ports[port].queues[queue];
            let waiting = &mut place.items[at];
            waiting.charged = true;
            let (bytes, came_by) = (waiting.bytes, waiting.item.came_by());
            place.charged_bytes += bytes;
            self.ports[port].depth += if marks { bytes } else { 0 };
            let (holder, terms) = self.holder(port, queue, came_by);
            let account = account(&mut self.ports, &mut self.ingress, holder);
            self.buffer.take_anyway(account, &terms, bytes);
            self.watch(holder, &terms);
        }
    }

    /// Handles a PFC frame from the peer at a port: its classes stop until the quanta have passed.
    pub fn peer_pause(&mut self, clock: u64, port: u16, pause: &Pause) {
        match self.ports.get_mut(usize::from(port)) {
            Some(port) => {
                self.counters.pauses_received += 1;
                port.peer_pause(clock, pause);
            }
            None => self.counters.no_queue += 1,
        }
    }

    /// A PFC frame that leaves in this clock, and its port; the frame occupies the port's wire. The caller
    /// repeats the call until the result is `None`, before [`Self::dequeue`], as PFC frames have priority
    /// over all items.
    pub fn take_pause(&mut self, clock: u64) -> Option<(u16, Pause)> {
        let pfc = self.settings.pfc?;
        let at = self.ports.iter().position(|port| port.pause_due <= clock)?;
        self.counters.pauses_sent += 1;
        Some((at as u16, self.ports[at].tell(clock, pfc.quanta)))
    }

    /// First clock, from this one on, in which [`Self::take_pause`] or [`Self::dequeue`] returns something,
    /// if no other event happens before.
    pub fn next(&self, clock: u64) -> Option<u64> {
        let due = self.ports.iter().map(|port| port.due.min(port.pause_due)).min()?;
        (due != port::NEVER).then_some(due.max(clock))
    }

    /// Bytes that wait at each port.
    pub fn waiting(&self) -> &[u32] {
        &self.loads
    }

    /// The load of each port in a clock: the waiting bytes, and until the wire is free also the bytes of the
    /// frame that is being sent.
    pub fn loads(&self, clock: u64) -> impl Iterator<Item = u32> {
        let busy = move |port: &port::Port<I>| port.wire.sends(clock);
        self.loads.iter().zip(&self.ports).map(move |(waits, port)| waits.saturating_add(busy(port)))
    }

    /// Bytes that wait in a queue.
    pub fn queue_bytes(&self, port: u16, queue: u16) -> u32 {
        self.queue(port, queue).map_or(0, |queue| queue.bytes)
    }

    /// Maximum number of bytes that have waited in a queue.
    pub fn queue_peak_bytes(&self, port: u16, queue: u16) -> u32 {
        self.queue(port, queue).map_or(0, |queue| queue.peak_bytes)
    }

    /// Items that wait in a queue.
    pub fn queue_items(&self, port: u16, queue: u16) -> usize {
        self.queue(port, queue).map_or(0, |queue| queue.items.len())
    }

    /// Whether [`Self::pause`] has paused the queue.
    pub fn is_paused(&self, port: u16, queue: u16) -> bool {
        self.find(port, queue).is_some_and(|(port, queue)| self.ports[port].is_paused(queue))
    }

    /// Whether a pause of a class was requested from the peer at a port.
    pub fn is_stopped(&self, port: u16, class: u8) -> bool {
        class < 8 && self.ports.get(usize::from(port)).is_some_and(|port| port.stops(class))
    }

    /// Number of bytes of the shared buffer in use, and the maximum so far.
    pub fn shared_bytes(&self) -> (u64, u64) {
        (self.buffer.used(), self.buffer.peak())
    }

    /// The counters.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The settings of the traffic manager.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    fn find(&self, port: u16, queue: u16) -> Option<(usize, usize)> {
        let (port, queue) = (usize::from(port), usize::from(queue));
        self.settings.ports.get(port)?.queues.get(queue)?;
        Some((port, queue))
    }

    fn queue(&self, port: u16, queue: u16) -> Option<&port::Queue<I>> {
        self.find(port, queue).map(|(port, queue)| &self.ports[port].queues[queue])
    }

    /// Finds space for an item. Returns whether the item is charged.
    fn admit(&mut self, port: usize, queue: usize, came_by: u16, bytes: u32) -> Result<bool, Cause> {
        let waits = self.ports[port].queues[queue].bytes.checked_add(bytes);
        let limit = self.settings.ports[port].queues[queue].limit_bytes.unwrap_or(u32::MAX);
        if waits.is_none_or(|waits| waits > limit) || self.loads[port].checked_add(bytes).is_none() {
            return Err(Cause::Limit);
        }
        if !self.settings.charge_paused && self.ports[port].is_paused(queue) {
            return Ok(false);
        }
        let (holder, terms) = self.holder(port, queue, came_by);
        if !self.buffer.take(account(&mut self.ports, &mut self.ingress, holder), &terms, bytes) {
            return Err(match holder {
                Holder::Queue(..) => Cause::Threshold,
                Holder::Ingress(..) => Cause::Headroom,
            });
        }
        self.watch(holder, &terms);
        Ok(true)
    }

    /// The holder of an item's buffer. If the item's class is lossless and the ingress port has headroom, the
    /// item is charged to the ingress port; otherwise to the queue.
    fn holder(&self, port: usize, queue: usize, came_by: u16) -> (Holder, Terms) {
        let settings = &self.settings.ports[port].queues[queue];
        if let Some(pfc) = self.settings.pfc
            && let Some(class) = settings.class.filter(|_| self.settings.is_lossless(settings))
            && let Some(ingress) =
                self.settings.ports.get(usize::from(came_by)).filter(|port| port.headroom_bytes > 0)
        {
            let (reserve, headroom) = (pfc.reserve_bytes.into(), ingress.headroom_bytes.into());
            return (Holder::Ingress(came_by.into(), class), Terms { reserve, alpha: pfc.alpha, headroom });
        }
        let terms = Terms { reserve: settings.reserve_bytes.into(), alpha: settings.alpha, headroom: 0 };
        (Holder::Queue(port, queue), terms)
    }

    /// Requests a pause, or ends it, after a holder's account has changed.
    fn watch(&mut self, holder: Holder, terms: &Terms) {
        let (Holder::Ingress(port, class), Some(pfc)) = (holder, self.settings.pfc) else { return };
        let account = &self.ingress[port][usize::from(class)];
        if self.ports[port].stops(class) {
            if self.buffer.is_under(account, terms, pfc.xon_offset_bytes.into()) {
                self.ports[port].stop(class, false);
            }
        } else if self.buffer.is_over(account, terms) {
            self.counters.stops += 1;
            self.ports[port].stop(class, true);
        }
    }

    /// Marks an item if marking applies at this point.
    fn mark(&mut self, at: At, port: usize, queue: usize, item: &mut I) -> bool {
        let Some(red) = self.settings.red.filter(|red| red.at == at) else { return false };
        if !self.settings.ports[port].queues[queue].marks {
            return false;
        }
        let depth = match red.over {
            Over::Queue => self.ports[port].queues[queue].charged_bytes,
            Over::Port => self.ports[port].depth,
        };
        let marked = red.marks(depth, &mut self.random) && item.mark();
        self.counters.marked += u64::from(marked);
        marked
    }
}

/// The account of a holder.
fn account<'a, I>(
    ports: &'a mut [port::Port<I>],
    ingress: &'a mut [[Account; 8]],
    holder: Holder,
) -> &'a mut Account {
    match holder {
        Holder::Queue(port, queue) => &mut ports[port].queues[queue].account,
        Holder::Ingress(port, class) => &mut ingress[port][usize::from(class)],
    }
}
