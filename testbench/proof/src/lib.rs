//! Proofs: what every block's proof has in common.

pub mod alone;
pub mod around;
pub mod catalogue;
pub mod context;
pub mod divider;
pub mod enables;
pub mod equal;
mod error;
pub mod fifo;
pub mod hangs;
pub mod hunt;
pub mod moves;
pub mod nscc;
pub mod paced;
pub mod part;
pub mod parts;
pub mod ports;
pub mod product;
pub mod ram;
pub mod refute;
pub mod reps;
pub mod ring;
pub mod sack_rx;
pub mod sack_tx;
pub mod skid;
pub mod smartt;
pub mod streams;
pub mod wiring;

pub use error::Error;

use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use weft_hdl::emit::Module;
use weft_symbolic::{Design, Hunt, Obligation, Proof, Prover, Reading, SmtSolver, Source, Verdict, Yosys};

/// A module of the emitted Verilog, read through yosys; its free variables start with `scope`. `top` is its name, or
/// `module.instance`: what stands there, with the parameters that it has there.
pub fn design(yosys: &Yosys, modules: &[Module], top: &str, scope: &str) -> Result<Design, Error> {
    read(yosys, modules, top, &[], scope, None)
}

fn read(
    yosys: &Yosys,
    modules: &[Module],
    top: &str,
    given: &[(&str, &str)],
    scope: &str,
    watched: Option<&str>,
) -> Result<Design, Error> {
    refuse_unknown(modules, top)?;
    let sources: Vec<Source<'_>> = modules.iter().map(|module| Source::Text(&module.text)).collect();
    let (top, parameters) = instance(modules, top).unwrap_or((top, given.to_vec()));
    let reading = Reading { top, parameters: &parameters, sources: &sources, scope, watched };
    Ok(enables::of_part(yosys.read(&reading)?, scope))
}

/// Parameters that say what memories and products become, which means nothing here.
const OF_TOOLS: [&str; 4] = ["RAM_STYLE", "LARGE_RAM", "FACTOR_BITS", "INIT"];

/// The module and the parameters of the instance `module.instance` that are numbers.
fn instance<'a>(modules: &'a [Module], path: &str) -> Option<(&'a str, Vec<(&'a str, &'a str)>)> {
    let (module, instance) = path.split_once('.')?;
    let text = &modules.iter().find(|m| m.name == module)?.text;
    let found = alone::instances(modules, text).into_iter().find(|found| found.name == instance)?;
    let is_number = |value: &str| value.parse::<u64>().is_ok();
    let parameters = found.parameters.into_iter().filter(|(_, value)| is_number(value));
    Some((found.module, parameters.collect()))
}

/// Refuses an instance that is to be proved alone and is not there, or whose parameters are no plain numbers.
fn refuse_unknown(modules: &[Module], path: &str) -> Result<(), Error> {
    let Some((module, name)) = path.split_once('.') else {
        let known = modules.iter().any(|module| module.name == path);
        return if known { Ok(()) } else { Err(Error::Module(path.to_owned())) };
    };
    let missing = || Error::Instance { module: module.to_owned(), instance: name.to_owned() };
    let of =
        modules.iter().find(|other| other.name == module).ok_or_else(|| Error::Module(module.to_owned()))?;
    let found = alone::instances(modules, &of.text).into_iter().find(|found| found.name == name);
    let wrong = |(name, value): &&(&str, &str)| {
        name.is_empty()
            || (value.parse::<u64>().is_err() && !OF_TOOLS.contains(name) && !value.starts_with('"'))
    };
    match found.ok_or_else(missing)?.parameters.iter().find(wrong) {
        None => Ok(()),
        Some((parameter, value)) => Err(Error::Parameter {
            instance: path.to_owned(),
            parameter: if parameter.is_empty() { "without a name".into() } else { (*parameter).to_owned() },
            value: (*value).to_owned(),
        }),
    }
}

/// A module or instance in the names of claims.
fn label(name: &str) -> String {
    name.strip_prefix("weft_").unwrap_or(name).replace('.', "_")
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The claim holds.
    Proved,
    /// The claim fails.
    Refuted,
    /// A solver gave up.
    Unknown,
}

/// One claim, as the report prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Claim {
    /// Of which part of the block.
    pub part: String,
    /// What is claimed.
    pub name: String,
    /// What became of it.
    pub outcome: Outcome,
    /// How long the solvers took together.
    pub seconds: f64,
    /// Who decided.
    pub solver: String,
    /// Refuted: what differs, and where.
    pub details: Vec<String>,
}

/// The claims of a block and their verdicts.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// In the order in which they were decided.
    pub claims: Vec<Claim>,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

impl Report {
    /// Whether everything is proved.
    pub fn is_proved(&self) -> bool {
        !self.claims.is_empty() && self.claims.iter().all(|claim| claim.outcome == Outcome::Proved)
    }

