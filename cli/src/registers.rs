//! `weft registers`: the files generated from the descriptions of the registers and of the packets.

mod header;
mod news;
mod offsets;
mod page;
mod rdl;
mod rtl;
mod values;
mod wire;
mod wrap;

use crate::generated;
use anyhow::Result;
use clap::{ArgGroup, Args};
use std::path::PathBuf;

/// The files that are generated from the descriptions of the registers and of the packets.
#[derive(Args)]
#[command(after_help = "\
Examples:
  weft registers --all             # after a change of a description, from the repository's root
  weft registers --all --check     # what CI runs")]
#[command(group = ArgGroup::new("files").required(true).multiple(true).args(["rust", "c", "rdl", "page", "wire", "all"]))]
pub(crate) struct RegistersArgs {
    /// Write the Rust-HDL of weft_registers, and the offsets as Rust constants.
    #[arg(long)]
    rust: bool,
    /// Write the C header hdl/include/weft_nic.h.
    #[arg(long)]
    c: bool,
    /// Write the map as SystemRDL, hdl/include/weft_nic.rdl.
    #[arg(long)]
    rdl: bool,
    /// Write the pages docs/registers.md and docs/bring-up.md.
    #[arg(long)]
    page: bool,
    /// Write the layout of the packets for C, hdl/include/weft_wire.h.
    #[arg(long)]
    wire: bool,
    /// Write all these files.
    #[arg(long)]
    all: bool,
    /// Write nothing; exit with 1 if a file differs from the generated one.
    #[arg(long)]
    check: bool,
    /// Folder of the repository, in which the files lie.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
}

/// Writes the requested files. Returns `false` if, with `--check`, one of the files is stale.
pub(crate) fn run(args: &RegistersArgs) -> Result<bool> {
    let mut files = Vec::new();
    if args.rust || args.all {
        files.push(("model/params/src/registers/offsets.rs", offsets::text()));
        files.push(("hdl/src/block/registers/top.rs", rtl::text()));
    }
    if args.c || args.all {
        files.push(("hdl/include/weft_nic.h", header::text()));
    }
    if args.rdl || args.all {
        files.push(("hdl/include/weft_nic.rdl", rdl::text()));
    }
    if args.page || args.all {
        files.push(("docs/registers.md", page::text()));
        files.push(("docs/bring-up.md", values::text()?));
    }
    if args.wire || args.all {
        files.push(("hdl/include/weft_wire.h", wire::text()));
    }
    generated::keep(&args.root, files, args.check, "weft registers --all")
}

/// The head of the C headers: integers by their widths, also for Linux, and casts in the form of C and of
/// C++.
const C_HEAD: &str = "\
#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

#ifndef WEFT_CAST
#ifdef __cplusplus
#define WEFT_CAST(type, value) static_cast<type>(value)
#else
#define WEFT_CAST(type, value) ((type)(value))
#endif
#endif
";

/// A line of a C header.
fn define(text: &mut String, name: &str, value: String, doc: &str) {
    text.push_str(&format!("#define {name} {value} /* {doc} */\n"));
}

/// The text with a capital in front and a full stop at the end.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
