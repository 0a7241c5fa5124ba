//! `weft cosim --nic`: whole NICs on a small fabric.

use super::flows;
use super::incast::Scenario;
use super::repeat;
use crate::args::CosimArgs;
use crate::interrupt;
use crate::plot::nic::{Curve, draw};
use crate::progress::Progress;
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use weft_blocks::lockstep::Watch;
use weft_params::EvMode;
use weft_system::nic::{
    CLOCK_NS, DeadPath, DeviceError, Figures, Flow, Impairments, Maker, Matrix, NicError, Queue, Rate,
    RegisterDriver, Scenario as Bench, Unit, View, Workload, configuration,
};

/// Which NICs on which fabric.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "NICs (--nic)")]
pub(crate) struct NicArgs {
    /// Run whole NICs on a leaf-spine fabric, with hosts around them, in place of a block: --scenario says what the
    /// hosts want, or --trace; --mtu, --messages, --loss, --dup, --reorder (clocks), --corrupt are of it as well.
    #[arg(long, conflicts_with_all = ["block", "cycles", "wave", "plant", "replay"])]
    pub(crate) nic: bool,
    /// NICs [default: 8 of an allreduce, else 2 for a pair, 9 for an incast, 8 for a permutation, as many as a trace
    /// has nodes].
    #[arg(long, value_name = "N", requires = "nic")]
    nics: Option<u32>,
    /// What stands at every host [default: rtl; with --fabric what its file says].
    #[arg(long, value_enum, requires = "whole")]
    pub(super) view: Option<ViewArg>,
    /// Bytes of every host [default: 4194304], of the longest message of a pair [default: 65536].
    #[arg(long, value_name = "BYTES", requires = "nic")]
    bytes: Option<u32>,
    /// How entropy values are chosen; give it several times to compare [default: reps].
    #[arg(long, value_enum, value_name = "MODE", requires = "nic")]
    ev_mode: Vec<EvModeArg>,
    /// Paths between two leaves [default: 8].
    #[arg(long, value_name = "N", requires = "nic")]
    paths: Option<u32>,
    /// Rate of the hosts' wires in Gb/s [default: 100].
    #[arg(long, value_name = "GBPS", requires = "nic", value_parser = clap::value_parser!(u32).range(1..=128))]
    gbps: Option<u32>,
    /// This path runs at half its rate.
    #[arg(long, value_name = "PATH", requires = "nic")]
    slow_path: Option<u32>,
    /// This path loses everything for a time, in microseconds from the begin of the run.
    #[arg(long, value_name = "PATH:FROM:UNTIL", value_parser = dead_path, requires = "nic")]
    cut_path: Option<DeadPath>,
    /// What `start` counts in a --trace [default: us].
    #[arg(long, value_enum, value_name = "UNIT", requires_all = ["nic", "trace"])]
    start_unit: Option<UnitArg>,
    /// Folder for captures of the ports of all NICs (pcapng).
    #[arg(long, value_name = "FOLDER", requires = "whole")]
    pub(super) capture: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ViewArg {
    /// The RTL.
    Rtl,
    /// The clocked model.
    Model,
    /// Both, compared on every port and clock.
    Lockstep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum UnitArg {
    /// Microseconds, as htsim's writer prints them.
    Us,
    /// Nanoseconds.
    Ns,
    /// Picoseconds.
    Ps,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EvModeArg {
    /// REPS with freezing.
    Reps,
    /// Every packet at random (OPS).
    Ops,
    /// One for each connection (ECMP).
    Fixed,
    /// The REPS of 2024.
    Reps2024,
}

impl ViewArg {
    pub(super) fn view(self) -> View {
        match self {
            Self::Rtl => View::Rtl,
            Self::Model => View::Model,
            Self::Lockstep => View::Lockstep,
        }
    }
}

impl EvModeArg {
    fn mode(self) -> EvMode {
        match self {
            Self::Reps => EvMode::Reps,
            Self::Ops => EvMode::Ops,
            Self::Fixed => EvMode::Fixed,
            Self::Reps2024 => EvMode::Reps2024,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Reps => "REPS",
            Self::Ops => "OPS",
            Self::Fixed => "fixed",
            Self::Reps2024 => "REPS of 2024",
        }
    }
}

/// Most NICs of a run.
const MOST_NICS: u32 = 64;

fn dead_path(text: &str) -> Result<DeadPath, String> {
    let parts: Vec<&str> = text.split(':').collect();
    let clocks = |us: &str| {
        us.parse::<f64>().ok().filter(|us| (0.0..1e9).contains(us)).map(|us| (us * 1e3) as u64 / CLOCK_NS)
    };
    if let [path, from, until] = parts[..]
        && let (Ok(path), Some(from), Some(until)) = (path.parse(), clocks(from), clocks(until))
        && from < until
    {
        return Ok(DeadPath { path, from, until });
    }
    Err("use PATH:FROM:UNTIL, for example 3:100:400".into())
}

/// Reads a traffic trace.
fn matrix(path: &Path, unit: Option<UnitArg>) -> Result<Matrix> {
    let file = path.display().to_string();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {file}"))?;
    let Ok(text) = String::from_utf8(bytes) else {
        bail!("{file} is no text; --nic takes a connection matrix of htsim (.cm) as --trace");
    };
    let unit = match unit.unwrap_or(UnitArg::Us) {
        UnitArg::Us => Unit::Us,
        UnitArg::Ns => Unit::Ns,
        UnitArg::Ps => Unit::Ps,
    };
    let matrix = Matrix::parse(&file, &text, unit)?;
    ensure!(
        matrix.nodes() <= MOST_NICS,
        "{file}: Nodes {}: at most {MOST_NICS} NICs can be run; take the flows of {MOST_NICS} nodes and number those from 0",
        matrix.nodes()
    );
    Ok(matrix)
}

/// What the hosts want, and how many there are unless that is given.
fn workload(args: &CosimArgs) -> Result<(u32, Workload)> {
    let (NicArgs { nics, bytes, start_unit, .. }, messages) = (&args.nic, args.transport.messages);
    let scenario = match (&args.trace[..], args.incast.scenario) {
        ([], Some(scenario)) => scenario,
        ([], None) => {
            bail!("--nic needs --scenario: pair, allreduce, incast or permutation; or --trace FILE")
        }
        ([path], _) => {
            let given = [nics.map(|_| "nics"), bytes.map(|_| "bytes"), messages.map(|_| "messages")];
            if let Some(flag) = given.into_iter().flatten().next() {
                bail!("--{flag} is in the trace; leave it out with --trace");
            }
            let captures = args.csr.is_empty() && args.out.is_none() && args.decisions.is_none();
            ensure!(captures, "--csr, --out and --decisions are for a capture as --trace, with --block reps");
            let matrix = matrix(path, *start_unit)?;
            return Ok((matrix.nodes(), Workload::Trace(matrix)));
        }
        _ => bail!("--nic takes one --trace"),
    };
    let long = bytes.unwrap_or(4 << 20);
    let (usual, workload) = match scenario {
        Scenario::Pair => {
            let messages = messages.unwrap_or(100).try_into().context("--messages: too many for --nic")?;
            (2, Workload::Pair { messages, bytes: bytes.unwrap_or(1 << 16) })
        }
        Scenario::Allreduce => (8, Workload::AllReduce { bytes: long }),
        Scenario::Incast => (9, Workload::Incast { bytes: long }),
        Scenario::Permutation => (8, Workload::Permutation { bytes: long }),
        _ => bail!("--nic has the scenarios pair, allreduce, incast and permutation"),
    };
    Ok((nics.unwrap_or(usual), workload))
}

fn bench(args: &CosimArgs) -> Result<Bench> {
    let NicArgs { paths, slow_path, cut_path, capture, .. } = &args.nic;
    let network = &args.transport;
    let (nics, workload) = workload(args)?;
    let mut bench = Bench::new(nics, workload);
    bench.mtu = network.mtu.unwrap_or(8192);
    bench.seed = args.seed.unwrap_or(1);
    bench.fabric.paths = paths.unwrap_or(bench.fabric.paths);
    bench.fabric.slow_path = *slow_path;
    bench.fabric.dead_path = *cut_path;
    if let Some(gbps) = args.nic.gbps {
        bench.link.rate = Rate { bytes: gbps, clocks: 2 };
    }
    // Queues of one BDP, as in the paper (SMaRTT-REPS section 4).
    let bdp = (Rate::GBPS_100.bytes as u64 * bench.base_rtt_clocks()) as u32;
    bench.fabric.queue =
        Queue { bytes: bdp, mark_from: bdp / 5, mark_all: bdp / 5 * 4, trims: !args.incast.no_trimming };
    bench.link.impairments = Impairments {
        loss: network.loss.unwrap_or(0.0),
        duplicate: network.dup.unwrap_or(0.0),
        reorder: if network.reorder.is_some() { 0.1 } else { 0.0 },
        reorder_clocks: network.reorder.unwrap_or(0),
        corrupt: network.corrupt.unwrap_or(0.0),
        damage: 0.0,
    };
    bench.capture.clone_from(capture);
    Ok(bench)
}

/// A run and how it ended.
struct Run {
    mode: EvModeArg,
    figures: Figures,
    seconds: f64,
    failure: Option<NicError>,
}

/// Runs the scenario once for each mode. `false`: RTL and model differ, or a NIC broke a promise.
pub(super) fn run(args: &CosimArgs) -> Result<bool> {
    let mut bench = bench(args)?;
    let view = args.nic.view.unwrap_or(ViewArg::Rtl);
    let mut params = args.shape.sack("--nic")?;
    params.connections = params.connections.max(4);
    bench.connections = params.connections;
    interrupt::listen()?;
    let maker = Maker::new(params, view != ViewArg::Model)?;
    let modes = if args.nic.ev_mode.is_empty() { &[EvModeArg::Reps] } else { &args.nic.ev_mode[..] };
    let mut runs = Vec::new();
    for &mode in modes {
        let run = once(&bench, &maker, view, mode)?;
        if !args.json {
            print!("{}", run.as_text(&bench, view));
        }
        runs.push(run);
        if interrupt::pressed() {
            bail!("stopped before the end");
        }
    }
    if args.json {
        let runs: Vec<_> = runs.iter().map(|run| run.as_json(&bench)).collect();
        let all = json!({ "scenario": bench, "view": format!("{view:?}").to_lowercase(), "runs": runs });
        println!("{}", serde_json::to_string_pretty(&all)?);
    }
    if let Some(path) = &args.plot {
        plot(&bench, &runs, path)?;
    }
    Ok(runs.iter().all(|run| run.failure.is_none()))
}

fn once(bench: &Bench, maker: &Maker, view: ViewArg, mode: EvModeArg) -> Result<Run> {
    let mut progress: Option<Progress> = None;
    let (mut figures, begin) = (Figures::default(), Instant::now());
    let ended = bench.run_on(
        |identity| {
            let csr = configuration(identity, mode.mode()).map_err(weft_bench::Error::from)?;
            let device = maker.device(view.view(), bench.seed ^ u64::from(identity.number))?;
            Ok::<_, DeviceError>((device, RegisterDriver::new(identity, &csr)))
        },
        |so_far| {
            let all = so_far.messages.len() as u64;
            let progress = progress.get_or_insert_with(|| Progress::of_messages(all));
            figures = so_far.clone();
            progress.go_on(all - u64::from(so_far.left)) && !interrupt::pressed()
        },
    );
    drop(progress);
    let failure = match ended {
        Ok(ended) => {
            figures = ended;
            None
        }
        Err(error @ (NicError::Fault { .. } | NicError::Device { error: DeviceError::Mismatch(_), .. })) => {
            Some(error)
        }
        Err(error) => return Err(error.into()),
    };
    Ok(Run { mode, figures, seconds: begin.elapsed().as_secs_f64(), failure })
}

/// What flows take alone.
fn ideal(bench: &Bench) -> impl Fn(&Flow) -> u64 {
    |flow| bench.ideal_clocks(flow.source, flow.destination, flow.bytes)
}

impl Run {
    fn as_json(&self, bench: &Bench) -> serde_json::Value {
        let Self { mode, figures, seconds, failure } = self;
        let mut run = json!({
            "ev_mode": mode.name(),
            "goodput_gbps": figures.goodput_gbps(),
            "finish_us": figures.finish_us(),
            "seconds": seconds,
            "fabric": figures.fabric(),
            "figures": figures,
            "failure": failure.as_ref().map(ToString::to_string),
        });
        if let Workload::Trace(matrix) = &bench.workload {
            run["flows"] = flows::as_json(&ideal(bench), matrix, figures);
        }
        run
    }

    fn as_text(&self, bench: &Bench, view: ViewArg) -> String {
        let Self { mode, figures, seconds, failure } = self;
        let clock_rate = figures.clocks as f64 * f64::from(bench.nics) / seconds.max(1e-9) / 1e3;
        let mut text = format!(
            "{} NICs ({}), {}: {} clocks, {seconds:.1} s, {clock_rate:.0} thousand NIC clocks a second\n",
            bench.nics,
            format!("{view:?}").to_lowercase(),
            mode.name(),
            figures.clocks,
        );
        match (figures.finish_us(), figures.goodput_gbps()) {
            (Some(time), Some(goodput)) => {
                text += &format!(
                    "finished after {time:.1} us, {:.1} MB delivered, {goodput:.1} Gb/s in all, {:.1} Gb/s a NIC\n",
                    figures.delivered as f64 / 1e6,
                    goodput / f64::from(bench.nics)
                );
            }
            _ => text += &format!("{} of {} messages have not ended\n", figures.left, figures.messages.len()),
        }
        if let Workload::Trace(matrix) = &bench.workload {
            text += &flows::as_text(&ideal(bench), matrix, figures);
        }
        let fabric = figures.fabric();
        text += &format!(
            "fabric: {} packets, {} marked, {} trimmed, {} dropped, {} lost on the dead path\n",
            fabric.packets, fabric.marks, fabric.trims, fabric.drops, fabric.dead
        );
        let packets = &figures.packets;
        text += &format!(
            "NICs: {} data packets, {} of them again; {} ACKs, {} NACKs; {} came twice\n",
            packets.data, packets.retransmissions, packets.acks, packets.nacks, packets.duplicates
        );
        if let Some(failure) = failure {
            text += &format!("{failure}\nrepeat: {}\n", repeat());
        }
        text + &format!("failures: {}\n", u32::from(failure.is_some()))
    }
}

fn plot(bench: &Bench, runs: &[Run], path: &Path) -> Result<()> {
    let curve = |run: &Run| {
        let drops = run.figures.fabric();
        let time = run.figures.finish_us().map_or("unfinished".to_owned(), |time| format!("{time:.0} µs"));
        format!("{}: {time}, {} packets lost", run.mode.name(), drops.drops + drops.dead)
    };
    let curves: Vec<Curve<'_>> =
        runs.iter().map(|run| Curve { name: curve(run), figures: &run.figures }).collect();
    let heading = match &bench.workload {
        Workload::AllReduce { bytes } => {
            format!("ring AllReduce of {} KiB among {} NICs", bytes >> 10, bench.nics)
        }
        Workload::Incast { bytes } => format!("{}:1 incast of {} KiB", bench.nics - 1, bytes >> 10),
        Workload::Permutation { bytes } => {
            format!("permutation of {} NICs, {} KiB each", bench.nics, bytes >> 10)
        }
        Workload::Pair { messages, .. } => format!("{messages} messages each way"),
        Workload::Trace(matrix) => {
            let name =
                Path::new(matrix.file()).file_name().map_or_else(Default::default, |it| it.to_string_lossy());
            format!("{name}: {} flows among {} NICs", matrix.flows().len(), bench.nics)
        }
    };
    let heading = format!("{heading}, 100 Gb/s, MTU {}, {} paths", bench.mtu, bench.fabric.paths);
    draw(&heading, &curves, bench.fabric.dead_path, path)
}
