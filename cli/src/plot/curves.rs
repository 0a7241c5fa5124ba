//! Curves in a pair of axes, as SVG.

use super::{FAINT, INK, legend, text};
use anyhow::{Result, ensure};
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use std::collections::BTreeSet;
use std::ops::Range;

pub(super) const SIZE: (u32, u32) = (900, 420);
pub(super) const HEAD: u32 = 58;
pub(super) const LEFT: u32 = 56;

/// A curve with its colour, pale or not.
pub(crate) struct Curve {
    pub(crate) color: RGBColor,
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) is_thin: bool,
    /// The band around the curve: x, lower limit, upper limit.
    pub(crate) band: Vec<(f64, f64, f64)>,
}

impl Curve {
    pub(crate) fn new(color: RGBColor, points: Vec<(f64, f64)>) -> Self {
        Self { color, points, is_thin: false, band: Vec::new() }
    }

    pub(crate) fn thin(color: RGBColor, points: Vec<(f64, f64)>) -> Self {
        Self { is_thin: true, ..Self::new(color, points) }
    }
}

/// The label of a value on an axis that ends at `most`.
pub(super) fn tick(value: f64, most: f64) -> String {
    let places = if most > 10.0 { 0 } else { [0.8, 0.08].iter().filter(|limit| most <= **limit).count() + 1 };
    format!("{value:.places$}")
}

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    Log,
    /// Logarithmic, with ticks at the values of the curves.
    Swept,
    /// Linear from 0 on, with ticks at the values of the curves.
    Steps,
}

/// Approximate number of ticks of an axis.
const TICKS: f64 = 8.0;
/// Number of points up to which a curve has a mark at each point.
const MARKED: usize = 16;

impl Scale {
    fn is_log(self) -> bool {
        matches!(self, Self::Log | Self::Swept)
    }

    /// The position of a value. Values below a thousandth count as a thousandth in logarithms.
    fn place(self, value: f64) -> f64 {
        if self.is_log() { value.max(1e-3).log10() } else { value }
    }

    /// The range from the lowest of the values, or 0, to beyond the greatest.
    fn range(self, values: impl Iterator<Item = f64>, more: f64) -> Range<f64> {
        let values = values.map(|value| self.place(value));
        let (least, most) = values.fold((f64::MAX, f64::MIN), |(a, b), it| (a.min(it), b.max(it)));
        match self.is_log() {
            true => least..most.max(least + 0.1),
            false if most <= 0.0 => 0.0..1.0,
            false => 0.0..most * more,
        }
    }

    /// Positions of the ticks of an axis with these values.
    fn ticks(self, range: &Range<f64>, values: impl Iterator<Item = f64>) -> Vec<f64> {
        if matches!(self, Self::Swept | Self::Steps) {
            let places: BTreeSet<u64> = values.map(|value| (self.place(value) + 0.0).to_bits()).collect();
            let mut places: Vec<f64> = places.into_iter().map(f64::from_bits).collect();
            places.sort_unstable_by(f64::total_cmp);
            if places.len() <= 2 * TICKS as usize {
                return places;
            }
        }
        if self.is_log() {
            // 1, 2 and 5 times a power of ten if these are few, otherwise powers of ten.
            let few: &[f64] = if range.end - range.start < 2.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
            let powers = range.start.floor() as i32..=range.end.ceil() as i32;
            let all = powers.flat_map(|power| few.iter().map(move |it| f64::from(power) + it.log10()));
            return all.filter(|place| (range.start - 1e-9..=range.end + 1e-9).contains(place)).collect();
        }
        let raw = range.end / TICKS;
        let power = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|it| it * power).into_iter().find(|step| *step >= raw);
        let step = step.unwrap_or(raw);
        (0..=(range.end / step) as usize).map(|at| at as f64 * step).collect()
    }

    /// The label of a tick. Bytes have their unit.
    fn label(self, place: f64, most: f64, is_bytes: bool) -> String {
        let value = if self.is_log() { 10f64.powf(place) } else { place };
        match self {
            _ if is_bytes => bytes(value),
            Self::Linear => tick(place, most),
            Self::Steps => short(value),
            Self::Log | Self::Swept => short(value),
        }
    }
}

