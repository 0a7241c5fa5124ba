//! `weft cosim block`: a block in lockstep with its model.

pub(crate) mod reps;
pub(crate) mod sack_rx;
pub(crate) mod sack_tx;
pub(crate) mod smartt;

use super::repeat;
use crate::blocks::{Of, planted};
use crate::output::{self, say};
use anyhow::Result;
use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};
use std::path::PathBuf;
use weft_blocks::lockstep::Mismatch;
use weft_blocks::session::Finding;
use weft_params::SackParams;

/// A block and how to run it.
pub(crate) type Run = Of<RandomArgs, reps::CaptureArgs>;

/// Flags of every block.
#[derive(Args, Clone)]
#[command(after_help = "\
Events, resets, back-pressure and what registers hold before reset are random and follow from the seed. Every output is
compared on every clock. After a mismatch the last 2,000 clocks are recorded, and the command that repeats it is printed.
The last line is `mismatches: N`; exit code 1 if N is not 0.

Examples, for any block:
  weft cosim block smartt
  weft cosim block sack_tx --connections 16 --cycles 10000000 --seed 7 --json
  weft cosim block sack_rx --plant nack --wave nack.fst        # must fail")]
pub(crate) struct RandomArgs {
    /// Clocks to run.
    #[arg(long, value_name = "CLOCKS", default_value_t = 1_000_000)]
    cycles: u64,
    /// Connections with state in block RAM: 4, 16, 64, 256, 1024 or 4096.
    #[arg(long, value_name = "N", default_value_t = SackParams::default().connections)]
    connections: u32,
    /// Seed of all that is random [default: 1; of a capture, the one that it names].
    #[arg(long)]
    seed: Option<u64>,
    /// Plant a bug in the RTL, to see the run fail.
    #[arg(long, value_name = "BUG")]
    plant: Option<String>,
    /// Write a waveform of the last 2,000 clocks (.fst, else VCD).
    #[arg(long, value_name = "FILE")]
    wave: Option<PathBuf>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

impl RandomArgs {
    /// The seed, unless a capture has its own.
    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// The bug to plant, of those that a block has.
    fn plant<P: Copy>(&self, all: &[(&str, P)]) -> Result<Option<P>> {
        planted(self.plant.as_deref(), all)
    }
}

/// Prints what a run found; the last line is the number of mismatches.
fn report(
    args: &RandomArgs,
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
        output::json(&found)?;
        return Ok(mismatches == 0);
    }
    say!(
        "{top}: {} clocks in lockstep, {events} events, {:.1} million clocks a second",
        report.cycles,
        clocks_per_second / 1e6
    )?;
    output::text(text)?;
    if let Some(mismatch) = &report.mismatch {
        say!("{mismatch}, seed {}\nrepeat: {repeat}", found["seed"])?;
    }
    if wrong_outcomes > 0 {
        say!("{wrong_outcomes} decisions differ from the transaction view\nrepeat: {repeat}")?;
    }
    if let Some(wave) = wave {
        say!("waveform: {}", wave.display())?;
    }
    say!("mismatches: {mismatches}")?;
    Ok(mismatches == 0)
}
