//! `weft plot`: what the papers draw, from results of `weft sim` and `weft sweep`.

use super::cdf::{self, Sample};
use super::colors::{self, PALETTE};
use super::curves::{Curve, HEAD, LEFT, SIZE, curves, tick};
use super::names::{Word, label, words};
use super::{Area, FAINT, INK, legend, save, text};
use crate::sample::Spread;
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use weft_fabric::report::percentile;

/// What to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// The distribution of completion times.
    Cdf,
    /// The same, and that of goodputs: all flows from one host to another, from the start of the first to the end of the
    /// last.
    Goodput,
    /// Slowdown by size of flow: mean and 99th percentile.
    Size,
    /// A bar for each kind of run: mean and standard deviation of the time of the last receiver.
    Bars,
    /// Longest queue by the first number in the runs' names, such as the bytes of a message: mean, pale a standard deviation
    /// more and less.
    Peak,
    /// By how much the busiest link of a layer is above the mean of it, of the layer where that is most: as bars.
    Busiest,
    /// Use of links over time: those of `[series]`, of the first seed.
    Links,
    /// Queues over time: most bytes that waited in each bin.
    Queues,
    /// Packets that cut links lost: as bars.
    Lost,
    /// The same over time: of all links of `[series]` together, mean over the seeds.
    LostOver,
}

/// Which results, and how.
#[derive(Args)]
#[command(after_help = "\
Results are those of `weft sim --json` and `weft sweep --out`. Runs whose names differ in their seeds only are one curve.

Examples:
  weft plot build/permutation --kind cdf --out permutation.svg
  weft plot build/web --kind size --out web.svg")]
pub(crate) struct PlotArgs {
    /// Results, or folders of them.
    #[arg(value_name = "FILE", required = true)]
    results: Vec<PathBuf>,
    /// What to draw.
    #[arg(long, value_enum, default_value_t = Kind::Cdf)]
    kind: Kind,
    /// Where the drawing goes (SVG; PNG if it is named so).
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Results of one name, all seeds.
type Group = (String, Vec<Value>);

/// Draws.
pub(crate) fn run(args: &PlotArgs) -> Result<()> {
    let mut files = Vec::new();
    for path in &args.results {
        match path.is_dir() {
            true => files.extend(in_folder(path)?),
            false => files.push(path.clone()),
        }
    }
    files.sort();
    ensure!(!files.is_empty(), "there is no result; weft sweep --out FOLDER makes some");
    let mut groups: BTreeMap<(Vec<Word>, String), Vec<Value>> = BTreeMap::new();
    for file in &files {
        let name = file.display();
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
        let result: Value = serde_json::from_str(&text).with_context(|| format!("{name} is no result"))?;
        ensure!(
            result["flows"].is_array() && result["summary"].is_object(),
            "{name} is no result of weft sim"
        );
        let name = label(file);
        groups.entry((words(&name), name)).or_default().push(result);
    }
    let groups: Vec<Group> = groups.into_iter().map(|((_, name), results)| (name, results)).collect();
    let heading = heading(&groups[0].1[0], groups[0].1.len());
    let svg = match args.kind {
        Kind::Cdf => cdf(&heading, &groups)?,
        Kind::Goodput => return cdf::draw(&heading, &samples(&groups), &args.out),
        Kind::Size => by_size(&heading, &groups)?,
        Kind::Bars => bars(&heading, &groups, &FINISH)?,
        Kind::Peak => peaks(&heading, &groups)?,
        Kind::Busiest => bars(&heading, &groups, &BUSIEST)?,
        Kind::Lost => bars(&heading, &groups, &LOST)?,
        Kind::LostOver => lost_over_time(&heading, &groups)?,
        Kind::Links => over_time(&heading, &groups, false)?,
        Kind::Queues => over_time(&heading, &groups, true)?,
    };
    save(&svg, &args.out)
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    Ok(paths.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "json")).collect())
}

fn heading(result: &Value, seeds: usize) -> String {
    let setup = &result["setup"];
    let word = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    format!(
        "{}, {} hosts at {} Gb/s, {}, {seeds} seeds",
        word(&setup["workload"]["kind"]),
        result["summary"]["hosts"],
        setup["links"]["host_gbps"],
        word(&setup["topology"]["kind"])
    )
}

/// A column of all flows of a group.
fn column(group: &Group, name: &str) -> Vec<f64> {
    let flows = group.1.iter().filter_map(|result| result["flows"].as_array()).flatten();
    flows.filter_map(|flow| flow[name].as_f64()).collect()
}

