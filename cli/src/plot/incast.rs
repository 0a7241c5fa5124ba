//! Drawing of an incast: the window of every sender and the queue, a column for each kind of signals.

use super::{Area, FAINT, INK, PALETTE, save, text, title};
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use std::path::Path;
use weft_params::{Preset, Signals};
use weft_system::incast::{Figures, Incast, Run};

const WIDTH: u32 = 900;
const HEAD_HEIGHT: u32 = 76;
const COLUMN_HEAD_HEIGHT: u32 = 64;
const WINDOWS_HEIGHT: u32 = 270;
const QUEUE_HEIGHT: u32 = 160;
const LEFT: u32 = 70;
const MARGIN: u32 = 8;
const RIGHT: u32 = 16;
const GAP: u32 = 14;
const TIME_HEIGHT: u32 = 38;

/// Number of base RTTs that are drawn: the time in which the windows settle.
const BASE_RTTS: f64 = 25.0;
/// Upper limit of windows in the plot, in fair shares.
const SHARES: f64 = 2.0;
/// Number of parts of the time. For each part the last window, the shallowest queue and the deepest queue are drawn.
const BINS: usize = 240;

const SHARE: RGBColor = RGBColor(20, 20, 20);
const QUEUE: RGBColor = RGBColor(70, 70, 70);
const MARKING: RGBColor = RGBColor(253, 236, 214);

/// Number of colours of the senders, in turn.
const SENDERS: usize = 8;
/// With at most this many senders each window has a thick line; more thick lines would hide each other.
const FEW: u32 = 2;

/// Draws runs of one incast side by side. A failure leaves no file.
pub(crate) fn draw(runs: &[&Run], path: &Path) -> Result<()> {
    save(&svg(runs)?, path)
}

/// The name of a kind of signals.
pub(crate) fn name_of(signals: Signals) -> &'static str {
    match signals {
        Signals::Both => "SMaRTT: ECN and delay",
        Signals::Ecn => "ECN only",
        Signals::Delay => "delay only",
    }
}

/// An incast in a line.
pub(crate) fn title_of(incast: &Incast) -> String {
    let network = &incast.network;
    let size = match incast.message_bytes {
        bytes if bytes >= 1 << 20 && bytes % (1 << 20) == 0 => format!("{} MiB", bytes >> 20),
        bytes => format!("{} KiB", f64::from(bytes) / 1024.0),
    };
    let rtt = f64::from(network.base_rtt_ns[0]) / 1e3;
    let loss = if network.trimming { "trimming" } else { "drops and timeouts" };
    let constants = match network.preset {
        Preset::Paper => "",
        Preset::Artifact => ", constants of the authors' simulator",
    };
    format!(
        "{}:1 incast of {size}: {} Gb/s, base RTT {rtt} µs, queue of one BDP, {loss}{constants}",
        incast.senders, network.link_gbps
    )
}

/// The axes that all columns share.
struct Axes {
    until_us: f64,
    window_kib: f64,
    share_kib: f64,
    /// The window with which all senders begin.
    begin_kib: f64,
    queue_bytes: f64,
}

impl Axes {
    fn of(run: &Run) -> Self {
        let network = &run.incast.network;
        let [_, queue_bytes] = run.bdp_and_queue_bytes();
        let share_kib = run.fair_share_bytes() / 1024.0;
        let begin_kib = run.windows(0).next().map_or(0.0, |(_, bytes)| f64::from(bytes) / 1024.0);
        Self {
            until_us: (BASE_RTTS * f64::from(network.base_rtt_ns[0]) / 1e3).min(run.end_ps() as f64 / 1e6),
            window_kib: (SHARES * share_kib).min(1.05 * begin_kib),
            share_kib,
            begin_kib,
            queue_bytes,
        }
    }
}

