//! Rule 14 of `docs/blocks/sender.md`: a close is accepted when the block has no earlier state of the
//! connection.

use super::bench::{Bench, CLOSE, ack, csr, open};
use weft_nic::block::sender::Inputs;
use weft_nic::words::{Acknowledgement, Status};

/// Number of clocks within which a close is accepted if nothing outside delays it.
const SHORT: u64 = 200;

#[test]
fn a_close_with_nothing_before_it_is_taken_once_and_soon() {
    let mut bench = Bench::new(csr(100, 60_000));
    // The second one finds the connection closed.
    for _ in 0..2 {
        assert!(bench.close(1, SHORT).is_some());
        for _ in 0..300 {
            assert!(!bench.clock(bench.ready).control_ready, "a second handshake");
        }
    }
    let counters = bench.model.outputs().counters;
    let closed =
        [counters.sack_tx_not_open_events, counters.reps_not_open_events, counters.smartt_not_open_events];
    assert_eq!(closed, [1; 3]);
    // Opens, seeds and PATH_OK need no outside stream.
    bench.ready = Inputs { fetch_ready: false, order_ready: false, sent_ready: false, ..bench.ready };
    bench.command(1, open(7));
}

#[test]
fn a_close_waits_for_each_output_and_all_ends_before_it() {
    let stalls: [fn(&mut Inputs); 3] =
        [|it| it.order_ready = false, |it| it.fetch_ready = false, |it| it.sent_ready = false];
    for (which, stall) in stalls.into_iter().enumerate() {
        for messages in [1, 3, 16] {
            let mut bench = Bench::new(csr(100, 60_000));
            let open = bench.ready;
            stall(&mut bench.ready);
            (0..messages).for_each(|_| bench.work(1, 2));
            bench.idle(300);
            assert_eq!(bench.close(1, 3_000), None, "output {which}, {messages} messages");
            bench.ready = open;
            assert!(bench.close(1, 20 * SHORT).is_some(), "output {which}, {messages} messages");
            let errors = bench.sent.iter().filter(|(id, sent)| (*id, sent.status) == (1, Status::Error));
            assert_eq!((errors.count(), bench.sent.len()), (messages, messages));
            let seen = (bench.orders.len(), bench.fetches);
            bench.command(1, super::bench::open(1_000));
            bench.idle(500);
            assert_eq!((bench.orders.len(), bench.fetches, bench.sent.len()), (seen.0, seen.1, messages));
        }
    }
}

/// Even if the close arrives right after the requests, each request has its one completion before.
#[test]
fn what_was_accepted_before_a_close_has_ended_when_it_is_taken() {
    for wait in 0..120 {
        let mut bench = Bench::new(csr(100, 60_000));
        bench.work(1, 1);
        bench.work(2, 1);
        bench.work(1, 3);
        bench.idle(wait);
        assert!(bench.close(1, 4 * SHORT).is_some());
        let ended = bench.sent.iter().filter(|(id, _)| *id == 1).count();
        assert_eq!((ended, bench.sent.len()), (2, 2), "after {wait} clocks");
        let orders = bench.orders_of(1);
        bench.idle(300);
        assert_eq!(bench.orders_of(1), orders, "after {wait} clocks");
        // The second connection continues.
        bench.answer(2, ack(1, bench.now()));
        bench.idle(300);
        assert_eq!(bench.sent.last().map(|(id, sent)| (*id, sent.status)), Some((2, Status::Done)));
    }
}

/// Rule 15.
#[test]
fn while_a_close_waits_no_request_is_taken() {
    let mut bench = Bench::new(csr(100, 60_000));
    bench.work(1, 2);
    bench.idle(300);
    bench.ready.sent_ready = false;
    let work = bench.some_work(1);
    let offer = |bench: &mut Bench| {
        bench.clock(Inputs { control: Some((1, CLOSE)), work: Some((2, work)), ..bench.ready })
    };
    // The clock that first offers the close may still accept a work request.
    assert!(offer(&mut bench).work_ready);
    let work = bench.some_work(1);
    for _ in 0..2_000 {
        let inputs = Inputs { control: Some((1, CLOSE)), work: Some((2, work)), ..bench.ready };
        let outputs = bench.clock(inputs);
        assert!(!outputs.control_ready && !outputs.work_ready);
    }
    bench.ready.sent_ready = true;
    assert!(bench.close(1, SHORT).is_some());
    bench.work(2, 1);
    bench.idle(300);
    assert_eq!(bench.orders_of(2), 2);
}

/// Packets, completions and ACKs of other connections arrive at full rate; the close still ends.
#[test]
fn a_close_ends_under_traffic_of_others() {
    let mut bench = Bench::new(csr(100, 60_000));
    bench.work(1, 2);
    let mut taken = None;
    let mut acked = [0u32; 4];
    for clock in 0..12_000u64 {
        let connection = [0, 2, 3][(clock % 3) as usize];
        let have = bench.orders_of(connection) as u32;
        let acknowledgement = (have > acked[connection as usize]).then(|| {
            let mark = clock % 2 == 0;
            (connection, Acknowledgement { ce: mark, ..ack(have, bench.now()) })
        });
        let work = bench.some_work(1);
        let inputs = Inputs {
            work: Some((connection, work)),
            acknowledgement,
            control: (clock >= 3_000 && taken.is_none()).then_some((1, CLOSE)),
            order_ready: clock % 4 == 0,
            sent_ready: clock % 4 == 1,
            ..bench.ready
        };
        let outputs = bench.clock(inputs);
        if acknowledgement.is_some() && outputs.acknowledgement_ready {
            acked[connection as usize] = have;
        }
        if inputs.control.is_some() && outputs.control_ready {
            taken = Some(clock - 3_000);
        }
    }
    assert!(taken.is_some_and(|clocks| clocks < 1_000), "{taken:?}");
    assert!(bench.sent.len() > 1_000, "{}", bench.sent.len());
}

/// A window that was in the block when the connection closed does not limit the next opening, which begins
/// with the largest window (rule 13).
#[test]
fn no_window_of_an_opening_reaches_the_next() {
    for wait in 0..160 {
        let mut bench = Bench::new(csr(2, 60_000));
        bench.work(1, 2);
        bench.idle(300);
        assert_eq!(bench.orders_of(1), 2);
        // A packet is lost: the window is one packet, some hundred clocks later.
        bench.answer(1, Acknowledgement { nack: true, ..ack(0, bench.now()) });
        bench.idle(wait);
        assert!(bench.close(1, 2 * SHORT).is_some());
        let before = bench.orders_of(1);
        bench.command(1, open(5_000));
        bench.work(1, 4);
        bench.idle(400);
        assert_eq!(bench.orders_of(1) - before, 2, "after {wait} clocks");
        bench.idle(400);
        assert_eq!(bench.orders_of(1) - before, 2, "after {wait} clocks");
    }
}

/// Rule 4: an ACK that is accepted before a command is handled before the command.
#[test]
fn no_acknowledgement_of_an_opening_reaches_the_next() {
    for wait in 0..8 {
        let mut bench = Bench::new(csr(100, 60_000));
        // The next opening has the same PSNs: an ACK of the old opening would end a message of the new one.
        bench.work(1, 1);
        bench.idle(300);
        bench.answer(2, ack(0, bench.now()));
        bench.answer(1, ack(0, bench.now()));
        bench.answer(1, ack(1, bench.now()));
        bench.idle(wait);
        assert!(bench.close(1, 2 * SHORT).is_some());
        assert_eq!(bench.sent.iter().map(|(_, sent)| sent.status).collect::<Vec<_>>(), [Status::Done]);
    }
}
