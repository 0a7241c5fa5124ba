//! Drawings of the decisions of REPS: the path of each packet and its reason, and the times of frozen
//! connections.

use super::{Area, FAINT, INK, save, text, title};
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use std::collections::HashMap;
use std::path::Path;
use weft_nic::block::reps::{Kind, Source};
use weft_system::scenario::path_of;
use weft_system::trace::{Decision, Fault, FaultKind, Provenance, Trace};

const WIDTH: u32 = 1000;
const HEAD_HEIGHT: u32 = 62;
const PATHS_HEIGHT: u32 = 220;
const LANE_HEIGHT: u32 = 11;
const SHARE_HEIGHT: u32 = 122;
const LEFT: u32 = 74;
const RIGHT: u32 = 18;

/// Maximum number of packets drawn in a panel. If there are more, the plot shows every n-th packet.
const DOTS: usize = 6_000;
/// Maximum number of connections whose freezes are drawn.
const LANES: usize = 16;
/// Number of intervals of a panel's time whose shares are drawn.
const BINS: usize = 60;

const LOST: RGBColor = RGBColor(208, 28, 36);
const FAULT: RGBColor = RGBColor(253, 226, 222);
const FROZEN: RGBColor = RGBColor(186, 155, 214);

/// The sources of entropy values, in the order in which their shares are stacked.
const SOURCES: [(Source, RGBColor, &str); 4] = [
    (Source::Recycled, RGBColor(66, 122, 190), "recycled: an EV whose last packet came through"),
    (Source::Reused, RGBColor(122, 46, 160), "reused while frozen"),
    (Source::Explored, RGBColor(240, 140, 20), "explored: a random EV"),
    (Source::Given, RGBColor(120, 125, 130), "fixed"),
];

/// A panel: one run to draw.
#[derive(Clone, Debug)]
pub(crate) struct Panel<'a> {
    /// Title of the panel.
    pub(crate) title: String,
    /// The decisions of the block.
    pub(crate) decisions: &'a [Decision],
    /// Number of paths of the fabric. If the number is unknown, the plot shows EVs.
    pub(crate) paths: Option<u32>,
    /// The fault of a path.
    pub(crate) fault: Option<Fault>,
}

impl<'a> Panel<'a> {
    /// The decisions of a block on a trace; scenario, paths and fault are those in the capture's comment.
    pub(crate) fn new(trace: &Trace, decisions: &'a [Decision]) -> Self {
        let Provenance { scenario, paths, fault, .. } = trace.provenance();
        let file = || {
            let file = Path::new(&trace.summary().file).file_name();
            file.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        };
        let mut title = scenario.clone().unwrap_or_else(file);
        if let (None, Some(paths)) = (fault, paths) {
            title += &format!(": {paths} equal paths");
        }
        if let (Some(fault), Some(_)) = (fault, paths) {
            let what = match fault.kind {
                FaultKind::Dead => "loses every packet",
                FaultKind::Slow => "is slow",
            };
            let (from, until) = (us(fault.from_ns), us(fault.until_ns));
            title += &format!(": path {} {what} from {from} to {until} µs (shaded)", fault.path);
        }
        Self { title, decisions, paths: *paths, fault: *fault }
    }

    fn sends(&self) -> impl Iterator<Item = &Decision> {
        self.decisions.iter().filter(|decision| decision.kind == Kind::Send)
    }

    /// The connections that have frozen.
    fn lanes(&self) -> Vec<u32> {
        let turned = self.decisions.iter().filter(|decision| decision.turned);
        let mut lanes: Vec<u32> = turned.map(|decision| decision.connection).collect();
        lanes.sort_unstable();
        lanes.dedup();
        lanes.truncate(LANES);
        lanes
    }

    fn lanes_height(&self) -> u32 {
        match self.lanes().len() as u32 {
            0 => 0,
            lanes => lanes * LANE_HEIGHT + 8,
        }
    }

    fn height(&self) -> u32 {
        PATHS_HEIGHT + self.lanes_height() + SHARE_HEIGHT
    }

    fn end_us(&self) -> f64 {
        self.decisions.last().map_or(1.0, |last| us(last.time_ns).max(0.001))
    }

    /// For each connection, the times during which it was frozen.
    fn freezes(&self) -> Vec<(u32, f64, f64)> {
        let mut since = HashMap::new();
        let mut freezes = Vec::new();
        for decision in self.decisions.iter().filter(|decision| decision.turned) {
            let now = us(decision.time_ns);
            if decision.frozen {
                since.insert(decision.connection, now);
            } else if let Some(since) = since.remove(&decision.connection) {
                freezes.push((decision.connection, since, now));
            }
        }
        let end = self.end_us();
        freezes.extend(since.into_iter().map(|(connection, since)| (connection, since, end)));
        freezes
    }
}

