//! `weft registers`: what is generated from the description of the registers.

mod header;
mod offsets;
mod page;
mod rtl;

use crate::args::RegistersArgs;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::io::Write;
use weft_wire::write_atomically;

/// Writes the files asked for. `false`: with `--check`, one of them is stale.
pub(crate) fn run(args: &RegistersArgs) -> Result<bool> {
    let mut files = Vec::new();
    if args.rust || args.all {
        files.push(("model/params/src/registers/offsets.rs", offsets::text()));
        files.push(("hdl/src/block/registers/top.rs", rtl::text()));
    }
    if args.c || args.all {
        files.push(("hdl/include/weft_nic.h", header::text()));
    }
    if args.page || args.all {
        files.push(("docs/registers.md", page::text()));
    }
    let root = &args.root;
    let home = root.join("hdl/src/block/registers.rs");
    ensure!(home.is_file(), "{} is not weft's repository; give it with --root", root.display());
    let mut fresh = true;
    for (name, text) in files {
        let path = root.join(name);
        if fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
            continue;
        }
        if args.check {
            eprintln!("weft: {name} is stale; run weft registers --all");
            fresh = false;
            continue;
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        write_atomically(&path, |file| file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))?;
        println!("{name}");
    }
    Ok(fresh)
}

/// With a capital in front and a full stop behind.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
