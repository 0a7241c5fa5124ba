//! Files that appear as a whole, or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Removes the temporary file unless it was renamed.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // A failure has no remedy here; after the rename the temporary file is gone.
        let _ = fs::remove_file(&self.0);
    }
}

/// Writes `path` with the bytes of `fill`: to a temporary file beside it, which is renamed on success. After
/// an error, or a panic in `fill`, an older file at `path` is unchanged. A symbolic link is followed; a
/// device or a pipe, which is not a regular file, is written to directly.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("weft-wire-doc-{}", std::process::id()));
/// use std::io::Write;
/// weft_wire::write_atomically(&path, |file| file.write_all(b"whole"))?;
/// assert_eq!(std::fs::read(&path)?, b"whole");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_atomically<T, E: From<io::Error>>(
    path: impl AsRef<Path>,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<T, E> {
    let path = path.as_ref();
    let fail = |error: io::Error| cannot_write(path, error);
    let fill_whole = |file: File| {
        let mut file = BufWriter::new(file);
        let value = fill(&mut file)?;
        // Dropping the buffer would hide a full disk.
        file.flush().map_err(fail)?;
        Ok(value)
    };
    if path.as_os_str() == "-" {
        let what = "cannot write -: it is no file; standard output is /dev/stdout";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what).into());
    }
    // A path that is still missing has no canonical form.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&target).is_ok_and(|old| !old.is_file() && !old.is_dir()) {
        return fill_whole(File::options().write(true).open(&target).map_err(fail)?);
    }
    let (temporary, file) = create_beside(&target).map_err(fail)?;
    let value = fill_whole(file)?;
    fs::rename(&temporary.0, &target).map_err(fail)?;
    Ok(value)
}

/// The error of a file that cannot be written, with what to check.
pub fn cannot_write(path: &Path, error: io::Error) -> io::Error {
    let advice = "check that the folder exists, is writable and has space";
    io::Error::new(error.kind(), format!("cannot write {}: {error}; {advice}", path.display()))
}

/// A new file in the target's folder, so that the rename stays within one file system.
fn create_beside(target: &Path) -> io::Result<(Temporary, File)> {
    let name = target.file_name().ok_or(io::Error::from(io::ErrorKind::IsADirectory))?;
    for attempt in 0u32.. {
        let mut temporary = std::ffi::OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".{}-{attempt}.tmp", std::process::id()));
        let temporary = target.with_file_name(temporary);
        match File::create_new(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
            Ok(file) => return Ok((Temporary(temporary), file)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
