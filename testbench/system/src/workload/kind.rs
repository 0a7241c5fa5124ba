//! Workloads of the hosts.

use super::all_reduce::all_reduce;
use super::build::{LONGEST, fill, furnish, split};
use super::flows;
use super::matrix::Matrix;
use super::plan::{Message, Pairing, Places, Plan};
use serde::Serialize;
use weft_random::Rng;

/// Maximum number of NICs of a run.
pub const MOST_NICS: u32 = 128;

/// A workload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Workload {
    /// Pairs of NICs: messages both ways, of 1 to `bytes` bytes between odd addresses, half of them with
    /// immediate.
    Pair {
        /// Messages each way.
        messages: u32,
        /// Longest message.
        bytes: u32,
    },
    /// A ring AllReduce: every host has `bytes` of u32 words, and in the end the sums of all hosts' words.
    AllReduce {
        /// Bytes that every host has.
        bytes: u32,
    },
    /// All other hosts send to host 0 at once.
    Incast {
        /// Bytes that each host sends.
        bytes: u32,
    },
    /// Every host sends to one other host and receives from one other host.
    Permutation {
        /// Bytes that each host sends.
        bytes: u32,
    },
    /// A traffic trace.
    Trace(Matrix),
}

impl Workload {
    /// Reason why `nics` NICs cannot carry out the workload, if there is one.
    pub fn objection(&self, nics: u32) -> Option<&'static str> {
        let long = 1 << 30;
        match *self {
            _ if !(2..=MOST_NICS).contains(&nics) => Some("2 to 128 NICs"),
            Self::Pair { .. } if nics % 2 == 1 => Some("an even number of NICs for pairs"),
            Self::Pair { messages, bytes } if messages == 0 || bytes == 0 || bytes > LONGEST => {
                Some("at least one message of 1 byte to 1 MiB")
            }
            Self::AllReduce { bytes } if bytes % 4 != 0 || bytes / 4 < nics || bytes > long => {
                Some("at least a word of 4 bytes for every NIC, whole words, at most 1 GiB")
            }
            Self::Incast { bytes } | Self::Permutation { bytes } if bytes == 0 || bytes > long => {
                Some("1 byte to 1 GiB")
            }
            Self::Trace(ref matrix) => flows::objection(matrix, nics),
            _ => None,
        }
    }

    /// Plan of the workload for `nics` hosts.
    pub fn plan(&self, nics: u32, seed: u64) -> Plan {
        let mut rng = Rng::new(seed);
        match *self {
            Self::Pair { messages, bytes } => pairs(nics, messages, bytes, &mut rng),
            Self::AllReduce { bytes } => all_reduce(nics, bytes, &mut rng),
            Self::Incast { bytes } => {
                let to_first: Vec<_> = (1..nics).map(|host| (host, 0)).collect();
                streams(nics, &to_first, bytes, &mut rng)
            }
            Self::Permutation { bytes } => streams(nics, &one_to_one(nics, &mut rng), bytes, &mut rng),
            Self::Trace(ref matrix) => flows::plan(matrix, &mut rng),
        }
    }
}

fn pairs(nics: u32, messages: u32, bytes: u32, rng: &mut Rng) -> Plan {
    let mut places: Vec<Places> = (0..nics).map(Places::of).collect();
    let mut plan = Plan::default();
    let mut sources = Vec::new();
    for pairing in 0..nics / 2 {
        let hosts = [2 * pairing, 2 * pairing + 1];
        plan.pairings.push(Pairing { hosts });
        for _ in 0..messages {
            for side in [0, 1] {
                // Short messages are as frequent as long ones, by powers of two.
                let power = 1 << rng.below(bytes.ilog2() + 1);
                let length = (power + rng.below(power)).min(bytes);
                let mut take = |host: u32| places[host as usize].take(length.into(), rng.below(64).into());
                let (local, remote) = (take(hosts[side]), take(hosts[1 - side]));
                sources.push((hosts[side], local, length));
                let immediate = (rng.below(2) == 0).then(|| rng.draw() as u32);
                let message =
                    Message { pairing, side, local, remote, length, immediate, ..Message::default() };
                plan.messages.push(message);
            }
        }
    }
    plan.memories = places.iter().map(Places::memory).collect();
    for (host, address, length) in sources {
        fill(&mut plan, host, address, length.into(), rng);
    }
    plan
}

