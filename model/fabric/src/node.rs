//! A switch, in the form that the engines use.

mod loads;
mod samples;

use crate::balance::{Act, Balancer, Books, Course, Place, Up};
use crate::buffer::Holders;
use crate::network::{Network, Queue, Wiring};
use crate::packet::Packet;
use crate::port::{Cause, Come, Port, Sink};
use crate::route::{Router, Way};
use crate::tally::Tally;
use loads::Loads;
pub(crate) use samples::Samples;
use std::collections::BTreeMap;
use std::ops::Range;
use weft_switch::topology::{Failed, Role, Switch};

/// A switch: routes, load balancer, ports.
#[derive(Clone, Debug)]
pub(crate) struct Node<B> {
    pub(crate) switch: Switch,
    router: Router,
    balancer: B,
    /// Number of the switch's first port in the network.
    pub(crate) first: u32,
    pub(crate) ports: Vec<Port>,
    loads: Loads,
    /// The buffer that the ports share.
    buffer: Option<Box<Holders>>,
    /// Samples of the reorder queues over time, if they are sampled.
    pub(crate) samples: Option<Box<Samples>>,
}

impl<B: Balancer> Node<B> {
    pub(crate) fn new(
        network: &Network,
        wiring: &Wiring,
        switch: Switch,
        make: &impl Fn(&Place) -> B,
        weighted: bool,
    ) -> Self {
        let first = wiring.first[network.node(switch) as usize];
        let up = network.topology.up_ports(switch);
        let up = usize::from(up.start)..usize::from(up.end);
        let count = network.topology.ports(switch);
        let numbers = first..first + u32::from(count);
        let ports = numbers.map(|at| Port::new(network, at, &wiring.links[at as usize])).collect();
        Self {
            switch,
            router: Router::new(network, switch, weighted),
            balancer: make(&Place { network, switch }),
            first,
            ports,
            loads: Loads::new(count.into(), up),
            buffer: network.buffer.map(|shared| {
                let ways = wiring.ways(network.node(switch));
                Box::new(Holders::new(&shared, network.wire.gap_bytes, &ways))
            }),
            samples: None,
        }
    }

    /// Begins to sample the reorder queues at intervals of `every_ps`.
    pub(crate) fn sample(&mut self, network: &Network, every_ps: u64) {
        if B::ACTS && network.topology.role(self.switch) == Role::Edge {
            let hosts = network.topology.hosts_per_edge() as usize;
            self.samples = Some(Box::new(Samples::new(every_ps, hosts)));
        }
    }

    /// Samples the reorder queues before they change.
    #[inline]
    fn changes(&mut self, now_ps: u64) {
        if B::ACTS
            && let Some(samples) = &mut self.samples
        {
            samples.reach(now_ps, &self.ports);
        }
    }

    /// Numbers of the links behind the ports.
    #[inline]
    pub(crate) fn links(&self) -> Range<u32> {
        self.first..self.first + self.ports.len() as u32
    }

    /// Prefetches the memory of the ports.
    #[inline]
    pub(crate) fn fetch(&self) {
        self.ports.iter().for_each(Port::fetch);
        if Self::NOTES {
            self.loads.fetch();
        }
    }

    /// Updates the routes after failures.
    pub(crate) fn learn(&mut self, network: &Network, failed: &Failed) {
        self.router.learn(&network.topology, self.switch, failed);
        self.balancer.learn(&Place { network, switch: self.switch }, failed);
    }

    /// The course of a packet. The ports that the load balancer reads must have caught up, and their loads
    /// must be current.
    #[inline]
    pub(crate) fn take(&mut self, packet: &mut Packet) -> Course {
        if B::ACTS {
            let way = self.router.way(packet.destination);
            return self.balancer.take(packet, if let Way::Down(port) = way { Some(port) } else { None });
        }
        self.choose(packet).map_or(Course::Nowhere, |port| Course::Out(port as u16, 0))
    }

