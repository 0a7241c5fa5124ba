//! The channel that tests the transport (`docs/transport.md`): both RTL blocks, each compared with its model,
//! and a network with faults. A run that ends has checked every outcome. These tests check that runs end and
//! that the faults occurred.

use std::collections::HashSet;
use std::mem::discriminant;
use std::path::PathBuf;
use weft_blocks::{sack_rx, sack_tx};
use weft_params::{SackParams, SackRxCsr, SackTxCsr};
use weft_system::transport::{Breach, Figures, Network, Plant, Traffic, Transport, TransportError, View};

/// A setting with deep windows: few connections, long messages.
fn deep(messages: u64, network: Network) -> Transport {
    let usual = Transport::default();
    let traffic = Traffic { messages, packets_per_message: 128, cwnd_bytes: 256 * usual.tx.mtu_bytes };
    Transport { params: SackParams { connections: 4 }, traffic, network, ..usual }
}

fn by(sender: View, receiver: View, transport: Transport) -> Transport {
    Transport { sender, receiver, ..transport }
}

fn models(transport: Transport) -> Transport {
    by(View::Model, View::Model, transport)
}

/// The command of the page: all faults at once.
fn harsh() -> Network {
    Network { loss: 0.3, trim: 0.2, dup: 0.1, reorder: 200, corrupt: 0.01, ..Network::default() }
}

/// Runs to the end and checks the figures.
#[track_caller]
fn run(transport: &Transport) -> Figures {
    let ending = transport.run(|_| true).unwrap_or_else(|error| panic!("seed {}: {error}", transport.seed));
    let figures = ending.figures;
    println!("{} clocks, {} packets, {} again", figures.clocks, figures.packets, figures.retransmissions);
    assert!(!ending.stopped);
    let messages = transport.traffic.messages;
    assert_eq!(
        [figures.posted, figures.delivered, figures.completed, figures.errors],
        [messages, messages, messages, 0]
    );
    assert_eq!((figures.failures, figures.opens), (0, figures.closes));
    figures
}

/// Runs `messages` messages over 256 connections through all faults at once.
fn through(seed: u64, network: Network, messages: u64) {
    let usual = Transport::default();
    let traffic = Traffic { messages, ..usual.traffic };
    let figures = run(&Transport { traffic, network, seed, ..usual });
    let tried = [
        figures.data.lost,
        figures.data.trimmed,
        figures.data.damaged,
        figures.data.late,
        figures.control.damaged,
        figures.control.late,
        figures.damaged,
        figures.retransmissions,
        figures.spurious,
        figures.timeouts,
        figures.nacks,
        figures.duplicates,
        figures.stale,
        figures.probes,
        figures.windows,
        figures.stalls,
    ];
    assert!(tried.iter().all(|&count| count > 20), "{figures:#?}");
    assert!(
        // Seven probes precede every timeout.
        figures.opens > 256 && figures.most_out_of_order > 100 && figures.timeouts_in_a_row >= 1,
        "{figures:#?}"
    );
}

/// A network with lost and reordered ACKs, bursts of losses and a path that dies.
fn worse() -> Network {
    Network { ack_loss: 0.2, ack_reorder: 100, burst: 4.0, dead_path: 0.25, ..harsh() }
}

#[test]
fn every_message_is_delivered_exactly_once() {
    through(1, harsh(), 5_000);
}

#[test]
#[ignore = "soak: four times the messages"]
fn a_soak_delivers_every_message_exactly_once() {
    through(1, harsh(), 20_000);
}

#[test]
fn the_way_back_may_be_as_bad() {
    through(2, worse(), 5_000);
}

#[test]
#[ignore = "soak: four times the messages"]
fn a_soak_with_the_way_back_as_bad() {
    through(2, worse(), 20_000);
}

