//! Rules 10 and 11 of `docs/blocks/sender.md`: a timeout that loses nothing is no event.

use super::bench::{Bench, MTU, TICK, ack, csr};

/// The ACK of everything comes at every clock around the expiry of the timer: REPS freezes if and only if a packet was
/// lost, which the window shows.
#[test]
fn a_timer_that_expires_behind_the_ack_of_everything_is_no_failure() {
    const RTO: u32 = 60;
    let (mut well, mut lost) = (0, 0);
    for wait in 0..200 {
        let mut bench = Bench::new(csr(100, RTO));
        bench.work(1, 1);
        bench.idle(u64::from(RTO) * TICK - 60 + wait);
        bench.answer(1, ack(1, bench.now()));
        bench.idle(200);
        let frozen = bench.model.reps().control(1).frozen.value() == 1;
        let shrunk = bench.model.sack_tx().flow(1).cwnd.value() < u128::from(100 * MTU);
        assert_eq!(frozen, shrunk, "ACK after {wait} clocks");
        well += u32::from(!frozen);
        lost += u32::from(shrunk);
    }
    assert!(well > 20 && lost > 20, "{well} well, {lost} lost");
}
