//! `weft plot`: the drawings of the papers, from results of `weft sim` and `weft sweep`.

use super::bars::{BUSIEST, FINISH, LOST, bars};
use super::cdf::{self, Sample};
use super::colors::PALETTE;
use super::connection;
use super::curves::{Curve, Scale, curves};
use super::groups::{Group, column, drawn, drawn_of_flows, of_all, shortened};
use super::names::{Word, label, label_but, number, words};
use super::origin::Origin;
use super::over::{of_flows, over};
use super::paper::{self, Point};
use super::save;
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use plotters::style::RGBColor;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use weft_fabric::report::percentile;
use weft_sweep::filter::Filter;

/// The drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// The distribution of completion times.
    Cdf,
    /// By how much the last sender's time exceeds --bound, as a distribution over the runs.
    Above,
    /// Like cdf, for goodputs: all flows from one host to another, from the start of the first to the end of
    /// the last.
    Goodput,
    /// Slowdown by size of flow: mean and 99th percentile.
    Size,
    /// A bar for each kind of run: mean and standard deviation of the time of the last receiver.
    Bars,
    /// Longest queue over the first key whose values are numbers, such as the bytes of a message. The line is
    /// the mean; the band is one standard deviation up and down.
    Peak,
    /// A --figure over the values of a --key. The line is the mean; the band is one standard deviation up and down.
    Over,
    /// Excess of the busiest link of a layer over the layer's mean, as bars, for the layer with the greatest
    /// excess.
    Busiest,
    /// Use of links over time, for the links in `[series]` and the first seed.
    Links,
    /// Queues over time: most bytes that waited in each bin.
    Queues,
    /// Packets of a connection that have arrived while an earlier packet is missing, over time, for the first
    /// seed: the maximum in each bin, and the mean in a pale colour.
    Early,
    /// Bars of the packets that were lost on cut links.
    Lost,
    /// Lost packets over time: of all links of `[series]` together, mean over the seeds.
    LostOver,
    /// A connection over time, from the FILE of `weft sim --events`: window, bytes in flight, freezes, and
    /// for each packet by PSN whether it was sent, marked, trimmed, found lost or sent again.
    Connection,
}

/// The results, and the form of the plot.
#[derive(Args)]
#[command(after_help = "\
Results are those of `weft sim --json` and `weft sweep --out`. Runs that differ only in the seed are one curve.

Examples:
  weft plot build/permutation --kind cdf --out permutation.svg
  weft plot build/web --kind size --out web.svg
  weft plot events.jsonl --kind connection --connection 3.0 --out connection.svg")]