fn svg(runs: &[&Run]) -> Result<String> {
    let columns = (runs.len() as u32).max(1);
    let column_width = (WIDTH - LEFT - RIGHT - (columns - 1) * GAP) / columns;
    let height = HEAD_HEIGHT + COLUMN_HEAD_HEIGHT + WINDOWS_HEIGHT + QUEUE_HEIGHT;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        root.fill(&WHITE)?;
        let (head, mut rest) = root.split_vertically(HEAD_HEIGHT);
        if let Some(run) = runs.first() {
            let axes = Axes::of(run);
            legend(&head, run, &axes)?;
            for (number, run) in runs.iter().enumerate() {
                let labels = if number == 0 { LEFT } else { GAP };
                let (column, right) = rest.split_horizontally(labels + column_width);
                let (top, below) = column.split_vertically(COLUMN_HEAD_HEIGHT);
                let (middle, bottom) = below.split_vertically(WINDOWS_HEIGHT);
                heading(&top, run, &run.figures(), labels as i32)?;
                windows(&middle, run, &axes, number == 0)?;
                queue(&bottom, run, &axes, number == 0)?;
                rest = right;
            }
        }
        root.present()?;
    }
    Ok(svg)
}

fn legend(area: &Area<'_>, run: &Run, axes: &Axes) -> Result<()> {
    area.draw(&Text::new(title_of(&run.incast), (LEFT as i32, 20), title()))?;
    let style = text(13, INK, HPos::Left, VPos::Center);
    let mut x = LEFT as i32;
    for (i, color) in PALETTE.iter().take(run.flows.len().min(4)).enumerate() {
        let y = 38 + 3 * i as i32;
        area.draw(&PathElement::new([(x, y), (x + 22, y)], color.stroke_width(2)))?;
    }
    area.draw(&Text::new("window of each sender", (x + 30, 43), style.clone()))?;
    x += 190;
    for dash in [x, x + 9, x + 18] {
        area.draw(&PathElement::new([(dash, 43), (dash + 5, 43)], SHARE.stroke_width(2)))?;
    }
    let share = format!("fair share of link and half a queue, {:.0} KiB", axes.share_kib);
    area.draw(&Text::new(share, (x + 30, 43), style.clone()))?;
    x += 322;
    area.draw(&Rectangle::new([(x, 36), (x + 22, 50)], MARKING.filled()))?;
    area.draw(&Text::new("queues at which RED marks", (x + 30, 43), style.clone()))?;
    x = LEFT as i32;
    let mut notes = Vec::new();
    if axes.begin_kib > axes.window_kib {
        notes.push(format!("all begin at {:.2} MiB", axes.begin_kib / 1024.0));
    }
    if axes.until_us < run.end_ps() as f64 / 1e6 {
        notes.push(format!("first {:.0} µs", axes.until_us));
    }
    area.draw(&Text::new(notes.join("; "), (x, 63), style))?;
    Ok(())
}

fn heading(area: &Area<'_>, run: &Run, figures: &Figures, left: i32) -> Result<()> {
    area.draw(&Text::new(name_of(run.incast.network.signals), (left, 10), title()))?;
    let style = text(12, INK, HPos::Left, VPos::Center);
    let [fastest, _, slowest] = figures.fct_us;
    let through =
        format!("messages through after {fastest:.0} to {slowest:.0} µs (ideal {:.0})", figures.ideal_us);
    area.draw(&Text::new(through, (left, 30), style.clone()))?;
    let converged = match figures.converged_us {
        Some(time) => format!("fair share after {time:.0} µs"),
        None => "does not settle".to_owned(),
    };
    let fair = format!("{converged}, Jain's index at the end {:.4}", figures.jain);
    area.draw(&Text::new(fair, (left, 47), style))?;
    Ok(())
}

