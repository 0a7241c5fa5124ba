//! The meaning of a load: the frame on the wire counts, so that a port that sends does not look idle.

use super::site::Edge;
use weft_random::Rng;
use weft_switch::schemes::Scheme;
use weft_switch::switch::Transaction;

const FRAMES: u64 = 20_000;

/// Four ports up. Frames arrive one by one, every `gap` clocks and up to 100 clocks later, farther apart than
/// the pipeline is long. The result is the mean number of clocks that a frame waits for its wire, and the
/// maximum number of bytes in a queue.
fn waits(scheme: Scheme, gap: u64, seed: u64) -> (u64, u32) {
    let mut edge = Edge::new(scheme, seed);
    // A frame of 4,178 bytes takes 1,344.64 clocks.
    edge.gbps = 25;
    let mut switch = edge.switch::<Transaction>();
    let frame = edge.frame(0, 8, 0xC000, 1, 4_096);
    assert_eq!(frame.len(), 4_178);
    let mut random = Rng::new(seed);
    let arrivals = (0..FRAMES).map(|number| number * gap + u64::from(random.below(100)));
    let mut arrivals = arrivals.zip((0..4u16).cycle()).peekable();
    // The sums of the clocks of arrivals and of departures.
    let (mut came, mut left, mut clock) = (0, 0, 0);
    while arrivals.peek().is_some() || !switch.is_empty() {
        while let Some((at, host)) = arrivals.next_if(|(at, _)| *at <= clock) {
            came += at;
            switch.receive(clock, host, frame.clone());
        }
        switch.clock(clock, &mut |_, _| left += clock);
        clock += 1;
    }
    let peak = (4..8).map(|port| switch.tm().queue_peak_bytes(port, 0)).max();
    // Two halves of 100 clocks.
    ((left - came) / FRAMES - 200, peak.unwrap_or(0))
}

/// At half of the rate a port is always idle, and every frame gets an idle port.
#[test]
fn a_port_that_sends_is_not_idle() {
    for seed in 1..=5 {
        assert_eq!(waits(Scheme::Jsq {}, 672, seed), (0, 4_178), "seed {seed}");
    }
    // A port at random.
    assert!(waits(Scheme::Rsq {}, 672, 1).0 > 200);
}

/// 98 % of the rate. If the frame being sent did not count, JSQ's frames would wait for 671 to 676 clocks.
#[test]
fn nearly_all_of_the_rate() {
    for seed in 1..=5 {
        let (clocks, peak) = waits(Scheme::Jsq {}, 343, seed);
        assert!((600..640).contains(&clocks) && peak == 4_178, "seed {seed}: {clocks}, {peak}");
    }
}
