//! The control plane of a ConWeave switch: fills its tables.

use crate::kit::Pipe;
use std::collections::BTreeMap;

/// An address as the parser gives it, upper and lower half; an IPv4 address is the lowest 32 bits of the
/// lower half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u64, pub u64);

impl From<std::net::IpAddr> for Address {
    fn from(address: std::net::IpAddr) -> Self {
        match address {
            std::net::IpAddr::V4(v4) => Self(0, u32::from(v4).into()),
            std::net::IpAddr::V6(v6) => Self((u128::from(v6) >> 64) as u64, u128::from(v6) as u64),
        }
    }
}

/// Place of a host, seen from a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A port of this switch; in a transit switch: below that port.
    Port(u16),
    /// Behind the ToR switch to which the paths of this group (from 1) lead; in a transit switch: above.
    Group(u16),
    /// Behind a link of this switch that has failed: packets to it are dropped.
    Nowhere,
}

/// The control plane of one switch, with a copy of the entries that are in the tables. Every function returns
/// `false` if a table is full or a name is unknown.
#[derive(Clone, Debug, Default)]
pub struct Control {
    hosts: BTreeMap<Address, (u16, Place)>,
    /// Connections by numbers of source and destination, and UDP source port.
    connections: BTreeMap<(u16, u16, u16), u16>,
    /// Numbers of connections that were removed.
    free: Vec<u16>,
    refused: u64,
}

impl Control {
    /// A controller that has learned no address yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the place of a host. A host keeps its number when it moves.
    pub fn host(&mut self, pipe: &mut Pipe, address: impl Into<Address>, place: Place) -> bool {
        let address = address.into();
        let next = self.hosts.len() + 1;
        let number = self.hosts.get(&address).map_or(next, |(number, _)| usize::from(*number));
        let Ok(number) = u16::try_from(number) else { return false };
        let key = [address.0, address.1];
        let (group, port) = match place {
            Place::Port(port) => (0, port),
            Place::Group(0) => return false,
            Place::Group(group) => (group, 0),
            Place::Nowhere => (0, 0),
        };
        let (group, port) = (u64::from(group), u64::from(port));
        let program = pipe.program().clone();
        let Some(table) = program.table("hosts_by_destination") else { return false };
        let sources = program.table("hosts_by_source");
        let data: &[u64] = if sources.is_some() { &[number.into(), group, port] } else { &[group, port] };
        let is_source = sources.is_none_or(|sources| pipe.insert(sources, &key, &[number.into(), group]));
        let done = is_source
            && match place {
                Place::Nowhere => {
                    pipe.remove(table, &key);
                    true
                }
                _ => pipe.insert(table, &key, data),
            };
        if done {
            self.hosts.insert(address, (number, place));
        }
        done
    }

    /// Sets that a port of a ToR switch leads to a switch.
    pub fn uplink(&self, pipe: &mut Pipe, port: u16) -> bool {
        let table = pipe.program().table("uplinks");
        table.is_some_and(|table| pipe.insert(table, &[port.into()], &[]))
    }

    /// Sets the port by which a path (1 to 255) leaves this switch; `None`: the path leads nowhere.
    pub fn path(&self, pipe: &mut Pipe, path: u8, port: Option<u16>) -> bool {
        let Some(table) = pipe.program().table("path_ports").filter(|_| path != 0) else { return false };
        match port {
            Some(port) => pipe.insert(table, &[path.into()], &[port.into()]),
            None => {
                pipe.remove(table, &[path.into()]);
                true
            }
        }
    }

