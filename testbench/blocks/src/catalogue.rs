//! The blocks under test: one row each, by the name that [`weft_hdl::catalogue`] gives.

use crate::{egress, ingress, nscc, receiver, registers, reps, sack_rx, sack_tx, sender, smartt};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use verilator_sys::Library;
use weft_bench::{Block, Error, Exchange, Finding, Plant, Report, Session, Subject, Terms, Watch};
use weft_hdl::catalogue::Shape;

/// A random lockstep run.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Shape of the block.
    pub shape: Shape,
    /// Seed of everything random.
    pub seed: u64,
    /// Clocks to run.
    pub cycles: u64,
    /// Modules that replace emitted ones: with a bug, or of another author.
    pub exchange: Option<Exchange>,
    /// File for a waveform of the last clocks.
    pub wave: Option<PathBuf>,
}

/// A random lockstep run on Verilog that was built already and has one port more than the block.
#[derive(Clone, Debug)]
pub struct RunIn<'a> {
    /// Shape of the block.
    pub shape: Shape,
    /// Seed of everything random.
    pub seed: u64,
    /// Clocks to run.
    pub cycles: u64,
    /// The Verilog.
    pub library: &'a Arc<Library>,
    /// Name and value of the additional port.
    pub port: (&'a str, u64),
}

/// A block under test.
#[derive(Clone, Copy)]
pub struct Bench {
    /// Name of the block.
    pub name: &'static str,
    /// The promises of the block's page about its streams, besides the rules of AXI.
    pub terms: Terms,
    /// Bugs that a run finds.
    pub plants: &'static [Plant],
    /// Runs the block in lockstep with its model. Returns the run's figures by name.
    pub run: fn(&Run, &mut dyn Watch) -> Result<Finding<Value>, Error>,
    /// Runs Verilog that was built already in lockstep with the model.
    pub run_in: fn(&RunIn<'_>, &mut dyn Watch) -> Result<Report, Error>,
}

/// A row: name of the block, and the parameters of a shape that it uses.
macro_rules! bench {
    ($name:ident, $params:ident) => {
        Bench {
            name: stringify!($name),
            terms: $name::Dut::STREAMS,
            plants: $name::Dut::PLANTS,
            run: |run, watch| random::<$name::Dut>(run.shape.$params(), run, watch),
            run_in: |run, mut watch| {
                let session = Session::new(run.shape.$params(), run.seed);
                session.random_in::<$name::Dut>(run.library, run.port, run.cycles, &mut watch)
            },
        }
    };
}

/// All blocks that run alone. The NIC runs in testbench/system.
pub const BENCHES: &[Bench] = &[
    bench!(reps, reps),
    bench!(smartt, smartt),
    bench!(nscc, nscc),
    bench!(sack_rx, sack),
    bench!(sack_tx, sack),
    bench!(ingress, sack),
    bench!(receiver, sack),
    bench!(sender, sender),
    bench!(egress, sack),
    bench!(registers, sack),
];

/// The block of this name.
pub fn named(name: &str) -> Option<&'static Bench> {
    BENCHES.iter().find(|bench| bench.name == name)
}

fn random<B: Subject>(
    params: B::Params,
    run: &Run,
    mut watch: &mut dyn Watch,
) -> Result<Finding<Value>, Error> {
    let Run { seed, cycles, .. } = *run;
    let (exchange, wave) = (run.exchange.clone(), run.wave.clone());
    let session = Session { exchange, wave, ..Session::new(params, seed) };
    Ok(session.random::<B>(cycles, &mut watch)?.map(|tally| json!(tally)))
}
