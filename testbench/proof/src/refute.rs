//! Code that the tests of proofs share. They test that everything is proved, and that the right claim refutes
//! each bug.

use crate::part::{ParamsOf, Part, prove, with_one_enable};
use crate::{Claim, Outcome, Report, Solvers};
use weft_bench::Subject;
use weft_hdl::Module;
use weft_symbolic::{Design, Multiply, Proof, Prover, Yosys};

/// Finds yosys. `None`, with a message, if it is not installed: then a test is skipped.
pub fn yosys() -> Option<Yosys> {
    Yosys::find().map_err(|error| println!("skipped: {error}")).ok()
}

/// One solver.
pub fn quick() -> Solvers {
    Solvers::one("tests that refute need no second opinion: evaluation confirms them")
}

/// Prints the claims that are not proved.
pub fn print(report: &Report) {
    report.notes.iter().for_each(|note| println!("{note}"));
    for claim in report.failures() {
        println!("{:?} {}: {} {:?}", claim.outcome, claim.part, claim.name, claim.details);
    }
    println!("{} claims", report.claims.len());
}

/// Checks that all claims hold in every shape.
pub fn every_shape_is_proved<P: Part>() {
    if yosys().is_none() {
        return;
    }
    let report =
        prove::<P>(&Solvers::find(), P::SHAPES, None, &mut |_| ()).unwrap_or_else(|error| panic!("{error}"));
    print(&report);
    assert!(report.is_proved());
}

/// The block of a shape, with one enable.
pub fn block<P: Part>(yosys: &Yosys, params: &ParamsOf<P>) -> Design {
    with_one_enable::<P>(yosys, &quick(), &emit::<P>(params)).unwrap_or_else(|error| panic!("{error}")).0
}

/// The names of the claims that are refuted.
pub fn refuted(proof: &Proof) -> Vec<&str> {
    let refuted = proof.obligations().iter().filter(|claim| claim.verdict.counterexample().is_some());
    refuted.map(|claim| &claim.name[..]).collect()
}

/// Checks that a claim with `symptom` in its name is refuted.
pub fn assert_refutes(proof: &Proof, what: &str, symptom: &str) {
    let refuted = refuted(proof);
    println!("{what}: {refuted:?}");
    assert!(refuted.iter().any(|claim| claim.contains(symptom)), "{what}: {refuted:?}");
}

/// Checks that a claim of the part with `symptom` in its name is refuted.
pub fn assert_refuted<P: Part>(yosys: &Yosys, modules: &[Module], part: P, what: &str, symptom: &str) {
    assert_falls(yosys, modules, Some(part), what, symptom);
}

/// Checks that a claim about the whole block, or about a part if there is one, is refuted.
fn assert_falls<P: Part>(yosys: &Yosys, modules: &[Module], part: Option<P>, what: &str, symptom: &str) {
    let (design, mut claims) =
        with_one_enable::<P>(yosys, &quick(), modules).unwrap_or_else(|error| panic!("{error}"));
    let is_refuted = |claims: &[Claim]| {
        let mut refuted = claims.iter().filter(|claim| claim.outcome == Outcome::Refuted);
        refuted.any(|claim| claim.name.contains(symptom))
    };
    if let Some(part) = part {
        match part.prove(yosys, &quick(), modules, &design) {
            Ok(decided) => claims.extend(decided),
            // The bug removed a signal that the part follows. Then nothing is proved, and the claim of the
            // block must have failed.
            Err(_) if is_refuted(&claims) => {}
            Err(error) => panic!("{what}: {error}"),
        }
    }
    let refuted = claims.iter().filter(|claim| claim.outcome == Outcome::Refuted);
    let refuted: Vec<&str> = refuted.map(|claim| &claim.name[..]).collect();
    println!("{what}: {refuted:?}");
    assert!(is_refuted(&claims), "{what}: {refuted:?}");
}

/// Checks that each `every`th planted bug is refuted, from the first on. An entry is its name, the part, and
/// a word of the claim that must fail.
pub fn planted_bugs_are_refuted<P: Part>(params: &ParamsOf<P>, expected: &[(&str, P, &str)], every: usize) {
    let Some(yosys) = yosys() else { return };
    let names: Vec<&str> = P::Dut::PLANTS.iter().map(|plant| plant.name).collect();
    assert_eq!(expected.iter().map(|(name, ..)| *name).collect::<Vec<_>>(), names, "all bugs, in order");
    for (plant, (name, part, symptom)) in P::Dut::PLANTS.iter().zip(expected).step_by(every) {
        let mut modules = emit::<P>(params);
        plant.apply(&mut modules).unwrap_or_else(|error| panic!("{error}"));
        assert_refuted(&yosys, &modules, *part, name, symptom);
    }
}