    /// The claims that are not proved.
    pub fn failures(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().filter(|claim| claim.outcome != Outcome::Proved)
    }
}

/// The solvers that a proof asks: CaDiCaL in any case, another one if there is one.
#[derive(Clone, Debug)]
pub struct Solvers {
    second: Result<(SmtSolver, String), String>,
    hunt: Option<Rc<Hunt>>,
}

impl Solvers {
    /// CaDiCaL, and z3 if [`find_z3`] has one.
    pub fn find() -> Self {
        Self { second: find_z3(), hunt: None }
    }

    /// CaDiCaL alone, and why.
    pub fn one(reason: &str) -> Self {
        Self { second: Err(reason.to_owned()), hunt: None }
    }

    /// CaDiCaL alone, in search of one claim that fails.
    pub fn hunting(hunt: &Rc<Hunt>) -> Self {
        Self { hunt: Some(Rc::clone(hunt)), ..Self::one("a refutation is confirmed by evaluation") }
    }

    /// The search has found a claim that fails.
    pub fn is_over(&self) -> bool {
        self.hunt.as_ref().is_some_and(|hunt| hunt.is_over())
    }

    /// An empty proof that asks these solvers.
    pub fn proof(&self, prover: Prover) -> Proof {
        let proof = match &self.second {
            Ok((solver, _)) => Proof::new(prover).and_by(solver.clone()),
            Err(_) => Proof::new(prover),
        };
        match &self.hunt {
            Some(hunt) => proof.in_hunt(Rc::clone(hunt)),
            None => proof,
        }
    }

    /// Why there is only one.
    pub fn note(&self) -> Option<String> {
        self.second.as_ref().err().cloned()
    }

    /// Obligations about `part` as the report prints them.
    pub fn claims(&self, part: &str, proof: &Proof) -> Vec<Claim> {
        proof.obligations().iter().map(|obligation| self.claim(part, obligation)).collect()
    }

    fn claim(&self, part: &str, obligation: &Obligation) -> Claim {
        let outcome = match obligation.verdict {
            Verdict::Proved => Outcome::Proved,
            Verdict::Refuted(_) => Outcome::Refuted,
            Verdict::Unknown => Outcome::Unknown,
        };
        let mut details = obligation.differences.clone();
        if let Some(found) = obligation.verdict.counterexample().filter(|found| !found.is_empty()) {
            let values = found.iter().filter_map(|(node, value)| {
                let name = node.name().filter(|name| !is_undefined_bit(name))?;
                Some(format!("{name} = {value}"))
            });
            details.push(format!("when {}", values.collect::<Vec<_>>().join(", ")));
        }
        let second = self.second.as_ref().ok().map(|(_, name)| format!(", {name}"));
        Claim {
            part: part.to_owned(),
            name: obligation.name.clone(),
            outcome,
            seconds: obligation.time.as_secs_f64(),
            solver: format!("CaDiCaL{}", second.unwrap_or_default()),
            details,
        }
    }
}

/// Bits that the Verilog leaves undefined have a number for a name: `scope.input17`.
pub fn is_undefined_bit(name: &str) -> bool {
    let port = name.rsplit('.').next().unwrap_or_default();
    port.strip_prefix("input").is_some_and(|rest| rest.parse::<u32>().is_ok())
}

/// The oldest z3 that answers in time: Debian's 4.8 takes minutes where 5 takes less than a second.
const Z3_OLDEST: (u32, u32) = (4, 13);

/// The z3 that `scripts/setup.sh extra` installs, or the one on the search path, with its name and
/// version; else why not.
pub fn find_z3() -> Result<(SmtSolver, String), String> {
    let mut refused = Vec::new();
    for program in candidates() {
        match z3_version(&program) {
            Some((major, minor)) if (major, minor) >= Z3_OLDEST => {
                return Ok((SmtSolver::new(program), format!("z3 {major}.{minor}")));
            }
            Some((major, minor)) => {
                refused.push(format!("{} is version {major}.{minor}, too slow", program.display()))
            }
            None => refused.push(format!("{} says no version", program.display())),
        }
    }
    refused.push("run scripts/setup.sh extra for z3 5".into());
    Err(format!("no second solver, CaDiCaL decides alone: {}", refused.join("; ")))
}

fn candidates() -> Vec<PathBuf> {
    let here = std::env::current_dir().unwrap_or_default();
    let installed = here.ancestors().map(|folder| folder.join("build/tools/z3/bin/z3"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path: Vec<PathBuf> = std::env::split_paths(&path).map(|folder| folder.join("z3")).collect();
    installed.chain(on_path).filter(|program| program.is_file()).collect()
}

fn z3_version(program: &Path) -> Option<(u32, u32)> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    let mut numbers = version.split('.').map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}
