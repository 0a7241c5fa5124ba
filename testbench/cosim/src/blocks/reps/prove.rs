//! The proof of `weft_reps`: its Verilog does what the model says, for every state and input (page
//! `docs/proof.md`).

pub mod pipeline;
pub mod ram;
pub mod step;
pub mod words;

use super::plant::Plant;
use super::views::verilog;
use crate::Error;
use crate::prove::{Report, Solvers};
use pipeline::Pipeline;
use step::{MODEL, Step};
use weft_hdl::emit::Module;
use weft_params::RepsParams;
use weft_symbolic::{Design, Prover, Source, Yosys};

/// Depths of the buffer that the step is proved for.
const DEPTHS: [u32; 3] = [4, 8, 16];

/// A module of the emitted Verilog, read through yosys; its free variables start with `scope`.
pub fn design(yosys: &Yosys, modules: &[Module], top: &str, scope: &str) -> Result<Design, Error> {
    let sources: Vec<Source<'_>> = modules.iter().map(|module| Source::Text(&module.text)).collect();
    Ok(yosys.design(top, &sources, scope)?)
}

/// Proves the block, with a bug planted in its Verilog if asked to.
pub fn prove(solvers: &Solvers, plant: Option<Plant>) -> Result<Report, Error> {
    let yosys = Yosys::find()?;
    let mut report = Report { claims: Vec::new(), note: solvers.note() };
    for depth in DEPTHS {
        let mut modules = verilog(&RepsParams { depth, ..RepsParams::default() })?;
        if let Some(plant) = plant {
            plant.apply(&mut modules);
        }
        let decode = design(&yosys, &modules, "weft_reps_control_decode", "decode")?;
        let core = design(&yosys, &modules, "weft_reps_control_core", "core")?;
        let step = Step::new(&decode, &core, depth)?;
        let mut proof = solvers.proof(Prover::default());
        step.equals_model(MODEL, &mut proof)?;
        step.contracts(&mut proof)?;
        step.safety(&mut proof)?;
        report.claims.extend(solvers.claims(&proof));
    }
    let params = RepsParams::default();
    let mut modules = verilog(&params)?;
    if let Some(plant) = plant {
        plant.apply(&mut modules);
    }
    let mut proof = solvers.proof(Prover::default());
    ram::refines(&yosys, &modules, &mut proof)?;
    let decode = design(&yosys, &modules, "weft_reps_control_decode", "decode")?;
    let whole = design(&yosys, &ram::watched(&modules), "weft_reps", "reps")?;
    let pipeline = Pipeline::new(whole, &decode, params.depth)?;
    pipeline.induction(&mut proof)?;
    pipeline.steps(&mut proof)?;
    pipeline.transport(&mut proof)?;
    report.claims.extend(solvers.claims(&proof));
    Ok(report)
}
