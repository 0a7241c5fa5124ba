//! The command line.

use crate::cosim::fabric::FabricArgs;
use crate::cosim::incast::IncastArgs;
use crate::cosim::nic::NicArgs;
use crate::cosim::transport::TransportArgs;
use crate::params::ParamsArgs;
use crate::switch::SwitchArgs;
use anyhow::{Result, bail};
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use std::path::{Path, PathBuf};
use weft_params::{NicParams, ParamError, RepsParams, SackParams, SmarttParams};
use weft_system::scenario::Scenario;
use weft_system::trace::{Echo, Options, Trace, TraceError};

/// Packet-spraying transport for FPGA NICs: emit its Verilog, and run that Verilog in lockstep with its
/// bit-exact model.
#[derive(Parser)]
#[command(version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "Exit codes: 0 all is well, 1 model and RTL differ, 2 wrong usage or input.")]
pub(crate) struct Cli {
    /// Say more on standard error.
    #[arg(long, short, global = true)]
    pub(crate) verbose: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Write the Verilog of a block, one file per module.
    Emit(EmitArgs),
    /// Run a block's Verilog under Verilator in lockstep with its model, or whole NICs on a fabric.
    Cosim(Box<CosimArgs>),
    /// Prove that a block's Verilog does what its model does, for every state and input.
    Prove(ProveArgs),
    /// Look at captures, and make them.
    #[command(subcommand)]
    Trace(TraceCommand),
    /// Compute the constants of the SMaRTT window for a network.
    ///
    /// Prints each one with its value and the register that holds it. Link rate, base RTT and MTU are what
    /// most networks differ in; the defaults of all else are the paper's.
    Params(ParamsArgs),
    /// Write what is generated from the description of the registers: RTL and constants in Rust, the C
    /// header, the page.
    Registers(RegistersArgs),
    /// Show what the programs of switches (ConWeave, OFAN and others) take of the hardware: stages, register
    /// arrays, tables, bits.
    Switch(SwitchArgs),
    /// Say which tools are installed, which are missing, and how to get them.
    Doctor,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Block {
    /// REPS entropy buffer with freezing FSM (module weft_reps).
    Reps,
    /// SMaRTT congestion window (module weft_smartt).
    Smartt,
    /// Receiver of the out-of-order transport (module weft_sack_rx).
    #[value(name = "sack_rx")]
    SackRx,
    /// Sender of the out-of-order transport (module weft_sack_tx).
    #[value(name = "sack_tx")]
    SackTx,
}

/// What a co-simulation runs.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Subject {
    /// REPS entropy buffer with freezing FSM (module weft_reps).
    Reps,
    /// SMaRTT congestion window (module weft_smartt).
    Smartt,
    /// Receiver of the out-of-order transport (module weft_sack_rx).
    #[value(name = "sack_rx")]
    SackRx,
    /// Sender of the out-of-order transport (module weft_sack_tx).
    #[value(name = "sack_tx")]
    SackTx,
    /// Sender and receiver together, and a hostile network between them.
    Transport,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EmitTarget {
    /// REPS entropy buffer with freezing FSM (module weft_reps).
    Reps,
    /// SMaRTT congestion window (module weft_smartt).
    Smartt,
    /// Receiver of the out-of-order transport (module weft_sack_rx).
    #[value(name = "sack_rx")]
    SackRx,
    /// Sender of the out-of-order transport (module weft_sack_tx).
    #[value(name = "sack_tx")]
    SackTx,
    /// What comes in from the network (module weft_ingress).
    Ingress,
    /// From packets to memory and messages, around weft_sack_rx (module weft_receiver).
    Receiver,
    /// From work requests to packets, around weft_sack_tx, weft_smartt and weft_reps (module weft_sender).
    Sender,
    /// What goes out to the network (module weft_egress).
    Egress,
    /// Registers behind AXI4-Lite (module weft_registers).
    Registers,
    /// The NIC, all blocks joined (module weft_nic).
    Nic,
    /// Every block.
    All,
}

/// What is fixed when a block is emitted.
#[derive(Args, Clone)]
pub(crate) struct Shape {
    /// Connections with state in block RAM: 4, 16, 64, 256, 1024 or 4096.
    #[arg(long, default_value_t = RepsParams::default().connections)]
    pub(crate) connections: u32,
    /// REPS: entropy values cached per connection, 4, 8 or 16 [default: 8].
    #[arg(long)]
    pub(crate) depth: Option<u32>,
    /// REPS: bits of an entropy value, 8, 12 or 16 [default: 16].
    #[arg(long)]
    pub(crate) ev_width: Option<u32>,
    /// NIC: bits of its streams, 128, 256 or 512 [default: 512].
    #[arg(long)]
    pub(crate) width: Option<u32>,
}

impl Shape {
    /// The shape of `weft_reps`.
    pub(crate) fn reps(&self) -> Result<RepsParams, ParamError> {
        let usual = RepsParams::default();
        let params = RepsParams {
            connections: self.connections,
            depth: self.depth.unwrap_or(usual.depth),
            ev_width: self.ev_width.unwrap_or(usual.ev_width),
        };
        params.check().map(|()| params)
    }