    /// The port by which a packet leaves. `None` if there is no path.
    #[inline]
    pub(crate) fn choose(&mut self, packet: &mut Packet) -> Option<usize> {
        let now = packet.time_ps;
        match self.router.way(packet.destination) {
            Way::Down(port) => {
                if B::ORDERED {
                    self.balancer.pass(packet, Some(port));
                }
                Some(port.into())
            }
            Way::Up(group, target) => {
                debug_assert!(!B::LOADS || self.loads.are_right(&self.ports, now));
                let up = Up { now_ps: now, group, target, loads: self.loads.bytes() };
                Some(self.balancer.choose(packet, &up).into())
            }
            Way::None => {
                // A program draws a random number for every packet.
                self.balancer.pass(packet, None);
                None
            }
        }
    }

    /// Whether the load balancer uses the loads of ports up, or departures.
    const NOTES: bool = B::LOADS || B::LEAVES;

    /// A port up, if the load balancer uses these, from which a packet has left by a time. The port must
    /// catch up, and [`Self::note`] must follow, before a packet is handled.
    #[inline]
    pub(crate) fn behind(&self, now_ps: u64) -> Option<usize> {
        if Self::NOTES { self.loads.behind(now_ps) } else { None }
    }

    /// Reads the loads of all ports up, which have caught up to a time.
    pub(crate) fn look(&mut self, now_ps: u64) {
        if B::LOADS {
            self.loads.look(&self.ports, now_ps);
        }
    }

    /// Records that a port has advanced to a time, or has changed at that time.
    #[inline]
    pub(crate) fn note(&mut self, at: usize, now_ps: u64) {
        if Self::NOTES {
            self.loads.note(at, &self.ports[at], now_ps);
        }
    }

    /// [`Port::catch_up`] of a port.
    #[inline]
    pub(crate) fn catch_up(&mut self, at: usize, queues: &[Queue], until_ps: u64, out: &mut impl Sink) {
        // Mostly no packet waits: callers should have only this test inline.
        if self.ports[at].is_due(until_ps) {
            let (port, mut gate) = self.gate(at, out);
            port.catch_up(queues, until_ps, &mut gate);
            self.note(at, until_ps);
        }
    }

    /// [`Port::arrive`] of a port.
    #[inline]
    pub(crate) fn arrive(
        &mut self,
        (at, queue): (usize, u8),
        network: &Network,
        packet: &mut Packet,
        out: &mut impl Sink,
    ) {
        self.changes(packet.time_ps);
        let (port, mut gate) = self.gate(at, out);
        port.arrive(network, packet, queue, &mut gate);
        self.note(at, packet.time_ps);
        self.tell(packet.time_ps);
    }

    /// [`Port::serve`] of a port.
    pub(crate) fn serve(&mut self, at: usize, queues: &[Queue], at_ps: u64, out: &mut impl Sink) {
        self.changes(at_ps);
        let (port, mut gate) = self.gate(at, out);
        port.serve(queues, at_ps, &mut gate);
        self.tell(at_ps);
    }

    /// Makes ports send PFC frames to their peers as soon as their wires are free.
    #[inline]
    fn tell(&mut self, now_ps: u64) {
        if let Some(buffer) = &mut self.buffer {
            while let Some((port, stops)) = buffer.news() {
                self.ports[usize::from(port)].tell(stops, now_ps);
            }
        }
    }

    /// The next event by `until`, and its time. At equal times, the lowest port with a packet to send acts
    /// first, then the load balancer. The order matters if ports share a buffer or the load balancer acts.
    pub(crate) fn next(&self, until_ps: u64) -> Option<(u64, Next)> {
        let times = self.ports.iter().enumerate().filter(|(_, port)| port.waits());
        let port = times.map(|(at, port)| (port.free_ps, Next::Port(at))).min();
        let own = if B::ACTS { self.balancer.due().map(|at_ps| (at_ps, Next::Own)) } else { None };
        port.into_iter().chain(own).min().filter(|(at_ps, _)| *at_ps <= until_ps)
    }

