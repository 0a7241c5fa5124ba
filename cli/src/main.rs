//! The `weft` command: argument parsing, progress, drawing. The crates below do the work.

// All printing goes through `output`, which handles a closed reader.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod balls;
mod blocks;
mod board;
mod cosim;
mod counters;
mod diagram;
mod doctor;
mod emit;
mod equiv;
mod generated;
mod interrupt;
mod mutate;
mod output;
mod page;
mod params;
mod plot;
mod pool;
mod progress;
mod prove;
mod registers;
mod reproduce;
mod sim;
mod sweep;
mod switch;
mod synth;
mod trace;
mod usage;
mod window;

use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

/// Exit code of a mismatch between a model and the RTL.
const MISMATCH: u8 = 1;
/// Exit code of a wrong flag, a missing tool, unreadable input.
const UNUSABLE: u8 = 2;
/// Exit code if the reader of standard output has ended. Shells use this code for a program that a broken
/// pipe ended.
const UNREAD: u8 = 141;

/// Packet-spraying transport for FPGA NICs: emit its Verilog, and run that Verilog in lockstep with its
/// bit-exact model.
#[derive(Parser)]
#[command(name = "weft", version, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 all is well, 1 a check failed (model, RTL or a board differ, a claim is not proved, a block has grown, a file is stale, too few faults are found), 2 wrong usage or input."
)]
struct Cli {
    /// Print more on standard error.
    #[arg(long, short, global = true, display_order = 1000)]
    verbose: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write the Verilog of a block, one file per module.
    Emit(emit::EmitArgs),
    /// Run Verilog under Verilator in lockstep with its model: a block, both ends of the transport, whole NICs on a
    /// network.
    #[command(subcommand)]
    Cosim(cosim::Kind),
    /// Simulate a fabric at scale: the bit-exact NIC at up to thousands of hosts, load balancers at the switches.
    Sim(sim::SimArgs),
    /// Simulate a fabric over values of its keys and over seeds, on all cores.
    Sweep(sweep::SweepArgs),
    /// Run experiments of the papers again, and check the shapes that their pages claim.
    Reproduce(reproduce::ReproduceArgs),
    /// Throw balls into bins, as REPS models the ports of a switch: at random, or recycled.
    Balls(balls::BallsArgs),
    /// Draw results of simulations: distributions, slowdown by size, bars.
    Plot(plot::fabric::PlotArgs),
    /// Prove that a block's Verilog and its model are equal, for every state and input.
    Prove(prove::Proofs),
    /// Compare a module of yours with the emitted one, for every input.
    Equiv(equiv::EquivArgs),
    /// Plant faults in the emitted Verilog and count those that the benches find.
    Mutate(mutate::MutateArgs),
    /// Measure blocks: their cells on a device family, their levels of logic between registers, their clock on an ECP5.
    Synth(synth::SynthArgs),
    /// Check a board that carries REPS and SMaRTT against the models, or simulate such a board.
    #[command(subcommand)]
    Board(board::BoardCommand),
    /// Look into captures, and make captures.
    #[command(subcommand)]
    Trace(trace::TraceCommand),
    /// Compute a NIC's configuration for a network: the constants of windows and retries, or all register writes.
    Params(params::ParamsArgs),
    /// Write the files generated from the descriptions of the registers and of the packets: RTL and
    /// constants in Rust, C headers, SystemRDL, pages.
    Registers(registers::RegistersArgs),
    /// Print the counters of a NIC, from a dump of its registers; rates, from two dumps.
    Counters(counters::CountersArgs),
    /// Show the hardware that the programs of switches (ConWeave, OFAN and others) use: stages, register
    /// arrays, tables, bits.
    Switch(switch::SwitchArgs),
    /// Draw the NIC's blocks and streams, or the chain of evidence, as the pages show them.
    Diagram(diagram::DiagramArgs),
    /// List the tools that are installed, those that are missing, and how to get them.
    #[command(
        after_help = "The command prints a line for each tool: its name, its version and the commands that need it. Exit code 2: a needed tool is missing."
    )]
    Doctor,
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return unparsed(&error),
    };
    let level = if cli.verbose { LevelFilter::DEBUG } else { LevelFilter::WARN };
    // The crate that paints PNGs warns of every curve that is one point.
    let targets = Targets::new().with_default(level).with_target("tiny_skia", LevelFilter::OFF);
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_max_level(level).without_time();
    log.finish().with(targets).init();
    let done = match cli.command {
        Command::Emit(args) => emit::run(&args),
        Command::Cosim(kind) => cosim::run(&kind),
        Command::Sim(args) => sim::run(&args),
        Command::Sweep(args) => sweep::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Balls(args) => balls::run(&args).map(|()| true),
        Command::Plot(args) => plot::fabric::run(&args).map(|()| true),
        Command::Prove(proofs) => prove::run(&proofs),
        Command::Equiv(args) => equiv::run(&args),
        Command::Mutate(args) => mutate::run(&args),
        Command::Synth(args) => synth::run(&args),
        Command::Board(command) => board::run(&command),
        Command::Trace(command) => trace::run(&command).map(|()| true),
        Command::Params(args) => params::run(&args).map(|()| true),
        Command::Registers(args) => registers::run(&args),
        Command::Counters(args) => counters::run(&args).map(|()| true),
        Command::Switch(args) => switch::run(&args),
        Command::Diagram(args) => diagram::run(&args),
        Command::Doctor => doctor::run().map(|()| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(MISMATCH),
        Err(error) if error.is::<output::Closed>() => ExitCode::from(UNREAD),
        Err(error) => {
            output::tell(told(&error));
            let broken = error.chain().any(|cause| cause.is::<weft_bench::Broken>());
            ExitCode::from(if broken { MISMATCH } else { UNUSABLE })
        }
    }
}

/// Prints the requested help or version, or the error of the command line.
fn unparsed(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    if let DisplayHelp | DisplayVersion | DisplayHelpOnMissingArgumentOrSubcommand = error.kind() {
        // A reader that has gone needs no help.
        let _ = error.print();
        return ExitCode::from(error.exit_code() as u8);
    }
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let mut root = Cli::command();
    root.build();
    output::tell(usage::line(error, &root, &words));
    ExitCode::from(UNUSABLE)
}

/// The line of an error. If a built model cannot be stored, the line ends with the variable that names another folder.
fn told(error: &anyhow::Error) -> String {
    let line = line_of(error);
    let folder = verilator_sys::cache_folder().map(|folder| folder.display().to_string());
    let is_stored = |folder: &String| {
        line.contains(folder.as_str()) && error.chain().any(|cause| cause.is::<std::io::Error>())
    };
    if line.contains(doctor::OTHER_CACHE) || !folder.as_ref().is_ok_and(is_stored) {
        return line;
    }
    format!("{line}; {}", doctor::OTHER_CACHE)
}

/// The error and its causes in one line, without causes that the error already quotes.
fn line_of(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |line, cause| match line.as_str() {
        "" => cause,
        _ if line.contains(&cause) => line,
        _ => format!("{line}: {cause}"),
    })
}
