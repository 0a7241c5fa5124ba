//! The threads of a command that runs several jobs at once.

use anyhow::{Result, ensure};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The threads of `--jobs`, or one for each core.
pub(crate) fn pool(jobs: Option<usize>) -> Result<ThreadPool> {
    ensure!(jobs != Some(0), "--jobs 0 is not possible; use 1 or more");
    Ok(ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build()?)
}
