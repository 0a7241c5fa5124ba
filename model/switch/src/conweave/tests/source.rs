//! Worked examples of the source's part.

use super::bench::{Bench, OURS, PATHS, THEIRS, marks};
use crate::conweave::opcode::{CLEAR, DATA, NOTIFY, RTT_REPLY, RTT_REQUEST};
use crate::conweave::*;
use crate::kit::intrinsic::*;
use weft_wire::Dscp;

fn bench(options: Options) -> Bench {
    let mut bench = Bench::new(options, 5);
    bench.connect(9);
    bench
}

/// Fig. 8: request, reply, request, no reply, TAIL, REROUTED, CLEAR, request (rules 3, 4 and 6).
#[test]
fn an_epoch_after_the_other() {
    let mut bench = bench(Options::default());
    let first = bench.send(9);
    assert_eq!(marks(&first), (0, 0, 1, RTT_REQUEST));
    let path = first[CW_PATH];
    assert_eq!((first[CW_TX], first[CW_TAIL_TX], first[PORT_OUT]), (1000, 0, 3 + path));
    bench.tick += 8;
    assert_eq!(marks(&bench.send(9)), (0, 0, 1, DATA), "in the cutoff's own tick it is not late");
    bench.tick -= 1;
    bench.control(9, RTT_REPLY, 1, path);
    let next = bench.send(9);
    assert_eq!((marks(&next), next[CW_PATH]), ((0, 0, 2, RTT_REQUEST), path), "a new epoch does not move");

    let tail = loop {
        // The sampled paths are random; the current path is not good.
        bench.tick += 9;
        let packet = bench.send(9);
        if packet[CW_TAIL] == 1 {
            break packet;
        }
        assert_eq!(marks(&packet), (0, 0, 2, DATA));
    };
    assert_eq!((marks(&tail), tail[CW_PATH]), ((0, 1, 2, DATA), path), "the TAIL takes the old path");
    assert_eq!(tail[CW_TAIL_TX], bench.tick);
    let left = bench.tick;
    bench.tick += 1;
    let rerouted = bench.send(9);
    assert_eq!((marks(&rerouted), rerouted[CW_TAIL_TX]), ((1, 0, 2, DATA), left));
    assert_ne!(rerouted[CW_PATH], path);
    bench.control(9, CLEAR, 1, path);
    assert_eq!(bench.send(9)[CW_REROUTED], 1, "a CLEAR of another epoch is not ours");
    bench.control(9, RTT_REPLY, 2, path);
    assert_eq!(bench.send(9)[CW_REROUTED], 1, "a reply comes too late now");
    bench.control(9, CLEAR, 2, path);
    let new = bench.send(9);
    assert_eq!((marks(&new), new[CW_PATH]), ((0, 0, 3, RTT_REQUEST), rerouted[CW_PATH]));
    assert_eq!((bench.count("reply_accepted"), bench.count("clear_accepted")), (1, 1));
    assert_eq!((bench.count("settled"), bench.count("control_refused")), (2, 2));
}

/// Rule 6: in the tick of the cutoff a reply is late in the paper and in time in the P4 code. A tick later
/// the reply is late in both.
#[test]
fn a_reply_a_tick_late() {
    for (reply_compare, grace, ticks, in_time) in [
        (ReplyCompare::Strict, 0, 7, true),
        (ReplyCompare::Strict, 0, 8, false),
        (ReplyCompare::Inclusive, 0, 8, true),
        (ReplyCompare::Inclusive, 4, 8, true),
        (ReplyCompare::Inclusive, 4, 9, false),
    ] {
        let mut bench = bench(Options { reply_compare, reply_grace: grace, ..Options::default() });
        let path = bench.send(9)[CW_PATH];
        bench.tick += ticks;
        bench.control(9, RTT_REPLY, 1, path);
        let label = format!("{reply_compare:?} {grace} {ticks}");
        assert_eq!(bench.count("reply_late"), u64::from(!in_time), "{label}");
        assert_eq!(bench.send(9)[CW_EPOCH], if in_time { 2 } else { 1 }, "{label}");
    }
}