pub(crate) struct PlotArgs {
    /// Results, or folders of them.
    #[arg(value_name = "FILE", required = true)]
    results: Vec<PathBuf>,
    /// The drawing.
    #[arg(long, value_enum, default_value_t = Kind::Cdf)]
    kind: Kind,
    /// For `connection`: the connection to draw, by its name in the file [default: the connection with the most
    /// events].
    #[arg(long, value_name = "NAME")]
    connection: Option<String>,
    /// For `above`: lower bound of the time of a whole run in us, for example from a paper.
    #[arg(long, value_name = "US", required_if_eq("kind", "above"), default_value_t = 0.0)]
    bound: f64,
    /// For `over`: the key of the horizontal axis, such as workload.load.
    #[arg(
        long,
        value_name = "KEY",
        required_if_eq("kind", "over"),
        default_value = "",
        hide_default_value = true
    )]
    key: String,
    /// For `over`: the figure of the vertical axis, a path in a result's summary, as slowdown.p99, or in a result, as counters.paths_freezes.
    #[arg(long, value_name = "FIGURE", default_value = "finish_us")]
    figure: String,
    /// A value of the paper for a bar, in the unit of the drawing, or as a multiple of our mean of another bar: reps=756,
    /// ops=1.6xreps. Repeatable.
    #[arg(long, value_name = "BAR=VALUE", value_parser = paper::read)]
    paper: Vec<Point>,
    /// Draw only flows that meet these conditions, such as bytes<100000,rack=3 (see weft sim --help).
    #[arg(long = "where", value_name = "CONDITIONS")]
    filter: Option<Filter>,
    /// File of the drawing (SVG; PNG if it ends in .png).
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Reads the results and draws them.
pub(crate) fn run(args: &PlotArgs) -> Result<()> {
    ensure!(
        args.paper.is_empty() || matches!(args.kind, Kind::Bars | Kind::Busiest | Kind::Lost),
        "--paper is for drawings of bars: --kind bars, busiest or lost"
    );
    let has_flows = match args.kind {
        Kind::Cdf | Kind::Goodput | Kind::Size => true,
        Kind::Over => of_flows(&args.figure).is_some(),
        _ => false,
    };
    ensure!(
        args.filter.is_none() || has_flows,
        "--where: this drawing does not show flows one by one; draw --kind cdf, goodput, size, or over with fct_us or slowdown"
    );
    if args.kind == Kind::Connection {
        let [file] = &args.results[..] else { bail!("--kind connection draws one file of events") };
        return connection::draw(file, args.connection.as_deref(), &args.out);
    }
    let mut files = Vec::new();
    for path in &args.results {
        match path.is_dir() {
            true => files.extend(in_folder(path)?),
            false => files.push(path.clone()),
        }
    }
    files.sort();
    ensure!(!files.is_empty(), "the folders have no results; weft sweep --out FOLDER makes results");
    // Runs that differ in this key are one curve.
    let key = match args.kind {
        Kind::Over => args.key.clone(),
        Kind::Peak => files.iter().find_map(|file| number(file)).with_context(|| {
            "no swept key has numbers; sweep a key with numbers, such as --over workload.bytes=65536,1048576".to_owned()
        })?,
        _ => String::new(),
    };
    let mut groups: BTreeMap<(Vec<Word>, String), Vec<Value>> = BTreeMap::new();
    let mut firsts: BTreeMap<String, (&PathBuf, Origin)> = BTreeMap::new();
    for file in &files {
        let name = file.display();
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
        let mut result: Value =
            serde_json::from_str(&text).with_context(|| format!("{name} is not a result of weft sim"))?;
        ensure!(
            result["flows"].is_array() && result["summary"].is_object(),
            "{name} is not a result of weft sim"
        );
        Filter::apply(args.filter.as_ref(), &mut result).with_context(|| format!("{name}"))?;
        let name = if key.is_empty() { label(file) } else { label_but(file, &key) };
        let origin = Origin::of(&result, &key);
        let (first, its) = firsts.entry(name.clone()).or_insert_with(|| (file, origin.clone()));
        if let Some(what) = origin.other(its) {
            bail!(
                "{}: made with {what} than {}, and one curve cannot show both; run all again with one weft sweep into an empty folder, or make a drawing of each",
                file.display(),
                first.display()
            );
        }
        groups.entry((words(&name), name)).or_default().push(result);
    }
    let groups: Vec<Group> = groups.into_iter().map(|((_, name), results)| (name, results)).collect();
    let groups = shortened(groups);
    let heading = heading(&groups[0].1);
    let svg = match args.kind {
        Kind::Cdf => cdf(&heading, &groups)?,
        Kind::Above => above(&heading, &groups, args.bound)?,
        Kind::Goodput => return cdf::draw(&heading, &samples(&groups), &args.out),
        Kind::Size => by_size(&heading, &groups)?,
        Kind::Bars => bars(&heading, &groups, &FINISH, &args.paper)?,
        Kind::Peak => over(&heading, &groups, &key, "peak_bytes")?,
        Kind::Over => over(&heading, &groups, &key, &args.figure)?,
        Kind::Busiest => bars(&heading, &groups, &BUSIEST, &args.paper)?,
        Kind::Lost => bars(&heading, &groups, &LOST, &args.paper)?,
        Kind::LostOver => lost_over_time(&heading, &groups)?,
        Kind::Early => early_over_time(&heading, &groups)?,
        Kind::Links => over_time(&heading, &groups, false)?,
        Kind::Connection => unreachable!("a connection is drawn from events"),
        Kind::Queues => over_time(&heading, &groups, true)?,
    };
    save(&svg, &args.out)
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    Ok(paths.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "json")).collect())
}

