//! Bursts of answers, one offered in every second clock: none is lost, neither in front of the transport nor in front of
//! the congestion window (rules 4 and 11 of `docs/blocks/sender.md`).

use super::bench::{Bench, ack, csr};
use weft_nic::words::{Acknowledgement, Status};
use weft_params::SenderCsr;

/// Answers of a burst: to a window of one connection.
const ANSWERS: u32 = 256;
/// Packets that are left of each window behind a burst of NACKs.
const LEFT: u32 = 6;
/// Packets between the transport and egress, at most (rule 9): 32 KiB.
const UNDERWAY: usize = 8;

/// Windows of so many packets, which nothing but NACKs makes smaller: no period of QuickAdapt ends in the test.
fn patient(packets: u32) -> SenderCsr {
    let mut csr = csr(packets, 65_535);
    csr.sack = csr.sack.with_epoch(24_575);
    for class in &mut csr.smartt.classes {
        (class.base_rtt_ticks, class.target_rtt_ticks) = (60_000, 65_000);
    }
    csr
}

/// A sender of 256 connections, of which so many have sent `ANSWERS` packets together, and one more that sent nothing.
fn outstanding(connections: u32, csr: SenderCsr) -> Bench {
    let mut bench = Bench::of(256, (connections + 1).min(256), csr);
    let each = ANSWERS / connections;
    (0..connections).for_each(|connection| bench.work(connection, each));
    while bench.orders.len() < ANSWERS as usize {
        bench.idle(1);
    }
    bench.idle(200);
    assert_eq!(bench.orders.len(), ANSWERS as usize);
    bench
}

/// Offers these answers, one in every second clock or as soon as they are taken. The clocks until the last was.
fn burst(bench: &mut Bench, answers: &[(u32, Acknowledgement)]) -> u64 {
    let begin = bench.at;
    for (number, answer) in (0..).zip(answers) {
        while bench.at < begin + 2 * number {
            bench.idle(1);
        }
        bench.answer(answer.0, answer.1);
    }
    bench.at - begin
}

/// Answers to all packets, in turn one of each connection, or all of one behind the other.
fn answers(
    connections: u32,
    in_turn: bool,
    of: impl Fn(u32) -> Acknowledgement,
) -> Vec<(u32, Acknowledgement)> {
    let each = ANSWERS / connections;
    let at = |number| {
        if in_turn { (number % connections, number / connections) } else { (number / each, number % each) }
    };
    (0..ANSWERS).map(at).map(|(connection, psn)| (connection, of(psn))).collect()
}

/// So many connections, and the order of their answers.
const SHAPES: [(u32, bool); 4] = [(1, true), (4, true), (4, false), (256, true)];

#[test]
fn every_nack_reaches_the_transport_and_the_window() {
    for (connections, in_turn) in SHAPES {
        let each = ANSWERS / connections;
        let mut bench = outstanding(connections, patient(each + LEFT));
        // Nothing leaves before the windows have heard of all NACKs.
        bench.ready.order_ready = false;
        let nacks =
            answers(connections, in_turn, |psn| Acknowledgement { nack: true, ..ack(psn, bench.now()) });
        let clocks = burst(&mut bench, &nacks);
        bench.idle(u64::from(24 * ANSWERS));
        assert_eq!(bench.model.outputs().counters.recovery.lost_by_nack, ANSWERS);
        (0..connections).for_each(|connection| bench.work(connection, 3 * LEFT));
        bench.ready.order_ready = true;
        bench.idle(20_000);
        let (orders, at_once) = (bench.orders.split_off(ANSWERS as usize), LEFT as usize);
        println!("{connections} connections, in turn {in_turn}: 256 NACKs taken in {clocks} clocks");
        for connection in 0..connections {
            let sent: Vec<_> =
                orders.iter().filter(|(id, _)| *id == connection).map(|(_, it)| it.psn).collect();
            // What the window has left, in the order of the PSNs; what was chosen before may be more.
            let most = at_once.max(if connections < UNDERWAY as u32 { UNDERWAY } else { 0 });
            assert!((at_once..=most).contains(&sent.len()), "{connections}: {connection} sent {sent:?}");
            assert!(
                sent.iter().copied().eq(0..sent.len() as u32),
                "{connections}: {connection} sent {sent:?}"
            );
        }
    }
}

#[test]
fn every_ack_reaches_the_transport() {
    for (connections, in_turn) in SHAPES {
        let mut bench = outstanding(connections, patient(ANSWERS));
        let acks =
            answers(connections, in_turn, |psn| Acknowledgement { ce: true, ..ack(psn + 1, bench.now()) });
        let clocks = burst(&mut bench, &acks);
        bench.idle(u64::from(24 * ANSWERS));
        println!("{connections} connections, in turn {in_turn}: 256 ACKs taken in {clocks} clocks");
        assert_eq!(bench.sent.len(), connections as usize);
        assert!(bench.sent.iter().all(|(_, sent)| sent.status == Status::Done));
        let counters = &bench.model.outputs().counters;
        assert_eq!((counters.window.marks, counters.rtt.bins.iter().sum::<u32>()), (ANSWERS, ANSWERS));
        assert_eq!(bench.orders.len(), ANSWERS as usize, "nothing is sent again");
    }
}

/// While one connection's NACKs wait for its window, another one sends.
#[test]
fn a_burst_of_one_connection_stops_no_other() {
    let mut bench = outstanding(1, patient(ANSWERS + LEFT));
    let nacks = answers(1, true, |psn| Acknowledgement { nack: true, ..ack(psn, bench.now()) });
    bench.work(1, 200);
    bench.idle(100);
    let before = (bench.orders_of(1), bench.at);
    burst(&mut bench, &nacks);
    let (packets, clocks) = ((bench.orders_of(1) - before.0) as u64, bench.at - before.1);
    println!("{packets} packets of the other connection in {clocks} clocks");
    assert!(packets * 82 > clocks, "{packets} packets in {clocks} clocks: below 100 Gb/s of 4 KiB");
}
