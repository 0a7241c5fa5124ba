//! The bench for whole NICs (`weft_system::nic`), with a minimal NIC that shows that the traits are usable:
//! it sends and receives, but does not recover losses.

mod toy;

use std::collections::BTreeMap;
use toy::{Bug, Toy, ToyDriver};
use weft_bench::{Broken, Rule};
use weft_system::nic::{
    Breach, DeadPath, Fabric, Figures, HostSettings, Impairments, LinkSettings, Monitored, NicError, Queue,
    Scenario, Wires, Workload,
};
use weft_wire::{CaptureReader, parse};

/// Queues long enough to lose no packet, because the minimal NIC cannot recover.
fn patient() -> Fabric {
    let queue = Queue { bytes: 1 << 24, mark_from: 100_000, mark_all: 400_000, trims: false };
    Fabric { queue, ..Fabric::default() }
}

fn scenario(nics: u32, workload: Workload) -> Scenario {
    Scenario { fabric: patient(), mtu: 1024, patience_clocks: 50_000, ..Scenario::new(nics, workload) }
}

fn run_with(scenario: &Scenario, bug: Option<Bug>) -> Result<Figures, NicError> {
    scenario.run_on(|identity| Ok((Monitored::new(Toy::new(*identity, bug)), ToyDriver::default())), |_| true)
}

fn run(scenario: &Scenario) -> Figures {
    run_with(scenario, None).unwrap_or_else(|error| panic!("{error}"))
}

fn breach(result: Result<Figures, NicError>) -> Breach {
    match result {
        Err(NicError::Fault { fault, .. }) => fault.breach,
        other => panic!("no fault: {other:?}"),
    }
}

const PAIR: Workload = Workload::Pair { messages: 60, bytes: 20_000 };

#[test]
fn messages_go_both_ways_over_every_kind_of_frame() {
    for (v6, tag) in [(false, None), (true, None), (false, Some(7)), (true, Some(0xE001))] {
        let scenario = Scenario { v6, tag, ..scenario(4, PAIR) };
        let plan = scenario.workload.plan(4, 0);
        assert_eq!(plan.messages.len(), 4 * 60);
        let figures = run(&scenario);
        assert_eq!((figures.left, figures.messages.len(), figures.strays), (0, 240, 0));
        let packets = figures.packets;
        assert_eq!((packets.retransmissions, packets.duplicates, packets.bypassed), (0, 0, 0));
        assert_eq!(packets.acks, packets.data);
        let fabric = figures.fabric();
        assert_eq!((fabric.drops, fabric.trims, fabric.dead), (0, 0, 0));
        // Every packet, ACKs too, crosses two queues of a path at most, and one in front of its host.
        let edges: u64 = figures.bins.iter().flat_map(|bin| &bin.hosts).map(|counts| counts.packets).sum();
        assert_eq!(edges, packets.acks + packets.data);
        assert!(figures.messages.iter().all(|times| times.ended > times.posted));
        assert_eq!(figures.bins.iter().map(|bin| bin.delivered).sum::<u64>(), figures.delivered);
    }
}

#[test]
fn all_reduce_over_the_wire_sums() {
    for (nics, stalls) in [(2, 0.0), (3, 0.5), (8, 0.0)] {
        let host = HostSettings { stalls, ..HostSettings::default() };
        let scenario = Scenario { host, ..scenario(nics, Workload::AllReduce { bytes: 100_000 }) };
        let figures = run(&scenario);
        // Each host sends all but one of N chunks twice.
        assert_eq!(figures.delivered, 2 * u64::from(nics - 1) * 100_000);
        assert_eq!(figures.messages.len() as u32, 2 * (nics - 1) * nics);
    }
}

