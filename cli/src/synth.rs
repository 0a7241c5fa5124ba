//! `weft synth`: the cells of a device that blocks use, their levels, their clocks.

use crate::blocks::Shape;
use crate::output::{self, say, tell};
use crate::pool::pool;
use crate::progress::Progress;
use crate::{interrupt, page};
use anyhow::{Context, Result, ensure};
use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use weft_hdl::catalogue::{BLOCKS, Block};
use weft_synth::{
    Job, Limit, OF_NIC, Results, Row, Target, Tool, Tools, YARDSTICKS, Yardstick, grown, limits, markdown,
    memories, missed, shapes, synthesise, text, widths, windows,
};
use weft_wire::write_atomically;

/// The name for every block but the NIC.
const ALL: &str = "all";
const NIC: &str = "nic";
/// The mark of the table that compares blocks with hand-written blocks.
const YARDSTICK: &str = "yardstick";
/// The mark of the table of the limits of the flow itself.
const LIMITS: &str = "limits";
/// The mark of the table of shapes of the NIC.
const SHAPES: &str = "shapes";
/// The mark of the table of blocks with windows above 256 PSNs.
const WINDOWS: &str = "windows";
/// The mark of the table of widths of the NIC's streams.
const WIDTHS: &str = "widths";
/// The mark of the table of the NIC's memories.
const MEMORIES: &str = "memories";
/// Text after the words of a shape whose large memories are UltraRAM.
const ULTRA: &str = ", large memories in UltraRAM";
/// The flags that name a file of measurements.
const MEASURED: &str = "measured";
/// Runs of place and route.
const SEEDS: u32 = 3;

/// The blocks, their shape, and the device family.
#[derive(Args)]
#[command(group(ArgGroup::new(MEASURED).args(["against", "out"]).multiple(true)))]
#[command(after_help = "\
yosys makes a flat netlist of the block. The command counts its cells, the LUTs and carry chains on the longest path between
two registers, and the most pins that any enable, and any reset, drives. For ecp5 nextpnr also places and routes the block,
with registers in place of its neighbours, on an LFE5U-85F of speed 8: the clock is the median of the seeds.
scripts/setup.sh extra installs the tools. Page docs/synthesis.md.

Exit code 0: all is well, 1: a block has grown or a page is stale, 2: wrong usage or a tool is missing.

Examples:
  weft synth --block reps --target xcup
  weft synth --block reps --target ecp5 --seeds 5 --json
  weft synth --block smartt --target xcup --connections 1024
  weft synth --block all --target xcup --connections 4096 --ultra-ram --out docs/results/shapes_xcup.json
  weft synth --block all --target xcup --out docs/results/synth_xcup.json
  weft synth --block nic --target xcup --width 128 --out docs/results/synth_xcup.json
  weft synth --block sack_rx --target xcup --psns 512 --out docs/results/windows_xcup.json
  weft synth --block reps --target xcup --against docs/results/synth_xcup.json
  weft synth --block all --target xcup --against docs/results/synth_xcup.json --changed
  weft synth --block all --target ecp5 --out ecp5.json --changed   # continues an interrupted run
  weft synth --block reps --target xcup --yardstick   # also measures the same block written by hand
  weft synth --limits --out docs/results/limits_ecp5.json   # the clock of single LUTs, adders and RAMs between registers
  weft synth --pages                           # the tables of the pages from docs/results/")]
