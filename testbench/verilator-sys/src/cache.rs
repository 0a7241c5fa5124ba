//! A directory of built artifacts, shared by processes.
//!
//! `<key>/` contains one artifact and `deps`, the files that it was made from with their content hashes. The
//! key covers the facts known before the build (options, sources, tool versions); `deps` covers the facts
//! that only the tool knew (included files). An artifact is named after its `deps`: dlopen returns a loaded
//! library again for the same path, so a rebuilt library needs another path.

use std::fs::{self, File, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::UNIX_EPOCH;

use crate::error::Error;
use crate::hash::digest;

pub(crate) struct Cache {
    root: PathBuf,
}

/// A built artifact. While this value lives, no process rebuilds or removes the artifact.
pub(crate) struct Artifact {
    pub(crate) path: PathBuf,
    _lock: Lock,
}

impl Cache {
    pub(crate) fn open(explicit: Option<&Path>) -> Result<Self, Error> {
        let root = match explicit {
            Some(root) => root.to_path_buf(),
            None => root()?,
        };
        fs::create_dir_all(&root).map_err(Error::io(&root))?;
        let root = fs::canonicalize(&root).map_err(Error::io(&root))?;
        Ok(Self { root })
    }

    /// Finds the artifact of `key`, or builds it: `build` gets an empty directory, leaves the file `artifact` in it
    /// and returns the files it was made from. A failed build leaves nothing behind.
    pub(crate) fn artifact(
        &self,
        key: &str,
        build: impl FnOnce(&Path) -> Result<Vec<PathBuf>, Error>,
    ) -> Result<Artifact, Error> {
        let lock = Lock::take(self.root.join(format!("{key}.lock")))?;
        let entry = self.root.join(key);
        if let Some(path) = fresh(&entry) {
            return Ok(Artifact { path, _lock: lock });
        }
        self.sweep();
        let scratch = Scratch::new(self.root.join(format!("{key}.tmp")))?;
        let work = scratch.path.join("work");
        fs::create_dir(&work).map_err(Error::io(&work))?;
        let deps = build(&work)?;

        let manifest: String = deps.iter().map(|dep| format!("{} {}\n", mark(dep), dep.display())).collect();
        let name = digest(&manifest);
        rename(&work.join("artifact"), &scratch.path.join(&name))?;
        fs::remove_dir_all(&work).map_err(Error::io(&work))?;
        let deps = scratch.path.join("deps");
        fs::write(&deps, manifest).map_err(Error::io(&deps))?;
        if entry.exists() {
            fs::remove_dir_all(&entry).map_err(Error::io(&entry))?;
        }
        rename(&scratch.path, &entry)?;
        Ok(Artifact { path: entry.join(name), _lock: lock })
    }

    /// Remembers one line of text, by a key that changes whenever the text might.
    pub(crate) fn memo(
        &self,
        key: &str,
        compute: impl FnOnce() -> Result<String, Error>,
    ) -> Result<String, Error> {
        let path = self.root.join(format!("{key}.memo"));
        if let Ok(text) = fs::read_to_string(&path) {
            return Ok(text);
        }
        let text = compute()?;
        let lock = Lock::take(self.root.join(format!("{key}.lock")))?;
        let scratch = Scratch::new(self.root.join(format!("{key}.tmp")))?;
        let file = scratch.path.join("memo");
        fs::write(&file, &text).map_err(Error::io(&file))?;
        rename(&file, &path)?;
        drop((scratch, lock));
        Ok(text)
    }

    /// An empty directory that is removed when it is dropped.
    pub(crate) fn scratch(&self) -> Result<Scratch, Error> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let lock = Lock::take(self.root.join(format!("{name}.lock")))?;
        let mut scratch = Scratch::new(self.root.join(format!("{name}.tmp")))?;
        scratch.lock = Some(lock);
        Ok(scratch)
    }

    /// Removes the files of killed builds: a scratch directory whose lock is free.
    fn sweep(&self) {
        let Ok(entries) = fs::read_dir(&self.root) else { return };
        for path in entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|e| e == "tmp"))
        {
            if let Some(lock) = Lock::attempt(path.with_extension("lock")) {
                let _ = fs::remove_dir_all(&path);
                drop(lock);
            }
        }
    }
}

