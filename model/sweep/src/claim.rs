//! The claim of a point by one of several sweeps in a folder: the sweep that has locked a file next to the
//! result. A lock ends with its process. The owner of the lock writes the result into that file and renames
//! the file. So a process that is killed at any time leaves either the result or a file that the next sweep
//! claims.

use anyhow::{Context, Result};
use std::fs::{File, TryLockError};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use weft_wire::cannot_write;

/// The right to make a result.
pub(crate) struct Claim {
    result: PathBuf,
    path: PathBuf,
    // The lock lasts until the file is dropped, after its name is gone.
    file: File,
    is_named: bool,
}

impl Claim {
    /// `None`: another process or thread has it.
    pub(crate) fn take(result: &Path) -> Result<Option<Self>> {
        let path = path(result);
        let place = || format!("cannot lock {}", path.display());
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(&path);
            let file = file.with_context(place)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error).with_context(place),
            }
            // The process that held the lock before may have removed or renamed the file meanwhile.
            let own = file.metadata().with_context(place)?.ino();
            if std::fs::metadata(&path).is_ok_and(|named| named.ino() == own) {
                return Ok(Some(Self { result: result.to_owned(), path, file, is_named: true }));
            }
        }
    }

    /// If a result exists, removes the lock file beside it that a killed process left.
    pub(crate) fn tidy(result: &Path) -> Result<()> {
        if path(result).exists() { Self::take(result).map(drop) } else { Ok(()) }
    }

    /// Writes the result, and releases the claim.
    pub(crate) fn fulfil(mut self, text: &str) -> Result<()> {
        let mut write = || {
            // A process that was killed may have written a part.
            self.file.set_len(0)?;
            self.file.write_all(text.as_bytes())?;
            std::fs::rename(&self.path, &self.result)
        };
        write().map_err(|error| cannot_write(&self.result, error))?;
        self.is_named = false;
        Ok(())
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // After the result's rename the name may be another sweep's.
        if self.is_named {
            // A file that stays does no harm: its lock is free.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn path(result: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(result.file_name().unwrap_or_default());
    name.push(".lock");
    result.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<std::ffi::OsString> {
        std::fs::read_dir(folder)
            .expect("readable")
            .map(|entry| entry.expect("an entry").file_name())
            .collect()
    }

    #[test]
    fn a_point_is_one_sweeps_until_it_lets_go() {
        let folder = tempfile::tempdir().expect("a folder");
        let result = folder.path().join("a.json");
        let claim = Claim::take(&result).expect("it can be locked").expect("nobody has it");
        assert!(Claim::take(&result).expect("it can be asked").is_none());
        drop(claim);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_killed_process_leaves_nothing_for_long() {
        let folder = tempfile::tempdir().expect("a folder");
        let (result, left) = (folder.path().join("a.json"), folder.path().join(".a.json.lock"));
        // Killed while it wrote: the lock is free, and the result is written whole.
        std::fs::write(&left, "half of a result that was longer").expect("written");
        let claim = Claim::take(&result).expect("it can be locked").expect("nobody has it");
        claim.fulfil("whole").expect("written");
        assert_eq!(std::fs::read_to_string(&result).expect("a result"), "whole");
        assert_eq!(names(folder.path()), ["a.json"]);
        // Killed after another had made the result.
        std::fs::write(&left, "").expect("written");
        Claim::tidy(&result).expect("it can be locked");
        assert_eq!(names(folder.path()), ["a.json"]);
    }

    #[test]
    fn the_name_is_free_once_the_result_is_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let result = folder.path().join("a.json");
        Claim::take(&result).expect("it can be locked").expect("nobody has it").fulfil("1").expect("written");
        let again = Claim::take(&result).expect("it can be locked").expect("nobody has it");
        again.fulfil("2").expect("written");
        assert_eq!(std::fs::read_to_string(&result).expect("a result"), "2");
    }
}
