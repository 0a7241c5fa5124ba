//! Tables from a topology.

use super::control::{Address, Control, Place};
use crate::kit::Pipe;
use crate::topology::{Failed, Host, Node, Role, Switch, Topology};

/// Fills the tables of a switch of a topology, but for connections: hosts, uplinks, path numbers and groups. Call it
/// again when links fail or heal. `false`: tables are too small, or there are more than 255 paths.
///
/// A path has the number 1 + a x cores + c for aggregation switch (spine) `a` of the pod and its core `c`; paths within
/// a pod, and all of a leaf-spine, have c = 0. The group of an edge switch is its number + 1.
pub fn install(
    control: &mut Control,
    pipe: &mut Pipe,
    topology: &Topology,
    switch: Switch,
    failed: &Failed,
    address: impl Fn(Host) -> Address,
) -> bool {
    let cores = topology.aggregations().checked_sub(1).map_or(1, |_| {
        let aggregation = topology.of_role(Role::Aggregation).next();
        aggregation.map_or(1, |aggregation| topology.up_ports(aggregation).len().max(1))
    });
    let number = |a: usize, c: usize| u8::try_from(1 + a * cores + c).ok();
    let up = topology.up_ports(switch);
    let is_whole =
        |switch: Switch, port: u16| topology.link(switch, port).is_some_and(|link| !failed.contains(&link));
    // The switch above, if the link to it is whole.
    let above = |switch: Switch, port: u16| match topology.peer(switch, port) {
        Some((Node::Switch(above), _)) if is_whole(switch, port) => Some(above),
        _ => None,
    };
    let mut done = true;
    for host in (0..topology.hosts()).map(Host) {
        let (edge, port) = topology.attachment(host);
        let place = match topology.down_port(switch, edge.0) {
            _ if edge == switch && is_whole(switch, port) => Place::Port(port),
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
                let is_near = topology.pod(switch) == Some(topology.pod_of_edge(edge));
                let mut paths = Vec::new();
                for (a, port) in up.clone().enumerate() {
                    let Some(aggregation) = above(switch, port) else { continue };
                    if is_near {
                        if topology.has_way_down(failed, aggregation, edge) {
                            paths.push(number(a, 0));
                        }
                        continue;
                    }
                    for (c, port) in topology.up_ports(aggregation).enumerate() {
                        let core = above(aggregation, port);
                        if core.is_some_and(|core| topology.has_way_down(failed, core, edge)) {
                            paths.push(number(a, c));
                        }
                    }
                }
                let paths: Option<Vec<u8>> = paths.into_iter().collect();
                done &= paths.is_some_and(|paths| control.group(pipe, group, &paths));
            }
            Role::Aggregation if topology.pod(switch) != Some(topology.pod_of_edge(edge)) => {
                let leads = |port: &u16| {
                    above(switch, *port).is_some_and(|core| topology.has_way_down(failed, core, edge))
                };
                let ports: Vec<u16> = up.clone().filter(leads).collect();
                done &= control.uplinks_by_hash(pipe, group, &ports);
            }
            _ => {}
        }
    }
    for (index, port) in up.enumerate() {
        match topology.role(switch) {
            Role::Edge => {
                done &= control.uplink(pipe, port);
                for c in 0..cores {
                    done &= number(index, c).is_some_and(|path| control.path(pipe, path, Some(port)));
                }
            }
            _ => {
                let path = number(topology.index(switch) as usize, index);
                done &= path.is_some_and(|path| control.path(pipe, path, Some(port)));
            }
        }
    }
    done
}