    /// Sets the paths of a group of a ToR switch, those that are alive.
    pub fn group(&self, pipe: &mut Pipe, group: u16, paths: &[u8]) -> bool {
        let members: Vec<u64> = paths.iter().map(|path| (*path).into()).collect();
        let program = pipe.program().clone();
        let (Some(selector), Some(table)) = (program.selector("paths"), program.table("paths_that_lead"))
        else {
            return false;
        };
        let is_done = group != 0 && !members.contains(&0) && pipe.set_group(selector, group.into(), &members);
        for path in 1..=u64::from(u8::MAX) {
            pipe.remove(table, &[group.into(), path]);
        }
        is_done && members.iter().all(|path| pipe.insert(table, &[group.into(), *path], &[]))
    }

    /// Sets the ports by which a transit switch sends packets that have no path number to a host of the
    /// group: the ports that work.
    pub fn uplinks_by_hash(&self, pipe: &mut Pipe, group: u16, ports: &[u16]) -> bool {
        let members: Vec<u64> = ports.iter().map(|port| u64::from(*port) + 1).collect();
        let selector = pipe.program().selector("uplinks_by_hash");
        selector.is_some_and(|uplinks| group != 0 && pipe.set_group(uplinks, group.into(), &members))
    }

    /// Enters a connection into the table of a ToR switch, at its source or its destination; replies have
    /// `reply_ticks`. Returns `false` if the table is full (the connection uses ECMP, and
    /// [`Control::refused`] counts it), or if a host is unknown. Both switches need the entry. If only the
    /// source's switch has it, packets are delivered in the order of their arrival, which may be out of
    /// sequence.
    pub fn connect(
        &mut self,
        pipe: &mut Pipe,
        source: impl Into<Address>,
        destination: impl Into<Address>,
        port: u16,
        reply_ticks: u16,
    ) -> bool {
        let Some(key) = self.key(source.into(), destination.into(), port) else { return false };
        let Some(table) = pipe.program().table("connections") else { return false };
        let known = self.connections.get(&key).copied();
        let number = known.or_else(|| self.free.last().copied());
        let number = number.or_else(|| u16::try_from(self.connections.len()).ok());
        let entry = [key.0, key.1, key.2].map(u64::from);
        let done =
            number.filter(|number| pipe.insert(table, &entry, &[u64::from(*number), reply_ticks.into()]));
        let Some(number) = done else {
            self.refused += 1;
            return false;
        };
        if known.is_none() {
            self.free.pop();
            self.connections.insert(key, number);
            forget(pipe, number);
        }
        true
    }

    /// Removes a connection from the table; its number is free for another connection.
    pub fn disconnect(
        &mut self,
        pipe: &mut Pipe,
        source: impl Into<Address>,
        destination: impl Into<Address>,
        port: u16,
    ) -> bool {
        let key = self.key(source.into(), destination.into(), port);
        let Some(number) = key.and_then(|key| self.connections.remove(&key)) else { return false };
        if let (Some(key), Some(table)) = (key, pipe.program().table("connections")) {
            pipe.remove(table, &[key.0, key.1, key.2].map(u64::from));
        }
        self.free.push(number);
        true
    }

    /// The number of a connection in the register arrays.
    pub fn number(
        &self,
        source: impl Into<Address>,
        destination: impl Into<Address>,
        port: u16,
    ) -> Option<u16> {
        let key = self.key(source.into(), destination.into(), port)?;
        self.connections.get(&key).copied()
    }

    /// Connections for which there was no space.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    fn key(&self, source: Address, destination: Address, port: u16) -> Option<(u16, u16, u16)> {
        let number = |address| self.hosts.get(&address).map(|(number, _)| *number);
        Some((number(source)?, number(destination)?, port))
    }
}

/// Sets a connection's cells to their first values.
fn forget(pipe: &mut Pipe, number: u16) {
    let program = pipe.program().clone();
    let number = u64::from(number);
    for (array, name, ..) in program.arrays() {
        if name == "destination_order" {
            (0..4).for_each(|epoch| pipe.set_cell(array, number * 4 + epoch, 0));
        } else if name.starts_with("source_") || name.starts_with("destination_") {
            pipe.set_cell(array, number, 0);
        }
    }
}
