//! The part common to all schemes: the route of a packet by its destination (rules 1 to 3), and its queue
//! (rule 4).
//!
//! 1. A destination below the switch has one path: the port down.
//! 2. Any other destination has a target: at an edge switch the destination's edge switch, at an aggregation
//!    switch the destination's pod. A scheme chooses the port up to the target.
//! 3. A packet without a path, and a packet other than IP, is dropped.

use super::contract::{Built, Control, Full, Queues, SchemeError, Site, bits, is_control};
use crate::kit::{Builder, Field, Guard, Pipe, Profile, Program, Table, intrinsic::*};
use crate::topology::{Failed, Host};
use std::sync::Arc;

/// The fields of routing, which stages 0 and 1 write. Operations of a scheme that read `target` are in stages
/// from 1 on, those that read `is_up` from 2 on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    /// Target of the packet. Written in stage 0.
    pub(crate) target: Field,
    /// 1 if the packet goes up, and there is a path. Written in stage 1.
    pub(crate) is_up: Field,
    /// 1 if the packet goes up or down. Written in stage 0.
    pub(crate) is_known: Field,
    /// 1 if the packet goes down. Written in stage 0.
    pub(crate) is_down: Field,
    /// Port down of the packet. Written in stage 0.
    pub(crate) down_port: Field,
    table: Table,
}

const NAME: &str = "route";

/// Adds the stages of routing to a program.
pub(crate) fn add(b: &mut Builder, site: &Site) -> Route {
    let target = b.field("target", bits(site.targets()));
    let (is_down, down_port) = (b.field("is down", 1), b.field("down port", 9));
    let (is_known, is_up) = (b.field("is known", 1), b.field("is up", 1));
    let hosts = site.topology.hosts() as usize;
    let table = b.table(NAME, hosts, &[(target, 0), (is_down, 0), (down_port, 0)]);
    let Queues { data, control } = site.queues;
    let queue = move |[code]: [u64; 1]| [if is_control(code) { control } else { data }.into()];
    b.ingress(0).exact(NAME, table, Guard::If(IS_IP), [DST_HIGH, DST], is_known).alu(
        "queue",
        Guard::Always,
        [DSCP],
        [QUEUE],
        queue,
    );
    b.ingress(1)
        .alu("drop", Guard::Unless(is_known), [], [DROP], |[]| [1])
        .alu("down", Guard::If(is_down), [down_port], [PORT_OUT], |[port]| [port])
        .alu("up", Guard::If(is_known), [is_down], [is_up], |[is_down]| [1 - is_down]);
    Route { target, is_up, is_known, is_down, down_port, table }
}

impl Route {
    /// Fills the table. An unreachable host has no entry, hence its packets are dropped (rule 3; rule 11 of
    /// OFAN).
    pub(crate) fn fill(&self, site: &Site, pipe: &mut Pipe, failed: &Failed) -> Result<(), Full> {
        let (topology, switch) = (&site.topology, site.switch);
        let is_edge = topology.role(switch) == crate::topology::Role::Edge;
        let mut addresses = site.addresses.iter();
        for edge in 0..topology.edges() {
            // [target, is down, port] of the hosts of another edge switch.
            let remote = match topology.down_port(switch, edge) {
                Some(port) => topology.has_way_down(failed, switch, edge).then_some([0, 1, u64::from(port)]),
                None => {
                    let target = if is_edge { edge } else { topology.pod_of_edge(edge) };
                    let has_way = topology.weights(failed, switch, edge).iter().any(|weight| *weight > 0);
                    has_way.then_some([target.into(), 0, 0])
                }
            };
            let first = edge * topology.hosts_per_edge();
            for (host, address) in (first..first + topology.hosts_per_edge()).zip(&mut addresses) {
                let (at, port) = topology.attachment(Host(host));
                let entry = match at == switch {
                    true => {
                        let is_whole = topology.link(at, port).is_some_and(|link| !failed.contains(&link));
                        is_whole.then_some([0, 1, port.into()])
                    }
                    false => remote,
                };
                match entry {
                    Some(entry) if !pipe.insert(self.table, address, &entry) => {
                        return Err(Full { table: NAME });
                    }
                    Some(_) => {}
                    None => pipe.remove(self.table, address),
                }
            }
        }
        Ok(())
    }
}

/// A control plane that has only routes.
struct Alone {
    site: Site,
    route: Route,
}

impl Control for Alone {
    fn start(&self, _: &mut Pipe) {}

    fn fill(&self, pipe: &mut Pipe, failed: &Failed) -> Result<(), Full> {
        self.route.fill(&self.site, pipe, failed)
    }
}

/// The program of a switch without ports up.
pub(crate) fn alone(site: Site, profile: Profile) -> Result<Built, SchemeError> {
    let mut b = Builder::new("routes", profile);
    let route = add(&mut b, &site);
    Ok(routes_only(site, route, b.build()?))
}

/// A program whose control plane only fills routes.
pub(crate) fn routes_only(site: Site, route: Route, program: Program) -> Built {
    Built { program: Arc::new(program), control: Box::new(Alone { site, route }) }
}
