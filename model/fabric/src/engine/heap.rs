//! The engine with a heap of all events: slow, and simple enough to check by eye. The oracle of
//! [`super::windows`].

use super::{Drops, Gone, Losses, Outcome, World};
use crate::balance::{Balancer, Course};
use crate::host::{Endpoint, NEVER};
use crate::packet::{PAUSE, Packet};
use crate::port::{Cause, Come, Sink};
use crate::tally::{Counts, Tally};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The events, in the order within one time: ports become free, load balancers and hosts act by themselves,
/// packets arrive in the order of their ports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// A port of a switch is free.
    Free { node: u32, port: u32 },
    /// The load balancer of a switch has work to do.
    Own(u32),
    /// A host has work to do.
    Host(u32),
    /// A packet arrives at a node.
    Come { ingress: u8, node: u32, at: usize },
}

#[derive(Default)]
struct Out {
    sent: Vec<Packet>,
    lost: Vec<(Packet, Cause)>,
    tally: Tally,
}

impl Sink for Out {
    fn send(&mut self, packet: &Packet, Come { time_ps, ingress }: Come) {
        self.sent.push(Packet { time_ps, ingress, ..*packet });
    }

    fn lose(&mut self, packet: Packet, cause: Cause) {
        self.lost.push((packet, cause));
    }

    fn tally(&mut self) -> &mut Tally {
        &mut self.tally
    }
}

/// Packets on links, by index.
#[derive(Default)]
struct Arena {
    packets: Vec<Packet>,
    free: Vec<usize>,
}

impl Arena {
    fn put(&mut self, packet: Packet) -> usize {
        match self.free.pop() {
            Some(at) => {
                self.packets[at] = packet;
                at
            }
            None => {
                self.packets.push(packet);
                self.packets.len() - 1
            }
        }
    }

    fn take(&mut self, at: usize) -> Packet {
        self.free.push(at);
        self.packets[at]
    }

    fn len(&self) -> usize {
        self.packets.len() - self.free.len()
    }
}

struct Heap<B, H: Endpoint> {
    world: World<B, H>,
    events: BinaryHeap<Reverse<(u64, What)>>,
    arena: Arena,
    desk: H::Desk,
    losses: Losses,
    drops: Drops,
    out: Out,
    /// Time of the event of each node that counts; the heap may have further events of the node, which are ignored.
    armed: Vec<u64>,
}

/// Runs a world to its end, or to `until_ps`.
pub fn run<B: Balancer, H: Endpoint>(world: World<B, H>, until_ps: u64) -> Outcome<H> {
    let window = world.window_ps();
    let mut routing = world.routing.clone().into_iter().peekable();
    let (mut desk, every_ps) = (H::Desk::default(), world.every_ps);
    desk.seen().into_iter().for_each(|seen| seen.every_ps = every_ps);
    let armed = vec![NEVER; world.network.nodes() as usize];
    let mut heap = Heap {
        world,
        events: BinaryHeap::new(),
        arena: Arena::default(),
        desk,
        losses: Losses::default(),
        drops: Drops::default(),
        out: Out::default(),
        armed,
    };
    (0..heap.world.stations.len() as u32).for_each(|host| heap.arm(host));
    let mut end = 0;
    while let Some(Reverse((now, what))) = heap.events.pop() {
        if now >= until_ps {
            heap.events.push(Reverse((now, what)));
            break;
        }
        end = now;
        while let Some(learned) = routing.next_if(|it| it.at_ps.next_multiple_of(window) <= now) {
            let World { network, nodes, .. } = &mut heap.world;
            let nodes = nodes.iter_mut().filter(|node| learned.is_for(node.switch));
            nodes.for_each(|node| node.learn(network, &learned.failed));
        }
        match what {
            What::Free { node, port } => heap.free(node, port, now),
            What::Own(node) if heap.armed[node as usize] != now => {}
            What::Own(node) => {
                heap.armed[node as usize] = NEVER;
                heap.own(node, now);
            }
            What::Host(host) if heap.armed[host as usize] != now => {}
            What::Host(host) => {
                heap.armed[host as usize] = NEVER;
                heap.host(host, None, now);
            }
            What::Come { node, at, .. } => {
                let packet = heap.arena.take(at);
                if node < heap.world.stations.len() as u32 {
                    heap.host(node, Some(packet), now);
                } else {
                    heap.switch(node, packet);
                }
            }
        }
    }
    let Heap { world, arena, losses, drops, mut desk, out, .. } = heap;
    let seen = desk.seen().cloned().unwrap_or_default();
    world.end(Gone { losses, drops, tally: out.tally, seen }, arena.len() as u64, end)
}

impl<B: Balancer, H: Endpoint> Heap<B, H> {
    /// Delivers packets that a port sent.
    fn flush(&mut self, link: u32) {
        let to = self.world.wiring.links[link as usize].to;
        for packet in self.out.sent.drain(..) {
            let (time, ingress) = (packet.time_ps, packet.ingress);
            let at = self.arena.put(packet);
            self.events.push(Reverse((time, What::Come { ingress, node: to, at })));
        }
        for (packet, cause) in self.out.lost.drain(..) {
            self.losses.count(cause, &packet);
            if packet.is_of_hosts() {
                self.drops.take::<H>(&mut self.desk, &packet);
            }
        }
    }

