//! Curves over a pair of axes, as SVG.

use super::{FAINT, INK, colored, text};
use anyhow::{Result, ensure};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

pub(super) const SIZE: (u32, u32) = (900, 420);
pub(super) const HEAD: u32 = 58;
pub(super) const LEFT: u32 = 56;

/// A curve with its colour; pale or not.
pub(crate) struct Curve {
    pub(crate) color: RGBColor,
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) is_thin: bool,
}

/// A value of an axis that ends at `most`.
pub(super) fn tick(value: f64, most: f64) -> String {
    if most > 10.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// Curves over one axis, which may be logarithmic.
pub(crate) fn curves(
    heading: &str,
    names: &[(String, RGBColor)],
    (x, y): (&str, &str),
    curves: &[Curve],
    is_log: bool,
) -> Result<String> {
    let all = || curves.iter().flat_map(|curve| curve.points.iter().copied());
    ensure!(all().next().is_some(), "nothing has ended or was noted: there is nothing to draw");
    let (least_x, most_x) = all().fold((f64::MAX, 0.0), |(a, b): (f64, f64), (x, _)| (a.min(x), b.max(x)));
    let most_y = all().map(|(_, y)| y).fold(0.0, f64::max) * 1.04;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let (head, body) = root.split_vertically(HEAD);
        colored(&head, LEFT, heading, names.iter().map(|(name, color)| (name.as_str(), *color)))?;
        // Of a logarithmic axis the logarithms are drawn.
        let scale = |x: f64| if is_log { x.max(1.0).log10() } else { x };
        let range =
            if is_log { scale(least_x)..scale(most_x).max(scale(least_x) + 0.1) } else { 0.0..most_x * 1.04 };
        let mut chart = ChartBuilder::on(&body)
            .margin_left(14)
            .margin_right(24)
            .margin_top(8)
            .x_label_area_size(44)
            .y_label_area_size(LEFT)
            .build_cartesian_2d(range, 0.0..most_y)?;
        let label =
            |value: &f64| if is_log { format!("{:.0}", 10f64.powf(*value)) } else { format!("{value:.0}") };
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(INK)
            .x_desc(x)
            .y_desc(y)
            .x_label_formatter(&label)
            .y_label_formatter(&move |value| tick(*value, most_y))
            .label_style(text(12, INK, HPos::Center, VPos::Center))
            .draw()?;
        // A point alone is no line.
        for curve in curves.iter().filter(|curve| curve.points.len() > 1) {
            let points: Vec<(f64, f64)> = curve.points.iter().map(|(x, y)| (scale(*x), *y)).collect();
            let style = curve.color.mix(if curve.is_thin { 0.45 } else { 1.0 }).stroke_width(2);
            chart.draw_series([PathElement::new(points, style)])?;
        }
        root.present()?;
    }
    Ok(svg)
}
