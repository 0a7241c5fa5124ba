//! Drawings. What they share is here; a module for each.

pub(crate) mod cdf;
pub(crate) mod incast;
pub(crate) mod nic;
pub(crate) mod reps;

use anyhow::{Context, Result};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::io::Write;
use std::path::Path;
use weft_wire::write_atomically;

const INK: RGBColor = RGBColor(40, 44, 52);
const FAINT: RGBColor = RGBColor(222, 225, 230);

/// Colours of runs, in their order.
const RUNS: [RGBColor; 4] =
    [RGBColor(208, 28, 36), RGBColor(31, 119, 180), RGBColor(44, 150, 60), RGBColor(130, 90, 180)];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn title() -> TextStyle<'static> {
    let font = ("sans-serif", 15).into_font().style(FontStyle::Bold);
    font.color(&INK).pos(Pos::new(HPos::Left, VPos::Center))
}

fn text(size: u32, color: RGBColor, h: HPos, v: VPos) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&color).pos(Pos::new(h, v))
}

/// Writes an SVG, whole or not at all.
fn save(svg: &str, path: &Path) -> Result<()> {
    write_atomically(path, |file| file.write_all(svg.as_bytes()))
        .with_context(|| format!("cannot draw {}", path.display()))
}
