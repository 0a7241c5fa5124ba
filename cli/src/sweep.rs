//! `weft sweep`: a setup over values of its keys and over seeds, on all cores.

use crate::interrupt;
use crate::output::{self, say};
use crate::pool::pool;
use crate::progress::Progress;
use crate::sample::{Spread, busiest};
use crate::sim;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use rayon::ThreadPool;
use rayon::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use weft_fabric::plan::Plan;
use weft_fabric::simulate::Engine;

/// Which runs, and where their results go.
#[derive(Args)]
#[command(after_help = "\
Runs the file once for each combination of values and each seed from 1 on. Each run leaves a JSON in the folder, that of
`weft sim --json`. A run whose result is there already, of the same setup and version, is left out: so a sweep that was
interrupted goes on where it stopped. Printed: for each combination mean and standard deviation over the seeds. Exit code 1 if
the books of a run do not balance. A combination that cannot be with any seed is told before anything runs. A seed that cannot
be, because what it draws cuts hosts off, is told and left out; exit code 2 then.

Examples:
  weft sweep examples/permutation.toml --over hosts.ev_mode=reps,ops --seeds 5 --out build/permutation
  weft sweep examples/web_search.toml --over workload.load=0.4,0.8 --over scheme.name=ecmp,jsq --seeds 5 --out build/web
  weft plot build/permutation --kind bars --out permutation.svg")]
