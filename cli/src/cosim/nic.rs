//! `weft cosim nic`: whole NICs on a small fabric.

mod mode;
mod spread;

use super::{ViewArg, check_mtu, flows, repeat};
use crate::blocks::{exchange, own_modules};
use crate::interrupt;
use crate::output::{self, say};
use crate::plot::cdf::{self, Sample};
use crate::plot::nic::{Curve, draw};
use crate::plot::of_modes;
use crate::progress::Progress;
use crate::window::WindowArg;
use anyhow::{Context, Result, bail, ensure};
use clap::{ArgGroup, Args, ValueEnum};
use mode::EvModeArg;
use plotters::style::RGBColor;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use weft_bench::Watch;
use weft_hdl::block::nic;
use weft_params::{NicParams, SackRxCsr};
use weft_system::nic::{
    CLOCK_NS, DeadPath, DeviceError, Figures, Flow, Impairments, MOST_NICS, Maker, Matrix, NicError, Queue,
    Rate, RegisterDriver, Scenario as Bench, Unit, Wires, Workload, configuration_with,
};

/// The NICs and their network, and the transfers between their hosts.
#[derive(Args)]
#[command(group = ArgGroup::new("traffic").required(true).args(["scenario", "trace"]))]
#[command(after_help = "\
Every NIC has a host with memory, DMA and a driver. The command compares every byte, and checks all rules of
docs/nic-scenarios.md that a NIC must keep.
For each --ev-mode the command prints the time when all traffic had arrived; goodput; packets that the network marked,
trimmed, dropped and lost; packets sent again; for a traffic trace, completion times of flows, also as multiples of
the ideal time. The last line is `failures: N`; exit code 1 if N is not 0. A SHARE is a number from 0 to 1, as 0.01.

Examples:
  weft cosim nic --scenario allreduce --slow-path 0 --ev-mode reps --ev-mode ops
  weft cosim nic --scenario pair --view lockstep --loss 0.01 --capture captures
  weft cosim nic --scenario pair --view lockstep --psns 1024 --connections 16 --mtu 256
  weft cosim nic --trace traces/alltoall_8n.cm --view model --json
  weft cosim nic --scenario allreduce --nics 16 --paths 2 --uplink-gbps 400 --slow-path 1@0 --view model --seeds 5 \\
      --ev-mode reps --ev-mode ops --cdf asymmetric.svg
  weft cosim nic --scenario pair --nics 2 --verilog mine --connections 16     # your modules in every NIC
  weft cosim nic --scenario allreduce --connections 16 --paths 4 --cut-path 1:200:2000 --ev-mode ops --ev-mode reps \\
      --plot cut.svg")]
