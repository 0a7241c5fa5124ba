//! The RTL's windows, with the clocked model beside it on every clock.

use super::controller::has_connection;
use super::{Controller, IncastError};
use verilator_sys::Reset;
use weft_blocks::lockstep::{self, Driver, Mismatch, Turn};
use weft_blocks::smartt::plant::Plant;
use weft_blocks::smartt::views::{Rtl, build, verilog};
use weft_nic::block::smartt::{Case, Clocked, Event, Inputs, Kind, Outcome, Outputs};
use weft_params::{SmarttCsr, SmarttParams};

/// Clocks to wait for an answer: more than the sweep after reset takes.
const PATIENCE: u32 = 10_000;

/// `weft_smartt` under Verilator and [`Clocked`]: an event is offered, its answer is waited for, and on
/// every clock all outputs are compared.
pub struct Lockstep {
    model: Clocked,
    rtl: Rtl,
    errand: Errand,
    clocks: u64,
}

impl Lockstep {
    /// A block of this shape, with a bug or without; before reset its registers hold noise that follows
    /// from the seed.
    pub fn new(
        params: SmarttParams,
        csr: SmarttCsr,
        seed: u64,
        plant: Option<Plant>,
    ) -> Result<Self, weft_bench::Error> {
        params.check()?;
        let mut modules = verilog(&params)?;
        if let Some(plant) = plant {
            plant.apply(&mut modules);
        }
        let library = build(&modules).load()?;
        Ok(Self {
            model: Clocked::new(params, csr),
            rtl: Rtl::new(&library, Reset::Random(seed as u32))?,
            errand: Errand { configure: Some(csr), reset: true, ..Errand::default() },
            clocks: 0,
        })
    }

    /// Clocks run so far.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }
}

impl Controller for Lockstep {
    fn react(&mut self, event: &Event) -> Result<Outcome, IncastError> {
        has_connection(self.model.smartt().params(), event)?;
        self.errand = Errand { event: Some(*event), answer: None, patience: PATIENCE, ..self.errand };
        let report = lockstep::run(&mut self.model, &mut self.rtl, &mut self.errand, &mut ());
        let report = report.map_err(weft_bench::Error::from)?;
        let before = self.clocks;
        self.clocks += report.cycles;
        match report.mismatch {
            Some(it) => Err(IncastError::Mismatch(Mismatch { cycle: before + it.cycle, ..it })),
            None => self.errand.answer.ok_or(IncastError::Silent { clocks: PATIENCE }),
        }
    }
}

/// Drives one event and takes its answer; before the first, configures and resets.
#[derive(Clone, Copy, Default)]
struct Errand {
    configure: Option<SmarttCsr>,
    reset: bool,
    event: Option<Event>,
    answer: Option<Outcome>,
    patience: u32,
}

impl Driver<Clocked> for Errand {
    fn next(&mut self, outputs: &Outputs) -> Turn<Clocked> {
        if let Some(csr) = self.configure.take() {
            return Turn::Configure(csr);
        }
        if std::mem::take(&mut self.reset) {
            return Turn::Clock(Inputs { rst: true, ..Inputs::default() });
        }
        if self.answer.is_some() || self.patience == 0 {
            return Turn::End;
        }
        self.patience -= 1;
        self.answer = outputs.window_valid.then(|| outcome(outputs));
        let inputs = Inputs { window_ready: true, ..Inputs::default() };
        let offered = if outputs.event_ready { self.event.take() } else { self.event };
        Turn::Clock(offered.map_or(inputs, |event| inputs.with_event(&event)))
    }
}

/// The answer on the output ports.
fn outcome(outputs: &Outputs) -> Outcome {
    let user = outputs.window_user;
    Outcome {
        kind: Kind::ALL[usize::from(user >> 5)],
        connection: outputs.window_id,
        accepted: user >> 4 & 1 == 1,
        case: Case::ALL[usize::from(user & 15)],
        cwnd_bytes: outputs.window_data,
    }
}
