//! Rule 22: the sender reports a failed connection at once, sends no more of its packets, and ends its work
//! with the cause. The tests use the model; `lockstep.rs` shows that the RTL is the same on every clock.

use crate::bench::{Bench, ack, csr, open};
use weft_nic::words::{Acknowledgement, Status};

/// Clocks from the NACK of a failure to the report.
const TOLD: u64 = 80;
/// Clocks after which only packets chosen before leave.
const CHOSEN: u64 = 80;

fn denial(psn: u32) -> Acknowledgement {
    Acknowledgement { nack: true, expected: psn, trigger: psn, reason: 0x19, ..Acknowledgement::default() }
}

fn statuses(bench: &Bench, connection: u32) -> Vec<Status> {
    bench.sent.iter().filter(|(id, _)| *id == connection).map(|(_, sent)| sent.status).collect()
}

/// While the host accepts no completion, the sender reports a failure by the peer's denial (rule 16) or
/// silence as soon as it has detected the failure.
#[test]
fn a_failure_is_told_before_its_completion_is_taken() {
    let mut bench = Bench::new(csr(100, 60_000));
    bench.ready.sent_ready = false;
    bench.work(1, 3);
    bench.work(1, 2);
    bench.idle(500);
    bench.answer(1, denial(1));
    let denied = bench.at;
    bench.idle(3_000);
    assert!(bench.sent.is_empty());
    let [(at, 1, true)] = bench.failed[..] else { panic!("{:?}", bench.failed) };
    assert!(at < denied + TOLD, "after {} clocks", at - denied);
    bench.ready.sent_ready = true;
    bench.idle(100);
    assert_eq!(statuses(&bench, 1), [Status::Denied; 2]);

    let mut quiet = csr(100, 60);
    quiet.sack = quiet.sack.with_retries(1);
    let mut bench = Bench::new(quiet);
    bench.ready.sent_ready = false;
    bench.work(2, 1);
    bench.idle(20_000);
    assert!(matches!(bench.failed[..], [(_, 2, false)]) && bench.sent.is_empty());
}

/// A close waits until an earlier failure was reported.
#[test]
fn a_close_waits_until_a_failure_was_told() {
    let mut bench = Bench::new(csr(100, 60_000));
    bench.ready.failed_ready = false;
    bench.work(1, 3);
    bench.idle(500);
    bench.answer(1, denial(1));
    bench.idle(100);
    assert_eq!(statuses(&bench, 1), [Status::Denied]);
    assert_eq!(bench.close(1, 2_000), None);
    bench.ready.failed_ready = true;
    assert!(bench.close(1, 200).is_some());
    assert_eq!(bench.failed.len(), 1);
}

/// A failure at this end: messages end with its cause, and those done before stay done. Later ACKs do not
/// count, and only packets chosen before leave. Opened again, the connection works.
#[test]
fn what_fails_at_this_end_ends_with_its_cause() {
    for (cause, held) in [(Status::Breach, false), (Status::Broken, false), (Status::Breach, true)] {
        let mut bench = Bench::new(csr(100, 60_000));
        bench.ready.sent_ready = !held;
        bench.work(1, 2);
        (0..5).for_each(|_| bench.work(1, 40));
        bench.work(2, 1_000);
        bench.idle(400);
        bench.answer(1, ack(2, bench.now()));
        bench.idle(200);
        bench.fail(1, cause);
        bench.idle(CHOSEN);
        // The queues hold packets chosen earlier. No packets follow these.
        bench.idle(200);
        let left = bench.orders_of(1);
        bench.answer(1, ack(left as u32, bench.now()));
        bench.idle(2_000);
        assert_eq!(bench.orders_of(1), left, "{cause:?}");
        bench.ready.sent_ready = true;
        bench.idle(500);
        let mut due = vec![cause; 6];
        due[0] = Status::Done;
        assert_eq!(statuses(&bench, 1), due);
        bench.work(1, 1);
        bench.idle(200);
        assert_eq!(statuses(&bench, 1)[6..], [Status::Refused]);
        assert!(bench.failed.is_empty(), "whoever said so knows");
        // Other connections continue.
        assert!(statuses(&bench, 2).is_empty() && bench.orders_of(2) > 0);
        assert!(bench.close(1, 500).is_some());
        bench.command(1, open(700));
        bench.work(1, 2);
        bench.idle(300);
        bench.answer(1, ack(702, bench.now()));
        bench.idle(200);
        assert_eq!(statuses(&bench, 1)[7..], [Status::Done]);
    }
}

/// Failures of a connection that is closed, or has failed, have no effect.
#[test]
fn what_is_closed_does_not_fail() {
    let mut bench = Bench::new(csr(100, 60_000));
    bench.fail(9, Status::Breach);
    bench.work(1, 3);
    bench.idle(300);
    bench.fail(1, Status::Broken);
    bench.fail(1, Status::Breach);
    bench.idle(300);
    assert_eq!(statuses(&bench, 1), [Status::Broken]);
    assert!(bench.close(1, 500).is_some());
    bench.fail(1, Status::Breach);
    bench.command(1, open(5));
    bench.work(1, 1);
    bench.idle(300);
    bench.answer(1, ack(6, bench.now()));
    bench.idle(200);
    assert_eq!(statuses(&bench, 1), [Status::Broken, Status::Done]);
}