pub(crate) struct SynthArgs {
    /// Block, or `all`: each block except the NIC. `nic` covers the part of the NIC between its five blocks,
    /// the converters of narrow streams.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(names()), required_unless_present_any = ["pages", "limits"])]
    block: Option<String>,
    /// The family: ecp5, xcup (UltraScale+) or xc7 (7 series).
    #[arg(long, value_name = "FAMILY", value_parser = PossibleValuesParser::new(Target::ALL.map(Target::name)), required_unless_present_any = ["pages", "limits"])]
    target: Option<String>,
    #[command(flatten)]
    shape: Shape,
    /// ecp5: number of runs of place and route, each with another seed; 0: no place and route [default: 3].
    #[arg(long, value_name = "N")]
    seeds: Option<u32>,
    /// Measure a hand-written block too, with the same ports and values, in the default shape.
    #[arg(long, conflicts_with = "against")]
    yardstick: bool,
    /// Place and route for ecp5 the parts that limit every block, each alone between two registers: LUTs in a
    /// row, an adder, a multiplier, a block RAM.
    #[arg(long, conflicts_with_all = ["block", "target", "yardstick", "against", "connections", "depth", "ev_width", "width", "bypass_user"])]
    limits: bool,
    /// xcup: let the large memories be UltraRAM (parameter LARGE_RAM of the Verilog).
    #[arg(long, conflicts_with_all = ["yardstick", "limits"])]
    ultra_ram: bool,
    /// Number of runs of tools side by side [default: one for each core]. nextpnr needs up to 1 GB for each.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    /// Write the result to a file, as JSON. Rows of other blocks, shapes and families in that file stay.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Compare with FILE, written by an earlier --out. Exit with 1 if a block has 5 % more LUTs or registers,
    /// one more RAM, multiplier or level, or a clock 10 % lower. Exit with 1 also if an enable or a reset
    /// drives more than 1,000 pins and did not before.
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Skip a block if the file --against, or else --out, has results for the same Verilog, tools and number
    /// of seeds. With this flag a run continues an interrupted one.
    #[arg(long, requires = MEASURED)]
    changed: bool,
    /// Write the tables into the pages under docs/, between their marks: from docs/results/*.json, and the
    /// table of memories from the Verilog.
    #[arg(long, conflicts_with_all = ["block", "target", "seeds", "jobs", "yardstick", "limits", "ultra_ram", "json", "out", "against", "changed", "connections", "depth", "ev_width", "width", "bypass_user"])]
    pages: bool,
    /// Write nothing; exit with 1 if a page is stale.
    #[arg(long, requires = "pages")]
    check: bool,
    /// The repository.
    #[arg(long, value_name = "FOLDER", default_value = ".", requires = "pages")]
    root: PathBuf,
}

fn names() -> impl Iterator<Item = &'static str> {
    BLOCKS.iter().map(|block| block.name).chain([ALL])
}

/// Measures blocks, or writes pages. Returns `false` if a block has grown or a page is stale.
pub(crate) fn run(args: &SynthArgs) -> Result<bool> {
    if args.pages {
        return page::refresh("synth", &args.root, args.check, &|name| generated(&args.root, name));
    }
    if args.limits {
        return run_limits(args);
    }
    let name = args.block.as_deref().context("--block is missing")?;
    let target = args.target.as_deref().and_then(|name| Target::ALL.into_iter().find(|it| it.name() == name));
    let target = target.context("--target is missing")?;
    ensure!(
        args.seeds.is_none() || target == Target::Ecp5,
        "--seeds is only for --target ecp5: weft does not place blocks for {target}"
    );
    ensure!(
        name != NIC || target != Target::Ecp5,
        "--block nic is not for --target ecp5, where weft places block by block: name one block, or all"
    );
    ensure!(
        !args.ultra_ram || target == Target::Xcup,
        "--ultra-ram is only for --target xcup: {target} has no UltraRAM"
    );
    let wanted = |block: &&Block| block.name == name || name == ALL && block.name != NIC;
    let blocks: Vec<&Block> = BLOCKS.iter().filter(wanted).collect();
    let shape = args.shape.of(&blocks)?;
    if args.yardstick {
        let of: Vec<&str> = YARDSTICKS.iter().map(|yardstick| yardstick.block).collect();
        ensure!(
            of.contains(&name),
            "--yardstick is only for {}: {name} has no hand-written version",
            of.join(", ")
        );
        ensure!(shape == Default::default(), "--yardstick is only for the default shape");
    }
    blocks.iter().try_for_each(|block| (block.check)(&shape))?;
    let read = |path| Results::read(path).map(|then| (then, path));
    let against = args.against.as_deref().map(read).transpose()?;
    let in_nic: Vec<&str> = BLOCKS.iter().filter(|block| block.name != NIC).map(|block| block.top).collect();
    let seeds = if target == Target::Ecp5 { args.seeds.unwrap_or(SEEDS) } else { 0 };
    let yardstick = Yardstick::of(name).filter(|_| args.yardstick);
    let by_hand = yardstick.map(Yardstick::modules).unwrap_or_default();
    let emitted = blocks.iter().map(|block| (block.emit)(&shape)).collect::<Result<Vec<_>, _>>()?;
    let tools = Tools::find()?;
    let mut jobs = Vec::new();
    for (block, modules) in blocks.iter().zip(&emitted) {
        let words = (block.words)(&shape) + if args.ultra_ram { ULTRA } else { "" };
        let job = Job {
            block: block.name,
            top: block.top,
            shape: words,
            modules,
            apart: if block.name == NIC { &in_nic } else { &[] },
            ultra: args.ultra_ram,
            target,
            seeds,
        };
        jobs.extend(yardstick.map(|yardstick| yardstick.job(&job, &by_hand)));
        jobs.push(job);
    }
    let jobs = wanted_of(args, against.as_ref().map(|(then, _)| then), jobs, &tools)?;
    if let Some((then, file)) = &against {
        jobs.iter().try_for_each(|job| before(then, file, (job.block, &job.shape, target)).map(|_| ()))?;
    }
    let results = measured(args, &tools, &jobs)?;
    show(args, &results)?;
    let mut good = results.rows.len() == jobs.len();
    if let Some((then, file)) = &against {
        for row in &results.rows {
            good &= is_no_larger(row, before(then, file, (&row.block, &row.shape, target))?, file);
        }
    }
    Ok(good)
}

