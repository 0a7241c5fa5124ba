//! `weft cosim`: Verilog under Verilator in lockstep with its model. One module for each kind of run.

pub(crate) mod block;
mod fabric;
mod flows;
mod incast;
mod nic;
mod recovery;
mod replay;
mod transport;

use crate::usage;
use anyhow::{Result, ensure};
use clap::{Subcommand, ValueEnum};
use weft_params::{MTU_RULE, is_mtu};
use weft_system::{nic as nics, transport as ends};

/// The kinds of run.
#[derive(Subcommand)]
pub(crate) enum Kind {
    /// Run the RTL of a block in lockstep with its model, on random events; REPS also on captures.
    #[command(subcommand)]
    Block(Box<block::Run>),
    /// Run the out-of-order transport between two ends, through a network that loses, duplicates, reorders and
    /// damages packets.
    Transport(transport::TransportArgs),
    /// Let many senders send into one port, with windows that the RTL of weft_smartt computes.
    Incast(incast::IncastArgs),
    /// Run whole NICs on a leaf-spine network of plain queues, with hosts around them.
    Nic(nic::NicArgs),
    /// Run whole NICs on a leaf-spine or fat tree of switch pipelines, described by a file.
    Fabric(fabric::FabricArgs),
    /// Show under Verilator a counterexample that `weft prove reps` wrote.
    Replay(replay::ReplayArgs),
}

/// Runs the command. `false`: the RTL and its model differ.
pub(crate) fn run(kind: &Kind) -> Result<bool> {
    match kind {
        Kind::Block(run) => block::run(run),
        Kind::Transport(args) => transport::run(args),
        Kind::Incast(args) => incast::run(args),
        Kind::Nic(args) => nic::run(args),
        Kind::Fabric(args) => fabric::run(args),
        Kind::Replay(args) => replay::run(args),
    }
}

/// The view of a block or a NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewArg {
    /// The RTL under Verilator.
    Rtl,
    /// The clocked model.
    Model,
    /// Both, compared on every output and clock.
    Lockstep,
}

impl From<ViewArg> for nics::View {
    fn from(view: ViewArg) -> Self {
        match view {
            ViewArg::Rtl => Self::Rtl,
            ViewArg::Model => Self::Model,
            ViewArg::Lockstep => Self::Lockstep,
        }
    }
}

impl From<ViewArg> for ends::View {
    fn from(view: ViewArg) -> Self {
        match view {
            ViewArg::Rtl => Self::Rtl,
            ViewArg::Model => Self::Model,
            ViewArg::Lockstep => Self::Lockstep,
        }
    }
}

/// The command that repeats this run: the command line of this run. A run without `--seed` always uses the
/// same seed.
fn repeat() -> String {
    let words: Vec<String> = std::env::args().skip(1).collect();
    format!("weft {}", usage::spoken(&words))
}

/// Refuses packets that no NIC has.
fn check_mtu(mtu: u32) -> Result<()> {
    ensure!(is_mtu(mtu), "--mtu {mtu} is not possible; use {MTU_RULE}");
    Ok(())
}
