//! The page of the words between blocks, from `weft_interface`.

use std::fmt::Write as _;
use weft_interface::{Field, STREAMS, WORDS, Word};

/// The page that has the tables.
pub const WORDS_PAGE: &str = "docs/words.md";

const BEGIN: &str = "<!-- begin words -->\n";
const END: &str = "<!-- end words -->\n";

/// The page with today's tables between its markers.
pub fn words_page(page: &str) -> String {
    let cut = page.split_once(BEGIN).and_then(|(head, rest)| Some((head, rest.split_once(END)?.1)));
    let Some((head, tail)) = cut else {
        panic!("{WORDS_PAGE} has no markers");
    };
    format!("{head}{BEGIN}\n{}{END}{tail}", WORDS.iter().map(section).collect::<String>())
}

/// The section of a word: its meaning, its streams, its fields.
fn section(word: &Word) -> String {
    let mut text = format!("## {}\n\n{}\n", word.name, joined(word.doc));
    for stream in STREAMS.iter().filter(|stream| stream.word == word.name) {
        let port = |(block, port), direction| match block {
            "" => format!("the NIC's `{direction}_axis_{port}`"),
            block => format!("`{direction}_axis_{port}` of [{block}](blocks/{block}.md)"),
        };
        let (from, to) = match (stream.from, stream.to) {
            (("", name), to) => (port(("", name), "s"), port(to, "s")),
            (from, ("", name)) => (port(from, "m"), port(("", name), "m")),
            (from, to) => (port(from, "m"), port(to, "s")),
        };
        let _ = writeln!(text, "From {from} to {to}.");
    }
    let _ = writeln!(text, "\n| bits | field | meaning |\n|---|---|---|");
    text += &rows("", word.fields);
    text += &rows("`tuser` ", word.user);
    text + "\n"
}

fn rows(before: &str, fields: &[Field]) -> String {
    let (mut low, mut text) = (0, String::new());
    for field in fields {
        let bits = match field.bits {
            1 => low.to_string(),
            bits => format!("{}:{low}", low + bits - 1),
        };
        let _ = writeln!(text, "| {before}{bits} | `{}` | {} |", field.name, joined(field.doc));
        low += field.bits;
    }
    text
}

/// Joins lines of documentation.
fn joined(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}
