//! Bursts of answers, one offered in every second clock. No answer is lost, neither in front of the transport
//! nor in front of the congestion window (rules 4, 11 and 21 of `docs/blocks/sender.md`).

use super::bench::{Bench, ack, csr, open};
use weft_nic::words::{Acknowledgement, Status};
use weft_params::SenderCsr;

/// Answers of a burst: to a window of one connection.
const ANSWERS: u32 = 256;
/// Packets left of each window after a burst of NACKs: more than the 32 KiB that the sender may choose before
/// it has the windows (rule 9).
const LEFT: u32 = 12;

/// Windows of `packets` packets, which only NACKs make smaller: no period of QuickAdapt ends in the test.
fn patient(packets: u32) -> SenderCsr {
    let mut csr = csr(packets, 65_535);
    csr.sack = csr.sack.with_epoch(24_575);
    for class in &mut csr.smartt.classes {
        (class.base_rtt_ticks, class.target_rtt_ticks) = (60_000, 65_000);
    }
    csr
}

/// A sender of 256 connections. `connections` of them have sent `ANSWERS` packets together, and one more has
/// sent none.
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

/// Offers these answers, one in every second clock or as soon as they are accepted. Returns the number of
/// clocks to the last answer.
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

/// Answers to all packets, alternating between connections or one connection after the other.
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

/// Numbers of connections, and the order of their answers.
const SHAPES: [(u32, bool); 4] = [(1, true), (4, true), (4, false), (256, true)];

#[test]
fn every_nack_reaches_the_transport_and_the_window() {
    for (connections, in_turn) in SHAPES {
        let each = ANSWERS / connections;
        let mut bench = outstanding(connections, patient(each + LEFT));
        // No packet leaves before the windows have all NACKs.
        bench.ready.order_ready = false;
        let nacks =
            answers(connections, in_turn, |psn| Acknowledgement { nack: true, ..ack(psn, bench.now()) });
        let clocks = burst(&mut bench, &nacks);
        bench.idle(u64::from(24 * ANSWERS));
        assert_eq!(bench.model.outputs().counters.recovery.lost_by_nack, ANSWERS);
        (0..connections).for_each(|connection| bench.work(connection, 3 * LEFT));
        bench.ready.order_ready = true;
        bench.idle(60_000);
        let orders = bench.orders.split_off(ANSWERS as usize);
        println!("{connections} connections, in turn {in_turn}: 256 NACKs taken in {clocks} clocks");
        for connection in 0..connections {
            let sent = orders.iter().filter(|(id, _)| *id == connection).map(|(_, order)| order.psn);
            let sent: Vec<u32> = sent.collect();
            // Packets that the window still allows, in the order of PSNs. A missed NACK would allow one more
            // packet.
            assert!(sent.iter().copied().eq(0..LEFT), "{connections}: {connection} sent {sent:?}");
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

/// While the NACKs of one connection wait for its window, other connections, few or many, send at the rate of
/// the wire.
#[test]
fn a_burst_of_one_connection_stops_no_other() {
    for others in [1, 2, 4, 8, 16, 64] {
        let mut bench = outstanding(1, patient(ANSWERS + LEFT));
        let nacks = answers(1, true, |psn| Acknowledgement { nack: true, ..ack(psn, bench.now()) });
        (2..=others).for_each(|connection| bench.command(connection, open(0)));
        (1..=others).for_each(|connection| bench.work(connection, 250));
        bench.idle(100);
        let (orders, begin) = (bench.orders.len(), bench.at);
        burst(&mut bench, &nacks);
        let clocks = bench.at - begin;
        let sent = bench.orders[orders..].iter().filter(|(id, _)| *id > 0).count() as u64;
        println!("{others} others: {sent} packets in {clocks} clocks");
        // A packet of 4 KiB takes 82 clocks of 4 ns at 100 Gb/s.
        assert!(82 * sent > clocks, "{others} others: {sent} packets in {clocks} clocks");
    }
}
