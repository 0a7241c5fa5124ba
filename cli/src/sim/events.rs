//! `weft sim --events`: the connections whose events are written, and the file.

use anyhow::{Result, anyhow};
use std::path::Path;
use weft_fabric::events::Chosen;
use weft_fabric::plan::Plan;
use weft_fabric::report::Report;
use weft_wire::write_atomically;

/// Reads `host=3`, `host=3,5` or `flow=12`.
pub(super) fn chosen(text: &str) -> Result<Chosen, String> {
    let (what, numbers) = text.split_once('=').ok_or("write host=3, host=3,5 or flow=12")?;
    let number = |text: &str| {
        text.parse().map_err(|_| format!("`{text}` is not the number of a {what}: give a whole number"))
    };
    let numbers = numbers.split(',').map(number).collect::<Result<_, String>>()?;
    match what {
        "host" => Ok(Chosen { hosts: numbers, ..Chosen::default() }),
        "flow" => Ok(Chosen { flows: numbers, ..Chosen::default() }),
        _ => Err(format!("`{what}` is unknown: write host=3, host=3,5 or flow=12")),
    }
}

/// Makes the plan note the events of all chosen hosts and flows.
pub(super) fn note(plan: &mut Plan, of: &[Chosen]) -> Result<()> {
    let hosts = of.iter().flat_map(|chosen| &chosen.hosts).copied().collect();
    let flows = of.iter().flat_map(|chosen| &chosen.flows).copied().collect();
    let option = if of.is_empty() { "--events" } else { "--events-of" };
    plan.note(Chosen { hosts, flows }).map_err(|what| anyhow!("{option}: {what}"))
}

/// Writes the events of a run.
pub(super) fn write(report: &Report, path: &Path) -> Result<()> {
    Ok(write_atomically(path, |file| report.write_events(file))?)
}
