//! The proof of `weft_reps`: its Verilog does what the model says, for every state and input (page
//! `docs/proof.md`).

pub mod step;
pub mod words;

use super::plant::Plant;
use super::views::verilog;
use crate::Error;
use crate::prove::{Report, Solvers};
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
    Ok(report)
}
