//! Results as tables.

use crate::{Area, Clock, Results, Row, Target};

/// The blocks of the NIC. Between them are wires, and converters of narrow streams.
pub const OF_NIC: [&str; 5] = ["ingress", "receiver", "sender", "egress", "registers"];

fn heading(is_routed: bool) -> Vec<String> {
    let mut names = vec![
        "block",
        "LUT",
        "of them SRL",
        "FF",
        "BRAM36",
        "DSP",
        "levels",
        "largest enable",
        "largest reset",
    ];
    if is_routed {
        names.push("MHz");
    }
    names.into_iter().map(str::to_owned).collect()
}

fn cells(row: &Row) -> Vec<String> {
    let pins = |load: &Option<crate::Load>| {
        load.as_ref().map_or("-".into(), |load| format!("{} `{}`", load.pins, load.net))
    };
    let mut cells = vec![row.block.clone()];
    cells.extend(of_area(&row.area));
    let chains = match row.longest.chains {
        0 => String::new(),
        chains => format!(" ({chains} carry)"),
    };
    cells.push(format!("{}{chains}", row.longest.levels));
    cells.extend([pins(&row.fanout.enable), pins(&row.fanout.reset)]);
    cells.extend(row.clock.as_ref().map(of_clock));
    cells
}

/// The median and all runs.
fn of_clock(clock: &Clock) -> String {
    let all: Vec<String> = clock.runs.iter().map(|run| format!("{:.1}", run.mhz)).collect();
    format!("{:.1} ({})", clock.mhz, all.join(", "))
}

fn of_area(area: &Area) -> [String; 5] {
    let halves = area.ram_halves();
    let ram = format!("{}{}", halves / 2, if halves % 2 == 1 { ".5" } else { "" });
    [grouped(area.lut), grouped(area.srl), grouped(area.ff), ram, grouped(area.dsp)]
}

/// Formats a number with commas.
pub(crate) fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// One line per block, under a heading. If the results have all blocks of the NIC, their sum follows.
fn lines(results: &Results) -> Vec<Vec<String>> {
    let is_routed = results.rows.iter().any(|row| row.clock.is_some());
    let mut lines = vec![heading(is_routed)];
    lines.extend(results.rows.iter().map(cells));
    let of_nic = of_nic(results);
    if of_nic.len() == OF_NIC.len() {
        let sum = of_nic.iter().fold(Area::default(), |sum, row| sum + row.area);
        let mut line = vec!["NIC (sum)".to_owned()];
        line.extend(of_area(&sum));
        lines.push(line);
    }
    let width = lines[0].len();
    lines.iter_mut().for_each(|line| line.resize(width, "-".into()));
    lines
}

/// A table for a page, in Markdown.
pub fn markdown(results: &Results) -> String {
    table(&lines(results))
}

/// The area of the NIC with streams of each width, in Markdown: its five blocks, which are the same for all
/// widths, and the logic between them.
pub fn widths(results: &Results) -> String {
    let heading =
        ["NIC", "LUT between the blocks", "FF", "levels", "LUT in all", "of them SRL", "FF", "BRAM36", "DSP"];
    let mut lines = vec![heading.map(str::to_owned).to_vec()];
    let sum = of_nic(results).into_iter().fold(Area::default(), |sum, row| sum + row.area);
    for row in results.rows.iter().filter(|row| row.block == "nic") {
        let mut line = vec![row.shape.clone(), grouped(row.area.lut), grouped(row.area.ff)];
        line.push(row.longest.levels.to_string());
        line.extend(of_area(&(sum + row.area)));
        lines.push(line);
    }
    lines[1..].sort_by_key(|line| std::cmp::Reverse(number(line[0].rsplit(", ").next().unwrap_or_default())));
    table(&lines)
}

/// Blocks in shapes of their own, with the shape as text, in Markdown.
pub fn windows(results: &Results) -> String {
    let mut lines = lines(results);
    for (line, shape) in
        lines.iter_mut().zip(["shape"].into_iter().chain(results.rows.iter().map(|row| &row.shape[..])))
    {
        line.insert(1, shape.to_owned());
    }
    table(&lines)
}

