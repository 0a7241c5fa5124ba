//! `weft mutate`: plants faults in the emitted Verilog, and reports whether the benches find them.

use crate::interrupt;
use crate::output::{say, tell};
use crate::progress::Progress;
use anyhow::{Context, Result, ensure};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;
use weft_bench::{Own, Watch};
use weft_hdl::catalogue::BLOCKS;
use weft_mutate::{
    Against, Campaign, Compared, Fate, Findings, LIST, Settings, UNPROVED, Verdict, WANTED, against,
};
use weft_proof::catalogue::whole;
use weft_proof::hunt::Judgement;
use weft_wire::write_atomically;

/// The name for every block.
const ALL: &str = "all";

/// The faults to plant, and the blocks to plant them in.
#[derive(Args)]
#[command(after_help = "\
A fault is a small change of the emitted Verilog. Kinds: another sign or comparison, a negated condition, another
constant, an assignment that does not happen, an input that is tied or swapped with its neighbour, bits one place off,
another value after reset. All faults of a block go into one build. Each fault is run in lockstep with the model, until a
port differs (killed) or all runs have ended (survives). Faults in the wires of the NIC are also given to the check of its
wiring. The file testbench/mutate/equivalents.toml lists faults that have no visible effect, with reasons; an entry that
matches no fault is an error. Page docs/mutation.md.

Exit code 0: in every block at least 98 % of the faults that are not in that file are killed, 1: fewer, 2: wrong usage or
list.

Examples:
  weft mutate --block reps                                # 100 faults, a table, the survivors
  weft mutate --block all --json mutation.json
  weft mutate --block sender --faults 300 --seed 7
  weft mutate --block sack_tx --only weft_sack_tx_scanner --faults 1000    # every fault of one module
  weft mutate --block smartt --proof           # the same faults against the block's proof: does it refute them?
  weft mutate --block reps --verilog mine      # faults in your modules: does the bench find them there, too?")]
pub(crate) struct MutateArgs {
    /// The block, or `all`.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(names()))]
    block: String,
    /// Faults to plant in a block.
    #[arg(long, value_name = "N", default_value_t = Settings::default().faults)]
    faults: usize,
    /// Seed of the choice of faults.
    #[arg(long, default_value_t = Settings::default().seed)]
    seed: u64,
    /// Plant faults only in this module of the block.
    #[arg(long, value_name = "MODULE")]
    only: Option<String>,
    /// Runs of the bench for each fault, each with its own seed; for whole NICs a quarter of this number. A fault
    /// survives if no run finds it.
    #[arg(long, value_name = "N", default_value_t = Settings::default().runs)]
    runs: u64,
    /// Clocks of a run; a run of whole NICs ends with its messages.
    #[arg(long, value_name = "CLOCKS", default_value_t = Settings::default().cycles)]
    cycles: u64,
    /// Connections of the block: 4, 16, 64, 256, 1024, 4096 or 16384.
    #[arg(long, value_name = "N", default_value_t = Settings::default().connections)]
    connections: u32,
    /// Plant faults only in the modules of this folder, which replace the emitted ones (page
    /// docs/own-verilog.md).
    #[arg(long, value_name = "FOLDER")]
    verilog: Option<PathBuf>,
    /// Judge faults by the proof of the block, and by the bench if the proof does not refute them. The exit
    /// code is 1 if the bench finds a fault with which the proof still succeeds, unless
    /// testbench/mutate/unproved.toml lists the fault. `all`: every block with a proof.
    #[arg(long, conflicts_with = "verilog")]
    proof: bool,
    /// Write the result of every fault to a file, as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn names() -> impl Iterator<Item = &'static str> {
    BLOCKS.iter().map(|block| block.name).chain([ALL])
}

/// A block's findings, and the seconds that they took.
type Row = (Findings, f64);