/// Rule 6: a packet between the two passes of a reply may find the cutoff passed: then the reply changes
/// nothing.
#[test]
fn a_packet_between_the_passes_of_a_reply() {
    let options = Options { no_good_path: NoGoodPath::Tail, ..Options::default() };
    let mut bench = bench(options);
    let path = bench.send(9)[CW_PATH];
    bench.tick += 7;
    let mut reply = bench.pipe.phv();
    (reply[IS_IP], reply[IS_ROCE], reply[SRC], reply[DST], reply[SPORT]) = (1, 1, 11, 1, 9);
    (reply[PORT_IN], reply[CW_VALID], reply[CW_OPCODE], reply[CW_EPOCH], reply[CW_PATH]) =
        (4, 1, RTT_REPLY, 1, path);
    reply[TICK] = bench.tick;
    bench.pipe.run(crate::kit::Gress::Ingress, &mut reply, &[]);
    assert_eq!((reply[RESUBMIT], reply[DROP]), (1, 0));
    bench.tick += 2;
    assert_eq!(bench.send(9)[CW_TAIL], 1);
    bench.pass(&mut reply, 1);
    assert_eq!(bench.count("settle_raced"), 1);
    assert_eq!(bench.send(9)[CW_REROUTED], 1, "not a new epoch while a TAIL is on its way");
}

/// Rule 4, when both samples are busy: the paper aborts; the two codes send a TAIL and keep the path.
#[test]
fn both_samples_are_busy() {
    for (preset, path_table) in [
        (Preset::Paper, PathTable::Associative),
        (Preset::Ns3, PathTable::Direct),
        (Preset::P4, PathTable::ByPath),
    ] {
        let options = Options { path_table, ..Options::preset(preset) };
        let mut bench = bench(options);
        let path = bench.send(9)[CW_PATH];
        bench.tick += u64::from(options.theta.reply) + 1;
        for busy in PATHS {
            bench.control(9, NOTIFY, 0, busy.into());
        }
        let packet = bench.send(9);
        assert_eq!(packet[CW_PATH], path);
        if preset == Preset::Paper {
            assert_eq!((marks(&packet), bench.count("source_aborted")), ((0, 0, 1, DATA), 1));
            // The last tick in which the paths are busy, and the first in which they are not.
            bench.tick += u64::from(options.theta.path_busy) - 1;
            assert_eq!((bench.send(9)[CW_TAIL], bench.count("source_aborted")), (0, 2));
            bench.tick += 1;
            let moved = (0..20).any(|_| bench.send(9)[CW_TAIL] == 1);
            assert!(moved, "the next packets try again");
        } else {
            assert_eq!((marks(&packet), bench.count("source_aborted")), ((0, 1, 1, DATA), 0));
            let rerouted = bench.send(9);
            assert_eq!((rerouted[CW_REROUTED], rerouted[CW_PATH]), (1, path));
        }
    }
}

/// Rules 5 and 7: a path that a NOTIFY named is not chosen while the entry is valid; all other paths are.
#[test]
fn busy_paths_are_avoided() {
    for path_table in [PathTable::Associative, PathTable::Direct, PathTable::ByPath] {
        let mut seen = [0; 5];
        for sport in 0..200 {
            let mut bench = Bench::new(Options { path_table, ..Options::default() }, sport.into());
            bench.connect(sport);
            let path = bench.send(sport)[CW_PATH];
            bench.tick += 9;
            let busy = path % 4 + 1;
            bench.control(sport, NOTIFY, 0, busy);
            while bench.send(sport)[CW_TAIL] == 0 {}
            let new = bench.send(sport)[CW_PATH];
            assert!(new != busy && new != path, "{path_table:?}: from {path} to {new}, {busy} is busy");
            seen[new as usize] += 1;
        }
        assert!(seen[1..].iter().all(|count| *count > 20), "{seen:?}");
    }
}

/// Rule 7: five busy paths of a group: the fourth way is overwritten, and counted.
#[test]
fn the_path_table_is_full() {
    let mut bench = bench(Options::default());
    for path in 1..=5 {
        bench.control(9, NOTIFY, 0, path);
    }
    bench.control(9, NOTIFY, 0, 5);
    assert_eq!((bench.count("notify_noted"), bench.count("path_table_full")), (6, 1));
}

/// Rule 2: a CLEAR is lost: only silence for longer than theta_inactive begins an epoch.
#[test]
fn a_clear_is_lost() {
    for (inactivity_moves, preset) in [(false, Preset::Paper), (true, Preset::Ns3)] {
        let options = Options { inactivity_moves, ..Options::preset(preset) };
        let (inactive, reply) = (u64::from(options.theta.inactive), u64::from(options.theta.reply));
        let mut moves = 0;
        for seed in 0..40 {
            let mut bench = Bench::new(options, seed);
            bench.connect(9);
            let _ = bench.send(9);
            bench.tick += reply + 1;
            while bench.send(9)[CW_TAIL] == 0 {}
            let path = bench.send(9)[CW_PATH];
            for _ in 0..3 {
                bench.tick += inactive;
                assert_eq!(marks(&bench.send(9)), (1, 0, 1, DATA), "silent, but not longer");
            }
            bench.tick += inactive + 1;
            let new = bench.send(9);
            assert_eq!((marks(&new), new[CW_TAIL_TX]), ((0, 0, 2, RTT_REQUEST), 0));
            assert_eq!(bench.count("inactive"), 2, "the first packet, and this one");
            moves += u64::from(new[CW_PATH] != path);
        }
        assert_eq!(moves > 0, inactivity_moves, "{moves}");
    }
}

