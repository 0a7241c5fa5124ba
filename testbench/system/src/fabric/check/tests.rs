use super::*;
use crate::nic::view::View;
use std::path::Path;
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

fn read(text: &str) -> Result<Setup, SetupError> {
    Setup::parse("it.toml".into(), text.into(), Path::new(""))
}

fn parsed(text: &str) -> Setup {
    read(text).unwrap_or_else(|error| panic!("{error}"))
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

/// Every error is reported in one line with its place and the possible values.
#[test]
fn mistakes_are_one_clear_line() {
    let cut = |a: &str, b: &str, from: f64| {
        format!("{SMALL}[[cut]]\na = \"{a}\"\nb = \"{b}\"\nfrom_us = {from}\nuntil_us = 2\n")
    };
    let scheme = |option: &str| {
        let text = SMALL.replace("let-flow", "conweave").replace("gap_clocks = 50000", option);
        text.replace("bytes = 1000", "bytes = 1_000")
    };
    let quantised =
        SMALL.replace("let-flow", "quantised").replace("gap_clocks = 50000", "percent = [9, 5, 2]");
    let mistakes = [
        (SMALL.replace("leaves", "leafs"), "4: unknown field `leafs`"),
        (
            SMALL.replace("leaf-spine", "torus"),
            "3: topology.kind: unknown variant `torus`, expected one of `leaf-spine`, `fat-tree`, `htsim`, `ns3`",
        ),
        (
            SMALL.replace("let-flow", "teapot"),
            "9: scheme.name: unknown variant `teapot`, expected one of `ecmp`",
        ),
        (SMALL.replace("gap_clocks", "gap_clock"), "10: unknown field `gap-clock`"),
        (
            SMALL.replace("= 50000", "= \"long\""),
            "10: scheme.gap_clocks: invalid type: string \"long\", expected a whole number from 0 to 9223372036854775807",
        ),
        (SMALL.replace("bytes = 1000", ""), "12: missing field `bytes`"),
        (
            SMALL.replace("bytes = 1000", "bytes = -1"),
            "14: workload.bytes: invalid value: integer `-1`, expected a whole number from 0 to 4294967295",
        ),
        (SMALL.replace("bytes = 1000", "byte = 1"), "14: unknown field `byte`"),
        (SMALL.replace("leaves = 2", "leaves = "), "4: "),
        (format!("{SMALL}[hosts]\nev_mode = \"spray\"\n"), "16: hosts.ev_mode: unknown ev_mode `spray`"),
        (
            SMALL.replace("leaves = 2", "leaves = 0"),
            "4: topology.leaves: 0 leaves are not possible; use 1 to 128",
        ),
        (
            SMALL.replace("leaves = 2", "leaves = 40"),
            "3: topology.kind: 80 hosts are not possible; use 4 to 64",
        ),
        (format!("{SMALL}[hosts]\nmtu = 1000\n"), "16: hosts.mtu: 1000 is not possible; use a power of two"),
        (
            format!("{SMALL}[hosts]\nconnections = 5\n"),
            "16: hosts.connections: 5 is not possible; use 4, 16, 64",
        ),
        (
            format!("{SMALL}[links]\nhost_gbps = 400\n"),
            "16: links.host_gbps: 400 is not possible; use 1 to 128",
        ),
        (
            format!("{SMALL}[links]\nhost_latency_ns = 1\n"),
            "16: links.host_latency_ns: 1 is not possible; use 4 to 100000",
        ),
        (format!("{SMALL}[switch]\npfc = true\ntrim = true\n"), "17: switch.trim: pfc and trim exclude"),
        (
            format!("{SMALL}[switch]\nqueue_bytes = 100\n"),
            "16: switch.queue_bytes: 100 is not possible; use at least 4353, a packet",
        ),
        (
            format!("{SMALL}[switch]\nbuffer_bytes = 100\n"),
            "16: switch.buffer_bytes: 100 is not possible; use 17408, a packet for every port",
        ),
        (
            format!("{SMALL}[switch]\npfc = true\nbuffer_bytes = 20000\n"),
            "17: switch.buffer_bytes: reserves and headroom need",
        ),
        (
            format!("{SMALL}[switch]\nrecirculation_gbps = 0\n"),
            "16: switch.recirculation_gbps: 0 is not possible; use 1 to 1600",
        ),
        (
            SMALL.replace("bytes = 1000", "bytes = 0"),
            "14: workload.bytes: 4 hosts cannot run this workload; use 1 byte to 1 GiB",
        ),
        (cut("leaf-0", "spine-7", 1.0), "17: cut.b: there is no spine-7; nodes are host-0, leaf-0, spine-0"),
        (cut("leaf-0", "leaf-1", 1.0), "17: cut.b: leaf-0 and leaf-1 are not neighbours"),
        (cut("leaf-0", "spine-0", 3.0), "18: cut.from_us: 3 is not possible; use 0 or more"),
        (
            cut("leaf-0", "spine-0", 1.0) + "[[cut]]\na = \"leaf-9\"\nb = \"spine-0\"\nfrom_us = 1\n",
            "21: cut.a: there is no leaf-9",
        ),
        (format!("threads = 0\n{SMALL}"), "1: threads: 0 is not possible; use 1 to 64"),
        (
            scheme("reorder-queues = 255"),
            "10: scheme.reorder-queues: reorder-queues = 255 is not possible; use 0 to 62",
        ),
        (scheme("choices = 9"), "10: scheme.choices: choices = 9 is not possible; use 3 or 4"),
        (scheme("reply_ticks = 0"), "10: scheme.reply-ticks: reply-ticks = 0"),
        (
            scheme("path-busy-ticks = 2147483648"),
            "10: scheme.path-busy-ticks: path-busy-ticks = 2147483648 is not possible",
        ),
        (scheme("resume_extra_ticks = 4294967295"), "10: scheme.resume-extra-ticks"),
        // 2 x (336 + 500) ns there, 2 x (7 + 500) ns back, 8 halves of a switch of 100 ns: 3.49 us.
        (
            scheme("reply_ticks = 4"),
            "10: scheme.reply-ticks: reply-ticks = 4 is no longer than a round trip between edge switches; use 5 or more",
        ),
        (
            scheme("") + "[links]\nfabric_latency_ns = 3000\n",
            "reply-ticks = 8 is no longer than a round trip between edge switches; use 15 or more",
        ),
        (
            SMALL
                .replace(
                    "kind = \"leaf-spine\"\nleaves = 2\nspines = 2\nhosts_per_leaf = 2",
                    "kind = \"fat-tree\"\nk = 4",
                )
                .replace("let-flow", "conga")
                .replace("50000", "9"),
            "7: scheme.name: CONGA is for a leaf-spine",
        ),
        (
            SMALL.replace("hosts_per_leaf = 2", "hosts_per_leaf = 2\norder = [0, 2, 1, 3]"),
            "7: topology.order: an order of hosts is for weft sim; leave it out",
        ),
        (quantised, "10: scheme.percent: percent = 9 is not possible; use three numbers"),
        (
            SMALL.replace("gap_clocks = 50000", "entries = 0"),
            "10: scheme.entries: entries = 0 is not possible",
        ),
        (
            SMALL.replace("let-flow", "conga").replace("gap_clocks = 50000", "gbit-per-s = 0"),
            "10: scheme.gbit-per-s: gbit-per-s = 0 is not possible",
        ),
    ];
    for (text, says) in mistakes {
        let told = read(&text).expect_err(&text).to_string();
        assert!(!told.contains('\n'), "{told}");
        let at = if says.starts_with(|it: char| it.is_ascii_digit()) {
            format!("it.toml:{says}")
        } else {
            says.into()
        };
        assert!(told.contains(&at), "{told}\nnot {at}");
    }
    // The longest possible name.
    assert!(read(&scheme("reply_ticks = 5")).is_ok());
}

/// Parameters of a scheme that a file leaves open have values from the fabric.
#[test]
fn schemes_know_their_fabric() {
    let of = |scheme: &str, more: &str| {
        let text = SMALL.replace("\"let-flow\"\ngap_clocks = 50000", scheme) + more;
        serde_json::to_value(parsed(&text).scheme).expect("JSON")
    };
    let links = "[links]\nfabric_gbps = 400\n[switch]\nqueue_bytes = 50000\n";
    assert_eq!(of("\"quantised\"", links)["buffer-bytes"], 50_000);
    assert_eq!(of("\"quantised\"\nbuffer_bytes = 9000", links)["buffer-bytes"], 9_000);
    assert_eq!(of("\"conga\"", links)["gbit-per-s"], 400);
    assert_eq!(of("\"conga\"\ngbit_per_s = 100", links)["gbit-per-s"], 100);
    let open = parsed(&SMALL.replace("\"let-flow\"\ngap_clocks = 50000", "\"quantised\""));
    assert_eq!(serde_json::to_value(&open.scheme).expect("JSON")["buffer-bytes"], open.bdp_bytes());
}

/// Trimming under ConWeave is possible; a warning says that it is probably unintended.
#[test]
fn conweave_is_not_trimmed_unless_it_is_asked_for() {
    let conweave = SMALL.replace("\"let-flow\"\ngap_clocks = 50000", "\"conweave\"");
    let of = |more: &str| {
        let setup = parsed(&(conweave.clone() + more));
        (setup.trims(), setup.warnings().len())
    };
    assert_eq!(of(""), (false, 0));
    assert_eq!(of("[switch]\ntrim = false\n"), (false, 0));
    assert_eq!(of("[switch]\ntrim = true\n"), (true, 1));
    assert_eq!(of("[switch]\npfc = true\n"), (false, 0));
    assert_eq!(of("[hosts]\nev_mode = \"reps\"\n"), (false, 1));
    assert!(parsed(SMALL).trims());
    assert!(!parsed(&(SMALL.to_owned() + "[switch]\npfc = true\n")).trims());
}
