//! The model of the SACK receiver against the naive oracle, and its clocked view against both.

mod clocks;
mod traces;

use clocks::Spacing;
use proptest::prelude::*;
use traces::{Coverage, Op, compare, op};
use weft_blocks::sack_rx::oracle::Oracle;
use weft_blocks::sack_rx::stimulus::random_csr;
use weft_nic::block::sack_rx::{Event, Kind, SackRx};
use weft_params::{SackParams, SackRxCsr};
use weft_random::Rng;
use weft_word::{Bits, Stored};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// Few connections, and every operation separately: a failing run shrinks to the events that make it
    /// fail.
    #[test]
    fn the_model_is_the_oracle(
        ack_packets in prop::sample::select(vec![0u32, 1, 2, 3, 255]),
        ack_bytes in prop::sample::select(vec![0u32, 1, 1_024, 2_049, 65_535]),
        first in prop::sample::select(vec![0u32, 1, (1 << 24) - 1, (1 << 24) - 300, 1 << 23, 12_345]),
        ops in prop::collection::vec(op(), 1..500),
    ) {
        let csr = SackRxCsr { ack_packets, ack_bytes };
        let (mut model, mut oracle) = (<SackRx>::new(SHAPE, csr), Oracle::new(csr));
        let opens = (0..2).map(|connection| Op::Control { kind: Kind::Open, connection, psn: first });
        for op in opens.chain(ops) {
            for event in op.events(|connection| oracle.expected(connection)) {
                let (got, expected) = (model.step(&event), oracle.step(&event));
                prop_assert_eq!(got, expected, "model (left), oracle (right) on {:?}", event);
            }
        }
    }
}

/// The larger windows, from the same events: PSNs far ahead are in them, or not.
#[test]
fn larger_windows_are_the_oracle_too() {
    fn compare<const S: usize, const N: usize, const L: usize>(seed: u64) -> u64
    where
        Bits<S>: Stored,
        Bits<N>: Stored,
    {
        let mut rng = Rng::new(seed);
        let csr = random_csr(&mut rng);
        let mut model = SackRx::<S, N, L>::new(SHAPE, csr);
        let mut oracle = Oracle::new(csr).with_psns(1 << S);
        let mut far = 0;
        for at in 0..40_000 {
            let (expected, connection) = (oracle.expected(0), 0);
            let kind = match rng.below(64) {
                _ if at == 0 => Kind::Open,
                0 => Kind::ALL[rng.below(8) as usize],
                1..4 => Kind::Flush,
                4..7 => Kind::Probe,
                7..12 => Kind::Trimmed,
                _ => Kind::Data,
            };
            // Mostly the missing PSN does not come, so that the window fills; now and then it does.
            let ahead = match rng.below(16) {
                0 => u64::from(rng.below(4)),
                1 => 250 + u64::from(rng.below(12)),
                2 => (1 << S) - 6 + u64::from(rng.below(12)),
                3 => (1 << 24) - 1 - u64::from(rng.below(300)),
                _ => u64::from(rng.below(1 << S)),
            };
            let event = Event {
                bytes: rng.below(3_000) as u16,
                ce: rng.below(32) == 0,
                request: rng.below(32) == 0,
                last: rng.below(8) == 0,
                ..Event::new(kind, connection, ((expected + ahead) & 0xFF_FFFF) as u32)
            };
            let (got, wanted) = (model.step(&event), oracle.step(&event));
            assert_eq!(got, wanted, "seed {seed}, event {at}: model (left), oracle (right) on {event:?}");
            let is_placed = got.verdict == weft_nic::block::sack_rx::Verdict::Placed;
            far += u64::from(is_placed && got.psn.wrapping_sub(got.expected) & 0xFF_FFFF >= 256);
        }
        far
    }
    let far: u64 = (0..20).map(|seed| compare::<9, 10, 4>(seed).min(compare::<10, 11, 8>(seed))).sum();
    assert!(far > 1_000, "only {far} placed packets are far");
}

const SHAPE: SackParams = SackParams { connections: 4 };

/// Millions of events of senders that lose, reorder, repeat and cheat.
#[test]
fn long_runs() {
    let mut coverage = Coverage::default();
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let params = SackParams { connections: [4, 16, 256][(seed % 3) as usize] };
        let csr = random_csr(&mut rng);
        compare(rng, params, csr, seed % 4 == 0, 40_000, &mut coverage)
            .unwrap_or_else(|difference| panic!("seed {seed}, {csr:?}: {difference}"));
    }
    println!("{coverage:?}");
    coverage.check();
}

/// Arbitrary events that are far enough apart, and events of conforming senders at any distance: the clocked
/// view and the transaction view agree.
#[test]
fn clocks_do_not_matter_to_obedient_senders() {
    for seed in 0..24 {
        clocks::compare(seed, Spacing::Obedient, 60_000);
    }
    for seed in 0..6 {
        clocks::compare(seed, Spacing::Spaced, 60_000);
    }
}

/// Arbitrary events at any distance: the window counts from the published state (rule 16); in all other
/// respects the views agree.
#[test]
fn a_window_counts_from_what_is_published() {
    let refused: u64 = (0..24).map(|seed| clocks::compare(seed, Spacing::Any, 60_000)).sum();
    assert!(refused > 1_000, "only {refused} packets show the difference");
}

/// There are more messages, PSNs and bytes than the counters can count.
#[test]
fn counters_go_round() {
    const MESSAGES: u32 = (1 << 24) + 1_000;
    let mut model = <SackRx>::new(SHAPE, SackRxCsr::default());
    model.step(&Event::new(Kind::Open, 1, 77));
    let mut last = None;
    for sent in 0..MESSAGES {
        let psn = (77 + sent) & 0xFF_FFFF;
        let outcome = model.step(&Event { bytes: 300, last: true, ..Event::new(Kind::Data, 1, psn) });
        assert_eq!((outcome.completed, outcome.out_of_order), (1, 0));
        last = Some(outcome);
    }
    let last = last.expect("an outcome");
    let bytes = (u64::from(MESSAGES) * 300).div_ceil(256);
    assert_eq!((last.messages, last.expected), (1_000, 1_077));
    assert_eq!(last.received, (bytes & 0xFF_FFFF) as u32);
    assert_eq!(model.state(1).published.messages.value(), 1_000);
}
