//! NICs to observe, and the outcomes of their runs.

use super::directed::{self, Stale};
use super::op::{Operation, Terms, program};
use super::run::{Failure, Report, run};
use super::world::{CONNECTIONS, Violation};
use crate::host::device::DeviceError;
use crate::nic::Alone;
use crate::nic::{AnyNic, Maker, View};
use std::sync::Arc;
use verilator_sys::{Library, Reset};
use weft_bench::{Block, Plant};
use weft_blocks::nic::{Dut, verilator};
use weft_params::{NicParams, SackParams};

/// Outcome of a run.
pub type Outcome = Result<Report, Box<Failure>>;

/// The fewest operations that were found to fail in the same way.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The operations.
    pub operations: Vec<Operation>,
    /// Failure of these operations.
    pub failure: Box<Failure>,
}

/// Makes NICs of one kind.
pub enum Nics {
    /// NICs without a fault, in a view.
    Good(Maker, View),
    /// The RTL with a planted fault.
    Planted(Arc<Library>),
}

impl Nics {
    /// NICs of a view.
    pub fn new(view: View) -> Result<Self, weft_bench::Error> {
        let params = SackParams { connections: CONNECTIONS };
        Ok(Self::Good(Maker::new(params, view != View::Model)?, view))
    }

    /// NICs of a view for tens of thousands of operations: the build takes twice the time, and the run is
    /// fast.
    pub fn for_long(view: View) -> Result<Self, weft_bench::Error> {
        let params = SackParams { connections: CONNECTIONS };
        let shape = NicParams { connections: CONNECTIONS, ..NicParams::default() };
        if view == View::Model {
            return Self::new(view);
        }
        Ok(Self::Good(Maker::of(params, verilator(&shape)?.long().load()?), view))
    }

    /// The RTL with a fault planted.
    pub fn planted(plant: &Plant) -> Result<Self, weft_bench::Error> {
        let params = NicParams { connections: CONNECTIONS, ..NicParams::default() };
        let mut modules = weft_hdl::block::nic::emit(&params)?;
        plant.apply(&mut modules)?;
        Ok(Self::Planted(weft_bench::build(Dut::<64>::TOP, &modules).load()?))
    }

    fn device(&self, seed: u64) -> Result<AnyNic, DeviceError> {
        match self {
            Self::Good(maker, view) => maker.device(*view, seed),
            Self::Planted(library) => {
                let alone = Alone::new(library, Reset::Random(seed as u32));
                Ok(AnyNic::Rtl(Box::new(alone?)))
            }
        }
    }

    /// Runs the program of a seed.
    pub fn run(&self, terms: &Terms) -> Outcome {
        self.run_these(terms, &program(terms))
    }

    fn run_these(&self, terms: &Terms, operations: &[Operation]) -> Outcome {
        let none = |error: DeviceError| {
            let violation = Violation { rule: '=', seen: error.to_string() };
            Box::new(Failure { seed: terms.seed, operation: 0, clock: 0, violation })
        };
        run(self.device(terms.seed).map_err(none)?, terms, operations)
    }

    /// Runs a directed program.
    pub fn stale(&self, stale: &Stale) -> Result<u64, Violation> {
        let none = |error: DeviceError| Violation { rule: '=', seen: error.to_string() };
        let (result, clocks) = directed::run(self.device(1).map_err(none)?, stale);
        result.map(|()| clocks)
    }

    /// Removes operations as long as the run fails by the same rule. The search makes at most `runs` runs.
    pub fn shrink(&self, terms: &Terms, failure: Box<Failure>, runs: u32) -> Shrunk {
        let mut operations = program(terms);
        operations.retain(|operation| operation.number <= failure.operation);
        let mut found = Shrunk { operations, failure };
        let (mut step, mut left) = (found.operations.len().div_ceil(2), runs);
        while step > 0 && left > 0 {
            let mut at = 0;
            while at < found.operations.len() && left > 0 {
                let mut fewer = found.operations.clone();
                fewer.drain(at..(at + step).min(fewer.len()));
                left -= 1;
                match self.run_these(terms, &fewer) {
                    Err(failure) if failure.violation.rule == found.failure.violation.rule => {
                        found = Shrunk { operations: fewer, failure };
                    }
                    _ => at += step,
                }
            }
            step /= 2;
        }
        found
    }
}
