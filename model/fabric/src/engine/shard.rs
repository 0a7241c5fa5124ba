//! The part of a run in one thread: its nodes, and the links that lead to them.

use super::links::{Links, Window};
use super::mail::{Exchange, Mail, State};
use super::order::{self, Sorter};
use super::{Drops, Gone, Learned, Outcome, World};
use crate::balance::{Balancer, Course};
use crate::host::{Endpoint, NEVER, Signal, Station};
use crate::network::{Network, Wiring};
use crate::node::{Next, Node};
use crate::packet::{PAUSE, Packet};
use crate::port::{Cause, Come, Port};
use crate::tally::Counts;
use std::sync::Arc;

/// The hosts of a thread with their numbers, and its switches.
pub(super) struct Parts<B, H> {
    pub(super) stations: Vec<(u32, Station<H>)>,
    pub(super) nodes: Vec<Node<B>>,
}

impl<B, H> Default for Parts<B, H> {
    fn default() -> Self {
        Self { stations: Vec::new(), nodes: Vec::new() }
    }
}

/// The state of a thread at the end of a run.
pub(super) struct End<B, H> {
    pub(super) parts: Parts<B, H>,
    gone: Gone,
    on_links: u64,
    end_ps: u64,
}

/// The nodes of a thread, with the ports of their links.
pub(super) struct Shard<B, H: Endpoint> {
    number: usize,
    network: Arc<Network>,
    wiring: Arc<Wiring>,
    owner: Arc<[u16]>,
    /// Hosts with their numbers.
    stations: Vec<(u32, Station<H>)>,
    /// The link to each host.
    ins: Vec<u32>,
    nodes: Vec<Node<B>>,
    links: Links,
    drops: Drops,
    desk: H::Desk,
    /// Keys by port, or in one list; buffers of the node at work.
    bins: Vec<Vec<u64>>,
    sorter: Sorter,
    incoming: Vec<Vec<Packet>>,
    signals: Vec<Signal>,
    finished: u64,
}

impl<B: Balancer, H: Endpoint> Shard<B, H> {
    pub(super) fn new(
        number: usize,
        (network, wiring): (Arc<Network>, Arc<Wiring>),
        owner: Arc<[u16]>,
        (longest_ps, every_ps): (u64, u64),
        Parts { stations, nodes }: Parts<B, H>,
    ) -> Self {
        let mut desk = H::Desk::default();
        desk.seen().into_iter().for_each(|seen| seen.every_ps = every_ps);
        let ends = wiring.links.iter().map(|link| (owner[link.to as usize], link.delay_ps));
        let window = wiring.delays_ps().0;
        let most = nodes.iter().map(|node| node.ports.len()).max().unwrap_or(0);
        Self {
            number,
            ins: stations.iter().map(|(number, _)| wiring.ins[*number as usize][0]).collect(),
            stations,
            nodes,
            links: Links::new(ends, number as u16, longest_ps, window),
            network,
            wiring,
            owner,
            drops: Drops::default(),
            desk,
            bins: vec![Vec::new(); most.max(1)],
            sorter: Sorter::default(),
            incoming: Vec::new(),
            signals: Vec::new(),
            finished: 0,
        }
    }

    /// Routing of the switches in this part learns of failures.
    pub(super) fn learn(&mut self, learned: &Learned) {
        let nodes = self.nodes.iter_mut().filter(|node| learned.is_for(node.switch));
        nodes.for_each(|node| node.learn(&self.network, &learned.failed));
    }

    /// A host of this thread.
    pub(super) fn host_mut(&mut self, number: u32) -> &mut H {
        let at = self.stations.partition_point(|(host, _)| *host < number);
        &mut self.stations[at].1.host
    }

    /// The hosts of this thread.
    pub(super) fn hosts_mut(&mut self) -> impl Iterator<Item = &mut H> {
        self.stations.iter_mut().map(|(_, station)| &mut station.host)
    }

    /// A window of all nodes.
    pub(super) fn run(&mut self, window: Window) {
        for at in 0..self.stations.len() {
            self.fetch_for_host(at, window);
            self.host(at, window);
        }
        for at in 0..self.nodes.len() {
            self.fetch_for_node(at, window);
            if B::ORDERED || self.network.buffer.is_some() {
                self.ordered(at, window);
            } else {
                self.by_port(at, window);
            }
        }
        self.links.turn();
        for packet in self.links.lost.drain(..).filter(Packet::is_of_hosts) {
            self.drops.take::<H>(&mut self.desk, &packet);
        }
    }

