//! Runs in which bits of `tuser` pass with frames of other software.

use weft_bench::{Session, Subject};
use weft_params::SackParams;

/// Checks that RTL and model agree, and that at least `least` output words have their own bits.
pub(crate) fn bits_pass<B: Subject<Params = SackParams>>(connections: u32, passed: fn(&B::Driver) -> u64) {
    let params = SackParams { connections };
    let run = Session::new(params, 2).run::<B, _>(|| B::driver(&params, 2, 100_000), &mut ());
    let (finding, driver) = run.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((finding.report.mismatch, finding.complaint), (None, None));
    assert!(passed(&driver) > 500, "only {} words with bits", passed(&driver));
}
