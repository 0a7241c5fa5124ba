//! Sender of the out-of-order transport: random stimulus.

use super::report;
use crate::args::CosimArgs;
use crate::progress::Progress;
use anyhow::{Result, ensure};
use serde_json::json;
use weft_blocks::sack_tx::plant::Plant;
use weft_blocks::sack_tx::random::Tally;
use weft_blocks::sack_tx::session::Session;

pub(super) fn run(args: &CosimArgs) -> Result<bool> {
    ensure!(args.trace.is_empty(), "--trace is for --block reps; give sack_tx --cycles");
    let params = args.shape.sack("sack_tx")?;
    let seed = args.seed.unwrap_or(1);
    let session = Session { params, seed, plant: args.plant(&Plant::ALL)?, wave: args.wave.clone() };
    let finding = session.random(args.cycles, &mut Progress::new(args.cycles))?;
    let Tally { fresh, again, acked, completed, errors, timeouts, failures, .. } = finding.tally;
    let text = format!(
        "packets: {fresh} sent, {again} sent again, {acked} acknowledged; messages: {completed} completed, {errors} in error; \
         {timeouts} timeouts, {failures} connections out of retries\n"
    );
    let found = json!({ "seed": seed, "params": params });
    report(args, &finding, finding.tally.events, 0, found, &text)
}
