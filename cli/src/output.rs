//! Printing. If the reader of the output has ended, such as `head`, the command ends quietly.
//!
//! weft ignores the signal SIGPIPE: by default the signal would also end weft when a solver or a compiler
//! dies, and half-written files would remain. Instead `main` gets a write error like any other error, and
//! removes each folder and file in progress.

use anyhow::{Error, Result};
use serde::Serialize;
use std::fmt;
use std::io::{ErrorKind, Write};

/// Prints a line on standard output.
macro_rules! say {
    ($($part:tt)*) => { $crate::output::text(&format!("{}\n", format_args!($($part)*))) };
}
pub(crate) use say;

/// Standard output was closed.
#[derive(Debug)]
pub(crate) struct Closed;

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("standard output is closed")
    }
}

impl std::error::Error for Closed {}

/// Prints text that ends with the end of a line.
pub(crate) fn text(text: &str) -> Result<()> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Closed.into()),
        written => written.map_err(|error| Error::new(error).context("cannot write to standard output")),
    }
}

/// Prints a value as JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<()> {
    say!("{}", serde_json::to_string_pretty(value)?)
}

/// Prints a line on standard error. Control characters, which an error may quote from a file, are escaped so
/// that they do not control the terminal. Ends of lines and tabs stay, as tools print them on purpose.
pub(crate) fn tell(line: impl fmt::Display) {
    let mut plain = String::from("weft: ");
    for character in line.to_string().chars() {
        match character {
            '\n' | '\t' => plain.push(character),
            _ if character.is_control() => plain.extend(character.escape_default()),
            _ => plain.push(character),
        }
    }
    // A closed standard error is no reason to stop.
    let _ = writeln!(std::io::stderr(), "{plain}");
}
