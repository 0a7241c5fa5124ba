//! Drawings. Shared code is in this module; each drawing has a module of its own.

mod bars;
pub(crate) mod cdf;
mod colors;
mod connection;
pub(crate) mod curves;
pub(crate) mod fabric;
mod groups;
pub(crate) mod incast;
mod names;
pub(crate) mod nic;
mod origin;
mod over;
mod paper;
mod raster;
pub(crate) mod reps;

use anyhow::{Context, Result, ensure};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::io::Write;
use std::path::Path;
use weft_wire::write_atomically;

pub(crate) use bars::busiest;
pub(crate) use colors::{PALETTE, of_modes};

const INK: RGBColor = RGBColor(40, 44, 52);
const FAINT: RGBColor = RGBColor(222, 225, 230);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn title() -> TextStyle<'static> {
    let font = ("sans-serif", 15).into_font().style(FontStyle::Bold);
    font.color(&INK).pos(Pos::new(HPos::Left, VPos::Center))
}

fn text(size: u32, color: RGBColor, h: HPos, v: VPos) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&color).pos(Pos::new(h, v))
}

/// Draws a heading, and below it the name of each curve in its colour; returns the position where free space
/// begins.
fn legend<'a>(
    area: &Area<'_>,
    left: u32,
    heading: &str,
    names: impl IntoIterator<Item = (&'a str, RGBColor)>,
) -> Result<i32> {
    area.draw(&Text::new(heading.to_owned(), (left as i32, 18), title()))?;
    let style = text(13, INK, HPos::Left, VPos::Center);
    let mut x = left as i32;
    let names: Vec<(&str, RGBColor)> = names.into_iter().collect();
    let letters: i32 = names.iter().map(|(name, _)| name.len() as i32).sum();
    // The names are closer together if there are many.
    let is_tight = x + 60 * names.len() as i32 + 8 * letters > area.dim_in_pixel().0 as i32;
    let (gap, letter) = if is_tight { (44, 7) } else { (60, 8) };
    for (name, color) in names {
        area.draw(&PathElement::new([(x, 43), (x + 22, 43)], color.stroke_width(2)))?;
        area.draw(&Text::new(name.to_owned(), (x + 30, 43), style.clone()))?;
        x += gap + letter * name.len() as i32;
    }
    Ok(x)
}

/// Writes a complete drawing or nothing: as PNG if the file's name ends in .png, otherwise as SVG.
pub(crate) fn save(svg: &str, path: &Path) -> Result<()> {
    let place = || format!("cannot draw {}", path.display());
    let ends_in = |it: &str| path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case(it));
    let is_png = ends_in("png");
    ensure!(
        is_png || ends_in("svg") || path.extension().is_none(),
        "cannot draw {}: drawings are SVG or PNG; give a name that ends in .svg or .png",
        path.display()
    );
    let bytes = if is_png { raster::png(svg).with_context(place)? } else { svg.as_bytes().to_vec() };
    write_atomically(path, |file| file.write_all(&bytes)).with_context(place)
}
