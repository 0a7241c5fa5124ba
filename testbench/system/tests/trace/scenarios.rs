//! The shipped traces are made again byte for byte, replayed exactly, and checked for the effects that they
//! show.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use weft_nic::block::reps::{Event, Kind, Outcome, Reps, Source};
use weft_params::{EvMode, RepsCsr};
use weft_system::scenario::{Run, Scenario, Settings, path_of};
use weft_system::trace::{FaultKind, Options, TimedEvent, Trace, decisions, write_csv};

fn shipped(scenario: Scenario) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join(format!("traces/reps_{scenario}.pcapng"))
}

fn replay(trace: &Trace) -> Vec<TimedEvent> {
    let provenance = trace.provenance();
    trace.events(&mut Reps::new(provenance.params().unwrap(), provenance.csr().unwrap())).unwrap()
}

fn sends(events: &[TimedEvent]) -> impl Iterator<Item = &TimedEvent> {
    events.iter().filter(|timed| timed.event.kind == Kind::Send)
}

fn outcomes(events: &[TimedEvent]) -> Vec<Outcome> {
    events.iter().map(|timed| timed.outcome).collect()
}

/// Data packets that got the EV of the trace, and all data packets.
fn agreement(events: &[TimedEvent]) -> (usize, usize) {
    let same = sends(events).filter(|timed| timed.recorded_ev == Some(timed.outcome.ev)).count();
    (same, sends(events).count())
}

fn run(scenario: Scenario, change: impl FnOnce(&mut Settings)) -> Run {
    let mut settings = scenario.settings();
    change(&mut settings);
    settings.run().unwrap()
}

#[test]
fn the_shipped_traces_are_made_again_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    for scenario in Scenario::ALL {
        let again = folder.path().join("again.pcapng");
        run(scenario, |_| ()).save(&again).unwrap();
        let (again, shipped) = (fs::read(again).unwrap(), fs::read(shipped(scenario)).unwrap());
        assert!(
            again == shipped,
            "run: weft trace gen --scenario {scenario} --out traces/reps_{scenario}.pcapng"
        );
        assert!(shipped.len() < 700_000, "{scenario}: {} bytes", shipped.len());
    }
}

#[test]
fn a_replay_chooses_every_recorded_ev() {
    for scenario in Scenario::ALL {
        let trace = Trace::open(shipped(scenario), &Options::default()).unwrap();
        let events = replay(&trace);
        let (same, packets) = agreement(&events);
        assert_eq!(packets, trace.summary().data);
        assert!(packets > 1_500);
        assert_eq!(same, packets, "{scenario}");
        // The rewritten trace therefore equals the trace.
        assert_eq!(trace.rewrite(&events, &outcomes(&events)).unwrap(), trace.frames());
    }
}

#[test]
fn another_seed_chooses_others() {
    for scenario in Scenario::ALL {
        let options = Options { seed: Some(2), ..Options::default() };
        let trace = Trace::open(shipped(scenario), &options).unwrap();
        let (same, packets) = agreement(&replay(&trace));
        assert!(same < packets, "{scenario}: {same} of {packets}");
    }
}

#[test]
fn other_seeds_and_modes_replay_exactly_too() {
    let reps = EvMode::Reps;
    let cases = [
        (reps, false, false),
        (reps, false, true),
        (reps, true, true),
        (EvMode::Ops, true, false),
        (EvMode::Fixed, true, false),
        (EvMode::Reps2024, true, false),
    ];
    for (seed, (mode, trimming, thaw_reset)) in (2..).zip(cases) {
        for scenario in Scenario::ALL {
            let run = run(scenario, |settings| {
                settings.seed = 0x9E37_0000 + seed;
                settings.csr = RepsCsr { mode, trimming, thaw_reset, ..settings.csr };
                settings.slowdown = 6;
            });
            let trace = Trace::of_frames("run", run.frames, vec![run.comment], &Options::default()).unwrap();
            let events = replay(&trace);
            // The EV of an Open counts for fixed connections only. A trace of other connections does not have
            // this EV.
            let given = |event: Event| match event.kind {
                Kind::Open if mode != EvMode::Fixed => Event { ev: 0, ..event },
                _ => event,
            };
            let told = events.iter().map(|timed| given(timed.event));
            assert!(told.eq(run.events.iter().map(|event| given(*event))), "{scenario} {mode:?}");
            let (same, packets) = agreement(&events);
            assert_eq!(same, packets, "{scenario} {mode:?} {trimming}");
            assert_eq!(packets, run.stats.sent);
        }
    }
}

