use super::matrix::{Matrix, Unit};
use super::*;
use crate::flow::Start;
use std::collections::BTreeSet;

fn try_flows(workload: &Workload, hosts: u32) -> Result<Vec<Flow>, WorkloadError> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../traces"));
    workload.flows(
        &Site {
            hosts,
            pod: 4,
            order: &Order::default(),
            gbps: 100,
            full_load: 1.0,
            folder,
            inputs: &Inputs::default(),
        },
        &mut Rng::new(1),
    )
}

fn of(pattern: &Workload, hosts: u32) -> Vec<Flow> {
    try_flows(pattern, hosts).expect("it can be")
}

fn all_reduce(bytes: u64) -> Workload {
    Workload::AllReduce { bytes, rounds: 1, across: false }
}

fn permutation(at_once: u32, long_bytes: Option<u64>) -> Workload {
    Workload::Permutation { bytes: 7, at_once, long_bytes }
}

fn fsdp(rings: u32, layers: u32, hosts_per_server: u32, steps: Option<u32>) -> Workload {
    Workload::Fsdp { bytes: 9, rings, layers, hosts_per_server, steps }
}

/// Whether all flows start, if each started flow ends.
fn all_start(flows: &[Flow]) -> bool {
    let mut heard = vec![0; flows.len()];
    let mut ready: Vec<usize> =
        (0..flows.len()).filter(|at| matches!(flows[*at].start, Start::AtPs(_))).collect();
    let mut count = 0;
    while let Some(at) = ready.pop() {
        count += 1;
        for next in flows[at].then.iter().chain(&flows[at].then_sender).map(|next| *next as usize) {
            heard[next] += 1;
            if flows[next].start == Start::After(heard[next]) {
                ready.push(next);
            }
        }
    }
    count == flows.len()
}

#[test]
fn everyone_sends_to_one_other() {
    for pattern in [permutation(1, None), Workload::Tornado { bytes: 7 }] {
        let flows = of(&pattern, 12);
        let ends = |end: fn(&Flow) -> u32| flows.iter().map(end).collect::<BTreeSet<_>>();
        assert_eq!((ends(|flow| flow.source).len(), ends(|flow| flow.destination).len()), (12, 12));
        assert!(flows.iter().all(|flow| flow.source != flow.destination && flow.bytes == 7));
    }
    assert!(
        of(&Workload::Tornado { bytes: 1 }, 12).iter().all(|flow| (flow.source + 6) % 12 == flow.destination)
    );
}

/// The three permutations differ from each other, and one flow is longer.
#[test]
fn permutations_can_be_several_and_one_flow_longer() {
    let flows = of(&permutation(3, Some(21)), 12);
    let goals: Vec<Vec<u32>> =
        flows.chunks(12).map(|one| one.iter().map(|flow| flow.destination).collect()).collect();
    assert_eq!(goals.len(), 3);
    assert!(goals[0] != goals[1] && goals[1] != goals[2] && goals[0] != goals[2], "{goals:?}");
    for one in flows.chunks(12) {
        assert!(one.iter().map(|flow| flow.source).eq(0..12));
        assert_eq!(one.iter().map(|flow| flow.destination).collect::<BTreeSet<_>>().len(), 12);
    }
    let bytes: Vec<u64> = flows.iter().map(|flow| flow.bytes).collect();
    assert_eq!((bytes[0], &bytes[1..]), (21, &[7; 35][..]));
    let away = of(&Workload::PodPermutation { bytes: 7, at_once: 2, long_bytes: None }, 12);
    assert!(away.len() == 24 && away.iter().all(|flow| flow.source / 4 != flow.destination / 4));
    for bad in [permutation(0, None), permutation(1_025, None), permutation(1, Some(0))] {
        assert!(try_flows(&bad, 12).is_err(), "{bad:?}");
    }
}

