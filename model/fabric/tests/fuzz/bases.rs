//! Possible setups and files, which the fuzzer mutates.

/// A topology without its table's name.
pub(crate) const TWO_LEAVES: &str =
    "kind = \"leaf-spine\"\nleaves = 2\nspines = 2\nhosts_per_leaf = 2\norder = [0, 2, 1, 3]\n";
const SMALL_TREE: &str =
    "kind = \"fat-tree\"\nk = 4\nhosts_per_edge = 2\ncores_per_aggregation = 2\npods = 4\n";

/// The topology of setups with a file.
pub(crate) const LEAF_SPINE: &str =
    "[topology]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 2\nhosts_per_leaf = 2\n";

/// Workloads that read a file, and such a file.
pub(crate) const FILES: [(&str, &str); 4] = [
    (
        "kind = \"goal\"\nfile = \"it\"\n",
        "num_ranks 3\n/* a comment */\nrank 0 {\nl1: calc 100\nsend: send 4096b to 1 tag 7 cpu 0\nr: recv 10b from -1 tag -1\n\
         send requires l1\nr irequires l1\n}\nrank 1 { recv 4096b from 0 tag 7 }\nrank 2 { s: send 10b to 0 tag 1 }\n",
    ),
    (
        "kind = \"trace\"\nfile = \"it\"\n",
        "Nodes 4\nConnections 4\nTriggers 1\n0->1 id 1 start 0 size 5000 send_done_trigger 1\n1->2 trigger 1 size 10 recv_done_trigger 1 msg\n\
         2->3 start 0.5 size 0 prio 1\n3->0 trigger 1 size 7 msg 3\ntrigger id 1 multishot\n",
    ),
    ("kind = \"flows\"\nfile = \"it\"\n", "# flows\n0,1,5000,0\n1 2 10 0.5\n3,0,4294967296,2\n"),
    (
        "kind = \"poisson\"\nload = 0.4\nduration_us = 20\ncdf_file = \"it\"\n",
        "# bytes, percent\n100 0\n1000 50\n9000 50\n100000 100\n",
    ),
];

/// Setups without a file: the topology, and the rest.
pub(crate) const SETUPS: [(&str, &str); 14] = [
    (
        TWO_LEAVES,
        r#"seed = 7
threads = 2
until_us = 100
warmup_us = 1
flow_rows = false
[links]
host_gbps = 100
fabric_gbps = 400
core_gbps = 400
host_latency_ns = 500
fabric_latency_ns = 600
core_latency_ns = 700
[scheme]
name = "ecmp"
[hosts]
mtu = 4096
ack_packets = 2
ack_bytes = 16384
ack_timeout_us = 3.5
ev_mode = "reps"
evs = 256
rto_us = 60
gap = 32
freeze_us = 500
psns = 512
preset = "artifact"
signals = "ecn"
wait_to_decrease = false
fixed_window = true
pair_connections = 2
clock_ns = 4
dma_latency_ns = 300
own = [{ from = 0, to = 1, ev_mode = "fixed" }, { from = 3, to = 3, ev_mode = "ops" }]
probe = { every_us = 20, count = 2 }
[wire]
header_bytes = 64
ack_bytes = 64
trimmed_bytes = 64
gap_bytes = 20
[switch]
latency_ns = 300
queue_bytes = 100000
control_bytes = 50000
in_proportion = true
trim = true
[switch.ecn]
kmin_bytes = 20000
kmax_bytes = 80000
pmax = 0.5
[workload]
kind = "incast"
bytes = 50000
senders = 2
receiver = 1
"#,
    ),
    (
        TWO_LEAVES,
        r#"[scheme]
name = "let-flow"
gap-clocks = 1000
[hosts.baseline]
kind = "dcqcn"
recovery = "go-back-n"
[switch]
pfc = true
buffer_bytes = 9000000
[workload]
kind = "permutation"
bytes = 50000
at_once = 2
long_bytes = 90000
"#,
    ),
    (
        TWO_LEAVES,
        r#"[scheme]
name = "conga"
[workload]
kind = "alltoall"
bytes = 3000
window = 2
shuffled = true
[[cut]]
a = "leaf-0"
b = "spine-1"
from_us = 5
until_us = 9
one_way = true
[routing]
converge_us = 2
own = { leaf-1 = "never", spine = 3 }
[series]
every_us = 1.0
links = ["leaf-0 > spine-1", "leaf-1"]
imbalance = true
reorder_us = 1.0
"#,
    ),
    (
        SMALL_TREE,
        r#"[scheme]
name = "ofan"
[hosts]
window = "nscc"
[workload]
kind = "allreduce"
bytes = 40000
rounds = 2
across = true
[[flap]]
a = "edge-0"
b = "agg-1"
from_us = 1
down_us = 2
up_us = 3
times = 4
one_way = true
[[degrade]]
a = "agg-0"
b = "core-0"
gbps = 40
from_us = 2
until_us = 20
one_way = true
[[corrupt]]
a = "host-3"
b = "edge-1"
ber = 0.00001
from_us = 1
until_us = 25
one_way = true
[[fail]]
switch = "core-2"
from_us = 3
until_us = 12
[[draw]]
share = 0.1
of = "links"
connected = true
from_us = 4
until_us = 20
[[draw]]
share = 0.2
of = "core"
gbps = 50
[[draw]]
share = 0.1
ber = 0.000001
[[link]]
a = "edge-2"
b = "agg-2"
gbps = 200
latency_ns = 900
queue_bytes = 200000
one_way = true
"#,
    ),
    (
        TWO_LEAVES,
        r#"[scheme]
name = "conweave"
[hosts]
ev_mode = "fixed"
[workload]
kind = "poisson"
load = 0.6
load_of = "uplinks"
flows = 20
duration_us = 50
cdf = [[100, 0], [3000, 50], [30000, 100]]
"#,
    ),
    (
        SMALL_TREE,
        r#"[scheme]
name = "wecmp"
[hosts.baseline]
kind = "dctcp"
window_bdp = 1.2
decrease = 0.4
rto_us = 60
paths = { name = "plb", share = 0.3, rounds = 2 }
[workload]
kind = "pod-permutation"
bytes = 20000
at_once = 2
"#,
    ),
    (
        TWO_LEAVES,
        r#"[scheme]
name = "rsq"
[hosts.baseline]
kind = "swift"
target_rtt = 1.4
median_of = 3
paths = { name = "flowlet", gap_us = 1 }
[workload]
kind = "tornado"
bytes = 30000
"#,
    ),
    (
        TWO_LEAVES,
        r#"[scheme]
name = "round-robin"
[hosts.baseline]
kind = "bbr"
first_packets = 5
paths = { name = "bitmap" }
[workload]
kind = "butterfly"
bytes = 30000
"#,
    ),
    (
        TWO_LEAVES,
        r#"[scheme]
name = "permuted-round-robin"
turns = 4
orders = 8
[hosts.baseline]
kind = "eqds"
first_bdp = 0.8
capped = true
cap = "smartt"
paths = { name = "block", freeze_at_us = 5 }
[workload]
kind = "fsdp"
bytes = 9000
rings = 2
layers = 2
hosts_per_server = 1
steps = 2
"#,
    ),
    (
        SMALL_TREE,
        r#"[scheme]
name = "jsq"
[hosts.baseline]
kind = "paced"
rotation = true
[workload]
kind = "permutation"
bytes = 20000
"#,
    ),
    (
        TWO_LEAVES,
        r#"[scheme]
name = "quantised"
percent = [5, 10, 20]
[hosts.baseline]
kind = "dctcp"
paths = { name = "mprdma" }
[workload]
kind = "permutation"
bytes = 20000
"#,
    ),
    (
        TWO_LEAVES,
        r#"[scheme]
name = "drill"
[hosts.baseline]
kind = "dctcp"
paths = { name = "mptcp" }
[workload]
kind = "incast"
bytes = 20000
"#,
    ),
    (
        TWO_LEAVES,
        r#"[scheme]
name = "ecmp"
[workload]
kind = "none"
[inner]
hosts = 2
gbps = 900
latency_ns = 100
"#,
    ),
    (
        TWO_LEAVES,
        r#"[scheme]
name = "ecmp"
[hosts.baseline]
kind = "dcqcn"
recovery = "irn"
window_bytes = 60000
[switch]
queue_bytes = 60000
[workload]
kind = "incast"
bytes = 60000
"#,
    ),
];

