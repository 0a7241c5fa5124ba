//! Rule 18 of `docs/blocks/sender.md`: a connection that drains accepts no more work. Posted requests run to
//! their end, and the sender reports that end once (rule 15 of the NIC).

use super::bench::{Bench, CLOSE, DRAIN, ack, csr, open};
use weft_nic::block::sender::Inputs;
use weft_nic::words::Status;

/// Statuses of a connection's completions, in order.
fn statuses(bench: &Bench, connection: u32) -> Vec<Status> {
    bench.sent.iter().filter(|(id, _)| *id == connection).map(|(_, sent)| sent.status).collect()
}

#[test]
fn with_nothing_outstanding_it_is_told_at_once_and_before_the_command_is_over() {
    let mut bench = Bench::new(csr(100, 60_000));
    bench.work(1, 2);
    bench.idle(300);
    bench.answer(1, ack(2, bench.now()));
    bench.idle(300);
    // The first connection was never used; the second has an ended message.
    for connection in [0, 1] {
        bench.command(connection, DRAIN);
        assert_eq!(bench.drained.last(), Some(&connection));
    }
    bench.idle(300);
    assert_eq!(bench.drained, [0, 1]);
    // While the host does not accept the report, the command waits. Other work does not wait.
    bench.ready.drained_ready = false;
    let drain = Inputs { control: Some((2, DRAIN)), ..bench.ready };
    assert!((0..500).all(|_| !bench.clock(drain).control_ready));
    let work = bench.some_work(1);
    let taken = (0..40).filter(|_| bench.clock(Inputs { work: Some((3, work)), ..drain }).work_ready).count();
    assert!(taken > 4, "{taken}");
}

/// The drain arrives in any clock after work of its connection and of others. Work accepted before the drain
/// was offered is posted; later work is refused.
#[test]
fn work_before_it_runs_to_its_end_and_work_behind_it_is_refused() {
    for wait in 0..16 {
        let mut bench = Bench::new(csr(100, 60_000));
        bench.work(1, 3);
        bench.work(2, 1);
        bench.work(1, 1);
        bench.idle(wait);
        bench.command(1, DRAIN);
        bench.work(1, 1);
        bench.work(2, 1);
        bench.work(1, 1);
        bench.idle(400);
        assert_eq!((bench.orders_of(1), bench.orders_of(2)), (4, 2), "after {wait} clocks");
        assert_eq!(statuses(&bench, 1), [Status::Refused; 2]);
        bench.answer(1, ack(3, bench.now()));
        bench.idle(300);
        assert!(bench.drained.is_empty(), "{:?}", bench.drained);
        bench.answer(1, ack(4, bench.now()));
        bench.idle(300);
        assert_eq!(statuses(&bench, 1)[2..], [Status::Done; 2]);
        assert_eq!(bench.drained, [1], "after {wait} clocks");
    }
}

/// A completion counts as outstanding until it is accepted.
#[test]
fn a_completion_that_waits_is_outstanding() {
    for wait in 0..40 {
        let mut bench = Bench::new(csr(100, 60_000));
        bench.work(1, 1);
        bench.idle(300);
        bench.ready.sent_ready = false;
        bench.answer(1, ack(1, bench.now()));
        bench.idle(200);
        bench.command(1, DRAIN);
        bench.idle(wait);
        assert!(bench.drained.is_empty() && bench.sent.is_empty());
        bench.ready.sent_ready = true;
        bench.idle(20);
        assert_eq!((bench.drained.as_slice(), statuses(&bench, 1)), ([1].as_slice(), vec![Status::Done]));
    }
}