pub(crate) struct SweepArgs {
    /// What to run.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A key and its values, as table.key=value,value; may be given more than once.
    #[arg(long = "over", value_name = "KEY=VALUES")]
    over: Vec<String>,
    /// Sets a key of the file for all runs, as table.key=value.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Seeds 1 to N.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seeds: u32,
    /// Folder for the results.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Runs side by side [default: one for each core].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

/// What a point came to.
enum End {
    Result(Value),
    /// It cannot be, and that was told.
    CannotBe,
    Interrupted,
}

/// A run.
struct Point {
    /// The values of the combination.
    name: String,
    seed: u32,
    sets: Vec<String>,
    file: PathBuf,
}

/// Runs all of them. `false`: the books of one do not balance.
pub(crate) fn run(args: &SweepArgs) -> Result<bool> {
    ensure!(args.seeds > 0, "--seeds 0 cannot be; use 1 or more");
    let threads = pool(args.jobs)?;
    let points = points(args)?;
    for seeds in points.chunk_by(|a, b| a.name == b.name) {
        can_be(&args.file, seeds)?;
    }
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    interrupt::listen()?;
    let results = all(args, &threads, &points)?;
    if interrupt::pressed() {
        bail!("stopped before the end; the same command goes on");
    }
    output::text(&table(&points, &results)?)?;
    let violations: usize =
        results.iter().flatten().map(|result| result["violations"].as_array().map_or(0, Vec::len)).sum();
    say!("violations: {violations}")?;
    let missing = results.iter().filter(|result| result.is_none()).count();
    ensure!(missing == 0 || violations > 0, "{missing} of {} runs could not be", points.len());
    Ok(violations == 0)
}

/// One of the seeds of a combination can be; else what is wrong with the first.
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

/// All combinations with all seeds.
fn points(args: &SweepArgs) -> Result<Vec<Point>> {
    let mut combinations: Vec<Vec<String>> = vec![Vec::new()];
    for over in &args.over {
        let Some((key, values)) = over.split_once('=') else {
            bail!("--over {over}: give it as key=value,value");
        };
        let with = |combination: &Vec<String>| {
            let set = |value: &str| [combination.clone(), vec![format!("{key}={value}")]].concat();
            values.split(',').map(set).collect::<Vec<_>>()
        };
        combinations = combinations.iter().flat_map(with).collect();
    }
    let point = |(combination, seed): (&Vec<String>, u32)| {
        let name = if combination.is_empty() { "run".to_owned() } else { combination.join(",") };
        let sets = [args.sets.clone(), combination.clone(), vec![format!("seed={seed}")]].concat();
        let file = args.out.join(format!("{},seed={seed}.json", name.replace('/', "_")));
        Point { name, seed, sets, file }
    };
    Ok(combinations.iter().flat_map(|it| (1..=args.seeds).map(move |seed| (it, seed))).map(point).collect())
}

/// The results in the order of the points; none of those that cannot be or were not run any more.
fn all(args: &SweepArgs, threads: &ThreadPool, points: &[Point]) -> Result<Vec<Option<Value>>> {
    let told = Mutex::new(BTreeSet::new());
    let progress = Progress::of_runs(points.len() as u64);
    let run = |point: &Point| -> Result<Option<Value>> {
        if interrupt::pressed() {
            return Ok(None);
        }
        let end = one(&args.file, point, &told)?;
        progress.one_more();
        Ok(if let End::Result(result) = end { Some(result) } else { None })
    };
    threads.install(|| points.par_iter().with_max_len(1).map(run).collect())
}

/// The result of a point: that which is there, or a new one. A warning is told once.
fn one(file: &Path, point: &Point, told: &Mutex<BTreeSet<String>>) -> Result<End> {
    let plan = match Plan::read(file, &point.sets) {
        Ok(plan) => plan,
        Err(error) => {
            output::tell(format_args!("{}, seed {}: {error}", point.name, point.seed));
            return Ok(End::CannotBe);
        }
    };
    if let Ok(mut told) = told.lock() {
        plan.warnings().into_iter().filter(|line| told.insert(line.clone())).for_each(output::tell);
    }
    if let Some(known) = known(&point.file, &plan) {
        return Ok(End::Result(known));
    }
    let report = plan.run(Engine::Windows, |_| !interrupt::pressed());
    if report.is_interrupted {
        return Ok(End::Interrupted);
    }
    let result = serde_json::to_value(&report)?;
    sim::write(&point.file, &(serde_json::to_string_pretty(&result)? + "\n"))?;
    Ok(End::Result(result))
}

/// The result that is there, if it is of the same setup and version.
fn known(file: &Path, plan: &Plan) -> Option<Value> {
    let result: Value = serde_json::from_str(&std::fs::read_to_string(file).ok()?).ok()?;
    let setup = serde_json::to_value(plan.setup()).ok()?;
    (result["setup"] == setup && result["version"] == env!("CARGO_PKG_VERSION")).then_some(result)
}

/// Figures of a result, by their names; how many digits after the point.
const FIGURES: [(&str, &str, usize); 15] = [
    ("last receiver, us", "/summary/finish_us", 2),
    ("last sender, us", "/summary/acknowledged_us", 2),
    ("completion, mean, us", "/summary/fct_us/mean", 2),
    ("completion, p99, us", "/summary/fct_us/p99", 2),
    ("slowdown, mean", "/summary/slowdown/mean", 3),
    ("slowdown, p99", "/summary/slowdown/p99", 3),
    ("longest queue, bytes", "/summary/peak_bytes", 0),
    ("trimmed", "/summary/trims", 0),
    ("sent again", "/summary/again", 0),
    ("marked", "/summary/marks", 0),
    ("lost in cut links", "/summary/losses/link", 0),
    ("lost to bit errors", "/summary/losses/corrupt", 0),
    ("freezes", "/counters/paths_freezes", 0),
    ("thaws", "/counters/paths_thaws", 0),
    ("goodput in all, Gb/s", "/summary/goodput_gbps", 1),
];

/// A figure of all seeds, if all have it.
fn line(
    text: &mut String,
    name: &str,
    digits: usize,
    results: &[&Value],
    of: impl Fn(&Value) -> Option<f64>,
) -> Result<()> {
    let values: Option<Vec<f64>> = results.iter().map(|result| of(result)).collect();
    if let Some(Spread { mean, deviation, least, most }) = values.and_then(|values| Spread::of(&values)) {
        writeln!(
            text,
            "  {name:<26} {mean:.digits$} ± {deviation:.digits$}, {least:.digits$} to {most:.digits$}"
        )?;
    }
    Ok(())
}

fn table(points: &[Point], results: &[Option<Value>]) -> Result<String> {
    let mut text = String::new();
    for (at, group) in points.chunk_by(|a, b| a.name == b.name).scan(0, |at, group| {
        *at += group.len();
        Some((*at - group.len(), group))
    }) {
        let results: Vec<&Value> = results[at..at + group.len()].iter().flatten().collect();
        let all = group.len();
        let seeds = if results.len() < all { format!("{} of {all}", results.len()) } else { all.to_string() };
        writeln!(text, "{} ({seeds} seeds)", group[0].name)?;
        for (name, pointer, digits) in FIGURES {
            let of = |result: &Value| match result.pointer(pointer) {
                // A cause that no packet had may not be written.
                None if pointer.starts_with("/summary/losses/") => Some(0.0),
                value => value?.as_f64(),
            };
            line(&mut text, name, digits, &results, of)?;
        }
        for kind in 0..6 {
            if let Some(name) = results.first().and_then(|result| result["ports"][kind]["kind"].as_str()) {
                line(&mut text, &format!("busiest {name}, %"), 2, &results, |result| {
                    busiest(&result["ports"][kind])
                })?;
            }
        }
    }
    Ok(text)
}
