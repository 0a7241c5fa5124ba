//! Runs of lines that occur twice.

use std::collections::HashMap;

/// A run of lines that occurs in two places.
#[derive(Debug)]
pub struct Repeat {
    /// File and first line of each place.
    pub places: [(String, usize); 2],
    /// Number of lines of the run that count.
    pub lines: usize,
}

/// The runs of at least `least` lines that occur twice in `files` (name and text). Blank lines, comments,
/// imports, the parameters of a type (an `impl` repeats those of its struct) and lines without a letter or digit do not
/// count.
pub fn repeats(files: &[(String, String)], least: usize) -> Vec<Repeat> {
    let lines: Vec<Vec<(usize, &str)>> = files.iter().map(|(_, text)| telling(text)).collect();
    let mut first: HashMap<Vec<&str>, (usize, usize)> = HashMap::new();
    let mut found: Vec<Repeat> = Vec::new();
    // Where the present run ends in this file, and with which place it is compared.
    for (file, of) in lines.iter().enumerate() {
        let mut open: Option<(usize, (usize, usize))> = None;
        for at in 0..of.len().saturating_sub(least - 1) {
            let window: Vec<&str> = of[at..at + least].iter().map(|(_, line)| *line).collect();
            let before = *first.entry(window).or_insert((file, at));
            let again = before != (file, at) && (before.0 != file || before.1 + least <= at);
            match (&mut open, again) {
                // The run continues in both places.
                (Some((begin, start)), true) if before == (start.0, start.1 + at - *begin) => {
                    if let Some(last) = found.last_mut() {
                        last.lines += 1;
                    }
                }
                (_, true) => {
                    open = Some((at, before));
                    let place = |file: usize, at: usize| (files[file].0.clone(), lines[file][at].0);
                    found.push(Repeat { places: [place(before.0, before.1), place(file, at)], lines: least });
                }
                (_, false) => open = None,
            }
        }
    }
    found
}

/// The lines that count, with their numbers.
fn telling(text: &str) -> Vec<(usize, &str)> {
    let mut inside_use = false;
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let is_use = inside_use || line.starts_with("use ") || line.starts_with("pub use ");
        inside_use = is_use && !line.ends_with(';');
        let is_parameter = line.starts_with("const ") && line.contains(": usize") && line.ends_with(',');
        let says = line.chars().any(char::is_alphanumeric) && !line.starts_with("//");
        if says && !is_use && !is_parameter {
            found.push((number + 1, line));
        }
    }
    found
}