#[test]
fn the_summary_counts_what_the_fabric_did() {
    for scenario in Scenario::ALL {
        let run = run(scenario, |_| ());
        let trace = Trace::open(shipped(scenario), &Options::default()).unwrap();
        let sum = trace.summary();
        assert_eq!(sum.data, run.stats.sent);
        assert_eq!(sum.retransmissions, run.stats.retransmissions);
        assert_eq!(sum.timeouts, run.stats.retransmissions);
        assert_eq!(sum.acks, run.stats.sent - run.stats.lost);
        assert_eq!(sum.ecn.echoed, run.stats.marked);
        assert_eq!((sum.unpaired, sum.malformed), (0, 0));
        assert_eq!(sum.icrc.valid, sum.frames);
        assert_eq!(sum.connections.len(), 4);
        // PSNs of the second connection wrap.
        let wraps = &sum.connections[1];
        assert!(wraps.first_psn as usize + wraps.packets - wraps.retransmissions > 1 << 24);
    }
}

#[test]
fn in_a_healthy_fabric_reps_recycles() {
    let trace = Trace::open(shipped(Scenario::Healthy), &Options::default()).unwrap();
    let events = replay(&trace);
    let recycled = sends(&events).filter(|timed| timed.outcome.source == Source::Recycled).count();
    assert!(recycled * 10 > sends(&events).count() * 9, "{recycled}");
    assert!(events.iter().all(|timed| !timed.outcome.turned));
}

#[test]
fn a_congested_path_is_left() {
    let trace = Trace::open(shipped(Scenario::Congested), &Options::default()).unwrap();
    let fault = trace.provenance().fault.unwrap();
    assert_eq!(fault.kind, FaultKind::Slow);
    let on_path = |run: &Run| {
        let trace =
            Trace::of_frames("run", run.frames.clone(), vec![run.comment.clone()], &Options::default());
        let events = replay(&trace.unwrap());
        let during = sends(&events)
            .filter(|timed| (fault.from_ns..fault.until_ns).contains(&timed.time_ns))
            .map(|timed| path_of(timed.outcome.ev, 8));
        let (on, all): (usize, usize) =
            during.fold((0, 0), |(on, all), path| (on + usize::from(path == fault.path), all + 1));
        on as f64 / all as f64
    };
    let reps = on_path(&run(Scenario::Congested, |_| ()));
    let ops = on_path(&run(Scenario::Congested, |settings| settings.csr.mode = EvMode::Ops));
    assert!(reps < 0.06 && ops > 0.10, "REPS {reps:.3}, OPS {ops:.3}");
}

#[test]
fn freezing_begins_reuses_ends_and_begins_again() {
    let trace = Trace::open(shipped(Scenario::Dead), &Options::default()).unwrap();
    let events = replay(&trace);
    let turns = |connection: u32| -> Vec<bool> {
        let turned =
            events.iter().filter(|timed| timed.event.connection == connection && timed.outcome.turned);
        turned.map(|timed| timed.outcome.frozen).collect()
    };
    let again = (0..4).filter(|connection| turns(*connection).starts_with(&[true, false, true, false]));
    assert!(again.count() >= 2);
    let reused: Vec<_> = sends(&events).filter(|timed| timed.outcome.source == Source::Reused).collect();
    assert!(reused.len() > 50, "{}", reused.len());
    assert!(reused.iter().all(|timed| timed.outcome.frozen));
    assert!(events.iter().rev().take(100).all(|timed| !timed.outcome.frozen));
}

