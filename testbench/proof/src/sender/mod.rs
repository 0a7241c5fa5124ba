//! The proof of dispatch and billing in `weft_sender`: the meaning of an outcome of the transport (page
//! `docs/proof/sender.md`).

pub mod dispatch;
pub mod ports;
pub mod words;

use crate::{Claim, Error, Solvers, alone, context, part, ram};
use dispatch::{Dispatch, MODEL};
use ports::Ports;
use weft_blocks::sender::Dut;
use weft_hdl::Module;
use weft_hdl::catalogue::Shape;
use weft_params::{SackParams, SenderParams, WindowAlgorithm};
use weft_symbolic::{Design, Prover, Yosys};

/// The module that is proved.
pub const DISPATCH: &str = "weft_sender_dispatch";

/// The delay in the module, and the word of connections.
const WAIT: &str = "weft_sender_dispatch.s4_outcome";
const NOTES: &str = "weft_sender_dispatch.notes";

/// A sender with SMaRTT inside.
pub const fn shape_of(connections: u32) -> SenderParams {
    SenderParams { connections, window: WindowAlgorithm::Smartt, psns: SackParams::WINDOW }
}

/// A part of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Words that wait.
    Waits,
    /// Notes of connections.
    Words,
    /// The meaning of an outcome.
    Dispatch,
    /// The joins of dispatch, transport and queues.
    Ports,
}

impl part::Part for Part {
    type Dut = Dut;
    const ALL: &'static [Self] = &[Part::Waits, Part::Words, Part::Dispatch, Part::Ports];
    const SHAPES: &'static [SenderParams] = &[shape_of(256), shape_of(4), shape_of(16384)];

    fn of(shape: &Shape) -> part::ParamsOf<Self> {
        shape.sender()
    }

    fn name(self) -> &'static str {
        match self {
            Part::Waits => "waits",
            Part::Words => "words",
            Part::Dispatch => "dispatch",
            Part::Ports => "ports",
        }
    }

    fn shape(params: &SenderParams) -> String {
        format!("{} connections", params.connections)
    }

    fn whole(yosys: &Yosys, modules: &[Module]) -> Result<Design, Error> {
        ram::watched(yosys, modules, DISPATCH, "dispatch")
    }

    fn about(self, modules: &[Module]) -> Option<Vec<Module>> {
        // A waiting word is independent of connections.
        (self == Part::Waits).then(|| alone::text(modules, &[WAIT]))
    }

    fn prove(
        self,
        yosys: &Yosys,
        solvers: &Solvers,
        modules: &[Module],
        design: &Design,
    ) -> Result<Vec<Claim>, Error> {
        let mut proof = solvers.proof(Prover::default());
        match self {
            Part::Waits => {
                ram::refines(yosys, modules, &mut proof)?;
                context::wait(yosys, modules, WAIT, &mut proof)?;
            }
            Part::Words => context::context(yosys, modules, NOTES, "", &mut proof)?,
            Part::Dispatch => Dispatch::new(design, MODEL).prove(&mut proof)?,
            Part::Ports => Ports::new(&ports::design(yosys, modules)?).prove(&mut proof)?,
        }
        Ok(solvers.claims(self.name(), &proof))
    }
}
