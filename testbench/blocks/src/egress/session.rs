//! A run of epochs: traffic, then everything goes out, then other peers and CSRs.

use super::Driven;
use super::oracle::Oracle;
use super::stimulus::{Driver, Traffic, any_csr, any_peer};
use weft_nic::block::egress::Outputs;

/// Clocks of traffic in an epoch.
const EPOCH: u64 = 4_000;
/// Clocks without a beat after which nothing is on its way: read data may be thrown away for as long.
const QUIET: u64 = 700;

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Sets the peers from this connection on.
    Peers(u32),
    /// Offers frames until this clock.
    Busy(u64),
    /// Nothing new; the clocks without a beat.
    Drain(u64),
}

/// Drives a block and judges its frames.
#[derive(Debug)]
pub struct Session {
    /// What drives.
    pub driver: Driver,
    /// What judges; with peers that change at any time it cannot.
    pub oracle: Oracle,
    /// Connections of the block.
    pub connections: u32,
    /// The traffic of all epochs; `None`: any.
    traffic: Option<Traffic>,
    phase: Phase,
    /// The first thing that was wrong.
    pub problem: Option<String>,
    /// Whole epochs.
    pub epochs: u64,
    /// A frame has begun on the net and not ended.
    inside: bool,
}

impl Session {
    /// A run with one traffic, or with any.
    pub fn new(seed: u64, connections: u32, traffic: Option<Traffic>) -> Self {
        let driver = Driver::new(seed, connections);
        let oracle = Oracle::new(driver.csr, connections);
        Self {
            driver,
            oracle,
            connections,
            traffic,
            phase: Phase::Peers(0),
            problem: None,
            epochs: 0,
            inside: false,
        }
    }

    /// The inputs of a clock of a block with these outputs.
    pub fn next(&mut self, cycle: u64, outputs: &Outputs) -> Driven {
        if cycle == 0 {
            let mut driven = Driven { csr: self.driver.csr, ..Driven::default() };
            driven.inputs.rst = true;
            return driven;
        }
        let silent = Traffic {
            replies: 0,
            orders: 0,
            reads: 8,
            others: 0,
            net: 8,
            payload: 0,
            errors: 0,
            peers: false,
        };
        match self.phase {
            Phase::Peers(connection) if connection == self.connections => {
                self.driver.traffic = self.traffic.unwrap_or_else(|| Traffic::random(self.driver.rng()));
                self.phase = Phase::Busy(cycle + EPOCH);
            }
            Phase::Peers(connection) => {
                self.driver.traffic = silent;
                if self.driver.idle() {
                    // Some peers are never set, or keep their word.
                    let csr = self.driver.csr;
                    let peer = any_peer(self.driver.rng(), &csr);
                    if self.driver.rng().below(8) > 0 {
                        self.driver.set_peer(connection, peer);
                    }
                    self.phase = Phase::Peers(connection + 1);
                }
            }
            Phase::Busy(until) if cycle >= until => {
                self.driver.traffic = silent;
                self.phase = Phase::Drain(0);
            }
            Phase::Busy(_) => {}
            Phase::Drain(quiet) if quiet >= QUIET => self.drained(outputs),
            Phase::Drain(quiet) => {
                let busy = outputs.net.valid || !self.driver.idle();
                self.phase = Phase::Drain(if busy { 0 } else { quiet + 1 });
            }
        }
        let driven = self.driver.drive();
        if self.inside && !outputs.net.valid {
            self.wrong(format!("clock {cycle}: a gap inside a frame"));
        }
        let accepted = self.driver.accept(&driven, outputs);
        if let Some(beat) = accepted.sent {
            self.inside = !beat.last;
        }
        if let Err(problem) = self.oracle.clock(accepted) {
            self.wrong(format!("clock {cycle}: {problem}"));
        }
        driven
    }

    fn drained(&mut self, outputs: &Outputs) {
        if !self.oracle.idle() {
            self.wrong("frames are missing".into());
        }
        if outputs.counters != self.oracle.counters {
            self.wrong(format!("counted {:?}, sent {:?}", outputs.counters, self.oracle.counters));
        }
        self.epochs += 1;
        self.driver.csr = any_csr(self.driver.rng());
        self.oracle.csr = self.driver.csr;
        self.phase = Phase::Peers(0);
    }

    fn wrong(&mut self, problem: String) {
        self.problem = self.problem.take().or(Some(problem));
    }
}
