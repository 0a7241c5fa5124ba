//! Lines of Rust, broken as rustfmt does.

/// Widest line.
pub(super) const WIDTH: usize = 110;

/// A `wire!` of `names`.
pub(super) fn wires<'a>(to: &str, from: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let names = names.join(", ");
    let line = format!("        wire!({to} <- {from}: {names});\n");
    if line.trim_end().len() <= WIDTH {
        return line;
    }
    // Fills each line with as many items as fit.
    let fill = |list: &str| {
        let mut lines = vec![String::new()];
        for word in list.split_inclusive(", ").map(str::trim_end) {
            let last = lines.last_mut().filter(|line| 12 + line.len() + 1 + word.len() < WIDTH);
            match last {
                Some(line) if line.is_empty() => *line += word,
                Some(line) => *line += &format!(" {word}"),
                None => lines.push(word.to_owned()),
            }
        }
        lines.join("\n            ")
    };
    if to.contains(", ") {
        format!("        wire!(\n            {}\n            <- {from}: {names},\n        );\n", fill(to))
    } else {
        format!("        wire!(\n            {to} <- {from}:\n            {},\n        );\n", fill(&names))
    }
}

/// ORs in parentheses, broken as rustfmt does. The continued lines of a first group are indented one level less.
pub(super) fn grouped(terms: &[String], is_first: bool) -> String {
    let joined = |between: &str| format!("({})", terms.join(between));
    let row = joined(" | ");
    if row.len() < WIDTH - 14 {
        return row;
    }
    joined(if is_first { "\n            | " } else { "\n                | " })
}
