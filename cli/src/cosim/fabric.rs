//! `weft cosim fabric`: whole NICs on a fabric of switch pipelines.

use super::{ViewArg, flows, repeat};
use crate::interrupt;
use crate::output;
use crate::plot::PALETTE;
use crate::plot::nic::{Curve, draw};
use crate::progress::Progress;
use anyhow::{Result, bail};
use clap::Args;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use weft_bench::Watch;
use weft_params::SackParams;
use weft_system::fabric::{Balance, Report, Setup, SwitchFigures};
use weft_system::nic::{DeviceError, Flow, Maker, NicError, View, Workload};

/// The fabric, and options that replace keys of its file.
#[derive(Args)]
#[command(after_help = "\
The file (TOML) describes topology, switch program, hosts, traffic and cut links: docs/fabric-cosim.md, examples in fabrics/.
The command compares every byte, and checks all rules of docs/nic-scenarios.md that a NIC must keep. It prints the time when
all traffic had arrived; goodput; packets that switches marked, trimmed and dropped; how evenly the switches used their
wires; for a traffic trace, completion times of flows. The last line is `failures: N`; exit code 1 if N is not 0.

Examples:
  weft cosim fabric fabrics/small.toml                                    # 4 hosts, models, a second
  weft cosim fabric fabrics/conweave_leaf_spine.toml --view lockstep
  weft cosim fabric fabrics/ofan_fat_tree.toml --json --plot ofan.svg")]
pub(crate) struct FabricArgs {
    /// File of the network, its hosts and its traffic.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// RTL, model or both at every host [default: as in the file].
    #[arg(long, value_enum)]
    view: Option<ViewArg>,
    /// Threads for the hosts; the result is the same with any number [default: as in the file, else 1].
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Seed of all random choices [default: as in the file].
    #[arg(long)]
    seed: Option<u64>,
    /// New packets that the receiver answers with one ACK [default: as in the file, else 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=255))]
    ack_packets: Option<u32>,
    /// Folder for captures of the ports of all NICs (pcapng).
    #[arg(long, value_name = "FOLDER")]
    capture: Option<PathBuf>,
    /// Draw goodput and lost packets over time (SVG; PNG if FILE ends in .png).
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// A run and its end.
struct Run {
    setup: Setup,
    report: Report,
    seconds: f64,
    failure: Option<NicError>,
}

/// Runs the co-simulation. `false`: RTL and model differ, or a NIC broke a promise.
pub(super) fn run(args: &FabricArgs) -> Result<bool> {
    let mut setup = Setup::read(&args.file)?;
    setup.seed = args.seed.unwrap_or(setup.seed);
    setup.threads = args.threads.unwrap_or(setup.threads);
    setup.hosts.ack_packets = args.ack_packets.unwrap_or(setup.hosts.ack_packets);
    setup.hosts.view = args.view.map_or(setup.hosts.view, ViewArg::into);
    setup.capture = args.capture.clone().or(setup.capture);
    setup.check()?;
    setup.warnings().into_iter().for_each(output::tell);
    interrupt::listen()?;
    let params = SackParams { connections: setup.hosts.connections };
    let maker = Maker::new(params, setup.hosts.view != View::Model)?;
    let run = once(setup, &maker)?;
    match args.json {
        true => output::json(&run.as_json())?,
        false => output::text(&run.as_text()?)?,
    }
    if interrupt::pressed() {
        bail!("stopped before the end");
    }
    if let Some(path) = &args.plot {
        run.plot(path)?;
    }
    Ok(run.failure.is_none())
}

fn once(setup: Setup, maker: &Maker) -> Result<Run> {
    let mut progress: Option<Progress> = None;
    let begin = Instant::now();
    let (report, failure) = setup.attempt(maker, |so_far| {
        let all = so_far.messages.len() as u64;
        let progress = progress.get_or_insert_with(|| Progress::of_messages(all));
        progress.go_on(all - u64::from(so_far.left)) && !interrupt::pressed()
    })?;
    drop(progress);
    let is_told = matches!(
        failure,
        None | Some(NicError::Fault { .. } | NicError::Device { error: DeviceError::Mismatch(_), .. })
    );
    let failure = match failure {
        Some(error) if !is_told => return Err(error.into()),
        other => other,
    };
    Ok(Run { setup, report, seconds: begin.elapsed().as_secs_f64(), failure })
}

impl Run {
    /// The time that a flow needs without other traffic.
    fn ideal(&self) -> impl Fn(&Flow) -> u64 {
        |flow| self.setup.ideal_clocks(flow.source, flow.destination, flow.bytes as u32)
    }

    /// Switches by tier. The switches of a tier have the same name, apart from the number.
    fn tiers(&self) -> Vec<(&str, &[SwitchFigures])> {
        let tier = |switch: &SwitchFigures| switch.name.split('-').next().unwrap_or_default().to_owned();
        let tiers = self.report.switches.chunk_by(|a, b| tier(a) == tier(b));
        tiers.map(|tier| (tier[0].name.split('-').next().unwrap_or_default(), tier)).collect()
    }

