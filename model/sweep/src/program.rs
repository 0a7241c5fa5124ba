//! The identity of the running program.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use weft_fabric::inputs::sha256;

static FILE: OnceLock<PathBuf> = OnceLock::new();

/// The program is this file, not the executable: a library that an interpreter has loaded. The first call counts.
pub fn is(file: PathBuf) {
    FILE.get_or_init(|| file);
}

/// SHA-256 of the program that runs. For an executable, this is right also after a newer build has replaced the
/// file.
pub fn digest() -> Result<String> {
    static DIGEST: OnceLock<String> = OnceLock::new();
    if let Some(digest) = DIGEST.get() {
        return Ok(digest.clone());
    }
    let running = Path::new("/proc/self/exe");
    let path = match FILE.get() {
        Some(file) => file.clone(),
        None if running.exists() => running.to_owned(),
        None => std::env::current_exe()?,
    };
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(DIGEST.get_or_init(|| sha256(&bytes)).clone())
}
