//! Running switches and the wires between them.

use super::error::SetupError;
use super::figures::SwitchFigures;
use super::setup::Setup;
use super::timing::SWITCH_CLOCKS;
use super::wire::Wire;
use crate::network::counts::Counts;
use crate::network::flight::Flight;
use crate::network::seam::{Frame, Network};
use crate::nic::bench::address_of;
use weft_fabric::setup::source::Wrong;
use weft_switch::conweave;
use weft_switch::kit::Profile;
use weft_switch::schemes::{Built, Control, Flow, Scheme, Site};
use weft_switch::switch::{Latency, Settings, Switch, View};
use weft_switch::tm::Drops;
use weft_switch::topology::{self, Failed, Host, Node, Topology};

/// Switch clocks from one pass of a recirculated packet to the next (ConWeave section 3.4: a loop of about 1 us).
const LOOP_CLOCKS: u64 = 1_000;

/// A switch at its place.
struct Place<V> {
    switch: Switch<V>,
    control: Box<dyn Control>,
    /// Next clock in which the switch can act.
    next: u64,
    /// Wires out, by port.
    wires: Vec<Wire>,
    /// Counts of the switch at the last call.
    before: Counts,
}

/// The fabric. Clocks are those of switches, except in [`Network`].
pub(super) struct Switched<V> {
    topology: Topology,
    is_conweave: bool,
    places: Vec<Place<V>>,
    /// Wires from hosts to their switches.
    hosts: Vec<Wire>,
    /// Numbers of frames that these wires had lost at the last call.
    lost: Vec<u64>,
    /// Frames between switches: switch, port, frame.
    flying: Flight<(usize, u16, Vec<u8>)>,
    /// Sets of failed links that routing has learned, each from a clock on; the next set is last.
    routing: Vec<(u64, Failed)>,
    /// The next clock in which an event can happen.
    next: u64,
    /// Frames from hosts with a wrong FCS.
    bad: u64,
    /// Reason why the fabric cannot continue: tables of a switch are too small.
    fault: Option<SetupError>,
}

impl<V> Switched<V> {
    /// Site of a switch: the facts that its scheme is built from.
    pub(super) fn site(setup: &Setup, topology: &Topology, switch: topology::Switch, seed: u64) -> Site {
        let address = |host| {
            let conweave::Address(high, low) = address_of(host, false).into();
            [high, low]
        };
        let addresses = (0..topology.hosts()).map(address).collect();
        Site { topology: *topology, switch, addresses, queues: setup.scheme.queues(), seed }
    }

    /// Whether each port of the switch leads to a host.
    pub(super) fn to_host(topology: &Topology, switch: topology::Switch) -> Vec<bool> {
        let to_host = |port| matches!(topology.peer(switch, port), Some((Node::Host(_), _)));
        (0..topology.ports(switch)).map(to_host).collect()
    }
}