/// The last completion is accepted in any clock around the drain. The sender reports the drain once.
#[test]
fn the_last_message_ends_while_the_drain_is_carried_out() {
    let mut early = 0;
    for wait in 0..40 {
        let mut bench = Bench::new(csr(100, 60_000));
        bench.work(1, 1);
        bench.idle(300);
        bench.ready.sent_ready = false;
        bench.answer(1, ack(1, bench.now()));
        bench.idle(200);
        let drain = Inputs { control: Some((1, DRAIN)), ..bench.ready };
        let mut taken = false;
        for clock in 0..60 {
            let sent_ready = clock >= wait;
            let control = drain.control.filter(|_| !taken);
            taken |= bench.clock(Inputs { sent_ready, control, ..drain }).control_ready && !taken;
        }
        early += u32::from(taken && bench.drained == [1]);
        assert_eq!(bench.drained, [1], "after {wait} clocks");
    }
    assert_eq!(early, 40);
}

/// Two connections settle in the same clocks, one by its last completion and one by its drain.
#[test]
fn two_at_once_are_both_told() {
    for wait in 0..40 {
        let mut bench = Bench::new(csr(100, 60_000));
        bench.work(1, 1);
        bench.idle(300);
        bench.command(1, DRAIN);
        bench.ready.sent_ready = false;
        bench.answer(1, ack(1, bench.now()));
        bench.idle(200);
        let control = Some((2, DRAIN));
        bench.ready.drained_ready = false;
        for clock in 0..40 {
            bench.clock(Inputs { sent_ready: clock >= wait, control, ..bench.ready });
        }
        bench.ready = Inputs { sent_ready: true, drained_ready: true, failed_ready: true, ..bench.ready };
        bench.command(2, DRAIN);
        bench.idle(20);
        bench.drained.sort_unstable();
        assert_eq!(bench.drained, [1, 2], "after {wait} clocks");
    }
}

#[test]
fn a_close_or_an_open_ends_it_without_a_word() {
    for end in [CLOSE, open(0)] {
        for wait in 0..60 {
            let mut bench = Bench::new(csr(100, 60_000));
            bench.work(1, 2);
            bench.idle(300);
            bench.command(1, DRAIN);
            bench.idle(wait);
            bench.command(1, end);
            bench.command(1, open(0));
            bench.idle(300);
            assert_eq!(statuses(&bench, 1), [Status::Error]);
            assert!(bench.drained.is_empty(), "after {wait} clocks: {:?}", bench.drained);
            // The next opening accepts work, and no state of the drain is left.
            let orders = bench.orders_of(1);
            bench.work(1, 1);
            bench.idle(300);
            bench.answer(1, ack(1, bench.now()));
            bench.idle(300);
            assert_eq!(bench.orders_of(1), orders + 1);
            assert_eq!(statuses(&bench, 1), [Status::Error, Status::Done]);
            assert!(bench.drained.is_empty(), "after {wait} clocks: {:?}", bench.drained);
        }
    }
}

/// Requests that ended before a close are reported before the close is accepted.
#[test]
fn a_close_waits_until_it_was_told() {
    let mut bench = Bench::new(csr(100, 60_000));
    bench.work(1, 1);
    bench.idle(300);
    bench.command(1, DRAIN);
    bench.ready.drained_ready = false;
    bench.answer(1, ack(1, bench.now()));
    bench.idle(300);
    assert_eq!(statuses(&bench, 1), [Status::Done]);
    assert_eq!(bench.close(1, 2_000), None);
    bench.ready.drained_ready = true;
    assert!(bench.close(1, 200).is_some());
    assert_eq!(bench.drained, [1]);
}

/// A connection fails while it drains. The connection's messages end, and the sender reports the drain.
#[test]
fn a_connection_that_fails_is_drained_too() {
    let mut csr = csr(100, 60);
    csr.sack = csr.sack.with_retries(1);
    let mut bench = Bench::new(csr);
    bench.work(1, 2);
    bench.work(1, 1);
    bench.idle(100);
    bench.command(1, DRAIN);
    bench.idle(20_000);
    assert_eq!(statuses(&bench, 1), [Status::Unanswered; 2]);
    assert_eq!(bench.drained, [1]);
    // A second drain is reported again.
    bench.command(1, DRAIN);
    assert_eq!(bench.drained, [1, 1]);
}
