//! `weft reproduce`: runs rows of the papers' results again, and checks the claims of their pages.

mod claims;
mod pages;
mod rows;

use crate::interrupt;
use crate::output::{say, tell};
use crate::plot::fabric::PlotArgs;
use crate::sweep::{self, SweepArgs};
use anyhow::{Context, Result, bail, ensure};
use claims::Measured;
use clap::{Args, Parser};
use rows::{Kind, Row, Run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The rows to run, and the length of their runs.
#[derive(Args)]
#[command(after_help = "\
docs/results/rows.toml has a row for each result of a paper: which runs it needs, and which shapes its page claims (such as
an order or a ratio with bounds). Runs are those of `weft sweep`: each leaves a JSON in the folder, and the same command
goes on where it stopped. The command prints the runs to do and their estimated duration, then a line for each claim. Exit
code 1 if a claim does not hold, or a run loses count of packets or bytes. With --quick networks are smaller and seeds fewer,
and bounds are wider where their rows say so.

Examples:
  weft reproduce R3
  weft reproduce all --quick
  weft reproduce O5 --quick --plots --out build/o5")]
pub(crate) struct ReproduceArgs {
    /// The row, as in docs/results/rows.toml: for example R3, or `all`.
    #[arg(value_name = "ID", required_unless_present = "pages")]
    id: Option<String>,
    /// Run the short form, which takes minutes for all rows together.
    #[arg(long)]
    quick: bool,
    /// Folder for the results [default: build/reproduce, with --quick build/reproduce_quick].
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Number of runs side by side [default: one for each core].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Draw the rows' plots into the folder.
    #[arg(long)]
    plots: bool,
    /// Only print the runs and their estimated duration; run nothing.
    #[arg(long)]
    list: bool,
    /// Write the gallery and the table of results in README.md.
    #[arg(long, conflicts_with_all = ["id", "quick", "out", "plots", "list"])]
    pages: bool,
    /// With --pages: write nothing. The exit code is 1 if a page is stale.
    #[arg(long, requires = "pages")]
    check: bool,
    /// File of the rows [default: docs/results/rows.toml].
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
    /// Folder of the repository.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
}

/// Arguments of a `weft sweep`.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct SweepWords {
    #[command(flatten)]
    sweep: SweepArgs,
}

/// Arguments of a `weft plot`.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct PlotWords {
    #[command(flatten)]
    plot: PlotArgs,
}

/// Runs the command. Returns `false` if a claim does not hold, or a page is stale.
pub(crate) fn run(args: &ReproduceArgs) -> Result<bool> {
    let file = args.rows.clone().unwrap_or_else(|| args.root.join("docs/results/rows.toml"));
    let all = rows::read(&file)?;
    if args.pages {
        return pages::write(&args.root, &all, args.check);
    }
    let id = args.id.as_deref().unwrap_or("all");
    let wanted: Vec<&Row> = match id {
        "all" => all.iter().filter(|row| !row.runs.is_empty()).collect(),
        id => vec![one(&all, id)?],
    };
    let form = Form { args, quick: args.quick };
    let mut seconds = 0.0;
    for row in &wanted {
        let [runs, least] = form.work(row)?;
        seconds += least;
        say!("{:<4} {}: {runs} runs, about {}", row.id, row.what, duration(least))?;
    }
    if wanted.len() > 1 {
        say!("all: {} rows, about {} of a core", wanted.len(), duration(seconds))?;
    }
    if args.list {
        return Ok(true);
    }
    interrupt::listen()?;
    let mut good = true;
    for row in wanted {
        let holds = form.reproduce(row).with_context(|| row.id.clone())?;
        good &= holds;
    }
    Ok(good)
}

/// The row with a name, if it can be run.
fn one<'a>(all: &'a [Row], id: &str) -> Result<&'a Row> {
    let Some(row) = all.iter().find(|row| row.id.eq_ignore_ascii_case(id)) else {
        bail!("{id} is not a row; rows are R1 to R19, S1 to S10, C1 to C10, O1 to O17, and all");
    };
    ensure!(!row.runs.is_empty(), "{} is open: {}", row.id, row.why);
    Ok(row)
}

/// A rounded duration for display.
fn duration(seconds: f64) -> String {
    match seconds {
        below if below < 90.0 => format!("{:.0} s", below.max(1.0)),
        below if below < 5_400.0 => format!("{:.0} min", below / 60.0),
        hours => format!("{:.1} h", hours / 3_600.0),
    }
}

/// Estimate of the packets that a core simulates per second, with all their consequences.
const PACKETS: f64 = 300_000.0;
/// Estimate of the seconds of a command that is not a sweep.
const OTHER: f64 = 10.0;

/// The form in which rows are run.
struct Form<'a> {
    args: &'a ReproduceArgs,
    quick: bool,
}

