//! `weft cosim`: lockstep runs, on random stimulus or on captures.

pub(crate) mod fabric;
mod flows;
pub(crate) mod incast;
pub(crate) mod nic;
mod reps;
mod sack_rx;
mod sack_tx;
mod smartt;
pub(crate) mod transport;

use crate::args::{CosimArgs, Subject, planted};
use anyhow::{Result, bail};
use serde::Serialize;
use serde_json::{Value, json};
use weft_blocks::lockstep::Mismatch;
use weft_blocks::session::Finding;

/// Runs what was asked for. `false`: the RTL and its model differ.
pub(crate) fn run(args: &CosimArgs) -> Result<bool> {
    if let Some(file) = &args.fabric.fabric {
        return fabric::run(args, file);
    }
    let Some(block) = args.block else {
        return nic::run(args);
    };
    if args.transport.are_given() && block != Subject::Transport {
        bail!("flags of a network and its traffic are for --block transport; weft cosim --help lists them");
    }
    if args.incast.no_trimming && args.incast.scenario.is_none() {
        bail!("--no-trimming is for --scenario, and for --trace of --nic");
    }
    match (block, args.incast.scenario) {
        (Subject::Reps, None) => reps::run(args),
        (Subject::SackRx, None) => sack_rx::run(args),
        (Subject::SackTx, None) => sack_tx::run(args),
        (Subject::Smartt, None) => smartt::run(args),
        (Subject::Transport, None) => transport::run(args),
        (Subject::Smartt, Some(scenario)) => incast::run(args, scenario),
        (_, Some(_)) => bail!("--scenario is for --block smartt and for --nic"),
    }
}

impl CosimArgs {
    /// The bug to plant, of those that a block has.
    fn plant<P: Copy>(&self, all: &[(&str, P)]) -> Result<Option<P>> {
        planted(self.plant.as_deref(), all)
    }
}

/// Prints what a run found; the last line is the number of mismatches.
fn report(
    args: &CosimArgs,
    finding: &Finding<impl Serialize>,
    events: u64,
    wrong_outcomes: usize,
    mut found: Value,
    text: &str,
) -> Result<bool> {
    let Finding { top, report, tally, time, wave } = finding;
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
        "{top}: {} clocks in lockstep, {events} events, {:.1} million clocks a second",
        report.cycles,
        clocks_per_second / 1e6
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
