//! `weft cosim`: lockstep runs, on random stimulus or on captures.

use crate::args::{Block, CosimArgs};
use crate::plot::reps::{Panel, draw};
use crate::progress::Progress;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use weft_cosim::blocks::reps::session::{Finding, Session};
use weft_cosim::lockstep::Mismatch;
use weft_cosim::trace::{Decision, Trace, decisions, write_csv};
use weft_nic::reps::{Event, Kind, Reps};
use weft_params::{RepsCsr, RepsParams};
use weft_wire::write_atomically;

/// Runs what was asked for. `false`: the RTL and its model differ.
pub(crate) fn run(args: &CosimArgs) -> Result<bool> {
    if args.block == Block::Smartt {
        bail!("give --block smartt a --scenario: incast2, incast8 or incast32");
    }
    let outputs = args.out.is_some() || args.decisions.is_some() || args.wave.is_some();
    if args.trace.len() > 1 && outputs {
        bail!("--out, --decisions and --wave are for one trace; give --trace once");
    }
    if args.trace.is_empty() { random(args) } else { traces(args) }
}

fn session(args: &CosimArgs, params: RepsParams, seed: u64) -> Session {
    Session { params, seed, plant: args.plant, wave: args.wave.clone() }
}

fn random(args: &CosimArgs) -> Result<bool> {
    let params = args.shape.reps()?;
    let seed = args.seed.unwrap_or(1);
    let finding = session(args, params, seed).random(args.cycles, &mut Progress::new(args.cycles))?;
    report(args, &finding, 0, json!({ "seed": seed, "params": params }), String::new())
}

/// A capture that was replayed.
struct Replay {
    trace: Trace,
    decisions: Vec<Decision>,
}

fn traces(args: &CosimArgs) -> Result<bool> {
    let mut replays = Vec::new();
    let mut all_well = true;
    for path in &args.trace {
        let (replay, well) = trace(args, path)?;
        replays.push(replay);
        all_well &= well;
    }
    if let Some(path) = &args.plot {
        let panels: Vec<Panel> =
            replays.iter().map(|replay| Panel::new(&replay.trace, &replay.decisions)).collect();
        draw(&panels, path)?;
    }
    Ok(all_well)
}

fn trace(args: &CosimArgs, path: &Path) -> Result<(Replay, bool)> {
    let given = args.seed.map(u32::try_from).transpose().context("a trace's --seed has 32 bits")?;
    let trace = args.reading.open(path, given)?;
    let params = match args.shape.reps()? {
        params if params == RepsParams::default() => trace.provenance().params()?,
        params => params,
    };
    let csr = registers(trace.provenance().csr()?, &args.csr, &params)?;
    let events = trace.events(&mut Reps::new(params, csr))?;
    let plain: Vec<Event> = events.iter().map(|timed| timed.event).collect();
    let session = session(args, params, trace.seed().into());
    let (finding, outcomes) = session.replay(csr, &plain, &mut ())?;
    // The clocked model agreed with the RTL on every clock; here the RTL meets the transaction view.
    let differ = events.iter().zip(&outcomes).filter(|(timed, outcome)| timed.outcome != **outcome).count();
    // A run that ends at a mismatch leaves the rest undecided; that is no further mismatch.
    let lost = if finding.report.mismatch.is_none() { events.len() - outcomes.len() } else { 0 };

    let mut text = String::new();
    let mut found = json!({ "trace": path, "seed": trace.seed(), "params": params, "csr": csr });
    let mut replay = Replay { trace, decisions: Vec::new() };
    if outcomes.len() == events.len() {
        replay.decisions = decisions(&events, &outcomes)?;
        let sends = || replay.decisions.iter().filter(|decision| decision.kind == Kind::Send);
        let same = sends().filter(|decision| decision.ev == decision.recorded_ev).count();
        found["packets"] = json!(sends().count());
        found["packets_as_recorded"] = json!(same);
        text = format!("{} of {} packets with the recorded entropy value\n", same, sends().count());
        if let Some(out) = &args.out {
            replay.trace.save(out, &events, &outcomes)?;
        }
        if let Some(out) = &args.decisions {
            save_decisions(out, &replay.decisions)?;
        }
    }
    let well = report(args, &finding, differ + lost, found, text)?;
    Ok((replay, well))
}