/// The parts of a curve that are not above `top`, with the crossing points.
fn visible(points: &[(f64, f64)], top: f64) -> Vec<Vec<(f64, f64)>> {
    let mut parts: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut before: Option<(f64, f64)> = None;
    for &point in points {
        let inside = point.1 <= top;
        match before {
            Some(last) if (last.1 <= top) != inside => {
                let share = (top - last.1) / (point.1 - last.1);
                let crossing = (last.0 + share * (point.0 - last.0), top);
                if inside {
                    parts.push(vec![crossing, point]);
                } else if let Some(part) = parts.last_mut() {
                    part.push(crossing);
                }
            }
            Some(_) if inside => parts.last_mut().into_iter().for_each(|part| part.push(point)),
            None if inside => parts.push(vec![point]),
            _ => {}
        }
        before = Some(point);
    }
    parts
}

/// The last of the values in each part of the time.
fn thinned(values: impl Iterator<Item = (u64, u32)>, until_us: f64) -> Vec<(f64, f64)> {
    let mut points: Vec<(usize, (f64, f64))> = Vec::new();
    for (time_ps, bytes) in values {
        let time = time_ps as f64 / 1e6;
        if time > until_us {
            break;
        }
        let bin = (time / until_us * BINS as f64) as usize;
        let point = (time, f64::from(bytes) / 1024.0);
        match points.last_mut() {
            Some(last) if last.0 == bin => last.1 = point,
            _ => points.push((bin, point)),
        }
    }
    points.into_iter().map(|(_, point)| point).collect()
}

fn windows(area: &Area<'_>, run: &Run, axes: &Axes, first: bool) -> Result<()> {
    let mut chart = ChartBuilder::on(area)
        .margin_left(if first { MARGIN } else { GAP })
        .margin_top(6)
        .margin_bottom(10)
        .y_label_area_size(if first { LEFT - MARGIN } else { 0 })
        .build_cartesian_2d(0.0..axes.until_us, 0.0..axes.window_kib)?;
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .axis_style(INK)
        .x_labels(7)
        .y_labels(6)
        .y_label_formatter(&|kib| format!("{kib:.0}"))
        .label_style(text(12, INK, HPos::Right, VPos::Center))
        .axis_desc_style(text(12, INK, HPos::Center, VPos::Center));
    if first {
        mesh.y_desc("window (KiB)");
    }
    mesh.draw()?;
    for flow in 0..run.incast.senders {
        let color = PALETTE[flow as usize % SENDERS];
        let width = if run.incast.senders > FEW { 1 } else { 2 };
        let points = thinned(run.windows(flow), axes.until_us);
        let parts = visible(&points, axes.window_kib);
        chart.draw_series(parts.into_iter().map(|part| PathElement::new(part, color.stroke_width(width))))?;
    }
    let dash = axes.until_us / 48.0;
    let dashes = (0..48).map(|i| f64::from(i) * dash);
    let dashes = dashes.map(|x| [(x, axes.share_kib), (x + 0.6 * dash, axes.share_kib)]);
    chart.draw_series(dashes.map(|ends| PathElement::new(ends, SHARE.stroke_width(2))))?;
    Ok(())
}

