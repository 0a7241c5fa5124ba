//! Receiver of the out-of-order transport: random stimulus.

use super::{Run, report};
use crate::progress::Progress;
use anyhow::Result;
use serde_json::json;
use weft_blocks::sack_rx::plant::Plant;
use weft_blocks::sack_rx::random::Tally;
use weft_blocks::sack_rx::session::Session;
use weft_params::SackParams;

pub(crate) fn run(run: &Run) -> Result<bool> {
    let (args, seed) = (&run.args, run.args.seed());
    let params = SackParams { connections: args.connections };
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
