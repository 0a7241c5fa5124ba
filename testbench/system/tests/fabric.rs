//! NICs on a fabric of switch pipelines (`weft_system::fabric`). A completed run shows that every byte was
//! written to its place once, because the bench checks this.

use std::path::Path;
use std::sync::OnceLock;
use weft_nic::nic::{Inputs, Outputs};
use weft_params::{EvMode, SackParams};
use weft_system::fabric::{Balance, Report, Setup, SwitchFigures, SwitchView};
use weft_system::nic::{
    AnyNic, Device, DeviceError, Identity, Maker, NicError, RegisterDriver, View, configuration,
};

const CONNECTIONS: u32 = 16;

/// The Verilog, built once.
fn rtl() -> &'static Maker {
    static MAKER: OnceLock<Maker> = OnceLock::new();
    MAKER.get_or_init(|| Maker::new(SackParams { connections: CONNECTIONS }, true).expect("the RTL is built"))
}

fn models() -> Maker {
    Maker::new(SackParams { connections: CONNECTIONS }, false).expect("a model needs nothing")
}

/// The setup of a file with these lines.
fn setup(text: &str) -> Setup {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), text).expect("it is written");
    let mut setup = Setup::read(file.path()).unwrap_or_else(|error| panic!("{error}"));
    setup.hosts.connections = CONNECTIONS;
    setup
}

fn leaf_spine(scheme: &str, workload: &str) -> Setup {
    setup(&format!(
        "topology = {{ kind = 'leaf-spine', leaves = 2, spines = 2, hosts_per_leaf = 2 }}\n\
         scheme = {{ name = '{scheme}' }}\nworkload = {{ {workload} }}\n"
    ))
}

fn fat_tree(scheme: &str, workload: &str) -> Setup {
    setup(&format!(
        "topology = {{ kind = 'fat-tree', k = 4, hosts_per_edge = 1 }}\n\
         scheme = {{ name = '{scheme}' }}\nworkload = {{ {workload} }}\n"
    ))
}

/// Cuts a link for a time. Routing reacts after `converge_us`, if given.
fn cut(setup: &mut Setup, a: &str, b: &str, from_us: f64, until_us: f64, converge_us: Option<f64>) {
    let cut = weft_system::fabric::Cut { a: a.into(), b: b.into(), from_us, until_us: Some(until_us) };
    setup.cuts.push(cut);
    setup.routing.converge_us = converge_us;
    setup.check().expect("it can be");
}

fn run(setup: &Setup) -> Report {
    let models = models();
    let maker = if setup.hosts.view == View::Model { &models } else { rtl() };
    let report = setup.run(maker, |_| true);
    report.unwrap_or_else(|error| panic!("{}: {error}", setup.scheme_name()))
}

fn sum(report: &Report, of: impl Fn(&SwitchFigures) -> u64) -> u64 {
    report.switches.iter().map(of).sum()
}

fn counter(report: &Report, name: &str) -> u64 {
    let of = |switch: &SwitchFigures| {
        switch.scheme.iter().filter(|(other, _)| other == name).map(|(_, count)| *count).sum()
    };
    sum(report, of)
}

const SCHEMES: [&str; 12] = [
    "ecmp",
    "wecmp",
    "rsq",
    "round-robin",
    "permuted-round-robin",
    "jsq",
    "quantised",
    "drill",
    "let-flow",
    "conga",
    "ofan",
    "conweave",
];

#[test]
fn every_scheme_carries_a_permutation_and_an_incast() {
    for scheme in SCHEMES {
        for workload in ["kind = 'permutation', bytes = 60000", "kind = 'incast', bytes = 30000"] {
            // CONGA supports two tiers only.
            let tree = (scheme != "conga").then(|| fat_tree(scheme, workload));
            for setup in [leaf_spine(scheme, workload)].into_iter().chain(tree) {
                let report = run(&setup);
                let figures = &report.figures;
                let of = format!("{scheme}, {workload}, {} hosts", setup.nics());
                assert_eq!((figures.left, figures.strays), (0, 0), "{of}");
                let bytes = if workload.contains("incast") {
                    u64::from(setup.nics() - 1) * 30_000
                } else {
                    u64::from(setup.nics()) * 60_000
                };
                assert_eq!(figures.delivered, bytes, "{of}");
                // ConWeave's programs end its replies and notices. All other packets reach a host.
                let ended = sum(&report, |switch| switch.program.dropped);
                assert!(ended == 0 || scheme == "conweave", "{of}: {ended}");
                assert_eq!(figures.fabric().dead, 0, "{of}");
                // The goodput is no higher than the wires allow.
                assert!(figures.goodput_gbps().expect("it ended") < 100.0 * f64::from(setup.nics()), "{of}");
                let first = figures.finish.expect("it ended") - figures.begin.expect("it began");
                assert!(first > setup.ideal_clocks(0, 1, 30_000) / 2, "{of}: {first}");
            }
        }
    }
}

