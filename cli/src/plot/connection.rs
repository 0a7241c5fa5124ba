//! `weft plot --kind connection`: one connection over time, from the events of `weft sim --events`.

use super::colors::PALETTE;
use super::curves::tick;
use super::{Area, FAINT, INK, legend, save, text};
use anyhow::{Context, Result, bail, ensure};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use weft_fabric::events::FORMAT;

const SIZE: (u32, u32) = (1000, 620);
const HEAD: u32 = 58;
const WINDOW: u32 = 220;
const LEFT: u32 = 64;
/// Maximum number of drawn packets of a kind. If there are more, the plot shows every n-th packet.
const DOTS: usize = 6_000;

const WINDOW_COLOR: RGBColor = PALETTE[0];
const FLIGHT_COLOR: RGBColor = PALETTE[1];
const FROZEN: RGBColor = RGBColor(214, 196, 230);

/// Kinds of packets' ends: the name in the legend, colour, and radius of the dot; 0: a cross.
const PACKETS: [(Fate, &str, RGBColor, i32); 5] = [
    (Fate::Sent, "sent", PALETTE[5], 2),
    (Fate::Marked, "came marked", PALETTE[1], 2),
    (Fate::Trimmed, "came trimmed", PALETTE[3], 3),
    (Fate::Again, "sent again", PALETTE[6], 3),
    (Fate::Lost, "found lost", PALETTE[4], 0),
];

/// The fate of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Sent,
    Marked,
    Trimmed,
    Again,
    Lost,
}

/// The connection of a line.
#[derive(Deserialize)]
struct Which<'a> {
    connection: &'a str,
}

/// A line of the file.
#[derive(Deserialize)]
struct Line<'a> {
    time_ns: f64,
    name: &'a str,
    #[serde(default)]
    data: Value,
}

/// A connection over time, in microseconds.
#[derive(Debug, Default)]
struct History {
    until_us: f64,
    /// Window and bytes in flight, from a time on.
    metrics: Vec<(f64, [f64; 2])>,
    freezes: Vec<(f64, f64)>,
    /// Time and PSN.
    packets: BTreeMap<Fate, Vec<(f64, f64)>>,
}

/// Draws a connection of a file; without a name, the connection with the most events.
pub(super) fn draw(file: &Path, connection: Option<&str>, out: &Path) -> Result<()> {
    let name = file.display();
    let all = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    save(&svg(&all, connection).with_context(|| format!("{name}"))?, out)
}

fn svg(file: &str, connection: Option<&str>) -> Result<String> {
    let mut lines = file.lines();
    let header: Value = lines.next().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
    match header["weft_events"].as_u64() {
        Some(format) if format == u64::from(FORMAT) => {}
        Some(format) => bail!("the file has format {format}; this weft reads {FORMAT}: make the file again"),
        None => bail!("this is not a file of events; weft sim --events makes one"),
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in lines.clone() {
        let Which { connection } = serde_json::from_str(line).context("a line is not an event")?;
        *counts.entry(connection).or_default() += 1;
    }
    let most = counts.iter().max_by_key(|(_, count)| **count).map(|(name, _)| *name);
    let connection = connection.or(most).context("the file has no events")?;
    ensure!(
        counts.contains_key(connection),
        "the file has no event of connection {connection}, only of {}",
        {
            let names: Vec<&str> = counts.keys().copied().take(8).collect();
            names.join(", ") + if counts.len() > 8 { ", ..." } else { "" }
        }
    );
    let mut history = History::default();
    let mut frozen_us = None;
    for line in lines {
        let Which { connection: of } = serde_json::from_str(line)?;
        if of == connection {
            history.take(&serde_json::from_str(line)?, &mut frozen_us);
        }
    }
    history.freezes.extend(frozen_us.map(|from| (from, history.until_us)));
    drawn(connection, &history)
}

impl History {
    /// Processes the next event. A freeze that has not ended began at `frozen_us`.
    fn take(&mut self, line: &Line<'_>, frozen_us: &mut Option<f64>) {
        let (now, data) = (line.time_ns / 1e3, &line.data);
        self.until_us = self.until_us.max(now);
        let number = |key: &str| data[key].as_f64().unwrap_or(0.0);
        let fate = match line.name {
            "metrics_updated" => {
                self.metrics.push((now, [number("window_bytes") / 1e3, number("in_flight_bytes") / 1e3]));
                None
            }
            "freeze_began" => {
                *frozen_us = Some(now);
                None
            }
            "freeze_ended" => {
                self.freezes.extend(frozen_us.take().map(|from| (from, now)));
                None
            }
            "packet_sent" if data["again"].is_null() => Some(Fate::Sent),
            "packet_sent" => Some(Fate::Again),
            "packet_received" if data["marked"] == true => Some(Fate::Marked),
            "packet_trimmed" => Some(Fate::Trimmed),
            "packet_lost" => Some(Fate::Lost),
            _ => None,
        };
        if let Some(fate) = fate {
            self.packets.entry(fate).or_default().push((now, number("psn")));
        }
    }
}

fn drawn(connection: &str, history: &History) -> Result<String> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let (head, rest) = root.split_vertically(HEAD);
        let heading = format!("Connection {connection}: window and bytes in flight");
        let curves = [("window", WINDOW_COLOR), ("in flight", FLIGHT_COLOR), ("frozen", FROZEN)];
        let shown = if history.freezes.is_empty() { &curves[..2] } else { &curves };
        legend(&head, LEFT, &heading, shown.iter().copied())?;
        let (top, rest) = rest.split_vertically(WINDOW);
        window(&top, history)?;
        let (head, bottom) = rest.split_vertically(HEAD);
        let there = PACKETS.iter().filter(|(fate, ..)| history.packets.contains_key(fate));
        legend(&head, LEFT, "Its packets, by PSN", there.map(|(_, name, color, _)| (*name, *color)))?;
        packets(&bottom, history)?;
        root.present()?;
    }
    Ok(svg)
}