/// Measures the limits of the flow itself.
fn run_limits(args: &SynthArgs) -> Result<bool> {
    ensure!(args.seeds != Some(0), "--limits only places and routes: use --seeds 1 or more");
    let seeds = args.seeds.unwrap_or(SEEDS);
    let named = Limit::ALL.map(|limit| (limit, limit.name(), limit.modules()));
    let jobs = named.iter().map(|(limit, name, modules)| limit.job(name, modules, seeds)).collect();
    let tools = Tools::find()?;
    let jobs = wanted_of(args, None, jobs, &tools)?;
    let results = measured(args, &tools, &jobs)?;
    show(args, &results)?;
    Ok(results.rows.len() == jobs.len())
}

/// The jobs. With --changed, only the jobs that the file lacks; a message names the skipped jobs.
fn wanted_of<'a>(
    args: &SynthArgs,
    against: Option<&Results>,
    jobs: Vec<Job<'a>>,
    tools: &Tools,
) -> Result<Vec<Job<'a>>> {
    if !args.changed {
        return Ok(jobs);
    }
    let kept = Kept::read(args.out.as_deref().filter(|_| against.is_none()))?;
    let Some(then) = against.or(kept.file.as_ref().map(|(_, rows)| rows)) else {
        return Ok(jobs);
    };
    let is_placed = jobs.iter().any(|job| job.seeds > 0);
    let used = if is_placed { &[Tool::Yosys, Tool::NextpnrEcp5][..] } else { &[Tool::Yosys] };
    let versions = used.iter().map(|tool| tools.version(*tool)).collect::<Result<Vec<_>, _>>()?;
    let (measured, wanted): (Vec<_>, _) = jobs.into_iter().partition(|job| is_measured(job, then, &versions));
    measured.iter().for_each(|job| tell(format_args!("{} is as it was measured", job.block)));
    Ok(wanted)
}

/// Measures jobs side by side, and stores each row at once. If the result has fewer rows than jobs, the run
/// was interrupted.
fn measured(args: &SynthArgs, tools: &Tools, jobs: &[Job<'_>]) -> Result<Results> {
    let kept = Mutex::new(Kept::read(args.out.as_deref())?);
    let threads = pool(args.jobs)?;
    interrupt::listen()?;
    let runs = jobs.iter().map(|job| u64::from(1 + job.seeds)).sum();
    let progress = Progress::of_runs(runs);
    let has_failed = AtomicBool::new(false);
    let stops = || interrupt::pressed() || has_failed.load(Ordering::Relaxed);
    let ran = || {
        progress.one_more();
        !stops()
    };
    let row = |job: &Job<'_>| -> Result<Option<Row>> {
        if stops() {
            return Ok(None);
        }
        let row = synthesise(tools, job, &ran);
        if row.is_err() && stops() {
            return Ok(None);
        }
        let row = row.inspect_err(|_| has_failed.store(true, Ordering::Relaxed))?;
        tracing::debug!(block = row.block, lut = row.area.lut, levels = row.longest.levels, "measured");
        kept.lock().unwrap_or_else(PoisonError::into_inner).put(&row)?;
        Ok(Some(row))
    };
    let rows = threads.install(|| jobs.par_iter().with_max_len(1).map(row).collect::<Result<Vec<_>>>())?;
    if interrupt::pressed() {
        tell("stopped before the end: this is what was measured");
    }
    let mut results = Results::default();
    rows.into_iter().flatten().for_each(|row| results.put(row));
    Ok(results)
}

