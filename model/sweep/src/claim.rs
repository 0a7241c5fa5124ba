//! The claim of a point by one of several sweeps in a folder: the sweep that holds the lock of a file next to
//! the result. A lock ends with its process.

use anyhow::{Context, Result};
use std::fs::{File, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The right to make a result.
pub(crate) struct Claim {
    path: PathBuf,
    // Holds the lock until it is dropped, after the file's name is gone.
    _lock: File,
}

impl Claim {
    /// `None`: another process has it, or another thread.
    pub(crate) fn take(result: &Path) -> Result<Option<Self>> {
        let mut name = std::ffi::OsString::from(".");
        name.push(result.file_name().unwrap_or_default());
        name.push(".lock");
        let path = result.with_file_name(name);
        let place = || format!("cannot lock {}", path.display());
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(&path);
            let lock = file.with_context(place)?;
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error).with_context(place),
            }
            // The process that held the lock before may have removed the file meanwhile: then the lock is
            // on a deleted file.
            let own = lock.metadata().with_context(place)?.ino();
            if std::fs::metadata(&path).is_ok_and(|named| named.ino() == own) {
                return Ok(Some(Self { path, _lock: lock }));
            }
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // A file that stays does no harm: its lock is free.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_one_sweeps_until_it_lets_go() {
        let folder = tempfile::tempdir().expect("a folder");
        let result = folder.path().join("a.json");
        let claim = Claim::take(&result).expect("it can be locked").expect("nobody has it");
        assert!(Claim::take(&result).expect("it can be asked").is_none());
        drop(claim);
        assert_eq!(std::fs::read_dir(folder.path()).map(Iterator::count).ok(), Some(0));
        // A file that a killed process left has a free lock.
        std::fs::write(folder.path().join(".a.json.lock"), "").expect("written");
        assert!(Claim::take(&result).expect("it can be locked").is_some());
    }
}
