//! `weft balls`: balls into bins, the REPS paper's model of a switch's ports.

mod entropy;

use crate::output::{self, say};
use crate::plot::curves::{Curve, Scale, curves};
use crate::plot::{PALETTE, save};
use anyhow::{Result, ensure};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use weft_fabric::balls::{Balls, Recycle, Throws, WHOLE};
use weft_sweep::sample::Spread;

/// Maximum number of points of a curve.
const POINTS: usize = 1_000;

/// The number of balls, and of steps.
#[derive(Args)]
#[command(after_help = "\
Balls are packets, bins are the queues of a switch's ports. In a step every bin that is not empty loses its oldest
ball. Then as many balls as there are bins are thrown (fewer below a load of 1). Random balls model sprayed packets.
Recycled balls (--recycle, REPS section 5.1) have colours: if a ball leaves a bin with at most tau balls, the next ball of
its colour is thrown into the same bin. The command prints the balls in the fullest bin, and the step after which all bins
stayed at tau or below, as means over the seeds.

With --evs balls stay in their bins. The bins are the uplinks of a switch, and each of --flows flows sends a packet with
each of N entropy values, by the hash of the switch and at random (REPS appendix B). The command prints by how much the
fullest uplink is above the mean. Each seed is another switch.

Examples:
  weft balls --bins 8,32,128 --load 0.99 --steps 10000 --seeds 5 --plot balls.svg
  weft balls --bins 8 --steps 200 --recycle 1,2,4,8 --seeds 5
  weft balls --bins 32 --evs 256,4096,65536 --flows 1,32 --seeds 100")]
