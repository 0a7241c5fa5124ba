//! Receiver of the out-of-order transport: random stimulus.

use super::report;
use crate::args::CosimArgs;
use crate::progress::Progress;
use anyhow::{Result, ensure};
use serde_json::json;
use weft_blocks::sack_rx::plant::Plant;
use weft_blocks::sack_rx::random::Tally;
use weft_blocks::sack_rx::session::Session;

pub(super) fn run(args: &CosimArgs) -> Result<bool> {
    ensure!(args.trace.is_empty(), "--trace is for --block reps; give sack_rx --cycles");
    let params = args.shape.sack("sack_rx")?;
    let seed = args.seed.unwrap_or(1);
    let session = Session { params, seed, plant: args.plant(&Plant::ALL)?, wave: args.wave.clone() };
    let finding = session.random(args.cycles, &mut Progress::new(args.cycles))?;
    let Tally { placed, duplicates, outside, trimmed, acks, nacks, messages, .. } = finding.tally;
    let text = format!(
        "packets: {placed} placed, {duplicates} duplicates, {outside} beyond the window, {trimmed} trimmed; \
         {acks} ACKs, {nacks} NACKs; {messages} messages completed\n"
    );
    let found = json!({ "seed": seed, "params": params });
    report(args, &finding, finding.tally.events, 0, found, &text)
}