/// An axis with its ticks.
struct Axis {
    range: Range<f64>,
    ticks: Vec<f64>,
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        from + (share * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

/// A number with three digits, without trailing zeros.
fn short(value: f64) -> String {
    if value >= 99.5 {
        return format!("{value:.0}");
    }
    let places = (2 - value.max(1e-3).log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A number of bytes: 256 KiB, 1 MiB; 100 kB if it is not a multiple of 1,024.
fn bytes(value: f64) -> String {
    let value = value.round();
    let (by, units) = match value as u64 % 1_024 {
        0 => (1_024.0, ["B", "KiB", "MiB", "GiB"]),
        _ => (1_000.0, ["B", "kB", "MB", "GB"]),
    };
    let mut rest = value;
    let mut at = 0;
    while rest >= by && at < 3 {
        (rest, at) = (rest / by, at + 1);
    }
    format!("{} {}", short(rest), units[at])
}

/// Draws curves in a pair of axes.
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
    let tops = all().map(|it| it.1).chain(curves.iter().flat_map(|curve| curve.band.iter().map(|it| it.2)));
    let (range_x, range_y) = (along.range(all().map(|it| it.0), 1.04), up.range(tops, 1.04));
    let ticks_x = along.ticks(&range_x, all().map(|it| it.0));
    let ticks_y = up.ticks(&range_y, all().map(|it| it.1));
    let [bytes_x, bytes_y] = [x, y].map(|name| name.contains("bytes"));
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let (head, body) = root.split_vertically(HEAD);
        legend(&head, LEFT, heading, names.iter().map(|(name, color)| (name.as_str(), *color)))?;
        let (most_x, most_y) = (range_x.end, range_y.end);
        let mut chart = ChartBuilder::on(&body)
            .margin_left(14)
            .margin_right(24)
            .margin_top(8)
            .x_label_area_size(44)
            .y_label_area_size(LEFT)
            .build_cartesian_2d(
                Axis { range: range_x, ticks: ticks_x },
                Axis { range: range_y, ticks: ticks_y },
            )?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(INK)
            .x_desc(x)
            .y_desc(y)
            .x_label_formatter(&|value| along.label(*value, most_x, bytes_x))
            .y_label_formatter(&|value| up.label(*value, most_y, bytes_y))
            .label_style(text(12, INK, HPos::Center, VPos::Center))
            .axis_desc_style(text(13, INK, HPos::Center, VPos::Center))
            .draw()?;
        let place = |x: f64, y: f64| (along.place(x), up.place(y));
        for curve in curves.iter().filter(|curve| curve.band.len() > 1) {
            let low = curve.band.iter().map(|(x, low, _)| place(*x, low.max(0.0)));
            let high = curve.band.iter().rev().map(|(x, _, high)| place(*x, *high));
            chart.draw_series([Polygon::new(low.chain(high).collect::<Vec<_>>(), curve.color.mix(0.16))])?;
        }
        for curve in curves {
            let points: Vec<(f64, f64)> = curve.points.iter().map(|(x, y)| place(*x, *y)).collect();
            let style = curve.color.mix(if curve.is_thin { 0.45 } else { 1.0 });
            if points.len() <= MARKED && !curve.is_thin {
                let mark = |point: &(f64, f64)| Circle::new(*point, 3, style.filled());
                chart.draw_series(points.iter().map(mark))?;
            }
            // A single point is not a line.
            if points.len() > 1 {
                chart.draw_series([PathElement::new(points, style.stroke_width(2))])?;
            }
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

    #[test]
    fn ticks_are_at_what_was_swept_or_at_round_values() {
        let swept = [262_144.0, 1_048_576.0];
        let range = Scale::Swept.range(swept.into_iter(), 1.04);
        let ticks = Scale::Swept.ticks(&range, swept.into_iter());
        let labels: Vec<String> = ticks.iter().map(|it| Scale::Swept.label(*it, range.end, true)).collect();
        assert_eq!(labels, ["256 KiB", "1 MiB"]);
        assert_eq!(Scale::Linear.ticks(&(0.0..52.0), [].into_iter()), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
        let decades = Scale::Log.ticks(&(2.2..5.0), [].into_iter());
        assert_eq!(decades.iter().map(|it| it.round()).collect::<Vec<_>>(), [3.0, 4.0, 5.0]);
        assert_eq!([100e3, 1.5e6, 65_536.0, 512.0].map(bytes), ["100 kB", "1.5 MB", "64 KiB", "512 B"]);
        assert_eq!([0.1, 2.0, 3.25, 400.0].map(short), ["0.1", "2", "3.25", "400"]);
    }
}
