//! Curves over a pair of axes, as SVG.

use super::{FAINT, INK, colored, text};
use anyhow::{Result, ensure};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use std::ops::Range;

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
    let places = if most > 10.0 { 0 } else { [0.8, 0.08].iter().filter(|limit| most <= **limit).count() + 1 };
    format!("{value:.places$}")
}

/// How an axis goes: from 0 on, or by the logarithms of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    Log,
}

impl Scale {
    /// The place of a value. Values below a thousandth have no logarithm here.
    fn place(self, value: f64) -> f64 {
        if self == Self::Log { value.max(1e-3).log10() } else { value }
    }

    /// From the least of the values, or 0, to more than the most of them.
    fn range(self, values: impl Iterator<Item = f64>, more: f64) -> Range<f64> {
        let values = values.map(|value| self.place(value));
        let (least, most) = values.fold((f64::MAX, f64::MIN), |(a, b), it| (a.min(it), b.max(it)));
        match self {
            Self::Linear => 0.0..most.max(0.0) * more,
            Self::Log => least..most.max(least + 0.1),
        }
    }

    fn label(self, place: f64, most: f64) -> String {
        match self {
            Self::Linear => tick(place, most),
            Self::Log if place < -0.05 => format!("{:.2}", 10f64.powf(place)),
            Self::Log if place < 0.95 => format!("{:.1}", 10f64.powf(place)),
            Self::Log => format!("{:.0}", 10f64.powf(place)),
        }
    }
}

/// Curves over a pair of axes.
pub(crate) fn curves(
    heading: &str,
    names: &[(String, RGBColor)],
    (x, y): (&str, &str),
    curves: &[Curve],
    scales: [Scale; 2],
) -> Result<String> {
    let all = || curves.iter().flat_map(|curve| curve.points.iter().copied());
    ensure!(all().next().is_some(), "the results have no values: there is nothing to draw");
    let [along, up] = scales;
    let (range_x, range_y) = (along.range(all().map(|it| it.0), 1.04), up.range(all().map(|it| it.1), 1.04));
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let (head, body) = root.split_vertically(HEAD);
        colored(&head, LEFT, heading, names.iter().map(|(name, color)| (name.as_str(), *color)))?;
        let (most_x, most_y) = (range_x.end, range_y.end);
        let mut chart = ChartBuilder::on(&body)
            .margin_left(14)
            .margin_right(24)
            .margin_top(8)
            .x_label_area_size(44)
            .y_label_area_size(LEFT)
            .build_cartesian_2d(range_x, range_y)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(INK)
            .x_desc(x)
            .y_desc(y)
            .x_label_formatter(&|value| along.label(*value, most_x))
            .y_label_formatter(&|value| up.label(*value, most_y))
            .label_style(text(12, INK, HPos::Center, VPos::Center))
            .draw()?;
        // A point alone is no line.
        for curve in curves.iter().filter(|curve| curve.points.len() > 1) {
            let points: Vec<(f64, f64)> =
                curve.points.iter().map(|(x, y)| (along.place(*x), up.place(*y))).collect();
            let style = curve.color.mix(if curve.is_thin { 0.45 } else { 1.0 }).stroke_width(2);
            chart.draw_series([PathElement::new(points, style)])?;
        }
        root.present()?;
    }
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_an_axis_are_told_apart() {
        let of = |values: [f64; 2], most| values.map(|value| tick(value, most));
        assert_eq!(of([20.0, 40.0], 208.0), ["20", "40"]);
        assert_eq!(of([0.2, 0.4], 1.04), ["0.2", "0.4"]);
        assert_eq!(of([0.1, 0.15], 0.52), ["0.10", "0.15"]);
        assert_eq!(of([0.005, 0.01], 0.052), ["0.005", "0.010"]);
    }
}