/// The file of --out, if one is named.
struct Kept<'a> {
    file: Option<(&'a Path, Results)>,
}

impl<'a> Kept<'a> {
    fn read(path: Option<&'a Path>) -> Result<Self> {
        let read = |path: &'a Path| {
            Ok::<_, weft_synth::Error>((
                path,
                if path.exists() { Results::read(path)? } else { Results::default() },
            ))
        };
        Ok(Self { file: path.map(read).transpose()? })
    }

    /// Adds a row to the results, and writes the file.
    fn put(&mut self, row: &Row) -> Result<()> {
        if let Some((path, results)) = &mut self.file {
            results.put(row.clone());
            write_atomically(path, |file| {
                serde_json::to_writer_pretty(file, results).map_err(std::io::Error::from)
            })?;
        }
        Ok(())
    }
}

/// Prints results.
fn show(args: &SynthArgs, results: &Results) -> Result<()> {
    if args.json {
        output::json(results)?;
    } else {
        output::text(&text(results))?;
        for line in results.rows.iter().flat_map(missed) {
            say!("{}", line.replace(['`', '*'], ""))?;
        }
    }
    Ok(())
}

/// Whether `then` has a row for the job's Verilog, measured with the same versions of tools and the same
/// number of seeds.
fn is_measured(job: &Job<'_>, then: &Results, versions: &[String]) -> bool {
    then.of(job.block, &job.shape, job.target).is_some_and(|row| {
        let seeds = row.clock.as_ref().map_or(0, |clock| clock.runs.len());
        row.verilog == job.fingerprint() && row.tools == versions && seeds == job.seeds as usize
    })
}

/// The row of a block, shape and family in the file of --against.
fn before<'a>(
    then: &'a Results,
    file: &Path,
    (block, shape, target): (&str, &str, Target),
) -> Result<&'a Row> {
    let file = file.display();
    let missing = || format!("{file} has no {block} for {target} of {shape}; measure it with --out {file}");
    then.of(block, shape, target).with_context(missing)
}

/// Prints the counts that have grown. Returns whether none has.
fn is_no_larger(row: &Row, old: &Row, file: &Path) -> bool {
    let found = grown(row, old);
    for line in &found {
        tell(format_args!("{} has grown: {line} ({})", row.block, file.display()));
    }
    found.is_empty()
}

/// The text for a mark of a page: a family's table, the blocks that miss the target, the lines of one block,
/// blocks beside hand-written blocks, shapes, widths or memories of the NIC, larger windows, or the limits of the flow.
fn generated(root: &Path, name: &str) -> Result<String> {
    let (family, what) = name.split_once(' ').unwrap_or((name, ALL));
    if what == MEMORIES {
        return Ok(memories()?);
    }
    let kind = if [YARDSTICK, SHAPES, LIMITS, WINDOWS].contains(&what) { what } else { "synth" };
    let path = root.join(format!("docs/results/{kind}_{family}.json"));
    let mut results = Results::read(&path)?;
    match what {
        "missed" => {
            let lines: String =
                results.rows.iter().flat_map(missed).map(|line| format!("- {line}\n")).collect();
            return Ok(if lines.is_empty() { "No block.\n".into() } else { lines });
        }
        WIDTHS => return Ok(widths(&results)),
        ALL => results.rows.retain(|row| row.block != NIC),
        YARDSTICK | SHAPES | LIMITS | WINDOWS => {}
        NIC => results.rows.retain(|row| OF_NIC.contains(&row.block.as_str())),
        block => results.rows.retain(|row| row.block == block),
    }
    if results.rows.is_empty() {
        return Ok("Not measured yet.\n".into());
    }
    Ok(match what {
        SHAPES => shapes(&results),
        LIMITS => limits(&results),
        WINDOWS => windows(&results),
        _ => markdown(&results),
    })
}
