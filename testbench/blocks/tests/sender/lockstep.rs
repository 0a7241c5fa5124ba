//! `weft_sender`: RTL and model on every port and clock under traffic in which everything happens, and the oracle
//! beside them.

use weft_blocks::pins;
use weft_blocks::sender::ports::Model;
use weft_blocks::sender::traffic::{Settings, Traffic};
use weft_params::SackParams;
use weft_random::Rng;

/// So many settings, for so many clocks each.
fn run(connections: u32, seeds: std::ops::Range<u64>, clocks: u64) {
    let modules = weft_hdl::block::sender::emit(&SackParams { connections }).unwrap();
    let build = pins::build("weft_sender", &modules);
    let (mut fresh, mut again, mut done, mut errors, mut refused) = (0, 0, 0, 0, 0);
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let settings = Settings::random(connections, &mut rng);
        let mut model = Model::new(connections, settings.csr);
        let mut traffic = Traffic::new(settings, seed);
        let drive = |_, outputs: &_| traffic.drive(outputs);
        let mismatch = pins::lockstep(&build, seed, clocks, &mut model, drive, &mut ()).unwrap();
        assert_eq!(mismatch, None, "seed {seed}, {settings:?}");
        let tally = traffic.oracle.tally;
        fresh += tally.fresh;
        again += tally.again;
        done += tally.done;
        errors += tally.errors;
        refused += tally.refused;
    }
    let all = [fresh, again, done, errors, refused];
    assert!(all.iter().all(|&count| count > 100), "fresh, again, done, errors, refused: {all:?}");
}

#[test]
fn sixteen_connections() {
    run(16, 0..16, 50_000);
}

#[test]
fn the_smallest_shape() {
    run(4, 100..104, 25_000);
}

#[test]
fn the_default_shape() {
    run(256, 200..204, 25_000);
}
