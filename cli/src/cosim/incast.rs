//! `weft cosim --block smartt --scenario incastN`: many senders and one port, with the RTL's windows.

use super::repeat;
use crate::args::CosimArgs;
use crate::params::PresetArg;
use crate::plot::incast::{draw, name_of, title_of};
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::io::Write;
use weft_blocks::lockstep::Mismatch;
use weft_blocks::smartt::oracle::{Constants, Oracle};
use weft_blocks::smartt::plant::Plant;
use weft_nic::block::smartt::{Event, Smartt};
use weft_params::{Network, Signals};
use weft_system::incast::{Figures, Incast, IncastError, Lockstep, Reaction, Run};
use weft_wire::write_atomically;

/// Which incast, and with which constants.
#[derive(Args)]
pub(crate) struct IncastArgs {
    /// With --block smartt: instead of random stimulus, an incast through one port, each sender with
    /// 8 MiB, 800 Gb/s and 4 KiB packets, as in the paper's figures 2 and 3 (incast2, incast8, incast32).
    /// With --nic: what the hosts want (pair, allreduce, incast, permutation).
    #[arg(long, value_enum, conflicts_with_all = ["cycles", "wave"])]
    pub(crate) scenario: Option<Scenario>,
    /// With --scenario: which congestion signals the windows follow.
    #[arg(long, value_enum, default_value = "all", requires = "scenario")]
    signals: SignalsArg,
    /// With --scenario: which published tuning.
    #[arg(long, value_enum, default_value = "paper", requires = "scenario")]
    preset: PresetArg,
    /// With --scenario, or --trace of NICs: the port drops packets and does not trim them.
    #[arg(long, requires = "recorded")]
    pub(super) no_trimming: bool,
    /// With --scenario: the window reacts on every so many ACKs: 1 to 50.
    #[arg(long, default_value_t = Network::default().granularity, requires = "scenario")]
    granularity: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scenario {
    /// Two senders.
    Incast2,
    /// Eight senders.
    Incast8,
    /// 32 senders.
    Incast32,
    /// NICs: messages both ways between two.
    Pair,
    /// NICs: a ring AllReduce.
    Allreduce,
    /// NICs: all send to the first.
    Incast,
    /// NICs: each sends to one other.
    Permutation,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SignalsArg {
    /// ECN and delay.
    Both,
    /// The ECN mark only.
    Ecn,
    /// The delay only.
    Delay,
    /// The three, one after the other.
    All,
}

impl Scenario {
    fn senders(self) -> Option<u32> {
        match self {
            Self::Incast2 => Some(2),
            Self::Incast8 => Some(8),
            Self::Incast32 => Some(32),
            _ => None,
        }
    }
}

impl IncastArgs {
    fn incasts(&self, senders: u32, seed: Option<u64>) -> Vec<Incast> {
        let signals = match self.signals {
            SignalsArg::Both => &[Signals::Both][..],
            SignalsArg::Ecn => &[Signals::Ecn],
            SignalsArg::Delay => &[Signals::Delay],
            SignalsArg::All => &[Signals::Both, Signals::Ecn, Signals::Delay],
        };
        let paper = Incast::paper(senders);
        let with = |&signals: &Signals| {
            let network = Network {
                signals,
                preset: self.preset.into(),
                trimming: !self.no_trimming,
                granularity: self.granularity,
                ..paper.network.clone()
            };
            Incast { network, seed: seed.unwrap_or(paper.seed), ..paper.clone() }
        };
        signals.iter().map(with).collect()
    }
}

/// Runs the incasts. `false`: the RTL and its model differ.
pub(crate) fn run(args: &CosimArgs, scenario: Scenario) -> Result<bool> {
    let (params, plant) = (args.shape.smartt()?, args.plant(&Plant::ALL)?);
    let (mut lockstep, mut runs) = (Tally::default(), Vec::new());
    let senders =
        scenario.senders().context("--block smartt has the scenarios incast2, incast8 and incast32")?;
    for incast in args.incast.incasts(senders, args.seed) {
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
        println!("{}", serde_json::to_string_pretty(&as_json(&runs, &lockstep))?);
    } else {
        print!("{}", as_text(&runs, &lockstep));
    }
    Ok(lockstep.mismatches == 0)
}

/// Says where the RTL and its model differ.
fn tell(args: &CosimArgs, incast: &Incast, mismatch: &Mismatch) -> Result<()> {
    if args.json {
        let Mismatch { cycle, port, model, rtl } = mismatch;
        let mismatch =
            json!({ "cycle": cycle, "port": port, "model": model, "rtl": rtl, "repeat": repeat() });
        let found = json!({ "incast": incast, "mismatches": 1, "mismatch": mismatch });
        println!("{}", serde_json::to_string_pretty(&found)?);
    } else {
        println!("{mismatch}, seed {}\nrepeat: {}\nmismatches: 1", incast.seed, repeat());
    }
    Ok(())
}

/// An incast with the windows of the RTL, and the same with those of the oracle.
struct Both {
    run: Run,
    rtl: Figures,
    oracle: Figures,
}

/// Of all lockstep runs together.
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

/// The figures that are worth a line, of RTL and oracle.
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
    writeln!(file, "signals,time_ns,sender,kind,ecn,bytes,rtt_ticks,unacked_bytes,case,cwnd_bytes")?;
    for both in runs {
        let signals = both.run.incast.network.signals;
        for Reaction { time_ps, event, outcome } in &both.run.reactions {
            let Event { kind, connection, ecn, bytes, rtt_ticks, unacked_bytes, .. } = event;
            let (time_ns, ecn) = (*time_ps as f64 / 1e3, u8::from(*ecn));
            let (case, cwnd) = (outcome.case, outcome.cwnd_bytes);
            writeln!(
                file,
                "{signals:?},{time_ns:.3},{connection},{kind:?},{ecn},{bytes},{rtt_ticks},{unacked_bytes},{case:?},{cwnd}"
            )?;
        }
    }
    Ok(())
}
