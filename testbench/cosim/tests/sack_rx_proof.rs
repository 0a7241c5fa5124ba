//! The proof of `weft_sack_rx` holds, and can fail: bugs in the RTL and in the model.

use weft_cosim::blocks::sack_rx::prove::prove;
use weft_cosim::prove::Solvers;
use weft_symbolic::Yosys;

fn yosys() -> Option<Yosys> {
    Yosys::find().map_err(|error| println!("skipped: {error}")).ok()
}

#[test]
fn it_is_proved_in_every_shape() {
    if yosys().is_none() {
        return;
    }
    let report = prove(&Solvers::find(), None, &mut |claims| {
        for claim in claims {
            println!(
                "{:?} {:.2} {}: {} {:?}",
                claim.outcome, claim.seconds, claim.part, claim.name, claim.details
            );
        }
    })
    .unwrap();
    report.notes.iter().for_each(|note| println!("{note}"));
    println!("{} claims", report.claims.len());
    assert!(report.is_proved());
}
