use super::*;
use proptest::prelude::*;

fn all() -> impl Strategy<Value = Topology> {
    let leaf_spine = (1..6u32, 1..6u32, 1..4u32).prop_map(|(l, s, h)| Topology::leaf_spine(l, s, h));
    let fat_tree = (1..5u32, 1..4u32).prop_map(|(half, hosts)| Topology::fat_tree_with(2 * half, hosts));
    prop_oneof![leaf_spine, fat_tree].prop_map(|made| made.expect("small"))
}

fn choice(topology: &Topology, picks: &[prop::sample::Index]) -> Failed {
    let links = topology.fabric_links();
    picks.iter().map(|pick| *pick.get(&links)).collect()
}

/// Number of paths from a switch by a port to an edge switch: up, then down, in the minimum number of hops.
fn paths(
    topology: &Topology,
    failed: &Failed,
    from: Switch,
    port: u16,
    edge: u32,
    hops: u32,
    up: bool,
) -> u32 {
    let is_up = topology.up_ports(from).contains(&port);
    let link = topology.link(from, port).expect("a port");
    if hops == 0 || failed.contains(&link) || (is_up && !up) {
        return 0;
    }
    match topology.peer(from, port) {
        Some((Node::Switch(next), _)) if next.0 == edge => 1,
        Some((Node::Switch(next), _)) => (0..topology.ports(next))
            .map(|port| paths(topology, failed, next, port, edge, hops - 1, is_up))
            .sum(),
        _ => 0,
    }
}

/// Minimum number of hops between a switch and an edge switch when nothing has failed.
fn hops(topology: &Topology, from: Switch, edge: u32) -> u32 {
    let same_pod = topology.pod(from) == Some(topology.pod_of_edge(edge));
    match (topology.role(from), same_pod) {
        (Role::Edge, true) => 2,
        (Role::Edge, false) => 4,
        (Role::Aggregation, true) => 1,
        (Role::Aggregation, false) => 3,
        (Role::Core, _) => 2,
    }
}

#[test]
fn the_fat_tree_of_the_paper_has_its_numbers() {
    let tree = Topology::fat_tree(64).expect("even");
    // OFAN section 7: k = 64 has 65 K hosts, an edge switch 2 K destinations, an aggregation switch 63 pods.
    assert_eq!((tree.hosts(), tree.edges(), tree.pods()), (65_536, 2_048, 64));
    assert_eq!((tree.aggregations(), tree.cores(), tree.switches()), (2_048, 1_024, 5_120));
    assert!(tree.of_role(Role::Core).all(|core| tree.ports(core) == 64));
    let spine = Topology::leaf_spine(8, 8, 16).expect("small");
    assert_eq!((spine.hosts(), spine.edges(), spine.aggregations(), spine.cores()), (128, 8, 8, 0));
}

#[test]
fn what_cannot_be_is_refused() {
    assert_eq!(Topology::fat_tree(5), Err(TopologyError::FatTree(5)));
    assert_eq!(Topology::fat_tree(130), Err(TopologyError::FatTree(130)));
    assert_eq!(Topology::fat_tree(0), Err(TopologyError::FatTree(0)));
    let error = TopologyError::Number { what: "spines", number: 129, most: 128 };
    assert_eq!(Topology::leaf_spine(1, 129, 1), Err(error));
}

#[test]
fn weights_count_the_paths_that_are_left() {
    let tree = Topology::fat_tree(8).expect("even");
    let link = |a, b| {
        let node = |name| tree.node(name).expect("a name");
        tree.between(node(a), node(b)).expect("neighbours")
    };
    let edge = Switch(0);
    assert_eq!(tree.weights(&Failed::new(), edge, 5), [4, 4, 4, 4]);
    assert_eq!(tree.weights(&Failed::new(), edge, 1), [1, 1, 1, 1]);
    // A core link of this pod, a link of another pod to the same core, and a link of that pod to another
    // core.
    let failed = Failed::from([link("agg-0", "core-0"), link("agg-4", "core-0"), link("core-1", "agg-4")]);
    assert_eq!(tree.weights(&failed, edge, 5), [2, 4, 4, 4]);
    assert_eq!(tree.weights(&failed, edge, 9), [3, 4, 4, 4]);
    // A link of the destination: its pod keeps its weight.
    let failed = Failed::from([link("edge-5", "agg-6")]);
    assert_eq!(tree.weights(&failed, edge, 5), [4, 4, 0, 4]);
    assert_eq!(tree.pod_weights(&failed, edge, 1), [4, 4, 4, 4]);
    // A link of the switch itself.
    let failed = Failed::from([link("edge-0", "agg-3")]);
    assert_eq!(tree.pod_weights(&failed, edge, 1), [4, 4, 4, 0]);
}

proptest! {
    #[test]
    fn ports_and_names_lead_back(topology in all()) {
        let mut ends = 0;
        for switch in (0..topology.switches()).map(Switch) {
            prop_assert_eq!(topology.node(&topology.name(Node::Switch(switch))), Some(Node::Switch(switch)));
            prop_assert!(topology.of_role(topology.role(switch)).any(|one| one == switch));
            for port in 0..topology.ports(switch) {
                let (node, its) = topology.peer(switch, port).expect("a port");
                match node {
                    Node::Host(host) => prop_assert_eq!(topology.attachment(host), (switch, port)),
                    Node::Switch(other) => {
                        prop_assert_eq!(topology.peer(other, its), Some((Node::Switch(switch), port)));
                        prop_assert_eq!(topology.link(other, its), topology.link(switch, port));
                        prop_assert_eq!(
                            topology.up_ports(switch).contains(&port),
                            topology.down_ports(other).contains(&its)
                        );
                    }
                }
                prop_assert_eq!(topology.between(node, Node::Switch(switch)), topology.link(switch, port));
                ends += 1;
            }
            prop_assert_eq!(topology.peer(switch, topology.ports(switch)), None);
        }
        let links = topology.links();
        prop_assert_eq!(2 * links.len() - topology.hosts() as usize, ends);
        for link in links {
            let [lower, upper] = topology.ends(link);
            prop_assert_eq!(topology.between(lower.0, upper.0), Some(link));
        }
    }

    #[test]
    fn weights_and_reachability_are_those_of_walked_paths(
        topology in all(),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let failed = choice(&topology, &picks);
        for switch in (0..topology.switches()).map(Switch) {
            for edge in (0..topology.edges()).filter(|edge| *edge != switch.0) {
                let hops = hops(&topology, switch, edge);
                let counted: Vec<u32> = (0..topology.ports(switch))
                    .map(|port| paths(&topology, &failed, switch, port, edge, hops, true))
                    .collect();
                let up: Vec<u32> = topology.up_ports(switch).map(|port| counted[usize::from(port)]).collect();
                if hops != 1 && topology.role(switch) != Role::Core {
                    prop_assert_eq!(topology.weights(&failed, switch, edge), up);
                }
                for (port, paths) in (0..).zip(counted) {
                    prop_assert_eq!(topology.reaches(&failed, switch, port, edge), paths > 0);
                }
            }
        }
    }
}
