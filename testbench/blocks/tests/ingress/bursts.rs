//! `weft_ingress`: bursts that the queues can absorb.

use crate::desk::{ALL, Desk, NONE, Takes, ack, data, nack, trimmed};
use weft_nic::words::Beat;

/// Sends a burst. Accepts an acknowledgement in one of `one_in` clocks until all have left.
fn burst(frame: fn(u32, u32) -> Vec<Beat>, count: u32, every: usize, one_in: u64) -> Desk {
    let mut desk = Desk::new();
    let takes = |clock: u64| Takes { acknowledgements: clock.is_multiple_of(one_in), ..ALL };
    for psn in 0..count {
        let words = frame(psn % 2 * 3, psn);
        for at in 0..words.len().max(every) {
            desk.clock(words.get(at).copied(), None, takes(desk.clock));
        }
    }
    while desk.clock < u64::from(count + 40) * one_in.max(every as u64) {
        desk.clock(None, None, takes(desk.clock));
    }
    desk
}

/// A connection has at most 256 packets in flight. The sender accepts an event of a connection in 24 clocks
/// and gets all answers, ACKs or NACKs.
#[test]
fn the_answers_to_a_window_are_not_lost() {
    for frame in [ack, nack] {
        for (count, every) in [(256, 2), (256, 5), (560, 2)] {
            let desk = burst(frame, count, every, 24);
            let psns: Vec<u32> = desk.acknowledgements.iter().map(|(psn, _)| *psn).collect();
            assert_eq!(desk.stats().overflows, 0);
            assert_eq!(psns, (0..count).collect::<Vec<_>>());
        }
    }
}

#[test]
fn more_is_counted_and_the_rest_is_whole() {
    let desk = burst(nack, 2_000, 2, 24);
    let (out, lost) = (desk.acknowledgements.len() as u32, desk.stats().overflows);
    assert!(lost > 500 && out + lost == 2_000, "{out} out, {lost} lost");
    assert_eq!(desk.stats().nacks, out);
}

/// Rule 8: queues of 512 and 64 words, and two words behind each memory; 512 words of payload.
#[test]
fn places() {
    let kept = |frame: &[Beat], count: u32| {
        let mut desk = Desk::new();
        for _ in 0..count {
            desk.send(frame, NONE);
        }
        desk.idle(30, NONE);
        let stats = desk.stats();
        assert!(stats.overflows > 0);
        count - stats.overflows
    };
    assert_eq!(kept(&nack(0, 0), 600), 514);
    assert_eq!(kept(&trimmed(0, 0), 100), 66);
    assert_eq!(kept(&data(0, 0, 8_192), 8), 4);
}

/// Frames at the rate of the bus are never dropped if their words are accepted at once.
#[test]
fn nothing_is_dropped_at_the_rate_of_the_bus() {
    let frames = [trimmed(1, 0), ack(2, 0), nack(3, 0), data(4, 0, 1), data(5, 0, 64), data(6, 0, 1_024)];
    for frame in frames {
        let mut desk = Desk::new();
        for _ in 0..2_000 {
            desk.send(&frame, ALL);
        }
        desk.idle(40, ALL);
        assert_eq!(desk.arrivals.len() + desk.acknowledgements.len(), 2_000);
        assert_eq!(desk.stats().overflows, 0);
    }
}