#[test]
fn reordered_and_doubled_frames_arrive_once() {
    let impairments =
        Impairments { duplicate: 0.1, reorder: 0.3, reorder_clocks: 3_000, ..Impairments::default() };
    let link = LinkSettings { impairments, ..LinkSettings::default() };
    let figures = run(&Scenario { link, ..scenario(2, PAIR) });
    let packets = figures.packets;
    assert!(packets.duplicates > packets.data / 10 && figures.links.reordered > 0, "{packets:?}");
}

#[test]
fn an_incast_fills_the_wire_of_its_receiver_and_no_more() {
    let figures = run(&scenario(5, Workload::Incast { bytes: 300_000 }));
    let goodput = figures.goodput_gbps().expect("it ended");
    // 1,024 of 1,130 bytes on the wire are payload; round trip and DMA take a few microseconds of 110.
    assert!((82.0..90.6).contains(&goodput), "{goodput}");
    let hosts = &figures.bins[figures.bins.len() / 2].hosts;
    assert!(hosts[0].marks > 0 && hosts[1].marks == 0);
    let most = figures.goodput_over_time().map(|(_, gbps)| gbps).fold(0.0, f64::max);
    assert!((89.0..91.5).contains(&most), "{most}");
}

#[test]
fn a_slow_path_is_felt_and_a_dead_one_too() {
    let workload = Workload::Permutation { bytes: 200_000 };
    let good = Scenario { fabric: Fabric { paths: 2, ..patient() }, ..scenario(2, workload) };
    let slow =
        Scenario { fabric: Fabric { slow_path: Some(Wires::of_path(1)), ..good.fabric }, ..good.clone() };
    let time = |figures: &Figures| figures.finish_us().expect("it ended");
    let (fast, late) = (run(&good), run(&slow));
    assert!(time(&fast) < time(&late), "{} and {}", time(&fast), time(&late));
    let packets = |figures: &Figures, path: usize| -> u64 {
        figures.bins.iter().map(|bin| bin.paths[path].packets).sum()
    };
    assert!((0..2).all(|path| packets(&fast, path) > 0));

    let dead_path = Some(DeadPath { wires: Wires::of_path(1), from: 3_000, until: 4_000 });
    let dead = Scenario { fabric: Fabric { dead_path, ..good.fabric }, ..good };
    assert!(matches!(breach(run_with(&dead, None)), Breach::Stuck { left: 1.., .. }));
}

#[test]
fn what_is_lost_is_missed() {
    let losses = [
        Impairments { loss: 0.02, ..Impairments::default() },
        Impairments { corrupt: 0.02, ..Impairments::default() },
        Impairments { damage: 0.02, ..Impairments::default() },
    ];
    for impairments in losses {
        let link = LinkSettings { impairments, ..LinkSettings::default() };
        let lossy = Scenario { link, ..scenario(2, PAIR) };
        assert!(matches!(breach(run_with(&lossy, None)), Breach::Stuck { left: 1.., .. }));
    }
    let queue = Queue { bytes: 5_000, trims: true, ..patient().queue };
    let full = Scenario {
        fabric: Fabric { queue, ..patient() },
        ..scenario(5, Workload::Incast { bytes: 100_000 })
    };
    assert!(matches!(breach(run_with(&full, None)), Breach::Stuck { left: 1.., .. }));
}

#[test]
fn everything_follows_from_the_seed() {
    let impairments =
        Impairments { duplicate: 0.1, reorder: 0.3, reorder_clocks: 500, ..Impairments::default() };
    let link = LinkSettings { impairments, ..LinkSettings::default() };
    let host = HostSettings { stalls: 0.2, ..HostSettings::default() };
    let of = |seed| run(&Scenario { seed, link, host, ..scenario(2, PAIR) });
    let first = of(1);
    assert_eq!(first, of(1));
    assert_ne!(first, of(2));
}

