//! Drawing of whole NICs on a fabric: goodput and lost packets over time, one curve for each run.

use super::{Area, FAINT, INK, legend, save, text};
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use std::path::Path;
use weft_system::nic::{Bin, CLOCK_NS, DeadPath, Figures};

const WIDTH: u32 = 1000;
const HEAD_HEIGHT: u32 = 58;
const GOODPUT_HEIGHT: u32 = 260;
const LOST_HEIGHT: u32 = 220;
const LEFT: u32 = 74;
/// Space to the left of the name of an axis.
const MARGIN: u32 = 12;
const RIGHT: u32 = 18;

const FAULT: RGBColor = RGBColor(253, 226, 222);

/// A run to be drawn.
#[derive(Clone, Debug)]
pub(crate) struct Curve<'a> {
    /// The name.
    pub(crate) name: String,
    /// The colour.
    pub(crate) color: RGBColor,
    /// The events of the run.
    pub(crate) figures: &'a Figures,
}

/// Draws runs of one scenario in one area. A failure leaves no file. Time counts from the beginning of the
/// workload; `dead` is shaded.
pub(crate) fn draw(heading: &str, curves: &[Curve<'_>], dead: Option<DeadPath>, path: &Path) -> Result<()> {
    save(&svg(heading, curves, dead)?, path)
}

fn us(clocks: f64) -> f64 {
    clocks * CLOCK_NS as f64 / 1e3
}

/// A value of every bin over time.
fn series(figures: &Figures, value: impl Fn(&Bin) -> f64) -> Vec<(f64, f64)> {
    let begin = figures.begin.unwrap_or(0) as f64;
    let width = figures.bin_clocks as f64;
    let end = figures.finish.unwrap_or(figures.clocks) as f64;
    let bins = figures.bins.iter().enumerate().map(|(i, bin)| (width * (i as f64 + 0.5), value(bin)));
    bins.filter(|(at, _)| (begin..=end).contains(at)).map(|(at, value)| (us(at - begin), value)).collect()
}

fn svg(heading: &str, curves: &[Curve<'_>], dead: Option<DeadPath>) -> Result<String> {
    let mut svg = String::new();
    {
        let size = (WIDTH, HEAD_HEIGHT + GOODPUT_HEIGHT + LOST_HEIGHT);
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE)?;
        let (head, rest) = root.split_vertically(HEAD_HEIGHT);
        let (top, bottom) = rest.split_vertically(GOODPUT_HEIGHT);
        let x = legend(&head, LEFT, heading, curves.iter().map(|curve| (curve.name.as_str(), curve.color)))?;
        if dead.is_some() {
            head.draw(&Rectangle::new([(x, 36), (x + 22, 50)], FAULT.filled()))?;
            let style = text(13, INK, HPos::Left, VPos::Center);
            head.draw(&Text::new("a path is dead", (x + 30, 43), style))?;
        }
        let goodput = |figures: &Figures| {
            let clocks = figures.bin_clocks.max(1);
            series(figures, |bin| bin.delivered as f64 * 8.0 / (clocks * CLOCK_NS) as f64)
        };
        let lost = |figures: &Figures| {
            series(figures, |bin| {
                bin.paths.iter().chain(&bin.hosts).map(|at| at.drops + at.dead).sum::<u64>() as f64
            })
        };
        panel(&top, curves, dead, "payload delivered (Gb/s)", false, goodput)?;
        panel(&bottom, curves, dead, "packets lost per bin", true, lost)?;
        root.present()?;
    }
    Ok(svg)
}

fn panel(
    area: &Area<'_>,
    curves: &[Curve<'_>],
    dead: Option<DeadPath>,
    name: &str,
    last: bool,
    points: impl Fn(&Figures) -> Vec<(f64, f64)>,
) -> Result<()> {
    let points: Vec<Vec<(f64, f64)>> = curves.iter().map(|curve| points(curve.figures)).collect();
    let all = || points.iter().flatten();
    let until = all().map(|point| point.0).fold(1.0, f64::max);
    let most = all().map(|point| point.1).fold(1.0, f64::max) * 1.08;
    let mut chart = ChartBuilder::on(area)
        .margin_left(MARGIN)
        .margin_right(RIGHT)
        .margin_top(8)
        .x_label_area_size(if last { 40 } else { 12 })
        .y_label_area_size(LEFT - MARGIN)
        .build_cartesian_2d(0.0..until, 0.0..most)?;
    if let (Some(dead), Some(curve)) = (dead, curves.first()) {
        let begin = curve.figures.begin.unwrap_or(0) as f64;
        let ends = [dead.from, dead.until].map(|clock| us(clock as f64 - begin).clamp(0.0, until));
        chart.draw_series([Rectangle::new([(ends[0], 0.0), (ends[1], most)], FAULT.filled())])?;
    }
    let time = |time: &f64| if last { format!("{time:.0}") } else { String::new() };
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .axis_style(INK)
        .x_labels(8)
        .y_labels(6)
        .x_label_formatter(&time)
        .y_label_formatter(&|value| format!("{value:.0}"))
        .y_desc(name)
        .label_style(text(12, INK, HPos::Center, VPos::Center))
        .axis_desc_style(text(12, INK, HPos::Center, VPos::Center));
    if last {
        mesh.x_desc("time (µs)");
    }
    mesh.draw()?;
    for (points, color) in points.into_iter().zip(curves.iter().map(|curve| curve.color)) {
        chart.draw_series([PathElement::new(points, color.stroke_width(2))])?;
    }
    Ok(())
}
