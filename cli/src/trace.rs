//! `weft trace`: reads and makes captures.

use crate::output::{self, say};
use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use std::path::{Path, PathBuf};
use weft_system::scenario::Scenario;
use weft_system::trace::{Echo, Options, Summary, Trace, TraceError};

#[derive(Subcommand)]
pub(crate) enum TraceCommand {
    /// Print what a capture has: its connections, and counts of frames, data packets, retransmissions, ACKs,
    /// marks and ICRCs.
    #[command(after_help = "\
Examples:
  weft trace info capture.pcapng
  weft trace info capture.pcapng --host 10.0.0.1 --json")]
    Info {
        /// The capture, pcap or pcapng.
        #[arg(value_name = "FILE")]
        trace: PathBuf,
        #[command(flatten)]
        reading: Reading,
        /// Print the summary as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Make one of the project's captures: a NIC with REPS on a small fabric. The same seed makes the same file.
    #[command(after_help = "\
Example:
  weft trace gen --scenario dead --out dead.pcapng")]
    Gen {
        /// State of the fabric: healthy, congested or dead (a path dies).
        #[arg(long)]
        scenario: Scenario,
        /// Seed of the random numbers. Another seed makes another trace.
        #[arg(long)]
        seed: Option<u32>,
        /// The capture to write (pcapng).
        #[arg(long, short, value_name = "FILE")]
        out: PathBuf,
    },
}

/// Conversion of a capture to events.
#[derive(Args, Clone)]
#[group(requires = "trace")]
#[command(next_help_heading = "How captures are read")]
pub(crate) struct Reading {
    /// Nanoseconds of a tick.
    #[arg(long, value_name = "NS", default_value_t = 32, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) tick_ns: u64,
    /// A retransmission counts as a timeout if it leaves at least this many microseconds after the packet's
    /// last transmission.
    #[arg(long, value_name = "US", default_value_t = 70)]
    pub(crate) rto_us: u64,
    /// Time in microseconds without packets after which a connection is idle; 0: a connection is never idle.
    #[arg(long, value_name = "US", default_value_t = 0)]
    pub(crate) idle_us: u64,
    /// Entropy value that an ACK returns. The default is the recorded value if the capture has ACKs of weft,
    /// because these ACKs echo entropy values. Otherwise the default is the chosen value, because the source
    /// port of a plain ACK has another meaning.
    #[arg(long, value_enum)]
    pub(crate) echo: Option<EchoArg>,
    /// Host whose packets count as sent by the NIC; by default all hosts.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) host: Option<std::net::IpAddr>,
}

impl Reading {
    /// Reads a capture. `seed` is the seed of the block's random numbers, if given.
    pub(crate) fn open(&self, file: &Path, seed: Option<u32>) -> Result<Trace, TraceError> {
        let recorded = Trace::open(file, &self.options(seed, EchoArg::Recorded))?;
        match self.echo {
            None if recorded.summary().echoes > 0 => Ok(recorded),
            Some(EchoArg::Recorded) => Ok(recorded),
            _ => Trace::open(file, &self.options(seed, EchoArg::Chosen)),
        }
    }

    fn options(&self, seed: Option<u32>, echo: EchoArg) -> Options {
        Options {
            tick_ns: self.tick_ns,
            rto_ns: self.rto_us.saturating_mul(1_000),
            idle_ns: self.idle_us.saturating_mul(1_000),
            echo: match echo {
                EchoArg::Recorded => Echo::Recorded,
                EchoArg::Chosen => Echo::Chosen,
            },
            host: self.host,
            seed,
            ..Options::default()
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EchoArg {
    /// The echo field of an ACK of weft, or the UDP source port of a plain ACK.
    Recorded,
    /// The entropy value that the block chose for the packet that the ACK acknowledges.
    Chosen,
}

/// Runs the command.
pub(crate) fn run(command: &TraceCommand) -> Result<()> {
    match command {
        TraceCommand::Info { trace, reading, json } => {
            let summary = Summary::of_file(trace, &reading.options(None, EchoArg::Recorded))?;
            if *json {
                output::json(&summary)?;
            } else {
                say!("{summary}")?;
            }
        }
        TraceCommand::Gen { scenario, seed, out } => {
            let mut settings = scenario.settings();
            settings.seed = seed.unwrap_or(settings.seed);
            let run = settings.run()?;
            run.save(out)?;
            say!("{}: {} frames of scenario {scenario}", out.display(), run.frames.len())?;
        }
    }
    Ok(())
}