impl<V: View> Switched<V> {
    pub(super) fn new(setup: &Setup, seed: u64) -> Result<Self, SetupError> {
        let topology = setup.topology()?;
        let cuts = setup.cuts()?;
        let wire = |link: topology::Link, from: Node, to: Node| {
            let is_host = matches!((from, to), (Node::Host(_), _) | (_, Node::Host(_)));
            let (rate, latency) = setup.links.wire(is_host);
            let cuts = cuts.iter().filter(|cut| cut.0 == link).map(|cut| cut.1.clone()).collect();
            let up = match (from, to) {
                (Node::Switch(a), Node::Switch(b)) => topology.role(a) < topology.role(b),
                _ => false,
            };
            Wire::new(rate, latency, cuts, topology.name(to), up)
        };
        let mut places = Vec::new();
        for node in (0..topology.switches()).map(topology::Switch) {
            let site = Self::site(setup, &topology, node, seed);
            let built = setup.scheme.build(site, Profile::default());
            let Built { program, control } = built.map_err(Wrong::from)?;
            let to_host = Self::to_host(&topology, node);
            let settings = Settings {
                tm: setup.queues(&to_host),
                to_switch: to_host.iter().map(|to_host| !to_host).collect(),
                form: setup.scheme.form(),
                clocks_per_tick: setup.scheme.clocks_per_tick(),
                latency: Latency::default(),
                loop_clocks: LOOP_CLOCKS,
                seed: seed ^ u64::from(node.0) << 32,
            };
            let mut switch = Switch::new(program, settings)
                .map_err(|error| SetupError::Line(format!("[switch]: {error}")))?;
            control.start(switch.pipe_mut());
            let wires = (0..topology.ports(node))
                .filter_map(|port| {
                    Some(wire(topology.link(node, port)?, Node::Switch(node), topology.peer(node, port)?.0))
                })
                .collect();
            places.push(Place { switch, control, next: 0, wires, before: Counts::default() });
        }
        let hosts = (0..topology.hosts())
            .filter_map(|host| {
                let (switch, port) = topology.attachment(Host(host));
                let link = topology.link(switch, port)?;
                Some(wire(link, Node::Host(Host(host)), Node::Switch(switch)))
            })
            .collect();
        let mut routing = setup.convergence(&cuts);
        routing.reverse();
        let mut network = Self {
            topology,
            is_conweave: matches!(setup.scheme, Scheme::Conweave(_)),
            places,
            lost: vec![0; topology.hosts() as usize],
            hosts,
            flying: Flight::new(),
            routing,
            next: 0,
            bad: 0,
            fault: None,
        };
        network.route(&Failed::new())?;
        Ok(network)
    }

    /// Fills all tables for these failed links, as the control plane does.
    fn route(&mut self, failed: &Failed) -> Result<(), SetupError> {
        for Place { switch, control, .. } in &mut self.places {
            let filled = control.fill(switch.pipe_mut(), failed);
            filled.map_err(|full| SetupError::Line(format!("[scheme]: {full}")))?;
        }
        Ok(())
    }

    /// One clock of all switches.
    fn step(&mut self, clock: u64, out: &mut dyn FnMut(u32, Frame)) {
        while let Some((_, failed)) = self.routing.pop_if(|(from, _)| *from <= clock) {
            self.fault = self.route(&failed).err().or(self.fault.take());
        }
        while let Some((at, port, frame)) = self.flying.land(clock) {
            self.places[at].switch.receive(clock, port, frame);
            self.places[at].next = clock;
        }
        let Self { topology, places, flying, .. } = self;
        for (place, node) in places.iter_mut().zip((0..).map(topology::Switch)) {
            if place.next > clock {
                continue;
            }
            let Place { switch, next, wires, .. } = place;
            switch.clock(clock, &mut |port, frame| {
                let sent = wires.get_mut(usize::from(port)).and_then(|wire| wire.send(clock, frame.len()));
                match (sent, topology.peer(node, port)) {
                    (Some(end), Some((Node::Switch(to), its))) => {
                        flying.launch(end, (to.0 as usize, its, frame));
                    }
                    (Some(_), Some((Node::Host(host), _))) => out(host.0, Frame { bytes: frame, bad: false }),
                    _ => {}
                }
            });
            *next = switch.next(clock + 1).unwrap_or(u64::MAX);
        }
        let first = |it: Option<u64>| it.unwrap_or(u64::MAX);
        self.next = first(self.places.iter().map(|place| place.next).min())
            .min(first(self.flying.next()))
            .min(first(self.routing.last().map(|(at, _)| *at)));
    }

    /// Counts of a switch.
    fn counts(place: &Place<V>) -> Counts {
        let queues = place.switch.tm().counters();
        Counts {
            packets: place.switch.counters().sent,
            marks: queues.marked,
            trims: queues.trimmed,
            drops: queues.dropped.total(),
            dead: place.wires.iter().map(|wire| wire.figures.lost).sum(),
        }
    }

