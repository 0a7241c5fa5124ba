//! Rule 9 of `docs/blocks/sender.md`: a stall of completions ends with its cause, however many packets left meanwhile.

use super::bench::{Bench, ack, csr};

/// Two messages of one packet have ended and no completions are accepted. A long message has packets to send.
#[test]
fn completions_that_wait_for_long_stop_packets_and_nothing_for_good() {
    for packets in [100, 128, 129, 200, 256, 257, 1_000] {
        let mut bench = Bench::new(csr(60, 60_000));
        bench.ready.sent_ready = false;
        for connection in [1, 2] {
            bench.work(connection, 1);
            bench.idle(300);
            bench.answer(connection, ack(1, bench.now()));
        }
        bench.work(3, packets);
        let answered = |bench: &mut Bench| {
            bench.idle(4_000);
            let orders = bench.orders_of(3) as u32;
            bench.answer(3, ack(orders, bench.now()));
            orders
        };
        let mut before = 0;
        loop {
            let orders = answered(&mut bench);
            if orders == before {
                break;
            }
            before = orders;
        }
        assert!(
            before >= 64.min(packets) && before <= 64 + 60,
            "{before} packets behind a completion that waits"
        );
        bench.ready.sent_ready = true;
        while bench.orders_of(3) < packets as usize {
            let orders = answered(&mut bench);
            assert!(orders > before || before == packets, "{orders} of {packets}");
            before = orders;
        }
        answered(&mut bench);
        bench.idle(400);
        assert_eq!(bench.sent.len(), 3, "{packets} packets");
    }
}
