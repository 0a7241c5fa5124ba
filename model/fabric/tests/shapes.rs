//! Reads topology files of htsim and ns-3. Refused files give one error with the file's line.

use std::path::{Path, PathBuf};
use weft_fabric::plan::Plan;
use weft_fabric::simulate::Engine;

/// Two tiers: 4 leaves of 3 hosts, 2 spines.
const TWO: &str = "# a comment\nNodes 12\nTiers 2\nPodsize 12\n\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 3\nRadix_Up 2\n\
                   Downlink_Latency_ns 700\nSwitch_Latency_ns 300\nTier 1\nDownlink_speed_Gbps 150\nRadix_Down 4\n\
                   Downlink_Latency_ns 900\nSwitch_Latency_ns 300\n";
/// Three tiers: k = 4, three hosts at an edge switch, one core at an aggregation switch.
const THREE: &str = "Nodes 24\nTiers 3\nPodsize 6\nTier 0\nOversubscribed 3\nDownlink_speed_Gbps 200\nRadix_Down 3\nRadix_Up 2\n\
                     Downlink_Latency_ns 500\nQueue_Down 8\nTier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 1\n\
                     Downlink_Latency_ns 1000\nBundle 1\nTier 2\nDownlink_speed_Gbps 400\nRadix_Down 4\nDownlink_Latency_ns 2000\n";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("weft-shapes-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("made");
        Self(path)
    }

    /// A plan of a permutation over the topology in a text.
    fn plan(&self, topology: &str, text: &str, more: &str) -> Result<Plan, String> {
        std::fs::write(self.0.join("it.topo"), text).expect("written");
        let setup = format!(
            "[topology]\n{topology}\n[scheme]\nname = \"ecmp\"\n[workload]\nkind = \"permutation\"\nbytes = 20000\n{more}"
        );
        std::fs::write(self.0.join("it.toml"), setup).expect("written");
        Plan::read(&self.0.join("it.toml"), &[]).map_err(|error| error.to_string())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

fn file(kind: &str) -> String {
    format!("kind = \"{kind}\"\nfile = \"it.topo\"")
}

/// Checks that a run over a file equals the run of the same setup in keys.
fn is_same(name: &str, kind: &str, text: &str, topology: &str, more: &str) -> Plan {
    let folder = Folder::new(name);
    let plan = folder.plan(&file(kind), text, "").expect(name);
    let by_hand = folder.plan(topology, "", more).expect(name);
    assert_eq!(plan.setup(), by_hand.setup(), "{name}");
    assert_eq!(plan.inputs().iter().map(|it| it.file.as_str()).collect::<Vec<_>>(), ["it.topo"]);
    let [found, expected] = [&plan, &by_hand].map(|plan| plan.run(Engine::Windows, |_| true).summary);
    assert!(found.is_complete);
    assert_eq!(found, expected, "{name}");
    plan
}

#[test]
fn topologies_of_htsim_are_read() {
    let links = "[links]\nhost_gbps = 100\nfabric_gbps = 150\nhost_latency_ns = 700\nfabric_latency_ns = 900\n\
                 [switch]\nlatency_ns = 300\n";
    let leaves = "kind = \"leaf-spine\"\nleaves = 4\nspines = 2\nhosts_per_leaf = 3";
    let plan = is_same("two", "htsim", &format!("\u{FEFF}{TWO}"), leaves, links);
    assert!(plan.warnings().iter().all(|warning| !warning.contains("left out")));
    let links = "[links]\nhost_gbps = 200\nfabric_gbps = 100\ncore_gbps = 400\nhost_latency_ns = 500\n\
                 fabric_latency_ns = 1000\ncore_latency_ns = 2000\n[switch]\nlatency_ns = 0\n";
    let tree = "kind = \"fat-tree\"\nk = 4\nhosts_per_edge = 3\ncores_per_aggregation = 1";
    let plan = is_same("three", "htsim", THREE, tree, links);
    let five = THREE.replace("Nodes 24", "Nodes 30").replace("_Down 4\n", "_Down 5\n");
    is_same("five", "htsim", &five, &format!("{tree}\npods = 5"), links);
    assert!(plan.warnings()[0].ends_with(
        "it.topo: queue_down and queue_up (1 lines) are left out; [switch] has the sizes of queues"
    ));
}

/// A list of links; the lines of the hosts are those from 3 on.
fn links(head: &str, ids: &str, links: &[(usize, usize, &str)]) -> String {
    let mut text = format!("{head} {}\n{ids}\n", links.len());
    for (a, b, kind) in links {
        text += &format!("{a} {b} {kind} 0\n");
    }
    text
}

const HOST: &str = "100Gbps 1000ns";
const UP: &str = "400Gbps 0.0005ms";

/// Two leaves (4, 5) of two hosts, two spines (6, 7).
fn leaf_spine() -> Vec<(usize, usize, &'static str)> {
    vec![
        (0, 4, HOST),
        (4, 1, HOST),
        (2, 5, HOST),
        (3, 5, HOST),
        (4, 6, UP),
        (4, 7, UP),
        (5, 7, UP),
        (6, 5, UP),
    ]
}

/// k = 4, by numbers of pods: hosts, two edge switches of two in each pod, two aggregation switches in each pod, four cores.
/// With four pods the cores are 32 to 35.
fn fat_tree(pods: usize) -> Vec<(usize, usize, &'static str)> {
    let (edge, aggregation, core) = (4 * pods, 6 * pods, 8 * pods);
    let mut links: Vec<_> = (0..4 * pods).map(|host| (host, edge + host / 2, HOST)).collect();
    for pod in 0..pods {
        for at in 0..4 {
            links.push((edge + 2 * pod + at / 2, aggregation + 2 * pod + at % 2, UP));
            links.push((aggregation + 2 * pod + at / 2, core + at, "400Gbps 2us"));
        }
    }
    links
}

#[test]
fn topologies_of_ns3_are_read() {
    let more =
        "[links]\nhost_gbps = 100\nfabric_gbps = 400\nhost_latency_ns = 1000\nfabric_latency_ns = 500\n";
    let leaves = "kind = \"leaf-spine\"\nleaves = 2\nspines = 2\nhosts_per_leaf = 2";
    is_same("hpcc", "ns3", &links("8 4", "4 5 6 7", &leaf_spine()), leaves, more);
    // SimAI's head, and an NVSwitch (8) to which all hosts lead.
    let mut with_inside = leaf_spine();
    with_inside.extend((0..4).map(|host| (host, 8, "2400Gbps 0.000025ms")));
    let text = format!("9 4 1 4 {} A100\n8 4 5 6 7\n", with_inside.len());
    let text = text + links("", "", &with_inside).split_once("\n\n").expect("a head").1;
    let plan = is_same("simai", "ns3", &text, leaves, more);
    assert!(
        plan.warnings()[0]
            .ends_with("1 NVSwitches with 4 links are left out: what servers send inside is not simulated")
    );
    let ids: Vec<String> = (16..36).map(|id| id.to_string()).collect();
    let tree = "kind = \"fat-tree\"\nk = 4\nhosts_per_edge = 2\ncores_per_aggregation = 2";
    let core = format!("{more}core_gbps = 400\ncore_latency_ns = 2000\n");
    is_same("fat-tree", "ns3", &links("36 20", &ids.join(" "), &fat_tree(4)), tree, &core);
    // HPCC's own tree has fewer pods than ports of a switch.
    for pods in [3, 5] {
        let ids: Vec<String> = (4 * pods..8 * pods + 4).map(|id| id.to_string()).collect();
        let head = format!("{} {}", 8 * pods + 4, 4 * pods + 4);
        let text = links(&head, &ids.join(" "), &fat_tree(pods));
        is_same("pods", "ns3", &text, &format!("{tree}\npods = {pods}"), &core);
    }
}

fn says(kind: &str, text: &str, says: &str) {
    let folder = Folder::new("wrong");
    let error = folder.plan(&file(kind), text, "").expect_err(says);
    let found = error.strip_prefix(&Path::new(&folder.0).display().to_string()).unwrap_or(&error);
    assert!(found.starts_with(says) && !error.contains('\n'), "{found}, not {says}");
}

#[test]
fn what_cannot_be_has_its_line() {
    for (from, to, what) in [
        ("Nodes 12", "Nodes twelve", "/it.topo:2: nodes needs a whole number up to 16777216"),
        ("Nodes 12", "Nodes 13", "/it.topo:2: nodes 13 is not a multiple of 3"),
        ("Tiers 2", "Tiers 4", "/it.topo:3: 4 tiers are not possible; use 2 or 3"),
        ("Tier 1\n", "Tier 7\n", "/it.topo:12: tier 7 is not possible; use 0 to 2"),
        (
            "Radix_Down 4",
            "Radix_Down 5",
            "/it.topo:14: radix_down 5 contradicts the other lines, which need 4",
        ),
        ("Radix_Up 2", "Radix_Up 0", "/it.topo:9: radix_up 0 is not possible"),
        ("Radix_Up 2", "Radix_up 2\nRadix_up 2", "/it.topo:10: radix_up is given twice"),
        (
            "Radix_Up 2\n",
            "Radix_Up 2\nBundle 2\n",
            "/it.topo:10: bundle 2 is not possible: weft sim has one link between two nodes",
        ),
        (
            "Radix_Up 2\n",
            "Radix_Up 2\nOversubscribed 2\n",
            "/it.topo:10: oversubscribed 2, but ports have 300 Gb/s down and 300 up",
        ),
        (
            "Podsize 12",
            "Podsize 12\nLinks 5",
            "/it.topo:5: links is not known here; known are nodes, tiers, podsize",
        ),
        (
            "_ns 900\nSwitch_Latency_ns 300",
            "_ns 900\nSwitch_Latency_ns 5",
            "/it.topo:16: switch_latency_ns 5: weft sim gives all switches one latency",
        ),
    ] {
        assert!(TWO.contains(from), "{from}");
        says("htsim", &TWO.replacen(from, to, 1), what);
    }
    says("htsim", "", "/it.topo:1: the file has no nodes");
    let whole = links("8 4", "4 5 6 7", &leaf_spine());
    for (from, to, what) in [
        ("8 4 8", "8 4 9", "/it.topo:10: there are 8 links, the first line says 9"),
        ("8 4 8", "8 4", "/it.topo:1: the line must have nodes, switches and links"),
        ("4 5 6 7\n", "4 5 6\n", "/it.topo:2: the line must have 4 different numbers below 8"),
        (
            "4 5 6 7\n",
            "3 5 6 7\n",
            "/it.topo:2: 3 is a switch: hosts must be 0 to 3, and switches come after",
        ),
        ("0 4 100Gbps", "0 4 100Mbps", "/it.topo:3: 100Mbps is not possible"),
        ("0 4 100Gbps 1000ns", "0 4 100Gbps soon", "/it.topo:3: soon is not a latency"),
        ("0 4 100Gbps", "0 9 100Gbps", "/it.topo:3: 0 and 9 cannot have a link"),
        (
            "2 5 100Gbps",
            "2 5 200Gbps",
            "/it.topo:5: the links of line 3 are in the same tier and differ from these",
        ),
        (
            "4 1 100Gbps",
            "5 1 100Gbps",
            "/it.topo:2: switch 5 has 3 hosts, and the first one 1; all need the same number",
        ),
        (
            "4 7 400Gbps",
            "4 6 400Gbps",
            "/it.topo:8: 4 and 6 have two links; weft sim has one link between two nodes",
        ),
        (
            "4 6 400Gbps",
            "0 6 400Gbps",
            "/it.topo:7: host 0 has 2 links to switches; a host has one (no dual ToR, no dual plane): keep one of each host, and leave out",
        ),
    ] {
        assert!(whole.contains(from), "{from}");
        says("ns3", &whole.replacen(from, to, 1), what);
    }
    says(
        "ns3",
        &whole.replace("5 7 400Gbps", "6 7 400Gbps"),
        "/it.topo:2: switch 5 has links to 1 of 2 switches; it needs one to each",
    );
    let folder = Folder::new("beside");
    let error = folder.plan(&file("htsim"), TWO, "[links]\nhost_gbps = 400\n").expect_err("both");
    assert!(error.contains("it.toml:") && error.contains("leave [links] out"), "{error}");
    let error = folder.plan("kind = \"htsim\"\nfile = \"no.topo\"", TWO, "").expect_err("none");
    assert!(error.contains("it.toml:3: topology.file: cannot read"), "{error}");
}
