//! `weft cosim block`: a block in lockstep with its model.

pub(crate) mod reps;

use super::repeat;
use crate::blocks::{Of, OfBlocks, exchange, own_modules, planted, plants};
use crate::output::{self, say};
use crate::progress::Progress;
use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};
use std::path::PathBuf;
use weft_bench::hex;
use weft_bench::{Exchange, Finding, Mismatch};
use weft_blocks::catalogue::{self, BENCHES};
use weft_hdl::catalogue::Shape;
use weft_params::SackParams;

/// A block, and options of its run.
pub(crate) type Run = Of<RandomArgs, reps::CaptureArgs>;

/// Flags of every block.
#[derive(Args, Clone)]
#[command(after_help = "\
Events, resets, back-pressure and the contents of registers before reset are random and follow from the seed. The command
compares every output on every clock. After a mismatch it records the last 2,000 clocks, and prints the command that repeats
the mismatch.
The last line is `mismatches: N`; exit code 1 if N is not 0.

Examples, for any block:
  weft cosim block smartt
  weft cosim block sack_tx --connections 16 --cycles 10000000 --seed 7 --json
  weft cosim block sack_rx --plant nack --wave nack.fst        # must fail
  weft cosim block egress --verilog mine       # your modules in place of the emitted ones")]
pub(crate) struct RandomArgs {
    /// Clocks to run.
    #[arg(long, value_name = "CLOCKS", default_value_t = 1_000_000)]
    cycles: u64,
    /// Connections with state in block RAM: 4, 16, 64, 256, 1024, 4096 or 16384.
    #[arg(long, value_name = "N", default_value_t = SackParams::default().connections)]
    connections: u32,
    /// Seed of all random choices [default: 1; for a capture, the seed that the capture names].
    #[arg(long)]
    seed: Option<u64>,
    /// Plant a bug in the RTL, so that the run fails.
    #[arg(long, value_name = "BUG")]
    plant: Option<String>,
    /// Run with the modules in this folder in place of the emitted ones (page docs/own-verilog.md).
    #[arg(long, value_name = "FOLDER", conflicts_with = "plant")]
    verilog: Option<PathBuf>,
    /// Write a waveform of the last 2,000 clocks (FST if FILE ends in .fst, else VCD).
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

    /// The modules that replace a block's own.
    fn exchange(&self, block: &str) -> Result<Option<Exchange>> {
        exchange(planted(self.plant.as_deref(), &plants(block))?, self.verilog.as_deref())
    }
}

impl OfBlocks for RandomArgs {
    fn names() -> Vec<&'static str> {
        BENCHES.iter().map(|bench| bench.name).collect()
    }
}

/// Runs the block. `false`: RTL and model differ.
pub(crate) fn run(run: &Run) -> Result<bool> {
    match &run.reps {
        Some(own) if !own.trace.is_empty() => reps::traces(&run.args, own),
        own => random(run, own.as_ref().map(reps::CaptureArgs::shape).unwrap_or_default()),
    }
}

fn random(run: &Run, shape: Shape) -> Result<bool> {
    let (args, block) = (&run.args, run.block);
    let bench = catalogue::named(block.name).context("a block that is run alone")?;
    let shape = Shape { connections: args.connections, ..shape };
    let exchange = args.exchange(block.name)?;
    let own = match &exchange {
        Some(exchange) => {
            (block.check)(&shape)?;
            own_modules(Some(exchange), &(block.emit)(&shape)?)?
        }
        None => None,
    };
    if let (Some(own), false) = (&own, args.json) {
        say!("{own}")?;
    }
    let random =
        catalogue::Run { shape, seed: args.seed(), cycles: args.cycles, exchange, wave: args.wave.clone() };
    let finding = (bench.run)(&random, &mut Progress::new(args.cycles))?;
    let params: Value =
        block.parameters.iter().map(|it| (it.name.replace('-', "_"), json!(shape.value(it.name)))).collect();
    let found = json!({ "seed": args.seed(), "params": params, "verilog": own });
    report(args, &finding, 0, found, &counts("", &finding.tally))
}

/// Numbers by name, a line each.
fn counts(before: &str, tally: &Value) -> String {
    let line = |(name, value): (&String, &Value)| {
        let name = format!("{before}{}", name.replace('_', " "));
        if value.is_object() { counts(&format!("{name}: "), value) } else { format!("{name}: {value}\n") }
    };
    tally.as_object().into_iter().flatten().map(line).collect()
}

/// Prints the findings of a run; the last line is the number of mismatches.
fn report(
    args: &RandomArgs,
    finding: &Finding<impl Serialize>,
    wrong_outcomes: usize,
    mut found: Value,
    text: &str,
) -> Result<bool> {
    let Finding { top, report, complaint, tally, time, wave } = finding;
    let mismatches =
        usize::from(report.mismatch.is_some()) + usize::from(complaint.is_some()) + wrong_outcomes;
    let repeat = repeat();
    let clocks_per_second = report.cycles as f64 / time.as_secs_f64().max(1e-9);
    if args.json {
        found["cycles"] = json!(report.cycles);
        found["tally"] = json!(tally);
        found["clocks_per_second"] = json!(clocks_per_second);
        found["mismatches"] = json!(mismatches);
        found["wave"] = json!(wave);
        if let Some(Mismatch { cycle, port, model, rtl }) = &report.mismatch {
            found["mismatch"] = json!({ "cycle": cycle, "port": port, "model": hex(model), "rtl": hex(rtl), "repeat": repeat });
        }
        if let Some(complaint) = complaint {
            found["complaint"] = json!(complaint);
        }
        output::json(&found)?;
        return Ok(mismatches == 0);
    }
    say!(
        "{top}: {} clocks in lockstep, {:.1} million clocks a second",
        report.cycles,
        clocks_per_second / 1e6
    )?;
    output::text(text)?;
    if let Some(mismatch) = &report.mismatch {
        say!("{mismatch}, seed {}\nrepeat: {repeat}", found["seed"])?;
    }
    if let Some(complaint) = complaint {
        say!("the oracle: {complaint}\nrepeat: {repeat}")?;
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
