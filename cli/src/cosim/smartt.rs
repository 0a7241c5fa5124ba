//! SMaRTT: random stimulus.

use super::report;
use crate::args::CosimArgs;
use crate::progress::Progress;
use anyhow::{Result, ensure};
use serde_json::json;
use weft_blocks::smartt::plant::Plant;
use weft_blocks::smartt::session::Session;
use weft_nic::block::smartt::Case;

pub(super) fn run(args: &CosimArgs) -> Result<bool> {
    ensure!(args.trace.is_empty(), "--trace is for --block reps; give smartt --cycles or --scenario");
    let params = args.shape.smartt()?;
    let seed = args.seed.unwrap_or(1);
    let session = Session { params, seed, plant: args.plant(&Plant::ALL)?, wave: args.wave.clone() };
    let finding = session.random(args.cycles, &mut Progress::new(args.cycles))?;
    let cases: Vec<String> =
        Case::ALL.iter().map(|case| format!("{} {case:?}", finding.tally.cases[*case as usize])).collect();
    let text = format!("events by case: {}\n", cases.join(", "));
    let found = json!({ "seed": seed, "params": params });
    report(args, &finding, finding.tally.events, 0, found, &text)
}
