//! Simulation of the network between the hosts, event by event.

use super::far::{FarEnd, Packet};
use super::setting::{Setting, TICK, US, Work};
use super::transport::{Counts, SLOTS, Transport};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use weft_bench::Mismatch;
use weft_nic::words::Acknowledgement;
use weft_random::Rng;

/// Bytes around a payload on the wire, and bytes of an ACK or of a trimmed packet.
const AROUND: u64 = 120;
const SHORT: u64 = 150;

/// Figures of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    /// Time at which the last message ended or the run was stopped.
    pub(super) us: f64,
    /// Messages that ended.
    pub(super) ended: u32,
    pub(super) packets: u64,
    pub(super) again: u64,
    /// Packets that arrived twice.
    pub(super) twice: u64,
    pub(super) trims: u64,
    pub(super) drops: u64,
    /// Packets lost on a dead path.
    pub(super) dead: u64,
    pub(super) freezes: u64,
    pub(super) timeouts: u64,
    /// First difference of a host's RTL and its model.
    pub(super) mismatch: Option<Mismatch>,
}

enum Event {
    /// The link of a host becomes free.
    Host(usize),
    /// A packet arrives at the hop of this number.
    Hop(Packet, u8),
    Answer(usize, Box<Acknowledgement>),
    Timer(usize),
}

struct Queue {
    /// Picoseconds of a byte.
    byte_ps: u64,
    /// Time at which the queue will be empty.
    empty: u64,
}

struct Host {
    transport: Box<dyn Transport>,
    peer: usize,
    /// Time at which the host's link is free; whether an event waits for that time.
    free: u64,
    awaited: bool,
    /// The earliest timer that was set.
    timer: Option<u64>,
    /// Messages not posted yet, and messages not ended.
    unposted: u32,
    waiting: u32,
}

pub(super) struct Sim {
    setting: Setting,
    rng: Rng,
    now: u64,
    number: u64,
    events: BinaryHeap<Reverse<(u64, u64)>>,
    due: BTreeMap<u64, Event>,
    hosts: Vec<Option<Host>>,
    far: Vec<FarEnd>,
    /// Queues from each leaf to the paths, from the paths to each leaf, and from a leaf to each host.
    up: Vec<Vec<Queue>>,
    down: Vec<Vec<Queue>>,
    last: Vec<Queue>,
    /// Time at which the last packet left each path: no packet overtakes another by its delay.
    left: Vec<Vec<u64>>,
    jitter: u64,
    hop_ps: u64,
    queue_bytes: u64,
    packets: u32,
    hole: Option<(u32, u32)>,
    salt: u64,
    figures: Figures,
}

impl Sim {
    /// A simulation in which `make` makes the transport of each host.
    pub(super) fn new<E>(
        setting: Setting,
        work: Work,
        seed: u64,
        in_order: bool,
        make: impl Fn(u64) -> Result<Box<dyn Transport>, E>,
    ) -> Result<Self, E> {
        let mut rng = Rng::of(&[seed, 0x5EED]);
        let (packets, messages) = work.messages();
        let mut hosts = Vec::new();
        for host in 0..setting.hosts {
            let Some(peer) = work.peer(host, setting.hosts) else {
                hosts.push(None);
                continue;
            };
            let transport = make(rng.draw())?;
            let (free, awaited, timer, unposted, waiting) = (0, false, None, messages, 0);
            hosts.push(Some(Host { transport, peer, free, awaited, timer, unposted, waiting }));
        }
        let queue = |gbps: u64| Queue { byte_ps: 8_000 / gbps, empty: 0 };
        let rate = |path| match setting.slow {
            Some((slow, by)) if slow == path => setting.path_gbps / by,
            _ => setting.path_gbps,
        };
        let paths = || (0..setting.paths).map(|path| queue(rate(path))).collect::<Vec<_>>();
        let (host, path) = (8_000 / setting.gbps, 8_000 / setting.path_gbps);
        let wire = (setting.mtu_bytes + AROUND) * 2 * (host + path) + SHORT * host;
        let light = (setting.rtt_us * US as f64) as u64 - wire;
        let wide = (setting.path_gbps as f64 / setting.gbps as f64).max(1.0);
        let far = FarEnd { in_order, ..FarEnd::default() };
        let mut sim = Self {
            setting,
            now: 0,
            number: 0,
            events: BinaryHeap::new(),
            due: BTreeMap::new(),
            far: vec![far; setting.hosts * setting.hosts],
            up: vec![paths(), paths()],
            down: vec![paths(), paths()],
            last: (0..setting.hosts).map(|_| queue(setting.gbps)).collect(),
            left: vec![vec![0; setting.paths]; setting.hosts],
            jitter: rng.draw(),
            hop_ps: light / 8,
            queue_bytes: (setting.bdp_bytes() as f64 * setting.queue_bdp * wide) as u64,
            packets,
            hole: setting.hole,
            salt: rng.draw(),
            figures: Figures::default(),
            rng,
            hosts,
        };
        (0..sim.hosts.len()).for_each(|host| sim.post(host));
        Ok(sim)
    }

