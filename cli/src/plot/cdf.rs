//! Plots of distributions: durations of messages, and goodputs of flows, with a curve for each kind of run.

use super::{Area, FAINT, INK, legend, save, text};
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use std::path::Path;

const WIDTH: u32 = 1000;
const HEAD_HEIGHT: u32 = 58;
const HEIGHT: u32 = 320;
const LEFT: u32 = 56;
const MARGIN: u32 = 12;
const RIGHT: u32 = 18;

/// The measurements of runs of one kind, all seeds together.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The name.
    pub(crate) name: String,
    /// The color of the sample's curves.
    pub(crate) color: RGBColor,
    /// Completion time of every message, in us.
    pub(crate) messages_us: Vec<f64>,
    /// Messages, also those that have not ended.
    pub(crate) messages: usize,
    /// Goodput of every flow, in Gb/s.
    pub(crate) flows_gbps: Vec<f64>,
}

/// Draws the curves in one area. A failure leaves no file.
pub(crate) fn draw(heading: &str, samples: &[Sample], path: &Path) -> Result<()> {
    save(&svg(heading, samples)?, path)
}

/// Maximum number of steps of a curve.
const STEPS: usize = 1_000;

/// The points of a distribution among `all` runs or flows: it starts at 0 at the least value, ends at 1 if
/// all have a value, and has one step for each value. If there are more than [`STEPS`] values, one step
/// stands for several neighbouring values.
fn steps(values: &[f64], all: usize) -> Vec<(f64, f64)> {
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    let (count, every) = (values.len(), values.len().div_ceil(STEPS).max(1));
    let ends = (0..count).step_by(every).map(|at| (at, (at + every).min(count)));
    let share = |at: usize| at as f64 / all as f64;
    ends.flat_map(|(at, end)| [(values[at], share(at)), (values[end - 1], share(end))]).collect()
}

fn svg(heading: &str, samples: &[Sample]) -> Result<String> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, HEAD_HEIGHT + HEIGHT)).into_drawing_area();
        root.fill(&WHITE)?;
        let (head, rest) = root.split_vertically(HEAD_HEIGHT);
        let (left, right) = rest.split_horizontally(WIDTH / 2);
        legend(&head, LEFT, heading, samples.iter().map(|sample| (sample.name.as_str(), sample.color)))?;
        let messages = |sample: &Sample| steps(&sample.messages_us, sample.messages);
        panel(&left, samples, "completion time of a message (µs)", true, messages)?;
        let flows = |sample: &Sample| steps(&sample.flows_gbps, sample.flows_gbps.len());
        panel(&right, samples, "goodput of a flow (Gb/s)", false, flows)?;
        root.present()?;
    }
    Ok(svg)
}

fn panel(
    area: &Area<'_>,
    samples: &[Sample],
    name: &str,
    share: bool,
    points: impl Fn(&Sample) -> Vec<(f64, f64)>,
) -> Result<()> {
    let all = samples.iter().flat_map(|sample| points(sample).into_iter().map(|(value, _)| value));
    let most = all.fold(1.0, f64::max) * 1.04;
    let mut chart = ChartBuilder::on(area)
        .margin_left(MARGIN)
        .margin_right(RIGHT)
        .margin_top(8)
        .x_label_area_size(40)
        .y_label_area_size(LEFT - MARGIN)
        .build_cartesian_2d(0.0..most, 0.0..1.02)?;
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .axis_style(INK)
        .x_labels(8)
        .y_labels(6)
        .x_label_formatter(&|value| format!("{value:.0}"))
        .y_label_formatter(&|value| format!("{value:.1}"))
        .x_desc(name)
        .label_style(text(12, INK, HPos::Center, VPos::Center))
        .axis_desc_style(text(12, INK, HPos::Center, VPos::Center));
    if share {
        mesh.y_desc("share");
    }
    mesh.draw()?;
    for sample in samples {
        chart.draw_series([PathElement::new(points(sample), sample.color.stroke_width(2))])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_climbs_a_step_for_each_value() {
        assert_eq!(steps(&[4.0, 1.0], 2), [(1.0, 0.0), (1.0, 0.5), (4.0, 0.5), (4.0, 1.0)]);
        // Two of four have ended.
        assert_eq!(steps(&[4.0, 1.0], 4)[3], (4.0, 0.5));
        assert_eq!(steps(&[], 3), []);
        // Many values become a step for each three.
        let many: Vec<f64> = (0..3_000).map(f64::from).collect();
        assert_eq!(steps(&many, 3_000)[2..4], [(3.0, 0.001), (5.0, 0.002)]);
        assert_eq!((steps(&many, 3_000).len(), steps(&many, 3_000)[1_999]), (2_000, (2_999.0, 1.0)));
    }
}
