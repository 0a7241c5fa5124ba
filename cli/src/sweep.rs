//! `weft sweep`: runs of a setup over values of its keys and over seeds, on all cores.

use crate::interrupt;
use crate::output::{self, say};
use crate::pool::pool;
use crate::progress::Progress;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use rayon::ThreadPool;
use rayon::prelude::*;
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;
use weft_fabric::plan::Plan;
use weft_sweep::filter::Filter;
use weft_sweep::points::{self, Point, Seeds};
use weft_sweep::run::{End, Told, can_be, one, write};
use weft_sweep::share::{self, Shard};
use weft_sweep::table;

/// The runs, and the place of their results.
#[derive(Args)]
#[command(after_help = "\
The command runs the file once for each combination of values and each seed. Each run writes the JSON of `weft sim --json`
into the folder. The command skips a run if the folder has its result from the same setup, files and program. So an
interrupted sweep goes on where it stopped. Several sweeps may share a folder: each run is done by one of them.
The command prints for each combination mean and standard deviation over the seeds, the least and the largest value, and the
confidence interval of the mean at 95 % (Student). If some runs or flows have not ended, the table says how many have.
Exit code 1: a run has violations (see weft sim --help). Exit code 2: a combination is impossible with every seed, and
nothing was run; or the failed links that a seed draws cut hosts off, and this seed was left out.

Examples:
  weft sweep examples/permutation.toml --over hosts.ev_mode=reps,ops --seeds 5 --out build/permutation
  weft sweep examples/web_search.toml --over workload.load=0.4,0.8 --over scheme.name=ecmp,jsq --seeds 5 --out build/web
  weft sweep examples/web_search.toml --over 'scheme.name+hosts.ev_mode=ecmp+fixed,ecmp+reps,ofan+fixed' \\
    --seeds 3,20-28 --csv web.csv --out build/web
  weft plot build/permutation --kind bars --out permutation.svg

On many machines with one folder, start each command with --shard, or with --point and the number of a task. At the end the
same command without these flags prints the table (docs/clusters.md):
  weft sweep examples/permutation.toml --over hosts.ev_mode=reps,ops --seeds 5 --out build/permutation --list
  weft sweep examples/permutation.toml --over hosts.ev_mode=reps,ops --seeds 5 --out build/permutation --shard 2/4
  weft sweep examples/permutation.toml --over hosts.ev_mode=reps,ops --seeds 5 --out build/permutation --point 7")]
pub(crate) struct SweepArgs {
    /// File to run.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Run all values of a key, as table.key=value,value; the flag may be given more than once. Keys that
    /// change together are joined by +, and so are their values: key+key=value+value,value+value.
    #[arg(long = "over", value_name = "KEY=VALUES")]
    over: Vec<String>,
    /// Set a key of the file for all runs, as table.key=value; may be given more than once.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Seeds: N for 1 to N, or a list such as 3,7,20-29 [default: 1].
    #[arg(long, value_name = "N", default_value = "1", hide_default_value = true)]
    seeds: Seeds,
    /// In the table's distributions use only flows that meet these conditions, such as bytes<100000,rack=3 (see
    /// weft sim --help).
    #[arg(long = "where", value_name = "CONDITIONS")]
    filter: Option<Filter>,
    /// Write the table to this file (CSV).
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the table to this file (JSON).
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Folder for the results.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Number of runs side by side [default: one for each core].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Print the runs without running them: number, combination, seed and the result's file, separated by
    /// tabs.
    #[arg(long, conflicts_with_all = ["point", "shard", "csv", "json", "filter"])]
    list: bool,
    /// Do only the run with this number, as in --list, and print no table.
    #[arg(long, value_name = "N", conflicts_with_all = ["shard", "csv", "json", "filter"])]
    point: Option<usize>,
    /// Do only every N-th run, from the I-th on (I from 1 to N), and print no table.
    #[arg(long, value_name = "I/N", conflicts_with_all = ["csv", "json", "filter"])]
    shard: Option<Shard>,
}

/// The runs of a sweep with their results; `None` for runs that are not possible.
pub(crate) struct Swept {
    points: Vec<Point>,
    results: Vec<Option<Value>>,
}

impl Swept {
    /// Failures of the accounting checks.
    pub(crate) fn violations(&self) -> impl Iterator<Item = String> {
        let lists = self.results.iter().flatten().filter_map(|result| result["violations"].as_array());
        lists.flatten().map(ToString::to_string)
    }

    /// Results, each with the values of the swept keys.
    pub(crate) fn named(self) -> impl Iterator<Item = (String, Value)> {
        let name = |point: &Point| {
            point.values.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(", ")
        };
        self.points
            .into_iter()
            .zip(self.results)
            .filter_map(move |(point, result)| Some((name(&point), result?)))
    }
}

