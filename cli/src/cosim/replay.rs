//! `weft cosim replay`: a counterexample of a proof, under Verilator.

use crate::output::{self, say};
use anyhow::{Context, Result};
use clap::Args;
use std::fs;
use std::path::PathBuf;
use weft_proof::reps::counterexample::{Case, Counterexample};

/// The counterexample to replay.
#[derive(Args)]
#[command(after_help = "\
A refuted claim of `weft prove reps` leaves weft_reps_event.json or weft_reps_run.json. The file contains the Verilog that
was refuted. The command prints the claim, the state and event (or the clocks) that refute it, and the outputs in which RTL
and model differ. Exit code 1 if they differ.

Examples:
  weft prove reps --plant wrap                # leaves a counterexample
  weft cosim replay weft_reps_event.json")]
pub(crate) struct ReplayArgs {
    /// File that `weft prove reps` wrote (JSON).
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Shows a counterexample under Verilator. `false`: the Verilog differs from the model.
pub(super) fn run(args: &ReplayArgs) -> Result<bool> {
    let path = &args.file;
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let counterexample: Counterexample = serde_json::from_str(&text).with_context(|| {
        format!("{} is not a counterexample: use a file that `weft prove` wrote", path.display())
    })?;
    let shown = counterexample.replay()?;
    if args.json {
        output::json(&shown)?;
        return Ok(shown.differences.is_empty());
    }
    say!("claim: {}", counterexample.claim)?;
    say!(
        "run:   {} ({} connections, depth {})",
        shown.what,
        counterexample.params.connections,
        counterexample.params.depth
    )?;
    match &counterexample.case {
        Case::Event(event) => {
            say!("word:  {:?}", event.before)?;
            say!(
                "event: kind {}, ecn {}, rtt {}, now {}, elapsed {}",
                event.kind,
                event.ecn,
                event.rtt_ticks,
                event.now_ticks,
                event.elapsed
            )?;
        }
        Case::Run(clocks) => {
            for (i, clock) in clocks.iter().enumerate().filter(|(_, clock)| clock.valid) {
                say!(
                    "clock {i}: kind {}, connection {}, ecn {}, data {:#x}, now {}",
                    clock.user & 7,
                    clock.id,
                    clock.user >> 3 & 1,
                    clock.data,
                    clock.now
                )?;
            }
        }
    }
    for difference in &shown.differences {
        say!("{difference}")?;
    }
    if shown.differences.is_empty() {
        say!("the Verilog does what the model does")?;
    }
    Ok(shown.differences.is_empty())
}