/// Topology files, by their kind.
pub(crate) const SHAPES: [(&str, &str); 4] = [
    (
        "htsim",
        "# two tiers\nNodes 6\nTiers 2\nPodsize 6\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 3\nRadix_Up 2\n\
         Downlink_Latency_ns 700\nSwitch_Latency_ns 300\nTier 1\nDownlink_speed_Gbps 150\nRadix_Down 2\n\
         Downlink_Latency_ns 900\nSwitch_Latency_ns 300\n",
    ),
    (
        "htsim",
        "Nodes 16\nTiers 3\nPodsize 4\nTier 0\nOversubscribed 2\nDownlink_speed_Gbps 200\nRadix_Down 2\nRadix_Up 2\n\
         Downlink_Latency_ns 500\nQueue_Down 8\nTier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 1\n\
         Downlink_Latency_ns 1000\nBundle 1\nTier 2\nDownlink_speed_Gbps 400\nRadix_Down 4\nDownlink_Latency_ns 2000\n",
    ),
    (
        "ns3",
        "8 4 8\n4 5 6 7\n0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n2 5 100Gbps 1us 0\n3 5 100Gbps 1us 0\n4 6 400Gbps 0.5us 0\n\
         4 7 400Gbps 0.5us 0\n5 6 400Gbps 0.5us 0\n5 7 400Gbps 0.5us 0\n",
    ),
    (
        "ns3",
        "9 4 1 4 12 A100\n8 4 5 6 7\n0 4 100Gbps 1us 0\n1 5 100Gbps 1us 0\n2 4 100Gbps 1us 0\n3 5 100Gbps 1us 0\n\
         4 6 400Gbps 0.5us 0\n4 7 400Gbps 0.5us 0\n5 6 400Gbps 0.5us 0\n5 7 400Gbps 0.5us 0\n0 8 2400Gbps 0.000025ms 0\n\
         1 8 2400Gbps 0.000025ms 0\n2 8 2400Gbps 0.000025ms 0\n3 8 2400Gbps 0.000025ms 0\n",
    ),
];

/// Setups that found a fault: an all-to-all with a window near 2^32; arrivals without an end; an MTU near 2^32.
pub(crate) const FOUND: [&str; 4] = [
    "[scheme]\nname = \"conga\"\n[workload]\nkind = \"alltoall\"\nbytes = 3000\nwindow = 4294967295\n",
    "[scheme]\nname = \"ecmp\"\n[workload]\nkind = \"poisson\"\nload = 0.4\nflows = 4294967295\ncdf = [[1, 0], [9, 100]]\n",
    "[scheme]\nname = \"ecmp\"\n[workload]\nkind = \"poisson\"\nload = 0.4\nduration_us = 1e308\ncdf = [[1, 0], [9, 100]]\n",
    "[scheme]\nname = \"ecmp\"\n[hosts]\nmtu = 4294967295\n[workload]\nkind = \"tornado\"\nbytes = 3000\n",
];
