//! The gate that emitted Verilog passes before users get it: yosys finds no latch, undriven or doubly driven
//! signal or loop. Verilator and Icarus Verilog print no warning.
//!
//! rust-hdl's `check_all` and the emitter's own checks come before, in [`emit`](crate::emit()). Every warning
//! is an error, without waivers.

use crate::emit::Module;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use thiserror::Error;

/// The programs to run, by name or path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tools {
    /// yosys.
    pub yosys: Option<OsString>,
    /// Verilator.
    pub verilator: Option<OsString>,
    /// Icarus Verilog.
    pub iverilog: Option<OsString>,
}

impl Default for Tools {
    /// All three tools, from the search path.
    fn default() -> Self {
        Tools {
            yosys: Some("yosys".into()),
            verilator: Some("verilator".into()),
            iverilog: Some("iverilog".into()),
        }
    }
}

impl Tools {
    /// If there are no tools, the gate passes all Verilog. Emission needs Rust only.
    pub fn none() -> Self {
        Tools { yosys: None, verilator: None, iverilog: None }
    }
}

/// The programs that the gate has run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GateReport {
    /// Each tool that passed, with its version.
    pub passed: Vec<(&'static str, String)>,
    /// The tools that were not run.
    pub skipped: Vec<&'static str>,
}

/// The reason why Verilog does not pass.
#[derive(Debug, Error)]
pub enum GateError {
    /// A tool is not installed.
    #[error("{tool} not found: apt-get install {package}, or leave it out with Tools")]
    Missing {
        /// The program.
        tool: &'static str,
        /// Debian's package.
        package: &'static str,
    },
    /// A tool found a fault.
    #[error("{tool} on {top}: {output}")]
    Found {
        /// The program.
        tool: &'static str,
        /// The top module.
        top: String,
        /// The output of the program.
        output: String,
    },
    /// A file could not be written, or a program failed to run.
    #[error("gate: {0}; check the temporary folder and the tool")]
    Io(#[from] std::io::Error),
}

/// Runs `tools` on `modules`, of which `top` is the top.
pub fn gate(modules: &[Module], top: &str, tools: Tools) -> Result<GateReport, GateError> {
    let folder = tempfile::tempdir()?;
    let mut files = Vec::new();
    for module in modules {
        let file = format!("{}.v", module.name);
        std::fs::write(folder.path().join(&file), &module.text)?;
        files.push(file);
    }
    // `select` names every latch cell that any pass makes.
    let script = format!(
        "read_verilog {}; hierarchy -check -top {top}; proc; opt_clean; \
         select -assert-none t:$dlatch t:$adlatch t:$dlatchsr t:$_DLATCH_*; check -assert; \
         flatten; check -assert",
        files.join(" ")
    );
    let with_files = |options: &[&str]| -> Vec<String> {
        options.iter().map(|o| o.to_string()).chain(files.clone()).collect()
    };
    let mut report = GateReport::default();
    let steps = [
        Step {
            tool: "yosys",
            program: tools.yosys,
            package: "yosys",
            version: "-V",
            args: vec!["-q".into(), "-p".into(), script],
        },
        Step {
            tool: "verilator",
            program: tools.verilator,
            package: "verilator",
            version: "--version",
            args: with_files(&["--lint-only", "-Wall", "--top-module", top]),
        },
        Step {
            tool: "iverilog",
            program: tools.iverilog,
            package: "iverilog",
            version: "-V",
            args: with_files(&["-g2005", "-Wall", "-t", "null", "-s", top]),
        },
    ];
    for step in steps {
        let name = step.tool;
        match step.run(folder.path(), top)? {
            Some(version) => report.passed.push((name, version)),
            None => report.skipped.push(name),
        }
    }
    Ok(report)
}

struct Step {
    tool: &'static str,
    program: Option<OsString>,
    package: &'static str,
    version: &'static str,
    args: Vec<String>,
}

impl Step {
    /// The tool's version if the check passes; `None` if the tool is left out.
    fn run(self, folder: &Path, top: &str) -> Result<Option<String>, GateError> {
        let Some(program) = &self.program else {
            return Ok(None);
        };
        let run = |args: &[String]| {
            Command::new(program).args(args).current_dir(folder).output().map_err(|e| match e.kind() {
                std::io::ErrorKind::NotFound => GateError::Missing { tool: self.tool, package: self.package },
                _ => GateError::Io(e),
            })
        };
        let version = run(&[self.version.into()])?.stdout;
        let version = String::from_utf8_lossy(&version);
        let version = version.lines().next().unwrap_or_default().to_string();
        let output = run(&self.args)?;
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        // Verilator 5.052 ends with a report of its run; any other output is a warning.
        let said: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with("- ")).collect();
        if output.status.success() && said.is_empty() {
            Ok(Some(version))
        } else {
            Err(GateError::Found { tool: self.tool, top: top.into(), output: said.join("\n") })
        }
    }
}
