//! The RTL's windows, compared with the clocked model on every clock.

use super::error::IncastError;
use verilator_sys::Reset;
use weft_bench::{Driver, EventBlock, Mismatch, Plant, Rtl, Session, lockstep};
use weft_blocks::smartt::{Dut, outcome};
use weft_nic::block::smartt::{Clocked, Event, Inputs, Outcome, Outputs};
use weft_nic::block::window::Window;
use weft_params::{SmarttCsr, SmarttParams};

/// Clocks to wait for an answer: more than the sweep after reset takes.
const PATIENCE: u32 = 10_000;

/// `weft_smartt` under Verilator and [`Clocked`]: an event is offered, its answer is waited for, and on
/// every clock all outputs are compared.
pub struct Lockstep {
    model: Clocked,
    rtl: Rtl<Dut>,
    errand: Errand,
    clocks: u64,
}

impl Lockstep {
    /// A block of this shape, with a bug or without. Before reset its registers have random values that
    /// depend on the seed.
    pub fn new(
        params: SmarttParams,
        csr: SmarttCsr,
        seed: u64,
        plant: Option<&'static Plant>,
    ) -> Result<Self, weft_bench::Error> {
        let library = Session { exchange: plant.map(Into::into), ..Session::new(params, seed) }
            .build::<Dut>()?
            .load()?;
        Ok(Self {
            model: Clocked::new(params, csr),
            rtl: Rtl::new(&library, Reset::Random(seed as u32))?,
            errand: Errand { csr, reset: true, event: None, answer: None, patience: 0 },
            clocks: 0,
        })
    }

    /// Clocks run so far.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }
}

impl Window for Lockstep {
    type Error = IncastError;

    fn connections(&self) -> u32 {
        self.model.smartt().connections()
    }

    fn event(&mut self, event: &Event) -> Result<Outcome, IncastError> {
        self.errand = Errand { event: Some(*event), answer: None, patience: PATIENCE, ..self.errand };
        let report = lockstep::run(&mut self.model, &mut self.rtl, &mut self.errand, &mut ())?;
        let before = self.clocks;
        self.clocks += report.cycles;
        match report.mismatch {
            Some(it) => Err(IncastError::Mismatch(Mismatch { cycle: before + it.cycle, ..it })),
            None => self.errand.answer.ok_or(IncastError::Silent { clocks: PATIENCE }),
        }
    }
}

/// Drives one event and returns its answer; resets before the first event.
#[derive(Clone, Copy)]
struct Errand {
    csr: SmarttCsr,
    reset: bool,
    event: Option<Event>,
    answer: Option<Outcome>,
    patience: u32,
}

impl Driver<Dut> for Errand {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        if std::mem::take(&mut self.reset) {
            return Some(Inputs { rst: true, ..Inputs::default() });
        }
        if self.answer.is_some() {
            return None;
        }
        self.patience = self.patience.checked_sub(1)?;
        self.answer = Dut::answer(outputs).map(outcome);
        let offered = if outputs.event_ready { self.event.take() } else { self.event };
        Some(Dut::inputs(offered.as_ref(), true))
    }

    fn csr(&self) -> &SmarttCsr {
        &self.csr
    }
}
