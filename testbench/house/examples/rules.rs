//! Writes the table of rules, `docs/results/rules.md`.

use std::process::ExitCode;
use weft_house::{PAGE, page, root};

fn main() -> ExitCode {
    match std::fs::write(root().join(PAGE), page()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write {PAGE}: {error}");
            ExitCode::from(2)
        }
    }
}
