//! The proof that the Verilog of `weft_reps` agrees with the model, for every state and input (page
//! `docs/proof.md`).

pub mod counterexample;
pub mod mutants;
pub mod parts;
pub mod pipeline;
pub mod step;
pub mod words;

use crate::Error;
use crate::part::of_block;
use crate::{Claim, Outcome, Report, Solvers, design, product, ram, skid};
use counterexample::Counterexample;
use pipeline::Pipeline;
use step::{MODEL, Step};
use weft_bench::{Exchange, Subject};
use weft_blocks::reps::Dut;
use weft_hdl::emit::Module;
use weft_params::RepsParams;
use weft_symbolic::{Multiply, Proof, Prover, Yosys};

/// The shapes that are proved: the default one, and the smallest and the largest of each parameter.
pub const SHAPES: [RepsParams; 3] = [
    RepsParams { connections: 256, depth: 8, ev_width: 16 },
    RepsParams { connections: 4, depth: 4, ev_width: 8 },
    RepsParams { connections: 4096, depth: 16, ev_width: 12 },
];

/// Proves the block in these shapes, with replaced modules if there are any. `tell` gets the claims of each
/// part when they are decided. The proof ends at the first shape that is refuted.
pub fn prove(
    solvers: &Solvers,
    shapes: &[RepsParams],
    exchange: Option<&Exchange>,
    tell: &mut dyn FnMut(&[Claim]),
) -> Result<(Report, Vec<Counterexample>), Error> {
    let yosys = Yosys::find()?;
    let mut report = Report { claims: Vec::new(), notes: solvers.note().into_iter().collect() };
    for &params in shapes {
        let mut modules = Dut::emit(&params)?;
        if let Some(exchange) = exchange {
            exchange.apply(&mut modules)?;
        }
        let (claims, mut found) = prove_shape(&yosys, solvers, &params, &modules, tell)?;
        report.claims.extend(claims);
        let refuted = report.failures().find(|claim| claim.outcome == Outcome::Refuted);
        if let Some(name) = refuted.map(|claim| claim.name.clone()) {
            match Counterexample::run(&name, params, &modules) {
                Ok(run) => found.extend(run),
                Err(error) => report.notes.push(format!("no run from reset was searched: {error}")),
            }
            return Ok((report, found));
        }
    }
    Ok((report, Vec::new()))
}

/// Proves the Verilog in `modules`, emitted for `params`. The counterexamples are events.
pub fn prove_shape(
    yosys: &Yosys,
    solvers: &Solvers,
    params: &RepsParams,
    modules: &[Module],
    tell: &mut dyn FnMut(&[Claim]),
) -> Result<(Vec<Claim>, Vec<Counterexample>), Error> {
    let shape = format!("{} x {} x {} bit", params.connections, params.depth, params.ev_width);
    let mut claims = Vec::new();
    // Both sides have products with the same factors; the value of a product does not matter.
    let shared = Multiply::Uninterpreted;
    let mut part = |name: &str, multiply: Multiply, claim: &dyn Fn(&mut Proof) -> Result<(), Error>| {
        let mut proof = solvers.proof(Prover { multiply, ..Prover::default() });
        if !solvers.is_over() {
            claim(&mut proof)?;
        }
        let decided = solvers.claims(&format!("{name}, {shape}"), &proof);
        tell(&decided);
        claims.extend(decided);
        Ok::<_, Error>(proof)
    };
    let read = |top: &str, scope: &str| design(yosys, modules, top, scope);
    let decode = read("weft_reps_control_decode", "decode")?;
    let core = read("weft_reps_control_core", "core")?;
    let step = Step::new(&decode, &core, params.depth)?;
    let proof = part("step", shared, &|proof| {
        step.equals_model(MODEL, proof)?;
        step.contracts(proof)?;
        step.comparisons(proof)?;
        step.safety(proof)?;
        Ok(Step::changes(&decode, &core, params.depth, proof)?)
    })?;
    let refuted = proof.obligations().iter().find_map(|one| Some((&one.name, one.verdict.counterexample()?)));
    let found = refuted.map(|(name, found)| Counterexample::event(name, &step, found, *params, modules));
    let found = found.transpose()?.into_iter().collect();

    part("RAM", shared, &|proof| ram::refines(yosys, modules, proof))?;
    let whole = ram::watched(yosys, modules, "weft_reps", "reps")?;
    part("block", shared, &|proof| of_block(&whole, modules, &["entropy"], &[], proof).map(drop))?;
    let pipeline = Pipeline::new(whole, &decode, params.depth)?;
    part("pipeline", shared, &|proof| {
        pipeline.induction(proof)?;
        pipeline.steps(proof)?;
        pipeline.transport(proof)
    })?;

    part("product", Multiply::Exact, &|proof| product::small(yosys, modules, proof))?;
    part("product", shared, &|proof| product::wide(yosys, modules, proof))?;

    let entropy = ram::watched(yosys, modules, "weft_reps_entropy", "entropy")?;
    part("entropy", shared, &|proof| parts::entropy(&entropy, params, proof))?;
    let front = read("weft_reps_front", "front")?;
    part("front", shared, &|proof| parts::front(&front, proof))?;
    let queue = read("weft_reps.skid", "skid")?;
    part("skid", shared, &|proof| skid::queue(&queue, proof))?;
    Ok((claims, found))
}