/// Pairs of sender and receiver, in which each host receives from one other host.
fn one_to_one(nics: u32, rng: &mut Rng) -> Vec<(u32, u32)> {
    // A random circle of all hosts, in which no host follows itself.
    let mut circle: Vec<u32> = (0..nics).collect();
    for at in (1..circle.len()).rev() {
        circle.swap(at, rng.below(at as u32 + 1) as usize);
    }
    let next = circle.iter().cycle().skip(1);
    let mut flows: Vec<_> = circle.iter().copied().zip(next.copied()).collect();
    flows.sort_unstable();
    flows
}

fn streams(nics: u32, flows: &[(u32, u32)], bytes: u32, rng: &mut Rng) -> Plan {
    let mut places: Vec<Places> = (0..nics).map(Places::of).collect();
    let mut plan = Plan::default();
    for (&(from, to), pairing) in flows.iter().zip(0..) {
        plan.pairings.push(Pairing { hosts: [from, to] });
        let local = places[from as usize].take(bytes.into(), 0);
        let remote = places[to as usize].take(bytes.into(), 0);
        let immediate = Some(from);
        split(Message { pairing, local, remote, length: bytes, immediate, ..Message::default() }, &mut plan);
    }
    furnish(&mut plan, &places, rng);
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::matrix::Unit;
    use crate::workload::plan::After;
    use std::collections::BTreeSet;

    /// Carries out a plan without a network, with messages in a random order that the plan allows.
    fn execute(plan: &mut Plan, seed: u64) {
        let mut rng = Rng::new(seed);
        let mut fired = vec![0; plan.triggers as usize];
        let mut left: Vec<u32> = (0..plan.messages.len() as u32).collect();
        while !left.is_empty() {
            let first_of_side = |at: &usize| {
                let of = |index: usize| {
                    let Message { pairing, side, .. } = plan.messages[left[index] as usize];
                    (pairing, side)
                };
                (0..*at).all(|other| of(other) != of(*at))
            };
            let has_fired = |After { trigger, times }: After| fired[trigger as usize] >= times;
            let may = |at: &usize| plan.messages[left[*at] as usize].after.is_none_or(has_fired);
            let ready: Vec<usize> = (0..left.len()).filter(first_of_side).filter(may).collect();
            let message = left.remove(ready[rng.below(ready.len() as u32) as usize]);
            let (from, to) = plan.ends(message);
            let Message { local, remote, length, sum, fires, .. } = plan.messages[message as usize];
            let bytes = plan.memories[from as usize].read(local, length as usize).expect("there").to_vec();
            let memory = &mut plan.memories[to as usize];
            assert!(memory.write(remote, &bytes));
            assert!(sum.is_none_or(|sum| memory.add(sum.from, sum.to, sum.bytes)));
            for trigger in [fires.sent, fires.received].into_iter().flatten() {
                fired[trigger as usize] += 1;
            }
        }
    }

    #[test]
    fn all_reduce_sums_in_any_order() {
        for (nics, bytes) in [(2, 8), (2, 4096), (3, 16), (4, 4 * 1021), (8, 10_000), (5, 3 << 21)] {
            let workload = Workload::AllReduce { bytes };
            assert_eq!(workload.objection(nics), None);
            let mut plan = workload.plan(nics, 7);
            let results = plan.results.clone();
            let before = plan.memories.clone();
            execute(&mut plan, u64::from(nics));
            for (host, address, sums) in results {
                let own = plan.memories[host as usize].read(address, sums.len());
                assert_eq!(own, Some(&sums[..]), "host {host} of {nics}");
            }
            assert_ne!(plan.memories, before);
        }
    }

    #[test]
    fn all_reduce_takes_2n_minus_2_steps_of_a_chunk_each() {
        let plan = Workload::AllReduce { bytes: 4000 }.plan(4, 1);
        assert_eq!(plan.messages.len(), 6 * 4);
        assert!(plan.messages.iter().all(|message| message.length == 1000 && message.immediate.is_some()));
        // The longest chain of waiting messages has as many links as there are steps.
        let mut depth = vec![0; plan.messages.len()];
        for (at, message) in plan.messages.iter().enumerate() {
            let after = message.after.map(|After { trigger, .. }| {
                let fires = |other: &Message| other.fires.received == Some(trigger);
                let it = plan.messages.iter().position(fires).expect("somebody fires it");
                assert_eq!(
                    plan.ends(it as u32).1,
                    plan.ends(at as u32).0,
                    "a host waits for what it receives"
                );
                depth[it]
            });
            depth[at] = after.unwrap_or(0) + 1;
        }
        assert_eq!(depth.iter().max(), Some(&6));
        // A chunk longer than the longest message is sent as several. Only the last part has an immediate.
        let long = Workload::AllReduce { bytes: 4 * LONGEST + 800 }.plan(2, 1);
        let lengths: Vec<_> =
            long.messages[..3].iter().map(|it| (it.length, it.immediate.is_some())).collect();
        assert_eq!(lengths, [(LONGEST, false), (LONGEST, false), (400, true)]);
    }

    #[test]
    fn places_do_not_overlap() {
        let trace =
            "Nodes 3\nConnections 3\n0->2 start 0 size 3000000\n2->0 start 0 size 1\n0->2 start 1 size 9";
        let trace = Matrix::parse("trace", trace, Unit::Us).expect("a trace");
        let workloads = [
            (Workload::Trace(trace), 3),
            (Workload::Pair { messages: 50, bytes: 5000 }, 4),
            (Workload::Incast { bytes: 3 << 20 }, 5),
            (Workload::Permutation { bytes: 70_000 }, 7),
        ];
        for (workload, nics) in workloads {
            let plan = workload.plan(nics, 3);
            let mut ranges = BTreeSet::new();
            for (at, message) in plan.messages.iter().enumerate() {
                let (from, to) = plan.ends(at as u32);
                let length = u64::from(message.length);
                assert!(length >= 1);
                assert!(plan.memories[from as usize].read(message.local, length as usize).is_some());
                assert!(plan.memories[to as usize].read(message.remote, length as usize).is_some());
                for start in [message.local, message.remote] {
                    assert!(ranges.insert((start, start + length)));
                }
            }
            let mut end = 0;
            assert!(ranges.iter().all(|range| std::mem::replace(&mut end, range.1) <= range.0));
        }
    }

    #[test]
    fn a_permutation_is_one_to_one() {
        for seed in 0..100 {
            for nics in 2..9 {
                let flows = one_to_one(nics, &mut Rng::new(seed));
                assert!(flows.iter().all(|(from, to)| from != to));
                assert!(flows.iter().map(|(from, _)| *from).eq(0..nics));
                assert_eq!(flows.iter().map(|(_, to)| to).collect::<BTreeSet<_>>().len(), nics as usize);
            }
        }
        assert_ne!(one_to_one(8, &mut Rng::new(1)), one_to_one(8, &mut Rng::new(2)));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let refused = [
            (Workload::Pair { messages: 1, bytes: 1 }, 3),
            (Workload::Pair { messages: 0, bytes: 1 }, 2),
            (Workload::AllReduce { bytes: 12 }, 4),
            (Workload::AllReduce { bytes: 18 }, 2),
            (Workload::Incast { bytes: 0 }, 2),
            (Workload::Permutation { bytes: 9 }, 1),
        ];
        assert!(refused.into_iter().all(|(workload, nics)| workload.objection(nics).is_some()));
        assert_eq!(Workload::Pair { messages: 1, bytes: 1 }.objection(2), None);
    }
}
