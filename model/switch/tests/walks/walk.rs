//! A network of pipes, through which packets are walked one at a time.

use std::collections::BTreeMap;
use std::sync::Arc;
use weft_random::Rng;
use weft_switch::kit::intrinsic::*;
use weft_switch::kit::{Gress, Phv, Pipe, Profile};
use weft_switch::schemes::{Control, Queues, Scheme, Site};
use weft_switch::topology::{Failed, Host, Node, Switch, Topology};

/// A packet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sent {
    pub(crate) src: u32,
    pub(crate) dst: u32,
    pub(crate) sport: u64,
    pub(crate) length: u64,
}

impl Sent {
    pub(crate) fn data(src: u32, dst: u32) -> Self {
        Self { src, dst, sport: 0xC000, length: 4158 }
    }
}

/// The end of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Host(u32),
    Dropped,
    /// Sent into a failed link.
    Lost,
}

/// The switches that a packet passed, each with the port through which the packet left.
pub(crate) type Path = Vec<(Switch, u16)>;

#[derive(Clone)]
pub(crate) struct Network {
    pub(crate) topology: Topology,
    pub(crate) pipes: Vec<Pipe>,
    controls: Arc<[Box<dyn Control>]>,
    /// Links that are down, whether or not the control planes have learned so.
    pub(crate) failed: Failed,
    pub(crate) clock: u64,
    /// Packets that left by each port.
    pub(crate) loads: BTreeMap<(Switch, u16), u32>,
}

pub(crate) fn address(host: u32) -> [u64; 2] {
    [0xFD00 << 48, u64::from(host) << 8 | 7]
}

impl Network {
    pub(crate) fn new(topology: Topology, scheme: &Scheme, seed: u64) -> Self {
        let addresses: Arc<[[u64; 2]]> = (0..topology.hosts()).map(address).collect();
        let site = |switch| Site {
            topology,
            switch: Switch(switch),
            addresses: Arc::clone(&addresses),
            queues: Queues::default(),
            seed,
        };
        let built: Vec<_> = (0..topology.switches())
            .map(|switch| scheme.build(site(switch), Profile::default()).expect("fits"))
            .collect();
        let seeds = (0..).map(|at| seed << 16 | at);
        let pipes = built.iter().zip(seeds).map(|(built, seed)| built.pipe(1, seed).expect("fits")).collect();
        let controls = built.into_iter().map(|built| built.control).collect();
        Self { topology, pipes, controls, failed: Failed::new(), clock: 0, loads: BTreeMap::new() }
    }

    /// Control planes learn of all links that are down.
    pub(crate) fn converge(&mut self) {
        for (control, pipe) in self.controls.iter().zip(&mut self.pipes) {
            control.fill(pipe, &self.failed).expect("fits");
        }
    }

    pub(crate) fn phv(&self, switch: Switch, sent: Sent) -> Phv {
        let mut phv = self.pipes[switch.0 as usize].phv();
        (phv[IS_IP], phv[IS_V6], phv[CLOCK], phv[LENGTH]) = (1, 1, self.clock, sent.length);
        [phv[SRC_HIGH], phv[SRC]] = address(sent.src);
        [phv[DST_HIGH], phv[DST]] = address(sent.dst);
        (phv[SPORT], phv[DPORT]) = (sent.sport, 4791);
        phv
    }

    /// The decision of a switch; `None`: the switch drops the packet.
    pub(crate) fn decide(&mut self, switch: Switch, sent: Sent, load: &[u32]) -> Option<u16> {
        let mut phv = self.phv(switch, sent);
        self.pipes[switch.0 as usize].run(Gress::Ingress, &mut phv, load);
        (phv[DROP] == 0).then_some(phv[PORT_OUT] as u16)
    }

    /// Walks a packet; `load` gives the bytes that wait at the ports of a switch.
    pub(crate) fn walk(&mut self, sent: Sent, mut load: impl FnMut(Switch) -> Vec<u32>) -> (Path, End) {
        let mut at = self.topology.attachment(Host(sent.src)).0;
        let mut path = Path::new();
        loop {
            let Some(port) = self.decide(at, sent, &load(at)) else { return (path, End::Dropped) };
            path.push((at, port));
            assert!(path.len() <= 5, "a loop: {path:?}");
            *self.loads.entry((at, port)).or_default() += 1;
            if self.topology.link(at, port).is_none_or(|link| self.failed.contains(&link)) {
                return (path, End::Lost);
            }
            match self.topology.peer(at, port) {
                Some((Node::Host(host), _)) => return (path, End::Host(host.0)),
                Some((Node::Switch(next), _)) => at = next,
                None => return (path, End::Lost),
            }
        }
    }

    /// Walks a packet through empty queues.
    pub(crate) fn send(&mut self, sent: Sent) -> (Path, End) {
        self.walk(sent, |_| Vec::new())
    }

    pub(crate) fn node(&self, name: &str) -> Node {
        self.topology.node(name).expect("a name")
    }

    /// Cuts a link between two neighbours.
    pub(crate) fn cut(&mut self, a: &str, b: &str) {
        let link = self.topology.between(self.node(a), self.node(b)).expect("neighbours");
        self.failed.insert(link);
    }

    pub(crate) fn edge_of(&self, host: u32) -> u32 {
        self.topology.attachment(Host(host)).0.0
    }

    pub(crate) fn pod_of(&self, host: u32) -> u32 {
        self.topology.pod_of_edge(self.edge_of(host))
    }
}

/// A random permutation in which every host sends into another pod.
pub(crate) fn inter_pod(network: &Network, rng: &mut Rng) -> Vec<u32> {
    let mut to: Vec<u32> = (0..network.topology.hosts()).collect();
    rng.shuffle(&mut to);
    loop {
        let wrong = (0..to.len()).find(|src| network.pod_of(*src as u32) == network.pod_of(to[*src]));
        let Some(src) = wrong else { return to };
        let other = rng.index(to.len());
        to.swap(src, other);
    }
}
