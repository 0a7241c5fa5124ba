//! Runs in epochs: traffic, then all frames leave, then peers and CSRs change.

use super::oracle::Oracle;
use super::plant::PLANTS;
use super::ports::DutOf;
use super::stimulus::{Peers, Streams, Traffic, any_csr, any_peer};
use crate::user::Marked;
use serde::Serialize;
use weft_bench::lockstep::For;
use weft_bench::{Driver, Error, Plant, Subject};
use weft_hdl::Module;
use weft_nic::block::egress::{Clocked, Inputs, Outputs};
use weft_nic::words::Beat;
use weft_params::{EgressCsr, SackParams};

/// Clocks of traffic in an epoch.
const EPOCH: u64 = 4_000;
/// Clocks without a beat after which no frame is in the pipeline. The block may discard read data for that
/// long.
const QUIET: u64 = 700;

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Sets the peers from this connection on.
    Peers(u32),
    /// Offers frames until this clock.
    Busy(u64),
    /// Offers no new frame. Counts the clocks without a beat.
    Drain(u64),
}

/// Drives a block and judges its frames.
#[derive(Debug)]
pub struct Epochs {
    /// Stimulus.
    pub streams: Streams,
    /// Judge of the frames.
    pub oracle: Oracle,
    /// Connections of the block.
    pub connections: u32,
    /// Traffic of all epochs. `None`: random.
    traffic: Option<Traffic>,
    phase: Phase,
    /// Clocks so far.
    cycle: u64,
    /// First fault found.
    pub problem: Option<String>,
    /// Whole epochs.
    pub epochs: u64,
    /// Peers that were set.
    pub changes: u64,
    /// A frame has begun on the net and not ended.
    inside: bool,
}

impl Epochs {
    /// A run with one traffic, or with random traffics.
    pub fn new(seed: u64, connections: u32, traffic: Option<Traffic>) -> Self {
        let streams = Streams::new(seed, connections);
        let oracle = Oracle::new(streams.csr, connections);
        Self {
            cycle: 0,
            streams,
            oracle,
            connections,
            traffic,
            phase: Phase::Peers(0),
            problem: None,
            epochs: 0,
            changes: 0,
            inside: false,
        }
    }

    /// The same, for a window of `psns`.
    pub fn with_psns(mut self, psns: u32) -> Self {
        (self.streams.psns, self.oracle.psns) = (psns, psns);
        self
    }

    fn drained(&mut self, outputs: &Outputs) {
        self.oracle.settle();
        if !self.oracle.idle() {
            self.wrong("frames are missing".into());
        }
        if outputs.counters != self.oracle.counters {
            self.wrong(format!("counted {:?}, sent {:?}", outputs.counters, self.oracle.counters));
        }
        self.epochs += 1;
        self.streams.csr = any_csr(self.streams.rng());
        self.oracle.csr = self.streams.csr;
        self.phase = Phase::Peers(0);
    }

    fn wrong(&mut self, problem: String) {
        self.problem = self.problem.take().or(Some(problem));
    }
}

impl<const PSNS: u32> Driver<DutOf<1, PSNS>> for Epochs {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        let cycle = self.cycle;
        self.cycle += 1;
        if cycle == 0 {
            return Some(Inputs { rst: true, ..Inputs::default() });
        }
        let silent = Traffic {
            replies: 0,
            orders: 0,
            reads: 8,
            others: 0,
            net: 8,
            payload: 0,
            errors: 0,
            passes: 0,
            peers: Peers::Still,
        };
        match self.phase {
            Phase::Peers(connection) if connection == self.connections => {
                self.streams.traffic = self.traffic.unwrap_or_else(|| Traffic::random(self.streams.rng()));
                self.phase = Phase::Busy(cycle + EPOCH);
            }
            Phase::Peers(connection) => {
                self.streams.traffic = silent;
                if self.streams.idle() {
                    // Some peers are never set, or keep their word.
                    let csr = self.streams.csr;
                    let peer = any_peer(self.streams.rng(), &csr);
                    if self.streams.rng().below(8) > 0 {
                        self.streams.set_peer(connection, peer);
                    }
                    self.phase = Phase::Peers(connection + 1);
                }
            }
            Phase::Busy(until) if cycle >= until => {
                self.streams.traffic = silent;
                self.phase = Phase::Drain(0);
            }
            Phase::Busy(_) => {}
            Phase::Drain(quiet) if quiet >= QUIET => self.drained(outputs),
            Phase::Drain(quiet) => {
                let busy = outputs.net.valid || !self.streams.idle();
                self.phase = Phase::Drain(if busy { 0 } else { quiet + 1 });
            }
        }
        let inputs = self.streams.drive();
        if self.inside && !outputs.net.valid {
            self.wrong(format!("clock {cycle}: a gap inside a frame"));
        }
        let accepted = self.streams.accept(&inputs, outputs);
        self.changes += u64::from(accepted.peer.is_some());
        if let Some(beat) = accepted.sent {
            self.inside = !beat.last;
        }
        if let Err(problem) = self.oracle.clock(accepted) {
            self.wrong(format!("clock {cycle}: {problem}"));
        }
        Some(inputs)
    }

    fn csr(&self) -> &EgressCsr {
        &self.streams.csr
    }

    fn complaint(&self) -> Option<String> {
        self.problem.clone()
    }
}

/// Counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Frames of all kinds.
    pub frames: u64,
    /// Whole epochs.
    pub epochs: u64,
}

/// Marks frames of other software with other user bits in each word.
impl<const USER: u32, const PSNS: u32> Driver<DutOf<USER, PSNS>> for Marked<For<Epochs>, USER> {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        // The oracle handles only frames.
        let (mut seen, sent) = (*outputs, outputs.net.word);
        seen.net.word = Beat { user: 0, ..sent };
        let mut inputs = Driver::<DutOf<1, PSNS>>::next(&mut self.inner, &seen)?;
        inputs.bypass = inputs.bypass.map(|beat| self.mark(beat, outputs.bypass_ready));
        self.see(outputs.net.valid && inputs.net_ready, &sent);
        Some(inputs)
    }

    fn csr(&self) -> &EgressCsr {
        Driver::<DutOf<1, PSNS>>::csr(&self.inner)
    }

    fn complaint(&self) -> Option<String> {
        Driver::<DutOf<1, PSNS>>::complaint(&self.inner).or_else(|| self.complaint())
    }
}

impl<const USER: u32, const PSNS: u32> Subject for DutOf<USER, PSNS> {
    type Params = SackParams;
    type Driver = Marked<For<Epochs>, USER>;
    type Tally = Tally;
    const PLANTS: &'static [Plant] = PLANTS;

    fn emit(params: &SackParams) -> Result<Vec<Module>, Error> {
        params.check()?;
        Ok(weft_hdl::block::bypass_user::egress(params, PSNS, USER)?)
    }

    fn model(params: &SackParams) -> Clocked {
        Clocked::with_psns(*params, PSNS, EgressCsr::default())
    }

    fn driver(params: &SackParams, seed: u64, cycles: u64) -> Self::Driver {
        Marked::new(For { cycles, driver: Epochs::new(seed, params.connections, None).with_psns(PSNS) })
    }

    fn tally(driver: &Self::Driver) -> Tally {
        let Epochs { oracle, epochs, .. } = &driver.inner.driver;
        Tally { frames: oracle.frames, epochs: *epochs }
    }
}