fn heading(runs: &[Value]) -> String {
    let (result, setup) = (&runs[0], &runs[0]["setup"]);
    let seeds = runs.iter().map(|run| run["setup"]["seed"].to_string()).collect::<BTreeSet<_>>().len();
    let word = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    format!(
        "{}, {} hosts at {} Gb/s, {}, {seeds} seed{}",
        word(&setup["workload"]["kind"]),
        result["summary"]["hosts"],
        setup["links"]["host_gbps"],
        word(&setup["topology"]["kind"]),
        if seeds == 1 { "" } else { "s" }
    )
}

/// Maximum number of points of a curve.
const POINTS: usize = 2_000;

/// For each value the share of all items that have this value or less. Items without a value are among all
/// items.
fn distribution((mut values, all): (Vec<f64>, usize), color: RGBColor) -> Curve {
    values.sort_by(f64::total_cmp);
    let (count, step) = (values.len(), values.len().div_ceil(POINTS).max(1));
    let share = |at: usize| (at + 1) as f64 / all as f64;
    let points = (0..count).filter(|at| at % step == 0 || at + 1 == count).map(|at| (values[at], share(at)));
    Curve::new(color, points.collect())
}

fn cdf(heading: &str, groups: &[Group]) -> Result<String> {
    let named = drawn_of_flows(groups);
    let curve =
        |(group, (_, color)): (&Group, &(String, RGBColor))| distribution(column(group, "fct_us"), *color);
    let all: Vec<Curve> = groups.iter().zip(&named).map(curve).collect();
    let axes = ("completion time of a flow (µs)", "share of flows");
    curves(heading, &named, axes, &all, [Scale::Linear; 2])
}

/// Draws the distribution of the nanoseconds by which whole runs exceed a bound.
fn above(heading: &str, groups: &[Group], bound_us: f64) -> Result<String> {
    let mut named = drawn(groups);
    let curve = |((_, runs), (name, color)): (&Group, &mut (String, RGBColor))| {
        let times = runs.iter().filter_map(|run| run["summary"]["acknowledged_us"].as_f64());
        let above: Vec<f64> = times.map(|time_us| (time_us - bound_us) * 1e3).collect();
        *name = of_all(name, above.len(), runs.len(), "runs");
        distribution((above, runs.len()), *color)
    };
    let all: Vec<Curve> = groups.iter().zip(&mut named).map(curve).collect();
    let least = all.iter().flat_map(|curve| &curve.points).map(|(over, _)| *over).fold(f64::MAX, f64::min);
    ensure!(least >= 0.0, "a run is {:.3} ns shorter than --bound {bound_us}; use a smaller bound", -least);
    let x = format!("time of a run above the bound of {bound_us} µs (ns)");
    curves(heading, &named, (&x, "share of runs"), &all, [Scale::Linear; 2])
}

/// Sizes per decade. All sizes below a limit count as one size.
const BINS: f64 = 3.0;
const SMALL: f64 = 250.0;

