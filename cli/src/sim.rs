//! `weft sim`: a fabric at scale, with the NIC that is synthesized.

mod placed;

use crate::filter::Filter;
use crate::interrupt;
use crate::output;
use crate::program;
use crate::progress::Progress;
use anyhow::{Context, Result, bail};
use clap::Args;
use placed::Placed;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use weft_bench::Watch;
use weft_fabric::plan::Plan;
use weft_fabric::report::{PortFigures, Report, Spread, Summary};
use weft_fabric::schedule::ScheduleFigures;
use weft_fabric::simulate::Engine;
use weft_fabric::tally::Distribution;
use weft_wire::write_atomically;

/// Which run, and where its result goes.
#[derive(Args)]
#[command(after_help = "\
The file (TOML) says network, load balancer, hosts, workload and failures: docs/fabric-engine.md, examples in examples/.
Hosts are the bit-exact NIC, unless [hosts.baseline] puts one of the papers' there (docs/baselines.md). --rtl puts the
Verilog at some of them, and runs the file once more without --rtl (except with --alone): the first lines say how the
two differ. Printed: when the flows ended, and the counts of packets. At the end the books are checked: each packet that
was sent came, ended with a cause, or is under way; each byte of a flow came once. The last line is `violations: N`;
exit code 1 if N is not 0. The same file and seed give the same JSON, with any number of threads.

Examples:
  weft sim examples/permutation.toml
  weft sim examples/permutation.toml --set scheme.name=drill --set workload.bytes=1000000 --seed 7 --json -
  weft sim examples/incast.toml --flows flows.csv
  weft sim examples/permutation.toml --set hosts.clock_ns=1 --rtl host=3")]
pub(crate) struct SimArgs {
    /// File to run.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Sets a key of the file, as table.key=value; may be given more than once.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Seed of all random choices [default: as in the file].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Packets that make an ACK: hosts.ack_packets [default: as in the file, else 1].
    #[arg(long, value_name = "N")]
    ack_packets: Option<u32>,
    /// Threads; the result is the same with any number [default: as in the file, else 1].
    #[arg(long, value_name = "N")]
    threads: Option<u32>,
    /// Write the result as JSON to this file, or with - to standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the table of flows to this file (CSV).
    #[arg(long, value_name = "FILE")]
    flows: Option<PathBuf>,
    /// Only flows that meet these conditions are in tables and distributions, as bytes<100000,rack=3: columns of the table of
    /// flows, source_rack, destination_rack, rack and host (either end).
    #[arg(long = "where", value_name = "CONDITIONS")]
    filter: Option<Filter>,
    /// Write links over time to this file (CSV): those of `[series]` in the file.
    #[arg(long, value_name = "FILE")]
    series: Option<PathBuf>,
    /// Write packets ahead of a missing one over time to this file (CSV), in the bins of `[series]` in the file.
    #[arg(long, value_name = "FILE")]
    early: Option<PathBuf>,
    /// Run event by event from a heap: slow, the same result.
    #[arg(long)]
    oracle: bool,
    /// Run the Verilog under Verilator at these hosts, as host=3 or host=3,5; may be given more than once.
    #[arg(long, value_name = "host=N", value_parser = placed::hosts)]
    rtl: Vec<placed::Hosts>,
    /// View that --rtl puts there [default: rtl].
    #[arg(long, value_enum, requires = "rtl")]
    view: Option<placed::Stand>,
    /// With --rtl: skip the second run of the file, without it.
    #[arg(long, requires = "rtl")]
    alone: bool,
}

