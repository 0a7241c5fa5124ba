//! `weft prove`: the proof of a block, claim by claim.

use crate::blocks::{Of, OfBlocks, exchange, own_modules, planted, plants};
use crate::output::{self, say, tell};
use anyhow::{Context, Result, bail, ensure};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use weft_hdl::catalogue::{BLOCKS, Block, Shape};
use weft_params::check_psns;
use weft_proof::catalogue::{Asked, PROOFS, named};
use weft_proof::reps::SHAPES;
use weft_proof::reps::counterexample::{Case, Counterexample};
use weft_proof::reps::mutants::{Fate, Mutant, mutants};
use weft_proof::streams::prove as prove_streams;
use weft_proof::{Claim, Outcome, Solvers, async_fifo, fifo, hangs, parts};
use weft_wire::write_atomically;

/// A block to prove, and options of the proof.
type Proof = Of<ProveArgs, RefuteArgs>;

/// Subjects of a proof.
#[derive(Subcommand)]
enum Kind {
    /// The rules of the blocks' streams, and parts of blocks such as the queue `weft_fifo`.
    Streams(StreamsArgs),
    #[command(flatten)]
    Block(Proof),
}

/// The blocks.
#[derive(Args, Clone)]
#[command(after_help = "\
The command proves these claims for every state and input. A word that a stream offers stays unchanged until it is accepted.
After a clock of reset no stream offers a word. No input of a block changes a valid or ready output in the same clock. Every
response of AXI4-Lite answers a request. The registers accept each report of a block within a bounded time (page
docs/proof/hangs.md). The command also proves the queue `weft_fifo` with 2^3 to 2^11 words, the queue `weft_async_fifo` with
any two clocks, counters, sums, fences and the converters of narrow NICs. Page docs/proof.md.
Exit code 0: all claims are proved, 1: a claim is not proved, 2: a tool is missing.

Examples:
  weft prove streams
  weft prove streams --block reps --block registers
  weft prove streams --block reps --verilog mine --connections 16")]
pub(crate) struct StreamsArgs {
    /// Prove only the streams of this block; the flag may be given more than once [default: all blocks, and
    /// parts].
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(BLOCKS.iter().map(|block| block.name)))]
    block: Vec<String>,
    /// Connections of the blocks: 4, 16, 64, 256, 1024, 4096 or 16384.
    #[arg(long, value_name = "N", default_value_t = 4)]
    connections: u32,
    /// Prove with the modules in this folder in place of the emitted ones (page docs/own-verilog.md).
    #[arg(long, value_name = "FOLDER", requires = "block")]
    verilog: Option<PathBuf>,
    /// Fail if a second solver is missing, instead of continuing with one solver.
    #[arg(long)]
    two_solvers: bool,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Proves the streams. Returns `false` if a claim is refuted.
fn streams(args: &StreamsArgs) -> Result<bool> {
    let solvers = Solvers::find();
    if let (Some(note), true) = (solvers.note(), args.two_solvers) {
        bail!("{note}");
    }
    let begin = Instant::now();
    let is_asked = |block: &&Block| args.block.is_empty() || args.block.iter().any(|name| name == block.name);
    let blocks: Vec<&Block> = BLOCKS.iter().filter(is_asked).collect();
    let exchange = exchange(None, args.verilog.as_deref())?;
    let shape = Shape::of(args.connections);
    blocks.iter().try_for_each(|block| (block.check)(&shape))?;
    let mut printed = Ok(());
    let mut claimed = |claims: &[Claim]| {
        if !args.json && printed.is_ok() {
            printed = claims.iter().try_for_each(print);
        }
    };
    let mut report = prove_streams(&solvers, &blocks, &shape, exchange.as_ref(), &mut claimed)?;
    if args.block.is_empty() {
        report.claims.extend(fifo::all(&solvers, &mut claimed)?);
        report.claims.extend(async_fifo::all(&solvers, &mut claimed)?);
        report.claims.extend(parts::all(&solvers, &mut claimed)?);
        report.claims.extend(hangs::all(&solvers, &mut claimed)?);
    }
    printed?;
    let (seconds, proved) = (begin.elapsed().as_secs_f64(), report.is_proved());
    if args.json {
        output::json(&json!({
            "proved": proved, "seconds": seconds, "claims": report.claims, "notes": report.notes,
        }))?;
        return Ok(proved);
    }
    report.notes.iter().try_for_each(|note| say!("note: {note}"))?;
    let failures = report.failures().count();
    let verdict = if proved { "proved".to_owned() } else { format!("{failures} NOT proved") };
    say!("streams: {} claims, {verdict}, {seconds:.1} s", report.claims.len())?;
    Ok(proved)
}

/// A proof, or the list of proofs.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Proofs {
    /// Print the names of the blocks that have proofs, one per line.
    #[arg(long, exclusive = true)]
    list: bool,
    #[command(subcommand)]
    proof: Option<Kind>,
}

