//! The rules again, in the most direct form: lists, sums and searches.

use super::*;
use std::collections::BTreeMap;

/// An item that waits.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) port: usize,
    queue: usize,
    pub(super) thing: Thing,
    since: u64,
    on_leave: Option<(u16, u16)>,
    charged: bool,
    marked: bool,
}

/// The holder of buffer: a queue, or a port and class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Queue(usize, usize),
    Class(usize, u8),
}

#[derive(Default, Clone, Copy)]
struct Holds {
    held: u64,
    headroom: u64,
}

pub(super) struct Oracle {
    settings: Settings,
    shared: u64,
    /// All waiting entries, in the order of their arrival.
    pub(super) entries: Vec<Entry>,
    holds: BTreeMap<Who, Holds>,
    /// Times at which the wires are free, in clocks / rate.bytes.
    wires: Vec<u128>,
    /// Bytes of the last frame on each wire.
    sent: Vec<u32>,
    paused: Vec<(usize, usize)>,
    until: BTreeMap<(usize, u8), u64>,
    /// Stopped classes, with the time of the next PFC frame for each. `untold` has the classes whose frame is due.
    stopped: BTreeMap<(usize, u8), u64>,
    untold: Vec<(usize, u8)>,
    last: usize,
    random: weft_random::Rng,
    pub(super) counters: Counters,
}

impl Oracle {
    pub(super) fn new(settings: Settings, seed: u64) -> Self {
        let mut shared = settings.buffer_bytes;
        for port in &settings.ports {
            for queue in &port.queues {
                shared -= u64::from(queue.reserve_bytes);
            }
            if let Some(pfc) = settings.pfc
                && port.headroom_bytes > 0
            {
                shared -=
                    u64::from(pfc.classes.count_ones()) * u64::from(pfc.reserve_bytes + port.headroom_bytes);
            }
        }
        Self {
            shared,
            entries: Vec::new(),
            holds: BTreeMap::new(),
            wires: vec![0; settings.ports.len()],
            sent: vec![0; settings.ports.len()],
            paused: Vec::new(),
            until: BTreeMap::new(),
            stopped: BTreeMap::new(),
            untold: Vec::new(),
            last: settings.ports.len() - 1,
            random: weft_random::Rng::new(seed),
            counters: Counters::default(),
            settings,
        }
    }

    pub(super) fn bytes(&self, which: impl Fn(&Entry) -> bool) -> u64 {
        self.entries.iter().filter(|entry| which(entry)).map(|entry| u64::from(entry.thing.bytes)).sum()
    }

    fn queue(&self, port: usize, queue: usize) -> &Queue {
        &self.settings.ports[port].queues[queue]
    }

    fn who(&self, port: usize, queue: usize, came_by: u16) -> Who {
        match lossless(&self.settings, self.queue(port, queue)) {
            Some(class)
                if self.settings.ports.get(came_by as usize).is_some_and(|it| it.headroom_bytes > 0) =>
            {
                Who::Class(came_by.into(), class)
            }
            _ => Who::Queue(port, queue),
        }
    }

    /// Reserve, alpha, headroom.
    fn terms(&self, who: Who) -> (u64, Alpha, u64) {
        match (who, self.settings.pfc) {
            (Who::Class(port, _), Some(pfc)) => {
                (pfc.reserve_bytes.into(), pfc.alpha, self.settings.ports[port].headroom_bytes.into())
            }
            (Who::Queue(port, queue), _) => {
                let queue = self.queue(port, queue);
                (queue.reserve_bytes.into(), queue.alpha, 0)
            }
            _ => unreachable!(),
        }
    }

    fn shared_of(&self, who: Who) -> u64 {
        let held = self.holds.get(&who).map_or(0, |holds| holds.held);
        held.saturating_sub(self.terms(who).0)
    }

    pub(super) fn used(&self) -> u64 {
        self.holds.keys().map(|who| self.shared_of(*who)).sum()
    }

    fn free(&self) -> u64 {
        self.shared.saturating_sub(self.used())
    }

    fn threshold(&self, who: Who) -> u64 {
        let alpha = self.terms(who).1;
        self.free() * u64::from(alpha.numerator) / u64::from(alpha.denominator)
    }

    /// Whether there is space and, if the item is charged, the account that it is charged to. Also charges
    /// the account.
    fn admit(&mut self, port: usize, queue: usize, thing: &Thing) -> Result<bool, Cause> {
        let bytes = u64::from(thing.bytes);
        let waits = self.bytes(|it| (it.port, it.queue) == (port, queue));
        if self.queue(port, queue).limit_bytes.is_some_and(|limit| waits + bytes > u64::from(limit)) {
            return Err(Cause::Limit);
        }
        if !self.settings.charge_paused && self.paused.contains(&(port, queue)) {
            return Ok(false);
        }
        let who = self.who(port, queue, thing.came_by);
        let (reserve, _, headroom) = self.terms(who);
        let holds = self.holds.get(&who).copied().unwrap_or_default();
        let more = (holds.held + bytes).saturating_sub(reserve);
        let fits = more == 0 || (more <= self.threshold(who) && more - self.shared_of(who) <= self.free());
        let fits_headroom = holds.headroom + bytes <= headroom;
        let holds = self.holds.entry(who).or_default();
        match who {
            _ if fits => holds.held += bytes,
            Who::Class(..) if fits_headroom => holds.headroom += bytes,
            Who::Class(..) => return Err(Cause::Headroom),
            Who::Queue(..) => return Err(Cause::Threshold),
        }
        self.watch(who);
        Ok(true)
    }

