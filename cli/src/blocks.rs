//! The blocks: one row each, from which `emit`, `cosim block` and `prove` take what they need.

use crate::cosim::block::{self, reps, sack_rx, sack_tx, smartt};
use crate::prove;
use anyhow::{Result, bail, ensure};
use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use std::path::PathBuf;

use weft_hdl::emit::{EmitError, Module};
use weft_params::{NicParams, RepsParams, SackParams, SmarttParams};
use weft_proof::{Claim, Report, Solvers};

/// A block.
pub(crate) struct Block {
    /// What the command calls it.
    pub(crate) name: &'static str,
    /// Its top module.
    pub(crate) top: &'static str,
    /// What it is.
    pub(crate) what: &'static str,
    /// Flags of [`Shape`] beside the number of connections.
    flags: &'static [&'static str],
    /// Its shape in words, and its Verilog.
    pub(crate) emit: Emit,
    /// What shows that its Verilog is right, of those that the command can run alone.
    pub(crate) bench: Option<Bench>,
}

/// Lockstep and proof of a block.
pub(crate) struct Bench {
    /// Names of the bugs that can be planted in its Verilog.
    pub(crate) plants: fn() -> Vec<&'static str>,
    /// Runs it in lockstep. `false`: RTL and model differ.
    pub(crate) cosim: fn(&block::Run) -> Result<bool>,
    /// Proves it. Claims are told as they are decided, files are what counterexamples went to.
    pub(crate) prove: Prove,
}

type Emit = fn(&Shape) -> Result<(String, Vec<Module>)>;

type Prove = fn(&prove::Proof, &Solvers, &mut dyn FnMut(&[Claim]), &mut Vec<PathBuf>) -> Result<Report>;

/// All blocks, in the order in which they are emitted.
pub(crate) const BLOCKS: &[Block] = &[
    Block {
        name: "reps",
        top: "weft_reps",
        what: "REPS entropy buffer",
        flags: &["--depth", "--ev-width"],
        emit: |shape| {
            let params = shape.reps()?;
            let RepsParams { connections, depth, ev_width } = params;
            let words = format!("{connections} connections of {depth} entropy values of {ev_width} bits");
            Ok((words, weft_hdl::block::reps::emit(&params)?))
        },
        bench: Some(Bench {
            plants: || names(&weft_blocks::reps::plant::Plant::ALL),
            cosim: reps::run,
            prove: prove::reps,
        }),
    },
    Block {
        name: "smartt",
        top: "weft_smartt",
        what: "SMaRTT congestion window",
        flags: &[],
        emit: |shape| {
            let params = SmarttParams { connections: shape.connections };
            params.check()?;
            Ok((connections(shape), weft_hdl::block::smartt::emit(&params)?))
        },
        bench: Some(Bench {
            plants: || names(&weft_blocks::smartt::plant::Plant::ALL),
            cosim: smartt::run,
            prove: |proof, solvers, tell, _| {
                Ok(weft_proof::smartt::prove(
                    solvers,
                    proof.plant(&weft_blocks::smartt::plant::Plant::ALL)?,
                    tell,
                )?)
            },
        }),
    },
    Block {
        name: "sack_rx",
        top: "weft_sack_rx",
        what: "Receiver of the out-of-order transport",
        flags: &[],
        emit: |shape| of_connections(shape, weft_hdl::block::sack_rx::emit),
        bench: Some(Bench {
            plants: || names(&weft_blocks::sack_rx::plant::Plant::ALL),
            cosim: sack_rx::run,
            prove: |proof, solvers, tell, _| {
                Ok(weft_proof::sack_rx::prove(
                    solvers,
                    proof.plant(&weft_blocks::sack_rx::plant::Plant::ALL)?,
                    tell,
                )?)
            },
        }),
    },
    Block {
        name: "sack_tx",
        top: "weft_sack_tx",
        what: "Sender of the out-of-order transport",
        flags: &[],
        emit: |shape| of_connections(shape, weft_hdl::block::sack_tx::emit),
        bench: Some(Bench {
            plants: || names(&weft_blocks::sack_tx::plant::Plant::ALL),
            cosim: sack_tx::run,
            prove: |proof, solvers, tell, _| {
                Ok(weft_proof::sack_tx::prove(
                    solvers,
                    proof.plant(&weft_blocks::sack_tx::plant::Plant::ALL)?,
                    tell,
                )?)
            },
        }),
    },
    Block {
        name: "ingress",
        top: "weft_ingress",
        what: "What comes in from the network",
        flags: &[],
        emit: |shape| of_connections(shape, weft_hdl::block::ingress::emit),
        bench: None,
    },
    Block {
        name: "receiver",
        top: "weft_receiver",
        what: "From packets to memory and messages",
        flags: &[],
        emit: |shape| of_connections(shape, weft_hdl::block::receiver::emit),
        bench: None,
    },
    Block {
        name: "sender",
        top: "weft_sender",
        what: "From work requests to packets",
        flags: &[],
        emit: |shape| of_connections(shape, weft_hdl::block::sender::emit),
        bench: None,
    },
    Block {
        name: "egress",
        top: "weft_egress",
        what: "What goes out to the network",
        flags: &[],
        emit: |shape| of_connections(shape, weft_hdl::block::egress::emit),
        bench: None,
    },
    Block {
        name: "registers",
        top: "weft_registers",
        what: "Registers behind AXI4-Lite",
        flags: &[],
        emit: |shape| of_connections(shape, weft_hdl::block::registers::emit),
        bench: None,
    },
    Block {
        name: "nic",
        top: "weft_nic",
        what: "Packet-spraying NIC",
        flags: &["--width"],
        emit: |shape| {
            let width = shape.width.unwrap_or(NicParams::default().width);
            let params = NicParams { connections: shape.connections, width };
            params.check()?;
            Ok((format!("{}, {width} bits", connections(shape)), weft_hdl::block::nic::emit(&params)?))
        },
        bench: None,
    },
];

