//! `weft sweep`: a setup over values of its keys and over seeds, on all cores.

mod claim;
mod points;
mod share;
mod table;

use crate::filter::Filter;
use crate::interrupt;
use crate::output::{self, say};
use crate::pool::pool;
use crate::program;
use crate::progress::Progress;
use crate::sim;
use anyhow::{Context, Result, bail, ensure};
use claim::Claim;
use clap::Args;
use points::{Point, Seeds};
use rayon::ThreadPool;
use rayon::prelude::*;
use serde_json::Value;
use share::Shard;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;
use weft_fabric::inputs::Input;
use weft_fabric::plan::Plan;
use weft_fabric::simulate::Engine;

/// Which runs, and where their results go.
#[derive(Args)]
#[command(after_help = "\
Runs the file once for each combination of values and each seed. Each run leaves a JSON in the folder, that of
`weft sim --json`. A run whose result is there already is left out, if setup, all files that it names and the program are
the same: so a sweep that was interrupted goes on where it stopped. Several sweeps may share a folder; each run is done by
one of them. Printed: for each combination mean and standard deviation over the seeds, least and most, and the confidence
interval of the mean at 95 % (Student); of how many runs and flows, if some have not ended. Exit code 1 if the books of a
run do not balance. The command reports a combination that is impossible with every seed before the first run.
A seed whose draws cut hosts off is reported and left out; exit code 2 then.

Examples:
  weft sweep examples/permutation.toml --over hosts.ev_mode=reps,ops --seeds 5 --out build/permutation
  weft sweep examples/web_search.toml --over workload.load=0.4,0.8 --over scheme.name=ecmp,jsq --seeds 5 --out build/web
  weft sweep examples/web_search.toml --over 'scheme.name+hosts.ev_mode=ecmp+fixed,ecmp+reps,ofan+fixed' \\
    --seeds 3,20-28 --csv web.csv --out build/web
  weft plot build/permutation --kind bars --out permutation.svg

Many machines with one folder: each takes --shard, or --point with the number of a task; at the end the same command without
them prints the table (docs/clusters.md):
  weft sweep examples/permutation.toml --over hosts.ev_mode=reps,ops --seeds 5 --out build/permutation --list
  weft sweep examples/permutation.toml --over hosts.ev_mode=reps,ops --seeds 5 --out build/permutation --shard 2/4
  weft sweep examples/permutation.toml --over hosts.ev_mode=reps,ops --seeds 5 --out build/permutation --point 7")]
pub(crate) struct SweepArgs {
    /// File to run.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A key and its values, as table.key=value,value; may be given more than once. Keys that change together are joined by
    /// +, and so are their values: key+key=value+value,value+value.
    #[arg(long = "over", value_name = "KEY=VALUES")]
    over: Vec<String>,
    /// Sets a key of the file for all runs, as table.key=value.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Seeds: N for 1 to N, or a list such as 3,7,20-29 [default: 1].
    #[arg(long, value_name = "N", default_value = "1", hide_default_value = true)]
    seeds: Seeds,
    /// Only flows that meet these conditions are in the table's distributions, as bytes<100000,rack=3 (see weft sim).
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
    /// Runs side by side [default: one for each core].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Print the runs and do none: number, combination, seed and the result's file, separated by tabs.
    #[arg(long, conflicts_with_all = ["point", "shard", "csv", "json", "filter"])]
    list: bool,
    /// Do the run of this number only, as --list counts, and print no table.
    #[arg(long, value_name = "N", conflicts_with_all = ["shard", "csv", "json", "filter"])]
    point: Option<usize>,
    /// Do every N-th run only, from the I-th on, as I/N, and print no table.
    #[arg(long, value_name = "I/N", conflicts_with_all = ["csv", "json", "filter"])]
    shard: Option<Shard>,
}

/// How the run of a point ended.
enum End {
    Result(Value),
    /// The point is impossible, and the command has printed why.
    CannotBe,
    Interrupted,
    /// Another sweep is at it.
    Elsewhere,
}

