//! Proofs: the code that the proofs of all blocks share.

pub mod alone;
pub mod around;
pub mod async_fifo;
pub mod catalogue;
pub mod context;
pub mod divider;
pub mod egress;
pub mod enables;
pub mod equal;
mod error;
pub mod fifo;
pub mod hangs;
pub mod hunt;
pub mod icrc;
pub mod ingress;
pub mod moves;
pub mod nscc;
pub mod paced;
pub mod part;
pub mod parts;
pub mod ports;
pub mod product;
pub mod ram;
pub mod receiver;
pub mod refute;
pub mod registers;
pub mod reps;
pub mod ring;
pub mod sack_rx;
pub mod sack_tx;
pub mod sender;
pub mod skid;
pub mod slots;
pub mod smartt;
pub mod streams;
pub mod wiring;

pub use error::Error;

use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use weft_hdl::emit::Module;
use weft_symbolic::{
    Design, Hunt, Node, Obligation, Proof, Prover, Reading, SmtSolver, Source, Verdict, Yosys,
};

/// Reads a module of the emitted Verilog with yosys. The names of its free variables begin with `scope`.
/// `top` is the name of a module, or `module.instance` for the instance with its parameters.
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

/// Parameters that direct synthesis of memories and products. They do not change the function.
const OF_TOOLS: [&str; 4] = ["RAM_STYLE", "LARGE_RAM", "FACTOR_BITS", "INIT"];

/// The module and the numeric parameters of the instance `module.instance`.
fn instance<'a>(modules: &'a [Module], path: &str) -> Option<(&'a str, Vec<(&'a str, &'a str)>)> {
    let (module, instance) = path.split_once('.')?;
    let text = &modules.iter().find(|m| m.name == module)?.text;
    let found = alone::instances(modules, text).into_iter().find(|found| found.name == instance)?;
    let is_number = |value: &str| value.parse::<u64>().is_ok();
    let parameters = found.parameters.into_iter().filter(|(_, value)| is_number(value));
    Some((found.module, parameters.collect()))
}

/// Refuses an instance that is proved alone if it does not exist, or if its parameters are not plain numbers.
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

/// The label of a module or instance in the names of claims.
fn label(name: &str) -> String {
    name.strip_prefix("weft_").unwrap_or(name).replace('.', "_")
}

/// The outcome of a claim.
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
    /// The part of the block.
    pub part: String,
    /// The claim.
    pub name: String,
    /// The outcome.
    pub outcome: Outcome,
    /// Total time of the solvers in seconds.
    pub seconds: f64,
    /// The solver that decided.
    pub solver: String,
    /// Differences and their places, for a refuted claim.
    pub details: Vec<String>,
}

/// The claims of a block and their verdicts.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The claims in the order of their decisions.
    pub claims: Vec<Claim>,
    /// Parts that were left out, with the reasons.
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

/// The solvers of a proof: always CaDiCaL, and a second one if it is installed.
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

    /// CaDiCaL alone, with the reason.
    pub fn one(reason: &str) -> Self {
        Self { second: Err(reason.to_owned()), hunt: None }
    }

    /// CaDiCaL alone, for the search for one claim that fails.
    pub fn hunting(hunt: &Rc<Hunt>) -> Self {
        Self { hunt: Some(Rc::clone(hunt)), ..Self::one("a refutation is confirmed by evaluation") }
    }

    /// Whether the search has found a claim that fails.
    pub fn is_over(&self) -> bool {
        self.hunt.as_ref().is_some_and(|hunt| hunt.is_over())
    }

    /// An empty proof with these solvers.
    pub fn proof(&self, prover: Prover) -> Proof {
        let seconds_max = prover.seconds_max;
        let proof = match &self.second {
            Ok((solver, _)) => Proof::new(prover).and_by(SmtSolver { seconds_max, ..solver.clone() }),
            Err(_) => Proof::new(prover),
        };
        match &self.hunt {
            Some(hunt) => proof.in_hunt(Rc::clone(hunt)),
            None => proof,
        }
    }

    /// The reason why there is only one solver.
    pub fn note(&self) -> Option<String> {
        self.second.as_ref().err().cloned()
    }

    /// Converts obligations about `part` to claims of the report.
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

/// The fields of a word, the first one the lowest.
pub fn pack(fields: impl IntoIterator<Item = Node>) -> Node {
    fields.into_iter().reduce(|low, field| field.cat(low)).expect("a word has fields")
}

/// Whether a name is a bit that the Verilog leaves undefined. Such bits have a number as name:
/// `scope.input17`.
pub fn is_undefined_bit(name: &str) -> bool {
    let port = name.rsplit('.').next().unwrap_or_default();
    port.strip_prefix("input").is_some_and(|rest| rest.parse::<u32>().is_ok())
}

/// The oldest z3 that answers in time. Debian's 4.8 takes minutes for claims that 5 decides in less than a
/// second.
const Z3_OLDEST: (u32, u32) = (4, 13);

/// The z3 that `scripts/setup.sh extra` installs, or the one on the search path, with its name and version.
/// The error is the reason why there is no z3.
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
