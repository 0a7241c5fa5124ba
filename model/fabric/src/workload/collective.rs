//! Collectives: steps that wait for earlier messages.

use super::{MOST, WorkloadError, wrong};
use crate::flow::{Flow, Start};
use weft_random::Rng;

/// The hosts of a ring in their order: by their numbers, or one of each pod in turn.
pub(super) fn order(hosts: u32, pod: u32, across: bool) -> Result<Vec<u32>, WorkloadError> {
    if !across {
        return Ok((0..hosts).collect());
    }
    let pods = hosts / pod;
    if pods < 2 {
        return wrong("across", "all hosts are in one pod");
    }
    Ok((0..hosts).map(|at| at % pods * pod + at / pods).collect())
}

/// In step s each host sends the data of step s - 1 to the next host of the ring. The steps are those of a
/// reduce-scatter, then of an all-gather, and repeat in each round.
pub(super) fn ring(bytes: u64, rounds: u32, order: &[u32]) -> Result<Vec<Flow>, WorkloadError> {
    let hosts = order.len() as u32;
    if bytes < u64::from(hosts) {
        return wrong(
            "bytes",
            format!("{bytes} is not possible; use at least {hosts}, a byte for each host"),
        );
    }
    if rounds == 0 {
        return wrong("rounds", "0 is not possible; use 1 or more");
    }
    let round = 2 * (hosts - 1);
    if u64::from(rounds).saturating_mul(u64::from(round) * u64::from(hosts)) > MOST {
        let what = format!("{rounds} rounds of {hosts} hosts have too many steps; {MOST} flows are possible");
        return wrong("rounds", what);
    }
    let steps = rounds * round;
    let mut flows = Vec::with_capacity((steps * hosts) as usize);
    for step in 0..steps {
        for at in 0..hosts {
            let to = (at + 1) % hosts;
            // The chunk that the host passes on; chunks have nearly equal sizes.
            let chunk = u64::from((at + 2 * hosts - step % round) % hosts);
            let begin = |chunk: u64| bytes * chunk / u64::from(hosts);
            let bytes = begin(chunk + 1) - begin(chunk);
            let mut flow = Flow::at(order[at as usize], order[to as usize], bytes, 0);
            if step > 0 {
                flow.start = Start::After(1);
            }
            if step + 1 < steps {
                flow.then.push((step + 1) * hosts + to);
            }
            flows.push(flow);
        }
    }
    Ok(flows)
}

/// Training with fully sharded data: the keys of its workload.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fsdp {
    pub(super) bytes: u64,
    pub(super) rings: u32,
    pub(super) layers: u32,
    pub(super) hosts_per_server: u32,
    pub(super) steps: Option<u32>,
}

impl Fsdp {
    /// Rings through all servers, in one random order. A layer has two collectives of `servers - 1` steps. In
    /// each step every server sends one flow to the next server of each ring, after the flow of the previous
    /// step.
    pub(super) fn flows(&self, hosts: u32, rng: &mut Rng) -> Result<Vec<Flow>, WorkloadError> {
        let Self { bytes, rings, layers, hosts_per_server, .. } = *self;
        for (key, value) in [("rings", rings), ("layers", layers)] {
            if !(1..=1_024).contains(&value) {
                return wrong(key, format!("{value} is not possible; use 1 to 1024"));
            }
        }
        let servers = hosts.checked_div(hosts_per_server).unwrap_or(0);
        if servers < 2 || servers * hosts_per_server != hosts {
            let what = format!(
                "{hosts_per_server} is not possible; use a divisor of the {hosts} hosts, at most half of them"
            );
            return wrong("hosts_per_server", what);
        }
        let whole = servers - 1;
        let steps = self.steps.unwrap_or(whole);
        if !(1..=whole).contains(&steps) {
            return wrong(
                "steps",
                format!("{steps} is not possible; use 1 to {whole}, one fewer than servers"),
            );
        }
        let (steps, wide) = (2 * u64::from(steps) * u64::from(layers), u64::from(servers) * u64::from(rings));
        if steps * wide > MOST {
            return wrong("layers", format!("{} flows are too many; {MOST} are possible", steps * wide));
        }
        let mut order: Vec<u32> = (0..servers).collect();
        rng.shuffle(&mut order);
        let mut flows = Vec::with_capacity((steps * wide) as usize);
        for step in 0..steps as u32 {
            for ring in 0..rings {
                let host = |at: u32| order[at as usize] * hosts_per_server + ring % hosts_per_server;
                for at in 0..servers {
                    let next = (at + 1) % servers;
                    let mut flow = Flow::at(host(at), host(next), bytes, 0);
                    if step > 0 {
                        flow.start = Start::After(1);
                    }
                    if step + 1 < steps as u32 {
                        flow.then.push(((step + 1) * rings + ring) * servers + next);
                    }
                    flows.push(flow);
                }
            }
        }
        Ok(flows)
    }
}

/// Each host exchanges half of the data with the host half the ring away, a quarter of the data with the host
/// a quarter of the ring away, and so on. Then the exchanges are repeated in the reverse order.
pub(super) fn butterfly(hosts: u32, bytes: u64) -> Result<Vec<Flow>, WorkloadError> {
    if !hosts.is_power_of_two() {
        return wrong("kind", format!("{hosts} hosts are not possible; use a power of two"));
    }
    if bytes < u64::from(hosts) {
        return wrong(
            "bytes",
            format!("{bytes} is not possible; use at least {hosts}, a byte for each host"),
        );
    }
    let levels = hosts.ilog2();
    let count = 2 * u64::from(levels) * u64::from(hosts);
    if count > MOST {
        return wrong("kind", format!("{hosts} hosts have {count} exchanges; {MOST} flows are possible"));
    }
    let steps: Vec<u32> = (0..levels).chain((0..levels).rev()).collect();
    let mut flows = Vec::new();
    for (step, level) in (0..).zip(&steps) {
        for host in 0..hosts {
            let to = host ^ (hosts >> (level + 1));
            let mut flow = Flow::at(host, to, (bytes >> (level + 1)).max(1), 0);
            if step > 0 {
                flow.start = Start::After(1);
            }
            if step + 1 < 2 * levels {
                flow.then.push((step + 1) * hosts + to);
            }
            flows.push(flow);
        }
    }
    Ok(flows)
}
