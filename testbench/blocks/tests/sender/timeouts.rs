//! Rules 10 and 11 of `docs/blocks/sender.md`: a timeout that loses no packet is not an event.

use super::bench::{Bench, MTU, TICK, ack, csr};

/// Number of clocks from a packet's work request to the freeze after its timeout, as no answer arrives.
fn expiry() -> u64 {
    let mut bench = Bench::new(csr(100, RTO));
    bench.work(1, 1);
    (1..)
        .find(|_| {
            bench.idle(1);
            frozen(&bench)
        })
        .expect("it expires")
}

const RTO: u32 = 60;

fn frozen(bench: &Bench) -> bool {
    bench.model.reps().control(1).frozen.value() == 1
}

/// The ACK of all packets arrives at every clock around the expiry of the timer. REPS freezes if and only if
/// a packet was lost, which the window shows.
#[test]
fn a_timer_that_expires_behind_the_ack_of_everything_is_no_failure() {
    let (mut well, mut lost) = (0, 0);
    let expiry = expiry();
    // Two probes precede the timeout: one after three epochs; four epochs later, an epoch loses the packet.
    assert!(expiry > u64::from(RTO / 10 * 6 + RTO) * TICK, "{expiry} clocks");
    for before in 0..200 {
        let mut bench = Bench::new(csr(100, RTO));
        bench.work(1, 1);
        bench.idle(expiry - before);
        bench.answer(1, ack(1, bench.now()));
        bench.idle(300);
        let shrunk = bench.model.sack_tx().flow(1).cwnd.value() < u128::from(100 * MTU);
        assert_eq!(frozen(&bench), shrunk, "ACK {before} clocks before the freeze");
        well += u32::from(!shrunk);
        lost += u32::from(shrunk);
    }
    assert!(well > 20 && lost > 20, "{well} well, {lost} lost");
}