fn names(groups: &[Group]) -> Vec<String> {
    groups.iter().map(|(name, _)| name.clone()).collect()
}

/// Groups with their colours.
fn drawn(groups: &[Group]) -> Vec<(String, RGBColor)> {
    names(groups).into_iter().zip(of_groups(groups, true)).collect()
}

fn of_groups(groups: &[Group], distinct: bool) -> Vec<RGBColor> {
    colors::of(
        &groups.iter().map(|(_, runs)| runs.first().unwrap_or(&Value::Null)).collect::<Vec<_>>(),
        distinct,
    )
}

/// Most points of a curve.
const POINTS: usize = 2_000;

fn cdf(heading: &str, groups: &[Group]) -> Result<String> {
    let named = drawn(groups);
    let curve = |(group, (_, color)): (&Group, &(String, RGBColor))| {
        let mut values = column(group, "fct_us");
        values.sort_by(f64::total_cmp);
        let (count, step) = (values.len(), values.len().div_ceil(POINTS).max(1));
        let share = |at: usize| (at + 1) as f64 / count as f64;
        let points =
            (0..count).filter(|at| at % step == 0 || at + 1 == count).map(|at| (values[at], share(at)));
        Curve { color: *color, points: points.collect(), is_thin: false }
    };
    let all: Vec<Curve> = groups.iter().zip(&named).map(curve).collect();
    curves(heading, &named, ("completion time of a flow (µs)", "share of flows"), &all, false)
}

/// Sizes of a decade.
const BINS: f64 = 3.0;

fn by_size(heading: &str, groups: &[Group]) -> Result<String> {
    let named = drawn(groups);
    let mut all = Vec::new();
    for (group, (_, color)) in groups.iter().zip(&named) {
        let mut bins: BTreeMap<i64, Vec<(f64, f64)>> = BTreeMap::new();
        for flow in group.1.iter().filter_map(|result| result["flows"].as_array()).flatten() {
            if let (Some(bytes), Some(slowdown)) = (flow["bytes"].as_f64(), flow["slowdown"].as_f64()) {
                bins.entry((bytes.log10() * BINS).floor() as i64).or_default().push((bytes, slowdown));
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
        all.push(Curve { color: *color, points: mean, is_thin: false });
        all.push(Curve { color: *color, points: tail, is_thin: true });
    }
    let axes = ("bytes of a flow", "slowdown: mean, pale the 99th percentile");
    curves(heading, &named, axes, &all, true)
}

/// Links over time, of the first run of each group: Gb/s, or kB that waited. Of one group each link has a colour, of
/// several each group.
fn over_time(heading: &str, groups: &[Group], queues: bool) -> Result<String> {
    let runs = drawn(groups);
    let (mut all, mut names) = (Vec::new(), Vec::new());
    for ((_, results), (_, of_run)) in groups.iter().zip(&runs) {
        let every = results[0]["setup"]["series"]["every_us"].as_f64();
        let series = results[0]["series"].as_array().zip(every);
        let Some((links, every)) = series else {
            bail!("nothing was noted over time; give the file [series]")
        };
        for (at, link) in links.iter().enumerate() {
            let color = if groups.len() > 1 { *of_run } else { PALETTE[at % PALETTE.len()] };
            let bins = link[if queues { "peak_bytes" } else { "bytes" }].as_array();
            // 8 bits, 1,000 of them a microsecond are a Gb/s.
            let scale = if queues { 1e-3 } else { 8e-3 / every };
            let point =
                |(bin, value): (usize, &Value)| Some(((bin as f64 + 0.5) * every, value.as_f64()? * scale));
            let points = bins.into_iter().flatten().enumerate().filter_map(point).collect();
            all.push(Curve { color, points, is_thin: groups.len() > 1 });
            let name = |end: &str| link[end].as_str().unwrap_or("?").to_owned();
            names.push((format!("{} > {}", name("from"), name("to")), color));
        }
    }
    let axes = ("time (µs)", if queues { "most that waited (kB)" } else { "sent (Gb/s)" });
    curves(heading, if groups.len() > 1 { &runs } else { &names }, axes, &all, false)
}

/// Packets lost in each bin, by all links that were noted.
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
            bail!("nothing was noted over time; give the file [series]")
        };
        let point =
            |(bin, lost): (usize, f64)| [(bin as f64 * every, lost), ((bin + 1) as f64 * every, lost)];
        let points = bins.into_iter().enumerate().flat_map(point).collect();
        all.push(Curve { color: *color, points, is_thin: false });
    }
    curves(heading, &named, ("time (µs)", "packets lost in a bin"), &all, false)
}

