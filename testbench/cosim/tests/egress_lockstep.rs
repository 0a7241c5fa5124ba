//! `weft_egress`: RTL and model on every port and clock; every frame against the one that `weft-wire` encodes.

use weft_cosim::blocks::egress::Model;
use weft_cosim::blocks::egress::session::Session;
use weft_cosim::blocks::egress::stimulus::Traffic;
use weft_cosim::pins;
use weft_nic::egress::Clocked;
use weft_params::{EgressCsr, SackParams};

fn lockstep(connections: u32, seed: u64, clocks: u64, traffic: Option<Traffic>) -> Session {
    let params = SackParams { connections };
    let modules = weft_hdl::egress::emit(&params).unwrap();
    let mut model = Model(Clocked::new(params, EgressCsr::default()));
    let mut session = Session::new(seed, connections, traffic);
    let build = pins::build("weft_egress", &modules);
    let drive = |cycle, outputs: &_| session.next(cycle, outputs);
    let mismatch = pins::lockstep(&build, seed, clocks, &mut model, drive, &mut ()).unwrap();
    if let Some(mismatch) = mismatch {
        panic!("seed {seed}: {mismatch}");
    }
    session
}

#[test]
fn any_traffic() {
    for seed in 1..=2 {
        let session = lockstep(16, seed, std::env::var("N").map_or(100_000, |n| n.parse().unwrap()), None);
        assert_eq!(session.problem, None, "seed {seed}");
        println!("{} frames {} epochs {:?}", session.oracle.frames, session.epochs, session.oracle.counters);
    }
}
