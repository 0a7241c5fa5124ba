//! SMaRTT: random stimulus.

use super::{Run, report};
use crate::progress::Progress;
use anyhow::Result;
use serde_json::json;
use weft_blocks::smartt::plant::Plant;
use weft_blocks::smartt::session::Session;
use weft_nic::block::smartt::Case;
use weft_params::SmarttParams;

pub(crate) fn run(run: &Run) -> Result<bool> {
    let (args, seed) = (&run.args, run.args.seed());
    let params = SmarttParams { connections: args.connections };
    let session = Session { params, seed, plant: args.plant(&Plant::ALL)?, wave: args.wave.clone() };
    let finding = session.random(args.cycles, &mut Progress::new(args.cycles))?;
    let cases: Vec<String> =
        Case::ALL.iter().map(|case| format!("{} {case:?}", finding.tally.cases[*case as usize])).collect();
    let text = format!("events by case: {}\n", cases.join(", "));
    let found = json!({ "seed": seed, "params": params });
    report(args, &finding, finding.tally.events, 0, found, &text)
}
