//! A run in the processes that `mpirun` started.

use anyhow::{Result, bail};
use weft_fabric::engine::ranks::Ranks;
use weft_fabric::plan::Plan;

/// Variables in which launchers of MPI give a process the number of processes: Open MPI, MPICH and its
/// relatives, and Slurm for either.
const COUNTS: [(&str, &str); 3] =
    [("OMPI_COMM_WORLD_SIZE", ""), ("PMI_SIZE", ""), ("SLURM_STEP_NUM_TASKS", "PMIX_RANK")];

/// Number of processes that a launcher of MPI started, if there are several.
pub(super) fn started() -> Option<u32> {
    let of = |&(count, beside): &(&str, &str)| {
        let is_there = beside.is_empty() || std::env::var_os(beside).is_some();
        std::env::var(count).ok()?.parse().ok().filter(|count| is_there && *count > 1)
    };
    COUNTS.iter().find_map(of)
}

/// Refuses a run that needs one process.
pub(super) fn ensure_possible(plan: &Plan, ranks: u32, is_alone: bool, threads: Option<u32>) -> Result<()> {
    if is_alone {
        bail!("--oracle, --rtl and --events run in one process: start weft without mpirun");
    }
    if threads.is_some() {
        bail!(
            "--threads is for a run in one process: give mpirun a process for each core, and leave out --threads"
        );
    }
    let edges = plan.network().topology.edges();
    if ranks > edges {
        bail!("{ranks} processes: this network has {edges} edge switches; start {edges} processes at most");
    }
    Ok(())
}

/// Starts MPI.
#[cfg(feature = "mpi")]
pub(super) fn start(started: u32) -> Result<Box<dyn Ranks>> {
    match weft_fabric::engine::ranks::mpi::Mpi::start() {
        Some(ranks) if ranks.count() == started as usize => Ok(Box::new(ranks)),
        Some(ranks) => bail!(
            "the launcher started {started} processes, and MPI sees {}: use the launcher of the MPI library that weft was built \
             with",
            ranks.count()
        ),
        None => bail!("MPI has begun already"),
    }
}

/// Returns an error, because this build has no MPI.
#[cfg(not(feature = "mpi"))]
pub(super) fn start(started: u32) -> Result<Box<dyn Ranks>> {
    bail!(
        "a launcher of MPI started {started} processes, and this weft has no MPI: build it with `cargo build --release -p weft \
         --features mpi` (docs/clusters.md)"
    )
}
