//! Blocks as arguments: the parts of the catalogues for `emit`, `cosim block` and `prove`.

use crate::window::WindowArg;
use anyhow::{Result, bail, ensure};
use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use std::path::Path;
use weft_bench::{Exchange, Own, Plant};
use weft_blocks::catalogue::named;
use weft_hdl::Module;
use weft_hdl::catalogue::{self, BLOCKS, Block};

/// Values that are fixed when a block is emitted.
#[derive(Args, Clone)]
pub(crate) struct Shape {
    /// Connections with state in block RAM: 4, 16, 64, 256, 1024, 4096 or 16384.
    #[arg(long, value_name = "N", default_value_t = catalogue::Shape::default().connections)]
    connections: u32,
    /// REPS: entropy values cached per connection, 4, 8 or 16 [default: 8].
    #[arg(long, value_name = "ENTRIES")]
    depth: Option<u32>,
    /// REPS: bits of an entropy value, 8, 12 or 16 [default: 16].
    #[arg(long, value_name = "BITS")]
    ev_width: Option<u32>,
    /// NIC: bits of its streams of bytes, 128, 256 or 512 [default: 512].
    #[arg(long, value_name = "BITS")]
    width: Option<u32>,
    /// NIC, ingress, egress: bits of tuser of the bypass and network streams, 1 to 128. Bit 0 marks a bad frame.
    /// The NIC passes all other bits unchanged with frames of other software, and sends these bits as 0 in
    /// its own frames. Corundum needs 97: its receive path has 97 (PTP time), its transmit path 17 (a tag)
    /// [default: 1].
    #[arg(long, value_name = "BITS")]
    bypass_user: Option<u32>,
    /// NIC, sender: algorithm of the congestion windows [default: smartt].
    #[arg(long, value_enum, value_name = "ALGORITHM")]
    window: Option<WindowArg>,
    /// All blocks except REPS, SMaRTT and NSCC: PSNs of a connection's window, 256, 512 or 1024 [default: 256].
    #[arg(long, value_name = "PSNS")]
    psns: Option<u32>,
}

const WINDOW: &str = "window";

impl Shape {
    /// The shape that the given flags select for `blocks`. Refuses flags that no block of `blocks` has.
    pub(crate) fn of(&self, blocks: &[&Block]) -> Result<catalogue::Shape> {
        let given = [
            ("depth", self.depth.is_some()),
            ("ev-width", self.ev_width.is_some()),
            ("width", self.width.is_some()),
            ("bypass-user", self.bypass_user.is_some()),
            (WINDOW, self.window.is_some()),
            ("psns", self.psns.is_some()),
        ];
        for (flag, _) in given.iter().filter(|(_, is_given)| *is_given) {
            let has = |block: &Block| {
                let is_number = block.parameters.iter().any(|parameter| parameter.name == *flag);
                is_number || *flag == WINDOW && block.has_window
            };
            let owners =
                BLOCKS.iter().filter(|block| has(block)).map(|block| format!("`weft emit {}`", block.name));
            let owners = owners.collect::<Vec<_>>().join(" and ");
            ensure!(blocks.iter().any(|block| has(block)), "--{flag} is a flag of {owners}");
        }
        let usual = catalogue::Shape::default();
        Ok(catalogue::Shape {
            connections: self.connections,
            depth: self.depth.unwrap_or(usual.depth),
            ev_width: self.ev_width.unwrap_or(usual.ev_width),
            width: self.width.unwrap_or(usual.width),
            bypass_user: self.bypass_user.unwrap_or(usual.bypass_user),
            window: self.window.map_or(usual.window, Into::into),
            psns: self.psns.unwrap_or(usual.psns),
        })
    }
}

/// The bugs of a block with their names.
pub(crate) fn plants(block: &str) -> Vec<(&'static str, &'static Plant)> {
    let plants = named(block).map_or(&[][..], |bench| bench.plants);
    plants.iter().map(|plant| (plant.name, plant)).collect()
}

/// Finds the bug with this name among the bugs of a block.
pub(crate) fn planted<P: Copy>(name: Option<&str>, all: &[(&str, P)]) -> Result<Option<P>> {
    let Some(name) = name else { return Ok(None) };
    let Some((_, plant)) = all.iter().find(|(known, _)| *known == name) else {
        let known: Vec<&str> = all.iter().map(|(known, _)| *known).collect();
        bail!("--plant {name}: there is no such bug; choose one of {}", known.join(", "));
    };
    Ok(Some(*plant))
}

/// The modules that replace emitted ones: those of a planted bug, or those in a folder.
pub(crate) fn exchange(plant: Option<&'static Plant>, verilog: Option<&Path>) -> Result<Option<Exchange>> {
    let own = verilog.map(Own::read).transpose()?;
    Ok(own.map(Exchange::Own).or_else(|| plant.map(Exchange::from)))
}

/// The user's modules that differ from the emitted ones, as one line; `None` if the user gives no modules.
pub(crate) fn own_modules(exchange: Option<&Exchange>, emitted: &[Module]) -> Result<Option<String>> {
    let Some(Exchange::Own(own)) = exchange else { return Ok(None) };
    let (folder, changed) = (own.folder().display(), own.changed(emitted)?);
    Ok(Some(match &changed[..] {
        [] => format!("{folder}: no module in this folder differs from the emitted one in this shape"),
        changed => format!("from {folder}: {}", changed.join(", ")),
    }))
}

/// Flags of a command that runs one block.
pub(crate) trait OfBlocks: Args {
    /// The names of the blocks that this command can run.
    fn names() -> Vec<&'static str>;
}

/// A block, named as a subcommand, and its flags: the flags of all blocks, and the flags of REPS alone.
/// `--plant` is a flag of all blocks.
#[derive(Clone)]
pub(crate) struct Of<A, R> {
    pub(crate) block: &'static Block,
    pub(crate) args: A,
    pub(crate) reps: Option<R>,
}

fn blocks<A: OfBlocks>() -> impl Iterator<Item = &'static Block> {
    let names = A::names();
    BLOCKS.iter().filter(move |block| names.contains(&block.name))
}

impl<A: OfBlocks, R: Args> Subcommand for Of<A, R> {
    fn augment_subcommands(command: Command) -> Command {
        blocks::<A>().fold(command, |command, block| {
            let about = format!("{} (module {})", block.what, block.top);
            let below = A::augment_args(Command::new(block.name));
            let below = if block.name == "reps" { R::augment_args(below) } else { below };
            let plants = plants(block.name).into_iter().map(|(name, _)| name);
            let plants = PossibleValuesParser::new(plants);
            command.subcommand(below.mut_arg("plant", |plant| plant.value_parser(plants)).about(about))
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        blocks::<A>().any(|block| block.name == name)
    }
}

impl<A: OfBlocks, R: Args> FromArgMatches for Of<A, R> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let named = |(name, below)| Some((blocks::<A>().find(|block| block.name == name)?, below));
        let Some((block, below)) = matches.subcommand().and_then(named) else {
            return Err(clap::Error::new(clap::error::ErrorKind::MissingSubcommand));
        };
        let reps = if block.name == "reps" { Some(R::from_arg_matches(below)?) } else { None };
        Ok(Self { block, args: A::from_arg_matches(below)?, reps })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|other| *self = other)
    }
}
