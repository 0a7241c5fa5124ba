//! The chain of evidence: from the paper to the Verilog, and the comparison of each link with the next, with the
//! numbers of the catalogue.

use super::svg::{Drawing, Rect};
use weft_blocks::catalogue::BENCHES;
use weft_hdl::catalogue::BLOCKS;
use weft_proof::catalogue::whole;

/// Draws the chain.
pub(super) fn draw() -> String {
    let plants: usize = BENCHES.iter().map(|bench| bench.plants.len()).sum();
    let proved: Vec<&str> = whole().map(|proof| proof.name).collect();
    let mut drawing = Drawing::new(1000, 380);
    let place = |x, y| Rect { x, y, width: 170, height: 70 };
    let mut link = |kind, x, y, name: &str, lines: [&str; 2]| {
        drawing.rectangle(kind, place(x, y), name, &lines.map(str::to_owned));
    };
    link("outside", 20, 40, "paper", ["REPS, SMaRTT, RoCEv2;", "a page per block"]);
    link("", 290, 40, "oracle", ["naive, from the page;", "knows no model"]);
    link("inner", 560, 40, "model: step()", ["the rules over words", "of any kind"]);
    link("", 810, 40, "symbolic step", ["the same text,", "read as formulas"]);
    link("inner", 560, 180, "model: clocked", ["every port", "on every clock"]);
    link("outside", 20, 290, "Rust-HDL", ["the block", "as hardware"]);
    link("", 290, 290, "emitter, gate", ["every width decided;", "three tools silent"]);
    link("inner", 560, 290, "Verilog", ["what is synthesized", ""]);
    let mut join = |points: &[(i32, i32)], at: (i32, i32), words: &str| {
        drawing.arrow("arrow", points);
        if !words.is_empty() {
            drawing.label(at.0, at.1, words);
        }
    };
    join(&[(190, 75), (290, 75)], (240, 68), "read");
    join(&[(460, 75), (560, 75)], (510, 68), "random events");
    join(&[(730, 75), (810, 75)], (770, 68), "one text");
    join(&[(645, 110), (645, 180)], (690, 150), "one text");
    join(&[(105, 110), (105, 290)], (150, 205), "written");
    join(&[(190, 325), (290, 325)], (0, 0), "");
    join(&[(460, 325), (560, 325)], (0, 0), "");
    join(&[(645, 250), (645, 290)], (0, 0), "");
    join(&[(895, 110), (895, 325), (730, 325)], (0, 0), "");
    drawing.label(645, 274, &format!("lockstep of {} tops; {plants} planted bugs are found", BLOCKS.len()));
    drawing.label(895, 215, "proof for all states and inputs:");
    for (line, names) in (0..).zip(proved.chunks(4)) {
        drawing.label(895, 231 + 16 * line, &names.join(", "));
    }
    drawing.finish()
}