/// What goodput is measured of: the flows from one host to another.
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
            // 8 bits, 1,000 of them a microsecond are a Gb/s.
            flows_gbps.extend(pairs.values().map(|(first, last, bytes)| bytes * 8e-3 / (last - first)));
        }
        Sample { name, color, messages_us: column(group, "fct_us"), flows_gbps }
    };
    groups.iter().zip(drawn(groups)).map(sample).collect()
}

/// A figure of a run, as bars: where it stands, and what it is called.
struct Figure {
    of: fn(&Value) -> Option<f64>,
    name: &'static str,
    digits: usize,
}

const FINISH: Figure = Figure {
    of: |run| run.pointer("/summary/finish_us")?.as_f64(),
    name: "time of the last receiver (µs)",
    digits: 1,
};
const LOST: Figure = Figure {
    of: |run| run.pointer("/summary/losses/link")?.as_f64(),
    name: "packets lost in cut links",
    digits: 0,
};
const BUSIEST: Figure = Figure { of: busiest, name: "busiest link above the mean (%)", digits: 1 };

/// By how many percent the busiest port is above the mean of its kind, of the kind where that is most.
fn busiest(run: &Value) -> Option<f64> {
    // Least, mean, most.
    let above = |kind: &Value| {
        let bytes = |at: usize| kind["bytes"][at].as_f64();
        Some((bytes(2)? / bytes(1).filter(|mean| *mean > 0.0)? - 1.0) * 100.0)
    };
    run["ports"].as_array()?.iter().filter_map(above).reduce(f64::max)
}

/// A run, for its colour, and a figure of each number.
type Trend<'a> = (&'a Value, Vec<(f64, Spread)>);

/// Longest queues in kB. Groups whose names differ in the first number only are one curve.
fn peaks(heading: &str, groups: &[Group]) -> Result<String> {
    let mut schemes: BTreeMap<String, Trend<'_>> = BTreeMap::new();
    for (name, runs) in groups {
        let mut words: Vec<&str> = name.split(", ").collect();
        let number = words.iter().position(|word| word.parse::<f64>().is_ok());
        let Some(number) = number.map(|at| words.remove(at)) else {
            bail!("{name} has no number to draw by; sweep one, such as --over workload.bytes=65536,1048576");
        };
        let peak = |run: &Value| Some(run.pointer("/summary/peak_bytes")?.as_f64()? / 1e3);
        let peaks: Option<Vec<f64>> = runs.iter().map(peak).collect();
        let spread = peaks.and_then(|peaks| Spread::of(&peaks));
        let spread = spread.with_context(|| format!("{name} has no longest queue"))?;
        schemes.entry(words.join(", ")).or_insert((&runs[0], Vec::new())).1.push((number.parse()?, spread));
    }
    let runs: Vec<&Value> = schemes.values().map(|(run, _)| *run).collect();
    let named: Vec<(String, RGBColor)> = schemes.keys().cloned().zip(colors::of(&runs, true)).collect();
    let mut all = Vec::new();
    for ((_, points), (_, color)) in schemes.values().zip(&named) {
        let curve = |of: fn(&Spread) -> f64, is_thin| Curve {
            color: *color,
            points: points.iter().map(|(number, spread)| (*number, of(spread))).collect(),
            is_thin,
        };
        all.push(curve(|it| it.mean, false));
        all.push(curve(|it| it.mean + it.deviation, true));
        all.push(curve(|it| it.mean - it.deviation, true));
    }
    curves(heading, &named, ("the number that was swept", "longest queue (kB)"), &all, true)
}

