//! `weft cosim incast`: many senders and one port, with the RTL's windows.

use super::repeat;
use crate::blocks::{planted, plants};
use crate::output::{self, say};
use crate::params::PresetArg;
use crate::plot::incast::{draw, name_of, title_of};
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use weft_bench::Mismatch;
use weft_bench::hex;
use weft_blocks::smartt::oracle::{Constants, Oracle};
use weft_nic::block::smartt::{Event, Smartt};
use weft_params::{Network, Signals, SmarttParams};
use weft_system::incast::{Figures, Incast, IncastError, Lockstep, Reaction, Run};
use weft_wire::write_atomically;

/// The incast, and its constants.
#[derive(Args)]
#[command(after_help = "\
Each sender has 8 MiB for one receiver, at 800 Gb/s in packets of 4 KiB, as in figures 2 and 3 of the SMaRTT-REPS paper.
The RTL decides every window, and the clocked model runs beside it. A simple floating-point oracle runs the same incast by
itself. For each set of signals the command prints the figures of RTL and oracle: completion times, goodput, trimmed
packets, and the time when the windows became fair.
The last line is `mismatches: N`; exit code 1 if N is not 0.

Examples:
  weft cosim incast --senders 8 --plot incast.svg
  weft cosim incast --senders 32 --signals both --no-trimming --out events.csv
  weft cosim incast --senders 2 --preset artifact --json")]