fn us(time_ns: u64) -> f64 {
    time_ns as f64 / 1000.0
}

/// Draws panels below each other. A failure leaves no file.
pub(crate) fn draw(panels: &[Panel<'_>], path: &Path) -> Result<()> {
    save(&svg(panels)?, path)
}

fn svg(panels: &[Panel<'_>]) -> Result<String> {
    let height = HEAD_HEIGHT + panels.iter().map(Panel::height).sum::<u32>();
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        root.fill(&WHITE)?;
        let (head, mut rest) = root.split_vertically(HEAD_HEIGHT);
        legend(&head, panels)?;
        for panel in panels {
            let (top, below) = rest.split_vertically(PATHS_HEIGHT);
            paths(&top, panel)?;
            let (lanes, below) = below.split_vertically(panel.lanes_height());
            if panel.lanes_height() > 0 {
                freezing(&lanes, panel)?;
            }
            let (bottom, below) = below.split_vertically(SHARE_HEIGHT);
            shares(&bottom, panel)?;
            rest = below;
        }
        root.present()?;
    }
    Ok(svg)
}

/// The meaning of the colours, above all panels.
fn legend(area: &Area<'_>, panels: &[Panel<'_>]) -> Result<()> {
    let mut entries: Vec<(RGBColor, &str)> = Vec::new();
    for (source, color, name) in SOURCES {
        if panels.iter().any(|panel| panel.sends().any(|send| send.source == Some(source))) {
            entries.push((color, name));
        }
    }
    let known = panels.iter().all(|panel| panel.paths.is_some());
    let what = if known { "on the path that its EV selects" } else { "at its EV" };
    let top = text(15, INK, HPos::Left, VPos::Center);
    area.draw(&Text::new(format!("Every dot is a data packet, {what}"), (LEFT as i32, 20), top))?;
    let style = text(13, INK, HPos::Left, VPos::Center);
    let mut x = LEFT as i32;
    for (color, name) in entries {
        area.draw(&Circle::new((x + 4, 46), 4, color.filled()))?;
        area.draw(&Text::new(name, (x + 13, 46), style.clone()))?;
        x += 34 + text_width(name);
    }
    if panels.iter().any(|panel| panel.sends().any(|send| send.retransmission)) {
        area.draw(&Cross::new((x + 4, 46), 4, LOST.stroke_width(2)))?;
        area.draw(&Text::new("sent again later", (x + 13, 46), style.clone()))?;
        x += 34 + text_width("sent again later");
    }
    if panels.iter().any(|panel| panel.lanes_height() > 0) {
        area.draw(&Rectangle::new([(x, 42), (x + 16, 50)], FROZEN.filled()))?;
        area.draw(&Text::new("frozen", (x + 22, 46), style))?;
    }
    Ok(())
}

/// Approximate width of a text of size 13, as an SVG has no font metrics.
fn text_width(text: &str) -> i32 {
    (text.len() as f64 * 6.3) as i32
}

/// Height of a packet in the drawing: the row of its path, or its EV.
fn height_of(ev: u16, paths: Option<u32>) -> f64 {
    let Some(paths) = paths else { return f64::from(ev) };
    // Different EVs of a path have different heights, so that an EV that is used again makes a line.
    let within = f64::from(ev.wrapping_mul(25_173) >> 4 & 0xFF) / 256.0;
    f64::from(path_of(ev, paths)) + 0.12 + 0.76 * within
}

