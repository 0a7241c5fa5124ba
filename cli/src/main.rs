//! The `weft` command: argument parsing, progress, drawing. What it does lies in the crates below.

mod args;
mod cosim;
mod doctor;
mod emit;
mod interrupt;
mod params;
mod plot;
mod progress;
mod prove;
mod registers;
mod switch;
mod trace;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;

/// Exit code of a mismatch between a model and the RTL.
const MISMATCH: u8 = 1;
/// Exit code of a wrong flag, a missing tool, unreadable input.
const UNUSABLE: u8 = 2;

fn main() -> ExitCode {
    let cli = Cli::parse();
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_max_level(if cli.verbose { tracing::Level::DEBUG } else { tracing::Level::WARN })
        .without_time()
        .init();
    let done = match cli.command {
        Command::Emit(args) => emit::run(&args),
        Command::Cosim(args) => match &args.replay {
            Some(file) => prove::replay(file, args.json),
            None => cosim::run(&args),
        },
        Command::Prove(args) => prove::run(&args),
        Command::Trace(command) => trace::run(&command).map(|()| true),
        Command::Params(args) => params::run(&args).map(|()| true),
        Command::Registers(args) => registers::run(&args),
        Command::Switch(args) => switch::run(&args),
        Command::Doctor => doctor::run().map(|()| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(MISMATCH),
        Err(error) => {
            eprintln!("weft: {}", line_of(&error));
            ExitCode::from(UNUSABLE)
        }
    }
}

/// The error and its causes in one line, without those that it quotes already.
fn line_of(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |line, cause| match line.as_str() {
        "" => cause,
        _ if line.contains(&cause) => line,
        _ => format!("{line}: {cause}"),
    })
}