fn bars(heading: &str, groups: &[Group], figure: &Figure) -> Result<String> {
    let mut spreads = Vec::new();
    for (name, runs) in groups {
        let times: Option<Vec<f64>> = runs.iter().map(figure.of).collect();
        let Some(spread) = times.and_then(|times| Spread::of(&times)) else {
            bail!("no flow of {name} has ended: there is nothing to draw");
        };
        spreads.push(spread);
    }
    let most = spreads.iter().map(|it| it.mean + it.deviation).fold(0.0, f64::max) * 1.08;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let (head, body): (Area<'_>, Area<'_>) = root.split_vertically(HEAD);
        legend(&head, LEFT, heading, [])?;
        let (names, colors) = (names(groups), of_groups(groups, false));
        let mut chart = ChartBuilder::on(&body)
            .margin_left(14)
            .margin_right(24)
            .margin_top(8)
            .x_label_area_size(36)
            .y_label_area_size(LEFT)
            .build_cartesian_2d((0..spreads.len() - 1).into_segmented(), 0.0..most)?;
        let name = |at: &SegmentValue<usize>| match at {
            SegmentValue::CenterOf(at) => names.get(*at).cloned().unwrap_or_default(),
            _ => String::new(),
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(INK)
            .x_label_formatter(&name)
            .y_desc(figure.name)
            .y_label_formatter(&move |value| tick(*value, most))
            .label_style(text(12, INK, HPos::Center, VPos::Center))
            .draw()?;
        for (at, Spread { mean, deviation, .. }) in spreads.iter().enumerate() {
            let (middle, color) = (SegmentValue::CenterOf(at), colors[at]);
            // A rectangle without height is none.
            if *mean > 0.0 {
                let mut bar = Rectangle::new(
                    [(SegmentValue::Exact(at), 0.0), (SegmentValue::Exact(at + 1), *mean)],
                    color.filled(),
                );
                bar.set_margin(0, 0, 24, 24);
                chart.draw_series([bar])?;
            }
            let whisker = [(middle.clone(), mean - deviation), (middle.clone(), mean + deviation)];
            chart.draw_series([PathElement::new(whisker, INK.stroke_width(2))])?;
            let label = text(12, INK, HPos::Center, VPos::Bottom);
            chart.draw_series([Text::new(
                format!("{mean:.*}", figure.digits),
                (middle, mean + deviation),
                label,
            )])?;
        }
        root.present()?;
    }
    Ok(svg)
}

#[cfg(test)]
mod tests {
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
        for svg in [cdf("a", &groups), by_size("a", &groups), bars("a", &groups, &FINISH)] {
            let svg = svg.expect("it can be drawn");
            assert!(svg.contains("reps") && svg.contains("ops"));
        }
        assert!(bars("a", &groups, &FINISH).expect("drawn").contains("5.0"));
        assert!(cdf("a", &[group("none", &[])]).is_err());
    }

    #[test]
    fn goodput_is_that_of_all_flows_of_a_pair() {
        let flow = |destination: u32, start: f64, fct: f64| json!({ "source": 1, "destination": destination, "bytes": 1e5, "start_us": start, "fct_us": fct });
        // By hand: 200 kB from 5 to 25 us, 100 kB in 16.
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
        // Two links, two seeds: 12, 0 and 30 on average, 21 a link in all.
        let groups = [("one".to_owned(), vec![run([5, 0, 20]), run([7, 0, 10])])];
        let svg = lost_over_time("a", &groups).expect("drawn");
        assert!(svg.contains("packets lost in a bin") && svg.contains(">\n30\n<"), "{svg}");
        assert!(bars("a", &groups, &LOST).expect("drawn").contains(">\n21\n<"));
        assert!(lost_over_time("a", &[group("none", &[1.0])]).is_err());
    }

    #[test]
    fn the_longest_queue_is_drawn_by_the_number_that_was_swept() {
        let runs = |name: &str, peaks: [u32; 2]| {
            let run = |peak: u32| json!({ "summary": { "peak_bytes": peak } });
            (name.to_owned(), peaks.map(run).to_vec())
        };
        let groups = [runs("100, jsq", [4_000, 8_000]), runs("10000, jsq", [50_000, 50_000])];
        let svg = peaks("a", &groups).expect("drawn");
        // One curve, named by what is not the number; its axis ends above 50 kB.
        assert!(svg.contains(">\njsq\n<") && svg.contains(">\n50\n<") && !svg.contains("100, jsq"), "{svg}");
        assert!(peaks("a", &[runs("jsq", [1, 2])]).is_err());
    }

    #[test]
    fn the_busiest_link_is_that_of_the_least_even_layer() {
        // Of the mean of 100 and of 10: 40 and 50 % above it. A layer without bytes is none.
        let run = json!({ "ports": [{ "bytes": [90, 100, 140] }, { "bytes": [0, 10, 15] }, { "bytes": [0, 0, 0] }] });
        assert_eq!(busiest(&run), Some(50.0));
        let svg = bars("a", &[("one".to_owned(), vec![run])], &BUSIEST).expect("drawn");
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
