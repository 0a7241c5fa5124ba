//! The times of packets from host to host without queueing.
//!
//! Where single links differ from their tier, paths between the same hosts differ in time. The *fastest* time
//! is the least time of a flow; the *longest* time is the one that queues and registers must allow for.

use super::{Network, PACE_BITS, Tier, pace};
use crate::packet::HEADER_BYTES;
use weft_switch::topology::{Host, Node, Role, Switch};

impl Network {
    /// Links of every tier on the path between two hosts, in one direction.
    pub fn way(&self, from: u32, to: u32) -> [u64; 3] {
        let topology = &self.topology;
        let [a, b] = [from, to].map(|host| topology.attachment(Host(host)).0.0);
        if a == b {
            [2, 0, 0]
        } else if topology.pod_of_edge(a) == topology.pod_of_edge(b) {
            [2, 2, 0]
        } else {
            [2, 2, 2]
        }
    }

    /// The time of `bytes` bytes on the fastest path between two hosts: from the choice at the sender's NIC
    /// to the reaction at the receiver.
    pub fn flight_ps(&self, from: u32, to: u32, bytes: u64) -> u64 {
        let bytes = bytes + u64::from(self.wire.gap_bytes);
        let [a, b] = [from, to].map(|host| self.node(self.topology.attachment(Host(host)).0));
        let hosts = self.hop_ps([from, a], 0, bytes) + self.hop_ps([b, to], 0, bytes);
        let way = self.way(from, to);
        hosts + self.fastest_ps([a, b], way, bytes) + self.passing_ps(way)
    }

    /// The time on the longest path between any two hosts at the same distance as these.
    fn longest_ps(&self, from: u32, to: u32, bytes: u64) -> u64 {
        if self.unlike.is_empty() {
            return self.flight_ps(from, to, bytes);
        }
        let bytes = bytes + u64::from(self.wire.gap_bytes);
        let ends = (0..self.topology.hosts()).map(|host| {
            let edge = self.node(self.topology.attachment(Host(host)).0);
            [self.hop_ps([host, edge], 0, bytes), self.hop_ps([edge, host], 0, bytes)]
        });
        let way = self.way(from, to);
        apart(&ends.collect::<Vec<_>>()) + self.most_between_edges_ps(way, bytes) + self.passing_ps(way)
    }

    /// The longest round trip between any two hosts at the same distance as these: a full packet there and an
    /// ACK back.
    pub fn rtt_ps(&self, from: u32, to: u32, mtu: u32) -> u64 {
        let data = u64::from(mtu) + u64::from(self.wire.header_bytes);
        self.longest_ps(from, to, data) + self.longest_ps(to, from, self.wire.ack_bytes.into())
    }

    /// The base RTT of the hosts that are farthest from each other.
    pub fn base_rtt_ps(&self, mtu: u32) -> u64 {
        self.rtt_ps(0, self.topology.hosts() - 1, mtu)
    }

    /// Time from the arrival of a full packet at an edge switch to the arrival of the farthest edge switch's
    /// answer of `answer_bytes` bytes, without queueing.
    pub fn edge_rtt_ps(&self, mtu: u32, answer_bytes: u16) -> u64 {
        let gap = u64::from(self.wire.gap_bytes);
        let data = u64::from(mtu) + u64::from(self.wire.header_bytes + HEADER_BYTES) + gap;
        let way = self.way(0, self.topology.hosts() - 1);
        let links = [data, u64::from(answer_bytes) + gap].map(|bytes| self.most_between_edges_ps(way, bytes));
        links.iter().sum::<u64>() + 2 * (way[1] + way[2]) * self.switch_ps
    }

    /// The least time in which `payload` bytes reach another host. Full packets leave one after the other at
    /// the rate of the slower one of the two hosts' links. The last packet may be short and overtake full
    /// packets on another path.
    pub fn ideal_ps(&self, from: u32, to: u32, payload: u64, mtu: u32) -> u64 {
        let (mtu, header) = (u64::from(mtu), u64::from(self.wire.header_bytes));
        let gap = u64::from(self.wire.gap_bytes);
        let before = payload.div_ceil(mtu).max(1) - 1;
        let last = payload - before * mtu;
        let [a, b] = [from, to].map(|host| self.node(self.topology.attachment(Host(host)).0));
        let gbps = self.between(from, a, 0).gbps.min(self.between(b, to, 0).gbps);
        let after = |packets: u64, bytes: u64| {
            serial_ps(gbps, packets * (mtu + header + gap)) + self.flight_ps(from, to, bytes + header)
        };
        after(before, last).max(before.checked_sub(1).map_or(0, |full| after(full, mtu)))
    }

