//! The Verilog at hosts of `weft sim` (`weft_system::placed`): its decisions, writes and times, compared with
//! the transaction view in the same fabric.

mod loads;
mod plant;

use plant::{Plant, Planted};
use std::sync::OnceLock;
use weft_fabric::events::{Chosen, What};
use weft_fabric::plan::Plan;
use weft_fabric::report::FlowRow;
use weft_fabric::simulate::Engine;
use weft_params::SackParams;
use weft_system::nic::{Device, Maker, View};
use weft_system::placed::{Difference, Placing, Run};

const CONNECTIONS: u32 = 16;

/// The Verilog, built once.
fn rtl() -> &'static Maker {
    static MAKER: OnceLock<Maker> = OnceLock::new();
    MAKER.get_or_init(|| Maker::new(SackParams { connections: CONNECTIONS }, true).expect("the RTL is built"))
}

/// A plan of eight hosts below four leaves: a file with these lines, and keys set.
fn plan(text: &str, sets: &[&str]) -> Plan {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let topology = "topology = { kind = 'leaf-spine', leaves = 4, spines = 2, hosts_per_leaf = 2 }\n\
                    scheme = { name = 'ecmp' }\n";
    std::fs::write(file.path(), format!("{topology}{text}")).expect("it is written");
    let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
    Plan::read(file.path(), &sets).unwrap_or_else(|error| panic!("{error}"))
}

fn run(plan: &Plan, hosts: &[u32], engine: Engine) -> Run {
    let placing = Placing::new(plan, hosts.iter().copied()).unwrap_or_else(|error| panic!("{error}"));
    let run =
        placing.run(engine, (rtl(), View::Rtl), &mut |_| true).unwrap_or_else(|error| panic!("{error}"));
    if let Some(fault) = &run.fault {
        panic!("{fault}");
    }
    assert_eq!(run.report.violations, Vec::<String>::new());
    run
}

/// Words of 64 bytes, and nanoseconds of a clock.
const WORD: u64 = 64;
const CLOCK_NS: f64 = 4.0;

#[test]
fn light_loads_are_decided_alike_and_the_bytes_are_right() {
    // Five packets, the last of 3,616 bytes. No packet waits.
    let plan = plan("workload = { kind = 'permutation', bytes = 20000 }", &[]);
    let without = run(&plan, &[], Engine::Windows);
    let with = run(&plan, &[0, 1, 2, 3, 4, 5, 6, 7], Engine::Windows);
    assert_eq!((without.written, with.written, with.sent), (0, 160_000, 160_000));
    let difference = with.differs(&without);
    assert!(is_alike(&difference) && is_as_late_as_known(&difference), "{difference:?}");
    assert_eq!((difference.answering, difference.same_answers, difference.same_packets), (8, 8, 40));
    // Only hosts with clocks count stalled clocks.
    let mut counters = with.report.counters;
    let holds = counters.extract_if(.., |name, _| name.starts_with("holds_")).count();
    assert!(holds > 0);
    assert_eq!(counters, without.report.counters);
}

/// Whether all packets of the run above are the same, in the same order.
fn is_alike(difference: &Difference) -> bool {
    (difference.connections, difference.same, difference.packets) == (8, 8, 40)
}

/// Whether the difference is the known one: the NIC stores all words of a packet before it sends the packet,
/// and writes all words to memory before the completion.
fn is_as_late_as_known(difference: &Difference) -> bool {
    let clocks = (4096 / WORD + 3616u64.div_ceil(WORD)) as f64;
    let is_known = |more: f64| (more / CLOCK_NS - clocks).abs() <= 6.0;
    difference.fct_ns.is_some_and(|it| is_known(it.least) && is_known(it.most))
}