/// Plants faults and judges them. Returns `false` if the benches find too few.
pub(crate) fn run(args: &MutateArgs) -> Result<bool> {
    ensure!(args.verilog.is_none() || args.block != ALL, "--verilog needs one block: give --block NAME");
    ensure!(args.only.is_none() || args.block != ALL, "--only needs one block: give --block NAME");
    ensure!(
        args.faults > 0 && args.runs > 0 && args.cycles > 0,
        "--faults, --runs and --cycles must be 1 or more"
    );
    interrupt::listen()?;
    if args.proof {
        return by_proof(args);
    }
    let blocks = BLOCKS.iter().filter(|block| [ALL, block.name].contains(&args.block.as_str()));
    let mut rows: Vec<Row> = Vec::new();
    say!(
        "{:<10}{:>9}{:>9}{:>8}{:>12}{:>9}{:>11}{:>9}",
        "block",
        "possible",
        "planted",
        "killed",
        "equivalent",
        "survive",
        "of others",
        "seconds"
    )?;
    for block in blocks {
        let row = judge(block.name, args)?;
        print(&row)?;
        rows.push(row);
        if interrupt::pressed() {
            break;
        }
    }
    let stopped = interrupt::pressed();
    rows.iter().try_for_each(|(findings, _)| details(findings))?;
    if let Some(path) = &args.json {
        write(path, args, &rows, stopped)?;
    }
    if stopped {
        tell("stopped before the end: these are the faults that were judged");
    }
    Ok(!stopped && rows.iter().all(|(findings, _)| findings.is_good()))
}

fn settings(args: &MutateArgs) -> Result<Settings> {
    Ok(Settings {
        faults: args.faults,
        seed: args.seed,
        only: args.only.clone(),
        runs: args.runs,
        cycles: args.cycles,
        connections: args.connections,
        own: args.verilog.as_deref().map(Own::read).transpose()?,
    })
}