/// OFAN and round robin load all wires up of a tier equally.
#[test]
fn switches_that_rotate_use_all_wires_alike() {
    let workload = "kind = 'permutation', bytes = 400000";
    let spread = |scheme: &str| {
        let mut setup = leaf_spine(scheme, workload);
        setup.hosts.ev_mode = Some(weft_params::EvMode::Fixed);
        let report = run(&setup);
        let leaves = report.switches.iter().filter(|switch| switch.name.starts_with("leaf"));
        let Balance { least, mean, most } = Balance::of(leaves).expect("leaves have wires up");
        assert!(mean > 300_000);
        (most - least) as f64 / mean as f64
    };
    let (ofan, ecmp) = (spread("ofan"), spread("ecmp"));
    assert!(ofan < 0.05 && ecmp > 0.4, "OFAN {ofan}, ECMP {ecmp}");
}

/// A link is cut during the run. In lockstep there is no mismatch, and all messages arrive.
#[test]
fn conweave_in_lockstep_with_a_link_cut() {
    for converge_us in [None, Some(15.0)] {
        let mut setup = leaf_spine("conweave", "kind = 'permutation', bytes = 200000");
        cut(&mut setup, "leaf-0", "spine-1", 12.0, 60.0, converge_us);
        cut(&mut setup, "leaf-1", "spine-0", 62.0, 90.0, converge_us);
        setup.hosts.view = View::Lockstep;
        let report = run(&setup);
        assert_eq!(report.figures.left, 0);
        let lost = sum(&report, SwitchFigures::lost);
        assert!(lost > 0 && report.figures.packets.retransmissions > 0, "{lost} lost");
        assert!(counter(&report, "source_request") > 10 && counter(&report, "reply_accepted") > 0);
    }
}

#[test]
fn ofan_in_lockstep_with_a_link_cut() {
    for converge_us in [None, Some(10.0)] {
        let mut setup = fat_tree("ofan", "kind = 'permutation', bytes = 100000");
        cut(&mut setup, "agg-0", "core-1", 12.0, 40.0, converge_us);
        cut(&mut setup, "edge-3", "agg-2", 15.0, 30.0, converge_us);
        setup.hosts.view = View::Lockstep;
        let report = run(&setup);
        assert_eq!(report.figures.left, 0);
        let lost = sum(&report, SwitchFigures::lost);
        assert!(lost > 0 && report.figures.packets.retransmissions > 0, "{lost} lost");
    }
}

/// After routing has learned of a cut link, no packet uses that link.
#[test]
fn routing_goes_around_a_link_that_is_cut() {
    for scheme in ["ecmp", "round-robin", "ofan", "conweave"] {
        let lost = |converge_us| {
            let mut setup = leaf_spine(scheme, "kind = 'permutation', bytes = 200000");
            cut(&mut setup, "leaf-0", "spine-1", 0.0, 100.0, converge_us);
            sum(&run(&setup), SwitchFigures::lost)
        };
        let (never, at_once) = (lost(None), lost(Some(0.0)));
        assert!(at_once == 0 && never > 0, "{scheme}: {never} lost, {at_once} with routing");
    }
}

/// A link is cut in the middle of flows. Connections leave the link at once, and not only when their replies
/// are late. Packets in queues of the link are lost when routing reacts, and no packet after that.
#[test]
fn connections_leave_a_link_that_is_cut() {
    for scheme in ["ecmp", "conweave"] {
        let mut setup = setup(&format!(
            "topology = {{ kind = 'leaf-spine', leaves = 4, spines = 4, hosts_per_leaf = 4 }}\n\
             scheme = {{ name = '{scheme}' }}\nworkload = {{ kind = 'permutation', bytes = 100000 }}\n\
             hosts = {{ ev_mode = 'fixed' }}\n"
        ));
        cut(&mut setup, "leaf-1", "spine-2", 12.0, 1e6, Some(5.0));
        let report = run(&setup);
        let lost: Vec<u64> =
            report.figures.bins.iter().map(|bin| bin.paths.iter().map(|path| path.dead).sum()).collect();
        // Bins of 10 us. Routing reacts at 17 us, and a queue of a BDP empties in 8 us.
        let (before, after) = lost.split_at(3);
        assert!(before.iter().sum::<u64>() > 5, "{scheme}: {lost:?}");
        assert_eq!(after.iter().sum::<u64>(), 0, "{scheme}: {lost:?}");
    }
}

/// Fifteen hosts send to one with trimming. Trimmed packets wait ahead of data under every scheme, so none of
/// them is dropped (page of the schemes, rule 4).
#[test]
fn trimmed_packets_and_acks_go_first_under_every_scheme() {
    for scheme in ["ecmp", "ofan", "conweave"] {
        let mut setup = setup(&format!(
            "topology = {{ kind = 'leaf-spine', leaves = 4, spines = 4, hosts_per_leaf = 4 }}\n\
             scheme = {{ name = '{scheme}' }}\nworkload = {{ kind = 'incast', bytes = 100000 }}\n"
        ));
        setup.switch.trim = Some(true);
        let report = run(&setup);
        let (trims, nacks) = (sum(&report, |switch| switch.trims), report.figures.packets.nacks);
        assert!(trims > 100 && nacks == trims, "{scheme}: {trims} trimmed, {nacks} NACKs");
        assert_eq!(sum(&report, SwitchFigures::dropped), 0, "{scheme}");
    }
}