    /// Runs until all messages have ended, or for `limit_us`.
    pub(super) fn run(mut self, limit_us: f64) -> Figures {
        while let Some(Reverse((at, number))) = self.events.pop() {
            if at > (limit_us * US as f64) as u64 {
                break;
            }
            self.now = at;
            match self.due.remove(&number) {
                Some(Event::Host(host)) => self.transmit(host),
                Some(Event::Hop(packet, hop)) => self.hop(packet, hop),
                Some(Event::Answer(host, answer)) => self.answer(host, &answer),
                Some(Event::Timer(host)) => self.timer(host),
                None => {}
            }
            if self.hosts.iter().flatten().all(|host| host.unposted + host.waiting == 0) {
                break;
            }
        }
        self.figures.us = self.now as f64 / US as f64;
        self.figures.twice = self.far.iter().map(|far| far.twice).sum();
        for host in self.hosts.iter().flatten() {
            let Counts { freezes, timeouts } = host.transport.counts();
            self.figures.freezes += freezes;
            self.figures.timeouts += timeouts;
            self.figures.mismatch = self.figures.mismatch.or(host.transport.mismatch().cloned());
        }
        self.figures
    }

    fn at(&mut self, time: u64, event: Event) {
        self.number += 1;
        self.events.push(Reverse((time.max(self.now), self.number)));
        self.due.insert(self.number, event);
    }

    fn tick(&self) -> u64 {
        self.now / TICK
    }

    /// Posts messages while the host has space for them.
    fn post(&mut self, host: usize) {
        let (now, packets) = (self.tick(), self.packets);
        let Some(it) = &mut self.hosts[host] else { return };
        while it.unposted > 0 && it.waiting < SLOTS {
            it.transport.post(packets, now);
            it.unposted -= 1;
            it.waiting += 1;
        }
        self.look(host);
    }

    /// Handles an event of a host's transport.
    fn look(&mut self, host: usize) {
        let now = self.tick();
        let Some(it) = &mut self.hosts[host] else { return };
        let ended = it.transport.ended();
        if ended > 0 {
            it.waiting -= ended;
            self.figures.ended += ended;
            return self.post(host);
        }
        let timer = it.transport.deadline(now).filter(|due| it.timer.is_none_or(|timer| *due < timer));
        it.timer = timer.or(it.timer);
        let (awaits, free) = (!it.awaited, it.free);
        it.awaited = true;
        if let Some(due) = timer {
            // First picosecond of the tick.
            self.at(due * TICK, Event::Timer(host));
        }
        if awaits {
            self.at(free, Event::Host(host));
        }
    }

    fn timer(&mut self, host: usize) {
        let now = self.tick();
        let Some(it) = &mut self.hosts[host] else { return };
        if it.timer.is_none_or(|timer| timer > now) {
            return;
        }
        it.timer = None;
        it.transport.expire(now);
        self.look(host);
    }

    fn transmit(&mut self, host: usize) {
        let (now, tick, salt) = (self.now, self.tick(), self.salt);
        let Some(it) = &mut self.hosts[host] else { return };
        it.awaited = false;
        let Some(sent) = it.transport.send(tick) else { return };
        let length = (self.setting.mtu_bytes + AROUND) * (8_000 / self.setting.gbps);
        it.free = now + length;
        let peer = it.peer;
        let hash = Rng::of(&[salt, host as u64, sent.ev.into()]).draw();
        let packet = Packet {
            from: host,
            to: peer,
            psn: sent.psn,
            ev: sent.ev,
            path: (hash % self.setting.paths as u64) as usize,
            stamp: tick as u16,
            trimmed: false,
            again: sent.again,
            ce: false,
        };
        self.figures.packets += 1;
        self.figures.again += u64::from(sent.again);
        self.at(now + length + self.hop_ps, Event::Hop(packet, 0));
        self.look(host);
    }