    fn watch(&mut self, who: Who) {
        let (Who::Class(port, class), Some(pfc)) = (who, self.settings.pfc) else { return };
        let (shared, headroom, threshold) =
            (self.shared_of(who), self.holds[&who].headroom, self.threshold(who));
        let over = headroom > 0 || (shared > 0 && shared >= threshold);
        let under = headroom == 0 && (shared == 0 || shared + u64::from(pfc.xon_offset_bytes) <= threshold);
        let is_stopped = self.stopped.contains_key(&(port, class));
        if !is_stopped && over {
            self.stopped.insert((port, class), u64::MAX);
            self.untold.push((port, class));
            self.counters.stops += 1;
        }
        if is_stopped && under {
            self.stopped.remove(&(port, class));
            self.untold.push((port, class));
        }
    }

    fn marks(&mut self, at: At, port: usize, queue: usize, thing: &mut Thing) -> bool {
        let Some(red) = self.settings.red.filter(|red| red.at == at) else { return false };
        if !self.queue(port, queue).marks {
            return false;
        }
        let depth = self.bytes(|it| {
            it.charged
                && it.port == port
                && match red.over {
                    Over::Queue => it.queue == queue,
                    Over::Port => self.queue(port, it.queue).marks,
                }
        });
        let (kmin, kmax) = (u64::from(red.kmin_bytes), u64::from(red.kmax_bytes));
        let hit = match depth {
            _ if depth <= kmin => false,
            _ if depth > kmax => true,
            _ => {
                let draw = u128::from(self.random.draw() >> 32);
                // draw / 2^32 < pmax / 2^16 * (depth - kmin) / (kmax - kmin)
                (draw * u128::from(kmax - kmin)) << 16
                    < (u128::from(red.pmax) * u128::from(depth - kmin)) << 32
            }
        };
        let marked = hit && thing.mark();
        self.counters.marked += u64::from(marked);
        marked
    }

    pub(super) fn enqueue(
        &mut self,
        clock: u64,
        port: u16,
        queue: u16,
        mut thing: Thing,
        on_leave: Option<(u16, u16)>,
    ) -> Verdict {
        let drop = |counters: &mut Counters, cause| {
            counters.dropped.count(cause);
            counters.lost_resumes += u64::from(on_leave.is_some());
            Verdict::Dropped(cause)
        };
        let (port, mut queue) = (usize::from(port), usize::from(queue));
        if self.settings.ports.get(port).is_none_or(|port| queue >= port.queues.len()) {
            return drop(&mut self.counters, Cause::NoQueue);
        }
        let mut verdict = Verdict::Queued;
        let charged = match self.admit(port, queue, &thing) {
            Ok(charged) => charged,
            Err(cause) => {
                let may = self.settings.trim.filter(|_| self.queue(port, queue).trims);
                let Some(trim) = may.filter(|_| thing.trim(self.settings.ports[port].is_last_hop)) else {
                    return drop(&mut self.counters, cause);
                };
                queue = trim.to_queue.into();
                verdict = Verdict::Trimmed;
                match self.admit(port, queue, &thing) {
                    Ok(charged) => charged,
                    Err(_) => return drop(&mut self.counters, Cause::Trimmed),
                }
            }
        };
        let marked = self.marks(At::Enqueue, port, queue, &mut thing);
        self.counters.queued += 1;
        self.counters.trimmed += u64::from(verdict == Verdict::Trimmed);
        self.entries.push(Entry { port, queue, thing, since: clock, on_leave, charged, marked });
        verdict
    }

    /// The wire becomes free before the clock is over.
    fn wire_is_free(&self, clock: u64, port: usize) -> bool {
        self.wires[port] < u128::from(clock + 1) * u128::from(self.settings.ports[port].rate.bytes)
    }

    /// The bytes that wait or are being sent.
    pub(super) fn load(&self, clock: u64, port: usize) -> u64 {
        let sends = if self.wire_is_free(clock, port) { 0 } else { self.sent[port].into() };
        self.bytes(|it| it.port == port) + sends
    }

    fn send(&mut self, clock: u64, port: usize, bytes: u32) {
        let rate = self.settings.ports[port].rate;
        self.sent[port] = bytes;
        let begin = self.wires[port].max(u128::from(clock) * u128::from(rate.bytes));
        self.wires[port] = begin + u128::from((bytes + 24).max(84)) * u128::from(rate.clocks);
    }