#[test]
fn a_nic_that_breaks_a_promise_is_caught() {
    type Is = fn(&Breach) -> bool;
    let bugs: [(Bug, Is); 10] = [
        (Bug::WrongPlace, |it| matches!(it, Breach::Misplaced { .. })),
        (Bug::WritesTwice, |it| matches!(it, Breach::WrittenTwice { .. })),
        (Bug::WrongByte, |it| matches!(it, Breach::WrongData { .. })),
        (Bug::EarlyReceived, |it| matches!(it, Breach::Incomplete { .. })),
        (Bug::LostReceived, |it| matches!(it, Breach::Received { .. } | Breach::Stuck { .. })),
        (Bug::SentTwice, |it| matches!(it, Breach::Sent { .. })),
        (Bug::LongFetch, |it| matches!(it, Breach::Fetch { .. })),
        (Bug::Unstable, |it| {
            matches!(it, Breach::Port(Broken { port: "m_axis_write", rule: Rule::Withdrawn, .. }))
        }),
        (Bug::Gap, |it| matches!(it, Breach::Port(Broken { port: "m_axis_net", rule: Rule::Gap, .. }))),
        (Bug::RefusesRegister, |it| matches!(it, Breach::Register { response: 2, .. })),
    ];
    let host = HostSettings { stalls: 0.3, ..HostSettings::default() };
    for (bug, is_it) in bugs {
        let found = breach(run_with(&Scenario { host, ..scenario(2, PAIR) }, Some(bug)));
        assert!(is_it(&found), "{bug:?}: {found}");
    }
}

#[test]
fn captures_hold_what_crossed_the_ports() {
    let folder = tempfile::tempdir().expect("a folder");
    let capture = Some(folder.path().join("run"));
    let figures = run(&Scenario { capture, seed: 77, ..scenario(2, PAIR) });
    let mut by_opcode = BTreeMap::new();
    for nic in 0..2 {
        let path = folder.path().join(format!("run/nic{nic}.pcapng"));
        let file = std::io::BufReader::new(std::fs::File::open(&path).expect("it was written"));
        let mut reader = CaptureReader::new(file, "it").expect("a capture");
        let mut last_ns = 0;
        for frame in reader.by_ref() {
            let frame = frame.expect("a frame");
            assert!(frame.time_ns >= last_ns && frame.time_ns % 4 == 0);
            last_ns = frame.time_ns;
            *by_opcode.entry(parse(&frame.data).expect("ours").bth.opcode()).or_insert(0) += 1;
        }
        let comment = reader.comments().join("\n");
        assert!(comment.contains("seed=77") && comment.contains("\"pair\""), "{comment}");
    }
    // Each frame crosses two ports.
    assert_eq!(by_opcode[&0x11], 2 * figures.packets.acks);
    assert_eq!(by_opcode[&0x0A] + by_opcode[&0x0B], 2 * figures.packets.data);
}

#[test]
fn a_run_can_be_stopped_and_what_is_impossible_is_refused() {
    let scenario = scenario(2, Workload::Permutation { bytes: 1 << 20 });
    let mut looks = 0;
    let make = |identity: &_| Ok((Toy::new(*identity, None), ToyDriver::default()));
    let figures = scenario
        .run_on(make, |figures| {
            looks += 1;
            figures.delivered < 1_000_000
        })
        .expect("no fault");
    assert!(looks > 2 && figures.finish.is_none() && figures.left > 0 && figures.delivered >= 1_000_000);

    let refused = [
        (
            Scenario { mtu: 1000, ..scenario.clone() },
            "mtu 1000 is not possible; use a power of two, 256 to 8192",
        ),
        (
            Scenario {
                fabric: Fabric { slow_path: Some(Wires::of_path(8)), ..patient() },
                ..scenario.clone()
            },
            "slow or cut path is not possible; use a path and a leaf of the fabric",
        ),
        (Scenario { nics: 1, ..scenario.clone() }, "workload is not possible; use 2 to 128 NICs"),
    ];
    for (scenario, message) in refused {
        let error = run_with(&scenario, None).expect_err(message);
        assert_eq!(error.to_string(), message);
    }
}
