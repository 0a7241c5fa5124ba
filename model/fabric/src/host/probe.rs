//! Probes by a host's software (ARCANE section 3.2): small packets on random entropy values while a
//! connection of its NIC is frozen. If all probes of a round return, the paths are good, and the software
//! sends the command PATH_OK to the NIC.
//!
//! The software reads only registers: the total number of freezes begun and ended, without their connections.

use super::NEVER;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use weft_params::registers::counters;
use weft_random::Rng;

/// Settings of probes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probing {
    /// Time between two rounds, and time within which answers must arrive.
    pub every_us: f64,
    /// Number of probes in a round to each host to which the host sends.
    pub count: u32,
}

/// A probe or its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Connection of the probe, at the host that has the probe now.
    pub connection: u32,
    /// Number of the round.
    pub round: u32,
    /// Whether the probe is on its way back.
    pub is_answer: bool,
    /// Entropy value of the probe.
    pub ev: u16,
}

/// Numbers of probes sent and answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeCounts {
    /// Number of probes sent.
    pub sent: u64,
    /// Number of answered probes among them.
    pub answered: u64,
    /// Number of rounds in which all probes came back.
    pub well: u64,
}

impl ProbeCounts {
    pub(crate) fn is_none(&self) -> bool {
        self.sent == 0
    }

    pub(crate) fn and(self, other: Self) -> Self {
        let Self { sent, answered, well } = other;
        Self { sent: self.sent + sent, answered: self.answered + answered, well: self.well + well }
    }
}

/// The probing software.
#[derive(Clone, Debug)]
pub(crate) struct Prober {
    every_ps: u64,
    count: u32,
    ev_base: u32,
    evs: u32,
    random: Rng,
    /// Time of the software's next action.
    pub(crate) due_ps: u64,
    round: u32,
    /// Whether the probes of the round were sent.
    is_asking: bool,
    /// Connections that send, and the number of answers of this round on each.
    answered: Vec<(u32, u32)>,
    /// Probes and answers that wait for the wire.
    waiting: VecDeque<Probe>,
    pub(crate) counts: ProbeCounts,
    frozen: [usize; 2],
}

impl Prober {
    /// Makes the software for the connections on which a host sends. The entropy values begin at a base.
    pub(crate) fn new(probing: &Probing, seed: u64, sending: Vec<u32>, [ev_base, evs]: [u32; 2]) -> Self {
        let place =
            |name: &str| counters().position(|counter| counter.name == name).expect("a counter of the NIC");
        let every_ps = (probing.every_us * 1e6) as u64;
        Self {
            every_ps,
            count: probing.count,
            ev_base,
            evs,
            random: Rng::of(&[seed, 0x5052_4F42]),
            due_ps: if sending.is_empty() { NEVER } else { every_ps },
            round: 0,
            is_asking: false,
            answered: sending.into_iter().map(|connection| (connection, 0)).collect(),
            waiting: VecDeque::new(),
            counts: ProbeCounts::default(),
            frozen: ["paths_freezes", "paths_thaws"].map(place),
        }
    }

    /// Ends a round and returns the connections whose paths work. Begins a new round if a connection is
    /// frozen.
    pub(crate) fn look(&mut self, counts: &[u32]) -> Vec<u32> {
        self.due_ps += self.every_ps;
        let all = |(connection, answers): &(u32, u32)| {
            (self.is_asking && *answers == self.count).then_some(*connection)
        };
        let well: Vec<u32> = self.answered.iter().filter_map(all).collect();
        self.counts.well += well.len() as u64;
        let [freezes, thaws] = self.frozen.map(|at| counts.get(at).copied().unwrap_or(0));
        self.is_asking = freezes != thaws;
        self.round += 1;
        let count = if self.is_asking { self.count } else { 0 };
        for (connection, answers) in &mut self.answered {
            *answers = 0;
            for _ in 0..count {
                let ev = (self.ev_base + self.random.below(self.evs)) as u16;
                let (connection, round) = (*connection, self.round);
                self.waiting.push_back(Probe { connection, round, is_answer: false, ev });
            }
            self.counts.sent += u64::from(count);
        }
        well
    }

    /// Accepts a probe or an answer on a connection of this host.
    pub(crate) fn arrive(&mut self, probe: &Probe) {
        if !probe.is_answer {
            self.waiting.push_back(Probe { is_answer: true, ..*probe });
        } else if probe.round == self.round
            && let Some((_, answers)) = self.answered.iter_mut().find(|(of, _)| *of == probe.connection)
        {
            *answers += 1;
            self.counts.answered += 1;
        }
    }

    /// The next packet for the wire.
    pub(crate) fn next(&mut self) -> Option<Probe> {
        self.waiting.pop_front()
    }
}