impl Form<'_> {
    fn folder(&self, row: &Row, run: &Run) -> PathBuf {
        let usual = if self.quick { "build/reproduce_quick" } else { "build/reproduce" };
        let out = self.args.out.clone().unwrap_or_else(|| self.args.root.join(usual));
        if run.name.is_empty() { out.join(&row.id) } else { out.join(&row.id).join(&run.name) }
    }

    /// The arguments of a run: the arguments of both forms, then those of the chosen form.
    fn words(&self, run: &Run) -> Vec<String> {
        let of_form = if self.quick { &run.quick } else { &run.full };
        run.words.split_whitespace().chain(of_form.split_whitespace()).map(str::to_owned).collect()
    }

    fn sweep(&self, row: &Row, run: &Run) -> Result<SweepArgs> {
        let mut words = self.words(run);
        // Files have the names of those in docs/results.
        words[0] = self.args.root.join("docs/results").join(&words[0]).display().to_string();
        words.extend(["--out".to_owned(), self.folder(row, run).display().to_string()]);
        words.extend(self.args.jobs.iter().flat_map(|jobs| ["--jobs".to_owned(), jobs.to_string()]));
        Ok(SweepWords::try_parse_from(&words).map_err(wrong)?.sweep)
    }

    /// Number of runs of a row, and an estimate of their seconds on one core.
    fn work(&self, row: &Row) -> Result<[f64; 2]> {
        let mut sum = [0.0; 2];
        for run in row.runs.iter().filter(|run| run.is_of(self.quick)) {
            let [runs, packets] = match run.kind {
                Kind::Sweep => sweep::work(&self.sweep(row, run)?).with_context(|| row.id.clone())?,
                Kind::Weft => {
                    let words = ["weft".to_owned()].into_iter().chain(self.words(run));
                    crate::Cli::try_parse_from(words).map_err(wrong)?;
                    [1.0, OTHER * PACKETS]
                }
                Kind::Test => [1.0, OTHER * PACKETS],
            };
            sum = [sum[0] + runs, sum[1] + packets / PACKETS];
        }
        // An impossible plot is an error before the first run.
        for how in row.plots.iter().filter_map(|plot| plot.how.as_ref()) {
            PlotWords::try_parse_from(["a"].into_iter().chain(how.split_whitespace()).chain(["--out", "b"]))
                .map_err(wrong)?;
        }
        Ok(sum)
    }

    /// Runs a row and prints which of its claims hold. Returns whether all do.
    fn reproduce(&self, row: &Row) -> Result<bool> {
        let mut measured = Measured::default();
        let mut good = true;
        for run in row.runs.iter().filter(|run| run.is_of(self.quick)) {
            match run.kind {
                Kind::Sweep => {
                    let swept = sweep::results(&self.sweep(row, run)?)?;
                    for line in swept.violations() {
                        tell(format_args!("{}: {line}", row.id));
                        good = false;
                    }
                    measured.add(&run.name, swept);
                }
                Kind::Weft => measured.add_json(&run.name, &self.weft(run)?)?,
                Kind::Test => good &= self.test(row, run)?,
            }
        }
        for claim in row.claims.iter().filter(|claim| claim.is_of(self.quick)) {
            let (holds, found) = measured.check(claim)?;
            good &= holds;
            say!("{:<4} {} {}: {found}", row.id, if holds { "holds   " } else { "DOES NOT" }, claim.text)?;
        }
        if self.args.plots {
            self.plot(row)?;
        }
        Ok(good)
    }

    /// The JSON result of a command of this program.
    fn weft(&self, run: &Run) -> Result<String> {
        let output = Command::new(std::env::current_exe()?).args(self.words(run)).arg("--json").output()?;
        ensure!(
            output.status.success(),
            "weft {}: {}",
            run.words,
            String::from_utf8_lossy(&output.stderr).trim()
        );
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Runs a test of the repository.
    fn test(&self, row: &Row, run: &Run) -> Result<bool> {
        let words = ["test", "--release", "--quiet"].map(str::to_owned).into_iter().chain(self.words(run));
        let output = Command::new("cargo").args(words).current_dir(&self.args.root).output();
        let output = output.context("cannot run cargo")?;
        let printed = String::from_utf8_lossy(&output.stdout);
        let ran =
            printed.lines().any(|line| line.starts_with("test result: ok. ") && !line.contains(" 0 passed"));
        let holds = output.status.success() && ran;
        say!("{:<4} {} cargo test {}", row.id, if holds { "holds   " } else { "DOES NOT" }, run.words)?;
        Ok(holds)
    }

    fn plot(&self, row: &Row) -> Result<()> {
        for plot in &row.plots {
            let Some(how) = &plot.how else { continue };
            let runs = row.runs.iter().filter(|run| plot.of.is_empty() || plot.of.contains(&run.name));
            let folders: Vec<PathBuf> = runs.map(|run| self.folder(row, run)).collect();
            let Some(parent) = folders.first().and_then(|folder| folder.parent()) else { continue };
            let out = if row.runs[0].name.is_empty() { &folders[0] } else { parent }.join(&plot.file);
            let words = folders.iter().map(|folder| folder.display().to_string());
            let words = words.chain(how.split_whitespace().map(str::to_owned));
            let words = words.chain(["--out".to_owned(), out.display().to_string()]);
            crate::plot::fabric::run(&PlotWords::try_parse_from(words).map_err(wrong)?.plot)?;
            say!("{:<4} {}", row.id, out.display())?;
        }
        Ok(())
    }
}

/// An error in the arguments in the file of rows.
fn wrong(error: clap::Error) -> anyhow::Error {
    let first = error.to_string();
    anyhow::anyhow!("rows.toml: {}", first.lines().next().unwrap_or_default())
}

/// The folder of the rows' pages.
fn folder(root: &Path) -> PathBuf {
    root.join("docs/results")
}
