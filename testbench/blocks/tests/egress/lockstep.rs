//! `weft_egress`: RTL and model on every port and clock; every frame against the one that `weft-wire` encodes.

use crate::runs::{self, found};
use weft_bench::lockstep::For;
use weft_bench::{Driver, Plant, Report, Session, Subject};
use weft_blocks::egress::driver::Epochs;
use weft_blocks::egress::stimulus::{Peers, Traffic};
use weft_blocks::egress::{Dut, DutOf};
use weft_nic::block::egress::{Inputs, Outputs};
use weft_params::{EgressCsr, SackParams};

/// All streams are as busy as possible.
const FULL: Traffic = Traffic {
    replies: 1,
    orders: 8,
    reads: 8,
    others: 8,
    net: 8,
    payload: 300,
    errors: 0,
    passes: 0,
    peers: Peers::Still,
};

/// A run of a driver.
fn run<D: Driver<Dut>>(session: &Session<SackParams>, cycles: u64, driver: impl Fn() -> D) -> (Report, D) {
    let driver = || For { cycles, driver: driver() };
    let (finding, driver) = session.run::<Dut, _>(driver, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    (finding.report, driver.driver)
}

/// A run in which no output may be wrong.
fn lockstep(connections: u32, seed: u64, cycles: u64, driver: impl Fn() -> Epochs) -> Epochs {
    let (report, epochs) = run(&Session::new(SackParams { connections }, seed), cycles, driver);
    assert_eq!(report.mismatch, None, "seed {seed}");
    assert_eq!(epochs.problem, None, "seed {seed}");
    epochs
}

#[test]
fn any_traffic() {
    let sessions = [1, 2, 3].map(|seed| lockstep(16, seed, 200_000, || Epochs::new(seed, 16, None)));
    let sum = |count: fn(&Epochs) -> u64| sessions.iter().map(count).sum::<u64>();
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
#[ignore = "soak: a build each"]
fn other_shapes() {
    for connections in [4, 256] {
        let session = lockstep(connections, 7, 30_000, || Epochs::new(7, connections, None));
        assert!(session.oracle.frames > 1_000);
    }
}

/// Payloads of all sizes from 0 to 8,192 bytes.
#[test]
fn every_payload() {
    let orders = Traffic { replies: 0, others: 0, payload: 0, ..FULL };
    let epochs = lockstep(16, 11, 800_000, || {
        let mut epochs = Epochs::new(11, 16, Some(orders));
        epochs.streams.sizes = (0..=8_192).collect();
        epochs
    });
    assert!(epochs.streams.sizes.is_empty());
}

/// Peers that change at any time; a reset in every 3,700th clock begins again.
struct Restless {
    epochs: Epochs,
    cycle: u64,
}

impl Restless {
    fn new(seed: u64) -> Self {
        let traffic = Traffic { peers: Peers::Careless, replies: 2, ..FULL };
        Self { epochs: Epochs::new(seed, 4, Some(traffic)), cycle: 0 }
    }
}

impl Driver<Dut> for Restless {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        if self.cycle.is_multiple_of(3_700) {
            self.epochs = Self::new(self.cycle + 5).epochs;
        }
        self.cycle += 1;
        Driver::<Dut>::next(&mut self.epochs, outputs)
    }

    fn csr(&self) -> &EgressCsr {
        Driver::<Dut>::csr(&self.epochs)
    }
}

/// Packets that need not be sent any more when their read data arrives, under load.
#[test]
fn what_need_not_be_sent_is_not() {
    for (seed, net) in [(21, 8), (22, 2)] {
        let traffic = Traffic { passes: 40, errors: 20, replies: 2, net, ..FULL };
        let epochs = lockstep(4, seed, 60_000, || Epochs::new(seed, 4, Some(traffic)));
        assert!(epochs.oracle.left_out > 200, "{}", epochs.oracle.left_out);
        let data = epochs.oracle.counters.data_frames;
        assert!(data > 100, "{data}");
    }
}

/// Peers change under load; orders and replies from before a change go to the old peers.
#[test]
fn peers_that_change() {
    let traffic = |net| Traffic { peers: Peers::Careful, replies: 2, net, errors: 20, ..FULL };
    for (seed, net) in [(12, 8), (13, 2)] {
        let epochs = lockstep(4, seed, 60_000, || Epochs::new(seed, 4, Some(traffic(net))));
        assert!(epochs.changes > 20, "{} changes", epochs.changes);
    }
}

/// The oracle permits the old peer or the new one; the model determines which.
#[test]
fn peers_change_at_any_time_and_so_do_resets() {
    let (report, _) = run(&Session::new(SackParams { connections: 4 }, 5), 60_000, || Restless::new(5));
    assert_eq!(report.mismatch, None);
}

#[test]
fn some_planted_bugs_are_found() {
    planted(Dut::PLANTS.iter().step_by(16));
}

#[test]
#[ignore = "soak: `make test` has some of them"]
fn planted_bugs_are_found() {
    planted(Dut::PLANTS.iter());
}

fn planted(plants: impl Iterator<Item = &'static Plant>) {
    for plant in plants {
        let (peers, replies) = if plant.name == "again" { (Peers::Careless, 0) } else { (Peers::Careful, 2) };
        let passes = if ["past", "acknowledged", "whose"].contains(&plant.name) { 40 } else { 0 };
        let traffic = Traffic { peers, errors: 20, replies, passes, ..FULL };
        let session =
            Session { exchange: Some(plant.into()), ..Session::new(SackParams { connections: 4 }, 3) };
        let epochs = Epochs::new(3, 4, Some(traffic));
        let (finding, _) =
            session.run_once::<Dut, _>(For { cycles: 40_000, driver: epochs }, &mut ()).unwrap();
        found(plant, &finding.report);
    }
}

/// ACKs of far PSNs, and limits modulo 1,024 and 2,048.
#[test]
fn larger_windows() {
    let params = SackParams { connections: 16 };
    let frames = [
        runs::lockstep::<DutOf<1, 512>>(params, 4, 150_000).frames,
        runs::lockstep::<DutOf<1, 1_024>>(params, 5, 150_000).frames,
    ];
    assert!(frames.iter().all(|&frames| frames > 4_000), "{frames:?}");
}