    /// Prefetches memory for the four hosts after this one. For the fourth host: its boxes. For the third:
    /// its packets. For the second: the contents of its packets, and the host itself. For the first: the
    /// memory to which these point. So all memory of a host is in the cache when the host runs.
    fn fetch_for_host(&self, at: usize, window: Window) {
        let link = |at: usize| self.ins.get(at).copied();
        link(at + 4).into_iter().for_each(|link| self.links.fetch_box(link, window));
        link(at + 3).into_iter().for_each(|link| self.links.fetch_packets(link, window));
        if let (Some(link), Some((_, after))) = (link(at + 2), self.stations.get(at + 2)) {
            after.fetch();
            after.host.fetch(&self.desk, self.links.packets(link, window));
        }
        if let (Some(link), Some((number, next))) = (link(at + 1), self.stations.get(at + 1)) {
            next.host.fetch_behind(&self.desk, self.links.packets(link, window));
            self.links.fetch_next(*number..*number + 1, window);
        }
    }

    /// Prefetches memory for the two switches after this one. For the second switch: its buffers. For the
    /// first: its packets, its ports, and the buffers that it fills.
    fn fetch_for_node(&self, at: usize, window: Window) {
        let links = |at: usize| {
            let node = self.nodes.get(at).map(|node| self.network.node(node.switch));
            node.into_iter().flat_map(|node| &self.wiring.ins[node as usize])
        };
        links(at + 2).for_each(|link| self.links.fetch_box(*link, window));
        links(at + 1).for_each(|link| self.links.fetch_packets(*link, window));
        if let Some(next) = self.nodes.get(at + 1) {
            next.fetch();
            self.links.fetch_next(next.links(), window);
        }
    }

    fn host(&mut self, at: usize, window: Window) {
        let Self { stations, ins, links, desk, .. } = self;
        let (number, station) = &mut stations[at];
        let before = station.host.finished();
        let packets = links.take(ins[at], window);
        links.resume(*number..*number + 1, window);
        let mut feed = links.feed(*number, window);
        for packet in &packets {
            station.arrive(desk, packet, &mut feed);
        }
        station.advance(desk, window.last_ps(), &mut feed);
        links.recycle(packets);
        self.finished += u64::from(station.host.finished() - before);
        self.signals.append(station.host.signals());
    }

    /// Collects the packets that arrive at a node in a window.
    fn collect(&mut self, at: usize, window: Window) {
        let node = self.network.node(self.nodes[at].switch) as usize;
        let Self { nodes, links, incoming, wiring, .. } = self;
        links.resume(nodes[at].links(), window);
        incoming.extend(wiring.ins[node].iter().map(|link| links.take(*link, window)));
        let fits = incoming.iter().all(|packets| packets.len() < order::MOST);
        assert!(fits, "a link brings more packets in a window than keys have room for");
    }

    fn give_back(&mut self) {
        self.incoming.drain(..).for_each(|buffer| self.links.recycle(buffer));
    }

    /// A switch with independent ports: port after port.
    fn by_port(&mut self, at: usize, window: Window) {
        self.collect(at, window);
        let Self { nodes, links, bins, incoming, network, .. } = self;
        let (node, base) = (&mut nodes[at], window.start_ps());
        for (link, packets) in incoming.iter_mut().enumerate() {
            for (place, packet) in packets.iter_mut().enumerate() {
                match node.choose(packet) {
                    Some(port) => bins[port].push(order::key(packet.time_ps - base, link, place)),
                    None => {
                        links.lose(*packet, Cause::NoWay);
                    }
                }
            }
        }
        for (at, bin) in bins.iter_mut().enumerate().take(node.ports.len()) {
            let number = node.first + at as u32;
            if let Some(next) = node.ports.get(at + 1) {
                next.fetch_queues();
            }
            let mut feed = links.feed(number, window);
            order::sort(bin);
            for key in bin.drain(..) {
                let (link, place) = order::place(key);
                let packet = &mut incoming[link][place];
                node.catch_up(at, &network.queues, packet.time_ps, &mut feed);
                node.arrive((at, 0), network, packet, &mut feed);
            }
            node.catch_up(at, &network.queues, window.last_ps(), &mut feed);
        }
        self.give_back();
    }

