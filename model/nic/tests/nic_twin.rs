//! The clocked NIC and the NIC as transactions get the same frames, work requests and commands, and must give
//! the same results: every frame, fetch, write and completion, all counters, and the state of every
//! connection.
//!
//! Stimuli have gaps. The clocked NIC counts time in ticks: the time does not advance while the NIC works on
//! a stimulus, and advances between stimuli (by the register TICK_SHIFT). Known differences, and their
//! treatment in the test:
//!
//! * The clocked NIC needs some hundred clocks for SMaRTT's answer, and up to four packets of the connection
//!   leave before the answer. The test therefore finds these packets, and gives the new window to the
//!   transaction view after them.
//! * ACKs and data have separate orders: on the wire ACKs overtake data that waits for its payload. If timers
//!   of several connections expire in the same tick, their ACKs are in the order of the scanner. The test
//!   therefore compares ACKs by connection.
//! * Retransmission timers that expire in the same tick are handled in the order of the scanner. The random
//!   paths of the packets would depend on that order, so the test closes one of the connections before.
//! * Several data frames at once, or several work requests at once, have only one order: they arrive back to
//!   back.

mod common;
mod twin;

use twin::Bench;

/// A run. Returns the number of packets, and a line about the run.
fn run(seed: u64, packets: u64) -> (u64, String) {
    let mut bench = Bench::new(seed);
    bench.run(packets);
    let (done, failed) = bench
        .flows
        .iter()
        .flatten()
        .fold((0, 0), |(done, failed), flow| (done + flow.done, failed + flow.failed));
    let Bench { packets, rounds, now, refused, ties, .. } = bench;
    let clocks = bench.device.clock;
    let line = format!(
        "seed {seed}: {packets} packets, {rounds} rounds, {clocks} clocks, {now} ticks; {done} messages done, \
         {failed} failed, {refused} refused, {ties} ties\n{:?}",
        bench.twin.counters()
    );
    (packets, line)
}

/// Checks `seeds` runs of `packets` packets, in two threads.
fn both_views_are_the_same(seeds: u64, packets: u64) {
    let runs: Vec<_> = std::thread::scope(|scope| {
        let half = |from: u64| {
            scope.spawn(move || (from..seeds).step_by(2).map(|seed| run(seed, packets)).collect())
        };
        let halves: [std::thread::ScopedJoinHandle<'_, Vec<_>>; 2] = [half(0), half(1)];
        halves.into_iter().flat_map(|half| half.join().expect("a run")).collect()
    });
    runs.iter().for_each(|(_, line)| println!("{line}"));
    assert!(runs.iter().map(|(packets, _)| packets).sum::<u64>() >= packets * seeds * 9 / 10);
}

#[test]
fn both_views_of_the_nic_are_the_same() {
    both_views_are_the_same(5, 10_000);
}

#[test]
#[ignore = "soak: `make test` has five shorter ones"]
fn both_views_are_the_same_in_twenty_runs() {
    both_views_are_the_same(20, 32_000);
}
