//! Mutants of the core: small random changes by yosys. The claims of the proof refute each mutant that
//! changes the function of the core. For the other mutants, the proof shows that their outputs are equal.

use super::counterexample::Counterexample;
use super::step::{MODEL, Step};
use crate::Error;
use crate::{Solvers, design};
use serde::Serialize;
use std::fmt::Write;
use std::process::Command;
use weft_bench::Subject;
use weft_blocks::reps::Dut;
use weft_hdl::emit::Module;
use weft_params::RepsParams;
use weft_symbolic::{Design, Prover, Verdict, Yosys, YosysError};

const CORE: &str = "weft_reps_control_core";

/// A mutant and its fate.
#[derive(Clone, Debug, Serialize)]
pub struct Mutant {
    /// The command of yosys that makes the mutant.
    pub command: String,
    /// The fate.
    pub fate: Fate,
    /// The event that refutes the mutant.
    #[serde(skip)]
    pub counterexample: Option<Counterexample>,
}

/// The fate of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Refuted by this claim.
    Refuted(String),
    /// The outputs equal those of the core on every input.
    Same,
    /// The outputs differ only on inputs that cannot occur, or where no logic reads them: every claim is
    /// proved of the mutant. The list has these outputs.
    Harmless(Vec<String>),
    /// A solver gave up.
    Unknown,
}

/// Makes `count` mutants of the emitted core and judges them.
pub fn mutants(solvers: &Solvers, params: &RepsParams, count: u32, seed: u32) -> Result<Vec<Mutant>, Error> {
    let yosys = Yosys::find()?;
    let modules = Dut::emit(params)?;
    let decode = design(&yosys, &modules, "weft_reps_control_decode", "decode")?;
    // The same scope gives the same inputs.
    let original = design(&yosys, &modules, CORE, "core")?;
    let mut found = Vec::new();
    for (command, text) in mutate(&yosys, &modules, count, seed)? {
        let changed: Vec<Module> = modules
            .iter()
            .map(|module| {
                if module.name == CORE {
                    Module { text: text.clone(), ..module.clone() }
                } else {
                    module.clone()
                }
            })
            .collect();
        let core = design(&yosys, &changed, CORE, "core")?;
        let (fate, counterexample) = judge(solvers, params, &changed, &decode, &original, &core)?;
        found.push(Mutant { command, fate, counterexample });
    }
    Ok(found)
}

fn judge(
    solvers: &Solvers,
    params: &RepsParams,
    modules: &[Module],
    decode: &Design,
    original: &Design,
    core: &Design,
) -> Result<(Fate, Option<Counterexample>), Error> {
    let step = Step::new(decode, core, params.depth)?;
    let mut proof = solvers.proof(Prover::default());
    step.equals_model(MODEL, &mut proof)?;
    step.contracts(&mut proof)?;
    for obligation in proof.obligations() {
        match &obligation.verdict {
            Verdict::Refuted(found) => {
                let event = Counterexample::event(&obligation.name, &step, found, *params, modules)?;
                return Ok((Fate::Refuted(obligation.name.clone()), Some(event)));
            }
            Verdict::Unknown => return Ok((Fate::Unknown, None)),
            Verdict::Proved => {}
        }
    }
    let mut proof = solvers.proof(Prover::default());
    let mut differing = Vec::new();
    for (name, same) in original.outputs.matches(&core.outputs)?.iter() {
        if !proof.claim(name, &[], same)?.verdict.is_proved() {
            differing.push(name.to_owned());
        }
    }
    Ok((if differing.is_empty() { Fate::Same } else { Fate::Harmless(differing) }, None))
}

/// The commands of yosys that make mutants, with the Verilog of each.
fn mutate(yosys: &Yosys, modules: &[Module], count: u32, seed: u32) -> Result<Vec<(String, String)>, Error> {
    let folder = tempfile::tempdir().map_err(|error| unusable(std::env::temp_dir(), error))?;
    let path = |name: &str| folder.path().join(name);
    let run = |script: &str| {
        std::fs::write(path("script.ys"), script).map_err(|error| unusable(path("script.ys"), error))?;
        let done =
            Command::new(&yosys.program).args(["-q", "-s", "script.ys"]).current_dir(folder.path()).output();
        let done = done.map_err(|error| unusable(yosys.program.clone(), error))?;
        if done.status.success() {
            return Ok(());
        }
        let output = String::from_utf8_lossy(&done.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        Err(Error::from(YosysError::Refused { top: CORE.into(), output }))
    };
    let read = |name: &str| std::fs::read_to_string(path(name)).map_err(|error| unusable(path(name), error));

    let core = modules.iter().filter(|module| module.name == CORE).map(|module| &module.text[..]);
    let core: String = core.collect();
    std::fs::write(path("core.v"), core).map_err(|error| unusable(path("core.v"), error))?;
    run(&format!(
        "read_verilog core.v\nprep -top {CORE}\nwrite_rtlil core.il\nmutate -list {count} -seed {seed} -o list.txt {CORE}\n"
    ))?;
    let commands: Vec<String> = read("list.txt")?.lines().map(str::to_owned).collect();
    let mut script = String::new();
    for (i, command) in commands.iter().enumerate() {
        write!(script, "design -reset\nread_rtlil core.il\n{command}\nwrite_verilog -noattr {i}.v\n")
            .expect("a string takes every line");
    }
    run(&script)?;
    let text = |i: usize| read(&format!("{i}.v"));
    commands.into_iter().enumerate().map(|(i, command)| Ok((command, text(i)?))).collect()
}

fn unusable(path: std::path::PathBuf, error: std::io::Error) -> Error {
    YosysError::File { path, error }.into()
}
