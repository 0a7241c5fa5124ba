//! Connections of acknowledgements. An acknowledgement names the QP of the sender, which is in no data packet.

use super::options::MAX_CONNECTIONS;
use super::recent::Recent;
use super::step::{Found, Host, Packet};
use std::collections::HashMap;
use std::net::IpAddr;

/// Acknowledgements to one QP that vote on its connection.
const VOTES: u32 = 16;

/// Connections of a capture, and the connection of each QP to which acknowledgements go.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    /// Source and destination of each connection, in the order of first data packets.
    pub(super) connections: Vec<Host>,
    senders: HashMap<Host, usize>,
    receivers: HashMap<Host, usize>,
}

impl Pairing {
    /// Connection of a data packet.
    pub(super) fn sender(&self, host: &Host) -> Option<usize> {
        self.senders.get(host).copied()
    }

    /// Connection of an acknowledgement.
    pub(super) fn receiver(&self, host: &Host) -> Option<usize> {
        self.receivers.get(host).copied()
    }

    /// Whether the capture has more connections than the limit. The first connection beyond the limit is
    /// stored here.
    pub(super) fn too_many(&self) -> bool {
        self.connections.len() > MAX_CONNECTIONS
    }
}

/// A pairing that is being found. An acknowledgement votes for every connection between its hosts that had
/// sent the acknowledged PSN with the echoed entropy value. Most votes win, then the earliest connection.
#[derive(Default)]
pub(super) struct Election {
    pairing: Pairing,
    between: HashMap<(IpAddr, IpAddr), Vec<usize>>,
    /// Last entropy values by connection and PSN.
    sent: Recent<(usize, u32), u16>,
    voters: Vec<Host>,
    numbers: HashMap<Host, (usize, u32)>,
    votes: HashMap<(usize, usize), u32>,
}

impl Election {
    /// Counts the votes of the next packet.
    pub(super) fn see(&mut self, &Found { host, packet, .. }: &Found) {
        if self.pairing.too_many() {
            return;
        }
        let (psn, echo) = match packet {
            Packet::Request { psn, ev, .. } => {
                let connections = &mut self.pairing.connections;
                let number = *self.pairing.senders.entry(host).or_insert_with(|| {
                    self.between.entry((host.src, host.dst)).or_default().push(connections.len());
                    connections.push(host);
                    connections.len() - 1
                });
                self.sent.insert((number, psn), ev);
                return;
            }
            Packet::Ack { psn, ev, echo, .. } => (psn, echo.then_some(ev)),
            Packet::Nak { psn, .. } => (psn, None),
        };
        if self.numbers.len() >= MAX_CONNECTIONS && !self.numbers.contains_key(&host) {
            return;
        }
        let (voter, cast) = self.numbers.entry(host).or_insert_with(|| {
            self.voters.push(host);
            (self.voters.len() - 1, 0)
        });
        if *cast == VOTES {
            return;
        }
        let mut counted = false;
        for &number in self.between.get(&(host.dst, host.src)).into_iter().flatten() {
            let with = self.sent.get(&(number, psn));
            if with.is_some_and(|ev| echo.is_none_or(|echo| echo == *ev)) {
                *self.votes.entry((*voter, number)).or_default() += 1;
                counted = true;
            }
        }
        *cast += u32::from(counted);
    }

    /// Pairing by the majority of votes.
    pub(super) fn result(self) -> Pairing {
        let Self { mut pairing, voters, votes, .. } = self;
        let mut votes: Vec<_> = votes.into_iter().collect();
        votes.sort_unstable_by_key(|&((voter, number), votes)| (std::cmp::Reverse(votes), voter, number));
        let mut taken = vec![false; pairing.connections.len()];
        for ((voter, number), _) in votes {
            let host = voters[voter];
            if !taken[number] && !pairing.receivers.contains_key(&host) {
                taken[number] = true;
                pairing.receivers.insert(host, number);
            }
        }
        pairing
    }
}
