//! A switch as the engines see it.

use crate::balance::{Balancer, Place, Up};
use crate::network::{Network, Wiring};
use crate::packet::Packet;
use crate::port::Port;
use crate::route::{Router, Way};
use std::ops::Range;
use weft_switch::topology::{Failed, Switch};

/// A switch: ways, load balancer, ports.
#[derive(Clone, Debug)]
pub(crate) struct Node<B> {
    pub(crate) switch: Switch,
    router: Router,
    balancer: B,
    /// Number of its first port in the network.
    pub(crate) first: u32,
    pub(crate) ports: Vec<Port>,
    up: Range<usize>,
    loads: Vec<u32>,
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
        let count = network.topology.ports(switch);
        let numbers = first..first + u32::from(count);
        let ports = numbers.map(|at| Port::new(network, at, &wiring.links[at as usize])).collect();
        Self {
            switch,
            router: Router::new(network, switch, weighted),
            balancer: make(&Place { network, switch }),
            first,
            ports,
            up: up.start.into()..up.end.into(),
            loads: vec![0; count.into()],
        }
    }

    /// Routing learns of failures.
    pub(crate) fn learn(&mut self, network: &Network, failed: &Failed) {
        self.router.learn(&network.topology, self.switch, failed);
        self.balancer.learn(&Place { network, switch: self.switch }, failed);
    }

    /// The port by which a packet leaves; `None`: there is no way. Ports must have caught up if the load balancer looks at
    /// loads.
    #[inline]
    pub(crate) fn choose(&mut self, packet: &Packet) -> Option<usize> {
        let now = packet.time_ps;
        match self.router.way(packet.destination) {
            Way::Down(port) => {
                if B::ORDERED {
                    self.balancer.pass();
                }
                Some(port.into())
            }
            Way::Up(group, target) => {
                if B::LOADS {
                    for at in self.up.clone() {
                        self.loads[at] = self.ports[at].load(now);
                    }
                }
                Some(
                    self.balancer
                        .choose(packet, &Up { now_ps: now, group, target, loads: &self.loads })
                        .into(),
                )
            }
            Way::None => {
                // A program draws for every packet.
                self.balancer.pass();
                None
            }
        }
    }

    /// The ports at which a packet's load balancer looks: they must catch up before it chooses.
    #[inline]
    pub(crate) fn watched(&self, packet: &Packet) -> Range<usize> {
        let looks = B::LOADS && matches!(self.router.way(packet.destination), Way::Up(..));
        if looks { self.up.clone() } else { 0..0 }
    }
}