pub(crate) struct BallsArgs {
    /// Bins, 1 to 65536; several to compare.
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', default_value = "8")]
    bins: Vec<usize>,
    /// Balls thrown in a step, as a share of the number of bins: 0 to 1 in steps of 0.0001.
    #[arg(long, value_name = "PART", default_value_t = 1.0)]
    load: f64,
    /// Steps of a run, 1 to 10000000.
    #[arg(long, value_name = "N", default_value_t = 200)]
    steps: usize,
    /// Also run with recycled balls: one of every N balls that leave a bin reports that bin. With 1 every
    /// ball reports its bin; 4 models one ACK for four packets.
    #[arg(long, value_name = "N,N,...", value_delimiter = ',')]
    recycle: Vec<usize>,
    /// Maximum number of balls in a bin: in a bin with more balls, the colour of a leaving ball does not
    /// remember the bin [default: 4 ln N, the bound of the paper's theorem].
    #[arg(long, value_name = "BALLS", requires = "recycle")]
    threshold: Option<usize>,
    /// Colours for each bin [default: 2.4 ln N].
    #[arg(long, value_name = "N", requires = "recycle")]
    colors: Option<usize>,
    /// Number of entropy values, each thrown once, 1 to 65536; give several numbers to compare them.
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', conflicts_with_all = ["load", "steps", "recycle"])]
    evs: Vec<u32>,
    /// Flows that send with these entropy values, 1 to 1024; give several values to compare them.
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', default_value = "1", requires = "evs")]
    flows: Vec<u32>,
    /// Seeds 1 to N.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seeds: u64,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    /// Draw the fullest bin over time, mean over the seeds (SVG; PNG if FILE ends in .png).
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// Runs of one kind, all seeds.
#[derive(Serialize)]
struct Row {
    name: String,
    bins: usize,
    load: f64,
    /// Threshold tau of recycled balls.
    threshold: Option<usize>,
    colors_per_bin: Option<usize>,
    /// One of this many leaving balls reports its bin.
    recycled_every: Option<usize>,
    /// Balls in the fullest bin at the end, for each seed.
    last: Vec<usize>,
    /// Balls in the fullest bin of all steps, for each seed.
    most: Vec<usize>,
    /// Steps until every bin stayed at tau or below, for each seed. The value is 0 if all bins always stayed
    /// there, and the number of all steps if a bin is above tau at the end.
    settled: Option<Vec<usize>>,
    /// Balls in the fullest bin in equal parts of the time, as the mean over the seeds.
    #[serde(skip)]
    curve: Vec<(f64, f64)>,
}

/// Runs all seeds, prints the results, and draws them with `--plot`.
pub(crate) fn run(args: &BallsArgs) -> Result<()> {
    ensure!((0.0..=1.0).contains(&args.load), "--load {} is not possible; use 0 to 1", args.load);
    ensure!(
        (1..=10_000_000).contains(&args.steps),
        "--steps {} is not possible; use 1 to 10000000",
        args.steps
    );
    ensure!((1..=1_000).contains(&args.seeds), "--seeds {} is not possible; use 1 to 1000", args.seeds);
    for bins in &args.bins {
        ensure!((1..=65_536).contains(bins), "--bins {bins} is not possible; use 1 to 65536");
    }
    if !args.evs.is_empty() {
        return entropy::run(args);
    }
    for every in &args.recycle {
        ensure!((1..=65_536).contains(every), "--recycle {every} is not possible; use 1 to 65536");
    }
    if let Some(colors) = args.colors {
        ensure!((1..=1_024).contains(&colors), "--colors {colors} is not possible; use 1 to 1024");
    }
    let rows: Vec<Row> = args
        .bins
        .iter()
        .flat_map(|bins| {
            let recycled = args.recycle.iter().copied().map(Some);
            std::iter::once(None).chain(recycled).map(|every| row(args, *bins, every))
        })
        .collect();
    if let Some(path) = &args.plot {
        let bins = if let [bins] = args.bins[..] { format!("{bins} bins") } else { "bins".to_owned() };
        let heading = format!("Balls into {bins}, load {}, {} seeds", args.load, args.seeds);
        // Balls at random, which come first, have the colour of OPS, and recycled ones that of REPS.
        let mut colors = PALETTE;
        if args.bins.len() == 1 {
            colors.swap(0, 1);
        }
        let colors = colors.into_iter().cycle();
        let named: Vec<_> = rows.iter().zip(colors).map(|(row, color)| (row.name.clone(), color)).collect();
        let all: Vec<_> =
            rows.iter().zip(&named).map(|(row, (_, color))| Curve::new(*color, row.curve.clone())).collect();
        let axes = ("step", "balls in the fullest bin");
        save(&curves(&heading, &named, axes, &all, [Scale::Linear; 2])?, path)?;
    }
    if args.json { output::json(&rows) } else { print(&rows) }
}

fn row(args: &BallsArgs, bins: usize, every: Option<usize>) -> Row {
    let recycle = every.map(|every| {
        let least = Recycle::of_theorem(bins);
        Recycle {
            threshold: args.threshold.unwrap_or(least.threshold),
            colors_per_bin: args.colors.unwrap_or(least.colors_per_bin),
            every,
        }
    });
    let balls = Balls { bins, load: (args.load * f64::from(WHOLE)).round() as u32, recycle };
    let (mut last, mut most, mut settled) = (Vec::new(), Vec::new(), Vec::new());
    let part = args.steps.div_ceil(POINTS);
    let mut sums = vec![0; args.steps.div_ceil(part)];
    for seed in 1..=args.seeds {
        let mut throws = Throws::new(balls, seed);
        let fullest: Vec<usize> = (0..args.steps).map(|_| throws.step()).collect();
        for (sum, part) in sums.iter_mut().zip(fullest.chunks(part)) {
            *sum += part.iter().max().unwrap_or(&0);
        }
        last.extend(fullest.last());
        most.extend(fullest.iter().max());
        settled.extend(recycle.map(|recycle| {
            fullest.iter().rposition(|balls| *balls > recycle.threshold).map_or(0, |step| step + 1)
        }));
    }
    let how = match every {
        None => "at random".to_owned(),
        Some(1) => "recycled".to_owned(),
        Some(every) => format!("recycled {every}:1"),
    };
    let point = |(at, sum): (usize, usize)| ((at * part) as f64, sum as f64 / args.seeds as f64);
    Row {
        name: if args.bins.len() == 1 { how } else { format!("{bins} bins, {how}") },
        bins,
        load: args.load,
        threshold: recycle.map(|recycle| recycle.threshold),
        colors_per_bin: recycle.map(|recycle| recycle.colors_per_bin),
        recycled_every: every,
        last,
        most,
        settled: recycle.map(|_| settled),
        curve: sums.into_iter().enumerate().map(point).collect(),
    }
}

fn print(rows: &[Row]) -> Result<()> {
    let spread = |values: &[usize]| {
        let values: Vec<f64> = values.iter().map(|value| *value as f64).collect();
        Spread::of(&values).map_or_else(String::new, |it| format!("{:.1} ± {:.1}", it.mean, it.deviation))
    };
    say!(
        "{:<28} {:>5} {:>16} {:>16} {:>18}",
        "",
        "tau",
        "fullest at end",
        "fullest of all",
        "steps above tau"
    )?;
    for row in rows {
        let threshold = row.threshold.map_or_else(String::new, |it| it.to_string());
        let settled = row.settled.as_deref().map_or_else(String::new, spread);
        let (last, most) = (spread(&row.last), spread(&row.most));
        say!("{:<28} {threshold:>5} {last:>16} {most:>16} {settled:>18}", row.name)?;
    }
    Ok(())
}
