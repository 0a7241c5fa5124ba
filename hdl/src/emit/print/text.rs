//! Lines: declarations, numbers, comments, and breaks of long lines.

use crate::emit::ty::Ty;
use std::fmt::Write;

/// Columns of a line.
const WIDTH: usize = 110;

/// One level of indentation.
const INDENT: &str = "    ";

/// `text` at a level of indentation, with long lines broken.
pub(super) fn lines(indent: usize, text: &str) -> String {
    let mut out = String::new();
    let (mut rest, mut level) = (text, indent);
    loop {
        let room = WIDTH.saturating_sub(level * INDENT.len());
        let cut = if rest.len() > room { break_in(rest, room) } else { None };
        let (line, tail) = rest.split_at(cut.unwrap_or(rest.len()));
        if !line.is_empty() {
            let _ = write!(out, "{}{}", INDENT.repeat(level), line.trim_end());
        }
        out.push('\n');
        rest = tail;
        level = indent + 1;
        if rest.is_empty() {
            return out;
        }
    }
}

/// The place to break a line outside of comments: after a comma or before an operator. The best place is
/// outside of as many brackets as possible, and as late as possible.
fn break_in(text: &str, room: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0_i32;
    let mut best: Option<(i32, usize)> = None;
    let code = text.find("//").unwrap_or(text.len());
    for (i, c) in text[..code].char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            _ => {}
        }
        if i > room && best.is_some() {
            break;
        }
        let after_comma = c == ' ' && i > 0 && bytes[i - 1] == b',';
        let operator =
            c == ' ' && ["| ", "& ", "^ ", "+ ", "&& ", "|| "].iter().any(|o| text[i + 1..].starts_with(o));
        // An early break outside of brackets is better than a late one inside, unless the first line would be
        // almost empty.
        let early = i < room / 2;
        if (after_comma || operator) && best.is_none_or(|(d, at)| depth <= d || (at < room / 2 && !early)) {
            best = Some((depth, i + 1));
        }
    }
    best.map(|(_, at)| at)
}

/// The AXI bus that a port belongs to.
pub(super) fn bus(port: &str) -> Option<&str> {
    let stream = port.starts_with("s_axis_") || port.starts_with("m_axis_");
    let lite = port.starts_with("s_axil_") || port.starts_with("m_axil_");
    (stream || lite).then(|| port.rsplit_once('_').map(|(bus, _)| bus)).flatten()
}

/// The attributes that block designers expect at the clock and the reset of a module with AXI buses: the
/// names of the buses that use the clock.
pub(super) fn attributes(port: &str, buses: &[&str]) -> String {
    let attribute = |name: &str, value: &str| format!("{INDENT}(* X_INTERFACE_{name} = \"{value}\" *)\n");
    match port {
        "clk" => {
            let associated = format!("ASSOCIATED_BUSIF {}, ASSOCIATED_RESET rst", buses.join(":"));
            attribute("INFO", "xilinx.com:signal:clock:1.0 clk CLK") + &attribute("PARAMETER", &associated)
        }
        "rst" => {
            attribute("INFO", "xilinx.com:signal:reset:1.0 rst RST")
                + &attribute("PARAMETER", "POLARITY ACTIVE_HIGH")
        }
        _ => String::new(),
    }
}

pub(super) fn declaration(
    kind: &str,
    range: &str,
    ranges: usize,
    name: &str,
    names: usize,
    doc: &str,
) -> String {
    let mut text = kind.to_string();
    if ranges > 0 {
        let _ = write!(text, " {range:>ranges$}");
    }
    let _ = write!(text, " {name}");
    if !doc.is_empty() {
        let pad = names.saturating_sub(name.len());
        let _ = write!(text, "{} {}", " ".repeat(pad), comment(doc));
    }
    text.trim_end().to_string()
}

pub(super) fn range(ty: &Ty) -> String {
    match ty.width() {
        1 => String::new(),
        w => format!("[{}:0]", w - 1),
    }
}

/// Small numbers in decimal, masks and large ones in hexadecimal.
pub(super) fn literal(width: usize, value: u128) -> String {
    if width == 1 {
        return format!("1'b{value}");
    }
    let mask = (4..=128).contains(&width) && value == u128::MAX >> (128 - width);
    match value {
        0..256 if !mask => format!("{width}'d{value}"),
        _ => format!("{width}'h{value:x}"),
    }
}

/// A comment that no tool interprets as an instruction.
pub(super) fn comment(text: &str) -> String {
    let first = text.trim_start().to_ascii_lowercase();
    let directive = ["verilator", "synopsys", "synthesis", "pragma", "cadence", "xilinx"]
        .iter()
        .any(|word| first.starts_with(word));
    let clean: String = text.chars().map(|c| if c.is_control() || c == '\\' { ' ' } else { c }).collect();
    match directive {
        true => format!("// Note: {clean}"),
        false => format!("// {clean}"),
    }
}

pub(super) fn balanced(text: &str) -> bool {
    let mut depth = 0_i32;
    for c in text.chars() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}
