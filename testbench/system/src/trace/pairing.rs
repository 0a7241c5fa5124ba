//! Whose an acknowledgement is. It names the QP of the sender, which no data packet does.

use super::options::MAX_CONNECTIONS;
use super::step::{Found, Host, Packet};
use std::collections::HashMap;
use std::net::IpAddr;

/// So many acknowledgements to one QP vote on whose they are.
const VOTES: u32 = 16;

/// The connections of a capture, and which the acknowledgements to a QP are for.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    /// Whom each connection's data packets are from and for, by first data packet.
    pub(super) connections: Vec<Host>,
    senders: HashMap<Host, usize>,
    receivers: HashMap<Host, usize>,
}

impl Pairing {
    /// The connection of a data packet.
    pub(super) fn sender(&self, host: &Host) -> Option<usize> {
        self.senders.get(host).copied()
    }

    /// The connection of an acknowledgement.
    pub(super) fn receiver(&self, host: &Host) -> Option<usize> {
        self.receivers.get(host).copied()
    }
}

/// An acknowledgement votes for every connection between its hosts that had sent the PSN which it
/// names (and last with the EV which it echoes). Most votes win, then whoever came first.
pub(super) fn pair(found: &[Found]) -> Pairing {
    let mut pairing = Pairing::default();
    let mut between: HashMap<(IpAddr, IpAddr), Vec<usize>> = HashMap::new();
    let mut sent: Vec<HashMap<u32, u16>> = Vec::new();
    let mut voters: Vec<Host> = Vec::new();
    let mut numbers: HashMap<Host, (usize, u32)> = HashMap::new();
    let mut votes: HashMap<(usize, usize), u32> = HashMap::new();
    for &Found { host, packet, .. } in found {
        let (psn, echo) = match packet {
            Packet::Request { psn, ev, .. } => {
                let number = *pairing.senders.entry(host).or_insert_with(|| {
                    between.entry((host.src, host.dst)).or_default().push(sent.len());
                    pairing.connections.push(host);
                    sent.push(HashMap::new());
                    sent.len() - 1
                });
                if number >= MAX_CONNECTIONS {
                    return pairing; // too many: the caller refuses them
                }
                sent[number].insert(psn, ev);
                continue;
            }
            Packet::Ack { psn, ev, echo, .. } => (psn, echo.then_some(ev)),
            Packet::Nak { psn, .. } => (psn, None),
        };
        if numbers.len() >= MAX_CONNECTIONS && !numbers.contains_key(&host) {
            continue;
        }
        let (voter, cast) = numbers.entry(host).or_insert_with(|| {
            voters.push(host);
            (voters.len() - 1, 0)
        });
        let mut counted = false;
        for &number in between.get(&(host.dst, host.src)).into_iter().flatten() {
            let with = sent[number].get(&psn);
            if *cast < VOTES && with.is_some_and(|ev| echo.is_none_or(|echo| echo == *ev)) {
                *votes.entry((*voter, number)).or_default() += 1;
                counted = true;
            }
        }
        *cast += u32::from(counted);
    }

    let mut votes: Vec<_> = votes.into_iter().collect();
    votes.sort_unstable_by_key(|&((voter, number), votes)| (std::cmp::Reverse(votes), voter, number));
    let mut taken = vec![false; sent.len()];
    for ((voter, number), _) in votes {
        let host = voters[voter];
        if !taken[number] && !pairing.receivers.contains_key(&host) {
            taken[number] = true;
            pairing.receivers.insert(host, number);
        }
    }
    pairing
}