/// Runs all of them. `false`: the books of one do not balance.
pub(crate) fn run(args: &SweepArgs) -> Result<bool> {
    let threads = pool(args.jobs)?;
    let mut points = points::all(&args.over, &args.sets, &args.seeds, &args.out)?;
    if args.list {
        share::list(&points)?;
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
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    interrupt::listen()?;
    let mut results = all(args, &threads, &points)?;
    if interrupt::pressed() {
        bail!("stopped before the end; the same command goes on");
    }
    if args.filter.is_some() {
        results.iter_mut().flatten().try_for_each(|result| Filter::apply(args.filter.as_ref(), result))?;
    }
    let rows = table::rows(&points, &results);
    if is_share {
        let made = results.iter().flatten().count();
        say!("{made} of {in_all} results are in {}", args.out.display())?;
    } else {
        output::text(&table::text(&rows))?;
    }
    if let Some(path) = &args.csv {
        sim::write(path, &table::csv(&rows))?;
    }
    if let Some(path) = &args.json {
        sim::write(path, &(serde_json::to_string_pretty(&table::json(&points, &rows))? + "\n"))?;
    }
    let violations: usize =
        results.iter().flatten().map(|result| result["violations"].as_array().map_or(0, Vec::len)).sum();
    say!("violations: {violations}")?;
    let missing = results.iter().filter(|result| result.is_none()).count();
    ensure!(missing == 0 || violations > 0, "{missing} of {} runs could not be", points.len());
    Ok(violations == 0)
}

/// One of the seeds of a combination is possible; else the fault of the first.
fn can_be(file: &Path, seeds: &[Point]) -> Result<()> {
    let mut first = None;
    for point in seeds {
        match Plan::read(file, &point.sets) {
            Ok(_) => return Ok(()),
            Err(error) => first = first.or(Some(error)),
        }
    }
    first.map_or(Ok(()), |error| Err(error.into()))
}

/// The results in the order of the points; `None` for points that are impossible or were interrupted.
fn all(args: &SweepArgs, threads: &ThreadPool, points: &[Point]) -> Result<Vec<Option<Value>>> {
    let told = Told::default();
    let progress = Progress::of_runs(points.len() as u64);
    let run = |point: &Point| -> Result<End> {
        if interrupt::pressed() {
            return Ok(End::Interrupted);
        }
        let end = one(&args.file, point, &told)?;
        if !matches!(end, End::Elsewhere) {
            progress.one_more();
        }
        Ok(end)
    };
    // Points that another sweep is running are waited for when all else is done.
    let later = |(point, end): (&Point, End)| -> Result<Option<Value>> {
        match end {
            End::Result(result) => Ok(Some(result)),
            End::CannotBe | End::Interrupted => Ok(None),
            End::Elsewhere => loop {
                match run(point)? {
                    End::Result(result) => break Ok(Some(result)),
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

/// Time between two looks at the result of another sweep.
const WAIT: Duration = Duration::from_millis(100);

/// Lines for people, each printed once.
#[derive(Default)]
struct Told(Mutex<BTreeSet<String>>);

impl Told {
    fn once(&self, line: String) {
        if self.is_new(&line) {
            output::tell(line);
        }
    }

    fn is_new(&self, what: &str) -> bool {
        self.0.lock().is_ok_and(|mut told| told.insert(what.to_owned()))
    }
}

/// The result of a point: that which is there, or a new one.
fn one(file: &Path, point: &Point, told: &Told) -> Result<End> {
    let plan = match Plan::read(file, &point.sets) {
        Ok(plan) => plan,
        Err(error) => {
            output::tell(format_args!("{}, seed {}: {error}", point.name, point.seed));
            return Ok(End::CannotBe);
        }
    };
    plan.warnings().into_iter().for_each(|line| told.once(line));
    if let Kept::Good(result) = known(&point.file, &plan)? {
        return Ok(End::Result(result));
    }
    let Some(_claim) = Claim::take(&point.file)? else { return Ok(End::Elsewhere) };
    // Another sweep may have been there since.
    match known(&point.file, &plan)? {
        Kept::Good(result) => return Ok(End::Result(result)),
        Kept::Old(why) if told.is_new(&why) => {
            output::tell(format_args!("results {why} are made again, {} first", point.file.display()));
        }
        Kept::Old(_) => {}
        Kept::None => {}
    }
    let mut report = plan.run(Engine::Windows, |_| !interrupt::pressed());
    if report.is_interrupted {
        return Ok(End::Interrupted);
    }
    report.program = Some(program::digest()?);
    let result = serde_json::to_value(&report)?;
    sim::write(&point.file, &(serde_json::to_string_pretty(&result)? + "\n"))?;
    Ok(End::Result(result))
}

/// The file at a result's place.
enum Kept {
    None,
    /// The result that a run would give again.
    Good(Value),
    /// Another one, and in which way.
    Old(String),
}

/// Whether a result is there: a result is valid if it is of the same setup, the same files and the same program.
fn known(file: &Path, plan: &Plan) -> Result<Kept> {
    let Ok(text) = std::fs::read_to_string(file) else { return Ok(Kept::None) };
    let old = |why: &str| Ok(Kept::Old(why.to_owned()));
    let Ok(result) = serde_json::from_str::<Value>(&text) else { return old("that cannot be read") };
    if result["setup"] != serde_json::to_value(plan.setup())? {
        return old("of another setup");
    }
    let before = |it: &&Input| {
        let same = |other: &Value| other["file"] == it.file && other["sha256"] == it.sha256;
        !result["inputs"].as_array().is_some_and(|inputs| inputs.iter().any(same))
    };
    if let Some(changed) = plan.inputs().iter().find(before) {
        return old(&format!("of another {}", changed.file));
    }
    if result["program"] != program::digest()? {
        return old("of another program");
    }
    Ok(Kept::Good(result))
}