/// Flags of every block.
#[derive(Args, Clone)]
#[command(after_help = "\
The command prints each claim with its verdict (proved, REFUTED, UNKNOWN), the seconds it took and the solver that decided
it. A counterexample follows each refuted claim. Exit code 0: all claims are proved, 1: a claim is not proved, 2: a tool is
missing, or your modules cannot be used.

Examples, for any block:
  weft prove smartt
  weft prove sack_rx --two-solvers --json
  weft prove sack_tx --plant backoff           # must fail
  weft prove sack_rx --psns 512                # with the larger windows
  weft prove smartt --verilog mine --connections 16    # your modules in place of the emitted ones, one shape")]
pub(crate) struct ProveArgs {
    /// Plant a bug in the RTL, so that the proof fails.
    #[arg(long, value_name = "BUG")]
    plant: Option<String>,
    /// Prove with the modules in this folder in place of the emitted ones (page docs/own-verilog.md), only in
    /// the shape that the flags select.
    #[arg(long, value_name = "FOLDER", conflicts_with = "plant")]
    verilog: Option<PathBuf>,
    /// Connections of your Verilog: 4, 16, 64, 256, 1024, 4096 or 16384 [default: 256].
    #[arg(long, value_name = "N", requires = "verilog")]
    connections: Option<u32>,
    /// PSNs of a connection's window: 256, 512 or 1024 [default: 256].
    #[arg(long, value_name = "PSNS")]
    psns: Option<u32>,
    /// Fail if a second solver is missing, instead of continuing with one solver.
    #[arg(long)]
    two_solvers: bool,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Flags for REPS alone: counterexamples and mutants.
#[derive(Args, Clone)]
#[command(after_help = "\
The command prints each claim with its verdict (proved, REFUTED, UNKNOWN), the seconds it took and the solver that decided
it. A counterexample follows each refuted claim, and is also written to a file that `weft cosim replay` shows under
Verilator. Exit code 0: all claims are proved, 1: a claim is not proved, 2: a tool is missing.

Examples:
  weft prove reps --two-solvers
  weft prove reps --plant wrap                 # must fail; leaves weft_reps_event.json
  weft prove reps --mutants 200                # small changes of the core, each refuted or shown to be the same")]
pub(crate) struct RefuteArgs {
    /// Folder for the counterexamples weft_reps_event.json and weft_reps_run.json [default: the current
    /// folder]. With --mutants the command writes weft_reps_mutant0.json and so on, only if this flag is given.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Instead of the proof, make this many mutants (small changes) of REPS' core module, and show for each
    /// mutant that the proof refutes it or that it equals the core.
    #[arg(long, value_name = "N", conflicts_with_all = ["plant", "verilog"])]
    mutants: Option<u32>,
    /// Entropy values per connection in your Verilog: 4, 8 or 16 [default: 8].
    #[arg(long, value_name = "ENTRIES", requires = "verilog")]
    depth: Option<u32>,
    /// Bits of an entropy value in your Verilog: 8, 12 or 16 [default: 16].
    #[arg(long, value_name = "BITS", requires = "verilog")]
    ev_width: Option<u32>,
    /// Seed of the choice of mutants.
    #[arg(long, default_value_t = 7, requires = "mutants")]
    seed: u32,
}

impl OfBlocks for ProveArgs {
    fn names() -> Vec<&'static str> {
        PROOFS.iter().map(|proof| proof.name).collect()
    }
}

impl Proof {
    /// The subject of the proof: the emitted Verilog in all shapes, or one shape with modules of the user.
    fn asked(&self) -> Result<Asked> {
        let args = &self.args;
        let plant = planted(args.plant.as_deref(), &plants(self.block.name))?;
        let exchange = exchange(plant, args.verilog.as_deref())?;
        let usual = Shape::default();
        let psns = args.psns.unwrap_or(usual.psns);
        let (depth, ev_width) = self.reps.as_ref().map_or((None, None), |own| (own.depth, own.ev_width));
        let shape = args.verilog.as_ref().map(|_| Shape {
            connections: args.connections.unwrap_or(usual.connections),
            depth: depth.unwrap_or(usual.depth),
            ev_width: ev_width.unwrap_or(usual.ev_width),
            psns,
            ..usual
        });
        if args.psns.is_some() {
            check_psns(psns)?;
            let owners: Vec<_> = PROOFS.iter().filter(|it| it.has_psns).map(|it| it.name).collect();
            let is_owner = owners.contains(&self.block.name);
            ensure!(is_owner, "--psns is a flag of `weft prove {}`", owners.join("`, `weft prove "));
        }
        Ok(Asked { shape, psns, exchange })
    }

    /// The folder for counterexamples, if one was given.
    fn out(&self) -> Option<&Path> {
        self.reps.as_ref()?.out.as_deref()
    }
}