/// Packets over time, by path.
fn paths(area: &Area<'_>, panel: &Panel<'_>) -> Result<()> {
    area.draw(&Text::new(panel.title.clone(), (LEFT as i32, 14), title()))?;
    let (low, high) = match panel.paths {
        Some(paths) => (0.0, f64::from(paths)),
        None => {
            let evs = || panel.sends().filter_map(|send| send.ev);
            (f64::from(evs().min().unwrap_or(0)) - 16.0, f64::from(evs().max().unwrap_or(1)) + 16.0)
        }
    };
    let mut chart = ChartBuilder::on(area)
        .margin_top(26)
        .margin_right(RIGHT)
        .margin_left(if panel.paths.is_some() { LEFT } else { 0 })
        .margin_bottom(6)
        .y_label_area_size(if panel.paths.is_some() { 0 } else { LEFT })
        .build_cartesian_2d(0.0..panel.end_us(), low..high)?;
    if let (Some(fault), Some(_)) = (panel.fault, panel.paths) {
        let (row, end) = (f64::from(fault.path), panel.end_us());
        let corners = [(us(fault.from_ns).min(end), row), (us(fault.until_ns).min(end), row + 1.0)];
        chart.draw_series([Rectangle::new(corners, FAULT.filled())])?;
    }
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .axis_style(INK)
        .x_labels(13)
        .y_labels(5)
        .y_label_formatter(&|ev| format!("{:#06x}", *ev as u32))
        .label_style(text(12, INK, HPos::Right, VPos::Center));
    match panel.paths {
        Some(_) => mesh.disable_y_mesh().draw()?,
        None => mesh.draw()?,
    }
    if let Some(paths) = panel.paths {
        let (_, rows) = chart.plotting_area().get_pixel_range();
        let (_, origin) = area.get_base_pixel();
        let height = f64::from(rows.end - rows.start) / f64::from(paths);
        let style = text(12, INK, HPos::Right, VPos::Center);
        for path in 0..paths {
            let row = f64::from(path);
            chart.draw_series([PathElement::new([(0.0, row), (panel.end_us(), row)], FAINT)])?;
            if paths <= 16 {
                let y = rows.end - origin - ((row + 0.5) * height) as i32;
                area.draw(&Text::new(format!("path {path}"), (LEFT as i32 - 8, y), style.clone()))?;
            }
        }
    }

    let count = panel.sends().count();
    let every = count.div_ceil(DOTS).max(1);
    let mut last_sent: HashMap<(u32, Option<u32>), (f64, f64)> = HashMap::new();
    let (mut dots, mut lost) = (Vec::new(), Vec::new());
    for (number, send) in panel.sends().enumerate() {
        let at = (us(send.time_ns), height_of(send.ev.unwrap_or(0), panel.paths));
        let before = last_sent.insert((send.connection, send.psn), at);
        lost.extend(before.filter(|_| send.retransmission));
        let color = SOURCES.iter().find(|(source, ..)| Some(*source) == send.source).map(|it| it.1);
        if number % every == 0 {
            dots.push((at, color.unwrap_or(INK)));
        }
    }
    chart.draw_series(dots.into_iter().map(|(at, color)| Circle::new(at, 2, color.filled())))?;
    chart.draw_series(lost.into_iter().map(|at| Cross::new(at, 4, LOST.stroke_width(2))))?;
    if every > 1 {
        let style = text(12, INK, HPos::Right, VPos::Center);
        let note = format!("1 of {every} packets drawn");
        area.draw(&Text::new(note, ((WIDTH - RIGHT) as i32, 14), style))?;
    }
    Ok(())
}

/// Draws the times during which connections were frozen, one lane per connection.
fn freezing(area: &Area<'_>, panel: &Panel<'_>) -> Result<()> {
    let lanes = panel.lanes();
    let mut chart = ChartBuilder::on(area)
        .margin_left(LEFT)
        .margin_right(RIGHT)
        .margin_bottom(8)
        .build_cartesian_2d(0.0..panel.end_us(), 0.0..lanes.len() as f64)?;
    let style = text(10, INK, HPos::Right, VPos::Center);
    for (lane, connection) in lanes.iter().enumerate() {
        let y = (lane as f64 + 0.5) * f64::from(LANE_HEIGHT);
        area.draw(&Text::new(format!("conn. {connection}"), (LEFT as i32 - 8, y as i32), style.clone()))?;
    }
    for (connection, from, until) in panel.freezes() {
        let Some(lane) = lanes.iter().position(|lane| *lane == connection) else { continue };
        let row = (lanes.len() - 1 - lane) as f64;
        chart.draw_series([Rectangle::new([(from, row + 0.1), (until, row + 0.9)], FROZEN.filled())])?;
    }
    Ok(())
}

