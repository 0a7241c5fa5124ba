//! The first Ctrl-C makes a run end in an orderly way; a second Ctrl-C ends the program at once.

use anyhow::{Context, Result};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// The exit code of shells for a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

static PRESSED: AtomicBool = AtomicBool::new(false);

/// Handles Ctrl-C from this call on.
pub(crate) fn listen() -> Result<()> {
    let handler = || {
        if PRESSED.swap(true, SeqCst) {
            std::process::exit(INTERRUPTED);
        }
    };
    ctrlc::set_handler(handler).context("cannot listen to Ctrl-C")
}

/// Whether Ctrl-C was pressed.
pub(crate) fn pressed() -> bool {
    PRESSED.load(SeqCst)
}
