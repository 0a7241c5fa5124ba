//! `weft sim` beside other processes of a launcher of MPI.
#![cfg(not(feature = "mpi"))]

use std::path::Path;
use std::process::Command;

/// The command is usually built without MPI. If it runs as one of several processes, such a command reports
/// an error: otherwise each process would run the whole file. Variables of a launcher, flags, and the begin
/// of the error.
type Case<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str);

#[test]
fn a_command_without_mpi_refuses_to_be_one_of_several() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/goal.toml");
    let started = |variables: &[(&str, &str)], flags: &str| {
        let mut weft = Command::new(env!("CARGO_BIN_EXE_weft"));
        weft.arg("sim").arg(&file).args(flags.split_whitespace()).current_dir(folder.path());
        weft.envs(variables.iter().copied()).output().expect("weft runs")
    };
    let two = &[("OMPI_COMM_WORLD_SIZE", "2")];
    let cases: [Case<'_>; 5] = [
        (two, "", "weft: a launcher of MPI started 2 processes, and this weft has no MPI: build it with"),
        (
            &[("SLURM_STEP_NUM_TASKS", "2"), ("PMIX_RANK", "1")],
            "",
            "weft: a launcher of MPI started 2 processes",
        ),
        (
            &[("PMI_SIZE", "3")],
            "",
            "weft: 3 processes: this network has 2 edge switches; start 2 processes at most",
        ),
        (two, "--threads 2", "weft: --threads is for a run in one process"),
        (two, "--oracle", "weft: --oracle, --rtl and --events run in one process"),
    ];
    for (variables, flags, says) in cases {
        let output = started(variables, flags);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.starts_with(says) && output.stdout.is_empty(), "{said}, not {says}");
    }
    // A launcher that starts one process has no effect.
    for variables in [&[("OMPI_COMM_WORLD_SIZE", "1")], &[("SLURM_STEP_NUM_TASKS", "2")]] {
        assert_eq!(started(variables, "").status.code(), Some(0), "{variables:?}");
    }
}