pub(crate) struct NicArgs {
    /// Traffic between the hosts.
    #[arg(long, value_enum)]
    scenario: Option<Scenario>,
    /// A traffic trace for the NICs: a connection matrix of htsim (.cm), page docs/nic-scenarios.md.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Unit of `start` in the trace [default: us].
    #[arg(long, value_enum, value_name = "UNIT", requires = "trace")]
    start_unit: Option<UnitArg>,
    /// Number of NICs [default: 2 for a pair, 9 for an incast, the number of nodes for a trace, else 8].
    #[arg(long, value_name = "N", conflicts_with = "trace")]
    nics: Option<u32>,
    /// Bytes that every host sends [default: 4194304]; for a pair, bytes of the longest message [default: 65536].
    #[arg(long, value_name = "BYTES", conflicts_with = "trace")]
    bytes: Option<u32>,
    /// Messages of a pair, in each direction [default: 100].
    #[arg(long, value_name = "N", conflicts_with = "trace")]
    messages: Option<u32>,
    /// Way to choose entropy values; give the flag several times to compare ways.
    #[arg(long, value_enum, value_name = "MODE", default_value = "reps")]
    ev_mode: Vec<EvModeArg>,
    /// RTL, model or both at every host.
    #[arg(long, value_enum, default_value = "rtl")]
    view: ViewArg,
    /// Connections of a NIC: 4, 16, 64, 256, 1024, 4096 or 16384.
    #[arg(long, value_name = "N", default_value_t = NicParams::default().connections)]
    connections: u32,
    /// Algorithm of the congestion windows of all NICs.
    #[arg(long, value_enum, value_name = "ALGORITHM", default_value = "smartt")]
    window: WindowArg,
    /// PSNs of a connection's window in all NICs: 256, 512 or 1024.
    #[arg(long, value_name = "PSNS", default_value_t = NicParams::default().psns)]
    psns: u32,
    /// Payload bytes of a full packet: a power of two, 256 to 8192.
    #[arg(long, value_name = "BYTES", default_value_t = 8192)]
    mtu: u32,
    /// New packets that the receiver answers with one ACK. The receiver answers a marked packet at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=255))]
    ack_packets: u32,
    /// Seed of all random choices; with --seeds, the first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of seeds to run. With several seeds the command prints the mean of each figure and its spread.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "capture", value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    /// Threads that run NICs. The result does not depend on their number [default: as many as there are processors].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Option<u16>,
    /// Folder for captures of the ports of all NICs (pcapng).
    #[arg(long, value_name = "FOLDER")]
    capture: Option<PathBuf>,
    /// Draw goodput and lost packets over time, of the first seed (SVG; PNG if FILE ends in .png).
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Draw distributions of messages' completion times and flows' goodputs over all seeds (SVG; PNG if
    /// FILE ends in .png).
    #[arg(long, value_name = "FILE")]
    cdf: Option<PathBuf>,
    /// Build the NICs with the modules in this folder in place of the emitted ones (docs/own-verilog.md).
    #[arg(long, value_name = "FOLDER")]
    verilog: Option<PathBuf>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    network: NetworkArgs,
}

/// The network between the NICs.
#[derive(Args)]
#[command(next_help_heading = "Network")]
struct NetworkArgs {
    /// Paths between two leaves [default: 8].
    #[arg(long, value_name = "N")]
    paths: Option<u32>,
    /// Rate of the hosts' wires in Gb/s.
    #[arg(long, value_name = "GBPS", default_value_t = 100, value_parser = clap::value_parser!(u32).range(10..=128))]
    gbps: u32,
    /// Rate of the wires of paths in Gb/s. Queues of faster wires are longer in proportion.
    #[arg(long, value_name = "GBPS", default_value_t = 100, value_parser = clap::value_parser!(u32).range(10..=1600))]
    uplink_gbps: u32,
    /// Path that runs at half its rate, counted from 0; with @LEAF, only the path's two wires at that leaf are slow.
    #[arg(long, value_name = "PATH[@LEAF]", value_parser = wires)]
    slow_path: Option<Wires>,
    /// Path that loses all packets between two times, in us from the start of the run; with @LEAF, only the
    /// path's two wires at that leaf lose them.
    #[arg(long, value_name = "PATH[@LEAF]:FROM:UNTIL", value_parser = dead_path)]
    cut_path: Option<DeadPath>,
    /// Make queues drop packets instead of trimming them.
    #[arg(long)]
    no_trimming: bool,
    /// Share of packets that the hosts' wires lose.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    loss: f64,
    /// Share of packets that the hosts' wires deliver twice.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    dup: f64,
    /// Share of packets in which the hosts' wires flip bits.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    corrupt: f64,
    /// Delay one packet in ten by up to this number of clocks.
    #[arg(long, value_name = "CLOCKS")]
    reorder: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Scenario {
    /// Messages in both directions between two hosts.
    Pair,
    /// A ring AllReduce.
    Allreduce,
    /// All other hosts send to the first host.
    Incast,
    /// Each host sends to one other host, and receives from one.
    Permutation,
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

fn wires(text: &str) -> Result<Wires, String> {
    let (path, leaf) = text.split_once('@').map_or((text, None), |(path, leaf)| (path, Some(leaf)));
    let wrong = || "use PATH or PATH@LEAF, for example 3 or 1@0".to_owned();
    let leaf = leaf.map(str::parse).transpose().map_err(|_| wrong())?;
    Ok(Wires { path: path.parse().map_err(|_| wrong())?, leaf })
}

fn dead_path(text: &str) -> Result<DeadPath, String> {
    let parts: Vec<&str> = text.split(':').collect();
    let clocks = |us: &str| {
        us.parse::<f64>().ok().filter(|us| (0.0..1e9).contains(us)).map(|us| (us * 1e3) as u64 / CLOCK_NS)
    };
    if let [path, from, until] = parts[..]
        && let (Ok(wires), Some(from), Some(until)) = (wires(path), clocks(from), clocks(until))
        && from < until
    {
        return Ok(DeadPath { wires, from, until });
    }
    Err("use PATH:FROM:UNTIL or PATH@LEAF:FROM:UNTIL, FROM before UNTIL, for example 3:100:400".into())
}

/// Reads a traffic trace.
fn matrix(path: &Path, unit: Option<UnitArg>) -> Result<Matrix> {
    let file = path.display().to_string();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {file}"))?;
    let Ok(text) = String::from_utf8(bytes) else {
        bail!("{file} is not text; --trace takes a connection matrix of htsim (.cm)");
    };
    let unit = match unit.unwrap_or(UnitArg::Us) {
        UnitArg::Us => Unit::Us,
        UnitArg::Ns => Unit::Ns,
        UnitArg::Ps => Unit::Ps,
    };
    let matrix = Matrix::parse(&file, &text, unit)?;
    ensure!(
        matrix.nodes() <= MOST_NICS,
        "{file}: Nodes {}: at most {MOST_NICS} NICs can be run; keep the flows among {MOST_NICS} nodes, and number these nodes from 0",
        matrix.nodes()
    );
    Ok(matrix)
}

/// The transfers between the hosts, and the number of hosts.
fn workload(args: &NicArgs) -> Result<(u32, Workload)> {
    if let Some(path) = &args.trace {
        let matrix = matrix(path, args.start_unit)?;
        return Ok((matrix.nodes(), Workload::Trace(matrix)));
    }
    let bytes = args.bytes.unwrap_or(4 << 20);
    let (usual, workload) = match args.scenario.context("give --scenario or --trace to select transfers")? {
        Scenario::Pair => {
            let messages = args.messages.unwrap_or(100);
            (2, Workload::Pair { messages, bytes: args.bytes.unwrap_or(1 << 16) })
        }
        Scenario::Allreduce => (8, Workload::AllReduce { bytes }),
        Scenario::Incast => (9, Workload::Incast { bytes }),
        Scenario::Permutation => (8, Workload::Permutation { bytes }),
    };
    Ok((args.nics.unwrap_or(usual), workload))
}

fn bench(args: &NicArgs) -> Result<Bench> {
    let network = &args.network;
    check_mtu(args.mtu)?;
    let (nics, workload) = workload(args)?;
    let mut bench = Bench::new(nics, workload);
    bench.connections = args.connections;
    bench.mtu = args.mtu;
    bench.seed = args.seed;
    bench.fabric.paths = network.paths.unwrap_or(bench.fabric.paths);
    bench.fabric.slow_path = network.slow_path;
    bench.fabric.dead_path = network.cut_path;
    bench.threads = usize::from(args.threads.unwrap_or_else(processors));
    bench.link.rate = Rate::of_gbps(network.gbps);
    bench.fabric.rate = Rate::of_gbps(network.uplink_gbps);
    // Queues of one BDP, as in the paper (SMaRTT-REPS section 4).
    let bdp = (bench.base_rtt_clocks() * u64::from(bench.link.rate.bytes)).div_ceil(2) as u32;
    bench.fabric.queue =
        Queue { bytes: bdp, mark_from: bdp / 5, mark_all: bdp / 5 * 4, trims: !network.no_trimming };
    bench.link.impairments = Impairments {
        loss: network.loss,
        duplicate: network.dup,
        reorder: if network.reorder.is_some() { 0.1 } else { 0.0 },
        reorder_clocks: network.reorder.unwrap_or(0),
        corrupt: network.corrupt,
        damage: 0.0,
    };
    bench.capture.clone_from(&args.capture);
    Ok(bench)
}

fn processors() -> u16 {
    std::thread::available_parallelism().map_or(1, |count| count.get().min(64) as u16)
}

/// A run and its end.
struct Run {
    mode: EvModeArg,
    seed: u64,
    figures: Figures,
    seconds: f64,
    failure: Option<NicError>,
}

/// Runs the scenario once for each mode. Returns `false` if RTL and model differ, or a NIC broke a promise.
pub(super) fn run(args: &NicArgs) -> Result<bool> {
    let bench = bench(args)?;
    interrupt::listen()?;
    let maker = maker(args)?;
    let mut runs = Vec::new();
    for &mode in &args.ev_mode {
        let mut of_mode = Vec::new();
        for seed in (0..args.seeds).map(|more| args.seed.wrapping_add(more)) {
            let run = once(&Bench { seed, ..bench.clone() }, &maker, args, mode)?;
            if !args.json {
                output::text(&run.as_text(&bench, args.view))?;
            }
            of_mode.push(run);
            if interrupt::pressed() {
                bail!("stopped before the end");
            }
        }
        if !args.json && args.seeds > 1 {
            output::text(&spread::as_text(&of_mode, bench.nics))?;
        }
        runs.push(of_mode);
    }
    if args.json {
        let modes = runs.iter().map(|of_mode| {
            let all = spread::as_json(of_mode, bench.nics);
            json!({ "ev_mode": of_mode[0].mode.name(), "seeds": of_mode.len(), "figures": all })
        });
        let modes: Vec<_> = modes.collect();
        let runs: Vec<_> = runs.iter().flatten().map(|run| run.as_json(&bench)).collect();
        let view = format!("{:?}", args.view).to_lowercase();
        output::json(&json!({ "scenario": bench, "view": view, "spread": modes, "runs": runs }))?;
    }
    if let Some(path) = &args.plot {
        plot(&bench, &runs.iter().filter_map(|of_mode| of_mode.first()).collect::<Vec<_>>(), path)?;
    }
    if let Some(path) = &args.cdf {
        let colors = of_modes(runs.iter().map(|of_mode| of_mode[0].mode.mode()));
        let samples = runs.iter().zip(colors).map(|(of_mode, color)| sample(of_mode, color));
        let samples: Vec<_> = samples.collect();
        cdf::draw(&heading(&bench), &samples, path)?;
    }
    Ok(runs.iter().flatten().all(|run| run.failure.is_none()))
}

/// The maker of the NICs.
fn maker(args: &NicArgs) -> Result<Maker> {
    let (connections, window, psns) = (args.connections, args.window.into(), args.psns);
    let params = NicParams { connections, window, psns, ..NicParams::default() };
    let Some(exchange) = exchange(None, args.verilog.as_deref())? else {
        return Ok(Maker::new(params, args.view != ViewArg::Model)?);
    };
    ensure!(args.view != ViewArg::Model, "--verilog needs the RTL: use --view rtl or --view lockstep");
    if let (Some(own), false) = (own_modules(Some(&exchange), &nic::emit(&params)?)?, args.json) {
        say!("{own}")?;
    }
    Ok(Maker::with(params, &exchange)?)
}

/// The measurements of all seeds of a mode.
fn sample(runs: &[Run], color: RGBColor) -> Sample {
    Sample {
        color,
        name: runs.first().map_or("", |run| run.mode.name()).to_owned(),
        messages: runs.iter().map(|run| run.figures.messages.len()).sum(),
        messages_us: runs.iter().flat_map(|run| run.figures.completions_us()).collect(),
        flows_gbps: runs.iter().flat_map(|run| run.figures.flow_goodputs_gbps()).collect(),
    }
}

fn once(bench: &Bench, maker: &Maker, args: &NicArgs, mode: EvModeArg) -> Result<Run> {
    let (mut progress, mut figures, begin) = (None::<Progress>, Figures::default(), Instant::now());
    let ended = bench.run_on(
        |identity| {
            let csr = configuration_with(identity, mode.mode(), args.window.into());
            let mut csr = csr.map_err(weft_bench::Error::from)?;
            csr.receiver.sack = SackRxCsr::every(args.ack_packets);
            let device = maker.device(args.view.into(), bench.seed ^ u64::from(identity.number))?;
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
    Ok(Run { mode, seed: bench.seed, figures, seconds: begin.elapsed().as_secs_f64(), failure })
}

/// The completion times of flows without other traffic.
fn ideal(bench: &Bench) -> impl Fn(&Flow) -> u64 {
    |flow| bench.ideal_clocks(flow.source, flow.destination, flow.bytes as u32)
}

impl Run {
    fn as_json(&self, bench: &Bench) -> serde_json::Value {
        let Self { mode, seed, figures, seconds, failure } = self;
        let mut run = json!({
            "ev_mode": mode.name(),
            "seed": seed,
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
        let Self { mode, seed, figures, seconds, failure } = self;
        let clock_rate = figures.clocks as f64 * f64::from(bench.nics) / seconds.max(1e-9) / 1e3;
        let mut text = format!(
            "{} NICs ({}), {}, seed {seed}: {} clocks, {seconds:.1} s, {clock_rate:.0} thousand NIC clocks a second\n",
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

fn plot<'a>(bench: &Bench, runs: &[&'a Run], path: &Path) -> Result<()> {
    let name = |run: &Run| {
        let drops = run.figures.fabric();
        let time = run.figures.finish_us().map_or("unfinished".to_owned(), |time| format!("{time:.0} µs"));
        format!("{}: {time}, {} packets lost", run.mode.name(), drops.drops + drops.dead)
    };
    let colors = of_modes(runs.iter().map(|run| run.mode.mode()));
    let curve = |(run, color): (&&'a Run, _)| Curve { name: name(run), color, figures: &run.figures };
    let curves: Vec<Curve<'_>> = runs.iter().zip(colors).map(curve).collect();
    draw(&heading(bench), &curves, bench.fabric.dead_path, path)
}

/// A scenario in a line.
fn heading(bench: &Bench) -> String {
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
    let (link, paths) = (bench.link.rate.gbps(), bench.fabric.rate.gbps());
    format!("{heading}, {link} Gb/s, MTU {}, {} paths of {paths} Gb/s", bench.mtu, bench.fabric.paths)
}
