//! The proof that the Verilog of `weft_sack_rx` agrees with the model, for every state and input (page
//! `docs/proof.md`).

pub mod pipeline;
pub mod step;
pub mod words;

use crate::Error;
use crate::ring::Leaf;
use crate::{Claim, Solvers, alone, context, design, part, ram, skid};
use pipeline::Pipeline;
use step::{MODEL, Step};
use weft_blocks::sack_rx::Dut;
use weft_hdl::Module;
use weft_hdl::catalogue::Shape;
use weft_params::SackParams;
use weft_symbolic::{Design, Prover, Yosys};

/// The pipelines on rings: their kinds and modules.
const RINGS: [(Leaf, &str); 6] = [
    (Leaf::Hot, "weft_sack_rx_window.hot"),
    (Leaf::Below, "weft_sack_rx_window.below"),
    (Leaf::Span, "weft_sack_rx_window.span"),
    (Leaf::Find, "weft_sack_rx_window.find"),
    (Leaf::Count, "weft_sack_rx_window.count"),
    (Leaf::Rotate, "weft_sack_rx_window.rotate"),
];

/// The delays.
const WAITS: [&str; 3] =
    ["weft_sack_rx_window.s15_missing", "weft_sack_rx_window.s20_judgement", "weft_sack_rx_window.s20_along"];

/// Words of connections, and the prefix of the `Context` in them.
const CONTEXTS: [(&str, &str); 2] =
    [("weft_sack_rx_window.received", "rings."), ("weft_sack_rx_account.words", "")];

/// The instances of `Published`.
const PUBLISHED: &str = "weft_sack_rx_window.published";

/// A part of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The functions of the pipelines on rings.
    Rings,
    /// Words of connections: read and written.
    Words,
    /// An event makes the step of the model.
    Step,
    /// Events enter in order, and outcomes leave in order.
    Pipeline,
    /// The output queue.
    Skid,
}

impl part::Part for Part {
    type Dut = Dut;
    const ALL: &'static [Self] = &[Part::Rings, Part::Words, Part::Step, Part::Pipeline, Part::Skid];
    const SHAPES: &'static [SackParams] =
        &[SackParams { connections: 256 }, SackParams { connections: 4 }, SackParams { connections: 4096 }];

    fn of(shape: &Shape) -> part::ParamsOf<Self> {
        shape.sack()
    }

    fn alone() -> Vec<&'static str> {
        let contexts = CONTEXTS.map(|(path, _)| path);
        [&RINGS.map(|(_, path)| path)[..], &contexts, &WAITS, &[PUBLISHED]].concat()
    }

    fn name(self) -> &'static str {
        match self {
            Part::Rings => "rings",
            Part::Words => "words",
            Part::Step => "step",
            Part::Pipeline => "pipeline",
            Part::Skid => "skid",
        }
    }

    fn shape(params: &SackParams) -> String {
        format!("{} connections", params.connections)
    }

    fn whole(yosys: &Yosys, modules: &[Module]) -> Result<Design, Error> {
        ram::watched(yosys, modules, "weft_sack_rx", "rx")
    }

    fn about(self, modules: &[Module]) -> Option<Vec<Module>> {
        // The pipelines on rings do not depend on the number of connections.
        (self == Part::Rings).then(|| alone::text(modules, &RINGS.map(|(_, path)| path)))
    }

    fn prove(
        self,
        yosys: &Yosys,
        solvers: &Solvers,
        modules: &[Module],
        whole: &Design,
    ) -> Result<Vec<Claim>, Error> {
        let mut proof = solvers.proof(Prover::default());
        match self {
            Part::Rings => {
                for (leaf, module) in RINGS {
                    leaf.prove(yosys, modules, module, &mut proof)?;
                    if !proof.is_proved() {
                        break;
                    }
                }
            }
            Part::Words => {
                ram::refines(yosys, modules, &mut proof)?;
                // Both rings are instances of one module.
                for (name, prefix) in CONTEXTS {
                    context::context(yosys, modules, name, prefix, &mut proof)?;
                }
                for name in WAITS {
                    context::wait(yosys, modules, name, &mut proof)?;
                }
                context::published(yosys, modules, PUBLISHED, &mut proof)?;
            }
            Part::Step => Step::new(whole, MODEL)?.prove(&mut proof)?,
            Part::Pipeline => Pipeline::new(whole).prove(&mut proof)?,
            Part::Skid => {
                skid::queue(&design(yosys, modules, "weft_sack_rx.skid", "skid")?, &mut proof)?;
                skid::slots(design(yosys, modules, "weft_sack_rx.slots", "slots")?, &mut proof)?;
            }
        }
        Ok(solvers.claims(self.name(), &proof))
    }
}