    /// Counters in registers of a switch's program.
    fn counters(&self, place: &Place<V>) -> Vec<(String, u64)> {
        let counters = self.is_conweave.then(|| conweave::counters(place.switch.pipe()));
        counters.into_iter().flatten().map(|(name, count)| (name.to_owned(), count)).collect()
    }

    pub(super) fn figures(&self) -> Vec<SwitchFigures> {
        let figures = |(place, node): (&Place<V>, topology::Switch)| {
            let (tm, queues) = (place.switch.tm(), place.switch.tm().counters());
            let drops = Drops::CAUSES.map(|cause| (cause, queues.dropped.of(cause)));
            SwitchFigures {
                name: self.topology.name(Node::Switch(node)),
                drops: drops.into_iter().filter(|(_, count)| *count > 0).collect(),
                marks: queues.marked,
                trims: queues.trimmed,
                pauses: [queues.pauses_sent, queues.pauses_received],
                buffer_peak_bytes: tm.shared_bytes().1,
                program: *place.switch.counters(),
                scheme: self.counters(place),
                wires: place.wires.iter().map(|wire| wire.figures.clone()).collect(),
            }
        };
        self.places.iter().zip((0..).map(topology::Switch)).map(figures).collect()
    }
}

impl<V: View> Network<Frame> for Switched<V> {
    fn connect(&mut self, flows: &[(u32, u32, u16)]) {
        let flow =
            |&(from, to, port): &(u32, u32, u16)| Flow { source: Host(from), destination: Host(to), port };
        let flows: Vec<Flow> = flows.iter().map(flow).collect();
        for Place { switch, control, .. } in &mut self.places {
            // A connection without space in the tables uses another path, and the program counts its packets.
            if let Err(full) = control.connect(switch.pipe_mut(), &flows, &Failed::new()) {
                self.fault = Some(SetupError::Line(format!("[scheme]: {full}")));
            }
        }
    }

    fn send(&mut self, clock: u64, from: u32, frame: Frame) {
        // The switch clocks of this NIC clock have passed.
        let clock = (clock + 1) * SWITCH_CLOCKS;
        let arrives =
            self.hosts.get_mut(from as usize).is_some_and(|wire| wire.arrive(clock, frame.bytes.len()));
        if !arrives {
            return;
        }
        if frame.bad {
            self.bad += 1;
            return;
        }
        let (node, port) = self.topology.attachment(Host(from));
        let place = &mut self.places[node.0 as usize];
        place.switch.receive(clock, port, frame.bytes);
        place.next = clock;
        self.next = self.next.min(clock);
    }

    fn poll(&mut self, clock: u64, out: &mut dyn FnMut(u32, Frame)) {
        let clocks = clock * SWITCH_CLOCKS..(clock + 1) * SWITCH_CLOCKS;
        while self.next < clocks.end {
            self.step(self.next.max(clocks.start), out);
        }
    }

    fn harvest(&mut self) -> (Vec<Counts>, Vec<Counts>) {
        let fresh = |place: &mut Place<V>| {
            let now = Self::counts(place);
            let before = std::mem::replace(&mut place.before, now);
            Counts {
                packets: now.packets - before.packets,
                marks: now.marks - before.marks,
                trims: now.trims - before.trims,
                drops: now.drops - before.drops,
                dead: now.dead - before.dead,
            }
        };
        let switches = self.places.iter_mut().map(fresh).collect();
        // Frames that a cut has removed from hosts' wires.
        let hosts = self.hosts.iter().zip(&mut self.lost).map(|(wire, before)| {
            let lost = wire.figures.lost;
            Counts { dead: lost - std::mem::replace(before, lost), ..Counts::default() }
        });
        (switches, hosts.collect())
    }

    fn strays(&self) -> u64 {
        self.bad
    }

    fn fault(&mut self) -> Option<String> {
        self.fault.take().map(|error| error.to_string())
    }

    fn is_empty(&self) -> bool {
        self.flying.is_empty() && self.places.iter().all(|place| place.switch.is_empty())
    }
}
