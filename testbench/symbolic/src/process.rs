//! External programs with a time limit.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// The output of a program that ended.
pub(crate) struct Finished {
    /// `None` if the program ran into the limit and was ended.
    pub(crate) status: Option<ExitStatus>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `command`, its output kept in files of `folder` so that no pipe can fill up.
pub(crate) fn run(command: &mut Command, folder: &Path, seconds_max: f32) -> io::Result<Finished> {
    let (stdout, stderr) = (folder.join("stdout"), folder.join("stderr"));
    command.stdin(std::process::Stdio::null()).stdout(File::create(&stdout)?).stderr(File::create(&stderr)?);
    let mut child = command.spawn()?;
    let deadline = Instant::now() + Duration::from_secs_f32(seconds_max);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let read = |path| Ok::<_, io::Error>(String::from_utf8_lossy(&std::fs::read(path)?).into_owned());
    Ok(Finished { status, stdout: read(stdout)?, stderr: read(stderr)? })
}

/// The first of `names` that is a file on the search path.
pub(crate) fn on_path(names: &[&str]) -> Option<std::path::PathBuf> {
    let path = std::env::var_os("PATH")?;
    names.iter().find_map(|name| {
        std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
    })
}

/// The output of a program, for an error message.
pub(crate) fn one_line(output: &str) -> String {
    output.split_whitespace().collect::<Vec<_>>().join(" ")
}