#[test]
fn faults_are_found() {
    let plan = plan("workload = { kind = 'permutation', bytes = 20000 }", &[]);
    let without = run(&plan, &[], Engine::Windows);
    let all = 0..8;
    let placing = Placing::new(&plan, all).unwrap_or_else(|error| panic!("{error}"));
    // Host 3 has the fault.
    let run = |plant: Option<Plant>| {
        let make = |number: u32| {
            let device: Box<dyn Device + Send> = Box::new(rtl().device(View::Rtl, number.into())?);
            Ok(match plant.filter(|_| number == 3) {
                Some(plant) => Box::new(Planted::new(device, plant)) as Box<dyn Device + Send>,
                None => device,
            })
        };
        placing
            .run_on(Engine::Windows, rtl().params().blocks(), &make, &mut |_| true)
            .unwrap_or_else(|error| panic!("{error}"))
    };
    let told = |plant: Plant| run(Some(plant)).fault.map(|fault| fault.to_string()).unwrap_or_default();
    let differs = |plant: Option<Plant>| {
        let with = run(plant);
        assert!(with.fault.is_none(), "{plant:?}: {:?}", with.fault);
        with.differs(&without)
    };
    // A wrong byte in memory; in frames a wrong connection of the peer, and a wrong address.
    for (plant, says) in [
        (Plant::Written, "NIC 3: message "),
        (Plant::Frame(49), "NIC 3: a frame of 4178 bytes leaves that no peer takes"),
        (Plant::Frame(61), "NIC 3: connection "),
    ] {
        let told = told(plant);
        assert!(told.contains(says), "{plant:?}: {told}");
    }
    // The lowest bits of PSN and entropy value are decisions.
    for plant in [Plant::Frame(53), Plant::Frame(35)] {
        let difference = differs(Some(plant));
        assert!(!is_alike(&difference), "{plant:?}: {difference:?}");
    }
    // Only the completion is late.
    let difference = differs(Some(Plant::Late(50)));
    assert!(is_alike(&difference) && !is_as_late_as_known(&difference), "{difference:?}");
    let difference = differs(None);
    assert!(is_alike(&difference) && is_as_late_as_known(&difference), "{difference:?}");
}

#[test]
fn a_long_flow_takes_as_long_within_half_a_percent() {
    let plan = plan("workload = { kind = 'incast', bytes = 2000000, senders = 1 }", &[]);
    let without = run(&plan, &[], Engine::Windows);
    let with = run(&plan, &[0, 4], Engine::Windows);
    let difference = with.differs(&without);
    assert_eq!((with.written, with.sent), (2_000_000, 2_000_000));
    assert_eq!((with.report.summary.again, difference.packets), (0, 489));
    // From this point on the NIC has chosen packets ahead of ACKs that the transaction view has already
    // handled.
    assert!(difference.same_packets >= 25, "{difference:?}");
    let more = difference.fct_percent.expect("it has ended");
    assert!(0.0 < more.least && more.most < 0.5, "{difference:?}");
}

#[test]
fn what_is_marked_trimmed_damaged_and_slow_comes_through_in_both_engines() {
    let text = "workload = { kind = 'incast', bytes = 100000, senders = 4 }\n\
                corrupt = [{ a = 'spine-0', b = 'leaf-0', ber = 1e-6 }]\n\
                degrade = [{ a = 'host-4', b = 'leaf-2', gbps = 40 }]\n";
    let json = |sets: &[&str], engine: Engine| {
        let run = run(&plan(text, sets), &[0, 4, 5], engine);
        let summary = &run.report.summary;
        assert_eq!((summary.finished, run.written), (4, 400_000));
        assert!(summary.trims > 0 && summary.marks > 0 && summary.losses.corrupt > 0, "{summary:?}");
        assert!(summary.again > 0 && run.sent > 200_000, "{summary:?}");
        (serde_json::to_string(&run.report).expect("JSON"), run.decisions)
    };
    let windows = json(&[], Engine::Windows);
    assert_eq!(windows, json(&["threads=2"], Engine::Windows));
    assert_eq!(windows, json(&[], Engine::Heap));
}

