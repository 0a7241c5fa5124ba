//! `weft doctor`: lists the installed tools, the missing ones, and how to install these.

use crate::output::say;
use anyhow::Result;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use weft_synth::{Tool::NextpnrEcp5, Tool::Yosys, Tools};

struct Tool {
    program: &'static str,
    version: &'static str,
    package: &'static str,
    /// The feature that needs the tool.
    used_for: &'static str,
    needed: bool,
}

const TOOLS: [Tool; 7] = [
    Tool { program: "g++", version: "--version", package: "g++", used_for: "co-simulation", needed: true },
    Tool { program: "make", version: "--version", package: "make", used_for: "co-simulation", needed: true },
    Tool {
        program: "yosys",
        version: "-V",
        package: "yosys",
        used_for: "check of emitted Verilog, proofs",
        needed: true,
    },
    Tool {
        program: "iverilog",
        version: "-V",
        package: "iverilog",
        used_for: "check of emitted Verilog, tests",
        needed: true,
    },
    Tool { program: "cadical", version: "--version", package: "cadical", used_for: "proofs", needed: true },
    Tool { program: "tshark", version: "--version", package: "tshark", used_for: "tests", needed: false },
    Tool {
        program: "python3",
        version: "--version",
        package: "python3",
        used_for: "extra tools",
        needed: false,
    },
];

/// Prints a line for each tool. Returns an error if a needed tool is missing, or no built model can be stored.
pub(crate) fn run() -> Result<()> {
    let mut missing = Vec::new();
    match verilator_sys::find() {
        Ok(tool) => {
            line("verilator", &format!("{} ({})", tool.version, tool.path.display()), "co-simulation")?
        }
        Err(error) => {
            line("verilator", &format!("MISSING: {error}"), "co-simulation")?;
            missing.push("verilator");
        }
    }
    for tool in &TOOLS {
        let found = Command::new(tool.program).arg(tool.version).output().ok();
        let version = found.map(|output| {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.lines().next().unwrap_or("installed").to_owned()
        });
        match version {
            Some(version) => line(tool.program, &version, tool.used_for)?,
            None if tool.needed => {
                line(tool.program, &format!("MISSING: apt-get install {}", tool.package), tool.used_for)?;
                missing.push(tool.program);
            }
            None => line(
                tool.program,
                &format!("not installed: apt-get install {}", tool.package),
                tool.used_for,
            )?,
        }
    }
    // The solver that proofs use, in most cases the one of scripts/setup.sh.
    match weft_proof::find_z3() {
        Ok((_, version)) => line("z3", &version, "second verdict of proofs")?,
        Err(error) => line("z3", &format!("not installed: {error}"), "second verdict of proofs")?,
    }
    match synthesis() {
        Ok(tools) => line("synthesis", &tools, "weft synth")?,
        Err(error) => line("synthesis", &format!("not installed: {error}"), "weft synth")?,
    }
    let cache = cache();
    let used_for = "built models of co-simulation";
    match &cache {
        Ok(folder) => line("cache", &folder.display().to_string(), used_for)?,
        Err(what) => line("cache", &format!("MISSING: {what}"), used_for)?,
    }
    let tools = (!missing.is_empty())
        .then(|| format!("missing: {}; scripts/setup.sh installs what is missing", missing.join(", ")));
    let faults: Vec<String> = tools.into_iter().chain(cache.err()).collect();
    if faults.is_empty() {
        say!("all needed tools are installed")
    } else {
        anyhow::bail!("{}", faults.join("; "))
    }
}

/// Advice for a user whose built models cannot be stored.
pub(crate) const OTHER_CACHE: &str = "set WEFT_VERILATOR_CACHE to a folder that you may write";

/// The folder of built models, after a file was written there. The error is a line for the user.
fn cache() -> Result<PathBuf, String> {
    let folder = verilator_sys::cache_folder().map_err(|error| error.to_string())?;
    let probe = folder.join(format!("{}.probe", std::process::id()));
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&probe, "weft doctor"));
    let _ = fs::remove_file(&probe);
    match written {
        Ok(()) => Ok(folder),
        Err(error) => Err(format!("cannot write in {}: {error}; {OTHER_CACHE}", folder.display())),
    }
}

/// The versions of the tools of `weft synth`.
fn synthesis() -> Result<String> {
    let tools = Tools::find()?;
    Ok(format!("{}, {}", tools.version(Yosys)?, tools.version(NextpnrEcp5)?))
}

fn line(name: &str, what: &str, used_for: &str) -> Result<()> {
    say!("{name:10} {what}  [{used_for}]")
}
