//! Packet-hops per second of processor time: the network alone, with hosts of a fixed window, and with
//! bit-exact NICs. `cargo bench -p weft-fabric`. Arguments after `--`: hosts (128, 1024, 8192), MiB that each
//! host sends, and parts of the names of the wanted measurements (`NICs`, `hash`).

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;
use weft_fabric::balance::{Balancer, Ecmp, Place, Shortest};
use weft_fabric::engine::{Faults, Limits, Outcome, World, heap, windows};
use weft_fabric::host::fixed::{Fixed, Settings};
use weft_fabric::network::{Network, Queue, Tier, Wire};
use weft_fabric::order::Order;
use weft_fabric::plan::Plan;
use weft_fabric::simulate::Engine;
use weft_random::Rng;
use weft_switch::tm::{At, Over, Red};
use weft_switch::topology::Topology;

/// Seconds of processor time of this process.
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// Most KiB of memory that this process has used at any time.
fn peak_kib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// REPS section 4.1: 400 Gb/s, 500 ns links and switches, a queue of a BDP.
fn network(k: u32) -> Network {
    let red =
        Red { kmin_bytes: 120_000, kmax_bytes: 480_000, pmax: 1 << 16, at: At::Dequeue, over: Over::Queue };
    Network {
        topology: Topology::fat_tree(k).expect("an even k"),
        order: Order::default(),
        tiers: [Tier { gbps: 400, delay_ps: 500_000 }; 3],
        unlike: BTreeMap::new(),
        switch_ps: 500_000,
        nic_in_ps: 300_000,
        nic_out_ps: 200_000,
        queues: vec![Queue { data_bytes: 600_000, control_bytes: 600_000, red: Some(red), trims: true }; 3],
        buffer: None,
        wire: Wire::PAPERS,
        seed: 1,
    }
}

fn hosts(network: &Network, mib: u32, per_ack: u32) -> Vec<Fixed> {
    let count = network.topology.hosts();
    let mut to: Vec<u32> = (0..count).collect();
    Rng::new(2).shuffle(&mut to);
    let of = |number: u32| {
        let destination = to[number as usize];
        let packets = if destination == number { 0 } else { mib * 256 };
        let start_ps = u64::from(number) * 999_983 % 1_000_000;
        Settings { destination, packets, window: 180, per_ack, bytes: [4160, 64], start_ps }
    };
    (0..count).map(|number| Fixed::new(number, of(number), 4)).collect()
}

fn measure<B: Balancer>(name: &str, make: impl Fn(&Place) -> B, k: u32, mib: u32, threads: u32) {
    let network = network(k);
    let hosts = hosts(&network, mib, 1);
    let count = hosts.len();
    let world = World::new(network, false, make, hosts, &Faults::default());
    timed(name, count, || match threads {
        0 => hops(&heap::run(world, u64::MAX)),
        threads => hops(&windows::run(world, Limits { threads, until_ps: u64::MAX }, |_| true)),
    });
}

/// A permutation of bit-exact NICs, with `per_ack` packets for an ACK.
fn with_nics(name: &str, k: u32, mib: u32, per_ack: u32) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/permutation.toml");
    let sets = [
        format!("topology.k={k}"),
        format!("workload.bytes={}", u64::from(mib) << 20),
        format!("hosts.ack_packets={per_ack}"),
    ];
    let plan = Plan::read(&file, &sets).expect("the example");
    timed(name, plan.flows().len(), || {
        let summary = plan.run(Engine::Windows, |_| true).summary;
        [summary.packet_hops, summary.switch_hops]
    });
}

/// Number of packet-hops, with the hosts' own queues and without them.
fn hops<H>(outcome: &Outcome<H>) -> [u64; 2] {
    [outcome.hops(), outcome.switch_hops()]
}

/// Prints the time of a run with a number of hosts. The run returns its packet-hops with the hosts' own
/// queues, and without.
fn timed(name: &str, hosts: usize, run: impl FnOnce() -> [u64; 2]) {
    let (cpu, wall) = (cpu_seconds().unwrap_or(0.0), Instant::now());
    let [hops, without] = run().map(|hops| hops as f64);
    let (cpu, wall) = (cpu_seconds().unwrap_or(0.0) - cpu, wall.elapsed().as_secs_f64());
    println!(
        "{:>5} hosts, {name:<24} {hops:>12} packet-hops, {:>6.1} ns each, {:>6.2} M/s of processor ({:.2} without the hosts' queues), {:>6.2} M/s of wall, {:>5.1} KiB a host",
        hosts,
        cpu * 1e9 / hops,
        hops / cpu / 1e6,
        without / cpu / 1e6,
        hops / wall / 1e6,
        peak_kib().unwrap_or(0.0) / hosts as f64,
    );
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let (numbers, names): (Vec<_>, Vec<_>) = words.iter().partition(|word| word.parse::<u32>().is_ok());
    let number = |at: usize| numbers.get(at).and_then(|word| word.parse::<u32>().ok());
    let mib = number(1).unwrap_or(8);
    let wanted = |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part.as_str()));
    for (k, hosts) in [(8, 128), (16, 1024), (32, 8192)] {
        if number(0).is_some_and(|only| only != hosts) {
            continue;
        }
        let run = |name: &str, run: &dyn Fn(&str)| {
            if wanted(name) {
                run(name);
            }
        };
        run("hash, one thread", &|name| measure(name, Ecmp::new, k, mib, 1));
        run("queue-aware, one thread", &|name| measure(name, Shortest::new, k, mib, 1));
        run("hash, two threads", &|name| measure(name, Ecmp::new, k, mib, 2));
        run("hash, heap of events", &|name| measure(name, Ecmp::new, k, mib.div_ceil(8), 0));
        run("NICs, an ACK a packet", &|name| with_nics(name, k, mib, 1));
        run("NICs, ACKs 4:1", &|name| with_nics(name, k, mib, 4));
    }
}
