//! The proof of `weft_smartt`: its Verilog does what the model says, for every state and input (page
//! `docs/proof.md`).

pub mod divider;
pub mod moves;
pub mod pipeline;
pub mod step;
pub mod words;

use super::plant::Plant;
use super::views::verilog;
use crate::Error;
use crate::prove::{Claim, Report, Solvers, design, ram, skid};
use pipeline::Pipeline;
use step::{MODEL, Step};
use weft_hdl::emit::Module;
use weft_params::SmarttParams;
use weft_symbolic::{Multiply, Proof, Prover, Yosys};

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
    let mut claims = Vec::new();
    let mut part = |name: &str, claim: &mut dyn FnMut(&mut Proof) -> Result<(), Error>| {
        // Products stand on both sides with the same factors; what they are does not matter.
        let mut proof = solvers.proof(Prover { multiply: Multiply::Uninterpreted, ..Prover::default() });
        claim(&mut proof)?;
        let decided = solvers.claims(&format!("{name}, {} connections", params.connections), &proof);
        tell(&decided);
        claims.extend(decided);
        Ok::<_, Error>(())
    };
    let watched = ram::watched(modules);
    let whole = design(yosys, &watched, "weft_smartt", "smartt")?;
    part("divider", &mut |proof| {
        divider::small(yosys, modules, proof)?;
        divider::stages(&whole, "congestion.ratio", proof)?;
        divider::stages(&whole, "window.quotient", proof)
    })?;
    let mut step = Step::new(&whole, MODEL)?;
    part("step", &mut |proof| step.prove(proof))?;
    part("RAM", &mut |proof| ram::refines(yosys, modules, proof))?;
    let pipeline = Pipeline::new(whole)?;
    part("pipeline", &mut |proof| {
        pipeline.induction(proof)?;
        pipeline.states(proof)?;
        pipeline.front(proof)?;
        pipeline.transport(proof)
    })?;
    let queue = design(yosys, modules, "weft_smartt_skid", "skid")?;
    part("skid", &mut |proof| skid::queue(&queue, proof))?;
    Ok(claims)
}