/// Draws the sources of the packets, stacked.
fn shares(area: &Area<'_>, panel: &Panel<'_>) -> Result<()> {
    let caption = text(12, INK, HPos::Left, VPos::Center);
    area.draw(&Text::new("share of the packets", (LEFT as i32, 8), caption))?;
    let end = panel.end_us();
    let width = end / BINS as f64;
    let mut bins = [[0_u32; SOURCES.len()]; BINS];
    for send in panel.sends() {
        let bin = ((us(send.time_ns) / width) as usize).min(BINS - 1);
        let source = SOURCES.iter().position(|(source, ..)| Some(*source) == send.source);
        bins[bin][source.unwrap_or(0)] += 1;
    }
    let mut chart = ChartBuilder::on(area)
        .margin_right(RIGHT)
        .margin_bottom(8)
        .margin_top(18)
        .x_label_area_size(34)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(0.0..end, 0.0..100.0)?;
    let stacked = bins.iter().enumerate().flat_map(|(bin, counts)| {
        let all: u32 = counts.iter().sum();
        let (mut below, from) = (0.0, bin as f64 * width);
        counts.iter().zip(SOURCES).filter(|(count, _)| **count > 0).map(move |(count, (_, color, _))| {
            let above = below + 100.0 * f64::from(*count) / f64::from(all);
            let bar = Rectangle::new([(from, below), (from + width, above)], color.filled());
            below = above;
            bar
        })
    });
    chart.draw_series(stacked.collect::<Vec<_>>())?;
    chart
        .configure_mesh()
        .disable_mesh()
        .axis_style(INK)
        .x_labels(13)
        .y_labels(3)
        .y_label_formatter(&|share| format!("{share:.0} %"))
        .x_label_formatter(&|time| format!("{time:.0}"))
        .x_desc("time (µs)")
        .label_style(text(12, INK, HPos::Center, VPos::Center))
        .axis_desc_style(text(12, INK, HPos::Center, VPos::Center))
        .draw()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_nic::block::reps::Reps;
    use weft_system::scenario::{Scenario, Settings};
    use weft_system::trace::{Options, decisions};

    fn decided(settings: &Settings) -> (Trace, Vec<Decision>) {
        let run = settings.run().unwrap();
        let trace = Trace::of_frames("a/b.pcapng", run.frames, vec![run.comment], &Options::default());
        let trace = trace.unwrap();
        let events = trace.events(&mut Reps::new(settings.params, settings.csr)).unwrap();
        let outcomes: Vec<_> = events.iter().map(|event| event.outcome).collect();
        let decisions = decisions(&events, &outcomes).unwrap();
        (trace, decisions)
    }

    fn count(svg: &str, what: &str) -> usize {
        svg.matches(what).count()
    }

    #[test]
    fn every_packet_and_every_freeze_is_drawn() {
        let (trace, decisions) = decided(&Scenario::Dead.settings());
        let panel = Panel::new(&trace, &decisions);
        assert_eq!(panel.title, "dead: path 5 loses every packet from 200 to 800 µs (shaded)");
        let svg = svg(std::slice::from_ref(&panel)).unwrap();
        // The legend has one of each colour.
        assert_eq!(count(&svg, "<circle"), trace.summary().data + 3);
        let begun = decisions.iter().filter(|decision| decision.turned && decision.frozen).count();
        assert!(begun > 0);
        assert_eq!(panel.freezes().len(), begun);
        assert_eq!(count(&svg, "#BA9BD6"), begun + 1);
        assert!(panel.freezes().iter().all(|(_, from, until)| until > from));
        assert!(["path 7", "explored", "conn. ", "time (µs)"].iter().all(|words| svg.contains(words)));
    }

    #[test]
    fn what_was_sent_again_lies_on_the_dead_path() {
        let (trace, decisions) = decided(&Scenario::Dead.settings());
        let crosses = |decisions: &[Decision]| {
            let svg = svg(&[Panel::new(&trace, decisions)]).unwrap();
            count(&svg, "#D01C24") / 2
        };
        assert_eq!(crosses(&decisions), trace.summary().retransmissions + 1);
        let none: Vec<_> =
            decisions.iter().map(|decision| Decision { retransmission: false, ..*decision }).collect();
        assert_eq!(crosses(&none), 0);
    }

    #[test]
    fn a_long_trace_is_thinned() {
        let settings = Settings { duration_ns: 10_000_000, ..Scenario::Healthy.settings() };
        let (trace, decisions) = decided(&settings);
        assert!(trace.summary().data > 2 * DOTS);
        let svg = svg(&[Panel::new(&trace, &decisions)]).unwrap();
        assert!((DOTS / 2..=DOTS + 3).contains(&count(&svg, "<circle")));
        assert!(svg.contains("1 of 3 packets drawn"));
    }

    #[test]
    fn nothing_and_unknown_paths_are_drawn() {
        let (trace, decisions) = decided(&Scenario::Healthy.settings());
        for decisions in [&decisions[..], &decisions[..2], &[]] {
            let panel = Panel { paths: None, fault: None, ..Panel::new(&trace, decisions) };
            assert!(svg(&[panel.clone(), panel]).unwrap().contains("at its EV"));
        }
        assert!(svg(&[]).unwrap().ends_with("</svg>\n"));
    }

    #[test]
    fn an_svg_is_written_whole() {
        let (trace, decisions) = decided(&Scenario::Healthy.settings());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("reps.svg");
        draw(&[Panel::new(&trace, &decisions)], &path).unwrap();
        assert!(std::fs::read_to_string(path).unwrap().ends_with("</svg>\n"));
        let error = draw(&[], &folder.path().join("none/reps.svg")).unwrap_err();
        assert!(format!("{error:#}").contains("cannot"));
    }
}
