//! The proof of `weft_sack_tx`: its Verilog does what the model says, for every state and input (page
//! `docs/proof.md`).

pub mod pipeline;
pub mod requests;
pub mod step;
pub mod words;

use crate::Error;
use crate::ring::Leaf;
use crate::{Claim, Report, Solvers, context, design, ram, skid};
use pipeline::Pipeline;
use step::{MODEL, Step};
use weft_blocks::sack_tx::plant::Plant;
use weft_blocks::sack_tx::views::verilog;
use weft_hdl::emit::Module;
use weft_params::SackParams;
use weft_symbolic::{Design, Multiply, Prover, Yosys};

/// The shapes that are proved: the default one, the smallest and the largest.
pub const SHAPES: [SackParams; 3] =
    [SackParams { connections: 256 }, SackParams { connections: 4 }, SackParams { connections: 4096 }];

/// Proves the block in all [`SHAPES`], with a bug planted in its Verilog if asked to. `tell` gets each
/// part's claims when they are decided. Ends at the first shape that is not proved.
pub fn prove(
    solvers: &Solvers,
    plant: Option<Plant>,
    tell: &mut dyn FnMut(&[Claim]),
) -> Result<Report, Error> {
    let yosys = Yosys::find()?;
    let mut report = Report { claims: Vec::new(), notes: solvers.note().into_iter().collect() };
    let mut rings: Option<Vec<Module>> = None;
    for params in SHAPES {
        let mut modules = verilog(&params)?;
        if let Some(plant) = plant {
            plant.apply(&mut modules);
        }
        // The pipelines on rings know of no connection: once is enough, if the text is the same.
        let same = rings.as_ref().is_some_and(|proved| *proved == of_rings(&modules));
        let parts: Vec<Part> = Part::ALL.into_iter().filter(|part| *part != Part::Rings || !same).collect();
        rings = Some(of_rings(&modules));
        report.claims.extend(prove_shape(&yosys, solvers, &params, &modules, &parts, tell)?);
        if !report.is_proved() {
            break;
        }
    }
    Ok(report)
}

/// The modules that [`Part::Rings`] is about, with all that they contain.
fn of_rings(modules: &[Module]) -> Vec<Module> {
    let of =
        |module: &&Module| RINGS.iter().any(|(_, name)| module.name.starts_with(name)) || module.primitive;
    modules.iter().filter(of).cloned().collect()
}

/// Proves `parts` of the Verilog in `modules`, emitted for `params`.
pub fn prove_shape(
    yosys: &Yosys,
    solvers: &Solvers,
    params: &SackParams,
    modules: &[Module],
    parts: &[Part],
    tell: &mut dyn FnMut(&[Claim]),
) -> Result<Vec<Claim>, Error> {
    let whole = whole(yosys, modules)?;
    let mut claims = Vec::new();
    for part in parts {
        let decided = part.prove(yosys, solvers, modules, &whole)?;
        let named =
            |claim| Claim { part: format!("{}, {} connections", part.name(), params.connections), ..claim };
        let decided: Vec<Claim> = decided.into_iter().map(named).collect();
        tell(&decided);
        claims.extend(decided);
    }
    Ok(claims)
}

/// `weft_sack_tx` in `modules`, its RAMs watched at one address each.
pub fn whole(yosys: &Yosys, modules: &[Module]) -> Result<Design, Error> {
    design(yosys, &ram::watched(modules), "weft_sack_tx", "tx")
}

/// Every pipeline on rings and the module that it is.
const RINGS: [(Leaf, &str); 6] = [
    (Leaf::Hot, "weft_sack_tx_window.hot"),
    (Leaf::Below, "weft_sack_tx_window.below"),
    (Leaf::Span, "weft_sack_tx_window.spoken"),
    (Leaf::Find, "weft_sack_tx_window.find"),
    (Leaf::Count, "weft_sack_tx_window.count"),
    (Leaf::Rotate, "weft_sack_tx_window.rotate"),
];

/// A part of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What the pipelines on rings compute.
    Rings,
    /// Words of connections, read and written.
    Words,
    /// An event makes the model's step.
    Step,
    /// Events enter in order, and outcomes leave.
    Pipeline,
    /// Whose turn it is to send, and which timer has expired.
    Requests,
    /// The output queue.
    Skid,
}

impl Part {
    /// All of them, in the order in which they are proved.
    pub const ALL: [Part; 6] =
        [Part::Rings, Part::Words, Part::Step, Part::Pipeline, Part::Requests, Part::Skid];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Part::Rings => "rings",
            Part::Words => "words",
            Part::Step => "step",
            Part::Pipeline => "pipeline",
            Part::Requests => "requests",
            Part::Skid => "skid",
        }
    }

    /// The claims of this part about the Verilog in `modules`, of which [`whole`] is the design.
    pub fn prove(
        self,
        yosys: &Yosys,
        solvers: &Solvers,
        modules: &[Module],
        whole: &Design,
    ) -> Result<Vec<Claim>, Error> {
        // Products stand on both sides with the same factors, or one more.
        let mut proof = solvers.proof(Prover { multiply: Multiply::Uninterpreted, ..Prover::default() });
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
                // All rings are instances of one module.
                context::context(yosys, modules, "weft_sack_tx_window.acked", "rings.", &mut proof)?;
                for name in ["settle.flows", "settle.turns", "finish.pending"] {
                    context::context(yosys, modules, &format!("weft_sack_tx_{name}"), "", &mut proof)?;
                }
                for name in
                    ["weft_sack_tx.published", "weft_sack_tx_scheduler.cards", "weft_sack_tx_scanner.timers"]
                {
                    context::published(yosys, modules, name, &mut proof)?;
                }
            }
            Part::Step => Step::new(whole, MODEL)?.prove(&mut proof)?,
            Part::Pipeline => Pipeline::new(whole).prove(&mut proof)?,
            Part::Requests => {
                let part = |name: &str| design(yosys, &ram::watched(modules), name, name);
                requests::scheduler(&part("weft_sack_tx_scheduler")?, &mut proof)?;
                requests::scanner(&part("weft_sack_tx_scanner")?, &mut proof)?;
            }
            Part::Skid => skid::queue(&design(yosys, modules, "weft_sack_tx.skid", "skid")?, &mut proof)?,
        }
        Ok(solvers.claims(self.name(), &proof))
    }
}