    fn is_dead(&self, path: usize) -> bool {
        let us = self.now as f64 / US as f64;
        let dark = |(from, until): (f64, f64)| (from..until).contains(&us);
        self.setting.blackout.is_some_and(dark)
            || self
                .setting
                .dead
                .is_some_and(|(dead, from, until)| dead == path && (from..until).contains(&us))
    }

    fn chance(&mut self, share: f64) -> bool {
        share > 0.0 && (self.rng.draw() as f64) < share * u64::MAX as f64
    }

    /// Delay that a path adds in this period: the square of a uniform number, so that most delays are small.
    fn delay(&self, path: usize, at: u64) -> u64 {
        let period = at / ((self.setting.jitter_period_us * US as f64) as u64);
        let even = Rng::of(&[self.jitter, path as u64, period]).draw() as f64 / u64::MAX as f64;
        (even * even * self.setting.jitter_us * US as f64) as u64
    }

    /// Handles a packet at a hop: 0 and 1 are the leaves' queues to and from the path, 2 is the queue to the
    /// host, 3 the host.
    fn hop(&mut self, mut packet: Packet, hop: u8) {
        let (from, to, path) = (packet.from, packet.to, packet.path);
        if hop == 3 {
            return self.arrive(&packet);
        }
        if hop < 2 && self.is_dead(path) {
            self.figures.dead += 1;
            return;
        }
        if hop == 0 {
            if let Some((psn, times)) = &mut self.hole
                && u64::from(*psn) == packet.psn
                && *times > 0
            {
                *times -= 1;
                return;
            }
            let is_tail = |tail: u32| packet.psn >= u64::from(tail) && !packet.again;
            if self.setting.tail.is_some_and(is_tail) || self.chance(self.setting.loss) {
                return;
            }
        }
        let now = self.now;
        let bytes = self.setting.mtu_bytes + AROUND;
        let (room, hop_ps) = (self.queue_bytes, self.hop_ps);
        let queue = match hop {
            0 => &mut self.up[from % 2][path],
            1 => &mut self.down[to % 2][path],
            _ => &mut self.last[to],
        };
        let byte_ps = queue.byte_ps;
        let backlog = queue.empty.saturating_sub(now) / byte_ps;
        let full = backlog + bytes > room;
        if full && !packet.trimmed && !self.setting.trims {
            self.figures.drops += 1;
            return;
        }
        if full || packet.trimmed {
            // A trimmed packet overtakes the queue.
            self.figures.trims += u64::from(!packet.trimmed);
            packet.trimmed = true;
            return self.at(now + SHORT * byte_ps + hop_ps, Event::Hop(packet, hop + 1));
        }
        queue.empty = queue.empty.max(now) + bytes * byte_ps;
        let mut out = queue.empty;
        let mut level = backlog as f64 / room as f64;
        if hop == 1 && self.setting.jitter_us > 0.0 {
            let delay = self.delay(path, out);
            level = level.max(delay as f64 / (self.setting.rtt_us * US as f64));
            let left = &mut self.left[to][path];
            *left = (*left).max(out + delay);
            out = *left;
        }
        if let (1, Some((from_us, times))) = (hop, self.setting.grows)
            && now as f64 / US as f64 >= from_us
        {
            out += ((times - 1.0) * self.setting.rtt_us * US as f64) as u64;
        }
        packet.ce |= level > 0.2 && self.chance(((level - 0.2) / 0.6).min(1.0));
        self.at(out + hop_ps, Event::Hop(packet, hop + 1));
    }

    fn arrive(&mut self, packet: &Packet) {
        let answer = self.far[packet.from * self.setting.hosts + packet.to].take(packet);
        if self.is_dead(packet.path) || self.chance(self.setting.ack_loss) {
            return;
        }
        let longer = (self.setting.back_rtts * self.setting.rtt_us * US as f64) as u64;
        let back = self.now + 4 * self.hop_ps + SHORT * (8_000 / self.setting.gbps) + longer;
        self.at(back, Event::Answer(packet.from, Box::new(answer)));
    }

    fn answer(&mut self, host: usize, answer: &Acknowledgement) {
        let now = self.tick();
        let Some(it) = &mut self.hosts[host] else { return };
        it.transport.expire(now);
        it.transport.take(answer, now);
        self.look(host);
    }
}