/// A bug in a module: the part, the module, the old text, the new text, and a word of the claim that must
/// fail.
pub type Bug<P> = (P, &'static str, &'static str, &'static str, &'static str);

/// Checks that every bug has its place in the Verilog, and that each `every`th bug, from the last on, is
/// refuted.
pub fn bugs_are_refuted<P: Part>(params: &ParamsOf<P>, bugs: &[Bug<P>], every: usize) {
    let Some(yosys) = yosys() else { return };
    let sound = emit::<P>(params);
    let planted: Vec<_> =
        bugs.iter().map(|&(_, name, from, to, _)| changed(&sound, name, from, to)).collect();
    for ((part, name, _, to, symptom), modules) in bugs.iter().zip(&planted).rev().step_by(every) {
        assert_refuted(&yosys, modules, *part, &format!("{name}: {to}"), symptom);
    }
}

/// A bug in a module that is proved alone: the module, the old text, the new text, and a word of the claim that must fail.
pub type Inside = (&'static str, &'static str, &'static str, &'static str);

/// Checks that every bug is refuted. `claims` proves the claims about the modules with a bug, of which it gets the module's name.
pub fn bugs_inside_are_refuted<P: Part>(
    params: &ParamsOf<P>,
    bugs: &[Inside],
    claims: impl Fn(&Yosys, &[Module], &str, &mut Proof),
) {
    let Some(yosys) = yosys() else { return };
    let sound = emit::<P>(params);
    for (name, from, to, symptom) in bugs {
        let mut proof = quick().proof(Prover::default());
        claims(&yosys, &changed(&sound, name, from, to), name, &mut proof);
        assert_refutes(&proof, &format!("{name}: {to}"), symptom);
    }
}

/// A port of an instance that is tied to another value: the part (`None` if a claim of the whole block must
/// fail), the module, the instance, the port, the value, and a word of the claim that must fail.
pub type Tie<P> = (Option<P>, &'static str, &'static str, &'static str, &'static str, &'static str);

/// Checks that each `every`th wrongly tied port, from the first on, is refuted.
pub fn ties_are_refuted<P: Part>(params: &ParamsOf<P>, ties: &[Tie<P>], every: usize) {
    let Some(yosys) = yosys() else { return };
    let sound = emit::<P>(params);
    for (part, module, name, port, value, symptom) in ties.iter().step_by(every) {
        let modules = tied(&sound, module, name, port, value);
        assert_falls(&yosys, &modules, *part, &format!("{module}.{name}.{port} = {value}"), symptom);
    }
}

/// The modules with a port of an instance tied to another value.
pub fn tied(modules: &[Module], name: &str, instance: &str, port: &str, value: &str) -> Vec<Module> {
    let mut modules = modules.to_vec();
    let module = modules.iter_mut().find(|module| module.name == name).expect("a module of the block");
    let mut lines: Vec<String> = module.text.lines().map(str::to_owned).collect();
    let at =
        lines.iter().position(|line| line.ends_with(&format!(" {instance} ("))).expect("an instance of it");
    let line = lines[at..].iter_mut().find(|line| line.trim_start().starts_with(&format!(".{port} ")));
    let line = line.expect("a port of it");
    *line = format!("        .{port} ({value}){}", if line.ends_with(',') { "," } else { "" });
    module.text = lines.join("\n");
    modules
}

/// A model with one change, and a word of the claim that must fail.
pub type Changed<M> = (&'static str, M, &'static str);

/// Checks that every changed model is refuted. `claims` proves the claims about a model.
pub fn models_are_refuted<M: Copy>(models: &[Changed<M>], claims: impl Fn(M, &mut Proof)) {
    for (name, model, symptom) in models {
        let mut proof = Proof::new(Prover { multiply: Multiply::Uninterpreted, ..Prover::default() });
        claims(*model, &mut proof);
        assert_refutes(&proof, name, symptom);
    }
}

/// The Verilog of a shape.
pub fn emit<P: Part>(params: &ParamsOf<P>) -> Vec<Module> {
    P::Dut::emit(params).unwrap_or_else(|error| panic!("{error}"))
}

/// The modules with the first occurrence of `from` replaced.
pub fn changed(modules: &[Module], name: &str, from: &str, to: &str) -> Vec<Module> {
    let mut modules = modules.to_vec();
    let module = modules.iter_mut().find(|module| module.name == name).expect("a module of the block");
    assert!(module.text.contains(from), "{name} has no `{from}`: let this test follow the RTL");
    module.text = module.text.replacen(from, to, 1);
    modules
}