/// Proves the block, or judges mutants of it. Returns `false` if a claim is refuted.
pub(crate) fn run(proofs: &Proofs) -> Result<bool> {
    if proofs.list {
        ProveArgs::names().iter().chain(&["streams"]).try_for_each(|name| say!("{name}"))?;
        return Ok(true);
    }
    let proof = match proofs.proof.as_ref().context("which block?")? {
        Kind::Streams(args) => return streams(args),
        Kind::Block(proof) => proof,
    };
    let args = &proof.args;
    let solvers = Solvers::find();
    if let (Some(note), true) = (solvers.note(), args.two_solvers) {
        bail!("{note}");
    }
    if let Some(own) = &proof.reps
        && let Some(count) = own.mutants
    {
        solvers.note().iter().for_each(|note| tell(format_args!("note: {note}")));
        return judge(proof, &solvers, count, own.seed);
    }
    let asked = proof.asked()?;
    let shape = asked.shape.unwrap_or_default();
    (proof.block.check)(&shape)?;
    let own = match &asked.exchange {
        Some(exchange) => own_modules(Some(exchange), &(proof.block.emit)(&shape)?)?,
        None => None,
    };
    if let (Some(own), false) = (&own, args.json) {
        say!("{own}")?;
    }
    let start = Instant::now();
    let mut printed = Ok(());
    let mut files = Vec::new();
    let mut claimed = |claims: &[Claim]| {
        if !args.json && printed.is_ok() {
            printed = claims.iter().try_for_each(print);
        }
    };
    let row = named(proof.block.name).context("a block that is proved")?;
    let (report, found) = row.run(&solvers, &asked, &mut claimed)?;
    for counterexample in &found {
        let name = match counterexample.case {
            Case::Event(_) => "event",
            Case::Run(_) => "run",
        };
        files.push(write(proof.out().unwrap_or(Path::new(".")), name, counterexample)?);
    }
    printed?;
    let seconds = start.elapsed().as_secs_f64();
    let proved = report.is_proved();
    if args.json {
        let value = json!({
            "proved": proved, "seconds": seconds, "claims": report.claims, "notes": report.notes,
            "counterexamples": files, "verilog": own,
        });
        output::json(&value)?;
        return Ok(proved);
    }
    for note in &report.notes {
        say!("note: {note}")?;
    }
    let failures = report.failures().count();
    let verdict = if proved { "proved".to_owned() } else { format!("{failures} NOT proved") };
    say!("{}: {} claims, {verdict}, {seconds:.1} s", proof.block.top, report.claims.len())?;
    for file in files {
        say!("counterexample: weft cosim replay {}", file.display())?;
    }
    Ok(proved)
}

fn print(claim: &Claim) -> Result<()> {
    let word = match claim.outcome {
        Outcome::Proved => "proved ",
        Outcome::Refuted => "REFUTED",
        Outcome::Unknown => "UNKNOWN",
    };
    say!("{word} {:7.3} s  {}: {} ({})", claim.seconds, claim.part, claim.name, claim.solver)?;
    for detail in &claim.details {
        say!("          {detail}")?;
    }
    Ok(())
}

fn write(folder: &Path, name: &str, counterexample: &Counterexample) -> Result<PathBuf> {
    let path = folder.join(format!("weft_reps_{name}.json"));
    write_atomically(&path, |file| {
        serde_json::to_writer_pretty(file, counterexample).map_err(std::io::Error::from)
    })
    .with_context(|| format!("cannot write {}: use --out for another folder", path.display()))?;
    Ok(path)
}

fn judge(proof: &Proof, solvers: &Solvers, count: u32, seed: u32) -> Result<bool> {
    let found = mutants(solvers, &SHAPES[0], count, seed)?;
    if let Some(folder) = proof.out() {
        for (i, mutant) in found.iter().enumerate() {
            if let Some(counterexample) = &mutant.counterexample {
                write(folder, &format!("mutant{i}"), counterexample)?;
            }
        }
    }
    if proof.args.json {
        output::json(&found)?;
    } else {
        for mutant in &found {
            say!("{}  {}", fate(mutant), mutant.command)?;
        }
        let number = |test: fn(&Fate) -> bool| found.iter().filter(|mutant| test(&mutant.fate)).count();
        say!(
            "{} mutants: {} refuted, {} the same as the core, {} differ where nothing looks, {} unknown",
            found.len(),
            number(|fate| matches!(fate, Fate::Refuted(_))),
            number(|fate| *fate == Fate::Same),
            number(|fate| matches!(fate, Fate::Harmless(_))),
            number(|fate| *fate == Fate::Unknown),
        )?;
    }
    Ok(found.iter().all(|mutant| mutant.fate != Fate::Unknown))
}

fn fate(mutant: &Mutant) -> String {
    match &mutant.fate {
        Fate::Refuted(claim) => format!("refuted by `{claim}`"),
        Fate::Same => "the same".into(),
        Fate::Harmless(outputs) => format!("harmless in {}", outputs.join(", ")),
        Fate::Unknown => "UNKNOWN".into(),
    }
}
