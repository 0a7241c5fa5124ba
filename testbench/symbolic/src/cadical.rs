//! The SAT solver CaDiCaL: a program that reads clauses and writes a verdict.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::process::one_line;

/// The reason why CaDiCaL gave no verdict.
#[derive(Debug, thiserror::Error)]
pub enum SatError {
    /// The program could not be started.
    #[error("cannot run the SAT solver {program}: {error}; install cadical, or set CADICAL to its path")]
    Start {
        /// The program.
        program: String,
        /// The error of the system.
        error: io::Error,
    },
    /// The program printed something other than a verdict.
    #[error("{program} gave no verdict, check that it is CaDiCaL: {output}")]
    Answer {
        /// The program.
        program: String,
        /// Exit status and output of the program.
        output: String,
    },
    /// The counterexample of the program is wrong.
    #[error("{program} or the bit-blaster has a bug, do not trust the proof: the claim holds at {found}")]
    Wrong {
        /// The program.
        program: String,
        /// The values in the counterexample.
        found: String,
    },
}

/// Clauses in DIMACS.
#[derive(Default)]
pub(crate) struct Clauses {
    text: Vec<u8>,
    count: usize,
    variable_max: u32,
}

impl Clauses {
    /// Adds the clause of these variables, the negative ones complemented.
    pub(crate) fn push<const N: usize>(&mut self, literals: [i32; N]) {
        for literal in literals {
            self.variable_max = self.variable_max.max(literal.unsigned_abs());
            if literal < 0 {
                self.text.push(b'-');
            }
            push_number(&mut self.text, literal.unsigned_abs());
            self.text.push(b' ');
        }
        self.text.extend(b"0\n");
        self.count += 1;
    }
}

/// Formats a number. The general formatter would take most of the time between two claims.
fn push_number(text: &mut Vec<u8>, mut number: u32) {
    let start = text.len();
    loop {
        text.push(b'0' + (number % 10) as u8);
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text[start..].reverse();
}

/// The result of CaDiCaL.
pub(crate) enum Solution {
    /// The true variables of a solution. All other variables are false.
    Satisfiable(std::collections::HashSet<u32>),
    Unsatisfiable,
    /// The solver reached a limit.
    Unknown,
}

/// Solves `clauses`. CaDiCaL itself keeps the limits, hence it ends in time even if the parent is gone.
pub(crate) fn solve(
    program: &Path,
    clauses: &Clauses,
    conflicts_max: u32,
    seconds_max: f32,
) -> Result<Solution, SatError> {
    let name = || program.display().to_string();
    // CaDiCaL accepts whole seconds, and reads 0 as "no limit".
    let seconds = (seconds_max.ceil() as u32).clamp(1, 1_000_000);
    let conflicts = conflicts_max.min(i32::MAX as u32);
    let mut command = Command::new(program);
    command.args(["-q", "-t", &seconds.to_string(), "-c", &conflicts.to_string()]);
    let output = run(&mut command, clauses).map_err(|error| SatError::Start { program: name(), error })?;

    let text = String::from_utf8_lossy(&output.stdout);
    let verdict = text.lines().find(|line| line.starts_with("s "));
    match (output.status.code(), verdict) {
        (Some(10), Some("s SATISFIABLE")) => {
            let values = text.lines().filter_map(|line| line.strip_prefix("v "));
            Ok(Solution::Satisfiable(
                values.flat_map(str::split_whitespace).filter_map(|literal| literal.parse().ok()).collect(),
            ))
        }
        (Some(20), Some("s UNSATISFIABLE")) => Ok(Solution::Unsatisfiable),
        (Some(0), None | Some("s UNKNOWN")) => Ok(Solution::Unknown),
        _ => Err(SatError::Answer {
            program: name(),
            output: one_line(&format!(
                "{} {text} {}",
                output.status,
                String::from_utf8_lossy(&output.stderr)
            )),
        }),
    }
}

/// Runs CaDiCaL. CaDiCaL writes only after it has read everything, so no pipe can fill up.
fn run(command: &mut Command, clauses: &Clauses) -> io::Result<Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        let header = format!("p cnf {} {}\n", clauses.variable_max, clauses.count);
        // A program that stops reading early gives the reason in its output or exit code.
        let _ = stdin.write_all(header.as_bytes()).and_then(|()| stdin.write_all(&clauses.text));
    }
    child.wait_with_output()
}