fn save_decisions(path: &Path, decisions: &[Decision]) -> Result<()> {
    let as_json = path.extension().is_some_and(|extension| extension == "json");
    write_atomically(path, |file| {
        if as_json {
            serde_json::to_writer_pretty(&mut *file, decisions)?;
            writeln!(file)
        } else {
            write_csv(file, decisions)
        }
    })
    .with_context(|| format!("cannot write {}", path.display()))
}

/// The registers of a trace with what the command line sets.
fn registers(csr: RepsCsr, settings: &[String], params: &RepsParams) -> Result<RepsCsr> {
    let mut fields = serde_json::to_value(csr)?;
    let known = |fields: &Value| {
        let names: Vec<&str> =
            fields.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        names.join(", ")
    };
    for setting in settings {
        let (name, value) = setting
            .split_once('=')
            .with_context(|| format!("--csr {setting}: write NAME=VALUE, NAME one of {}", known(&fields)))?;
        let Some(field) = fields.get_mut(name) else {
            bail!("--csr {setting}: there is no register {name}; there are {}", known(&fields));
        };
        *field = serde_json::from_str(value).unwrap_or_else(|_| json!(value));
    }
    let csr: RepsCsr = serde_json::from_value(fields).context("--csr")?;
    csr.check(params)?;
    Ok(csr)
}

/// Prints what a run found; the last line is the number of mismatches.
fn report(
    args: &CosimArgs,
    finding: &Finding,
    wrong_outcomes: usize,
    mut found: Value,
    text: String,
) -> Result<bool> {
    let Finding { report, tally, time, wave } = finding;
    let mismatches = usize::from(report.mismatch.is_some()) + wrong_outcomes;
    let repeat = repeat();
    let clocks_per_second = report.cycles as f64 / time.as_secs_f64().max(1e-9);
    if args.json {
        found["cycles"] = json!(report.cycles);
        found["tally"] = json!(tally);
        found["clocks_per_second"] = json!(clocks_per_second);
        found["mismatches"] = json!(mismatches);
        found["wave"] = json!(wave);
        if let Some(Mismatch { cycle, port, model, rtl }) = &report.mismatch {
            found["mismatch"] =
                json!({ "cycle": cycle, "port": port, "model": model, "rtl": rtl, "repeat": repeat });
        }
        println!("{}", serde_json::to_string_pretty(&found)?);
        return Ok(mismatches == 0);
    }
    println!(
        "weft_reps: {} clocks in lockstep, {} events, {:.1} million clocks a second",
        report.cycles,
        tally.events,
        clocks_per_second / 1e6
    );
    println!(
        "packets: {} explored, {} recycled, {} reused while frozen; freezes: {}",
        tally.explored, tally.recycled, tally.reused, tally.freezes
    );
    print!("{text}");
    if let Some(mismatch) = &report.mismatch {
        println!("{mismatch}, seed {}\nrepeat: {repeat}", found["seed"]);
    }
    if wrong_outcomes > 0 {
        println!("{wrong_outcomes} decisions differ from the transaction view\nrepeat: {repeat}");
    }
    if let Some(wave) = wave {
        println!("waveform: {}", wave.display());
    }
    println!("mismatches: {mismatches}");
    Ok(mismatches == 0)
}

/// The command that repeats this run: the one that was given. A seed that is not given is always the same.
pub(crate) fn repeat() -> String {
    let quoted = |word: String| if word.contains(char::is_whitespace) { format!("'{word}'") } else { word };
    let words = std::env::args().skip(1).map(quoted);
    std::iter::once("weft".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}
