//! Patterns in which all hosts send at once.

use super::{LONGEST, MOST, WorkloadError, wrong};
use crate::flow::{Flow, Start};
use weft_random::Rng;

pub(super) fn incast(
    hosts: u32,
    bytes: u64,
    senders: Option<u32>,
    receiver: u32,
) -> Result<Vec<Flow>, WorkloadError> {
    if receiver >= hosts {
        return wrong(
            "receiver",
            format!("there is no host {receiver}; {hosts} hosts are 0 to {}", hosts - 1),
        );
    }
    let count = senders.unwrap_or(hosts - 1);
    if !(1..hosts).contains(&count) {
        return wrong("senders", format!("{count} is not possible; use 1 to {}", hosts - 1));
    }
    // Senders are far from the receiver, so all flows use the longest path.
    let of = |at: u32| (receiver + hosts / 2 + at) % hosts;
    let others = (0..hosts).map(of).filter(|host| *host != receiver).take(count as usize);
    Ok(others.map(|host| Flow::at(host, receiver, bytes, 0)).collect())
}

pub(super) fn permutation(hosts: u32, bytes: u64, rng: &mut Rng) -> Vec<Flow> {
    let mut to: Vec<u32> = (0..hosts).collect();
    rng.shuffle(&mut to);
    // One cycle through all hosts in a random order: every host sends to another one.
    let next = |at: usize| to[(at + 1) % to.len()];
    let mut flows: Vec<Flow> = (0..to.len()).map(|at| Flow::at(to[at], next(at), bytes, 0)).collect();
    flows.sort_by_key(|flow| flow.source);
    flows
}

/// A random permutation. If a host's destination is in its own pod of `pod` hosts, the host exchanges
/// destinations with another host.
pub(super) fn pod_permutation(
    hosts: u32,
    pod: u32,
    bytes: u64,
    rng: &mut Rng,
) -> Result<Vec<Flow>, WorkloadError> {
    if 2 * pod > hosts {
        return wrong("kind", "the network needs at least two pods");
    }
    let mut to: Vec<u32> = (0..hosts).collect();
    rng.shuffle(&mut to);
    let of = |host: u32| host / pod;
    for at in 0..hosts as usize {
        let (from, goal) = (of(at as u32), of(to[at]));
        if from != goal {
            continue;
        }
        // A host exists whose pod and whose destination's pod both differ from this one.
        let first = rng.index(hosts as usize);
        let others = (0..hosts as usize).map(|other| (first + other) % hosts as usize);
        let fits = |other: &usize| of(*other as u32) != from && of(to[*other]) != from;
        if let Some(other) = others.into_iter().find(fits) {
            to.swap(at, other);
        }
    }
    Ok((0..).zip(to).map(|(host, to)| Flow::at(host, to, bytes, 0)).collect())
}

/// The flows of `at_once` draws of a pattern, each with a flow of every host, all at the same time.
/// `long_bytes`: size of the first flow, if given.
pub(super) fn several(
    hosts: u32,
    at_once: u32,
    long_bytes: Option<u64>,
    mut one: impl FnMut() -> Result<Vec<Flow>, WorkloadError>,
) -> Result<Vec<Flow>, WorkloadError> {
    if !(1..=1_024).contains(&at_once) {
        return wrong("at_once", format!("{at_once} is not possible; use 1 to 1024"));
    }
    let count = u64::from(at_once) * u64::from(hosts);
    if count > MOST {
        return wrong("at_once", format!("{count} flows are too many; {MOST} are possible"));
    }
    let mut flows = Vec::new();
    for _ in 0..at_once {
        flows.extend(one()?);
    }
    if let Some(bytes) = long_bytes {
        if !(1..=LONGEST).contains(&bytes) {
            return wrong("long_bytes", format!("{bytes} is not possible; use 1 to {LONGEST}"));
        }
        flows[0].bytes = bytes;
    }
    Ok(flows)
}

pub(super) fn tornado(hosts: u32, bytes: u64) -> Vec<Flow> {
    (0..hosts).map(|host| Flow::at(host, (host + hosts / 2) % hosts, bytes, 0)).collect()
}

pub(super) fn all_to_all(
    hosts: u32,
    bytes: u64,
    window: u32,
    mut shuffled: Option<&mut Rng>,
) -> Result<Vec<Flow>, WorkloadError> {
    if window == 0 {
        return wrong("window", "0 is not possible; use 1 or more");
    }
    if u64::from(hosts) * u64::from(hosts) > MOST {
        return wrong("kind", format!("{hosts} hosts have too many flows among them; {MOST} are possible"));
    }
    let count = hosts - 1;
    // A larger window is that of all flows of a host.
    let window = window.min(count.max(1));
    let mut flows = Vec::with_capacity((hosts * count) as usize);
    let mut order: Vec<u32> = (1..hosts).collect();
    for host in 0..hosts {
        if let Some(rng) = &mut shuffled {
            rng.shuffle(&mut order);
        }
        for (at, next) in (0..count).zip(&order) {
            let mut flow = Flow::at(host, (host + next) % hosts, bytes, 0);
            if at >= window {
                flow.start = Start::After(1);
            }
            if at + window < count {
                flow.then_sender.push(host * count + at + window);
            }
            flows.push(flow);
        }
    }
    Ok(flows)
}