/// Each fault alone, in lockstep: its effect shows, and no other effect does.
#[test]
fn each_impairment_alone() {
    let good = Network::default();
    let alone = |network: Network| run(&deep(150, network));
    let quiet = alone(good);
    assert_eq!([quiet.retransmissions, quiet.timeouts, quiet.nacks, quiet.duplicates], [0; 4]);

    let it = alone(Network { loss: 0.1, ..good });
    assert!(it.data.lost > 0 && it.retransmissions > 0 && it.nacks == 0, "{it:#?}");
    let it = alone(Network { loss: 0.1, burst: 20.0, ..good });
    assert!(it.data.lost > 0 && it.retransmissions > 0 && it.spurious == 0, "{it:#?}");
    // A NACK brings every trimmed packet back at once.
    let it = alone(Network { trim: 0.1, ..good });
    assert!(it.nacks > 100 && it.nacks == it.data.trimmed && it.timeouts == 0, "{it:#?}");
    assert!(it.retransmissions - it.nacks == it.spurious && it.spurious * 50 < it.nacks, "{it:#?}");
    let it = alone(Network { dup: 0.2, ..good });
    assert!(it.duplicates > 0 && it.data.late > 0 && it.retransmissions == 0, "{it:#?}");
    let it = alone(Network { corrupt: 0.05, ..good });
    assert!(it.damaged > 0 && it.data.damaged > 0 && it.control.damaged > 0, "{it:#?}");
    let it = alone(Network { reorder: 200, ..good });
    assert!(it.most_out_of_order > 64 && it.spurious > 0 && it.duplicates > it.spurious, "{it:#?}");
    let it = alone(Network { ack_loss: 0.5, ..good });
    assert!(it.control.lost > it.control.frames / 3 && it.data.lost == 0, "{it:#?}");
    let it = alone(Network { ack_reorder: 200, ..good });
    // ACKs that are late by more than three epochs cause a probe.
    assert!(it.stale > 0 && it.retransmissions * 1_000 <= it.packets, "{it:#?}");
    let it = alone(Network { dead_path: 0.3, ..good });
    assert!(it.data.dead > 0 && it.control.dead > 0 && it.retransmissions > 0, "{it:#?}");

    // Packets are overtaken by those of windows to come: they are late by far more than the timer's time.
    let beyond = deep(60, Network { reorder: 2_000, ..good });
    let it = run(&beyond);
    assert!(it.retransmissions > 0 && it.duplicates > 0, "{it:#?}");
    // ACKs that gather and wait for the ACK timer.
    let rx = SackRxCsr { ack_packets: 32, ack_bytes: 0 };
    let it = run(&Transport { rx, ..deep(150, Network { loss: 0.1, ..good }) });
    assert!(it.flushes > 0 && it.acks < it.packets, "{it:#?}");
}

/// A window of 256 PSNs is filled, and only its first packet is missing.
#[test]
fn windows_are_filled_to_the_last_psn() {
    let far = Network { delay_clocks: 8_000, ..Network::default() };
    let full = |network| {
        let transport = deep(40, network);
        let traffic = Traffic { packets_per_message: 2_048, cwnd_bytes: 1 << 20, ..transport.traffic };
        let tx = transport.tx.with_rto(4_000);
        run(&Transport { traffic, tx, ..transport })
    };
    assert_eq!(full(far).most_unacked, 256);
    let it = full(Network { loss: 0.004, ..far });
    assert_eq!((it.most_unacked, it.most_out_of_order), (256, 255));
}

/// Any mix of views gives the same run: the RTL of one end works with the model of the other end.
#[test]
fn rtl_and_model_change_places() {
    let usual = Transport::default();
    let traffic = Traffic { messages: 1_500, ..usual.traffic };
    let transport = Transport { traffic, network: harsh(), seed: 7, ..usual };
    let both = run(&models(transport));
    for (sender, receiver) in [(View::Rtl, View::Model), (View::Model, View::Rtl), (View::Rtl, View::Rtl)] {
        assert_eq!(run(&by(sender, receiver, transport)), both, "{sender:?} and {receiver:?}");
    }
    assert_ne!(run(&models(Transport { seed: 8, ..transport })), both);
}

/// SMaRTT-REPS 4.2: while no packet is lost and packets are overtaken by less than the gap, the sender sends
/// almost no packet again without need.
#[test]
fn nothing_is_sent_again_in_vain() {
    let network = Network { reorder: 63, ack_reorder: 63, dup: 0.1, ..Network::default() };
    let transport = models(deep(2_000, network));
    let of_gap = |gap| {
        let figures = run(&Transport { tx: transport.tx.with_gap(gap).with_epoch(281), ..transport });
        assert_eq!(figures.timeouts, 0);
        figures.spurious as f64 / figures.packets as f64
    };
    assert!(of_gap(64) < 0.002);
    // A gap that is too small shows in the figures.
    assert!(of_gap(8) > 0.01);
}