#[test]
fn an_incast_has_one_receiver() {
    let flows = of(&Workload::Incast { bytes: 9, senders: Some(5), receiver: 3 }, 8);
    let sources: Vec<u32> = flows.iter().map(|flow| flow.source).collect();
    assert_eq!(sources, [7, 0, 1, 2, 4]);
    assert!(flows.iter().all(|flow| flow.destination == 3));
    for bad in [(Some(0), 0), (Some(8), 0), (None, 8)] {
        let pattern = Workload::Incast { bytes: 9, senders: bad.0, receiver: bad.1 };
        assert!(try_flows(&pattern, 8).is_err(), "{bad:?}");
    }
}

#[test]
fn all_to_all_keeps_its_window() {
    let flows = of(&Workload::AllToAll { bytes: 5, window: 2, shuffled: false }, 5);
    let pairs: BTreeSet<_> = flows.iter().map(|flow| (flow.source, flow.destination)).collect();
    assert_eq!((flows.len(), pairs.len()), (20, 20));
    assert_eq!(flows.iter().filter(|flow| flow.start == Start::AtPs(0)).count(), 10);
    assert!(all_start(&flows));
    assert!(
        flows
            .iter()
            .all(|flow| flow.then_sender.iter().all(|next| flows[*next as usize].source == flow.source))
    );
}

/// With shuffled destinations each host still sends to all other hosts, and at any time the hosts of a leaf
/// send to different leaves.
#[test]
fn all_to_all_is_shuffled_for_each_host() {
    let of = |shuffled| of(&Workload::AllToAll { bytes: 5, window: 1, shuffled }, 16);
    let leaves_at_first = |flows: &[Flow]| -> usize {
        let first = flows.iter().filter(|flow| flow.start == Start::AtPs(0) && flow.source < 4);
        first.map(|flow| flow.destination / 4).collect::<BTreeSet<_>>().len()
    };
    let (next, shuffled) = (of(false), of(true));
    let pairs =
        |flows: &[Flow]| flows.iter().map(|flow| (flow.source, flow.destination)).collect::<BTreeSet<_>>();
    assert!(pairs(&next) == pairs(&shuffled) && pairs(&next).len() == 240 && all_start(&shuffled));
    // In the order of numbers, three hosts of a leaf first send within the leaf, and one sends to the next
    // leaf.
    assert_eq!(leaves_at_first(&next), 2);
    assert!(leaves_at_first(&shuffled) > 2);
}

#[test]
fn collectives_move_what_they_must() {
    // Each host sends 2 (n - 1) / n of the bytes, by hand: 2 x 3 / 4 of 4,000.
    let ring = of(&all_reduce(4_000), 4);
    let butterfly = of(&Workload::Butterfly { bytes: 4_000 }, 4);
    for flows in [&ring, &butterfly] {
        for host in 0..4 {
            let sent: u64 = flows.iter().filter(|flow| flow.source == host).map(|flow| flow.bytes).sum();
            assert_eq!(sent, 6_000);
        }
        assert!(all_start(flows));
        // A waiting flow waits for a flow to its own source.
        assert!(
            flows
                .iter()
                .all(|flow| flow.then.iter().all(|next| flows[*next as usize].source == flow.destination))
        );
    }
    assert_eq!((ring.len(), butterfly.len()), (24, 16));
    // Uneven chunks: all bytes of a reduce-scatter's step.
    let step: u64 = of(&all_reduce(10), 4)[..4].iter().map(|flow| flow.bytes).sum();
    assert_eq!(step, 10);
    assert!(try_flows(&Workload::Butterfly { bytes: 100 }, 6).is_err());
    assert!(try_flows(&all_reduce(3), 4).is_err());
}

