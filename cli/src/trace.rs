//! `weft trace`: captures read and made.

use crate::args::TraceCommand;
use anyhow::Result;

pub(crate) fn run(command: &TraceCommand) -> Result<()> {
    match command {
        TraceCommand::Info { file, reading, json } => {
            let trace = reading.open(file, None)?;
            if *json {
                println!("{}", serde_json::to_string_pretty(trace.summary())?);
            } else {
                println!("{}", trace.summary());
            }
        }
        TraceCommand::Gen { scenario, seed, out } => {
            let mut settings = scenario.settings();
            settings.seed = seed.unwrap_or(settings.seed);
            let run = settings.run()?;
            run.save(out)?;
            println!("{}: {} frames of scenario {scenario}", out.display(), run.frames.len());
        }
    }
    Ok(())
}
