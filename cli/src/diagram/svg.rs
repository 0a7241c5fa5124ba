//! Boxes and arrows: whole pixels only, so that the same drawing is the same text everywhere.

use std::fmt::Write;

const STYLE: &str = "\
text { font: 12px ui-sans-serif, system-ui, 'DejaVu Sans', sans-serif; fill: #1b1f24 }
.name { font-size: 14px; font-weight: 600; text-anchor: middle }
.note { font-size: 11px; fill: #57606a; text-anchor: middle }
.label { font-size: 11px; text-anchor: middle; paint-order: stroke; stroke: white; stroke-width: 5px }
.box { fill: #f6f8fa; stroke: #1b1f24; stroke-width: 1.3 }
.inner { fill: #ddf4ff; stroke: #0550ae }
.outside { fill: #fff8c5; stroke: #7d4e00 }
.arrow { fill: none; stroke: #1b1f24; stroke-width: 1.3; marker-end: url(#head) }
.faint { fill: none; stroke: #8c959f; stroke-width: 1; stroke-dasharray: 4 3; marker-end: url(#faint-head) }
";

/// A rectangle in pixels.
#[derive(Clone, Copy)]
pub(super) struct Rect {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: i32,
    pub(super) height: i32,
}

/// A drawing that grows.
pub(super) struct Drawing {
    text: String,
}

impl Drawing {
    /// An empty sheet.
    pub(super) fn new(width: i32, height: i32) -> Self {
        let mut text = String::new();
        let _ = writeln!(
            text,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">"#
        );
        let _ = writeln!(text, "<style>\n{STYLE}</style>\n<defs>");
        for (id, colour) in [("head", "#1b1f24"), ("faint-head", "#8c959f")] {
            let _ = writeln!(
                text,
                r#"<marker id="{id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="{colour}"/></marker>"#
            );
        }
        let _ =
            writeln!(text, "</defs>\n<rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"white\"/>");
        Self { text }
    }

    /// A box of a kind (`box`, `inner`, `outside`) with its name at the top and a note below it.
    pub(super) fn rectangle(&mut self, kind: &str, at: Rect, name: &str, notes: &[String]) {
        let Rect { x, y, width, height } = at;
        self.line(format_args!(
            r#"<rect class="box {kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="5"/>"#
        ));
        let middle = x + width / 2;
        self.line(format_args!(r#"<text class="name" x="{middle}" y="{}">{name}</text>"#, y + 20));
        for (i, note) in (0..).zip(notes) {
            self.line(format_args!(
                r#"<text class="note" x="{middle}" y="{}">{note}</text>"#,
                y + 37 + 15 * i
            ));
        }
    }

    /// Draws an arrow along `points`; `kind` is `arrow` or `faint`.
    pub(super) fn arrow(&mut self, kind: &str, points: &[(i32, i32)]) {
        let mut path = String::new();
        for (i, (x, y)) in points.iter().enumerate() {
            let _ = write!(path, "{}{x} {y} ", if i == 0 { 'M' } else { 'L' });
        }
        self.line(format_args!(r#"<path class="{kind}" d="{}"/>"#, path.trim_end()));
    }

    /// A text centred at a point.
    pub(super) fn label(&mut self, x: i32, y: i32, text: &str) {
        self.line(format_args!(r#"<text class="label" x="{x}" y="{y}">{text}</text>"#));
    }

    /// The finished drawing.
    pub(super) fn finish(mut self) -> String {
        self.text += "</svg>\n";
        self.text
    }

    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = self.text.write_fmt(text);
        self.text.push('\n');
    }
}
