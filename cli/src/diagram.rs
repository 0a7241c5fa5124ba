//! `weft diagram`: makes the drawings of the pages from the catalogue and the emitted Verilog.

mod evidence;
mod nic;
mod svg;

use crate::output::{say, tell};
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;
use weft_params::NicParams;
use weft_wire::write_atomically;

/// The drawing.
#[derive(Args)]
#[command(after_help = "\
Examples:
  weft diagram nic --out docs/images/nic_blocks.svg
  weft diagram evidence --out docs/images/evidence.svg --check    # exit code 1 if it is stale")]
pub(crate) struct DiagramArgs {
    /// The drawing.
    #[arg(value_enum)]
    subject: Subject,
    /// The file (SVG).
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Write nothing; exit with 1 if the file differs from the generated one.
    #[arg(long)]
    check: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Subject {
    /// The blocks of weft_nic and the streams between them, with the bits of their data.
    Nic,
    /// The evidence that the Verilog is right, block by block.
    Evidence,
}

/// Draws the diagram. Returns `false` if, with `--check`, the file differs.
pub(crate) fn run(args: &DiagramArgs) -> Result<bool> {
    let svg = match args.subject {
        Subject::Nic => nic::draw(&weft_hdl::block::nic::emit(&NicParams::default())?)?,
        Subject::Evidence => evidence::draw(),
    };
    let path = args.out.display();
    if args.check {
        let fresh = std::fs::read_to_string(&args.out).is_ok_and(|old| old == svg);
        if !fresh {
            tell(format_args!("{path} is stale; draw it again"));
        }
        return Ok(fresh);
    }
    write_atomically(&args.out, |file| file.write_all(svg.as_bytes()))
        .with_context(|| format!("cannot write {path}"))?;
    say!("{path}")?;
    Ok(true)
}