    fn as_json(&self) -> Value {
        let Self { setup, report: Report { figures, switches }, failure, .. } = self;
        let balance = self
            .tiers()
            .into_iter()
            .filter_map(|(tier, switches)| Some((tier.to_owned(), json!(Balance::of(switches)?))));
        let mut run = json!({
            "setup": setup,
            "goodput_gbps": figures.goodput_gbps(),
            "finish_us": figures.finish_us(),
            "fabric": figures.fabric(),
            "uplinks": balance.collect::<serde_json::Map<_, _>>(),
            "switches": switches,
            "figures": figures,
            "failure": failure.as_ref().map(ToString::to_string),
        });
        if let Workload::Trace(matrix) = &setup.workload() {
            run["flows"] = flows::as_json(&self.ideal(), matrix, figures);
        }
        run
    }

    fn as_text(&self) -> Result<String> {
        let Self { setup, report: Report { figures, .. }, seconds, failure } = self;
        let nics = f64::from(setup.nics());
        let clock_rate = figures.clocks as f64 * nics / seconds.max(1e-9) / 1e3;
        let mut text = format!(
            "{nics} NICs ({}), {} switches ({}), {} threads: {} clocks, {seconds:.1} s, {clock_rate:.0} thousand NIC \
             clocks a second\n",
            format!("{:?}", setup.hosts.view).to_lowercase(),
            setup.topology()?.switches(),
            setup.scheme_name(),
            setup.threads,
            figures.clocks,
        );
        match (figures.finish_us(), figures.goodput_gbps()) {
            (Some(time), Some(goodput)) => writeln!(
                text,
                "finished after {time:.1} us, {:.1} MB delivered, {goodput:.1} Gb/s in all, {:.1} Gb/s a NIC",
                figures.delivered as f64 / 1e6,
                goodput / nics
            )?,
            _ => writeln!(text, "{} of {} messages have not ended", figures.left, figures.messages.len())?,
        }
        if let Workload::Trace(matrix) = &setup.workload() {
            text += &flows::as_text(&self.ideal(), matrix, figures);
        }
        let fabric = figures.fabric();
        writeln!(
            text,
            "switches: {} packets, {} marked, {} trimmed, {} dropped, {} lost on cut links",
            fabric.packets, fabric.marks, fabric.trims, fabric.drops, fabric.dead
        )?;
        for (tier, switches) in self.tiers() {
            self.tier_as_text(tier, switches, &mut text)?;
        }
        let packets = &figures.packets;
        writeln!(
            text,
            "NICs: {} data packets, {} of them again; {} ACKs, {} NACKs; {} came twice",
            packets.data, packets.retransmissions, packets.acks, packets.nacks, packets.duplicates
        )?;
        if let Some(failure) = failure {
            writeln!(text, "{failure}\nrepeat: {}", repeat())?;
        }
        writeln!(text, "failures: {}", u32::from(failure.is_some()))?;
        Ok(text)
    }

    fn tier_as_text(&self, tier: &str, switches: &[SwitchFigures], text: &mut String) -> Result<()> {
        write!(text, "{tier}: {} switches", switches.len())?;
        if let Some(Balance { least, mean, most }) = Balance::of(switches) {
            let kb = |bytes: u64| bytes as f64 / 1e3;
            write!(
                text,
                ", wires up {:.0} / {:.0} / {:.0} kB (least, mean, most)",
                kb(least),
                kb(mean),
                kb(most)
            )?;
        }
        let mut counts: Vec<(String, u64)> = Vec::new();
        let mut add = |name: &str, count: u64| match counts.iter_mut().find(|(other, _)| other == name) {
            Some((_, sum)) => *sum += count,
            None => counts.push((name.to_owned(), count)),
        };
        for switch in switches {
            for (cause, count) in &switch.drops {
                add(&format!("drops {}", json!(cause).as_str().unwrap_or_default()), *count);
            }
            add("ended by the program", switch.program.dropped);
            add("pauses", switch.pauses[0]);
            add("lost", switch.lost());
            switch.scheme.iter().for_each(|(name, count)| add(name, *count));
        }
        for (name, count) in counts.iter().filter(|(_, count)| *count > 0) {
            write!(text, ", {name} {count}")?;
        }
        writeln!(text)?;
        Ok(())
    }

    fn plot(&self, path: &Path) -> Result<()> {
        let Self { setup, report: Report { figures, .. }, .. } = self;
        let lost = figures.fabric();
        let time = figures.finish_us().map_or("unfinished".to_owned(), |time| format!("{time:.0} µs"));
        let name = format!("{}: {time}, {} packets lost", setup.scheme_name(), lost.drops + lost.dead);
        let heading = format!(
            "{} NICs on {} switches, {} Gb/s, MTU {}",
            setup.nics(),
            setup.topology()?.switches(),
            setup.links.host_gbps,
            setup.hosts.mtu
        );
        draw(&heading, &[Curve { name, color: PALETTE[0], figures }], setup.first_cut(), path)
    }
}