    /// Schedules the next own action of a host.
    fn arm(&mut self, host: u32) {
        let next = self.world.stations[host as usize].next();
        // The host sets a later alarm when the alarm under way has gone off.
        if next < self.armed[host as usize] {
            self.armed[host as usize] = next;
            self.events.push(Reverse((next, What::Host(host))));
        }
    }

    fn host(&mut self, host: u32, packet: Option<Packet>, now: u64) {
        let station = &mut self.world.stations[host as usize];
        if let Some(packet) = packet {
            station.arrive(&mut self.desk, &packet, &mut self.out);
        }
        station.advance(&mut self.desk, now, &mut self.out);
        let signals = std::mem::take(station.host.signals());
        self.flush(host);
        self.arm(host);
        for signal in signals {
            self.world.stations[signal.host as usize].host.signal(signal);
            self.arm(signal.host);
        }
    }

    fn switch(&mut self, number: u32, mut packet: Packet) {
        let index = (number as usize) - self.world.stations.len();
        let node = &mut self.world.nodes[index];
        if packet.flags & PAUSE != 0 {
            node.ports[usize::from(packet.ingress)].pause(&packet);
            self.arm_ports(index, packet.ingress.into(), packet.time_ps);
            return;
        }
        node.look(packet.time_ps);
        let course = node.take(&mut packet);
        self.act(index, packet.time_ps);
        match course {
            Course::Out(port, queue) => {
                self.come((index, port.into(), queue), packet);
                self.act(index, packet.time_ps);
            }
            Course::Ends => {}
            Course::Nowhere => {
                self.losses.count(Cause::NoWay, &packet);
                if packet.is_of_hosts() {
                    self.drops.take::<H>(&mut self.desk, &packet);
                }
            }
        }
    }

    /// Handles a packet that arrives at a queue of a port.
    fn come(&mut self, (index, port, queue): (usize, usize, u8), mut packet: Packet) {
        let node = &mut self.world.nodes[index];
        node.arrive((port, queue), &self.world.network, &mut packet, &mut self.out);
        let link = node.first + port as u32;
        self.arm_ports(index, port, packet.time_ps);
        self.flush(link);
    }

    /// Makes a load balancer act by itself.
    fn own(&mut self, number: u32, now: u64) {
        let index = number as usize - self.world.stations.len();
        self.world.nodes[index].wake(now);
        self.act(index, now);
    }

    /// Carries out an action of a load balancer.
    fn act(&mut self, index: usize, now: u64) {
        if !B::ACTS {
            return;
        }
        while let Some(((port, queue), packet)) = self.world.nodes[index].act(now) {
            // A packet that leaves goes before a packet that arrives; the event of the departure then finds
            // the port busy.
            if self.world.nodes[index].ports[port].is_due(now) {
                self.serve(index, port, now);
            }
            self.come((index, port, queue), packet);
        }
        // A queue may have been released.
        (0..self.world.nodes[index].ports.len()).for_each(|at| self.arm_port(index, at, now));
        let node = number(self.world.stations.len(), index);
        if let Some(due) = self.world.nodes[index].due().filter(|due| *due < self.armed[node as usize]) {
            self.armed[node as usize] = due;
            self.events.push(Reverse((due, What::Own(node))));
        }
    }

    /// Sets the event of a port that has changed; where ports share a buffer, the change may concern further
    /// ports.
    fn arm_ports(&mut self, index: usize, port: usize, now: u64) {
        match self.world.network.buffer {
            Some(_) => (0..self.world.nodes[index].ports.len()).for_each(|at| self.arm_port(index, at, now)),
            None => self.arm_port(index, port, now),
        }
    }

    fn arm_port(&mut self, index: usize, port: usize, now: u64) {
        let node = number(self.world.stations.len(), index);
        let it = &mut self.world.nodes[index].ports[port];
        if !it.is_armed && it.waits() {
            it.is_armed = true;
            self.events.push(Reverse((it.free_ps.max(now), What::Free { node, port: port as u32 })));
        }
    }

    fn free(&mut self, number: u32, port: u32, now: u64) {
        let index = number as usize - self.world.stations.len();
        let it = &mut self.world.nodes[index].ports[port as usize];
        it.is_armed = false;
        if it.is_due(now) {
            self.serve(index, port as usize, now);
        }
        self.arm_ports(index, port as usize, now);
        self.act(index, now);
    }

    /// Makes a port send its next packets.
    fn serve(&mut self, index: usize, port: usize, now: u64) {
        let node = &mut self.world.nodes[index];
        node.serve(port, &self.world.network.queues, now, &mut self.out);
        let link = node.first + port as u32;
        self.flush(link);
    }
}

fn number(hosts: usize, index: usize) -> u32 {
    (hosts + index) as u32
}
