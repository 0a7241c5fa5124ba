//! The proof of `weft_smartt`: its Verilog does what the model says, for every state and input (page
//! `docs/proof.md`).

pub mod divider;
pub mod moves;
pub mod pipeline;
pub mod step;
pub mod words;

use crate::Error;
use crate::{Claim, Report, Solvers, design, ram, skid};
use pipeline::Pipeline;
use step::{MODEL, Step};
use weft_blocks::smartt::plant::Plant;
use weft_blocks::smartt::views::verilog;
use weft_hdl::emit::Module;
use weft_params::SmarttParams;
use weft_symbolic::{Design, Multiply, Prover, Yosys};

/// The shapes that are proved: the default one, the smallest and the largest.
pub const SHAPES: [SmarttParams; 3] =
    [SmarttParams { connections: 256 }, SmarttParams { connections: 4 }, SmarttParams { connections: 4096 }];

/// Proves the block in all [`SHAPES`], with a bug planted in its Verilog if asked to. `tell` gets each
/// part's claims when they are decided. Ends at the first shape that is not proved.
pub fn prove(
    solvers: &Solvers,
    plant: Option<Plant>,
    tell: &mut dyn FnMut(&[Claim]),
) -> Result<Report, Error> {
    let yosys = Yosys::find()?;
    let mut report = Report { claims: Vec::new(), notes: solvers.note().into_iter().collect() };
    for params in SHAPES {
        let mut modules = verilog(&params)?;
        if let Some(plant) = plant {
            plant.apply(&mut modules);
        }
        report.claims.extend(prove_shape(&yosys, solvers, &params, &modules, tell)?);
        if !report.is_proved() {
            break;
        }
    }
    Ok(report)
}

/// Proves the Verilog in `modules`, emitted for `params`.
pub fn prove_shape(
    yosys: &Yosys,
    solvers: &Solvers,
    params: &SmarttParams,
    modules: &[Module],
    tell: &mut dyn FnMut(&[Claim]),
) -> Result<Vec<Claim>, Error> {
    let whole = whole(yosys, modules)?;
    let mut claims = Vec::new();
    for part in Part::ALL {
        let decided = part.prove(yosys, solvers, modules, &whole)?;
        let named =
            |claim| Claim { part: format!("{}, {} connections", part.name(), params.connections), ..claim };
        let decided: Vec<Claim> = decided.into_iter().map(named).collect();
        tell(&decided);
        claims.extend(decided);
    }
    Ok(claims)
}

/// `weft_smartt` in `modules`, its RAM watched at one address.
pub fn whole(yosys: &Yosys, modules: &[Module]) -> Result<Design, Error> {
    design(yosys, &ram::watched(modules), "weft_smartt", "smartt")
}

/// A part of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Both dividers divide.
    Divider,
    /// An event makes the model's step.
    Step,
    /// One word stands for a RAM.
    Ram,
    /// Events find the right state and go in order.
    Pipeline,
    /// The output queue.
    Skid,
}

impl Part {
    /// All of them, in the order in which they are proved.
    pub const ALL: [Part; 5] = [Part::Divider, Part::Step, Part::Ram, Part::Pipeline, Part::Skid];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Part::Divider => "divider",
            Part::Step => "step",
            Part::Ram => "RAM",
            Part::Pipeline => "pipeline",
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
        // Products stand on both sides with the same factors; what they are does not matter.
        let mut proof = solvers.proof(Prover { multiply: Multiply::Uninterpreted, ..Prover::default() });
        match self {
            Part::Divider => {
                divider::small(yosys, modules, &mut proof)?;
                divider::stages(whole, "congestion.ratio", &mut proof)?;
                divider::stages(whole, "window.quotient", &mut proof)?;
            }
            Part::Step => Step::new(whole, MODEL)?.prove(&mut proof)?,
            Part::Ram => ram::refines(yosys, modules, &mut proof)?,
            Part::Pipeline => Pipeline::new(whole.clone())?.prove(&mut proof)?,
            Part::Skid => skid::queue(&design(yosys, modules, "weft_smartt.skid", "skid")?, &mut proof)?,
        }
        Ok(solvers.claims(self.name(), &proof))
    }
}
