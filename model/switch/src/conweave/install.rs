//! Tables from a topology.

use super::control::{Address, Control, Place};
use crate::kit::Pipe;
use crate::topology::{Failed, Host, Node, Role, Switch, Topology};

/// Fills the tables of a switch of a topology, except for connections: hosts, uplinks, path numbers and
/// groups. Call it again when links fail or recover. `false`: tables are too small, or there are more than
/// 255 paths.
///
/// A path has the number 1 + a x cores + c, for aggregation switch (spine) `a` of the pod and its core `c`.
/// Paths within a pod, and all paths of a leaf-spine, have c = 0. The group of an edge switch is its number +
/// 1.
pub fn install(
    control: &mut Control,
    pipe: &mut Pipe,
    topology: &Topology,
    switch: Switch,
    failed: &Failed,
    address: impl Fn(Host) -> Address,
) -> bool {
    let is_whole = |port| topology.link(switch, port).is_some_and(|link| !failed.contains(&link));
    let mut done = true;
    for host in (0..topology.hosts()).map(Host) {
        let (edge, port) = topology.attachment(host);
        let place = match topology.down_port(switch, edge.0) {
            _ if edge == switch && is_whole(port) => Place::Port(port),
            Some(down) if topology.has_way_down(failed, switch, edge.0) => Place::Port(down),
            Some(_) => Place::Nowhere,
            None if edge == switch => Place::Nowhere,
            None => Place::Group(edge.0 as u16 + 1),
        };
        done &= control.host(pipe, address(host), place);
    }
    for edge in (0..topology.edges()).filter(|edge| Switch(*edge) != switch) {
        let group = edge as u16 + 1;
        match topology.role(switch) {
            Role::Edge => {
                let paths = paths(topology, switch, edge, failed);
                done &= paths.is_some_and(|paths| control.group(pipe, group, &paths));
            }
            Role::Aggregation if topology.pod(switch) != Some(topology.pod_of_edge(edge)) => {
                done &= control.uplinks_by_hash(pipe, group, &uplinks(topology, switch, edge, failed));
            }
            _ => {}
        }
    }
    if topology.role(switch) == Role::Edge {
        done &= topology.up_ports(switch).all(|port| control.uplink(pipe, port));
    }
    for path in 1..=u8::MAX {
        if let Some(port) = port_of(topology, switch, path) {
            done &= control.path(pipe, path, Some(port));
        }
    }
    done
}

/// Cores of an aggregation switch; 1 in a leaf-spine.
fn cores(topology: &Topology) -> usize {
    topology.cores_per_aggregation().max(1) as usize
}

/// The switch above a port, if the link to it is intact.
fn above(topology: &Topology, switch: Switch, port: u16, failed: &Failed) -> Option<Switch> {
    let is_whole = topology.link(switch, port).is_some_and(|link| !failed.contains(&link));
    match topology.peer(switch, port) {
        Some((Node::Switch(above), _)) if is_whole => Some(above),
        _ => None,
    }
}

/// The numbers of the intact paths from one edge switch to another; `None`: there are more paths than
/// numbers.
pub fn paths(topology: &Topology, switch: Switch, edge: u32, failed: &Failed) -> Option<Vec<u8>> {
    let is_near = topology.pod(switch) == Some(topology.pod_of_edge(edge));
    let number = |a: usize, c: usize| u8::try_from(1 + a * cores(topology) + c).ok();
    let mut paths = Vec::new();
    for (a, port) in topology.up_ports(switch).enumerate() {
        let Some(aggregation) = above(topology, switch, port, failed) else { continue };
        if is_near {
            if topology.has_way_down(failed, aggregation, edge) {
                paths.push(number(a, 0));
            }
            continue;
        }
        for (c, port) in topology.up_ports(aggregation).enumerate() {
            let core = above(topology, aggregation, port, failed);
            if core.is_some_and(|core| topology.has_way_down(failed, core, edge)) {
                paths.push(number(a, c));
            }
        }
    }
    paths.into_iter().collect()
}

/// The ports up of an aggregation switch that lead to an edge switch of another pod.
pub fn uplinks(topology: &Topology, switch: Switch, edge: u32, failed: &Failed) -> Vec<u16> {
    let leads = |port: &u16| {
        above(topology, switch, *port, failed).is_some_and(|core| topology.has_way_down(failed, core, edge))
    };
    topology.up_ports(switch).filter(leads).collect()
}

/// The port by which a path leaves a switch upward.
pub fn port_of(topology: &Topology, switch: Switch, path: u8) -> Option<u16> {
    let (at, cores) = (usize::from(path.checked_sub(1)?), cores(topology));
    let up = match topology.role(switch) {
        Role::Edge => at / cores,
        _ => at.checked_sub(topology.index(switch) as usize * cores).filter(|up| *up < cores)?,
    };
    topology.up_ports(switch).nth(up)
}
