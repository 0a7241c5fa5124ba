use super::*;
use crate::nic::view::View;
use weft_params::EvMode;

const SMALL: &str = r#"
[topology]
kind = "leaf-spine"
leaves = 2
spines = 2
hosts_per_leaf = 2

[scheme]
name = "let-flow"
gap_clocks = 50000

[workload]
kind = "incast"
bytes = 1000
"#;

fn parsed(text: &str) -> Setup {
    Setup::parse(text).unwrap_or_else(|(line, what)| panic!("{line:?}: {what}"))
}

#[test]
fn what_is_not_said_has_defaults() {
    let setup = parsed(SMALL);
    assert_eq!(setup.check(), Ok(()));
    assert_eq!(
        (setup.nics(), setup.seed, setup.threads, setup.scheme_name().as_str()),
        (4, 1, 1, "let-flow")
    );
    assert_eq!((setup.ev_mode(), setup.hosts.view), (EvMode::Reps, View::Model));
    let conweave = parsed(&SMALL.replace("let-flow", "conweave").replace("gap_clocks = 50000", ""));
    assert_eq!((conweave.ev_mode(), conweave.check()), (EvMode::Fixed, Ok(())));
    // 2 x 1 us and 2 x 0.5 us of wires, 3 x 200 ns of switches, 3 x 336 ns of wire time and so on.
    assert!((1_800..2_200).contains(&setup.base_rtt_clocks()), "{}", setup.base_rtt_clocks());
    assert_eq!(setup.bdp_bytes() as u64, 50 * setup.base_rtt_clocks());
    // Same leaf, another leaf.
    assert!(setup.ideal_clocks(0, 1, 4096) < setup.ideal_clocks(0, 2, 4096));
    assert_eq!(setup.ideal_clocks(0, 2, 4096), setup.base_rtt_clocks());
}

#[test]
fn cuts_and_what_routing_knows_of_them() {
    let text = SMALL.to_owned()
        + "[[cut]]\na = \"spine-1\"\nb = \"leaf-0\"\nfrom_us = 1.5\nuntil_us = 3\n\
           [[cut]]\na = \"host-3\"\nb = \"leaf-1\"\nfrom_us = 2\n\
           [routing]\nconverge_us = 10\n";
    let setup = parsed(&text);
    let cuts = setup.cuts().expect("they can be");
    assert_eq!((cuts[0].1.clone(), cuts[1].1.clone()), (1_500..3_000, 2_000..u64::MAX));
    let known: Vec<(u64, usize)> =
        setup.convergence(&cuts).iter().map(|(from, failed)| (*from, failed.len())).collect();
    assert_eq!(known, [(11_500, 1), (12_000, 2), (13_000, 1)]);
    assert!(parsed(&text.replace("converge_us = 10", "")).convergence(&cuts).is_empty());
}

/// Every mistake is one line that says where and what would be right.
#[test]
fn mistakes_are_one_clear_line() {
    let cut = |a: &str, b: &str, from: f64| {
        format!("{SMALL}[[cut]]\na = \"{a}\"\nb = \"{b}\"\nfrom_us = {from}\nuntil_us = 2\n")
    };
    // A scheme is told by the line of its table.
    let mistakes = [
        (SMALL.replace("leaves", "leafs"), Some(2), "unknown field `leafs`"),
        (
            SMALL.replace("leaf-spine", "torus"),
            Some(3),
            "unknown variant `torus`, expected `leaf-spine` or `fat-tree`",
        ),
        (SMALL.replace("let-flow", "teapot"), Some(8), "unknown variant `teapot`, expected one of `ecmp`"),
        (SMALL.replace("gap_clocks", "gap_clock"), Some(8), "unknown field `gap-clock`"),
        (SMALL.replace("bytes = 1000", ""), Some(12), "missing field `bytes`"),
        (SMALL.replace("bytes = 1000", "bytes = -1"), Some(12), "integer"),
        (SMALL.replace("leaves = 2", "leaves = "), Some(4), "value"),
        (format!("{SMALL}[hosts]\nev_mode = \"spray\"\n"), Some(16), "expected one of `reps`, `ops`"),
        (SMALL.replace("leaves = 2", "leaves = 0"), None, "[topology]: 0 leaves cannot be; use 1 to 128"),
        (SMALL.replace("leaves = 2", "leaves = 40"), None, "[topology]: 80 hosts; use 4 to 64"),
        (format!("{SMALL}[hosts]\nmtu = 1000\n"), None, "use a power of two, 256 to 8192"),
        (format!("{SMALL}[hosts]\nconnections = 5\n"), None, "use 4, 16, 64"),
        (format!("{SMALL}[links]\nhost_gbps = 400\n"), None, "host_gbps = 400; a NIC does 1 to 128"),
        (format!("{SMALL}[links]\nhost_latency_ns = 1\n"), None, "host_latency_ns = 1; use 4 to 100000"),
        (format!("{SMALL}[switch]\npfc = true\n"), None, "set trim = false"),
        (format!("{SMALL}[switch]\nqueue_bytes = 100\n"), None, "queue_bytes = 100; a packet needs 4353"),
        (SMALL.replace("bytes = 1000", "bytes = 0"), None, "it cannot be with 4 hosts; use 1 byte to 1 GiB"),
        (
            cut("leaf-0", "spine-7", 1.0),
            None,
            "cut 1: there is no spine-7; nodes are host-0, leaf-0, spine-0",
        ),
        (cut("leaf-0", "leaf-1", 1.0), None, "cut 1: leaf-0 and leaf-1 are no neighbours"),
        (cut("leaf-0", "spine-0", 3.0), None, "cut 1: from_us = 3 must be"),
        (format!("threads = 0\n{SMALL}"), None, "threads = 0; use 1 to 64"),
    ];
    for (text, line, says) in mistakes {
        let (found, told) = match Setup::parse(&text) {
            Err(mistake) => mistake,
            Ok(setup) => (None, setup.check().expect_err(&text).to_string()),
        };
        assert!(told.contains(says) && !told.contains('\n'), "{told}, not {says}");
        assert_eq!(found, line, "{told}");
    }
}
