//! `weft switch`: the hardware that the programs of switches use.

use crate::output;
use crate::page;
use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;
use weft_switch::kit::{Gress, Row, Usage};
use weft_switch::programs::{self, Named};

/// The program, and the file for the table.
#[derive(Args)]
#[command(after_help = "\
Without --program the command prints a line for each program: its stages, register arrays, register bits and memory blocks,
and their share of the switch. With --program it prints a line for each operation: its stage, its memory, and the fields
that it reads and writes.

Examples:
  weft switch
  weft switch --program conweave-tor-paper
  weft switch --pages --check                  # what CI runs: exit code 1 if a page is stale")]
pub(crate) struct SwitchArgs {
    /// Print every stage of this program.
    #[arg(long, value_name = "NAME", conflicts_with = "pages")]
    program: Option<String>,
    /// Print the result as JSON.
    #[arg(long, conflicts_with = "pages")]
    json: bool,
    /// Write the tables into the pages under docs/, between the comments `begin weft switch` and `end weft switch`.
    #[arg(long)]
    pages: bool,
    /// Write nothing; exit with 1 if a page is stale.
    #[arg(long, requires = "pages")]
    check: bool,
    /// Folder of the repository.
    #[arg(long, value_name = "FOLDER", default_value = ".", requires = "pages")]
    root: PathBuf,
}

/// Prints the tables or writes them into pages. Returns `false` if, with `--check`, a page is stale.
pub(crate) fn run(args: &SwitchArgs) -> Result<bool> {
    let all = programs::all()?;
    if args.pages {
        return page::refresh("switch", &args.root, args.check, &|name| generated(&all, name));
    }
    match &args.program {
        Some(name) => {
            let Some(program) = all.iter().find(|program| program.name == *name) else {
                let names: Vec<_> = all.iter().map(|named| named.name.as_str()).collect();
                bail!("there is no program {name}; use one of {}", names.join(", "));
            };
            match args.json {
                true => output::json(&as_json(program))?,
                false => output::text(&format!("{}\n{}", usage_line(program), aligned(&cells(program))))?,
            }
        }
        None if args.json => {
            let programs: Vec<_> = all.iter().map(as_json).collect();
            output::json(&programs)?;
        }
        None => output::text(&aligned(&summary(&all)))?,
    }
    Ok(true)
}

fn as_json(Named { name, program }: &Named) -> serde_json::Value {
    json!({
        "program": name,
        "profile": program.profile(),
        "usage": program.usage(),
        "operations": program.rows(),
    })
}

/// Percent, with one decimal place.
fn percent(part: usize, whole: usize) -> String {
    format!("{:.1} %", part as f64 * 100.0 / whole.max(1) as f64)
}

/// A line for every program, under a heading.
fn summary(all: &[Named]) -> Vec<Vec<String>> {
    let heading = [
        "program",
        "stages",
        "register arrays",
        "register bits",
        "memory blocks",
        "instructions of a stage",
        "hash bits",
        "read by an action",
        "by a register",
    ];
    let line = |Named { name, program }: &Named| {
        let (usage, profile) = (program.usage(), program.profile());
        let Usage { stages, arrays, register_bits, memories, stage_actions, hash_bits, .. } = usage;
        let share = |part: usize, of: usize| format!("{part} ({})", percent(part, profile.stages * of));
        let read = |fields: usize, bits: u32| format!("{fields} ({bits} bits)");
        vec![
            name.clone(),
            stages.to_string(),
            share(arrays, profile.arrays_per_stage),
            register_bits.to_string(),
            share(memories, profile.memories_per_stage),
            stage_actions.to_string(),
            hash_bits.to_string(),
            read(usage.action_reads, usage.action_read_bits),
            read(usage.register_reads, usage.register_read_bits),
        ]
    };
    let heading = heading.map(str::to_owned).to_vec();
    std::iter::once(heading).chain(all.iter().map(line)).collect()
}

fn usage_line(Named { name, program }: &Named) -> String {
    let (usage, profile) = (program.usage(), program.profile());
    let Usage { stages, arrays, register_bits, memories, operations, own_bits, carried_bits, .. } = usage;
    format!(
        "{name}: {stages} of {} stages, {arrays} of {} register arrays ({}), {register_bits} register bits, {memories} of {} \
         memory blocks ({}), {operations} operations, {own_bits} bits of own fields, {carried_bits} of them carried\n",
        profile.stages,
        profile.stages * profile.arrays_per_stage,
        percent(arrays, profile.stages * profile.arrays_per_stage),
        profile.stages * profile.memories_per_stage,
        percent(memories, profile.stages * profile.memories_per_stage),
    )
}

/// A line for every operation, under a heading.
fn cells(Named { program, .. }: &Named) -> Vec<Vec<String>> {
    let heading = ["stage", "operation", "kind", "memory", "entries", "bits", "reads", "writes"];
    let line = |row: &Row| {
        let half = match row.gress {
            Gress::Ingress => "",
            Gress::Egress => " (egress)",
        };
        let number = |value: usize| if row.memory.is_empty() { String::new() } else { value.to_string() };
        vec![
            format!("{}{half}", row.stage),
            row.operation.to_owned(),
            format!("{:?}", row.what).to_lowercase(),
            row.memory.to_owned(),
            number(row.entries),
            number(row.bits as usize),
            row.reads.join(", "),
            row.writes.join(", "),
        ]
    };
    let heading = heading.map(str::to_owned).to_vec();
    std::iter::once(heading).chain(program.rows().iter().map(line)).collect()
}

/// Aligns the columns of rows.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// A table of a page.
fn markdown(rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    for (row, at) in rows.iter().zip(0..) {
        let _ = writeln!(text, "| {} |", row.join(" | "));
        if at == 0 {
            let _ = writeln!(text, "|{}", "---|".repeat(row.len()));
        }
    }
    text
}

/// The text for a mark: the stages of one program, or the summary of all programs.
fn generated(all: &[Named], name: &str) -> Result<String> {
    if name == "all" {
        return Ok(markdown(&summary(all)));
    }
    let program = all.iter().find(|program| program.name == *name);
    let program = program.with_context(|| format!("there is no program {name}"))?;
    Ok(format!("{}\n{}", usage_line(program), markdown(&cells(program))))
}
