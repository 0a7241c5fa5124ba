//! Draws a [`Diagram`]: whole pixels only, so that the same diagram is the same text everywhere.

use super::{Diagram, Lane, Ticks};
use std::fmt::Write;
use std::ops::Range;

/// Width of a clock.
const CLOCK: usize = 48;
/// Height of a wave, of a lane with the space above the next, of a gap, and of the clock numbers.
const WAVE: usize = 18;
const LANE: usize = 26;
const GAP: usize = 20;
const HEAD: usize = 20;
/// Half the width of a transition.
const SLOPE: usize = 3;
/// Width of a character of a name. The margin around the drawing follows.
const CHARACTER: usize = 8;
const MARGIN: usize = 12;

const STYLE: &str = "\
text { font: 12px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1b1f24 }
.label { text-anchor: middle; font-size: 11px }
.tick { text-anchor: middle; font-size: 10px; fill: #6e7781 }
.wave { fill: none; stroke: #1b1f24; stroke-width: 1.3; stroke-linejoin: round }
.box { stroke: #1b1f24; stroke-width: 1.3; stroke-linejoin: round }
.grid { stroke: #d0d7de; stroke-dasharray: 2 3 }
.span { fill: none; stroke: #0550ae; stroke-width: 1.3 }
.note { text-anchor: middle; fill: #0550ae; font-weight: bold }
";

pub(super) fn draw(diagram: &Diagram) -> String {
    let clocks = diagram.signal.iter().map(|lane| lane.wave.chars().count()).max().unwrap_or(0);
    let longest = diagram.signal.iter().map(|lane| lane.name.chars().count()).max().unwrap_or(0);
    let left = MARGIN + longest * CHARACTER + MARGIN;
    let lanes: usize = diagram.signal.iter().map(height).sum();
    let (width, bottom) = (left + clocks * CLOCK + MARGIN, MARGIN + HEAD + lanes);
    let height_all = bottom + MARGIN / 2;

    let mut out = Canvas { text: String::new(), left };
    out.line(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height_all}" width="{width}" height="{height_all}">"#
    ));
    out.line(format_args!("<style>\n{STYLE}</style>"));
    out.line(format_args!(
        r##"<defs><pattern id="undefined" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="#f6f8fa"/><path d="M0 6 L6 0" stroke="#afb8c1"/></pattern></defs>"##
    ));
    out.line(format_args!(r#"<rect width="{width}" height="{height_all}" rx="6" fill="white"/>"#));
    for clock in 0..=clocks {
        let x = out.x(clock);
        out.line(format_args!(r#"<path class="grid" d="M{x} {} V{bottom}"/>"#, MARGIN + HEAD - 4));
        if clock < clocks {
            let tick = match &diagram.head.tick {
                Ticks::From(first) => (*first as usize + clock).to_string(),
                Ticks::Each(ticks) => ticks.get(clock).cloned().unwrap_or_default(),
            };
            let (x, y) = (x + CLOCK / 2, MARGIN + 8);
            out.line(format_args!(r#"<text class="tick" x="{x}" y="{y}">{tick}</text>"#));
        }
    }
    let mut top = MARGIN + HEAD;
    for lane in &diagram.signal {
        out.lane(lane, top, clocks);
        for edge in &diagram.edge {
            out.span(lane, edge, top);
        }
        top += height(lane);
    }
    let left_out = diagram.signal.first().map_or("", |lane| &lane.wave);
    for (clock, _) in left_out.chars().enumerate().filter(|(_, character)| *character == '|') {
        out.torn(clock, MARGIN + HEAD - 4, bottom);
    }
    out.line(format_args!("</svg>"));
    out.text
}

fn height(lane: &Lane) -> usize {
    if lane.wave.is_empty() { GAP } else { LANE }
}

/// The ground of a shade.
fn fill(shade: char) -> &'static str {
    match shade {
        '3' => "#fff3b0",
        '4' => "#ffd8b5",
        '5' => "#c6e2ff",
        '6' => "#c5f0ef",
        '7' => "#cdf2c5",
        '8' => "#e3d4fb",
        '9' => "#ffd0d6",
        '=' => "#ffffff",
        _ => "url(#undefined)",
    }
}

/// The longest part of `run` without clocks left out: where its label can be read.
fn widest(wave: &str, run: Range<usize>) -> Range<usize> {
    let torn = wave.chars().enumerate().skip(run.start).take(run.len()).filter(|(_, c)| *c == '|');
    let borders: Vec<usize> = torn.map(|(clock, _)| clock).chain([run.end]).collect();
    let begins = std::iter::once(run.start).chain(borders.iter().map(|border| border + 1));
    let parts = begins.zip(&borders).map(|(begin, &end)| begin..end);
    parts.max_by_key(|part| part.len()).unwrap_or(run)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

struct Canvas {
    text: String,
    /// Column of clock 0.
    left: usize,
}

impl Canvas {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // A string takes everything.
        let _ = writeln!(self.text, "{line}");
    }

    fn x(&self, clock: usize) -> usize {
        self.left + clock * CLOCK
    }

    fn lane(&mut self, lane: &Lane, top: usize, clocks: usize) {
        if lane.wave.is_empty() {
            return;
        }
        let (x, y) = (self.left - MARGIN, top + WAVE - 5);
        self.line(format_args!(r#"<text text-anchor="end" x="{x}" y="{y}">{}</text>"#, escaped(&lane.name)));
        // Runs of clocks with one value: its character, first clock, clock after the last.
        let mut runs: Vec<(char, usize, usize)> = Vec::new();
        for (clock, character) in lane.wave.chars().enumerate() {
            match runs.last_mut() {
                Some((_, _, end)) if matches!(character, '.' | '|') => *end = clock + 1,
                _ => runs.push((character, clock, clock + 1)),
            }
        }
        let mut labels = lane.data.iter().peekable();
        let mut levels = String::new();
        for (character, begin, end) in runs {
            match character {
                'p' => self.clock(begin..end, top),
                '0' | '1' => {
                    let y = if character == '1' { top } else { top + WAVE };
                    let (from, to) = (self.x(begin), self.x(end));
                    let (from, to) = (
                        from + if begin == 0 { 0 } else { SLOPE },
                        to - if end == clocks { 0 } else { SLOPE },
                    );
                    let command = if levels.is_empty() { 'M' } else { 'L' };
                    let _ = write!(levels, "{command}{from} {y} H{to} ");
                }
                _ => {
                    self.data(character, begin..end, top, clocks);
                    if let Some(label) = labels.by_ref().next_if(|_| character != 'x') {
                        self.label(label, widest(&lane.wave, begin..end), top);
                    }
                }
            }
        }
        if !levels.is_empty() {
            self.line(format_args!(r#"<path class="wave" d="{}"/>"#, levels.trim_end()));
        }
    }

    fn clock(&mut self, clocks: Range<usize>, top: usize) {
        let mut path = format!("M{} {}", self.x(clocks.start), top + WAVE);
        for clock in clocks {
            let (middle, end) = (self.x(clock) + CLOCK / 2, self.x(clock + 1));
            let _ = write!(path, " V{top} H{middle} V{} H{end}", top + WAVE);
        }
        self.line(format_args!(r#"<path class="wave" d="{path}"/>"#));
    }

    fn label(&mut self, label: &str, run: Range<usize>, top: usize) {
        let (x, y) = ((self.x(run.start) + self.x(run.end)) / 2, top + WAVE - 5);
        self.line(format_args!(r#"<text class="label" x="{x}" y="{y}">{}</text>"#, escaped(label)));
    }

    fn data(&mut self, shade: char, run: Range<usize>, top: usize, clocks: usize) {
        let (left, right) = (self.x(run.start), self.x(run.end));
        let (middle, bottom) = (top + WAVE / 2, top + WAVE);
        // The curve is straight at the borders of the diagram, where the value continues.
        let begin = if run.start == 0 {
            format!("M{left} {bottom} V{top}")
        } else {
            format!("M{} {bottom} L{left} {middle} L{} {top}", left + SLOPE, left + SLOPE)
        };
        let end = if run.end == clocks {
            format!("H{right} V{bottom} Z")
        } else {
            format!("H{} L{right} {middle} L{} {bottom} Z", right - SLOPE, right - SLOPE)
        };
        self.line(format_args!(r#"<path class="box" fill="{}" d="{begin} {end}"/>"#, fill(shade)));
    }

    /// A strip cut out of the whole drawing, for omitted clocks.
    fn torn(&mut self, clock: usize, top: usize, bottom: usize) {
        let x = self.x(clock) + CLOCK / 3;
        let mut edge = String::new();
        for step in 1..=(bottom - top) / 8 {
            let _ = write!(edge, " l{} 8", if step % 2 == 1 { 5 } else { -5 });
        }
        let width = CLOCK / 3;
        self.line(format_args!(
            r#"<path d="M{x} {top}{edge} h{width} V{top} Z" fill="white"/><path class="grid" fill="none" d="M{x} {top}{edge} M{} {top}{edge}"/>"#,
            x + width
        ));
    }

    /// A span whose two nodes are in `lane`.
    fn span(&mut self, lane: &Lane, edge: &str, top: usize) {
        let (nodes, note) = edge.split_once(' ').unwrap_or((edge, ""));
        let Some((from, to)) = nodes.split_once("<->") else { return };
        let (Some(from), Some(to)) = (lane.node.find(from), lane.node.find(to)) else { return };
        let (from, to, y) = (self.x(from), self.x(to), top + GAP / 2 - 4);
        self.line(format_args!(
            r#"<path class="span" d="M{from} {} V{} M{to} {} V{} M{from} {y} H{to} M{} {} L{from} {y} L{} {} M{} {} L{to} {y} L{} {}"/>"#,
            y - 6, y + 6, y - 6, y + 6,
            from + 6, y - 4, from + 6, y + 4,
            to - 6, y - 4, to - 6, y + 4,
        ));
        let (x, width) = ((from + to) / 2, (note.chars().count() + 2) * CHARACTER);
        self.line(format_args!(
            r#"<rect x="{}" y="{}" width="{width}" height="14" fill="white"/>"#,
            x - width / 2,
            y - 7
        ));
        self.line(format_args!(r#"<text class="note" x="{x}" y="{}">{}</text>"#, y + 4, escaped(note)));
    }
}