#[test]
fn on_a_dead_path_reps_loses_far_fewer_packets_than_ops() {
    let (mut reps_lost, mut ops_lost) = (0, 0);
    for seed in (100..2000).step_by(100) {
        let with = |mode| {
            let change = |settings: &mut Settings| {
                settings.seed = seed;
                settings.csr.mode = mode;
            };
            run(Scenario::Dead, change).stats
        };
        let (reps, ops) = (with(EvMode::Reps), with(EvMode::Ops));
        println!("seed {seed}: REPS loses {} of {}, OPS {} of {}", reps.lost, reps.sent, ops.lost, ops.sent);
        assert!(reps.lost > 0 && ops.lost >= 2 * reps.lost, "seed {seed}");
        (reps_lost, ops_lost) = (reps_lost + reps.lost, ops_lost + ops.lost);
    }
    println!("all seeds: REPS loses {reps_lost}, OPS {ops_lost}");
    assert!(ops_lost >= 4 * reps_lost, "REPS {reps_lost}, OPS {ops_lost}");
}

#[test]
fn every_packet_arrives_whatever_is_lost() {
    let run = run(Scenario::Dead, |settings| settings.csr.mode = EvMode::Ops);
    let trace = Trace::of_frames("run", run.frames, vec![run.comment], &Options::default()).unwrap();
    let events = replay(&trace);
    let of = |kind| -> HashSet<(u32, Option<u32>)> {
        let these = events.iter().filter(|timed| timed.event.kind == kind);
        these.map(|timed| (timed.event.connection, timed.psn)).collect()
    };
    assert_eq!(of(Kind::Send), of(Kind::Ack));
}

#[test]
fn a_capture_tells_its_settings() {
    let mut settings = Scenario::Dead.settings();
    settings.csr = RepsCsr { mode: EvMode::Reps2024, evs_size: 100, ..settings.csr };
    settings.seed = u32::MAX;
    settings.duration_ns = 20_000;
    let run = settings.run().unwrap();
    let trace = Trace::of_frames("run", run.frames, vec![run.comment], &Options::default()).unwrap();
    let provenance = trace.provenance();
    assert_eq!(provenance.csr().unwrap(), settings.csr);
    assert_eq!(provenance.params().unwrap(), settings.params);
    assert_eq!((trace.seed(), provenance.fault, provenance.paths), (u32::MAX, settings.fault, Some(8)));
    assert_eq!(provenance.scenario.as_deref(), Some("dead"));
}

#[test]
fn decisions_are_told_as_csv_and_json() {
    let trace = Trace::open(shipped(Scenario::Dead), &Options::default()).unwrap();
    let events = replay(&trace);
    let told = decisions(&events, &outcomes(&events)).unwrap();
    assert_eq!(told.len(), events.len() - 1);
    let mut csv = Vec::new();
    write_csv(&mut csv, &told).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines.len(), told.len() + 1);
    let columns = lines[0].split(',').count();
    assert!(lines.iter().all(|line| line.split(',').count() == columns));
    let first = sends(&events).next().unwrap().outcome.ev;
    assert_eq!(lines[2], format!("0,0,send,4170436,{first},explored,0,0,{first},0,0,0"));
    let json = serde_json::to_value(told[1]).unwrap();
    assert_eq!((&json["kind"], &json["source"]), (&"send".into(), &"explored".into()));
    assert!(decisions(&events, &[]).is_err() && trace.rewrite(&events, &[]).is_err());
}

#[test]
fn impossible_settings_are_refused() {
    let changes: [fn(&mut Settings); 9] = [
        |settings| settings.connections = 0,
        |settings| settings.connections = 257,
        |settings| settings.paths = 0,
        |settings| settings.window = 257,
        |settings| settings.port_ns = 0,
        |settings| settings.rto_ns = 0,
        |settings| settings.delay_ns = u64::MAX,
        |settings| settings.csr.evs_size = 0,
        |settings| settings.payload_len = 1 << 20,
    ];
    for change in changes {
        let mut settings = Scenario::Healthy.settings();
        change(&mut settings);
        let error = settings.run().unwrap_err().to_string();
        assert!(!error.contains('\n') && error.contains("use") || error.contains("must"), "{error}");
    }
    assert!("dead".parse::<Scenario>().is_ok());
    assert!("x".parse::<Scenario>().unwrap_err().to_string().contains("healthy, congested or dead"));
}