/// From one clock on no packet passes. Every connection gives up, and every message ends once. Messages that
/// were not complete end in an error.
#[test]
fn when_nothing_passes_every_message_ends_in_one_error() {
    for kill_after in [0, 30_000] {
        let usual = Transport::default();
        let network = Network { kill_after: Some(kill_after), loss: 0.1, ..Network::default() };
        let tx = usual.tx.with_rto(500).with_backoff(2);
        let transport = models(Transport { params: SackParams { connections: 16 }, network, tx, ..usual });
        let figures = transport.run(|_| true).unwrap_or_else(|error| panic!("{error}")).figures;
        assert_eq!((figures.failures, figures.timeouts_in_a_row), (16, 15));
        assert_eq!(figures.posted, figures.completed + figures.errors);
        assert!(figures.errors > 16 && figures.completed <= figures.delivered, "{figures:#?}");
        assert_eq!(figures.delivered == 0, kill_after == 0);
    }
}

/// The page promises progress as long as some packets pass. The network passes packets only if it must, and
/// the promise is kept.
#[test]
fn a_network_that_is_nearly_dead_stops_nobody() {
    let usual = Transport::default();
    let network = Network { loss: 0.9, ack_loss: 0.85, ..Network::default() };
    let tx = usual.tx.with_rto(500).with_backoff(2);
    let traffic = Traffic { messages: 200, packets_per_message: 4, ..usual.traffic };
    let figures =
        run(&models(Transport { params: SackParams { connections: 64 }, network, tx, traffic, ..usual }));
    assert!(figures.data.spared > 0 && figures.timeouts_in_a_row >= 12, "{figures:#?}");
}

/// Each invariant, with a fault that breaks it.
#[test]
fn planted_faults_are_found() {
    let network = Network { loss: 0.2, trim: 0.1, dup: 0.1, ..Network::default() };
    let usual = Transport::default();
    let tx = usual.tx.with_rto(500).with_backoff(2);
    let transport = models(Transport { params: SackParams { connections: 16 }, network, tx, ..usual });
    let word = |what| Breach::Word { end: "", what, got: 0, due: 0 };
    let text = String::new;
    let expected = |plant| match plant {
        Plant::DoubleWrite => Breach::PlacedTwice { message: 0, packet: 0 },
        Plant::WrongAddress => Breach::Misplaced { address: 0, opening: 0 },
        Plant::WrongPayload => Breach::WrongPayload { message: 0, packet: 0 },
        Plant::Holes => Breach::Incomplete { message: 0 },
        Plant::LostCompletion => word("completed"),
        Plant::LostNack => Breach::Response { got: text(), due: text() },
        Plant::WrongBitmap => word("bitmap 0"),
        Plant::EarlyAck => Breach::Early { sender: 0, receiver: 0 },
        Plant::DoubleCompletion => word("completed"),
        Plant::Miscount => word("in flight"),
        Plant::SkippedPsn => Breach::NotNext { got: 0, due: 0 },
        Plant::Again => Breach::NotLost { psn: 0 },
        Plant::Misroute => Breach::Order { end: "", kind: text(), tag: 0 },
        Plant::LongMessage => word("last"),
        Plant::WideWindow => Breach::Window { window: "", packets: 0, most: 0 },
        Plant::StoppedClock => Breach::Silent { clocks: 0, bound: 0 },
        Plant::Blackout => Breach::GaveUp { timeouts: 0 },
        Plant::Leak => Breach::Isolation { end: "", connections: Vec::new() },
        _ => unreachable!("a bug in the RTL"),
    };
    for (name, plant) in Plant::OUTSIDE {
        match transport_with(&transport, plant).run(|_| true) {
            Err(TransportError::Fault(fault)) => {
                println!("{name}: {fault}");
                let expected = expected(plant);
                assert_eq!(discriminant(&fault.breach), discriminant(&expected), "{name}: {fault}");
                if let (Breach::Word { what: got, .. }, Breach::Word { what, .. }) =
                    (&fault.breach, &expected)
                {
                    assert_eq!(got, what, "{name}");
                }
            }
            other => panic!("{name} is not found: {other:?}"),
        }
    }
    let names: HashSet<String> = Plant::all().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), Plant::all().len(), "two faults have one name");
}

