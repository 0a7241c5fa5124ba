//! The stored forms of connections in the transaction views. Any state can be stored and read back, and needs
//! at most the memory given here.

use weft_nic::block::{reps, sack_rx, sack_tx, smartt};
use weft_nic::part::ring::Ring;
use weft_random::Rng;
use weft_word::{Bits, Compact, Concrete, Stored};

/// A random number of `W` bits.
fn any<const W: usize>(rng: &mut Rng) -> Bits<W> {
    Bits::truncated(rng.wide())
}

fn ring(rng: &mut Rng) -> Ring<Concrete> {
    Ring { limbs: [any(rng), any(rng)] }
}

/// Checks that random states can be stored and read back, and that a state needs at most `bytes` bytes.
fn come_back<T: Stored + Copy + std::fmt::Debug>(bytes: usize, mut draw: impl FnMut(&mut Rng) -> T) {
    let mut rng = Rng::new(1);
    let mut kept = Compact::new(draw(&mut rng));
    for _ in 0..1000 {
        let state = draw(&mut rng);
        kept.set(state);
        assert_eq!(format!("{:?}", kept.get()), format!("{state:?}"));
    }
    assert!(size_of::<Compact<T>>() <= bytes, "{} bytes", size_of::<Compact<T>>());
}

#[test]
fn reps_comes_back() {
    come_back(12, |rng| reps::Control::<Concrete> {
        open: any(rng),
        frozen: any(rng),
        high: any(rng),
        head: any(rng),
        valid: any(rng),
        written: any(rng),
        explore: any(rng),
        time: any(rng),
    });
}

#[test]
fn smartt_comes_back() {
    come_back(32, |rng| smartt::Control::<Concrete> {
        open: any(rng),
        fresh: any(rng),
        trigger: any(rng),
        ignoring: any(rng),
        cwnd: any(rng),
        acked: any(rng),
        shared: any(rng),
        calm: any(rng),
        end: any(rng),
        average: any(rng),
    });
}

#[test]
fn the_receiver_comes_back() {
    come_back(96, |rng| sack_rx::State::<Concrete> {
        published: sack_rx::Published {
            open: any(rng),
            origin: any(rng),
            expected: any(rng),
            messages: any(rng),
        },
        received: ring(rng),
        last: ring(rng),
        tail: sack_rx::Tail {
            messages: any(rng),
            bytes: any(rng),
            total: any(rng),
            pending_packets: any(rng),
            pending_bytes: any(rng),
        },
    });
}

#[test]
fn the_sender_comes_back() {
    come_back(64, |rng| sack_tx::Flow::<Concrete> {
        published: sack_tx::Published {
            open: any(rng),
            forfeit: any(rng),
            origin: any(rng),
            una: any(rng),
            next: any(rng),
            class: any(rng),
            epoch: any(rng),
            past: any(rng),
        },
        queued: any(rng),
        left: any(rng),
        head: any(rng),
        tail: any(rng),
        cwnd: any(rng),
        since: any(rng),
        retries: any(rng),
        probes: any(rng),
        begun: any(rng),
        peak: any(rng),
        pace: any(rng),
        former: any(rng),
        verdicts: any(rng),
        verdicts_before: any(rng),
        nacked: any(rng),
        nacked_before: any(rng),
        horizon: sack_tx::Horizon { mark: any(rng), older: any(rng), newer: any(rng), phase: any(rng) },
        unacked: any(rng),
        lost: any(rng),
    });
    come_back(12, |rng| sack_tx::Card::<Concrete> {
        ready: any(rng),
        fresh: any(rng),
        pair: any(rng),
        psn: any(rng),
        left: any(rng),
        head: any(rng),
    });
    come_back(16, |rng| sack_tx::Ends::<Concrete> {
        total: any(rng),
        group: sack_tx::Group { ends: any(rng), number: any(rng) },
    });
    come_back(4, |rng| sack_tx::Account::<Concrete> { posted: any(rng), completed: any(rng) });
}
