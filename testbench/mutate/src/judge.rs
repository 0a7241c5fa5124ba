//! The bench that finds a fault: the random bench of a block.

use crate::Error;
use crate::fault::Fault;
use crate::nic;
use crate::plant::{Field, PORT};
use crate::watch::Asked;
use std::sync::Arc;
use verilator_sys::Library;
use weft_bench::Watch;
use weft_blocks::catalogue::{Bench, RunIn};
use weft_hdl::catalogue::Shape;

/// The bench that judges a fault.
pub(crate) enum Judge {
    /// The block's own bench: lockstep with its model.
    Alone(&'static Bench),
    /// Whole NICs in lockstep, and the check of the wiring.
    Nics(Box<nic::Nics>),
}

/// Runs that a fault must survive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs {
    /// Number of runs. Each has its own seed.
    pub(crate) runs: u64,
    /// Clocks of each run.
    pub(crate) cycles: u64,
}

impl Judge {
    /// The benches that found fault `number` of the library. Empty if none did; `None` as fault is the sound
    /// RTL.
    pub(crate) fn killers(
        &self,
        field: &Field,
        library: &Arc<Library>,
        (number, fault): (u16, Option<&Fault>),
        shape: Shape,
        runs: Runs,
        watch: &mut Asked<'_>,
    ) -> Result<Vec<String>, Error> {
        match self {
            Self::Nics(nics) => nics.killers(field, library, (number, fault), watch),
            Self::Alone(bench) => {
                for seed in 0..runs.runs {
                    let port = (PORT, number.into());
                    let run = RunIn { shape, seed, cycles: runs.cycles, library, port };
                    match (bench.run_in)(&run, watch) {
                        Ok(report) => {
                            if let Some(mismatch) = report.mismatch {
                                return Ok(vec![format!("run, seed {seed}: {mismatch}")]);
                            }
                        }
                        // The RTL stopped with an error of its own, or does not settle.
                        Err(weft_bench::Error::Verilator(verilator_sys::Error::Stopped { message })) => {
                            let message = message.lines().next().unwrap_or_default();
                            return Ok(vec![format!("run, seed {seed}: the RTL stopped, {message}")]);
                        }
                        Err(weft_bench::Error::Port(broken)) => {
                            return Ok(vec![format!("run, seed {seed}: {broken}")]);
                        }
                        Err(error) => return Err(error.into()),
                    }
                    if !watch.go_on(0) {
                        break;
                    }
                }
                Ok(Vec::new())
            }
        }
    }
}
