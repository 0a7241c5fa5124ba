//! Packets per second of both views of a switch. The switch is an edge switch of a leaf-spine; its four hosts
//! send frames of 1,000 bytes of payload at the rate of their ports. `cargo bench -p weft-switch`.

#[path = "../tests/site/mod.rs"]
mod site;

use site::Edge;
use std::time::Instant;
use weft_switch::switch::{Clocked, Transaction, View};

const PACKETS: u32 = 200_000;
/// Clocks from one frame of a host to the next: 100 Gb/s.
const GAP: u64 = 90;

/// Packets per second; the view may leave out idle clocks.
fn rate<V: View>(edge: &Edge, frames: &[Vec<u8>], skip: bool) -> f64 {
    let mut switch = edge.switch::<V>();
    let (mut clock, mut sent, mut left) = (0, 0u32, 0u32);
    let begin = Instant::now();
    while sent < PACKETS {
        let due = u64::from(sent / 4) * GAP;
        if clock >= due {
            for host in 0..4 {
                switch.receive(
                    clock,
                    host,
                    frames[(sent as usize + usize::from(host)) % frames.len()].clone(),
                );
            }
            sent += 4;
        }
        switch.clock(clock, &mut |_, _| left += 1);
        clock += 1;
        if skip {
            let due = u64::from(sent / 4) * GAP;
            clock = switch.next(clock).map_or(due, |next| next.min(due)).max(clock);
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    assert!(left > PACKETS / 2, "{left} of {PACKETS} left");
    f64::from(PACKETS) / seconds
}

fn main() {
    println!("{:<24} {:>14} {:>14} {:>7}", "scheme", "clocked /s", "transaction /s", "ratio");
    for scheme in site::schemes() {
        let name = format!("{scheme:?}");
        let name = name.split(['(', ' ', '{']).next().unwrap_or_default().to_owned();
        let edge = Edge::new(scheme, 1);
        let frames: Vec<Vec<u8>> = (0..256u32)
            .map(|psn| edge.frame(psn % 4, 4 + psn / 4 % 12, 0xC000 + (psn % 4) as u16, psn, 1000))
            .collect();
        let (clocked, transaction) =
            (rate::<Clocked>(&edge, &frames, false), rate::<Transaction>(&edge, &frames, true));
        println!("{name:<24} {clocked:>14.0} {transaction:>14.0} {:>7.2}", transaction / clocked);
    }
}
