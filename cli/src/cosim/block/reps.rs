//! REPS: random stimulus, or captures.

use super::{RandomArgs, report};
use crate::plot::reps::{Panel, draw};
use crate::trace::Reading;
use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use weft_bench::{Finding, Session};
use weft_blocks::reps::driver::Tally;
use weft_blocks::reps::replay::replay;
use weft_hdl::catalogue::Shape;
use weft_nic::block::reps::{Event, Kind, Reps};
use weft_params::{RepsCsr, RepsParams};
use weft_system::trace::{Decision, Trace, decisions, write_csv};
use weft_wire::write_atomically;

/// Flags of REPS alone: its shape, and captures in place of random events.
#[derive(Args, Clone)]
#[command(after_help = "\
Events are random and follow from the seed, or come from a capture of RoCEv2 traffic: packets that a NIC sent, and the ACKs
for them. The command compares every output on every clock. After a mismatch it records the last 2,000 clocks, and prints
the command that repeats the mismatch. The last line is `mismatches: N`; exit code 1 if N is not 0.

Examples:
  weft cosim block reps --cycles 10000000 --seed 7
  weft cosim block reps --trace capture.pcapng --out sent.pcapng   # the traffic as the NIC would have sent it
  weft cosim block reps --trace capture.pcapng --csr mode=ops --plot ops.svg
  weft cosim block reps --plant wrap                               # must fail
  weft cosim block reps --verilog mine         # your modules in place of the emitted ones")]
pub(crate) struct CaptureArgs {
    /// Entropy values cached per connection: 4, 8 or 16.
    #[arg(long, value_name = "ENTRIES", default_value_t = RepsParams::default().depth)]
    depth: u32,
    /// Bits of an entropy value: 8, 12 or 16.
    #[arg(long, value_name = "BITS", default_value_t = RepsParams::default().ev_width)]
    ev_width: u32,
    /// Replay this capture (pcap or pcapng) in place of random events. Give the flag again to replay several
    /// captures, one after the other.
    #[arg(long, value_name = "FILE", conflicts_with = "cycles", help_heading = CAPTURES)]
    pub(super) trace: Vec<PathBuf>,
    /// Set a register of the block, for example mode=ops or evs_size=256; the flag may be given more than once.
    /// All other registers have the values that the capture names, or else their defaults.
    #[arg(long, value_name = "NAME=VALUE", requires = "trace", help_heading = CAPTURES)]
    csr: Vec<String>,
    /// Write the capture with the entropy values that the RTL chose (pcapng).
    #[arg(long, value_name = "FILE", requires = "trace", help_heading = CAPTURES)]
    out: Option<PathBuf>,
    /// Write every decision, as JSON if the file ends in .json, else as CSV.
    #[arg(long, value_name = "FILE", requires = "trace", help_heading = CAPTURES)]
    decisions: Option<PathBuf>,
    /// Draw the run (SVG; PNG if FILE ends in .png).
    #[arg(long, value_name = "FILE", requires = "trace", help_heading = CAPTURES)]
    plot: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

const CAPTURES: &str = "Captures";

impl CaptureArgs {
    /// The parameters that only REPS has.
    pub(super) fn shape(&self) -> Shape {
        Shape { depth: self.depth, ev_width: self.ev_width, ..Shape::default() }
    }
}

/// A capture that was replayed.
struct Replay {
    trace: Trace,
    decisions: Vec<Decision>,
}

/// Replays the captures. `false`: RTL and model differ.
pub(super) fn traces(args: &RandomArgs, own: &CaptureArgs) -> Result<bool> {
    let params = Shape { connections: args.connections, ..own.shape() }.reps();
    params.check()?;
    let outputs = own.out.is_some() || own.decisions.is_some() || args.wave.is_some();
    ensure!(
        own.trace.len() == 1 || !outputs,
        "--out, --decisions and --wave are for one trace; give --trace once"
    );
    let mut replays = Vec::new();
    let mut all_well = true;
    for path in &own.trace {
        let (replay, well) = trace(args, own, params, path)?;
        replays.push(replay);
        all_well &= well;
    }
    if let Some(path) = &own.plot {
        let panels: Vec<Panel> =
            replays.iter().map(|replay| Panel::new(&replay.trace, &replay.decisions)).collect();
        draw(&panels, path)?;
    }
    Ok(all_well)
}

fn trace(args: &RandomArgs, own: &CaptureArgs, params: RepsParams, path: &Path) -> Result<(Replay, bool)> {
    let given = args
        .seed
        .map(u32::try_from)
        .transpose()
        .context("--seed: the seed of a trace has 32 bits; use 0 to 4294967295")?;
    let trace = own.reading.open(path, given)?;
    let params = match params {
        params if params == RepsParams::default() => trace.provenance().params()?,
        params => params,
    };
    let csr = registers(trace.provenance().csr()?, &own.csr, &params)?;
    let events = trace.events(&mut Reps::new(params, csr))?;
    let plain: Vec<Event> = events.iter().map(|timed| timed.event).collect();
    let (exchange, wave) = (args.exchange("reps")?, args.wave.clone());
    let session = Session { exchange, wave, ..Session::new(params, trace.seed().into()) };
    let (finding, outcomes) = replay(&session, csr, &plain, &mut ())?;
    // The clocked model agreed with the RTL on every clock; here the RTL meets the transaction view.
    let differ = events.iter().zip(&outcomes).filter(|(timed, outcome)| timed.outcome != **outcome).count();
    // A run that ends at a mismatch leaves the rest undecided; that is no further mismatch.
    let lost = if finding.report.mismatch.is_none() { events.len() - outcomes.len() } else { 0 };

    let mut text = text(&finding);
    let mut found = json!({ "trace": path, "seed": trace.seed(), "params": params, "csr": csr });
    let mut replayed = Replay { trace, decisions: Vec::new() };
    if outcomes.len() == events.len() {
        replayed.decisions = decisions(&events, &outcomes)?;
        let sends = || replayed.decisions.iter().filter(|decision| decision.kind == Kind::Send);
        let same = sends().filter(|decision| decision.ev == decision.recorded_ev).count();
        found["packets"] = json!(sends().count());
        found["packets_as_recorded"] = json!(same);
        text += &format!("{} of {} packets with the recorded entropy value\n", same, sends().count());
        if let Some(out) = &own.out {
            replayed.trace.save(out, &events, &outcomes)?;
        }
        if let Some(out) = &own.decisions {
            save_decisions(out, &replayed.decisions)?;
        }
    }
    let well = report(args, &finding, differ + lost, found, &text)?;
    Ok((replayed, well))
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

/// The registers of a trace, with the changes of the command line.
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
            anyhow::bail!("--csr {setting}: there is no register {name}; there are {}", known(&fields));
        };
        *field = serde_json::from_str(value).unwrap_or_else(|_| json!(value));
    }
    let csr: RepsCsr = serde_json::from_value(fields).context("--csr")?;
    csr.check(params)?;
    Ok(csr)
}

/// The events of the run as text.
fn text(finding: &Finding<Tally>) -> String {
    let Tally { events, explored, recycled, reused, freezes, .. } = finding.tally;
    format!(
        "events: {events}; packets: {explored} explored, {recycled} recycled, {reused} reused while frozen; freezes: {freezes}\n"
    )
}
