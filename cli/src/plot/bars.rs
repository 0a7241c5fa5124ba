//! Bars: a figure of whole runs.

use super::curves::{HEAD, LEFT, SIZE, tick};
use super::groups::{Group, of_all, of_groups};
use super::paper::Point;
use super::{Area, FAINT, INK, legend, text};
use anyhow::{Result, bail};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use serde_json::Value;
use weft_sweep::sample::{self, Spread};

/// A figure of a run that is drawn as bars: its place in the result, and its name.
pub(super) struct Figure {
    of: fn(&Value) -> Option<f64>,
    name: &'static str,
    digits: usize,
}

pub(super) const FINISH: Figure = Figure {
    of: |run| run.pointer("/summary/finish_us")?.as_f64(),
    name: "time of the last receiver (µs)",
    digits: 1,
};
pub(super) const LOST: Figure = Figure {
    // A result may leave out a cause that has zero packets.
    of: |run| run.pointer("/summary/losses/link").map_or(Some(0.0), Value::as_f64),
    name: "packets lost in cut links",
    digits: 0,
};
pub(super) const BUSIEST: Figure = Figure { of: busiest, name: "busiest link above the mean (%)", digits: 1 };

/// Excess of the busiest port over the mean of its kind in percent, for the kind with the greatest excess.
pub(crate) fn busiest(run: &Value) -> Option<f64> {
    run["ports"].as_array()?.iter().filter_map(sample::busiest).reduce(f64::max)
}

/// Corners of the mark of a paper's value, in pixels.
const MARK: [(i32, i32); 4] = [(0, -6), (6, 0), (0, 6), (-6, 0)];
/// Distance of the mark from the middle of the bar, where whisker and number are.
const ASIDE: i32 = -24;

/// Draws a bar for each group, with the mean and the standard deviation, and the paper's values as points.
pub(super) fn bars(heading: &str, groups: &[Group], figure: &Figure, paper: &[Point]) -> Result<String> {
    let mut spreads = Vec::new();
    for (_, runs) in groups {
        let values: Vec<f64> = runs.iter().filter_map(figure.of).collect();
        spreads.push(Spread::of(&values));
    }
    if spreads.iter().all(Option::is_none) {
        bail!("no run has this figure: there is nothing to draw");
    }
    let means: Vec<Option<f64>> = spreads.iter().map(|it| it.map(|it| it.mean)).collect();
    let plain: Vec<&str> = groups.iter().map(|(name, _)| name.as_str()).collect();
    let paper: Vec<(usize, f64)> = paper.iter().map(|it| it.place(&plain, &means)).collect::<Result<_>>()?;
    let tops = spreads.iter().flatten().map(|it| it.mean + it.deviation);
    let top = tops.chain(paper.iter().map(|it| it.1)).fold(0.0, f64::max);
    let most = if top > 0.0 { top * 1.08 } else { 1.0 };
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let (head, body): (Area<'_>, Area<'_>) = root.split_vertically(HEAD);
        legend(&head, LEFT, heading, [])?;
        if !paper.is_empty() {
            let at = (LEFT as i32 + 8, 43);
            head.draw(&(EmptyElement::at(at) + Polygon::new(MARK.to_vec(), INK.filled())))?;
            head.draw(&Text::new("the paper", (at.0 + 14, 43), text(13, INK, HPos::Left, VPos::Center)))?;
        }
        let colors = of_groups(groups, false);
        let known = |spread: &Option<Spread>| spread.map_or(0, |it| it.count);
        let name = |((name, runs), spread): (&Group, &Option<Spread>)| {
            of_all(name, known(spread), runs.len(), "runs")
        };
        let names: Vec<String> = groups.iter().zip(&spreads).map(name).collect();
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
        for (at, spread) in spreads.iter().enumerate() {
            let (middle, color) = (SegmentValue::CenterOf(at), colors[at]);
            let label = text(12, INK, HPos::Center, VPos::Bottom);
            let Some(Spread { mean, deviation, .. }) = spread else {
                chart.draw_series([Text::new("-".to_owned(), (middle, 0.0), label)])?;
                continue;
            };
            // A rectangle of height 0 is invalid.
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
            chart.draw_series([Text::new(
                format!("{mean:.*}", figure.digits),
                (middle, mean + deviation),
                label,
            )])?;
        }
        for (at, value) in paper {
            let at = (SegmentValue::CenterOf(at), value);
            // A white rim, so that the mark is seen on a dark bar.
            let corners = |by: i32| MARK.map(|(x, y)| (ASIDE + x * by / 6, y * by / 6)).to_vec();
            let mark = EmptyElement::at(at) + Polygon::new(corners(8), WHITE.filled());
            chart.draw_series([mark + Polygon::new(corners(6), INK.filled())])?;
        }
        root.present()?;
    }
    Ok(svg)
}