/// Clocks of 32 bits wrap, and every time stamp is still read correctly.
#[test]
fn ticks_wrap() {
    let mut bench = bench(Options::default());
    bench.tick = (1 << 32) - 4;
    let path = bench.send(9)[CW_PATH];
    for other in PATHS {
        bench.control(9, NOTIFY, 0, other.into());
    }
    bench.tick += 7;
    assert_eq!(marks(&bench.send(9)), (0, 0, 1, DATA), "not expired, not late");
    bench.control(9, RTT_REPLY, 1, path);
    assert_eq!((bench.count("reply_accepted"), bench.send(9)[CW_EPOCH]), (1, 2));
    bench.tick += 100;
    assert!((0..20).any(|_| bench.send(9)[CW_TAIL] == 1), "no path is busy any more");
}

/// Rule 1: a packet uses ECMP if its connection is missing from the table or its form is another one. The
/// packet gets no header and always uses the same path.
#[test]
fn what_is_not_in_the_table_goes_by_ecmp() {
    let mut bench = bench(Options::default());
    let mut ports = std::collections::BTreeSet::new();
    for sport in 100..200 {
        let packet = bench.send(sport);
        assert_eq!((packet[CW_VALID], packet[DROP], packet[QUEUE]), (0, 0, 0));
        assert_eq!(bench.send(sport)[PORT_OUT], packet[PORT_OUT]);
        ports.insert(packet[PORT_OUT]);
    }
    assert_eq!(ports.into_iter().collect::<Vec<_>>(), [4, 5, 6, 7]);
    assert_eq!(bench.count("not_in_table"), 200);
    for sport in 10..=264 {
        let fits = bench.control.connect(&mut bench.pipe, OURS, THEIRS, sport, 8);
        assert_eq!(fits, sport < 264, "256 connections and no more");
    }
    assert_eq!(bench.control.refused(), 1);
    assert!(bench.control.disconnect(&mut bench.pipe, OURS, THEIRS, 10));
    assert!(bench.control.connect(&mut bench.pipe, OURS, THEIRS, 264, 8), "its place is free");
    assert_eq!(marks(&bench.send(264)), (0, 0, 1, RTT_REQUEST), "and as new");
}

/// Rule 15: an ACK of the reverse direction has the same addresses and port as a connection's data, but is no
/// data.
#[test]
fn control_packets_are_no_data_and_go_first() {
    let mut bench = bench(Options::default());
    let control = u64::from(bench.options.control_queue());
    let Dscp { trimmed, trimmed_lasthop, control: dscp, trimmable, .. } = Dscp::DEFAULT;
    for code in [trimmed, trimmed_lasthop, dscp] {
        let ack = bench.send_as(9, code);
        assert_eq!((ack[CW_VALID], ack[QUEUE], ack[DROP]), (0, control, 0));
        assert!((4..8).contains(&ack[PORT_OUT]), "by the hash");
    }
    assert_eq!((bench.count("plain_up"), bench.count("source_request")), (3, 0));
    let data = bench.send_as(9, trimmable);
    assert_eq!((marks(&data), data[CW_VALID], data[QUEUE]), ((0, 0, 1, RTT_REQUEST), 1, 0));
}

/// Rule 3: when routing has learned that the connection's path failed, the connection moves to another path
/// at once, in the middle of an epoch. Later the connection moves without such a failure.
#[test]
fn a_path_that_leads_nowhere_is_not_used() {
    for sport in 0..20 {
        let mut bench = Bench::new(Options::default(), 5);
        bench.connect(sport);
        let path = bench.send(sport)[CW_PATH];
        let alive: Vec<u8> = PATHS.into_iter().filter(|other| u64::from(*other) != path).collect();
        assert!(bench.control.group(&mut bench.pipe, 1, &alive));
        let detours: Vec<u64> = (0..3).map(|_| bench.send(sport)[CW_PATH]).collect();
        assert!(
            detours[0] != path && detours.iter().all(|detour| *detour == detours[0]),
            "{path}: {detours:?}"
        );
        let packet = bench.send(sport);
        assert_eq!((packet[PORT_OUT], marks(&packet)), (3 + packet[CW_PATH], (0, 0, 1, DATA)));
        assert_eq!(bench.count("path_leads_nowhere"), 4);
        // After the repair, the connection uses the old path again.
        assert!(bench.control.group(&mut bench.pipe, 1, &PATHS));
        assert_eq!(bench.send(sport)[CW_PATH], path);
    }
}
