//! The clocked NIC and the NIC as transactions get the same frames, work requests and commands, and hand out the same:
//! every frame, fetch, write and completion, all counters, and the state of every connection.
//!
//! Stimuli are spaced: the time, which the clocked NIC counts in ticks, does not advance while the NIC works one off,
//! and moves on between them (by the register TICK_SHIFT). Known differences, and how the test treats each:
//!
//! * SMaRTT's answer takes the clocked NIC some hundred clocks; up to four packets of the connection leave before. So
//!   the test sees which packets these were and gives the other view the window after them.
//! * ACKs and data have their own order each: on the wire ACKs overtake data that waits for its payload. ACKs of
//!   different connections that their timers ask for in the same tick come in the order of the scanner; so ACKs are
//!   compared by connection.
//! * Retransmission timers that expire in the same tick: in the order of the scanner. The random paths of their packets
//!   would depend on it, so one of the connections is closed before.
//! * Several data frames at once, and several work requests at once, are no such cases: they come back to back.

mod common;
mod twin;

use twin::Bench;

/// A run; packets, and a line about it.
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

/// So many runs of so many packets, half of them beside the other half.
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