/// Runs it. `false`: the books do not balance.
pub(crate) fn run(args: &SimArgs) -> Result<bool> {
    let mut sets = args.sets.clone();
    sets.extend(args.seed.map(|seed| format!("seed={seed}")));
    sets.extend(args.ack_packets.map(|packets| format!("hosts.ack_packets={packets}")));
    sets.extend(args.threads.map(|threads| format!("threads={threads}")));
    let plan = Plan::read(&args.file, &sets)?;
    plan.warnings().into_iter().for_each(output::tell);
    interrupt::listen()?;
    let engine = if args.oracle { Engine::Heap } else { Engine::Windows };
    for (option, is_given) in [("series", args.series.is_some()), ("early", args.early.is_some())] {
        if is_given && plan.setup().series.is_none() {
            bail!("--{option}: the file has no [series]; give it every_us and links");
        }
    }
    let begin = Instant::now();
    let (mut report, placed) = if args.rtl.is_empty() {
        (watched(&plan, engine), None)
    } else {
        let (report, placed) =
            placed::run(&plan, engine, &args.rtl, (args.view.unwrap_or_default(), args.alone))?;
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
    let text = || -> Result<String> {
        let own = placed.as_ref().map(Placed::as_text).unwrap_or_default();
        Ok(own + &as_text(&report, begin.elapsed().as_secs_f64())?)
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
    match &args.json {
        Some(path) if path.as_os_str() == "-" => output::text(&json()?)?,
        Some(path) => {
            write(path, &json()?)?;
            output::text(&text()?)?;
        }
        None => output::text(&text()?)?,
    }
    if report.is_interrupted {
        bail!("stopped before the end");
    }
    Ok(report.violations.is_empty() && placed.is_none_or(|placed| placed.is_well()))
}

/// Runs a plan with a bar of the ends of its flows.
fn watched(plan: &Plan, engine: Engine) -> Report {
    let mut progress = Progress::of_flows(plan.ends());
    plan.run(engine, |so_far| progress.go_on(so_far.finished) && !interrupt::pressed())
}

pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    write_atomically(path, |file| std::io::Write::write_all(file, text.as_bytes()))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// A line about a distribution counted during the run, in units of so many; `None` if it is empty.
fn counted(name: &str, it: &Distribution, unit: f64, digits: usize) -> String {
    let figures =
        [("mean", it.mean), ("median", it.p50), ("90 %", it.p90), ("99 %", it.p99), ("most", it.most)];
    let figures = figures.map(|(name, value)| Some(format!("{name} {:.digits$}", value? / unit)));
    let figures: Option<Vec<String>> = figures.into_iter().collect();
    figures.map(|figures| format!("{name}: {}\n", figures.join(", "))).unwrap_or_default()
}

fn as_text(report: &Report, seconds: f64) -> Result<String> {
    let Report { summary, setup, .. } = report;
    let mut text = format!(
        "{} hosts, {} switches ({}), {} flows: {} packet-hops ({} without the hosts' queues), {seconds:.1} s, {:.2} million a \
         second ({:.2})\n",
        summary.hosts,
        summary.switches,
        setup.scheme_name(),
        summary.flows,
        summary.packet_hops,
        summary.switch_hops,
        summary.packet_hops as f64 / seconds.max(1e-9) / 1e6,
        summary.switch_hops as f64 / seconds.max(1e-9) / 1e6,
    );
    let Summary { fct_us, slowdown, losses, .. } = summary;
    let ended = if summary.finished == 0 { "none".to_owned() } else { summary.finished.to_string() };
    write!(text, "{ended} of {} flows ended", summary.flows)?;
    if let Some(finish) = summary.finish_us {
        write!(text, ", the last after {finish:.3} us")?;
    }
    if let Some(goodput) = summary.goodput_gbps {
        write!(text, ", {goodput:.1} Gb/s in all")?;
    }
    text += "\n";
    if let Some(ScheduleFigures { operations, ended, last_us }) = summary.schedule {
        let last = last_us.map_or(String::new(), |us| format!(", the last after {us:.3} us"));
        writeln!(text, "{ended} of {operations} operations of the schedule ended{last}")?;
    }
    let line = |name: &str, spread: &Spread| {
        let Spread { count, of, mean, least, p50, p99, most } = spread;
        let part = if count < of { format!(", {count} of {of} flows") } else { String::new() };
        let figures = [("mean", mean), ("least", least), ("median", p50), ("99 %", p99), ("most", most)];
        let figures = figures.map(|(name, value)| value.map(|value| format!("{name} {value:.3}")));
        let figures: Option<Vec<String>> = figures.into_iter().collect();
        format!("{name}{part}: {}\n", figures.map_or("-".to_owned(), |figures| figures.join(", ")))
    };
    text += &line("completion time in us", fct_us);
    text += &line("slowdown", slowdown);
    text += &line("slowdown until the sender knew", &summary.sender_slowdown);
    if summary.warmup_flows > 0 {
        writeln!(text, "left out: {} flows of the warm-up", summary.warmup_flows)?;
    }
    text += &counted("round-trip time in us", &summary.rtt_us, 1.0, 3);
    text += &counted("packets of a connection ahead of a missing one", &summary.early, 1.0, 2);
    text += &counted("kB in the reorder queues of a port", &summary.reorder_bytes, 1e3, 1);
    if let Some(share) = summary.control_share {
        writeln!(text, "ACKs, NACKs and probes: {:.2} % of all bytes", 100.0 * share)?;
    }
    let has_errors = report.faults.iter().any(|fault| fault.ber.is_some());
    let corrupt = if has_errors { format!(" {} bit errors,", losses.corrupt) } else { String::new() };
    writeln!(
        text,
        "packets: {} sent, {} received, {} sent again, {} trimmed, {} marked; lost: {} data queue, {} control queue, \
         {} cut links,{corrupt} {} no way; {} under way",
        summary.sent,
        summary.received,
        summary.again,
        summary.trims,
        summary.marks,
        losses.data_queue,
        losses.control_queue,
        losses.link,
        losses.no_way,
        summary.waiting + summary.on_links,
    )?;
    if let Some(buffer) = &summary.buffer {
        writeln!(
            text,
            "shared buffers: {} packets lost, {} PFC frames sent, {} received, {:.1} kB at most in use",
            losses.buffer,
            buffer.pauses_sent,
            buffer.pauses_received,
            buffer.peak_bytes as f64 / 1e3
        )?;
    }
    for figures in &report.ports {
        let PortFigures { kind, ports, bytes: [least, mean, most], imbalance, peak_bytes, .. } = figures;
        let Distribution { mean: waited, p99, .. } = figures.queue_bytes;
        let kb = |bytes: f64| bytes / 1e3;
        let of_switch = imbalance.map(|it| format!(", imbalance at a switch {it:.3}")).unwrap_or_default();
        let found = waited.zip(p99).map(|(mean, p99)| {
            format!(", packets find {:.1} kB, 99 % of them at most {:.1} kB", kb(mean), kb(p99))
        });
        writeln!(
            text,
            "{kind}: {ports} ports, {:.0} / {:.0} / {:.0} kB (least, mean, most){of_switch}, longest queue {:.1} kB{}",
            kb(*least),
            kb(*mean),
            kb(*most),
            kb(f64::from(*peak_bytes)),
            found.unwrap_or_default()
        )?;
    }
    if !report.switch_counters.is_empty() {
        let counts = report.switch_counters.iter().map(|(name, count)| format!("{name} {count}"));
        writeln!(text, "switches: {}", counts.collect::<Vec<_>>().join(", "))?;
    }
    for violation in &report.violations {
        writeln!(text, "{violation}")?;
    }
    writeln!(text, "violations: {}", report.violations.len())?;
    Ok(text)
}