    /// Runs a switch whose packets must be handled in the order of time.
    fn ordered(&mut self, at: usize, window: Window) {
        self.collect(at, window);
        let Self { nodes, links, bins, incoming, network, sorter, .. } = self;
        let (node, base, keys) = (&mut nodes[at], window.start_ps(), &mut bins[0]);
        for (link, packets) in incoming.iter().enumerate() {
            let key = |(place, packet): (usize, &Packet)| order::key(packet.time_ps - base, link, place);
            keys.extend(packets.iter().enumerate().map(key));
        }
        sorter.sort(keys, window.length_ps);
        let (first, shares) = (node.first, B::ACTS || network.buffer.is_some());
        node.ports.iter().for_each(Port::fetch_queues);
        for key in keys.drain(..) {
            let (link, place) = order::place(key);
            let mut packet = incoming[link][place];
            if shares {
                share(node, network, links, (window, packet.time_ps));
                if packet.flags & PAUSE != 0 {
                    node.ports[usize::from(packet.ingress)].pause(&packet);
                    continue;
                }
                node.look(packet.time_ps);
            } else {
                while let Some(at) = node.behind(packet.time_ps) {
                    catch_up(node, network, links, (window, packet.time_ps), at);
                    node.note(at, packet.time_ps);
                }
            }
            let course = node.take(&mut packet);
            act(node, network, links, (window, packet.time_ps));
            let (at, queue) = match course {
                Course::Out(port, queue) => (usize::from(port), queue),
                Course::Ends => continue,
                Course::Nowhere => {
                    links.lose(packet, Cause::NoWay);
                    continue;
                }
            };
            if !shares {
                catch_up(node, network, links, (window, packet.time_ps), at);
            }
            let mut feed = links.feed(first + at as u32, window);
            node.arrive((at, queue), network, &mut packet, &mut feed);
            act(node, network, links, (window, packet.time_ps));
        }
        if shares {
            share(node, network, links, (window, window.last_ps()));
        }
        for at in 0..node.ports.len() {
            catch_up(node, network, links, (window, window.last_ps()), at);
        }
        self.give_back();
    }

    /// Gives packets to the threads of their destinations.
    pub(super) fn hand_over(&mut self, post: &dyn Exchange<H::Body>, round: u64) {
        let Self { number, links, desk, .. } = self;
        for (to, away) in links.away.iter_mut().enumerate().filter(|(_, away)| !away.is_empty()) {
            let with_body = |(link, packet): (u32, Packet)| {
                let body = packet.is_of_hosts().then(|| H::take(desk, packet.word));
                (link, packet, body)
            };
            post.mail(round, *number, to).packets.extend(away.drain(..).map(with_body));
        }
        for signal in self.signals.drain(..) {
            let to = usize::from(self.owner[signal.host as usize]);
            post.mail(round, self.number, to).signals.push(signal);
        }
    }

    /// Accepts the packets from other parts in the round of `window`, which is over.
    pub(super) fn receive(&mut self, post: &dyn Exchange<H::Body>, round: u64, window: Window, parts: usize) {
        for from in 0..parts {
            // The other thread already writes into the other side.
            let mut mail = post.mail(round, from, self.number);
            let Mail { packets, signals } = &mut *mail;
            for (link, mut packet, body) in packets.drain(..) {
                packet.word = body.map_or(packet.word, |body| H::put(&mut self.desk, body));
                let come = Come { time_ps: packet.time_ps, ingress: packet.ingress };
                self.links.put(link, (window, window.end_ps()), &packet, come);
            }
            for signal in signals.drain(..) {
                self.host_mut(signal.host).signal(signal);
            }
        }
    }