fn by_size(heading: &str, groups: &[Group]) -> Result<String> {
    let named = drawn_of_flows(groups);
    let mut all = Vec::new();
    for (group, (_, color)) in groups.iter().zip(&named) {
        let mut bins: BTreeMap<i64, Vec<(f64, f64)>> = BTreeMap::new();
        for flow in group.1.iter().filter_map(|result| result["flows"].as_array()).flatten() {
            if let (Some(bytes), Some(slowdown)) = (flow["bytes"].as_f64(), flow["slowdown"].as_f64()) {
                bins.entry((bytes.max(SMALL).log10() * BINS).floor() as i64)
                    .or_default()
                    .push((bytes, slowdown));
            }
        }
        let (mut mean, mut tail) = (Vec::new(), Vec::new());
        for mut flows in bins.into_values() {
            flows.sort_by(|a, b| a.1.total_cmp(&b.1));
            let (sizes, slowdowns): (Vec<f64>, Vec<f64>) = flows.into_iter().unzip();
            let of = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
            let size = of(&sizes);
            mean.push((size, of(&slowdowns)));
            tail.extend(percentile(&slowdowns, 99).map(|slowdown| (size, slowdown)));
        }
        all.push(Curve::new(*color, mean));
        all.push(Curve::thin(*color, tail));
    }
    let axes = ("size of a flow (bytes)", "slowdown: mean, pale the 99th percentile");
    curves(heading, &named, axes, &all, [Scale::Log, Scale::Linear])
}

/// Draws links over time, for the first run of each group: Gb/s, or kB that wait in the queue. Colours
/// identify links of one group, or groups.
fn over_time(heading: &str, groups: &[Group], queues: bool) -> Result<String> {
    let runs = drawn(groups);
    let (mut all, mut names) = (Vec::new(), Vec::new());
    for ((_, results), (_, of_run)) in groups.iter().zip(&runs) {
        let every = results[0]["setup"]["series"]["every_us"].as_f64();
        let series = results[0]["series"].as_array().zip(every);
        let Some((links, every)) = series else {
            bail!("the result has no values over time; add [series] to the file of the run")
        };
        for (at, link) in links.iter().enumerate() {
            let color = if groups.len() > 1 { *of_run } else { PALETTE[at % PALETTE.len()] };
            let bins = link[if queues { "peak_bytes" } else { "bytes" }].as_array();
            // 8 bits; 1,000 bits a microsecond are a Gb/s.
            let scale = if queues { 1e-3 } else { 8e-3 / every };
            let point =
                |(bin, value): (usize, &Value)| Some(((bin as f64 + 0.5) * every, value.as_f64()? * scale));
            let points = bins.into_iter().flatten().enumerate().filter_map(point).collect();
            all.push(Curve { is_thin: groups.len() > 1, ..Curve::new(color, points) });
            let name = |end: &str| link[end].as_str().unwrap_or("?").to_owned();
            names.push((format!("{} > {}", name("from"), name("to")), color));
        }
    }
    let axes = ("time (µs)", if queues { "most that waited (kB)" } else { "sent (Gb/s)" });
    curves(heading, if groups.len() > 1 { &runs } else { &names }, axes, &all, [Scale::Linear; 2])
}

/// Packets ahead of a missing one, of the first run of each group.
fn early_over_time(heading: &str, groups: &[Group]) -> Result<String> {
    let named = drawn(groups);
    let mut all = Vec::new();
    for ((_, runs), (_, color)) in groups.iter().zip(&named) {
        let Some(every) = runs[0]["setup"]["series"]["every_us"].as_f64() else {
            bail!("the result has no values over time; add [series] to the file of the run")
        };
        for (figure, is_thin) in [("most", false), ("mean", true)] {
            let bins = runs[0]["early"][figure].as_array().into_iter().flatten().enumerate();
            let point = |(bin, value): (usize, &Value)| Some(((bin as f64 + 0.5) * every, value.as_f64()?));
            all.push(Curve { is_thin, ..Curve::new(*color, bins.filter_map(point).collect()) });
        }
    }
    let axes = ("time (µs)", "packets ahead of a missing one: most, pale the mean");
    curves(heading, &named, axes, &all, [Scale::Linear; 2])
}

