//! The REPS model against the naive oracle: the paper against the bits.

use proptest::prelude::*;
use weft_blocks::reps::oracle::Oracle;
use weft_blocks::reps::stimulus::{Stimulus, random_csr};
use weft_nic::block::reps::Reps;
use weft_params::RepsParams;
use weft_random::Rng;
use weft_word::Word;

/// Runs `events` random events through both; the first difference is the error.
fn compare(seed: u64, params: RepsParams, events: u64) -> Result<(), String> {
    let mut rng = Rng::new(seed);
    let csr = random_csr(&mut rng, &params);
    let mut stimulus = Stimulus::new(rng, params, &csr);
    let (mut model, mut oracle) = (Reps::new(params, csr), Oracle::new(params, csr));
    for index in 0..events {
        let (event, now) = stimulus.event();
        let (got, expected) = (model.step(&event), oracle.step(&event, now));
        if got != expected {
            return Err(format!(
                "seed {seed}, event {index} {event:?} with {csr:?}: model {got:?}, paper {expected:?}"
            ));
        }
        let control = model.control(event.connection);
        assert!(control.invariant(params.depth).decide(), "invariant after event {index}: {control:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_model_is_the_paper(
        seed: u64,
        connections in prop::sample::select(vec![4u32, 16, 256]),
        depth in prop::sample::select(vec![4u32, 8, 16]),
        ev_width in prop::sample::select(vec![8u32, 12, 16]),
        events in 1u64..10_000,
    ) {
        let params = RepsParams { connections, depth, ev_width };
        if let Err(difference) = compare(seed, params, events) {
            prop_assert!(false, "{params:?}, {difference}");
        }
    }
}
