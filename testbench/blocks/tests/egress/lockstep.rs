//! `weft_egress`: RTL and model on every port and clock; every frame against the one that `weft-wire` encodes.

use weft_blocks::egress::Model;
use weft_blocks::egress::plant::Plant;
use weft_blocks::egress::session::Session;
use weft_blocks::egress::stimulus::Traffic;
use weft_blocks::pins::{self, Mismatch};
use weft_hdl::Module;
use weft_nic::block::egress::Clocked;
use weft_params::{EgressCsr, SackParams};

/// All streams as busy as they can be.
const FULL: Traffic =
    Traffic { replies: 1, orders: 8, reads: 8, others: 8, net: 8, payload: 300, errors: 0, peers: false };

fn emit(connections: u32) -> Vec<Module> {
    weft_hdl::block::egress::emit(&SackParams { connections }).unwrap()
}

fn run(modules: &[Module], seed: u64, clocks: u64, session: &mut Session) -> Option<Mismatch> {
    let params = SackParams { connections: session.connections };
    let mut model = Model(Clocked::new(params, EgressCsr::default()));
    let build = pins::build("weft_egress", modules);
    let drive = |cycle, outputs: &_| session.next(cycle, outputs);
    pins::lockstep(&build, seed, clocks, &mut model, drive, &mut ()).unwrap()
}

/// A run in which nothing may be wrong.
fn lockstep(connections: u32, seed: u64, clocks: u64, traffic: Option<Traffic>) -> Session {
    let mut session = Session::new(seed, connections, traffic);
    let mismatch = run(&emit(connections), seed, clocks, &mut session);
    if let Some(mismatch) = mismatch {
        panic!("seed {seed}: {mismatch}");
    }
    assert_eq!(session.problem, None, "seed {seed}");
    session
}

#[test]
fn any_traffic() {
    let sessions = [1, 2, 3].map(|seed| lockstep(16, seed, 200_000, None));
    let sum = |count: fn(&Session) -> u64| sessions.iter().map(count).sum::<u64>();
    assert!(sum(|session| session.oracle.frames) > 20_000);
    assert!(sum(|session| session.oracle.counters.data_frames.into()) > 5_000);
    assert!(sum(|session| session.oracle.counters.ack_frames.into()) > 2_000);
    assert!(sum(|session| session.oracle.counters.nack_frames.into()) > 1_000);
    assert!(sum(|session| session.oracle.counters.bypass_frames.into()) > 5_000);
    assert!(sum(|session| session.oracle.counters.read_errors.into()) > 100);
    assert!(sum(|session| session.oracle.counters.bypass_overflows.into()) > 5);
    assert!(sum(|session| session.epochs) > 60);
}

#[test]
fn other_shapes() {
    for connections in [4, 256] {
        let session = lockstep(connections, 7, 30_000, None);
        assert!(session.oracle.frames > 1_000);
    }
}

/// Payloads of 0 to 8,192 bytes, all of them.
#[test]
fn every_payload() {
    let orders = Traffic { replies: 0, others: 0, payload: 0, ..FULL };
    let mut session = Session::new(11, 16, Some(orders));
    session.driver.sizes = (0..=8_192).collect();
    let mismatch = run(&emit(16), 11, 800_000, &mut session);
    assert_eq!(mismatch, None);
    assert_eq!(session.problem, None);
    assert!(session.driver.sizes.is_empty());
}

/// The oracle cannot tell which peer a frame has got, the model can.
#[test]
fn peers_change_at_any_time_and_so_do_resets() {
    let traffic = Traffic { peers: true, replies: 2, ..FULL };
    let modules = emit(4);
    let build = pins::build("weft_egress", &modules);
    let params = SackParams { connections: 4 };
    let mut model = Model(Clocked::new(params, EgressCsr::default()));
    let mut session = Session::new(5, 4, Some(traffic));
    let drive = |cycle: u64, outputs: &_| {
        if cycle.is_multiple_of(3_700) {
            session = Session::new(cycle + 5, 4, Some(traffic));
            return session.next(0, outputs);
        }
        session.next(cycle, outputs)
    };
    let mismatch = pins::lockstep(&build, 5, 60_000, &mut model, drive, &mut ()).unwrap();
    assert_eq!(mismatch, None);
}

#[test]
fn planted_bugs_are_found() {
    for plant in Plant::ALL {
        let mut modules = emit(4);
        plant.apply(&mut modules);
        let traffic = Traffic { peers: plant == Plant::Published, errors: 20, replies: 2, ..FULL };
        let mismatch = run(&modules, 3, 40_000, &mut Session::new(3, 4, Some(traffic)));
        assert!(mismatch.is_some(), "{plant:?}");
    }
}
