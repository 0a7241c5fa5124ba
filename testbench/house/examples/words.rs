//! Writes the tables of `docs/words.md`.

use std::process::ExitCode;
use weft_house::{WORDS_PAGE, read, root, words_page};

fn main() -> ExitCode {
    match std::fs::write(root().join(WORDS_PAGE), words_page(&read(WORDS_PAGE))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write {WORDS_PAGE}: {error}");
            ExitCode::from(2)
        }
    }
}
