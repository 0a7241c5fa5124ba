//! `weft board`: REPS and SMaRTT on an FPGA, compared with their models.

use crate::generated;
use crate::output::say;
use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use weft_board::{Error, Link, PseudoTerminal, Run, Simulated, Verilog};

/// Clocks of a simulated board between two polls of its port.
const TURN_CLOCKS: u32 = 2_000;
/// The pause between polls while board and terminal are quiet.
const NAP: Duration = Duration::from_millis(2);

#[derive(Subcommand)]
#[command(after_help = "\
Page docs/board.md; `make bitstream` makes build/board/weft_board.bit.

Examples:
  weft board check /dev/ttyUSB0
  weft board check /dev/ttyUSB0 --seed 7 --events 100000000 --config 0x45
  weft board simulate                         # prints a port that `weft board check` accepts")]
pub(crate) enum BoardCommand {
    /// Make a run on a board and compare its signatures with the models'.
    Check(CheckArgs),
    /// Simulate a board until interrupted: its Verilog under Verilator, behind a pseudo-terminal whose path is printed.
    Simulate(RootArgs),
    /// Write the constants that the board's Verilog includes: registers of both blocks, the signatures of the first run.
    Constants {
        #[command(flatten)]
        root: RootArgs,
        /// Write nothing; exit with 1 if a file differs from the generated one.
        #[arg(long)]
        check: bool,
    },
}

#[derive(Args)]
#[command(
    after_help = "Exit code 0: board and models agree, 1: they differ or a block hangs, 2: no board answers."
)]
pub(crate) struct CheckArgs {
    /// The serial port, such as /dev/ttyUSB0.
    port: String,
    /// Seed of the events' random bits.
    #[arg(long, default_value_t = Run::default().seed)]
    seed: u32,
    /// Events of each block.
    #[arg(long, value_name = "N", default_value_t = Run::default().events)]
    events: u32,
    /// Modes of the blocks, by bits: 1:0 the mode of REPS, 2 trimming, 3 thaw reset, 5:4 the signals of
    /// SMaRTT, 6 late losses.
    #[arg(long, value_name = "BITS", default_value = "0", value_parser = bits)]
    config: u32,
}

#[derive(Args)]
pub(crate) struct RootArgs {
    /// Folder of the repository.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
}

/// Reads a decimal number, or a hexadecimal number that begins with 0x.
fn bits(text: &str) -> Result<u32, std::num::ParseIntError> {
    text.strip_prefix("0x").map_or_else(|| text.parse(), |digits| u32::from_str_radix(digits, 16))
}

/// Runs the command. Returns `false` if the board differs from the models, or a file is stale.
pub(crate) fn run(command: &BoardCommand) -> Result<bool> {
    match command {
        BoardCommand::Check(args) => check(args),
        BoardCommand::Simulate(args) => simulate(&args.root).map(|()| true),
        BoardCommand::Constants { root, check } => constants(&root.root, *check),
    }
}

fn check(args: &CheckArgs) -> Result<bool> {
    let CheckArgs { seed, events, config, .. } = *args;
    let run = Run { seed, events, config };
    run.check()?;
    let mut link = Link::new(weft_board::open(&args.port)?);
    let report = match weft_board::check(&mut link, &run) {
        Err(stands @ Error::Stands { .. }) => {
            say!("{}: FAIL: {stands}", args.port)?;
            return Ok(false);
        }
        report => report.with_context(|| args.port.clone())?,
    };
    say!("{}: {report}", args.port)?;
    Ok(report.passes())
}

fn simulate(root: &Path) -> Result<()> {
    let mut board = Verilog::read(root)?.board()?;
    let mut terminal = PseudoTerminal::new()?;
    say!("{}", terminal.port)?;
    let mut goes_on = true;
    loop {
        if pass(&mut terminal, &mut board)? || goes_on {
            goes_on = board.turn(TURN_CLOCKS)?;
        } else {
            std::thread::sleep(NAP);
        }
    }
}

/// Passes the bytes of each side on to the other side. Returns `false` if there were no bytes.
fn pass(terminal: &mut PseudoTerminal, board: &mut Simulated) -> Result<bool> {
    let mut bytes = [0; 64];
    let asked = match terminal.end.read(&mut bytes) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
        read => read?,
    };
    board.write_all(&bytes[..asked])?;
    let said = board.said();
    terminal.end.write_all(&said)?;
    Ok(asked > 0 || !said.is_empty())
}

fn constants(root: &Path, check: bool) -> Result<bool> {
    let files = weft_board::files()?.map(|(name, text)| (format!("fpga/ecp5/{name}"), text));
    generated::keep(root, files, check, "weft board constants")
}