/// A panel with axes, and the freezes shaded.
macro_rules! panel {
    ($area:expr, $history:expr, $range:expr, $y:expr) => {{
        let until = $history.until_us.max(1e-3);
        let mut chart = ChartBuilder::on($area)
            .margin_left(14)
            .margin_right(24)
            .x_label_area_size(40)
            .y_label_area_size(LEFT - 14)
            .build_cartesian_2d(0.0..until, $range)?;
        let (low, high): (f64, f64) = ($range.start, $range.end);
        let shade = |(from, to): &(f64, f64)| Rectangle::new([(*from, low), (*to, high)], FROZEN.filled());
        chart.draw_series($history.freezes.iter().map(shade))?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(INK)
            .x_desc("time (µs)")
            .y_desc($y)
            .x_label_formatter(&|value| tick(*value, until))
            .y_label_formatter(&|value| tick(*value, high))
            .label_style(text(12, INK, HPos::Center, VPos::Center))
            .axis_desc_style(text(13, INK, HPos::Center, VPos::Center))
            .draw()?;
        chart
    }};
}

fn window(area: &Area<'_>, history: &History) -> Result<()> {
    let most = history.metrics.iter().flat_map(|(_, both)| *both).fold(1.0, f64::max);
    let mut chart = panel!(area, history, 0.0..1.05 * most, "kB");
    for (at, color) in [(1, FLIGHT_COLOR), (0, WINDOW_COLOR)] {
        // A curve keeps a value until the next value.
        let mut steps: Vec<(f64, f64)> = Vec::new();
        for (time, both) in &history.metrics {
            steps.extend(steps.last().map(|(_, before)| (*time, *before)));
            steps.push((*time, both[at]));
        }
        steps.extend(steps.last().map(|(_, last)| (history.until_us, *last)));
        chart.draw_series([PathElement::new(steps, color.stroke_width(2))])?;
    }
    Ok(())
}

fn packets(area: &Area<'_>, history: &History) -> Result<()> {
    let psns = || history.packets.values().flatten().map(|(_, psn)| *psn);
    let (least, most) = (psns().fold(f64::MAX, f64::min), psns().fold(1.0, f64::max));
    let mut chart = panel!(area, history, least.min(most) - 0.5..most + 0.5, "PSN");
    for (fate, _, color, radius) in PACKETS {
        let dots = history.packets.get(&fate).map_or(&[][..], Vec::as_slice);
        let dots = dots.iter().step_by(dots.len().div_ceil(DOTS).max(1));
        match radius {
            0 => chart.draw_series(dots.map(|at| Cross::new(*at, 4, color.stroke_width(2))))?,
            _ => chart.draw_series(dots.map(|at| Circle::new(*at, radius, color.filled())))?,
        };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{"weft_events":1}
{"time_ns":0.0,"host":3,"connection":"3.0","name":"metrics_updated","data":{"window_bytes":8000,"in_flight_bytes":0}}
{"time_ns":1000.0,"host":3,"connection":"3.0","name":"packet_sent","data":{"psn":1,"again":null}}
{"time_ns":2000.0,"host":4,"connection":"4.0","name":"freeze_began"}
{"time_ns":9000.0,"host":3,"connection":"3.0","name":"packet_lost","data":{"psn":1}}
{"time_ns":9000.0,"host":3,"connection":"3.0","name":"freeze_began"}
{"time_ns":9500.0,"host":3,"connection":"3.0","name":"packet_sent","data":{"psn":1,"again":"timeout"}}
{"time_ns":9900.0,"host":0,"connection":"3.0","name":"packet_trimmed","data":{"psn":1,"marked":true}}
"#;

    #[test]
    fn a_connection_is_drawn_over_time() {
        let svg = svg(FILE, None).expect("drawn");
        for words in
            ["Connection 3.0", "in flight", "frozen", "sent again", "found lost", "came trimmed", ">\nPSN\n<"]
        {
            assert!(svg.contains(words), "{words} in {svg}");
        }
        assert!(!svg.contains("came marked"), "{svg}");
        // A freeze that has not ended is shaded up to the end.
        let shades = svg.matches("#D6C4E6").count();
        assert_eq!(shades, 3, "one in each panel, and its line in the legend: {svg}");
    }

    #[test]
    fn what_cannot_be_drawn_is_told() {
        let why = |file: &str, connection| svg(file, connection).expect_err("nothing is drawn").to_string();
        assert_eq!(why(FILE, Some("7.0")), "the file has no event of connection 7.0, only of 3.0, 4.0");
        assert_eq!(
            why("{\"weft_events\":2}\n", None),
            "the file has format 2; this weft reads 1: make the file again"
        );
        assert_eq!(why("{\"weft_events\":1}\n", None), "the file has no events");
        assert!(why("{}", None).contains("not a file of events"));
    }
}