pub(crate) struct IncastArgs {
    /// Senders: 1 to 256, at most as many as there are connections.
    #[arg(long, value_name = "N", default_value_t = 8)]
    senders: u32,
    /// The congestion signals that the windows follow.
    #[arg(long, value_enum, default_value = "all")]
    signals: SignalsArg,
    /// Source of the SMaRTT constants.
    #[arg(long, value_enum, default_value = "paper")]
    preset: PresetArg,
    /// Make the port drop packets instead of trimming them.
    #[arg(long)]
    no_trimming: bool,
    /// ACKs between two reactions of the window: 1 to 50.
    #[arg(long, value_name = "ACKS", default_value_t = Network::default().granularity)]
    granularity: u32,
    /// Connections of the block: 4, 16, 64, 256, 1024, 4096 or 16384.
    #[arg(long, value_name = "N", default_value_t = SmarttParams::default().connections)]
    connections: u32,
    /// Seed of the jitter, and of the contents of registers before reset [default: 1].
    #[arg(long)]
    seed: Option<u64>,
    /// Plant a bug of `weft cosim block smartt` in the RTL, so that the run fails.
    #[arg(long, value_name = "BUG")]
    plant: Option<String>,
    /// Draw windows and queue (SVG; PNG if FILE ends in .png).
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Write every event of the block and its answer (CSV).
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SignalsArg {
    /// ECN and delay.
    Both,
    /// The ECN mark only.
    Ecn,
    /// The delay only.
    Delay,
    /// The three choices above, one after the other.
    All,
}

impl IncastArgs {
    fn incasts(&self) -> Vec<Incast> {
        let signals = match self.signals {
            SignalsArg::Both => &[Signals::Both][..],
            SignalsArg::Ecn => &[Signals::Ecn],
            SignalsArg::Delay => &[Signals::Delay],
            SignalsArg::All => &[Signals::Both, Signals::Ecn, Signals::Delay],
        };
        let paper = Incast::paper(self.senders);
        let with = |&signals: &Signals| {
            let network = Network {
                signals,
                preset: self.preset.into(),
                trimming: !self.no_trimming,
                granularity: self.granularity,
                ..paper.network.clone()
            };
            Incast { network, seed: self.seed.unwrap_or(paper.seed), ..paper.clone() }
        };
        signals.iter().map(with).collect()
    }
}

/// Runs the incasts. `false`: the RTL and its model differ.
pub(super) fn run(args: &IncastArgs) -> Result<bool> {
    let (params, plant) =
        (SmarttParams { connections: args.connections }, planted(args.plant.as_deref(), &plants("smartt"))?);
    params.check()?;
    ensure!(
        args.senders <= args.connections,
        "--senders {} is not possible; use 1 to {}, the connections of the block",
        args.senders,
        args.connections
    );
    let (mut lockstep, mut runs) = (Tally::default(), Vec::new());
    for incast in args.incasts() {
        let mut rtl = Lockstep::new(params, incast.csr()?, incast.seed, plant)?;
        let run = match incast.run(&mut rtl) {
            Err(IncastError::Mismatch(mismatch)) => {
                tell(args, &incast, &mismatch)?;
                return Ok(false);
            }
            run => run?,
        };
        // The clocked model agreed with the RTL on every clock; here the RTL meets the transaction view.
        lockstep.mismatches += run.differences(&mut Smartt::new(params, incast.csr()?))?;
        lockstep.events += run.reactions.len();
        lockstep.clocks += rtl.clocks();
        let oracle = incast.run(&mut Oracle::new(Constants::of(&incast.network)?))?;
        runs.push(Both { rtl: run.figures(), oracle: oracle.figures(), run });
    }
    if let Some(path) = &args.plot {
        draw(&runs.iter().map(|both| &both.run).collect::<Vec<_>>(), path)?;
    }
    if let Some(path) = &args.out {
        write_atomically(path, |file| write_csv(file, &runs))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if args.json {
        output::json(&as_json(&runs, &lockstep))?;
    } else {
        output::text(&as_text(&runs, &lockstep))?;
    }
    Ok(lockstep.mismatches == 0)
}

/// Reports where the RTL and its model differ.
fn tell(args: &IncastArgs, incast: &Incast, mismatch: &Mismatch) -> Result<()> {
    if args.json {
        let Mismatch { cycle, port, model, rtl } = mismatch;
        let mismatch =
            json!({ "cycle": cycle, "port": port, "model": hex(model), "rtl": hex(rtl), "repeat": repeat() });
        let found = json!({ "incast": incast, "mismatches": 1, "mismatch": mismatch });
        output::json(&found)
    } else {
        say!("{mismatch}, seed {}\nrepeat: {}\nmismatches: 1", incast.seed, repeat())
    }
}

/// An incast with the windows of the RTL, and the same incast with the windows of the oracle.
struct Both {
    run: Run,
    rtl: Figures,
    oracle: Figures,
}

/// Sums over all lockstep runs.
#[derive(Default)]
struct Tally {
    clocks: u64,
    events: usize,
    mismatches: usize,
}

fn as_json(runs: &[Both], lockstep: &Tally) -> Value {
    let run = |both: &Both| json!({ "incast": both.run.incast, "rtl": both.rtl, "oracle": both.oracle });
    json!({
        "runs": runs.iter().map(run).collect::<Vec<_>>(),
        "cycles": lockstep.clocks,
        "events": lockstep.events,
        "mismatches": lockstep.mismatches,
    })
}

fn as_text(runs: &[Both], lockstep: &Tally) -> String {
    let mut text = String::new();
    if let Some(both) = runs.first() {
        text += &format!("{}\nideal: {:.1} us\n", title_of(&both.run.incast), both.rtl.ideal_us);
    }
    for both in runs {
        text +=
            &format!("\n{:46} {:>16} {:>16}\n", name_of(both.run.incast.network.signals), "RTL", "oracle");
        for (what, rtl, oracle) in rows(both) {
            text += &format!("  {what:44} {rtl:>16} {oracle:>16}\n");
        }
    }
    let Tally { clocks, events, mismatches } = lockstep;
    text + &format!("\nweft_smartt: {clocks} clocks in lockstep, {events} events\nmismatches: {mismatches}\n")
}

/// The figures that the command prints, one line each, of RTL and oracle.
fn rows(both: &Both) -> Vec<(&'static str, String, String)> {
    let [_, queue_bytes] = both.run.bdp_and_queue_bytes();
    let row = |what, of: &dyn Fn(&Figures) -> String| (what, of(&both.rtl), of(&both.oracle));
    let shares = |figures: &Figures, pick: fn(f64, f64) -> f64, first: f64| {
        figures.windows_bytes.iter().fold(first, |found, bytes| pick(found, bytes / figures.fair_share_bytes))
    };
    vec![
        row("messages through after (us)", &|it| format!("{:.1} .. {:.1}", it.fct_us[0], it.fct_us[2])),
        row("goodput (Gb/s)", &|it| format!("{:.1}", it.goodput_gbps)),
        row("packets trimmed or dropped", &|it| (it.trimmed + it.dropped).to_string()),
        row("packets marked", &|it| it.marked.to_string()),
        row("windows set by QuickAdapt", &|it| it.quick_adapts.to_string()),
        row("first decrease by a mark or the delay (us)", &|it| time(it.first_decrease_us)),
        row("windows fair, link full, queue not, from (us)", &|it| time(it.converged_us)),
        row("Jain's index at the end", &|it| format!("{:.4}", it.jain)),
        row("windows at the end over the fair share", &|it| {
            format!("{:.3} .. {:.3}", shares(it, f64::min, f64::MAX), shares(it, f64::max, 0.0))
        }),
        row("queue at the end (%)", &|it| format!("{:.1}", 100.0 * it.queue_bytes / queue_bytes)),
    ]
}

fn time(us: Option<f64>) -> String {
    us.map_or("never".to_owned(), |us| format!("{us:.1}"))
}

/// Every event of the block, in order.
fn write_csv(file: &mut dyn Write, runs: &[Both]) -> std::io::Result<()> {
    writeln!(file, "signals,time_ns,sender,kind,ecn,bytes,rtt_ticks,in_flight_bytes,case,cwnd_bytes")?;
    for both in runs {
        let signals = both.run.incast.network.signals;
        for Reaction { time_ps, event, outcome } in &both.run.reactions {
            let Event { kind, connection, ecn, bytes, rtt_ticks, in_flight_bytes, .. } = event;
            let (time_ns, ecn) = (*time_ps as f64 / 1e3, u8::from(*ecn));
            let (case, cwnd) = (outcome.case, outcome.cwnd_bytes);
            writeln!(
                file,
                "{signals:?},{time_ns:.3},{connection},{kind:?},{ecn},{bytes},{rtt_ticks},{in_flight_bytes},{case:?},{cwnd}"
            )?;
        }
    }
    Ok(())
}
