//! `weft counters`: the counters of a NIC, from a dump of its registers.

mod dump;

use crate::output::{self, text};
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use dump::Dump;
use serde::Serialize;
use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use weft_params::registers::{Kind, Register, pages};

/// The dumps, and the form of the output.
#[derive(Args)]
#[command(after_help = "\
A dump is one of these:
  text    lines of offset and value of a 32-bit word, both hexadecimal; # begins a comment. The dump must
          have all words of the counters, and may have other registers
  binary  little-endian words from the first register (4,864 bytes) or of the counters' region alone (768 bytes from
          WEFT_COUNTERS_AT of weft_nic.h), in the order of their offsets; words that do not exist are 0
Read the low word of a counter before its high one. weft_nic.h has a function that dumps the region.

With two dumps the command prints the counts between them, and with --seconds also the counts per second. The last line says
what the NIC waits for: the cause with the most clocks, or a cause of the host's with at least half as many. If a dump has
STATE, QUERY and the query_ registers, the command also prints the state of the connection whose number is in QUERY.

Examples:
  weft counters dump.txt
  ssh host dump-weft | weft counters -
  weft counters before.bin after.bin --seconds 10 --json")]
pub(crate) struct CountersArgs {
    /// The dump, or the first of two; - for standard input.
    #[arg(value_name = "FILE")]
    file: String,
    /// The later dump of the same NIC.
    #[arg(value_name = "LATER")]
    later: Option<String>,
    /// Seconds between the two dumps.
    #[arg(long, value_name = "S", requires = "later")]
    seconds: Option<f64>,
    /// Leave out counters that are 0.
    #[arg(long)]
    nonzero: bool,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// A register in its printed form.
#[derive(Debug, Serialize)]
struct Line {
    name: String,
    offset: u16,
    group: &'static str,
    meaning: String,
    /// The register's value; for two dumps, the value in the later dump.
    value: u64,
    /// For two dumps: the differences of the counters.
    #[serde(skip_serializing_if = "Option::is_none")]
    counted: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_second: Option<f64>,
}

/// Runs the command.
pub(crate) fn run(args: &CountersArgs) -> Result<()> {
    if let Some(seconds) = args.seconds {
        ensure!(seconds.is_finite() && seconds > 0.0, "--seconds {seconds}: give a number above 0");
    }
    ensure!(
        args.later.as_deref() != Some("-") || args.file != "-",
        "only one dump can come from standard input"
    );
    let first = read(&args.file)?;
    let later = args.later.as_ref().map(|file| read(file)).transpose()?;
    let (last, before) = later.as_ref().map_or((&first, None), |later| (later, Some(&first)));
    let mut lines = Vec::new();
    for page in pages().iter().filter(|page| matches!(page.kind, Kind::Counted)) {
        for register in page.registers() {
            lines.push(line(register, page.doc, last, before, args.seconds)?);
        }
    }
    for page in pages().iter().filter(|page| page.name == "gauges") {
        for register in page.registers().filter(|register| last.has(register)) {
            lines.push(line(register, page.doc, last, None, None)?);
        }
    }
    lines.extend(connection(last));
    let holds = verdict(&lines);
    if args.nonzero {
        lines.retain(|line| line.counted.unwrap_or(line.value) != 0);
    }
    if args.json { output::json(&lines) } else { text(&(table(&lines) + &holds)) }
}

/// State of the connection in QUERY, if the dump has QUERY and that connection is open.
fn connection(dump: &Dump) -> Vec<Line> {
    let of_query = |register: &&Register| register.name == "state" || register.name.starts_with("query");
    let registers = || pages().iter().flat_map(|page| page.registers()).filter(of_query);
    let is_open = registers().any(|register| register.name == "state" && dump.value(register) != 0);
    if !is_open || !registers().all(|register| dump.has(register)) {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for register in registers() {
        let mut tell = |name: String, meaning: &str, value: u64| {
            let (group, meaning) = ("The connection in QUERY", meaning.to_owned());
            let (counted, per_second) = (None, None);
            lines.push(Line { name, offset: register.offset, group, meaning, value, counted, per_second });
        };
        let value = dump.value(register);
        if register.fields.is_empty() {
            tell(register.name.clone(), &register.doc, value);
        }
        for field in register.fields {
            let name = format!("{}.{}", register.name, field.name);
            tell(name, field.doc, value >> field.lsb & ((1 << field.width) - 1));
        }
    }
    lines
}

/// The causes that delay the NIC, from the counters of clocks. Causes of the host are first, because other
/// causes also wait for the host.
const CAUSES: [(&str, &str); 6] = [
    ("holds_completions", "the host accepts no completions"),
    ("holds_writes", "the host accepts no DMA write data"),
    ("holds_wire", "the wire is full: the MAC accepts no words"),
    ("holds_reads", "the NIC waits for the host's DMA read data"),
    ("holds_acks", "the NIC waits for the peers' ACKs: windows are full, or all work has been sent"),
    ("holds_work", "software posts no work"),
];
/// The number of causes on the host's side. The verdict names such a cause if it lasts at least half as long
/// as the longest cause.
const OF_HOST: usize = 2;

/// The cause that delays the NIC, in one line.
fn verdict(lines: &[Line]) -> String {
    let clocks = CAUSES.map(|(name, _)| {
        let line = lines.iter().find(|line| line.name == name);
        line.map_or(0, |line| line.counted.unwrap_or(line.value))
    });
    let most = clocks.iter().copied().max().unwrap_or_default();
    if most == 0 {
        return String::new();
    }
    let is_it = |at: usize| clocks[at] == most || at < OF_HOST && clocks[at] >= most / 2;
    let at = (0..CAUSES.len()).find(|&at| is_it(at)).unwrap_or_default();
    let (name, meaning) = CAUSES[at];
    format!("\nwhat holds the NIC up: {meaning} ({name}, {} clocks)\n", grouped(clocks[at]))
}

fn read(file: &str) -> Result<Dump> {
    let mut bytes = Vec::new();
    let (name, read) = match file {
        "-" => ("standard input", std::io::stdin().lock().read_to_end(&mut bytes).map(drop)),
        file => (file, fs::read(file).map(|read| bytes = read)),
    };
    read.with_context(|| format!("cannot read {name}"))?;
    Dump::read(&bytes).with_context(|| name.to_owned())
}

fn line(
    register: &Register,
    group: &'static str,
    dump: &Dump,
    before: Option<&Dump>,
    seconds: Option<f64>,
) -> Result<Line> {
    let value = dump.value(register);
    let counted =
        before.map(|before| before.value(register)).map(|before| (before, value.checked_sub(before)));
    let counted = match counted {
        Some((before, None)) => bail!(
            "{} goes back from {before} to {value}: between the dumps the counter was cleared or the \
             NIC was reset, or the dumps are in the wrong order",
            register.name
        ),
        Some((_, counted)) => counted,
        None => None,
    };
    Ok(Line {
        name: register.name.clone(),
        offset: register.offset,
        group,
        meaning: register.doc.clone(),
        value,
        counted,
        per_second: counted.zip(seconds).map(|(counted, seconds)| counted as f64 / seconds),
    })
}

/// The lines by their groups, in columns.
fn table(lines: &[Line]) -> String {
    let cells: Vec<[String; 4]> = lines
        .iter()
        .map(|line| {
            let counted = line.counted.map(|counted| format!("+{}", grouped(counted)));
            let rate = line.per_second.map(|rate| format!("{}/s", rounded(rate)));
            [line.name.clone(), grouped(line.value), counted.unwrap_or_default(), rate.unwrap_or_default()]
        })
        .collect();
    let width = |column: usize| cells.iter().map(|cells| cells[column].len()).max().unwrap_or_default();
    let widths = [0, 1, 2, 3].map(width);
    let mut text = String::new();
    let mut group = "";
    for (line, [name, value, counted, rate]) in lines.iter().zip(&cells) {
        if line.group != group {
            let gap = if group.is_empty() { "" } else { "\n" };
            group = line.group;
            let _ = writeln!(text, "{gap}{group}");
        }
        let _ = write!(text, "  {name:<0$}  {value:>1$}", widths[0], widths[1]);
        for (cell, width) in [(counted, widths[2]), (rate, widths[3])] {
            if width > 0 {
                let _ = write!(text, "  {cell:>width$}");
            }
        }
        let _ = writeln!(text, "  {}", line.meaning);
    }
    text
}

/// The number with a comma between thousands.
fn grouped(number: u64) -> String {
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

/// A rate: a whole number above 100, otherwise a number with two decimal places.
fn rounded(rate: f64) -> String {
    if rate >= 100.0 { grouped(rate.round() as u64) } else { format!("{rate:.2}") }
}