/// Pods of four: every packet of the ring goes to the next pod, every host sends to one host and receives
/// from one.
#[test]
fn a_ring_across_leaves_every_pod_with_every_step() {
    let ring = of(&Workload::AllReduce { bytes: 1_200, rounds: 3, across: true }, 12);
    assert_eq!(ring.len(), 3 * 22 * 12);
    assert!(ring.iter().all(|flow| flow.source / 4 != flow.destination / 4 && flow.bytes == 100));
    let pairs: BTreeSet<_> = ring.iter().map(|flow| (flow.source, flow.destination)).collect();
    let ends = |end: fn(&(u32, u32)) -> u32| pairs.iter().map(end).collect::<BTreeSet<_>>().len();
    assert_eq!((pairs.len(), ends(|pair| pair.0), ends(|pair| pair.1)), (12, 12, 12));
    assert!(all_start(&ring));
    // There is one ring: after twelve steps the walk returns to its start.
    let next = |host: u32| pairs.iter().find(|pair| pair.0 == host).expect("it sends").1;
    let way: BTreeSet<u32> = (0..12).scan(0, |host, _| Some(std::mem::replace(host, next(*host)))).collect();
    assert_eq!(way.len(), 12);
    for bad in [(0, true), (1 << 20, false)] {
        let (rounds, across) = bad;
        assert!(try_flows(&Workload::AllReduce { bytes: 1_200, rounds, across }, 12).is_err(), "{bad:?}");
    }
    assert!(try_flows(&Workload::AllReduce { bytes: 1_200, rounds: 1, across: true }, 4).is_err());
}

#[test]
fn arrivals_have_the_load_that_was_asked_for() {
    let cdf = Cdf::new(&[[0.0, 0.0], [1_000.0, 50.0], [9_000.0, 100.0]]).expect("it rises");
    // By hand: half of 500, half of 5,000.
    assert_eq!(cdf.mean(), 2_750.0);
    let it = arrivals::Arrivals { hosts: 10, gbps: 100, load: 0.4, flows: Some(50_000), duration_us: None };
    let flows = cdf.arrivals(&it, &mut Rng::new(3)).expect("they come");
    let bytes: u64 = flows.iter().map(|flow| flow.bytes).sum();
    let Some(Start::AtPs(last)) = flows.last().map(|flow| flow.start) else { panic!("they have times") };
    let load = bytes as f64 * 8_000.0 / (last as f64 * 10.0 * 100.0);
    assert!((load - 0.4).abs() < 0.01, "{load}");
    let small = flows.iter().filter(|flow| flow.bytes <= 1_000).count() as f64 / 50_000.0;
    assert!((small - 0.5).abs() < 0.01, "{small}");
    for load in [0.0, -1.0, f64::NAN, 3.0] {
        assert!(cdf.arrivals(&arrivals::Arrivals { load, ..it }, &mut Rng::new(3)).is_err());
    }
    assert!(cdf.arrivals(&arrivals::Arrivals { flows: None, ..it }, &mut Rng::new(3)).is_err());
}

/// The key at fault. A workload with too many flows is refused before a flow is made.
fn refused(workload: &Workload, hosts: u32) -> &'static str {
    let begun = std::time::Instant::now();
    let error = try_flows(workload, hosts).expect_err("too many flows");
    assert!(begun.elapsed().as_secs() < 2, "{error}");
    match error {
        WorkloadError::Key { key, what } => {
            assert!(!what.contains('\n'), "{what}");
            key
        }
        WorkloadError::File(what) => panic!("{what}"),
    }
}

