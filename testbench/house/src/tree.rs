//! The files of the repository.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that git ignores, and its own.
const IGNORED: [&str; 3] = ["target", "build", ".git"];

/// The folder of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// All files, as paths from the root, in order.
pub fn files() -> Vec<String> {
    let root = root();
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                if !IGNORED.contains(&name.as_str()) && name != "__pycache__" {
                    folders.push(path);
                }
            } else if let Ok(path) = path.strip_prefix(&root) {
                found.push(path.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

/// The text of a file; empty if there is no such file.
pub fn read(path: &str) -> String {
    fs::read(root().join(path)).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}