/// Judges faults by proofs. Returns `false` if the bench finds a fault that a proof calls proved.
fn by_proof(args: &MutateArgs) -> Result<bool> {
    let known: Vec<&str> = whole().map(|proof| proof.name).collect();
    let mut blocks = known.clone();
    blocks.retain(|name| [ALL, *name].contains(&args.block.as_str()));
    let known = known.join(", ");
    ensure!(!blocks.is_empty(), "{} has no proof as a whole: choose one of {known}", args.block);
    say!(
        "{:<10}{:>9}{:>8}{:>9}{:>9}{:>12}{:>9}{:>10}{:>7}{:>9}",
        "block",
        "possible",
        "faults",
        "refuted",
        "unknown",
        "equivalent",
        "unseen",
        "unproved",
        "holes",
        "seconds"
    )?;
    let mut all = Vec::new();
    for block in blocks {
        let begin = Instant::now();
        let mut progress = Progress::of_faults(args.faults as u64);
        let mut done = 0;
        let found = against(block, settings(args)?, &mut || !interrupt::pressed(), |fault, judgement| {
            done += 1;
            progress.go_on(done);
            tracing::debug!(module = fault.module, fault = fault.text, ?judgement, "judged");
        })?;
        print_compared(&found, begin.elapsed().as_secs_f64())?;
        all.push(found);
        if interrupt::pressed() {
            break;
        }
    }
    if let Some(path) = &args.json {
        let value = json!({ "seed": args.seed, "connections": args.connections, "blocks": all });
        write_atomically(path, |file| {
            serde_json::to_writer_pretty(file, &value).map_err(std::io::Error::from)
        })
        .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(!interrupt::pressed() && all.iter().all(|found| found.count(Against::is_hole) == 0))
}

fn print_compared(found: &Compared, seconds: f64) -> Result<()> {
    let fate = |wanted: fn(&Fate) -> bool| move |it: &Against| it.bench.as_ref().is_some_and(wanted);
    let unknown = |it: &Against| matches!(it.proof, Judgement::Unknown(_));
    say!(
        "{:<10}{:>9}{:>8}{:>9}{:>9}{:>12}{:>9}{:>10}{:>7}{seconds:>9.1}",
        found.block,
        found.possible,
        found.faults.len(),
        found.count(Against::is_refuted),
        found.count(unknown),
        found.count(fate(|fate| matches!(fate, Fate::Equivalent(_)))),
        found.count(fate(|fate| *fate == Fate::Survives)),
        found.count(|it| it.is_found_by_the_bench() && !it.is_hole()),
        found.count(Against::is_hole),
    )?;
    for it in found.faults.iter().filter(|it| !it.is_refuted()) {
        let what = match &it.bench {
            _ if it.is_hole() => "A HOLE, the bench finds it".to_owned(),
            _ if it.is_found_by_the_bench() => format!("listed in {UNPROVED}"),
            Some(Fate::Equivalent(_)) => format!("listed in {LIST}"),
            _ => "the bench does not see it either".to_owned(),
        };
        say!("not refuted: {}  {}: {what}", it.fault.module, it.fault.text)?;
    }
    Ok(())
}

fn judge(block: &str, args: &MutateArgs) -> Result<Row> {
    let begin = Instant::now();
    let settings = settings(args)?;
    let campaign = Campaign::new(block, settings)?;
    let mut progress = Progress::of_faults(campaign.faults() as u64);
    let mut done = 0;
    let judged = |verdict: &Verdict| {
        done += 1;
        progress.go_on(done);
        tracing::debug!(fault = verdict.fault.text, fate = ?verdict.fate, "judged");
    };
    let findings = campaign.run(&mut || !interrupt::pressed(), judged)?;
    Ok((findings, begin.elapsed().as_secs_f64()))
}

/// Number of equivalent faults, including those that were found, and number of surviving faults.
fn counts(findings: &Findings) -> (usize, usize) {
    let equivalent = findings.count(|fate| matches!(fate, Fate::Equivalent(_) | Fate::Refuted(_)));
    (equivalent, findings.count(|fate| matches!(fate, Fate::Survives)))
}

/// Percentage of the faults that can be found that were found.
fn percent(findings: &Findings) -> Option<f64> {
    let (killed, all) = findings.share();
    (all > 0).then(|| 100.0 * killed as f64 / all as f64)
}

fn print((findings, seconds): &Row) -> Result<()> {
    let (equivalent, survive) = counts(findings);
    let percent = percent(findings).map_or_else(|| "-".into(), |percent| format!("{percent:.1} %"));
    say!(
        "{:<10}{:>9}{:>9}{:>8}{equivalent:>12}{survive:>9}{percent:>11}{seconds:>9.1}",
        findings.block,
        findings.possible,
        findings.verdicts.len(),
        findings.share().0
    )
}

/// Prints the findings that a reader must look at.
fn details(findings: &Findings) -> Result<()> {
    let of = |wanted: fn(&Fate) -> bool| findings.verdicts.iter().filter(move |it| wanted(&it.fate));
    for Verdict { fault, .. } in of(|fate| matches!(fate, Fate::Survives)) {
        say!("survives: {}  {}", fault.module, fault.text)?;
    }
    for Verdict { fault, fate } in of(|fate| matches!(fate, Fate::Refuted(_))) {
        let Fate::Refuted(killers) = fate else { continue };
        say!("not equivalent, strike it from {LIST}: {}  {}", fault.module, fault.text)?;
        killers.iter().try_for_each(|killer| say!("    {killer}"))?;
    }
    if !findings.is_good() {
        say!("{}: fewer than {WANTED} % of the faults that can be seen are found", findings.block)?;
    }
    Ok(())
}

fn write(path: &Path, args: &MutateArgs, rows: &[Row], stopped: bool) -> Result<()> {
    let block = |(findings, seconds): &Row| {
        let ((killed, _), (equivalent, survive)) = (findings.share(), counts(findings));
        json!({
            "block": findings.block, "possible": findings.possible, "planted": findings.verdicts.len(),
            "killed": killed, "equivalent": equivalent, "survive": survive, "percent": percent(findings),
            "seconds": seconds, "good": findings.is_good(), "faults": findings.verdicts,
        })
    };
    let blocks: Vec<Value> = rows.iter().map(block).collect();
    let all = json!({
        "seed": args.seed, "runs": args.runs, "cycles": args.cycles, "connections": args.connections,
        "stopped": stopped, "blocks": blocks,
    });
    write_atomically(path, |file| serde_json::to_writer_pretty(file, &all).map_err(std::io::Error::from))
        .with_context(|| format!("cannot write {}", path.display()))
}
