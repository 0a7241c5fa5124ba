//! Files of the repository that a command writes completely.

use crate::output::{say, tell};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::io::Write;
use std::path::Path;
use weft_wire::write_atomically;

/// Refuses a folder that is not a clone of weft's repository.
pub(crate) fn is_repository(root: &Path) -> Result<()> {
    let home = root.join("hdl/src/block/registers.rs");
    ensure!(home.is_file(), "{} is not weft's repository; give it with --root", root.display());
    Ok(())
}

/// Writes the files whose present text differs. Names are relative to `root`. With `check` the function
/// writes nothing, and returns `false` if a file is stale; `command` is the command that renews the file.
pub(crate) fn keep(
    root: &Path,
    files: impl IntoIterator<Item = (impl AsRef<str>, String)>,
    check: bool,
    command: &str,
) -> Result<bool> {
    is_repository(root)?;
    let mut fresh = true;
    for (name, text) in files {
        let name = name.as_ref();
        let path = root.join(name);
        if fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
            continue;
        }
        if check {
            tell(format_args!("{name} is stale; run {command}"));
            fresh = false;
            continue;
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        write_atomically(&path, |file| file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))?;
        say!("{name}")?;
    }
    Ok(fresh)
}
