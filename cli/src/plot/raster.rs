//! A drawing as PNG, from its SVG.

use anyhow::{Context, Result, bail};
use resvg::usvg::fontdb::Database;
use resvg::{tiny_skia, usvg};
use std::sync::Arc;

/// Pixels of a PNG per pixel of the drawing, so that the PNG is sharp on dense screens.
const SCALE: f32 = 2.0;

/// The family for which the drawings are laid out; if it is missing, another family is used.
const FAMILY: &str = "DejaVu Sans";

/// The drawing, on white.
pub(super) fn png(svg: &str) -> Result<Vec<u8>> {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    let options = usvg::Options { fontdb: Arc::new(named(fonts)?), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(svg, &options)?;
    let size = tree.size().to_int_size().scale_by(SCALE).context("the drawing is empty")?;
    let mut pixels =
        tiny_skia::Pixmap::new(size.width(), size.height()).context("the drawing is too large")?;
    pixels.fill(tiny_skia::Color::WHITE);
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    Ok(pixels.encode_png()?)
}

/// The fonts. The drawings use only the family for text without serifs, which is set to an installed font.
fn named(mut fonts: Database) -> Result<Database> {
    let families: Vec<String> =
        fonts.faces().filter_map(|face| Some(face.families.first()?.0.clone())).collect();
    let Some(family) = families.iter().find(|family| *family == FAMILY).or(families.first()) else {
        bail!("a PNG needs fonts, and none are installed: install fonts-dejavu-core, or write an .svg");
    };
    fonts.set_sans_serif_family(family);
    Ok(fonts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WITH_TEXT: &str = r##"<svg width="60" height="20" xmlns="http://www.w3.org/2000/svg">
        <rect x="0" y="0" width="10" height="20" fill="#D01C24"/>
        <text x="15" y="15" font-family="sans-serif" font-size="14" fill="#282C34">REPS</text></svg>"##;

    fn dark(image: &tiny_skia::Pixmap) -> usize {
        image.pixels().iter().filter(|pixel| pixel.red() < 80 && pixel.blue() < 80).count()
    }

    #[test]
    fn shapes_and_text_are_drawn() {
        let image = tiny_skia::Pixmap::decode_png(&png(WITH_TEXT).unwrap()).unwrap();
        assert_eq!((image.width(), image.height()), (120, 40));
        let red = image.pixel(4, 20).unwrap();
        assert_eq!((red.red(), red.green(), red.blue()), (0xd0, 0x1c, 0x24));
        assert_eq!(image.pixel(118, 1).unwrap().red(), 255);
        assert!(dark(&image) > 100, "{} dark pixels: no text", dark(&image));
    }

    #[test]
    fn without_fonts_there_is_no_picture() {
        let error = named(Database::new()).unwrap_err();
        assert!(error.to_string().contains("fonts-dejavu-core"));
    }
}