/// The rows of the blocks of the NIC.
fn of_nic(results: &Results) -> Vec<&Row> {
    results.rows.iter().filter(|row| OF_NIC.contains(&row.block.as_str())).collect()
}

/// The area of the NIC in each shape for which all its blocks were measured, in Markdown.
pub fn shapes(results: &Results) -> String {
    let heading =
        ["shape", "LUT", "of them SRL", "FF", "BRAM36", "DSP", "UltraRAM", "levels"].map(str::to_owned);
    let mut lines = vec![heading.to_vec()];
    let mut names: Vec<&str> = results.rows.iter().map(|row| row.shape.as_str()).collect();
    names.sort_by_key(|name| (number(name), name.len()));
    names.dedup();
    for name in names {
        let rows: Vec<&Row> = results
            .rows
            .iter()
            .filter(|row| row.shape == name && OF_NIC.contains(&row.block.as_str()))
            .collect();
        if rows.len() == OF_NIC.len() {
            let sum = rows.iter().fold(Area::default(), |sum, row| sum + row.area);
            let levels = rows.iter().map(|row| row.longest.levels).max().unwrap_or(0);
            let mut line = vec![name.to_owned()];
            line.extend(of_area(&sum));
            line.extend([grouped(sum.uram), levels.to_string()]);
            lines.push(line);
        }
    }
    table(&lines)
}

/// The clock frequencies of the limits, in Markdown.
pub fn limits(results: &Results) -> String {
    let mut lines = vec![["between two registers", "MHz"].map(str::to_owned).to_vec()];
    let timed = results.rows.iter().filter_map(|row| Some((row, row.clock.as_ref()?)));
    lines.extend(timed.map(|(row, clock)| vec![row.block.clone(), of_clock(clock)]));
    table(&lines)
}

/// The number at the beginning of a shape.
fn number(shape: &str) -> u32 {
    shape.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0)
}

/// A heading and lines, in Markdown.
fn table(lines: &[Vec<String>]) -> String {
    let line = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
    let rule = format!("|{}\n", "---|".repeat(lines[0].len()));
    line(&lines[0]) + &rule + &lines[1..].iter().map(line).collect::<String>()
}

/// A table for a terminal.
pub fn text(results: &Results) -> String {
    let lines = lines(results);
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    let line = |line: &Vec<String>| {
        let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().replace('`', "") + "\n"
    };
    lines.iter().map(line).collect()
}

/// Maximum number of levels between registers of a block.
const LEVELS: u32 = 5;
/// The clock frequency that a block must reach on ECP5, in MHz.
const MHZ: f64 = 180.0;

/// The goals that a block misses, one per line, in Markdown: an enable or reset with more than 1,000 pins; a
/// path of more than 5 levels on a Xilinx family; less than 180 MHz on ECP5.
pub fn missed(row: &Row) -> Vec<String> {
    let (name, way) = (&row.block, &row.longest);
    let mut found = Vec::new();
    if let Some(clock) = &row.clock {
        let path = &clock.path;
        if clock.mhz < MHZ {
            found.push(format!(
                "**{name}**, {:.1} MHz: {} ({:.1} ns in {} cells, {:.1} ns in wires)",
                clock.mhz,
                ordered(&path.from, &path.through, &path.to),
                path.logic_ns,
                path.cells,
                path.routing_ns
            ));
        }
    } else if way.levels > LEVELS && row.target != Target::Ecp5 {
        found.push(format!(
            "**{name}**, {} levels: {}",
            way.levels,
            ordered(&way.from, &way.through, &way.to)
        ));
    }
    for (what, load) in row.fanout.excessive() {
        found.push(format!("**{name}**, {what} `{}` drives {} pins", load.net, grouped(load.pins)));
    }
    found
}

fn ordered(from: &str, through: &[String], to: &str) -> String {
    let names = std::iter::once(from).chain(through.iter().map(String::as_str)).chain([to]);
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" → ")
}
