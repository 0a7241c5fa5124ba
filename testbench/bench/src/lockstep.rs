//! Lockstep: model and RTL get the same inputs. The bench compares every output port on every clock, and the
//! word of a stream only while the stream is valid.

use crate::Error;
use crate::block::Block;
use crate::mismatch::Mismatch;
use crate::rtl::Rtl;

/// Drives the input ports. The driver reads the outputs, like logic that drives a stream. The first clock of
/// a run resets the block: the outputs of the RTL are undefined before that.
pub trait Driver<B: Block> {
    /// Returns the inputs of the next clock, given the outputs. `None` ends the run.
    fn next(&mut self, outputs: &B::Outputs) -> Option<B::Inputs>;

    /// The CSRs of the clock whose inputs [`next`](Self::next) returned.
    fn csr(&self) -> &B::Csr;

    /// The first fault that an oracle finds, besides the comparison of the ports.
    fn complaint(&self) -> Option<String> {
        None
    }
}

/// A driver for a number of clocks.
#[derive(Clone, Debug)]
pub struct For<D> {
    /// Number of clocks left.
    pub cycles: u64,
    /// The driver.
    pub driver: D,
}

impl<B: Block, D: Driver<B>> Driver<B> for For<D> {
    fn next(&mut self, outputs: &B::Outputs) -> Option<B::Inputs> {
        self.cycles = self.cycles.checked_sub(1)?;
        self.driver.next(outputs)
    }

    fn csr(&self) -> &B::Csr {
        self.driver.csr()
    }

    fn complaint(&self) -> Option<String> {
        self.driver.complaint()
    }
}

/// An observer of a lockstep run, which can stop it.
pub trait Watch {
    /// The run calls this at intervals with the number of clocks run. `false` stops the run.
    fn go_on(&mut self, cycles: u64) -> bool;
}

/// A run that is not watched.
impl Watch for () {
    fn go_on(&mut self, _cycles: u64) -> bool {
        true
    }
}

impl<W: Watch + ?Sized> Watch for &mut W {
    fn go_on(&mut self, cycles: u64) -> bool {
        (**self).go_on(cycles)
    }
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Clocks run.
    pub cycles: u64,
    /// The first difference; the run ends there.
    pub mismatch: Option<Mismatch>,
    /// Whether the watch stopped the run.
    pub stopped: bool,
}

/// Clocks between two calls of the watch.
const WATCH_PERIOD: u64 = 1 << 16;

/// Drives both views until the driver ends, the watch stops or an output differs. Fails if a stream breaks a
/// rule, and this includes the streams of the driver.
pub fn run<B: Block>(
    model: &mut B::Model,
    rtl: &mut Rtl<B>,
    driver: &mut impl Driver<B>,
    watch: &mut impl Watch,
) -> Result<Report, Error> {
    let mut cycles = 0;
    let mut csr: Option<B::Csr> = None;
    loop {
        let outputs = B::outputs(model);
        if cycles > 0
            && let Some(mismatch) = rtl.compare(cycles, outputs)
        {
            return Ok(Report { cycles, mismatch: Some(mismatch), stopped: false });
        }
        let Some(inputs) = driver.next(outputs) else {
            return Ok(Report { cycles, mismatch: None, stopped: false });
        };
        if csr.as_ref() != Some(driver.csr()) {
            B::configure(model, driver.csr());
            rtl.configure(driver.csr())?;
            csr = Some(driver.csr().clone());
        }
        B::clock(model, &inputs);
        rtl.clock(&inputs)?;
        cycles += 1;
        if cycles.is_multiple_of(WATCH_PERIOD) && !watch.go_on(cycles) {
            return Ok(Report { cycles, mismatch: None, stopped: true });
        }
    }
}

/// Drives the model alone until the driver ends.
pub fn run_model<B: Block>(model: &mut B::Model, driver: &mut impl Driver<B>) {
    let mut csr: Option<B::Csr> = None;
    while let Some(inputs) = driver.next(B::outputs(model)) {
        if csr.as_ref() != Some(driver.csr()) {
            B::configure(model, driver.csr());
            csr = Some(driver.csr().clone());
        }
        B::clock(model, &inputs);
    }
}