/// Compares the rows of flows, derived from the ports, with the NICs' counters, read from their registers.
#[test]
fn rows_say_why_packets_are_as_they_are() {
    let incast = "workload = { kind = 'incast', bytes = 300000, senders = 4 }\n";
    let permutation = "workload = { kind = 'permutation', bytes = 600000 }\n";
    let all_to_all = "workload = { kind = 'alltoall', bytes = 60000, window = 7 }\n";
    let fail = "fail=[{ switch = 'spine-0', from_us = 15, until_us = 400 }, \
                { switch = 'spine-1', from_us = 15, until_us = 150 }]";
    let corrupt = "corrupt=[{ a = 'leaf-0', b = 'spine-0', ber = 1e-6 }]";
    let [short, dropping] = ["switch.queue_bytes=40000", "switch.trim=false"];
    let mut seen = [0; 9];
    for (text, sets) in [
        (incast, &[short, "hosts.rto_us=30"][..]),
        (incast, &[short, dropping, "hosts.gap=16", "hosts.rto_us=40"]),
        (permutation, &[fail, "hosts.rto_us=25"]),
        (all_to_all, &[corrupt, "hosts.pair_connections=1", "hosts.ack_packets=4", "hosts.rto_us=25"]),
    ] {
        let mut plan = plan(text, sets);
        plan.note(Chosen::default()).unwrap_or_else(|error| panic!("{error}"));
        let report = run(&plan, &[0, 1, 2, 3, 4, 5, 6, 7], Engine::Windows).report;
        // The events are those of the Verilog.
        let noted = |is: fn(&What) -> bool| report.events.iter().filter(|event| is(&event.what)).count();
        let packets: u32 = report.flows.iter().map(|row| row.packets).sum();
        assert_eq!(noted(|it| matches!(it, What::PacketSent { .. })), packets as usize, "{sets:?}");
        let freezes: u32 = report.flows.iter().map(|row| row.freezes).sum();
        assert_eq!(noted(|it| *it == What::FreezeBegan), freezes as usize, "{sets:?}");
        let row = |it: &FlowRow| {
            let FlowRow { by_nack, by_verdict, by_timeout, by_probe, again, .. } = *it;
            [
                by_nack,
                by_verdict,
                by_timeout,
                by_probe,
                again,
                it.explored,
                it.recycled,
                it.reused,
                it.freezes,
            ]
        };
        let sum = |all: [u64; 9], it: [u32; 9]| std::array::from_fn(|at| all[at] + u64::from(it[at]));
        let rows = report.flows.iter().map(row).fold([0; 9], sum);
        let lost = ["recovery_lost_by_nack", "recovery_lost_by_verdict", "recovery_lost_by_timeout"];
        let rest = ["sender_probes", "recovery_again", "paths_explored", "paths_recycled", "paths_reused"];
        let names = lost.into_iter().chain(rest).chain(["paths_freezes"]);
        let counted: Vec<u64> =
            names.map(|name| report.counters.get(name).copied().unwrap_or_default()).collect();
        let told = || format!("{sets:?}: {rows:?}, counted {counted:?}");
        // A packet that a timeout or a late epoch found lost may be acknowledged before its turn comes. All
        // other lost packets leave again.
        for at in [0, 4, 8] {
            assert_eq!(rows[at], counted[at], "{}", told());
        }
        // With dead spines, an EPOCH that is late by three epochs looks on the wire like a PROBE.
        let (unsent, alike) = (counted[1] - rows[1], rows[3].abs_diff(counted[3]));
        let most = if sets.contains(&fail) { [counted[1] / 50, counted[3] / 10] } else { [0, 0] };
        assert!(unsent <= most[0] && alike <= most[1], "{}", told());
        assert!(rows[2] <= counted[2] && rows[..4].iter().sum::<u64>() == rows[4], "{}", told());
        // The NIC may have chosen a packet before the ACK that seems to have brought its entropy value.
        let packets = counted[5..8].iter().sum::<u64>();
        assert_eq!(rows[5..8].iter().sum::<u64>(), packets, "{}", told());
        for at in 5..8 {
            assert!(100 * rows[at].abs_diff(counted[at]) <= packets, "{}", told());
        }
        seen = std::array::from_fn(|at| seen[at] + rows[at]);
    }
    assert!(seen.iter().all(|count| *count > 2), "{seen:?}");
}

#[test]
fn what_cannot_be_is_told() {
    let workload = "workload = { kind = 'permutation', bytes = 20000 }";
    let why = |sets: &[&str], host: u32| match Placing::new(&plan(workload, sets), [host]) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{sets:?} can be"),
    };
    assert_eq!(why(&[], 8), "there is no host 8: use 0 to 7");
    for (sets, key) in [
        (&["hosts.baseline={ kind = 'dctcp' }"][..], "hosts.baseline: "),
        (&["hosts.probe={ every_us = 100, count = 2 }"], "hosts.probe: "),
        (&["topology.order=[0, 2, 1, 3, 4, 5, 6, 7]"], "topology.order: "),
        (&["hosts.clock_ns=0"], "hosts.clock_ns: 0 is not possible"),
        (&["hosts.clock_ns=3"], "hosts.clock_ns: a tick of "),
        (
            &["links.host_gbps=400"],
            "links.host_gbps: 400 is more than 64 bytes in 4 ns, 128; use hosts.clock_ns=1, or ",
        ),
        (&["links.host_latency_ns=10", "switch.latency_ns=0"], "links.host_latency_ns: "),
    ] {
        let said = why(sets, 0);
        assert!(said.starts_with(key), "{said}");
    }
}
