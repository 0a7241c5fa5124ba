//! The proof that the Verilog of `weft_sack_tx` agrees with the model, for every state and input (page
//! `docs/proof.md`).

pub mod calm;
pub mod pipeline;
pub mod requests;
pub mod step;
pub mod words;

use crate::Error;
use crate::ring::Leaf;
use crate::{Claim, Solvers, alone, context, design, part, ram, ring, skid};
use calm::CALM;
use pipeline::Pipeline;
use step::{MODEL, Step};
use weft_blocks::sack_tx::Dut;
use weft_hdl::Module;
use weft_hdl::catalogue::Shape;
use weft_params::SackParams;
use weft_symbolic::{Design, Multiply, Prover, Yosys};

/// The pipelines on rings: their kinds and modules.
const RINGS: [(Leaf, &str); 6] = [
    (Leaf::Point, "weft_sack_tx_window.here"),
    (Leaf::Extent, "weft_sack_tx_window.told"),
    (Leaf::Span, "weft_sack_tx_window.judged"),
    (Leaf::Find, "weft_sack_tx_window.find"),
    (Leaf::Count, "weft_sack_tx_window.count"),
    (Leaf::Rotate, "weft_sack_tx_window.rotate"),
];

/// The delays.
const WAITS: [&str; 6] = [
    "weft_sack_tx.s3_event",
    "weft_sack_tx.s18_event",
    "weft_sack_tx.s16_base",
    "weft_sack_tx.s19_aim",
    "weft_sack_tx_finish.s29_settled",
    "weft_sack_tx_finish.s30_left",
];

/// Words of connections, and the prefix of the `Context` in them.
const CONTEXTS: [(&str, &str); 6] = [
    ("weft_sack_tx_window.waiting", "rings."),
    ("weft_sack_tx_settle.flows", ""),
    ("weft_sack_tx_settle.tallies", ""),
    ("weft_sack_tx_publish.turns", ""),
    ("weft_sack_tx_finish.ends", ""),
    ("weft_sack_tx_finish.account", ""),
];

/// The instances of `Published`.
const PUBLISHED: [&str; 4] = [
    "weft_sack_tx.published",
    "weft_sack_tx.views",
    "weft_sack_tx_scheduler.cards",
    "weft_sack_tx_scanner.timers",
];

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
    /// The scheduler of connections, and the scanner of timers.
    Requests,
    /// The output queue.
    Skid,
}

impl part::Part for Part {
    type Dut = Dut;
    const ALL: &'static [Self] =
        &[Part::Rings, Part::Words, Part::Step, Part::Pipeline, Part::Requests, Part::Skid];
    const SHAPES: &'static [SackParams] =
        &[SackParams { connections: 256 }, SackParams { connections: 4 }, SackParams { connections: 4096 }];
    const APART: &'static [&'static str] = &["scheduler", "scanner"];
    const FREE: &'static [&'static str] = &["views"];

    fn of(shape: &Shape) -> part::ParamsOf<Self> {
        shape.sack()
    }

    fn alone() -> Vec<&'static str> {
        let contexts = CONTEXTS.map(|(path, _)| path);
        [&RINGS.map(|(_, path)| path)[..], &contexts, &WAITS, &PUBLISHED].concat()
    }

    fn name(self) -> &'static str {
        match self {
            Part::Rings => "rings",
            Part::Words => "words",
            Part::Step => "step",
            Part::Pipeline => "pipeline",
            Part::Requests => "requests",
            Part::Skid => "skid",
        }
    }

    fn shape(params: &SackParams) -> String {
        format!("{} connections", params.connections)
    }

    fn whole(yosys: &Yosys, modules: &[Module]) -> Result<Design, Error> {
        ram::watched(yosys, modules, "weft_sack_tx", "tx")
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
        // Both sides have products with the same factors, or with a factor that is one more.
        let mut proof = solvers.proof(Prover { multiply: Multiply::Uninterpreted, ..Prover::default() });
        match self {
            Part::Rings => ring::prove::<8, 9, 2>(&RINGS, yosys, modules, &mut proof)?,
            Part::Words => {
                ram::refines(yosys, modules, &mut proof)?;
                // All rings are instances of one module.
                for (name, prefix) in CONTEXTS {
                    context::context(yosys, modules, name, prefix, &mut proof)?;
                }
                for name in WAITS {
                    context::wait(yosys, modules, name, &mut proof)?;
                }
                for name in PUBLISHED {
                    context::published(yosys, modules, name, &mut proof)?;
                }
            }
            Part::Step => {
                Step::new(whole, MODEL)?.prove(&mut proof)?;
                calm::prove(CALM, &mut proof)?;
            }
            Part::Pipeline => Pipeline::new(whole).prove(&mut proof)?,
            Part::Requests => {
                let part = |name: &str| ram::watched(yosys, modules, name, name);
                requests::scheduler(&part("weft_sack_tx_scheduler")?, &mut proof)?;
                requests::scanner(&part("weft_sack_tx_scanner")?, &mut proof)?;
            }
            Part::Skid => {
                skid::queue(&design(yosys, modules, "weft_sack_tx.skid", "skid")?, &mut proof)?;
                skid::slots(design(yosys, modules, "weft_sack_tx.slots", "slots")?, &mut proof)?;
            }
        }
        Ok(solvers.claims(self.name(), &proof))
    }
}