fn queue(area: &Area<'_>, run: &Run, axes: &Axes, first: bool) -> Result<()> {
    let mut chart = ChartBuilder::on(area)
        .margin_left(if first { MARGIN } else { GAP })
        .margin_top(4)
        .x_label_area_size(TIME_HEIGHT)
        .y_label_area_size(if first { LEFT - MARGIN } else { 0 })
        .build_cartesian_2d(0.0..axes.until_us, 0.0..105.0)?;
    chart.draw_series([Rectangle::new([(0.0, 20.0), (axes.until_us, 80.0)], MARKING.filled())])?;
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .axis_style(INK)
        .x_labels(7)
        .y_labels(5)
        .x_label_formatter(&|time| format!("{time:.0}"))
        .y_label_formatter(&|percent| format!("{percent:.0}"))
        .x_desc("time (µs)")
        .label_style(text(12, INK, HPos::Center, VPos::Center))
        .axis_desc_style(text(12, INK, HPos::Center, VPos::Center));
    if first {
        mesh.y_desc("queue (% full)");
    }
    mesh.draw()?;
    let mut bins = vec![None::<(f64, f64)>; BINS];
    for depth in &run.queue {
        let percent = 100.0 * depth.bytes as f64 / axes.queue_bytes;
        let bin = (depth.time_ps as f64 / 1e6 / axes.until_us * BINS as f64) as usize;
        if let Some(bin) = bins.get_mut(bin) {
            let (low, high) = bin.unwrap_or((percent, percent));
            *bin = Some((low.min(percent), high.max(percent)));
        }
    }
    let width = axes.until_us / BINS as f64;
    let ends = bins.iter().enumerate().filter_map(|(bin, ends)| Some(((bin as f64 + 0.5) * width, (*ends)?)));
    let lows = ends.clone().map(|(time, (low, _))| (time, low));
    let highs = ends.map(|(time, (_, high))| (time, high));
    let band: Vec<(f64, f64)> = highs.clone().chain(lows.collect::<Vec<_>>().into_iter().rev()).collect();
    chart.draw_series([Polygon::new(band, QUEUE.mix(0.4).filled())])?;
    chart.draw_series([PathElement::new(highs.collect::<Vec<_>>(), QUEUE.stroke_width(1))])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_nic::block::smartt::Smartt;
    use weft_params::SmarttParams;

    fn run(incast: &Incast) -> Run {
        incast.run(&mut Smartt::new(SmarttParams::default(), incast.csr().unwrap())).unwrap()
    }

    #[test]
    fn a_curve_is_cut_where_it_leaves_the_axis() {
        let curve = [(0.0, 9.0), (1.0, 9.0), (2.0, 1.0), (3.0, 2.0), (4.0, 10.0), (5.0, 4.0)];
        let parts = [
            vec![(1.5, 5.0), (2.0, 1.0), (3.0, 2.0), (3.375, 5.0)],
            vec![(4.0 + 5.0 / 6.0, 5.0), (5.0, 4.0)],
        ];
        assert_eq!(visible(&curve, 5.0), parts);
        assert_eq!(visible(&curve[1..3], 9.0), [curve[1..3].to_vec()]);
        assert_eq!(visible(&curve[..2], 5.0), Vec::<Vec<_>>::new());
    }

    #[test]
    fn a_curve_is_thinned_to_the_last_value_of_each_part() {
        let values = (0..10_000_u32).map(|i| (u64::from(i) * 1_000_000, 1024 * i));
        let points = thinned(values, 4_800.0);
        assert_eq!((points.len(), points[0], points[239]), (BINS + 1, (19.0, 19.0), (4_799.0, 4_799.0)));
        assert_eq!(thinned(std::iter::empty(), 1.0), []);
    }

    #[test]
    fn every_sender_is_drawn_in_every_column() {
        let incast = Incast { message_bytes: 1 << 20, ..Incast::paper(8) };
        let runs = [Signals::Both, Signals::Ecn, Signals::Delay].map(|signals| {
            let mut incast = incast.clone();
            incast.network.signals = signals;
            run(&incast)
        });
        let svg = svg(&runs.each_ref()).unwrap();
        for color in &PALETTE[..SENDERS] {
            let hex = format!("stroke=\"#{:02X}{:02X}{:02X}\"", color.0, color.1, color.2);
            assert!(svg.matches(&hex).count() >= 3, "{hex}");
        }
        for words in
            ["SMaRTT: ECN and delay", "ECN only", "delay only", "time (µs)", "window (KiB)", "218 KiB"]
        {
            assert!(svg.contains(words), "{words}");
        }
        assert!(svg.contains("8:1 incast of 1 MiB") && svg.contains("all begin at 1.42 MiB"));
        assert!(svg.len() < 300_000, "{} bytes", svg.len());
    }
}
