//! Runs the command `weft` for tests.

use std::path::Path;
use std::process::{Command, Output};

/// Runs `weft` with these arguments in a folder.
pub(crate) fn weft(folder: &Path, words: &str) -> Output {
    let mut weft = Command::new(env!("CARGO_BIN_EXE_weft"));
    weft.args(words.split_whitespace()).current_dir(folder).output().expect("weft runs")
}

/// The printed text.
pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}