/// Packets lost in each bin on all noted links.
fn lost_over_time(heading: &str, groups: &[Group]) -> Result<String> {
    let named = drawn(groups);
    let mut all = Vec::new();
    for ((_, runs), (_, color)) in groups.iter().zip(&named) {
        let mut bins: Vec<f64> = Vec::new();
        for link in runs.iter().filter_map(|run| run["series"].as_array()).flatten() {
            let lost: Vec<f64> =
                link["lost"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
            bins.resize(bins.len().max(lost.len()), 0.0);
            bins.iter_mut().zip(lost).for_each(|(bin, lost)| *bin += lost / runs.len() as f64);
        }
        let Some(every) = runs[0]["setup"]["series"]["every_us"].as_f64() else {
            bail!("the result has no values over time; add [series] to the file of the run")
        };
        let point =
            |(bin, lost): (usize, f64)| [(bin as f64 * every, lost), ((bin + 1) as f64 * every, lost)];
        let points = bins.into_iter().enumerate().flat_map(point).collect();
        all.push(Curve::new(*color, points));
    }
    curves(heading, &named, ("time (µs)", "packets lost in a bin"), &all, [Scale::Linear; 2])
}

/// The flows whose goodput is measured: all flows from one host to one other host.
fn samples(groups: &[Group]) -> Vec<Sample> {
    let sample = |(group, (name, color)): (&Group, (String, RGBColor))| {
        let mut flows_gbps = Vec::new();
        for run in &group.1 {
            let mut pairs: BTreeMap<_, (f64, f64, f64)> = BTreeMap::new();
            for flow in run["flows"].as_array().into_iter().flatten() {
                if let (Some(start), Some(fct), Some(bytes)) =
                    (flow["start_us"].as_f64(), flow["fct_us"].as_f64(), flow["bytes"].as_f64())
                {
                    let pair = (flow["source"].as_u64(), flow["destination"].as_u64());
                    let (first, last, all) = pairs.entry(pair).or_insert((f64::MAX, 0.0, 0.0));
                    (*first, *last, *all) = (first.min(start), last.max(start + fct), *all + bytes);
                }
            }
            // 8 bits; 1,000 bits a microsecond are a Gb/s.
            flows_gbps.extend(pairs.values().map(|(first, last, bytes)| bytes * 8e-3 / (last - first)));
        }
        let (messages_us, messages) = column(group, "fct_us");
        Sample { name, color, messages_us, messages, flows_gbps }
    };
    groups.iter().zip(drawn_of_flows(groups)).map(sample).collect()
}

#[cfg(test)]
mod tests {
    use super::super::bars::busiest;
    use super::*;
    use serde_json::json;

    fn group(name: &str, times: &[f64]) -> Group {
        let run = |time: &f64| {
            let flow = |bytes: f64| json!({ "bytes": bytes, "fct_us": time, "slowdown": time / 2.0 });
            json!({ "flows": [flow(1e3), flow(1e6)], "summary": { "finish_us": time } })
        };
        (name.to_owned(), times.iter().map(run).collect())
    }

    #[test]
    fn every_kind_of_run_is_drawn() {
        let groups = [group("reps", &[4.0, 6.0]), group("ops", &[9.0])];
        for svg in [cdf("a", &groups), by_size("a", &groups), bars("a", &groups, &FINISH, &[])] {
            let svg = svg.expect("it can be drawn");
            assert!(svg.contains("reps") && svg.contains("ops"));
        }
        let svg = bars("a", &groups, &FINISH, &[]).expect("drawn");
        assert!(svg.contains("5.0") && !svg.contains("the paper") && !svg.contains(">\n18\n<"));
        // The paper's point is above our bar: the axis includes the point.
        let points = ["ops=2xops".to_owned()].map(|it| paper::read(&it).expect("a point"));
        let svg = bars("a", &groups, &FINISH, &points).expect("drawn");
        assert!(svg.contains("the paper") && svg.contains(">\n18\n<"), "{svg}");
        assert!(cdf("a", &[group("none", &[])]).is_err());
    }

    #[test]
    fn runs_are_drawn_above_a_bound() {
        let run = |time: f64| json!({ "summary": { "acknowledged_us": time } });
        let groups = [("one".to_owned(), vec![run(17.0642), run(17.0634)])];
        // The values are 4 and 3.2 ns above the bound: the axis ends at 4.2.
        let svg = above("a", &groups, 17.0602).expect("drawn");
        assert!(svg.contains("above the bound of 17.0602 µs") && svg.contains(">\n4.0\n<"), "{svg}");
        let error = above("a", &groups, 17.064).expect_err("it is no bound");
        assert_eq!(error.to_string(), "a run is 0.600 ns shorter than --bound 17.064; use a smaller bound");
    }

    #[test]
    fn goodput_is_that_of_all_flows_of_a_pair() {
        let flow = |destination: u32, start: f64, fct: f64| json!({ "source": 1, "destination": destination, "bytes": 1e5, "start_us": start, "fct_us": fct });
        // By hand: 200 kB between 5 and 25 us, 100 kB in 16 us.
        let run = json!({ "flows": [flow(2, 5.0, 8.0), flow(2, 14.0, 11.0), flow(3, 0.0, 16.0)] });
        let samples = samples(&[("one".to_owned(), vec![run])]);
        assert_eq!((&samples[0].flows_gbps[..], samples[0].messages_us.len()), (&[80.0, 50.0][..], 3));
    }

    #[test]
    fn losses_are_drawn_over_time_and_as_bars() {
        let run = |lost: [u32; 3]| {
            let link = json!({ "from": "leaf-0", "to": "spine-1", "lost": lost });
            let summary = json!({ "losses": { "link": lost.iter().sum::<u32>() } });
            json!({ "setup": { "series": { "every_us": 1_000.0 } }, "series": [link, link], "summary": summary })
        };
        // Two links, two seeds: 12, 0 and 30 on average, in total 21 for each link.
        let groups = [("one".to_owned(), vec![run([5, 0, 20]), run([7, 0, 10])])];
        let svg = lost_over_time("a", &groups).expect("drawn");
        assert!(svg.contains("packets lost in a bin") && svg.contains(">\n30\n<"), "{svg}");
        assert!(bars("a", &groups, &LOST, &[]).expect("drawn").contains(">\n21\n<"));
        assert!(lost_over_time("a", &[group("none", &[1.0])]).is_err());
    }

    #[test]
    fn the_busiest_link_is_that_of_the_least_even_layer() {
        // Relative to the means of 100 and of 10, the maxima are 40 and 50 % above. The plot leaves out a
        // layer without bytes.
        let run = json!({ "ports": [{ "bytes": [90, 100, 140] }, { "bytes": [0, 10, 15] }, { "bytes": [0, 0, 0] }] });
        assert_eq!(busiest(&run), Some(50.0));
        let svg = bars("a", &[("one".to_owned(), vec![run])], &BUSIEST, &[]).expect("drawn");
        assert!(svg.contains(">\n50.0\n<"), "{svg}");
    }

    #[test]
    fn links_are_drawn_over_time() {
        let link = json!({ "from": "edge-0", "to": "agg-1", "bytes": [25_000, 0, 50_000], "peak_bytes": [0, 7_000] });
        let run = json!({ "setup": { "series": { "every_us": 0.5 } }, "series": [link] });
        let groups = [("one".to_owned(), vec![run])];
        for (queues, words) in [(false, "sent (Gb/s)"), (true, "most that waited (kB)")] {
            let svg = over_time("a", &groups, queues).expect("drawn");
            assert!(svg.contains(words) && svg.contains("edge-0 &gt; agg-1"), "{svg}");
        }
        // 50,000 bytes in half a microsecond: 800 Gb/s.
        assert!(over_time("a", &groups, false).expect("drawn").contains("800"));
        assert!(over_time("a", &[group("none", &[1.0])], false).is_err());
    }
}
