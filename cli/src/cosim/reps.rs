//! REPS: random stimulus, or captures.

use super::report;
use crate::args::CosimArgs;
use crate::plot::reps::{Panel, draw};
use crate::progress::Progress;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use weft_blocks::reps::plant::Plant;
use weft_blocks::reps::random::Tally;
use weft_blocks::reps::session::{Finding, Session};
use weft_nic::block::reps::{Event, Kind, Reps};
use weft_params::{RepsCsr, RepsParams};
use weft_system::trace::{Decision, Trace, decisions, write_csv};
use weft_wire::write_atomically;

pub(super) fn run(args: &CosimArgs) -> Result<bool> {
    let outputs = args.out.is_some() || args.decisions.is_some() || args.wave.is_some();
    if args.trace.len() > 1 && outputs {
        bail!("--out, --decisions and --wave are for one trace; give --trace once");
    }
    if args.trace.is_empty() { random(args) } else { traces(args) }
}

fn session(args: &CosimArgs, params: RepsParams, seed: u64) -> Result<Session> {
    Ok(Session { params, seed, plant: args.plant(&Plant::ALL)?, wave: args.wave.clone() })
}

fn random(args: &CosimArgs) -> Result<bool> {
    let params = args.shape.reps()?;
    let seed = args.seed.unwrap_or(1);
    let finding = session(args, params, seed)?.random(args.cycles, &mut Progress::new(args.cycles))?;
    let found = json!({ "seed": seed, "params": params });
    report(args, &finding, finding.tally.events, 0, found, &text(&finding))
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
    let session = session(args, params, trace.seed().into())?;
    let (finding, outcomes) = session.replay(csr, &plain, &mut ())?;
    // The clocked model agreed with the RTL on every clock; here the RTL meets the transaction view.
    let differ = events.iter().zip(&outcomes).filter(|(timed, outcome)| timed.outcome != **outcome).count();
    // A run that ends at a mismatch leaves the rest undecided; that is no further mismatch.
    let lost = if finding.report.mismatch.is_none() { events.len() - outcomes.len() } else { 0 };

    let mut text = text(&finding);
    let mut found = json!({ "trace": path, "seed": trace.seed(), "params": params, "csr": csr });
    let mut replay = Replay { trace, decisions: Vec::new() };
    if outcomes.len() == events.len() {
        replay.decisions = decisions(&events, &outcomes)?;
        let sends = || replay.decisions.iter().filter(|decision| decision.kind == Kind::Send);
        let same = sends().filter(|decision| decision.ev == decision.recorded_ev).count();
        found["packets"] = json!(sends().count());
        found["packets_as_recorded"] = json!(same);
        text += &format!("{} of {} packets with the recorded entropy value\n", same, sends().count());
        if let Some(out) = &args.out {
            replay.trace.save(out, &events, &outcomes)?;
        }
        if let Some(out) = &args.decisions {
            save_decisions(out, &replay.decisions)?;
        }
    }
    let well = report(args, &finding, finding.tally.events, differ + lost, found, &text)?;
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

/// What happened, for people.
fn text(finding: &Finding) -> String {
    let Tally { explored, recycled, reused, freezes, .. } = finding.tally;
    format!(
        "packets: {explored} explored, {recycled} recycled, {reused} reused while frozen; freezes: {freezes}\n"
    )
}