    /// The state of the thread before the exchange of packets. `stops`: the thread requests the end of the
    /// run.
    pub(super) fn state(&self, stops: bool) -> State {
        let sent: u64 = self.stations.iter().map(|(_, it)| it.sent).sum();
        let received: u64 = self.stations.iter().map(|(_, it)| it.received).sum();
        let gone = received + self.links.losses.all();
        let (sent, gone) = if self.network.buffer.is_some() {
            let stations = self.stations.iter().map(|(_, it)| &it.port);
            let ports = stations.chain(self.nodes.iter().flat_map(|node| &node.ports));
            ports.fold((sent, gone), |(sent, gone), port| (sent + port.pauses[0], gone + port.pauses[1]))
        } else {
            (sent, gone)
        };
        let heard = self.signals.iter().map(|signal| signal.time_ps);
        let (sent, gone) = match B::ACTS {
            true => self
                .nodes
                .iter()
                .map(Node::books)
                .fold((sent, gone), |(sent, gone), books| (sent + books.made, gone + books.ended)),
            false => (sent, gone),
        };
        let next = self.stations.iter().map(|(_, it)| it.next()).chain(heard).min().unwrap_or(NEVER);
        State { finished: self.finished, held: sent.wrapping_sub(gone), stops, next_ps: next }
    }

    /// The state of the thread at the end of the run, which is at `end_ps`.
    pub(super) fn end(self, end_ps: u64) -> End<B, H> {
        let Self { stations, nodes, links, drops, mut desk, .. } = self;
        let (on_links, seen) = (links.held(), desk.seen().cloned().unwrap_or_default());
        let gone = Gone { losses: links.losses, drops, tally: links.tally, seen };
        End { parts: Parts { stations, nodes }, gone, on_links, end_ps }
    }
}

/// Makes a port of a switch catch up to a time. Few such ports have work, hence callers have only this test
/// inline.
#[inline(always)]
fn catch_up<B: Balancer>(
    node: &mut Node<B>,
    network: &Network,
    links: &mut Links,
    when: (Window, u64),
    at: usize,
) {
    if node.ports[at].is_due(when.1) {
        serve(node, network, links, when, at);
    }
}

/// Makes a port with work catch up.
#[inline(never)]
fn serve<B: Balancer>(
    node: &mut Node<B>,
    network: &Network,
    links: &mut Links,
    (window, until_ps): (Window, u64),
    at: usize,
) {
    let mut feed = links.feed(node.first + at as u32, window);
    node.catch_up(at, &network.queues, until_ps, &mut feed);
}

/// Carries out the actions of a load balancer that are due by `now_ps`.
#[inline]
fn act<B: Balancer>(
    node: &mut Node<B>,
    network: &Network,
    links: &mut Links,
    (window, now_ps): (Window, u64),
) {
    while let Some(((at, queue), mut packet)) = node.act(now_ps) {
        let mut feed = links.feed(node.first + at as u32, window);
        if node.ports[at].is_due(now_ps) {
            node.serve(at, &network.queues, now_ps, &mut feed);
        }
        node.arrive((at, queue), network, &mut packet, &mut feed);
    }
}

/// The events of a switch up to a time, in the order of time: where ports share a buffer, or the load
/// balancer acts.
fn share<B: Balancer>(
    node: &mut Node<B>,
    network: &Network,
    links: &mut Links,
    (window, until_ps): (Window, u64),
) {
    while let Some((at_ps, next)) = node.next(until_ps) {
        match next {
            Next::Port(at) => {
                let mut feed = links.feed(node.first + at as u32, window);
                node.serve(at, &network.queues, at_ps, &mut feed);
            }
            Next::Own => node.wake(at_ps),
        }
        act(node, network, links, (window, at_ps));
    }
}

/// Joins the parts of all threads to one world.
pub(super) fn join<B: Balancer, H: Endpoint>(mut world: World<B, H>, ends: Vec<End<B, H>>) -> Outcome<H> {
    let (mut all, mut held, mut stations, mut last) = (Gone::default(), 0, Vec::new(), 0);
    for End { parts, gone, on_links, end_ps } in ends {
        all.add(&gone);
        held += on_links;
        stations.extend(parts.stations);
        world.nodes.extend(parts.nodes);
        last = last.max(end_ps);
    }
    stations.sort_unstable_by_key(|(number, _)| *number);
    world.stations = stations.into_iter().map(|(_, station)| station).collect();
    world.nodes.sort_unstable_by_key(|node| node.switch);
    world.end(all, held, last)
}