fn connections(shape: &Shape) -> String {
    format!("{} connections", shape.connections)
}

fn of_connections(
    shape: &Shape,
    emit: fn(&SackParams) -> Result<Vec<Module>, EmitError>,
) -> Result<(String, Vec<Module>)> {
    let params = SackParams { connections: shape.connections };
    params.check()?;
    Ok((connections(shape), emit(&params)?))
}

/// What is fixed when a block is emitted.
#[derive(Args, Clone)]
pub(crate) struct Shape {
    /// Connections with state in block RAM: 4, 16, 64, 256, 1024 or 4096.
    #[arg(long, value_name = "N", default_value_t = RepsParams::default().connections)]
    connections: u32,
    /// REPS: entropy values cached per connection, 4, 8 or 16 [default: 8].
    #[arg(long, value_name = "ENTRIES")]
    depth: Option<u32>,
    /// REPS: bits of an entropy value, 8, 12 or 16 [default: 16].
    #[arg(long, value_name = "BITS")]
    ev_width: Option<u32>,
    /// NIC: bits of its streams, 128, 256 or 512 [default: 512].
    #[arg(long, value_name = "BITS")]
    width: Option<u32>,
}

impl Shape {
    fn reps(&self) -> Result<RepsParams> {
        let usual = RepsParams::default();
        let params = RepsParams {
            connections: self.connections,
            depth: self.depth.unwrap_or(usual.depth),
            ev_width: self.ev_width.unwrap_or(usual.ev_width),
        };
        params.check()?;
        Ok(params)
    }

    /// Refuses flags that none of these blocks has.
    pub(crate) fn check(&self, blocks: &[&Block]) -> Result<()> {
        let given = [("--depth", self.depth), ("--ev-width", self.ev_width), ("--width", self.width)];
        for (flag, _) in given.iter().filter(|(_, value)| value.is_some()) {
            let has = |block: &Block| block.flags.contains(flag);
            if let Some(owner) = BLOCKS.iter().find(|block| has(block)) {
                ensure!(blocks.iter().any(|block| has(block)), "{flag} is of `weft emit {}`", owner.name);
            }
        }
        Ok(())
    }
}

fn names<P>(plants: &[(&'static str, P)]) -> Vec<&'static str> {
    plants.iter().map(|(name, _)| *name).collect()
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

/// A block that has a bench, named as a subcommand, and its flags: those that all have, and those that REPS alone has.
/// One of the first is `--plant`.
#[derive(Clone)]
pub(crate) struct Of<A, R> {
    pub(crate) block: &'static Block,
    pub(crate) bench: &'static Bench,
    pub(crate) args: A,
    pub(crate) reps: Option<R>,
}

fn benches() -> impl Iterator<Item = (&'static Block, &'static Bench)> {
    BLOCKS.iter().filter_map(|block| Some((block, block.bench.as_ref()?)))
}

impl<A: Args, R: Args> Subcommand for Of<A, R> {
    fn augment_subcommands(command: Command) -> Command {
        benches().fold(command, |command, (block, bench)| {
            let about = format!("{} (module {})", block.what, block.top);
            let below = A::augment_args(Command::new(block.name));
            let below = if block.name == "reps" { R::augment_args(below) } else { below };
            let plants = PossibleValuesParser::new((bench.plants)());
            command.subcommand(below.mut_arg("plant", |plant| plant.value_parser(plants)).about(about))
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        benches().any(|(block, _)| block.name == name)
    }
}

impl<A: Args, R: Args> FromArgMatches for Of<A, R> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let named = |(name, below)| Some((benches().find(|(block, _)| block.name == name)?, below));
        let Some(((block, bench), below)) = matches.subcommand().and_then(named) else {
            return Err(clap::Error::new(clap::error::ErrorKind::MissingSubcommand));
        };
        let reps = if block.name == "reps" { Some(R::from_arg_matches(below)?) } else { None };
        Ok(Self { block, bench, args: A::from_arg_matches(below)?, reps })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|other| *self = other)
    }
}