#[test]
fn a_workload_with_too_many_flows_is_refused_by_its_key() {
    let poisson = |load, flows, duration_us| Workload::Poisson {
        load,
        load_of: LoadOf::Hosts,
        flows,
        duration_us,
        cdf: Some(vec![[0.0, 0.0], [1_000.0, 100.0]]),
        cdf_file: None,
    };
    let (most, long) = (MOST as u32, "duration_us");
    for flows in [0, most + 1, u32::MAX] {
        assert_eq!(refused(&poisson(0.5, Some(flows), None), 16), "flows");
        assert_eq!(refused(&poisson(0.5, Some(flows), Some(1.0)), 16), "flows");
    }
    for us in [1e8, 1e9, 1e308, f64::INFINITY, f64::NAN, 0.0, -1.0] {
        assert_eq!(refused(&poisson(0.5, None, Some(us)), 16), long, "{us}");
    }
    // A long time is possible if flows end the arrivals, and a low load if few flows arrive.
    assert!(try_flows(&poisson(0.5, Some(10), Some(1e9)), 16).is_ok());
    assert!(try_flows(&poisson(1e-9, None, Some(1e8)), 16).is_ok());
    assert_eq!(refused(&poisson(1e-300, Some(10), None), 16), "load");
    // All sizes are 0: there is no mean time between arrivals.
    let empty = Workload::Poisson {
        load: 0.5,
        load_of: LoadOf::Hosts,
        flows: None,
        duration_us: Some(1.0),
        cdf: Some(vec![[0.0, 0.0], [0.0, 100.0]]),
        cdf_file: None,
    };
    assert_eq!(refused(&empty, 16), long);

    let (hosts, many) = (1 << 20, u32::MAX);
    assert_eq!(refused(&permutation(1_024, None), hosts), "at_once");
    let pods = Workload::PodPermutation { bytes: 7, at_once: 1_024, long_bytes: None };
    assert_eq!(refused(&pods, hosts), "at_once");
    assert_eq!(refused(&fsdp(1_024, 1_024, 1, None), hosts), "layers");
    assert_eq!(refused(&Workload::AllToAll { bytes: 7, window: many, shuffled: true }, hosts), "kind");
    assert_eq!(refused(&Workload::Butterfly { bytes: 1 << 30 }, hosts), "kind");
    for rounds in [many, 1 << 31] {
        let all = Workload::AllReduce { bytes: 1 << 30, rounds, across: false };
        assert_eq!(refused(&all, 16), "rounds");
        assert_eq!(refused(&all, hosts), "rounds");
    }
}

#[test]
fn distributions_that_cannot_be_are_refused() {
    assert!(Cdf::parse("0 0\n# more\n100 40\n200 100\n").is_ok());
    let line = |text| Cdf::parse(text).expect_err("it cannot be").line;
    assert_eq!(line("0 0\n\n100 40\n50 100\n"), Some(4));
    assert_eq!(line("0 0\n100 40\n"), Some(2));
    assert_eq!(line("0 0\nten 40\n"), Some(2));
    assert_eq!(line("0 0\n10 -1\n"), Some(2));
    assert_eq!(line(""), None);
}

#[test]
fn lists_are_read_or_refused_by_line() {
    let flows = flow_list("# a list\n0,1,4096,0\n2 1 5 1.5\n", 3).expect("a list");
    assert_eq!(flows, [Flow::at(0, 1, 4096, 0), Flow::at(2, 1, 5, 1_500_000)]);
    for (text, line) in [
        ("0,1,4096,0\n0,3,1,0", 2),
        ("0,0,1,0", 1),
        ("0,1,0,0", 1),
        ("0,1,1,-1", 1),
        ("0,1,1", 1),
        ("\n\n0,1,999999999999,0", 3),
        ("", 1),
    ] {
        assert_eq!(flow_list(text, 3).expect_err(text).line, line, "{text}");
    }
}

#[test]
fn a_matrix_becomes_signals() {
    let text = "Nodes 3\nConnections 4\nTriggers 1\n\
        0->2 start 1 size 9 send_done_trigger 5\n\
        2->0 trigger 5 size 3\n\
        1->2 start 8 size 4 recv_done_trigger 5\n\
        0->2 trigger 5 size 5\n\
        trigger id 5 multishot\n";
    let flows = list::of_matrix(&Matrix::parse("x", text, Unit::Us).expect("a matrix"));
    let starts: Vec<Start> = flows.iter().map(|flow| flow.start).collect();
    assert_eq!(starts, [Start::AtPs(1_000_000), Start::After(1), Start::AtPs(8_000_000), Start::After(2)]);
    assert_eq!((&flows[0].then_sender, &flows[2].then), (&vec![1, 3], &vec![1, 3]));
    assert!(all_start(&flows));
}