    /// Time at which the load balancer next acts by itself.
    pub(crate) fn due(&self) -> Option<u64> {
        self.balancer.due()
    }

    /// Makes the load balancer act at the time that `due` returned.
    pub(crate) fn wake(&mut self, now_ps: u64) {
        self.balancer.wake(now_ps);
    }

    /// Performs the actions of the load balancer until it sends a packet of its own into a queue of a port.
    /// The caller repeats the call until the result is `None`.
    #[inline]
    pub(crate) fn act(&mut self, now_ps: u64) -> Option<((usize, u8), Packet)> {
        if !B::ACTS {
            return None;
        }
        loop {
            let act = self.balancer.act()?;
            self.changes(now_ps);
            match act {
                Act::Hold { port, queue } => self.ports[usize::from(port)].hold(queue, true, now_ps),
                Act::Release { port, queue } => self.ports[usize::from(port)].hold(queue, false, now_ps),
                Act::Send { port, queue, packet } => return Some(((port.into(), queue), packet)),
            }
        }
    }

    /// Counts of the packets that the load balancer made.
    pub(crate) fn books(&self) -> Books {
        self.balancer.books()
    }

    /// Adds samples of the reorder queues, until the switch has `count` of them.
    pub(crate) fn fill_samples(&mut self, count: u64) {
        let Self { samples, ports, .. } = self;
        samples.iter_mut().for_each(|samples| samples.fill(count, ports));
    }

    /// The counters of the load balancer.
    pub(crate) fn counters(&self) -> Vec<(&'static str, u64)> {
        self.balancer.counters()
    }

    /// See [`Balancer::resume_errors`].
    pub(crate) fn resume_errors(&self) -> Option<&BTreeMap<i64, u64>> {
        self.balancer.resume_errors()
    }

    /// Maximum number of bytes used in the shared buffer.
    pub(crate) fn peak(&self) -> Option<u64> {
        self.buffer.as_ref().map(|buffer| buffer.peak())
    }

    #[inline]
    fn gate<'a, S: Sink>(&'a mut self, at: usize, out: &'a mut S) -> (&'a mut Port, Gate<'a, B, S>) {
        (
            &mut self.ports[at],
            Gate { balancer: &mut self.balancer, buffer: self.buffer.as_deref_mut(), port: at as u16, out },
        )
    }
}

/// The next event at a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Next {
    /// A port has a packet to send.
    Port(usize),
    /// The load balancer acts by itself.
    Own,
}

/// The gate between a port and the load balancer, for packets that leave.
struct Gate<'a, B, S> {
    balancer: &'a mut B,
    buffer: Option<&'a mut Holders>,
    port: u16,
    out: &'a mut S,
}

impl<B: Balancer, S: Sink> Sink for Gate<'_, B, S> {
    #[inline]
    fn admit(&mut self, packet: &Packet, queue: u8) -> bool {
        self.buffer.as_mut().is_none_or(|buffer| buffer.take(self.port, queue, packet))
    }

    #[inline]
    fn release(&mut self, packet: &Packet, queue: u8) {
        if let Some(buffer) = &mut self.buffer {
            buffer.give(self.port, queue, packet);
        }
    }

    #[inline]
    fn leave(&mut self, packet: &mut Packet, now_ps: u64) {
        if B::LEAVES {
            self.balancer.leave(packet, self.port, now_ps);
        }
    }

    #[inline]
    fn send(&mut self, packet: &Packet, come: Come) {
        self.out.send(packet, come);
    }

    fn lose(&mut self, packet: Packet, cause: Cause) {
        if B::ACTS {
            self.balancer.lose(&packet, self.port);
        }
        self.out.lose(packet, cause);
    }

    #[inline]
    fn tally(&mut self) -> &mut Tally {
        self.out.tally()
    }
}