/// A bug in the RTL is a mismatch with the model, and the RTL alone breaks an invariant.
#[test]
fn bugs_in_the_rtl_are_found_with_the_model_and_without() {
    let network = Network { loss: 0.2, trim: 0.1, dup: 0.1, ..Network::default() };
    let plants = [
        ("sender", Plant::Sender(named(sack_tx::plant::PLANTS, "nack"))),
        ("receiver", Plant::Receiver(named(sack_rx::plant::PLANTS, "completion"))),
    ];
    for (where_planted, plant) in plants {
        let transport = transport_with(&deep(1_000, network), plant);
        match transport.run(|_| true) {
            Err(TransportError::Mismatch { end, mismatch }) => {
                println!("{mismatch}");
                assert_eq!(end, where_planted);
            }
            other => panic!("{plant:?} is not found: {other:?}"),
        }
        match by(View::Rtl, View::Rtl, transport).run(|_| true) {
            Err(TransportError::Fault(fault)) => println!("{fault}"),
            other => panic!("{plant:?} is not found: {other:?}"),
        }
    }
}

/// The last clocks of an end with RTL can be recorded.
#[test]
fn a_run_is_recorded() {
    let plant = Plant::Receiver(named(sack_rx::plant::PLANTS, "completion"));
    let transport = by(View::Model, View::Rtl, transport_with(&deep(1_000, Network::default()), plant));
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("transport.vcd");
    let waves = transport.record(1_000, &path).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(waves, [path.with_file_name("transport_weft_sack_rx.vcd")]);
    let recorded = std::fs::read_to_string(&waves[0]).expect("a waveform");
    assert!(recorded.contains("$enddefinitions") && recorded.lines().count() > 1_000);
}

fn transport_with(transport: &Transport, plant: Plant) -> Transport {
    Transport { plant: Some(plant), ..*transport }
}

#[test]
fn impossible_runs_are_refused() {
    let refused = |transport: Transport, message: &str| {
        let error = models(transport).run(|_| true).expect_err(message).to_string();
        assert_eq!(error, message);
    };
    let usual = Transport::default();
    let traffic = usual.traffic;
    refused(
        Transport { traffic: Traffic { messages: 0, ..traffic }, ..usual },
        "--messages 0 is not possible; use at least one",
    );
    refused(
        Transport { traffic: Traffic { packets_per_message: 5_000, ..traffic }, ..usual },
        "--packets-per-message 5000 is not possible; use 1 to 4096",
    );
    refused(
        Transport { traffic: Traffic { cwnd_bytes: 255, ..traffic }, ..usual },
        "--cwnd 255 is not possible; use at least the MTU and less than 64 MiB",
    );
    refused(
        Transport { tx: SackTxCsr { mtu_bytes: 9_001, ..usual.tx }, ..usual },
        "--mtu 9001 is not possible; use 16 to 9000 bytes",
    );
    let network = Network { loss: 1.5, ..Network::default() };
    refused(Transport { network, ..usual }, "--loss 1.5 is not possible; use 0 to 0.9");
    let params = SackParams { connections: 5 };
    assert!(matches!(Transport { params, ..usual }.run(|_| true), Err(TransportError::Param(_))));
}

/// A run can be stopped and reports its progress.
#[test]
fn a_run_that_is_stopped_says_so() {
    let mut left = 5;
    let ending = models(deep(100_000, Network::default())).run(|figures| {
        assert!(figures.clocks > 0);
        left -= 1;
        left > 0
    });
    let ending = ending.unwrap_or_else(|error| panic!("{error}"));
    assert!(ending.stopped && ending.figures.completed < 100_000);
}

/// The planted bug of this name.
fn named(plants: &'static [weft_bench::Plant], name: &str) -> &'static weft_bench::Plant {
    weft_bench::Plant::named(plants, name).expect("a bug of this name")
}
