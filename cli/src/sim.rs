//! `weft sim`: a fabric at scale, with the NIC that is synthesized.

mod events;
mod placed;
mod ranks;

use crate::interrupt;
use crate::output;
use crate::progress::Progress;
use anyhow::{Result, bail};
use clap::Args;
use placed::Placed;
use std::path::PathBuf;
use std::time::Instant;
use weft_bench::Watch;
use weft_fabric::engine::ranks::Ranks;
use weft_fabric::events::Chosen;
use weft_fabric::plan::Plan;
use weft_fabric::report::Report;
use weft_fabric::simulate::Engine;
use weft_sweep::filter::Filter;
use weft_sweep::program;
use weft_sweep::run::write;
use weft_sweep::text;

/// The run, and the file for its result.
#[derive(Args)]
#[command(after_help = "\
The file (TOML) describes network, load balancer, hosts, workload and failures: docs/fabric-engine.md, examples in examples/.
Hosts are the bit-exact NIC, unless [hosts.baseline] selects the hosts of a paper (docs/baselines.md). With --rtl some hosts
are the Verilog. The command then runs the file once more without --rtl (except with --alone), and the first lines say how
the two runs differ.
The command prints when the flows ended, and counts of packets. At the end it checks its counts: each packet that was sent
arrived, was lost for a known cause, or is under way; each byte of a flow was written once. The last line is
`violations: N`; exit code 1 if N is not 0. The same file and seed give the same JSON, with any number of threads.

Examples:
  weft sim examples/permutation.toml
  weft sim examples/permutation.toml --set scheme.name=drill --set workload.bytes=1000000 --seed 7 --json -
  weft sim examples/incast.toml --flows flows.csv
  weft sim examples/incast.toml --events events.jsonl --events-of flow=3
  weft sim examples/permutation.toml --set hosts.clock_ns=1 --rtl host=3
  weft sim examples/flow_list.toml --rtl all
A command that is built with MPI runs one file in several processes: mpirun -n 2 weft sim FILE (docs/clusters.md).")]
pub(crate) struct SimArgs {
    /// File to run.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Set a key of the file, as table.key=value; may be given more than once.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Seed of all random choices [default: as in the file].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// New packets that a host answers with one ACK: hosts.ack_packets [default: as in the file, else 1].
    #[arg(long, value_name = "N")]
    ack_packets: Option<u32>,
    /// Number of threads; the result is the same with any number [default: as in the file, else 1].
    #[arg(long, value_name = "N")]
    threads: Option<u32>,
    /// Write the result as JSON to this file, or with - to standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the table of flows to this file (CSV).
    #[arg(long, value_name = "FILE")]
    flows: Option<PathBuf>,
    /// In tables and distributions use only flows that meet these conditions, such as bytes<100000,rack=3. A condition compares
    /// one of these: a column of the table of flows, source_rack, destination_rack, rack or host; the last two mean either end.
    #[arg(long = "where", value_name = "CONDITIONS")]
    filter: Option<Filter>,
    /// Write links over time to this file (CSV): the links in `[series]` of the setup.
    #[arg(long, value_name = "FILE")]
    series: Option<PathBuf>,
    /// Write to this file (CSV), over time, how many packets of a connection have arrived while an earlier
    /// packet is missing. The bins are those of `[series]` in the setup.
    #[arg(long, value_name = "FILE")]
    early: Option<PathBuf>,
    /// Write the events of connections to this file, one line of JSON each: packets sent, received, trimmed
    /// and lost, ACKs, windows, freezes, flows (docs/events.md).
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// Write only events of connections of these hosts, as host=3 or host=3,5, or between the two hosts of a flow, as
    /// flow=12 (the row of the table of flows, from 0); may be given more than once [default: all].
    #[arg(long, value_name = "CHOICE", value_parser = events::chosen, requires = "events")]
    events_of: Vec<Chosen>,
    /// Run the simple engine, which takes events one by one from a heap. This engine is slow and gives the
    /// same result.
    #[arg(long)]
    oracle: bool,
    /// Run the Verilog under Verilator at these hosts, as host=3, host=3,5 or all; may be given more than once.
    #[arg(long, value_name = "HOSTS", value_parser = placed::hosts)]
    rtl: Vec<placed::Hosts>,
    /// View that runs at the hosts of --rtl [default: rtl].
    #[arg(long, value_enum, requires = "rtl")]
    view: Option<placed::Stand>,
    /// Write the ports of the hosts of --rtl to this folder, both ways, as nic3.pcapng and so on.
    #[arg(long, value_name = "FOLDER", requires = "rtl")]
    capture: Option<PathBuf>,
    /// With --rtl: skip the second run of the file, without the RTL.
    #[arg(long, requires = "rtl")]
    alone: bool,
}

