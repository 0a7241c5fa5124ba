//! The proof of `weft_reps` holds, and can fail.

use weft_cosim::blocks::reps::prove::prove;
use weft_cosim::prove::Solvers;

#[test]
fn it_is_proved() {
    let report = prove(&Solvers::find(), None).unwrap();
    println!("{:?}", report.note);
    for claim in &report.claims {
        println!("{:?} {:.3} {}: {} {:?} {}", claim.outcome, claim.seconds, claim.part, claim.name, claim.details, claim.solver);
    }
    assert!(report.is_proved());
}