#[test]
fn nobody_sends_into_the_own_pod() {
    for hosts in [8, 12, 32] {
        for seed in 0..20 {
            let (folder, inputs) = (Path::new(""), &Inputs::default());
            let site =
                Site { hosts, pod: 4, order: &Order::default(), gbps: 100, full_load: 1.0, folder, inputs };
            let flows = Workload::PodPermutation { bytes: 5, at_once: 1, long_bytes: None }
                .flows(&site, &mut Rng::new(seed))
                .expect("two pods");
            assert!(flows.iter().all(|flow| flow.source / 4 != flow.destination / 4 && flow.bytes == 5));
            let goals: BTreeSet<u32> = flows.iter().map(|flow| flow.destination).collect();
            assert_eq!((flows.len(), goals.len()), (hosts as usize, hosts as usize));
        }
    }
    assert!(try_flows(&Workload::PodPermutation { bytes: 5, at_once: 1, long_bytes: None }, 6).is_err());
}

/// Every ring passes on in step s the data of step s - 1, through all hosts.
#[test]
fn fsdp_is_rings_of_steps() {
    let (hosts, rings, layers) = (6, 3, 2);
    let flows = of(&fsdp(rings, layers, 1, None), hosts);
    assert_eq!(flows.len() as u32, 2 * (hosts - 1) * layers * rings * hosts);
    assert!(all_start(&flows));
    let next: Vec<u32> = (0..hosts)
        .map(|host| flows.iter().find(|flow| flow.source == host).expect("it sends").destination)
        .collect();
    let mut seen = BTreeSet::new();
    let mut at = 0;
    while seen.insert(at) {
        at = next[at as usize];
    }
    assert_eq!(seen.len() as u32, hosts, "one ring through all");
    for (number, flow) in (0u32..).zip(&flows) {
        assert_eq!((next[flow.source as usize], flow.bytes), (flow.destination, 9));
        let step = number / (rings * hosts);
        assert_eq!(matches!(flow.start, Start::AtPs(0)), step == 0);
        for after in &flow.then {
            assert_eq!(after / (rings * hosts), step + 1);
            assert_eq!(flows[*after as usize].source, flow.destination);
            assert_eq!(after / hosts % rings, number / hosts % rings, "of the same ring");
        }
    }
    assert!(try_flows(&fsdp(0, layers, 1, None), hosts).is_err());
}

/// Ring r passes host r mod 3 of each server of three hosts. Each of the four collectives has one step.
#[test]
fn the_hosts_of_a_server_have_the_rings_in_turn() {
    let (hosts, rings, layers) = (12, 6, 2);
    let flows = of(&fsdp(rings, layers, 3, Some(1)), hosts);
    let servers = hosts / 3;
    assert_eq!(flows.len() as u32, 2 * layers * rings * servers);
    assert!(all_start(&flows));
    for (number, flow) in (0u32..).zip(&flows) {
        let ring = number / servers % rings;
        assert_eq!([flow.source % 3, flow.destination % 3], [ring % 3; 2]);
        assert_ne!(flow.source / 3, flow.destination / 3, "another server");
        // All rings have one order of servers.
        let first = flows.iter().find(|it| it.source / 3 == flow.source / 3).expect("it sends");
        assert_eq!(flow.destination / 3, first.destination / 3);
    }
    for (hosts_per_server, steps) in
        [(0, None), (5, None), (12, None), (24, None), (3, Some(0)), (3, Some(4))]
    {
        let error = try_flows(&fsdp(rings, layers, hosts_per_server, steps), hosts);
        assert!(error.is_err(), "{hosts_per_server} {steps:?}");
    }
    let whole = of(&fsdp(rings, layers, 3, Some(3)), hosts);
    assert_eq!(whole, of(&fsdp(rings, layers, 3, None), hosts));
}
