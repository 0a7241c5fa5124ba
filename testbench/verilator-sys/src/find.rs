//! The tools on this machine: Verilator and a C++ compiler.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cache::{Cache, stamp};
use crate::error::Error;
use crate::hash::Hasher;

const OLDEST: (u32, u32) = (5, 6);

/// Skips a comparison of all inputs before every evaluation, which is slow with wide inputs. Versions of
/// Verilator without the option refuse it.
const NO_CHANGE_DETECT: &str = "-fno-ico-change-detect";

/// A Verilator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// The program.
    pub path: PathBuf,
    /// The answer to `--version`: `Verilator 5.006 2023-01-22 rev (Debian 5.006-3)`.
    pub version: String,
    /// Major and minor number, if the version has one (development snapshots may not).
    pub number: Option<(u32, u32)>,
    pub(crate) speed_options: Vec<&'static str>,
}

/// The Verilator that builds use by default: the environment variable `VERILATOR`, else `verilator` in `PATH`.
pub fn find() -> Result<Tool, Error> {
    default_tool(Cache::open(None).ok().as_ref())
}

pub(crate) fn default_tool(cache: Option<&Cache>) -> Result<Tool, Error> {
    let program = variable("VERILATOR").unwrap_or_else(|| "verilator".into());
    tool(&program, cache)
}

/// Runs one Verilator to get its version; a cache avoids the run next time.
pub(crate) fn tool(program: &OsStr, cache: Option<&Cache>) -> Result<Tool, Error> {
    let tried = program.to_string_lossy().into_owned();
    let Some(path) = locate(program) else { return Err(Error::VerilatorMissing { tried }) };
    let answers = remember(cache, &path, || {
        let version = ask(&path, &["--version"]).ok_or(Error::VerilatorMissing { tried })?;
        let probe = ask(&path, &[NO_CHANGE_DETECT, "--version"]).is_some();
        Ok(format!("{version}\n{probe}"))
    })?;
    let (version, probe) = answers.split_once('\n').unwrap_or((&answers, "false"));
    let number = number(version);
    if number.is_some_and(|number| number < OLDEST) {
        return Err(Error::VerilatorTooOld { path, version: version.to_owned() });
    }
    let speed_options = if probe == "true" { vec![NO_CHANGE_DETECT] } else { Vec::new() };
    Ok(Tool { path, version: version.to_owned(), number, speed_options })
}

/// `$CXX` (which may carry arguments), else `g++`.
#[derive(Debug, Clone)]
pub(crate) struct Compiler {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) version: String,
}

impl Compiler {
    pub(crate) fn find(cache: &Cache) -> Result<Self, Error> {
        let tried =
            variable("CXX").map_or_else(|| "g++".to_owned(), |cxx| cxx.to_string_lossy().into_owned());
        let missing = || Error::CompilerMissing { tried: tried.clone() };
        let mut words = tried.split_whitespace();
        let program = words.next().and_then(|word| locate(OsStr::new(word))).ok_or_else(missing)?;
        let arguments: Vec<String> = words.map(str::to_owned).collect();
        let asked: Vec<&str> = arguments.iter().map(String::as_str).chain(["--version"]).collect();
        let question = || ask(&program, &asked).ok_or_else(missing);
        // With arguments (`ccache g++`) the version is that of another program: changes of the compiler would
        // be missed.
        let version =
            if arguments.is_empty() { remember(Some(cache), &program, question)? } else { question()? };
        Ok(Self { program, arguments, version })
    }

    pub(crate) fn is_clang(&self) -> bool {
        self.version.contains("clang")
    }
}

fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The program's file, found as a shell finds it.
fn locate(program: &OsStr) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| {
        path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
    };
    if Path::new(program).components().count() > 1 {
        return std::path::absolute(program).ok().filter(is_program);
    }
    std::env::split_paths(&std::env::var_os("PATH")?).map(|dir| dir.join(program)).find(is_program)
}

/// Stores a program's answer under its path, size and time, and those of the files next to Verilator's
/// wrapper.
fn remember(
    cache: Option<&Cache>,
    program: &Path,
    question: impl FnOnce() -> Result<String, Error>,
) -> Result<String, Error> {
    let Some(cache) = cache else { return question() };
    let real = program.canonicalize().unwrap_or_else(|_| program.to_path_buf());
    let mut key = Hasher::new();
    key.field("answer 1").field(real.as_os_str().as_encoded_bytes()).field(stamp(&real));
    key.field(stamp(&real.with_file_name("verilator_bin")));
    cache.memo(&key.finish(), question)
}

/// The first line a program prints, if it succeeds and prints any.
fn ask(program: &Path, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(text.lines().next()?.trim().to_owned())
}

/// `Verilator 5.006 2023-...` is (5, 6). Snapshots print ` rev vUNKNOWN-...`: they have no number and are
/// accepted.
fn number(version: &str) -> Option<(u32, u32)> {
    let word = version.strip_prefix("Verilator ")?.split_whitespace().next()?;
    let (major, minor) = word.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_numbers() {
        assert_eq!(number("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)"), Some((5, 6)));
        assert_eq!(number("Verilator 5.052 2026-09-05 rev v5.052"), Some((5, 52)));
        assert_eq!(number(" rev vUNKNOWN-built20260516-4e853d8"), None);
        assert!(number("Verilator 4.228 2022-10-01").unwrap() < OLDEST);
    }
}