    fn quanta_clocks(&self, port: usize, quanta: u16) -> u64 {
        let rate = self.settings.ports[port].rate;
        (u64::from(quanta) * 64 * u64::from(rate.clocks)).div_ceil(rate.bytes.into())
    }

    /// Classes that a port has to report to its peer.
    fn to_tell(&self, clock: u64, port: usize) -> Vec<u8> {
        (0..8)
            .filter(|class| {
                let key = (port, *class);
                self.untold.contains(&key) || self.stopped.get(&key).is_some_and(|again| *again <= clock)
            })
            .collect()
    }

    pub(super) fn take_pause(&mut self, clock: u64) -> Option<(u16, Pause)> {
        let quanta = self.settings.pfc?.quanta;
        for port in 0..self.wires.len() {
            let classes = self.to_tell(clock, port);
            if classes.is_empty() || !self.wire_is_free(clock, port) {
                continue;
            }
            let again = clock + self.quanta_clocks(port, quanta) / 2;
            let mut pause = Pause::default();
            for class in classes {
                pause.classes |= 1 << class;
                if let Some(place) = self.stopped.get_mut(&(port, class)) {
                    *place = again;
                    pause.quanta[usize::from(class)] = quanta;
                }
            }
            self.untold.retain(|(other, _)| *other != port);
            self.send(clock, port, 60);
            self.counters.pauses_sent += 1;
            return Some((port as u16, pause));
        }
        None
    }

    pub(super) fn dequeue(&mut self, clock: u64) -> Option<Departure<Thing>> {
        let ports = self.wires.len();
        for port in (1..=ports).map(|step| (self.last + step) % ports) {
            if !self.wire_is_free(clock, port) {
                continue;
            }
            let open = |queue: usize| {
                let class = self.queue(port, queue).class;
                let until = class.and_then(|class| self.until.get(&(port, class)));
                !self.paused.contains(&(port, queue)) && until.is_none_or(|until| *until <= clock)
            };
            let ready = |entry: &&Entry| entry.port == port && open(entry.queue);
            let Some(queue) = self.entries.iter().filter(ready).map(|entry| entry.queue).max() else {
                continue;
            };
            let at = self.entries.iter().position(|it| (it.port, it.queue) == (port, queue)).unwrap();
            let mut entry = self.entries.remove(at);
            self.last = port;
            self.send(clock, port, entry.thing.bytes);
            if entry.charged {
                let who = self.who(port, queue, entry.thing.came_by);
                let holds = self.holds.get_mut(&who).unwrap();
                let of_headroom = holds.headroom.min(entry.thing.bytes.into());
                holds.headroom -= of_headroom;
                holds.held -= u64::from(entry.thing.bytes) - of_headroom;
                self.watch(who);
            }
            entry.marked |= self.marks(At::Dequeue, port, queue, &mut entry.thing);
            self.counters.departed += 1;
            if let Some((port, queue)) = entry.on_leave {
                self.counters.resumed_on_leave += 1;
                self.resume(port, queue);
            }
            return Some(Departure {
                port: port as u16,
                queue: queue as u16,
                item: entry.thing,
                waiting: self.bytes(|it| (it.port, it.queue) == (port, queue)) as u32,
                since: entry.since,
                marked: entry.marked,
                resumed: entry.on_leave,
            });
        }
        None
    }

    fn exists(&mut self, port: u16, queue: u16) -> bool {
        let exists = self
            .settings
            .ports
            .get(usize::from(port))
            .is_some_and(|port| usize::from(queue) < port.queues.len());
        self.counters.no_queue += u64::from(!exists);
        exists
    }

    pub(super) fn pause(&mut self, port: u16, queue: u16) {
        if self.exists(port, queue) {
            self.paused.push((port.into(), queue.into()));
        }
    }

    pub(super) fn resume(&mut self, port: u16, queue: u16) {
        if !self.exists(port, queue) {
            return;
        }
        let place = (usize::from(port), usize::from(queue));
        self.paused.retain(|other| *other != place);
        for at in 0..self.entries.len() {
            let entry = &mut self.entries[at];
            if (entry.port, entry.queue) == place && !entry.charged {
                entry.charged = true;
                let (bytes, came_by) = (entry.thing.bytes, entry.thing.came_by);
                let who = self.who(place.0, place.1, came_by);
                self.holds.entry(who).or_default().held += u64::from(bytes);
                self.watch(who);
            }
        }
    }

    pub(super) fn peer_pause(&mut self, clock: u64, port: u16, pause: &Pause) {
        let at = usize::from(port);
        if at >= self.wires.len() {
            self.counters.no_queue += 1;
            return;
        }
        self.counters.pauses_received += 1;
        for (class, quanta) in pause.iter() {
            self.until.insert((at, class), clock + self.quanta_clocks(at, quanta));
        }
    }
}

fn lossless(settings: &Settings, queue: &Queue) -> Option<u8> {
    let class = queue.class?;
    (settings.pfc?.classes >> class & 1 == 1).then_some(class)
}
