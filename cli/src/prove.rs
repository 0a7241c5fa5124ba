//! `weft prove`: the proof of a block, claim by claim; and replays of what refutes one.

use crate::args::{Block, ProveArgs, planted};
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use weft_blocks::reps::plant::Plant;
use weft_blocks::{sack_rx, sack_tx, smartt};
use weft_proof::reps::counterexample::{Case, Counterexample};
use weft_proof::reps::mutants::{Fate, Mutant, mutants};
use weft_proof::reps::{SHAPES, prove};
use weft_proof::{Claim, Outcome, Solvers};
use weft_wire::write_atomically;

/// Proves the block, or judges mutants of it. `false`: something is refuted.
pub(crate) fn run(args: &ProveArgs) -> Result<bool> {
    if args.block != Block::Reps && (args.mutants.is_some() || args.out.is_some()) {
        bail!("--mutants and --out are for --block reps");
    }
    let solvers = Solvers::find();
    if let (Some(note), true) = (solvers.note(), args.two_solvers) {
        bail!("{note}");
    }
    if let Some(count) = args.mutants {
        solvers.note().iter().for_each(|note| eprintln!("weft: note: {note}"));
        return judge(args, &solvers, count);
    }
    let start = Instant::now();
    let mut tell = |claims: &[Claim]| {
        if !args.json {
            claims.iter().for_each(print);
        }
    };
    let plant = args.plant.as_deref();
    let (report, found) = match args.block {
        Block::Reps => prove(&solvers, planted(plant, &Plant::ALL)?, &mut tell)?,
        Block::SackRx => {
            let plant = planted(plant, &sack_rx::plant::Plant::ALL)?;
            (weft_proof::sack_rx::prove(&solvers, plant, &mut tell)?, Vec::new())
        }
        Block::SackTx => {
            let plant = planted(plant, &sack_tx::plant::Plant::ALL)?;
            (weft_proof::sack_tx::prove(&solvers, plant, &mut tell)?, Vec::new())
        }
        Block::Smartt => {
            let plant = planted(plant, &smartt::plant::Plant::ALL)?;
            (weft_proof::smartt::prove(&solvers, plant, &mut tell)?, Vec::new())
        }
    };
    let mut files = Vec::new();
    for counterexample in &found {
        let name = match counterexample.case {
            Case::Event(_) => "event",
            Case::Run(_) => "run",
        };
        files.push(write(args.out.as_deref().unwrap_or(Path::new(".")), name, counterexample)?);
    }
    let seconds = start.elapsed().as_secs_f64();
    let proved = report.is_proved();
    if args.json {
        let value = json!({
            "proved": proved, "seconds": seconds, "claims": report.claims, "notes": report.notes,
            "counterexamples": files,
        });
        println!("{}", serde_json::to_string_pretty(&value)?);
        return Ok(proved);
    }
    report.notes.iter().for_each(|note| println!("note: {note}"));
    let failures = report.failures().count();
    let verdict = if proved { "proved".to_owned() } else { format!("{failures} NOT proved") };
    let block = match args.block {
        Block::Reps => "weft_reps",
        Block::SackRx => "weft_sack_rx",
        Block::SackTx => "weft_sack_tx",
        Block::Smartt => "weft_smartt",
    };
    println!("{block}: {} claims, {verdict}, {seconds:.1} s", report.claims.len());
    for file in files {
        println!("counterexample: weft cosim --block reps --replay {}", file.display());
    }
    Ok(proved)
}

fn print(claim: &Claim) {
    let word = match claim.outcome {
        Outcome::Proved => "proved ",
        Outcome::Refuted => "REFUTED",
        Outcome::Unknown => "UNKNOWN",
    };
    println!("{word} {:7.3} s  {}: {} ({})", claim.seconds, claim.part, claim.name, claim.solver);
    for detail in &claim.details {
        println!("          {detail}");
    }
}

fn write(folder: &Path, name: &str, counterexample: &Counterexample) -> Result<PathBuf> {
    let path = folder.join(format!("weft_reps_{name}.json"));
    write_atomically(&path, |file| {
        serde_json::to_writer_pretty(file, counterexample).map_err(std::io::Error::from)
    })
    .with_context(|| format!("cannot write {}: use --out for another folder", path.display()))?;
    Ok(path)
}

fn judge(args: &ProveArgs, solvers: &Solvers, count: u32) -> Result<bool> {
    let found = mutants(solvers, &SHAPES[0], count, args.seed)?;
    if let Some(folder) = &args.out {
        for (i, mutant) in found.iter().enumerate() {
            if let Some(counterexample) = &mutant.counterexample {
                write(folder, &format!("mutant{i}"), counterexample)?;
            }
        }
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&found)?);
    } else {
        for mutant in &found {
            println!("{}  {}", fate(mutant), mutant.command);
        }
        let number = |test: fn(&Fate) -> bool| found.iter().filter(|mutant| test(&mutant.fate)).count();
        println!(
            "{} mutants: {} refuted, {} the same as the core, {} differ where nothing looks, {} unknown",
            found.len(),
            number(|fate| matches!(fate, Fate::Refuted(_))),
            number(|fate| *fate == Fate::Same),
            number(|fate| matches!(fate, Fate::Harmless(_))),
            number(|fate| *fate == Fate::Unknown),
        );
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

/// Shows a counterexample under Verilator. `false`: the Verilog differs from the model.
pub(crate) fn replay(path: &Path, json: bool) -> Result<bool> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let counterexample: Counterexample = serde_json::from_str(&text).with_context(|| {
        format!("{} is no counterexample: use a file that `weft prove` wrote", path.display())
    })?;
    let shown = counterexample.replay()?;
    if json {
        println!("{}", serde_json::to_string_pretty(&shown)?);
        return Ok(shown.differences.is_empty());
    }
    println!("claim: {}", counterexample.claim);
    println!(
        "run:   {} ({} connections, depth {})",
        shown.what, counterexample.params.connections, counterexample.params.depth
    );
    match &counterexample.case {
        Case::Event(event) => {
            println!("word:  {:?}", event.before);
            println!(
                "event: kind {}, ecn {}, rtt {}, now {}, elapsed {}",
                event.kind, event.ecn, event.rtt_ticks, event.now_ticks, event.elapsed
            );
        }
        Case::Run(clocks) => {
            for (i, clock) in clocks.iter().enumerate().filter(|(_, clock)| clock.valid) {
                println!(
                    "clock {i}: kind {}, connection {}, ecn {}, data {:#x}, now {}",
                    clock.user & 7,
                    clock.id,
                    clock.user >> 3 & 1,
                    clock.data,
                    clock.now
                );
            }
        }
    }
    for difference in &shown.differences {
        println!("{difference}");
    }
    if shown.differences.is_empty() {
        println!("the Verilog does what the model does");
    }
    Ok(shown.differences.is_empty())
}