/// Runs the simulation. Returns `false` if the accounting check of packets and bytes fails.
pub(crate) fn run(args: &SimArgs) -> Result<bool> {
    let mut sets = args.sets.clone();
    sets.extend(args.seed.map(|seed| format!("seed={seed}")));
    sets.extend(args.ack_packets.map(|packets| format!("hosts.ack_packets={packets}")));
    sets.extend(args.threads.map(|threads| format!("threads={threads}")));
    let mut plan = Plan::read(&args.file, &sets)?;
    if args.events.is_some() {
        events::note(&mut plan, &args.events_of)?;
    }
    let started = ranks::started();
    if let Some(ranks) = started {
        let is_alone = args.oracle || !args.rtl.is_empty() || args.events.is_some();
        ranks::ensure_possible(&plan, ranks, is_alone, args.threads)?;
    }
    let ranks = started.map(ranks::start).transpose()?;
    let is_first = ranks.as_deref().is_none_or(|ranks| ranks.own() == 0);
    plan.warnings().into_iter().filter(|_| is_first).for_each(output::tell);
    interrupt::listen()?;
    let engine = if args.oracle { Engine::Heap } else { Engine::Windows };
    for (option, is_given) in [("series", args.series.is_some()), ("early", args.early.is_some())] {
        if is_given && plan.setup().series.is_none() {
            bail!("--{option} needs [series] in the file, with every_us and links");
        }
    }
    if args.flows.is_some() && !plan.setup().flow_rows {
        bail!("--flows: there are no rows of flows; set flow_rows = true in the file");
    }
    let begin = Instant::now();
    let (mut report, placed) = if let Some(ranks) = &ranks {
        // Rank 0 has the result, and prints it.
        let Some(report) = watched_in(&plan, &**ranks) else { return Ok(true) };
        (report, None)
    } else if args.rtl.is_empty() {
        (watched(&plan, engine), None)
    } else {
        let (report, placed) = placed::run(
            &plan,
            engine,
            &args.rtl,
            (args.view.unwrap_or_default(), args.alone),
            args.capture.as_deref(),
        )?;
        (report, Some(placed))
    };
    if let Some(filter) = &args.filter {
        filter.keep(&mut report)?;
    }
    if args.json.is_some() {
        report.program = Some(program::digest()?);
    }
    let json = || -> Result<String> {
        let json = match &placed {
            Some(placed) => serde_json::to_string_pretty(&placed.beside(&report))?,
            None => serde_json::to_string_pretty(&report)?,
        };
        Ok(json + "\n")
    };
    let told = || -> Result<String> {
        let own = placed.as_ref().map(Placed::as_text).unwrap_or_default();
        Ok(own + &text::of(&report, begin.elapsed().as_secs_f64())?)
    };
    if let Some(path) = &args.flows {
        write(path, &report.flow_table())?;
    }
    if let Some(path) = &args.series {
        write(path, &report.series_table())?;
    }
    if let Some(path) = &args.early {
        write(path, &report.early_table())?;
    }
    if let Some(path) = &args.events {
        events::write(&report, path)?;
    }
    match &args.json {
        Some(path) if path.as_os_str() == "-" => output::text(&json()?)?,
        Some(path) => {
            write(path, &json()?)?;
            output::text(&told()?)?;
        }
        None => output::text(&told()?)?,
    }
    if report.is_interrupted {
        bail!("stopped before the end");
    }
    Ok(report.violations.is_empty() && placed.is_none_or(|placed| placed.is_well()))
}

/// Runs a plan in all ranks; the first rank shows a progress bar.
fn watched_in(plan: &Plan, ranks: &dyn Ranks) -> Option<Report> {
    let mut progress = (ranks.own() == 0).then(|| Progress::of_flows(plan.ends()));
    plan.run_in(ranks, &mut |so_far| {
        progress.as_mut().is_none_or(|progress| progress.go_on(so_far.finished)) && !interrupt::pressed()
    })
}

/// Runs a plan with a progress bar that counts ends of flows.
fn watched(plan: &Plan, engine: Engine) -> Report {
    let mut progress = Progress::of_flows(plan.ends());
    plan.run(engine, |so_far| progress.go_on(so_far.finished) && !interrupt::pressed())
}