    /// The time of a link, from its near end to its far end.
    fn hop_ps(&self, [from, to]: [u32; 2], tier: usize, bytes: u64) -> u64 {
        let Tier { gbps, delay_ps } = self.between(from, to, tier);
        serial_ps(gbps, bytes) + delay_ps
    }

    /// The time in all switches of a path and in both NICs.
    fn passing_ps(&self, way: [u64; 3]) -> u64 {
        (way.iter().sum::<u64>() - 1) * self.switch_ps + self.nic_in_ps + self.nic_out_ps
    }

    /// The links between two edge switches, on the fastest path.
    fn fastest_ps(&self, [a, b]: [u32; 2], way: [u64; 3], bytes: u64) -> u64 {
        if self.unlike.is_empty() {
            let hop = |tier: usize| serial_ps(self.tiers[tier].gbps, bytes) + self.tiers[tier].delay_ps;
            return way[1] * hop(1) + way[2] * hop(2);
        }
        let pair = |from: u32, over: u32, to: u32, tier: usize| {
            self.hop_ps([from, over], tier, bytes) + self.hop_ps([over, to], tier, bytes)
        };
        match way {
            [_, 0, 0] => 0,
            [_, _, 0] => self.above(a).map(|over| pair(a, over, b, 1)).min().unwrap_or(0),
            _ => {
                let over = self.above(a).zip(self.above(b)).map(|(up, down)| {
                    let cores = self.above(up).map(|core| pair(up, core, down, 2)).min().unwrap_or(0);
                    self.hop_ps([a, up], 1, bytes) + cores + self.hop_ps([down, b], 1, bytes)
                });
                over.min().unwrap_or(0)
            }
        }
    }

    /// The links between any two edge switches at this distance, on the longest path.
    fn most_between_edges_ps(&self, way: [u64; 3], bytes: u64) -> u64 {
        if self.unlike.is_empty() || way[1] == 0 {
            return self.fastest_ps([0, 0], way, bytes);
        }
        let up = |from: u32, to: u32, tier| self.hop_ps([from, to], tier, bytes);
        // Up to each aggregation switch and down from it, by edge switch.
        let ends = |over: u32| -> Vec<[u64; 2]> {
            self.below(over).map(|edge| [up(edge, over, 1), up(over, edge, 1)]).collect()
        };
        let aggregations = self.topology.of_role(Role::Aggregation).map(|switch| self.node(switch));
        if way[2] == 0 {
            return aggregations.map(|over| apart(&ends(over))).max().unwrap_or(0);
        }
        // The longest path of each pod, up to a core and down from it.
        let most = |of: &[[u64; 2]], at: usize| of.iter().map(|ends| ends[at]).max().unwrap_or(0);
        let pods = |core: u32| -> Vec<[u64; 2]> {
            let of = |over: u32| {
                let ends = ends(over);
                [most(&ends, 0) + up(over, core, 2), most(&ends, 1) + up(core, over, 2)]
            };
            self.below(core).map(of).collect()
        };
        let cores = self.topology.of_role(Role::Core).map(|switch| self.node(switch));
        cores.map(|core| apart(&pods(core))).max().unwrap_or(0)
    }

    /// The switches above a switch, and below.
    fn above(&self, node: u32) -> impl Iterator<Item = u32> {
        let switch = self.switch(node).unwrap_or(Switch(0));
        self.topology.up_ports(switch).filter_map(move |port| self.peer(switch, port))
    }

    fn below(&self, node: u32) -> impl Iterator<Item = u32> {
        let switch = self.switch(node).unwrap_or(Switch(0));
        self.topology.down_ports(switch).filter_map(move |port| self.peer(switch, port))
    }

    fn peer(&self, switch: Switch, port: u16) -> Option<u32> {
        match self.topology.peer(switch, port)?.0 {
            Node::Host(host) => Some(host.0),
            Node::Switch(switch) => Some(self.node(switch)),
        }
    }
}

/// Picoseconds that bytes take.
pub(crate) fn serial_ps(gbps: u32, bytes: u64) -> u64 {
    ((u128::from(bytes) * u128::from(pace(gbps))) >> PACE_BITS) as u64
}

/// The maximum sum of one host's path up and another host's path down.
fn apart(ends: &[[u64; 2]]) -> u64 {
    let mut downs: Vec<(u64, usize)> = ends.iter().enumerate().map(|(at, it)| (it[1], at)).collect();
    downs.sort_unstable_by(|a, b| b.cmp(a));
    let from = |(at, it): (usize, &[u64; 2])| {
        let (down, _) = downs.iter().take(2).find(|(_, other)| *other != at)?;
        Some(it[0] + down)
    };
    ends.iter().enumerate().filter_map(from).max().unwrap_or(0)
}