/// Files of a folder by name.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let mut files: Vec<_> = entries
        .map(|entry| {
            let bytes = std::fs::read(entry.path()).expect("a file");
            (entry.file_name().into_string().expect("a name"), bytes)
        })
        .collect();
    files.sort();
    files
}

#[test]
fn everything_follows_from_the_seed_with_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let of = |name: &str, seed, threads| {
        let mut setup = fat_tree("conweave", "kind = 'allreduce', bytes = 40000");
        cut(&mut setup, "edge-0", "agg-1", 12.0, 30.0, Some(10.0));
        setup.capture = Some(folder.path().join(name));
        (setup.seed, setup.threads) = (seed, threads);
        (run(&setup), files(&folder.path().join(name)))
    };
    let first = of("first", 5, 1);
    assert_eq!(first.1.len(), 8);
    for (name, threads) in [("again", 1), ("two", 2), ("three", 3)] {
        let (report, captures) = of(name, 5, threads);
        assert_eq!(report, first.0, "{name}");
        assert!(captures == first.1, "{name}: captures differ");
    }
    let other = of("other", 6, 2);
    assert!(other.0 != first.0 && other.1 != first.1);
}

/// With one stage at a time or all stages at once, bytes, counters and clocks are the same.
#[test]
fn both_views_of_switches_give_the_same() {
    for scheme in ["conweave", "ofan", "drill", "let-flow"] {
        let of = |view| {
            let mut setup = leaf_spine(scheme, "kind = 'incast', bytes = 60000");
            cut(&mut setup, "leaf-0", "spine-1", 12.0, 30.0, None);
            setup.switch.view = view;
            run(&setup)
        };
        assert_eq!(of(SwitchView::Clocked), of(SwitchView::Transaction), "{scheme}");
    }
}

/// With PFC no packet is dropped although eight hosts send to one. Without PFC and trimming many packets are
/// dropped.
#[test]
fn pfc_loses_nothing() {
    let of = |pfc| {
        let mut setup = fat_tree("rsq", "kind = 'incast', bytes = 200000");
        (setup.switch.pfc, setup.switch.trim) = (pfc, Some(false));
        setup.switch.buffer_bytes = if pfc { 600_000 } else { 120_000 };
        run(&setup)
    };
    let (lossless, lossy) = (of(true), of(false));
    let pauses = sum(&lossless, |switch| switch.pauses[0]);
    assert!(pauses > 0 && sum(&lossless, SwitchFigures::dropped) == 0, "{pauses} pauses");
    assert_eq!(lossless.figures.packets.retransmissions, 0);
    assert!(sum(&lossy, SwitchFigures::dropped) > 0);
}

/// The examples that are shipped can be read.
#[test]
fn examples_can_be_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fabrics");
    let mut read = 0;
    for (name, _) in files(&folder).into_iter().filter(|(name, _)| name.ends_with(".toml")) {
        Setup::read(&folder.join(&name)).unwrap_or_else(|error| panic!("{error}"));
        read += 1;
    }
    assert!(read >= 4, "{read} examples");
}

/// A NIC that reports a message which no host has sent.
struct Liar {
    device: AnyNic,
    outputs: Outputs,
    clock: u64,
}

/// Clock of the false report. Packets are in transit at that time.
const LIE_CLOCK: u64 = 6_000;

impl Device for Liar {
    fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    fn clock(&mut self, inputs: &Inputs) -> Result<(), DeviceError> {
        self.device.clock(inputs)?;
        self.outputs = *self.device.outputs();
        self.clock += 1;
        if self.clock == LIE_CLOCK {
            (self.outputs.received.valid, self.outputs.received.word.message) = (true, 99);
        }
        Ok(())
    }
}

#[test]
fn a_run_that_fails_says_what_its_switches_did_until_then() {
    let setup = leaf_spine("ecmp", "kind = 'permutation', bytes = 200000");
    let models = models();
    let make = |identity: &Identity| {
        let csr = configuration(identity, EvMode::Reps).expect("they can be");
        let device = models.device(View::Model, 1)?;
        let outputs = *device.outputs();
        Ok((Liar { device, outputs, clock: 0 }, RegisterDriver::new(identity, &csr)))
    };
    let (report, failure) = setup.run_on(make, |_| true).expect("it begins");
    assert!(matches!(failure, Some(NicError::Fault { .. })), "{failure:?}");
    let json = serde_json::to_value(&report).expect("JSON");
    let switches = json["switches"].as_array().expect("switches");
    let packets: Vec<u64> =
        switches.iter().map(|switch| switch["program"]["received"].as_u64().expect("a count")).collect();
    assert!(packets.len() == 4 && packets.iter().all(|count| *count > 0), "{json}");
    assert_eq!(json["figures"]["left"], 4);
}