/// The folder of built models: `WEFT_VERILATOR_CACHE`, else `verilator-cache` in the cargo target directory of the running
/// program if this user may write there, else the user's own cache folder.
///
/// # Errors
/// The environment names no folder of the user.
pub fn root() -> Result<PathBuf, Error> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let target = || {
        let program = std::env::current_exe().ok()?;
        // cargo puts these two into every target directory.
        let is_target =
            |dir: &&Path| dir.join("CACHEDIR.TAG").is_file() && dir.join(".rustc_info.json").is_file();
        program.ancestors().find(is_target).map(|dir| dir.join("verilator-cache"))
    };
    let user = || variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
    let target = || target().filter(|folder| is_writable(folder));
    let root = variable("WEFT_VERILATOR_CACHE").or_else(target).or_else(|| Some(user()?.join("weft")));
    root.ok_or(Error::NoCacheDir)
}

/// Files can be made in a folder, or the folder can be made.
fn is_writable(folder: &Path) -> bool {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let probe = folder.join(format!("{}-{number}.probe", std::process::id()));
    let made = fs::create_dir_all(folder).and_then(|()| File::create_new(&probe));
    let _ = fs::remove_file(&probe);
    made.is_ok()
}

/// The entry's artifact, if it is complete and no input file has changed since it was built.
fn fresh(entry: &Path) -> Option<PathBuf> {
    let manifest = fs::read_to_string(entry.join("deps")).ok()?;
    let artifact = entry.join(digest(&manifest));
    let same = manifest.lines().all(|line| match line.split_once(' ') {
        Some((recorded, dep)) => mark(Path::new(dep)) == recorded,
        None => false,
    });
    (same && artifact.is_file()).then_some(artifact)
}

/// A mark that differs between states of a file. Verilator's program is some 16 MB and only ever replaced as
/// a whole: its size and time will do.
fn mark(path: &Path) -> String {
    let is_program = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("verilator_bin"));
    if is_program {
        return stamp(path);
    }
    fs::read(path).map_or_else(|_| "absent".to_owned(), digest)
}

/// Size and modification time of a file.
pub(crate) fn stamp(path: &Path) -> String {
    let Ok(metadata) = fs::metadata(path) else { return "absent".to_owned() };
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("{}-{}", metadata.len(), modified.unwrap_or_default().as_nanos())
}

fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    fs::rename(from, to).map_err(Error::io(from))
}

/// A directory that is removed when this is dropped, unless it was renamed.
pub(crate) struct Scratch {
    path: PathBuf,
    /// The lock, unless the caller holds it. Dropped after the directory.
    lock: Option<Lock>,
}

impl Scratch {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn new(path: PathBuf) -> Result<Self, Error> {
        if path.exists() {
            fs::remove_dir_all(&path).map_err(Error::io(&path))?;
        }
        fs::create_dir(&path).map_err(Error::io(&path))?;
        Ok(Self { path, lock: None })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
        self.lock.take();
    }
}

/// An exclusive lock between processes and threads, by a file that exists only while the lock is held or
/// waited for.
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    fn take(path: PathBuf) -> Result<Self, Error> {
        loop {
            let file = File::create(&path).map_err(Error::io(&path))?;
            file.lock().map_err(Error::io(&path))?;
            if is_at(&file, &path) {
                return Ok(Self { path, _file: file });
            }
            // The holder before removed it: our lock is on a deleted file.
        }
    }

    fn attempt(path: PathBuf) -> Option<Self> {
        let file = File::create(&path).ok()?;
        match file.try_lock() {
            Ok(()) => is_at(&file, &path).then_some(Self { path, _file: file }),
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => None,
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn a_folder_of_another_user_is_no_cache() {
        let folder = std::env::temp_dir().join(format!("weft-cache-{}", std::process::id()));
        assert!(is_writable(&folder.join("cache")));
        assert!(!is_writable(Path::new("/proc/weft-cache")));
        assert_eq!(fs::read_dir(folder.join("cache")).map(Iterator::count).ok(), Some(0), "no probe stays");
        fs::remove_dir_all(&folder).expect("removed");
    }
}
