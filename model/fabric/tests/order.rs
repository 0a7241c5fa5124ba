//! Hosts whose numbers are in any order over the leaves. A user has the numbers, and the run is that of the
//! same network with hosts numbered leaf by leaf.

mod runs;

use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use weft_fabric::events::Chosen;
use weft_fabric::live::Fabric;
use weft_fabric::plan::Plan;
use weft_fabric::report::{FlowRow, Report};
use weft_fabric::simulate::Engine;

/// A folder of this process for the files of a run.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("order-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("made");
        Self(path)
    }

    /// The plan of a setup over the list of links `topo`. `flows` is the file of the workload.
    fn plan(&self, topo: &str, flows: &str, setup: &str) -> Plan {
        std::fs::write(self.0.join("it.topo"), topo).expect("written");
        std::fs::write(self.0.join("it.flows"), flows).expect("written");
        let setup =
            format!("topology = {{ kind = 'ns3', file = 'it.topo' }}\nscheme = {{ name = 'ecmp' }}\n{setup}");
        Plan::parse("setup", &setup, &self.0, &[]).unwrap_or_else(|error| panic!("{error}\n{topo}\n{setup}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// Two servers of four hosts: host i of each server is at leaf i (8 to 11), below two spines (12, 13).
fn rails() -> String {
    let mut text = "14 6 16\n8 9 10 11 12 13\n".to_owned();
    for host in 0..8 {
        let _ = writeln!(text, "{host} {} 400Gbps 0.0005ms 0", 8 + host % 4);
    }
    for leaf in 8..12 {
        let _ = writeln!(text, "{leaf} 12 400Gbps 0.0005ms 0\n{leaf} 13 400Gbps 0.0005ms 0");
    }
    text
}

const FLOWS: &str = "workload = { kind = 'flows', file = 'it.flows' }\n";

/// The order of [`rails`] as a key, and hosts numbered leaf by leaf.
const RAILS: &str = "topology = { kind = 'leaf-spine', leaves = 4, spines = 2, hosts_per_leaf = 2, order = [0, 4, 1, 5, 2, 6, 3, 7] }\n\
                     scheme = { name = 'ecmp' }\n";
const BY_LEAF: &str = "topology = { kind = 'leaf-spine', leaves = 4, spines = 2, hosts_per_leaf = 2 }\n\
                       scheme = { name = 'ecmp' }\n";

fn plan(network: &str, setup: &str) -> Result<Plan, String> {
    Plan::parse("setup", &format!("{network}{setup}"), Path::new(""), &[]).map_err(|error| error.to_string())
}

fn run(plan: &Plan) -> Report {
    let report = plan.run(Engine::Windows, |_| true);
    assert!(report.violations.is_empty(), "{:?}", report.violations);
    report
}

/// A flow of 40,000 bytes needs ten packets. A packet, and each of ten ACKs, leaves a host and one switch below a
/// leaf, and a host and three switches on the way over a spine: two links and two switches of 500 ns more.
#[test]
fn a_rail_stays_below_its_leaf() {
    let folder = Folder::new("rails");
    for (flow, hops) in [("0,4,40000,0", 2), ("6,2,40000,0", 2), ("0,5,40000,0", 4), ("0,1,40000,0", 4)] {
        let report = run(&folder.plan(&rails(), flow, FLOWS));
        let FlowRow { source, destination, fct_us, slowdown, .. } = report.flows[0];
        assert_eq!(flow, format!("{source},{destination},40000,0"));
        assert_eq!((report.summary.sent, report.summary.packet_hops), (20, 20 * hops), "{flow}");
        let (fct_us, slowdown) = (fct_us.expect("an end"), slowdown.expect("an end"));
        assert!((0.999..1.01).contains(&slowdown), "{flow}: {slowdown}");
        let more_us = if hops == 4 { 2.0 } else { 0.0 };
        assert!((3.8..4.1).contains(&(fct_us - more_us)), "{flow}: {fct_us}");
    }
}

/// The servers of this workload are neighbours by number: all its rings are rails.
#[test]
fn the_example_keeps_to_its_rails() {
    let report = runs::run("rails.toml", &[]);
    assert_eq!((report.summary.flows, report.summary.packet_hops), (32, 2 * report.summary.sent));
    let pairs: BTreeSet<(u32, u32)> = report.flows.iter().map(|it| (it.source, it.destination)).collect();
    assert_eq!(pairs, (0..8).map(|host| (host, (host + 4) % 8)).collect());
    let plan = runs::read("rails.toml", &[]).expect("a plan");
    assert!(plan.warnings()[0].ends_with(
        "rails.topo: 2 NVSwitches with 8 links are left out: what servers send inside is not simulated"
    ));
    let bare = Folder::new("bare");
    assert_eq!(plan.setup().topology, bare.plan(&rails(), "0,1,1,0\n", FLOWS).setup().topology);
}

/// A network with random places of hosts.
#[derive(Clone, Debug)]
struct Random {
    /// Pods, edge switches of a pod, hosts of an edge switch; a leaf-spine is one pod.
    pods: usize,
    edges: usize,
    hosts: usize,
    is_fat_tree: bool,
    /// Draws for the places of hosts and the order of lines; without draws hosts have consecutive numbers.
    draws: Vec<u16>,
    /// Flows: source, destination, bytes, start in ns.
    flows: Vec<(u16, u16, u32, u32)>,
    /// A host with a slow link, with its own entropy mode, and with a recorded link.
    special: u16,
}

fn random() -> impl Strategy<Value = Random> {
    let flow = (any::<u16>(), any::<u16>(), 1..60_000u32, 0..20_000u32);
    let shape = prop_oneof![
        (Just(1usize), 2..5usize, 1..5usize, Just(false)),
        (2..4usize, Just(2usize), 1..4usize, Just(true))
    ];
    let (draws, flows) =
        (proptest::collection::vec(any::<u16>(), 0..50), proptest::collection::vec(flow, 1..12));
    (shape, draws, flows, any::<u16>()).prop_map(
        |((pods, edges, hosts, is_fat_tree), draws, flows, special)| Random {
            pods,
            edges,
            hosts,
            is_fat_tree,
            draws,
            flows,
            special,
        },
    )
}

impl Random {
    fn count(&self) -> usize {
        self.pods * self.edges * self.hosts
    }

    /// Puts entries into an order that the draws give.
    fn shuffle<T>(&self, entries: &mut [T]) {
        for (at, draw) in (1..entries.len()).zip(&self.draws) {
            entries.swap(at, usize::from(*draw) % (at + 1));
        }
    }

    /// The edge switch of each host.
    fn places(&self) -> Vec<usize> {
        let mut places = (0..self.count()).map(|at| at / self.hosts).collect::<Vec<_>>();
        self.shuffle(&mut places);
        places
    }

    /// The number of each host in the same network, numbered pod by pod and leaf by leaf: the lowest host's first.
    fn renumbered(&self) -> Vec<usize> {
        let places = self.places();
        let lowest = |is_with: &dyn Fn(usize) -> bool| (0..places.len()).find(|host| is_with(places[*host]));
        let key = |host: &usize| {
            let edge = places[*host];
            let pod = lowest(&|other| other / self.edges == edge / self.edges);
            (pod, lowest(&|other| other == edge), *host)
        };
        let mut hosts: Vec<usize> = (0..places.len()).collect();
        hosts.sort_by_key(key);
        (0..places.len()).map(|host| hosts.iter().position(|it| *it == host).expect("a place")).collect()
    }

    /// The list of links for these edge switches of hosts.
    fn text(&self, places: &[usize]) -> String {
        let (count, edges) = (self.count(), self.pods * self.edges);
        let edge = |at: usize| count + at;
        let mut lines: Vec<String> = places
            .iter()
            .enumerate()
            .map(|(host, at)| format!("{host} {} 100Gbps 1us 0", edge(*at)))
            .collect();
        let mut switches = edges;
        if self.is_fat_tree {
            let (aggregation, core) = (count + edges, count + 2 * edges);
            for pod in 0..self.pods {
                for at in 0..4 {
                    let up = aggregation + 2 * pod;
                    lines.push(format!("{} {} 200Gbps 2us 0", edge(2 * pod + at / 2), up + at % 2));
                    lines.push(format!("{} {} 400Gbps 3us 0", up + at / 2, core + at));
                }
            }
            switches += edges + 4;
        } else {
            for at in 0..2 * edges {
                lines.push(format!("{} {} 200Gbps 2us 0", edge(at / 2), count + edges + at % 2));
            }
            switches += 2;
        }
        let ids: Vec<String> = (count..count + switches).map(|id| id.to_string()).collect();
        self.shuffle(&mut lines);
        let head = format!("{} {switches} {}\n{}\n", count + switches, lines.len(), ids.join(" "));
        head + &lines.join("\n") + "\n"
    }

    /// The flows and the setup, with the numbers that `number` gives to hosts.
    fn run(&self, folder: &Folder, topo: &str, number: &dyn Fn(usize) -> usize) -> Report {
        let mut flows = String::new();
        for (from, by, bytes, start_ns) in &self.flows {
            let from = usize::from(*from) % self.count();
            let to = (from + 1 + usize::from(*by) % (self.count() - 1)) % self.count();
            let start = f64::from(*start_ns) / 1e3;
            let _ = writeln!(flows, "{},{},{bytes},{start}", number(from), number(to));
        }
        let special = usize::from(self.special) % self.count();
        let (host, edge) = (number(special), self.renumbered()[special] / self.hosts);
        let kind = if self.is_fat_tree { "edge" } else { "leaf" };
        let setup = format!(
            "until_us = 5000\n{FLOWS}link = [{{ a = 'host-{host}', b = '{kind}-{edge}', gbps = 40 }}]\n\
             series = {{ every_us = 5, links = ['host-{host}', '{kind}-{edge} > host-{host}'] }}\n\
             corrupt = [{{ a = 'host-{host}', b = '{kind}-{edge}', ber = 1e-6 }}]\n\
             hosts = {{ own = [{{ from = {host}, to = {host}, ev_mode = 'ops' }}] }}\n"
        );
        run(&folder.plan(topo, &flows, &setup))
    }

    fn check(&self) {
        let folder = Folder::new("random");
        let (places, renumbered) = (self.places(), self.renumbered());
        let found = self.run(&folder, &self.text(&places), &|host| host);
        let by_leaf: Vec<usize> = (0..self.count()).map(|host| host / self.hosts).collect();
        let expected = self.run(&folder, &self.text(&by_leaf), &|host| renumbered[host]);
        assert!(expected.setup.topology.order().is_empty());
        assert_eq!(found.summary, expected.summary);
        let name = |name: &str| match name.strip_prefix("host-") {
            Some(host) => format!("host-{}", renumbered[host.parse::<usize>().expect("a number")]),
            None => name.to_owned(),
        };
        let new = |host: u32| renumbered[host as usize] as u32;
        for (row, same) in found.flows.iter().zip(&expected.flows) {
            let (source, destination) = (new(row.source), new(row.destination));
            assert_eq!(FlowRow { source, destination, ..row.clone() }, *same);
        }
        let series = |report: &Report, name: &dyn Fn(&str) -> String| {
            let link = |it: &weft_fabric::report::LinkSeries| {
                (name(&it.from), name(&it.to), it.bytes.clone(), it.peak_bytes.clone())
            };
            report.series.iter().map(link).collect::<Vec<_>>()
        };
        assert_eq!(series(&found, &name), series(&expected, &str::to_owned));
        let faults = |report: &Report, name: &dyn Fn(&str) -> String| {
            report.faults.iter().map(|it| (name(&it.from), name(&it.to))).collect::<Vec<_>>()
        };
        assert_eq!(faults(&found, &name), faults(&expected, &str::to_owned));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]
    #[test]
    fn hosts_in_any_order_are_as_renumbered_by_hand(random in random()) {
        random.check();
    }
}

/// The flows of a plan, without times.
fn pairs(plan: &Plan) -> Vec<(u32, u32)> {
    plan.flows().iter().map(|flow| (flow.source, flow.destination)).collect()
}

#[test]
fn patterns_go_by_leaves_or_by_numbers() {
    let number = [0, 4, 1, 5, 2, 6, 3, 7];
    for (kind, goes_by_leaves) in [
        ("kind = 'tornado'", true),
        ("kind = 'alltoall', window = 2", true),
        ("kind = 'allreduce', across = true", true),
        ("kind = 'allreduce'", false),
        ("kind = 'butterfly'", false),
        ("kind = 'permutation', at_once = 3", false),
        ("kind = 'fsdp', rings = 2, hosts_per_server = 2", false),
    ] {
        let workload = format!("workload = {{ {kind}, bytes = 8000 }}\n");
        let [rails, by_leaf] = [RAILS, BY_LEAF].map(|it| pairs(&plan(it, &workload).expect(kind)));
        let moved = |(from, to): &(u32, u32)| (number[*from as usize], number[*to as usize]);
        let expected = if goes_by_leaves { by_leaf.iter().map(moved).collect() } else { by_leaf };
        assert_eq!(rails, expected, "{kind}");
    }
    // Every host sends to another leaf. The first flow is that of host 0.
    let workload = "workload = { kind = 'pod-permutation', bytes = 8000, at_once = 2, long_bytes = 9000 }\n";
    let pods = plan(&RAILS.replace("[0, 4,", "[4, 0,"), workload).expect("a plan");
    assert!(pairs(&pods).iter().all(|(from, to)| from % 4 != to % 4), "{:?}", pairs(&pods));
    assert_eq!((pods.flows()[0].source, pods.flows()[0].bytes), (0, 9_000));
    // Senders are far from the receiver: none is at its leaf.
    let workload = "workload = { kind = 'incast', bytes = 8000, receiver = 5, senders = 3 }\n";
    let incast = plan(RAILS, workload).expect("a plan");
    let senders: BTreeSet<u32> = pairs(&incast).iter().filter(|it| it.1 == 5).map(|it| it.0).collect();
    assert_eq!(senders, BTreeSet::from([0, 4, 7]));
    let refused = plan(RAILS, &workload.replace("= 5", "= 9")).expect_err("no such host");
    assert!(refused.contains("there is no host 9"), "{refused}");
}

#[test]
fn ranks_are_numbers_of_hosts() {
    let folder = Folder::new("goal");
    let goal = "num_ranks 6\nrank 0 { s: send 40000b to 4 tag 1\nr: recv 40000b from 5 tag 2 }\n\
                rank 4 { r: recv 40000b from 0 tag 1\ns: send 40000b to 5 tag 3\ns requires r }\n\
                rank 5 { r: recv 40000b from 4 tag 3\ns: send 40000b to 0 tag 2\ns requires r }\n";
    let setup = "workload = { kind = 'goal', file = 'it.flows' }\n";
    let report = run(&folder.plan(&rails(), goal, setup));
    assert_eq!(
        report.flows.iter().map(|it| (it.source, it.destination)).collect::<Vec<_>>(),
        [(0, 4), (4, 5), (5, 0)]
    );
    // Ten packets and ten ACKs below a leaf, and twice as many over a spine.
    assert_eq!((report.summary.sent, report.summary.packet_hops), (60, 20 * 2 + 40 * 4));
    assert_eq!(report.summary.schedule.map(|it| it.ended), Some(6));
    let stuck = folder.plan(&rails(), &goal.replace("from 5 tag 2", "from 5 tag 9"), setup);
    let report = stuck.run(Engine::Windows, |_| true);
    assert!(report.violations[0].contains("rank 0: recv 40000b from 5 tag 9"), "{:?}", report.violations);
}

#[test]
fn events_and_failures_have_the_numbers_of_hosts() {
    let workload = "workload = { kind = 'alltoall', bytes = 9000, window = 7 }\n\
                    [[cut]]\na = 'host-4'\nb = 'leaf-0'\nfrom_us = 1\nuntil_us = 2\n";
    let noted = |hosts: &[u32], flows: &[u32]| {
        let mut plan = plan(RAILS, workload).expect("a plan");
        let chosen =
            Chosen { hosts: hosts.iter().copied().collect(), flows: flows.iter().copied().collect() };
        plan.note(chosen).expect("such hosts");
        let pair = plan.flows().first().map(|it| (it.source, it.destination)).expect("a flow");
        (plan.run(Engine::Windows, |_| true), pair)
    };
    let (report, _) = noted(&[4], &[]);
    let ends = |report: &Report| -> BTreeSet<(u32, u32)> {
        report.events.iter().map(|it| (it.host, it.connection.0)).collect()
    };
    let with_4 = |host| [(4, host), (host, host), (4, 4), (host, 4)];
    assert_eq!(ends(&report), [0, 1, 2, 3, 5, 6, 7].into_iter().flat_map(with_4).collect());
    let (report, (from, to)) = noted(&[], &[0]);
    assert_eq!((from, to, ends(&report)), (0, 4, BTreeSet::from([(0, 0), (4, 0)])));
    let faults: Vec<[&str; 2]> = report.faults.iter().map(|it| [it.from.as_str(), &it.to]).collect();
    assert_eq!(faults, [["host-4", "leaf-0"], ["leaf-0", "host-4"]]);
    // A host that is cut off for the whole run is told by its number.
    let cut = "[[cut]]\na = 'leaf-0'\nb = 'host-4'\nfrom_us = 0\n";
    let refused = plan(RAILS, &format!("workload = {{ kind = 'incast', bytes = 9, receiver = 4 }}\n{cut}"));
    let refused = refused.expect_err("no way");
    assert!(refused.contains("to host-4, and a flow needs one"), "{refused}");
}

#[test]
fn programs_that_send_have_the_numbers_of_hosts() {
    let none = "workload = { kind = 'none' }\ninner = { hosts = 4, gbps = 800, latency_ns = 100 }\n";
    let [mut rails, mut by_leaf] =
        [RAILS, BY_LEAF].map(|it| Fabric::new(plan(it, none).expect("a plan")).expect("a fabric"));
    rails.connect(0, 4, 1).expect("two hosts");
    by_leaf.connect(0, 1, 1).expect("two hosts");
    for fabric in [&mut rails, &mut by_leaf] {
        // Hosts 1 and 3 are of one server, and 0 and 4 of two.
        fabric.send(1, 3, 50_000, 0, 9).expect("a flow");
    }
    let inner = |fabric: &mut Fabric| fabric.advance(u64::MAX)[0].at_ps;
    assert_eq!(inner(&mut rails), inner(&mut by_leaf));
    rails.send(0, 4, 50_000, 1_000_000, 1).expect("a flow");
    rails.send(6, 1, 50_000, 1_000_000, 2).expect("a flow");
    let mut done = Vec::new();
    while !rails.is_idle() {
        done.extend(rails.advance(u64::MAX).into_iter().filter(|it| it.user < 9));
    }
    let ends: BTreeSet<_> = done.iter().map(|it| (it.user, it.source, it.destination)).collect();
    assert_eq!(ends, BTreeSet::from([(1, 0, 4), (2, 6, 1)]));
    let report = rails.finish();
    // 13 packets and ACKs each: one flow below its leaf, the other over a spine.
    assert_eq!(report.summary.packet_hops, 26 * 2 + 26 * 4);
    assert_eq!((report.flows[1].source, report.flows[1].destination), (6, 1));
}

#[test]
fn an_order_that_cannot_be_is_refused() {
    for (order, what) in [
        ("[0, 1, 2]", "topology.order: 3 hosts are not possible; the network has 8"),
        ("[0, 4, 1, 5, 2, 6, 3, 3]", "topology.order: host 3 is given twice"),
        ("[0, 4, 1, 5, 2, 6, 3, 8]", "topology.order: there is no host 8; use each of 0 to 7 once"),
    ] {
        let network = RAILS.replace("[0, 4, 1, 5, 2, 6, 3, 7]", order);
        let refused = plan(&network, "workload = { kind = 'tornado', bytes = 9 }\n").expect_err(order);
        assert!(refused.contains(what) && !refused.contains('\n'), "{refused}");
    }
}