    /// The shape of `weft_smartt`.
    pub(crate) fn smartt(&self) -> anyhow::Result<SmarttParams> {
        self.only_connections("smartt")?;
        let params = SmarttParams { connections: self.connections };
        params.check()?;
        Ok(params)
    }

    /// The shape of `weft_sack_rx` or `weft_sack_tx`, the block of this name.
    pub(crate) fn sack(&self, block: &str) -> anyhow::Result<SackParams> {
        self.only_connections(block)?;
        let params = SackParams { connections: self.connections };
        params.check()?;
        Ok(params)
    }

    /// The shape of `weft_nic`; with `all`, the other blocks have theirs beside it.
    pub(crate) fn nic(&self, all: bool) -> anyhow::Result<NicParams> {
        if !all {
            let others = Self { width: None, ..self.clone() };
            others.only_connections("nic")?;
        }
        let usual = NicParams::default();
        let params = NicParams { connections: self.connections, width: self.width.unwrap_or(usual.width) };
        params.check()?;
        Ok(params)
    }

    fn only_connections(&self, block: &str) -> anyhow::Result<()> {
        for (flag, value) in [("--depth", self.depth), ("--ev-width", self.ev_width)] {
            anyhow::ensure!(value.is_none(), "{flag} is of REPS; leave it out for {block}");
        }
        anyhow::ensure!(self.width.is_none(), "--width is of the NIC; leave it out for {block}");
        Ok(())
    }
}

#[derive(Args)]
pub(crate) struct EmitArgs {
    /// The block to emit.
    #[arg(value_enum, default_value = "all")]
    pub(crate) block: EmitTarget,
    /// Folder for the Verilog. What it holds of the same names is replaced.
    #[arg(long, short)]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) shape: Shape,
    /// Do not put the Verilog through Verilator's lint, yosys and Icarus.
    #[arg(long)]
    pub(crate) no_gate: bool,
    /// Write nothing; exit with 1 if the folder does not hold just what would be written.
    #[arg(long)]
    pub(crate) check: bool,
}

/// Which files are generated from the description of the registers.
#[derive(Args)]
#[command(group = ArgGroup::new("files").required(true).multiple(true).args(["rust", "c", "page", "all"]))]
pub(crate) struct RegistersArgs {
    /// The Rust-HDL of weft_registers and the offsets as Rust constants.
    #[arg(long)]
    pub(crate) rust: bool,
    /// The C header, hdl/include/weft_nic.h.
    #[arg(long)]
    pub(crate) c: bool,
    /// The page, docs/registers.md.
    #[arg(long)]
    pub(crate) page: bool,
    /// All of them.
    #[arg(long)]
    pub(crate) all: bool,
    /// Write nothing; exit with 1 if a file is not what would be written.
    #[arg(long)]
    pub(crate) check: bool,
    /// Folder of the repository.
    #[arg(long, default_value = ".")]
    pub(crate) root: PathBuf,
}

/// How a capture becomes events.
#[derive(Args)]
pub(crate) struct Reading {
    /// Nanoseconds of a tick.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) tick_ns: u64,
    /// A packet sent again so many microseconds after its last transmission had a timeout.
    #[arg(long, default_value_t = 70)]
    pub(crate) rto_us: u64,
    /// A connection silent for so many microseconds was idle; 0: none ever is.
    #[arg(long, default_value_t = 0)]
    pub(crate) idle_us: u64,
    /// Which entropy value an ACK gives back. By default the recorded one where the capture has ACKs of
    /// weft, which echo it, and else the chosen one: a plain ACK's source port is its own.
    #[arg(long, value_enum)]
    pub(crate) echo: Option<EchoArg>,
    /// Only what this host sends is the NIC's; by default, what any host sends.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) host: Option<std::net::IpAddr>,
}

impl Reading {
    /// Reads a capture. `seed` is the one given for the block's random numbers.
    pub(crate) fn open(&self, file: &Path, seed: Option<u32>) -> Result<Trace, TraceError> {
        let recorded = Trace::open(file, &self.options(seed, EchoArg::Recorded))?;
        match self.echo {
            None if recorded.summary().weft > 0 => Ok(recorded),
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
    /// The echo field of a weft ACK, the UDP source port of a plain one.
    Recorded,
    /// What the block chose for the packet that the ACK acknowledges.
    Chosen,
}

#[derive(Subcommand)]
pub(crate) enum TraceCommand {
    /// Say what a capture holds.
    Info {
        /// The capture, pcap or pcapng.
        file: PathBuf,
        #[command(flatten)]
        reading: Reading,
        /// Print it as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Make one of the project's captures: a NIC with REPS on a small fabric.
    Gen {
        /// healthy, congested or dead.
        #[arg(long)]
        scenario: Scenario,
        /// Seed of the random numbers; another than the default makes another trace.
        #[arg(long)]
        seed: Option<u32>,
        /// The capture to write (pcapng).
        #[arg(long, short)]
        out: PathBuf,
    },
}

#[derive(Args)]
#[command(group = ArgGroup::new("recorded").args(["trace", "scenario", "fabric"]))]
#[command(group = ArgGroup::new("whole").args(["nic", "fabric"]))]
pub(crate) struct CosimArgs {
    /// The block to run.
    #[arg(long, value_enum, required_unless_present_any = ["nic", "fabric"])]
    pub(crate) block: Option<Subject>,
    #[command(flatten)]
    pub(crate) shape: Shape,
    /// Seed of the random stimulus and of what registers hold before reset. With a trace: of the
    /// block's random numbers, in place of the one that the trace names.
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Clocks of random stimulus.
    #[arg(long, default_value_t = 1_000_000, conflicts_with = "trace")]
    pub(crate) cycles: u64,
    /// Replay a capture (pcap or pcapng) of a NIC's traffic instead of random stimulus. Give it again
    /// to replay several, one after the other. With --nic: a traffic trace that the NICs carry out, a
    /// connection matrix of htsim (.cm).
    #[arg(long)]
    pub(crate) trace: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) incast: IncastArgs,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Set a register of the block, for a trace: NAME=VALUE, for example mode=ops or evs_size=256.
    /// Without it the trace's own apply, else the defaults.
    #[arg(long, requires = "trace", value_name = "NAME=VALUE")]
    pub(crate) csr: Vec<String>,
    /// With --trace: write the capture with the entropy values that the RTL chose (pcapng). With
    /// --scenario: write every event and its answer (CSV).
    #[arg(long, requires = "recorded")]
    pub(crate) out: Option<PathBuf>,
    /// With --trace: write every decision, as JSON if the file ends in .json, else as CSV.
    #[arg(long, requires = "trace")]
    pub(crate) decisions: Option<PathBuf>,
    /// With --trace, --scenario or --fabric: draw what happened (SVG).
    #[arg(long, requires = "recorded")]
    pub(crate) plot: Option<PathBuf>,
    /// Show a counterexample that `weft prove` wrote (JSON).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["trace", "cycles", "wave", "plant", "seed"])]
    pub(crate) replay: Option<PathBuf>,
    /// Write a waveform of the last 2,000 clocks (.fst, else VCD).
    #[arg(long)]
    pub(crate) wave: Option<PathBuf>,
    /// Print the result as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Plant a bug in the RTL, to see the run fail: forwarding, wrap or thaw in reps; rounding, guard or
    /// forward in smartt; edge, nack, completion, forward, turn or published in sack_rx, these, backoff or
    /// forfeit in sack_tx; in transport one of these as sender-BUG or receiver-BUG, or a fault between them:
    /// a wrong name lists them.
    #[arg(long, value_name = "BUG")]
    pub(crate) plant: Option<String>,
    #[command(flatten)]
    pub(crate) nic: NicArgs,
    #[command(flatten)]
    pub(crate) fabric: FabricArgs,
    #[command(flatten)]
    pub(crate) transport: TransportArgs,
}

#[derive(Args)]
pub(crate) struct ProveArgs {
    /// The block to prove.
    #[arg(long, value_enum)]
    pub(crate) block: Block,
    /// Print the result as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Plant a bug in the RTL, to see the proof fail: those of weft cosim --plant.
    #[arg(long, value_name = "BUG")]
    pub(crate) plant: Option<String>,
    /// Fail without a second solver, instead of going on with one.
    #[arg(long)]
    pub(crate) two_solvers: bool,
    /// Reps: folder for counterexamples: weft_reps_event.json, weft_reps_run.json in the current one,
    /// unless given. With --mutants: weft_reps_mutant0.json and so on, if given.
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// Reps, instead: make so many mutants of the core and refute them, or show that they are the same.
    #[arg(long, conflicts_with = "plant")]
    pub(crate) mutants: Option<u32>,
    /// With --mutants: which ones.
    #[arg(long, default_value_t = 7, requires = "mutants")]
    pub(crate) seed: u32,
}

/// The bug of this name, of those that a block has.
pub(crate) fn planted<P: Copy>(name: Option<&str>, all: &[(&str, P)]) -> Result<Option<P>> {
    let Some(name) = name else { return Ok(None) };
    let Some((_, plant)) = all.iter().find(|(known, _)| *known == name) else {
        let known: Vec<&str> = all.iter().map(|(known, _)| *known).collect();
        bail!("--plant {name}: there is no such bug; choose one of {}", known.join(", "));
    };
    Ok(Some(*plant))
}