/// Number of runs of a sweep, and number of their data packets.
pub(crate) fn work(args: &SweepArgs) -> Result<[f64; 2]> {
    let points = points::all(&args.over, &args.sets, &args.seeds, &args.out)?;
    let mut packets = 0.0;
    for seeds in points.chunk_by(|a, b| a.name == b.name) {
        let plan = Plan::read(&args.file, &seeds[0].sets)?;
        let mtu = plan.setup().hosts.mtu;
        let of_flow = plan.flows().iter().map(|flow| flow.bytes.div_ceil(mtu.into()) as f64);
        packets += seeds.len() as f64 * of_flow.sum::<f64>();
    }
    Ok([points.len() as f64, packets])
}

/// Runs all points without output, for a command that handles Ctrl-C itself.
pub(crate) fn results(args: &SweepArgs) -> Result<Swept> {
    let points = points::all(&args.over, &args.sets, &args.seeds, &args.out)?;
    swept(args, &pool(args.jobs)?, points)
}

/// Runs these points, unless the user stops the command. Flows that do not meet --where are left out of the
/// results.
fn swept(args: &SweepArgs, threads: &ThreadPool, points: Vec<Point>) -> Result<Swept> {
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let mut results = all(args, threads, &points)?;
    if interrupt::pressed() {
        bail!("stopped before the end; the same command continues the sweep");
    }
    if args.filter.is_some() {
        results.iter_mut().flatten().try_for_each(|result| Filter::apply(args.filter.as_ref(), result))?;
    }
    Ok(Swept { points, results })
}

/// Runs the sweep. Returns `false` if the accounting check of a run fails.
pub(crate) fn run(args: &SweepArgs) -> Result<bool> {
    let threads = pool(args.jobs)?;
    let mut points = points::all(&args.over, &args.sets, &args.seeds, &args.out)?;
    if args.list {
        list(&points)?;
        return Ok(true);
    }
    let in_all = points.len();
    let is_share = args.point.is_some() || args.shard.is_some();
    if is_share {
        points = share::of(points, args.point, args.shard)?;
    }
    for seeds in points.chunk_by(|a, b| a.name == b.name) {
        can_be(&args.file, seeds)?;
    }
    interrupt::listen()?;
    let swept = swept(args, &threads, points)?;
    let Swept { points, results } = &swept;
    let rows = table::rows(points, results);
    if is_share {
        let made = results.iter().flatten().count();
        say!("{made} of {in_all} results are in {}", args.out.display())?;
    } else {
        output::text(&table::text(&rows))?;
    }
    if let Some(path) = &args.csv {
        write(path, &table::csv(&rows))?;
    }
    if let Some(path) = &args.json {
        write(path, &(serde_json::to_string_pretty(&table::json(points, &rows))? + "\n"))?;
    }
    let violations = swept.violations().count();
    say!("violations: {violations}")?;
    let missing = results.iter().filter(|result| result.is_none()).count();
    ensure!(
        missing == 0 || violations > 0,
        "{missing} of {} runs have no result: see the errors above",
        points.len()
    );
    Ok(violations == 0)
}

/// Prints the runs, one per line.
fn list(points: &[Point]) -> Result<()> {
    for (number, point) in (1..).zip(points) {
        say!("{number}\t{}\t{}\t{}", point.name, point.seed, point.file.display())?;
    }
    Ok(())
}

/// The results in the order of the points; `None` for points that are impossible or were interrupted.
fn all(args: &SweepArgs, threads: &ThreadPool, points: &[Point]) -> Result<Vec<Option<Value>>> {
    let told = Told::by(&output::tell);
    let progress = Progress::of_runs(points.len() as u64);
    let run = |point: &Point| -> Result<End> {
        if interrupt::pressed() {
            return Ok(End::Interrupted);
        }
        let end = one(&args.file, point, &told, || !interrupt::pressed())?;
        if !matches!(end, End::Elsewhere) {
            progress.one_more();
        }
        Ok(end)
    };
    // Points that another sweep runs are waited for at the end.
    let later = |(point, end): (&Point, End)| -> Result<Option<Value>> {
        match end {
            End::Made(result) | End::Kept(result) => Ok(Some(result)),
            End::CannotBe | End::Interrupted => Ok(None),
            End::Elsewhere => loop {
                match run(point)? {
                    End::Made(result) | End::Kept(result) => break Ok(Some(result)),
                    End::CannotBe | End::Interrupted => break Ok(None),
                    End::Elsewhere => std::thread::sleep(WAIT),
                }
            },
        }
    };
    threads.install(|| {
        let ends: Vec<End> = points.par_iter().with_max_len(1).map(run).collect::<Result<_>>()?;
        points.par_iter().zip(ends).with_max_len(1).map(later).collect()
    })
}

/// Time between two checks whether another sweep has written a result.
const WAIT: Duration = Duration::from_millis(100);
