//! A run in several processes gives the result of one process to the byte. The processes are threads here,
//! which share only their letters; `scripts/mpi.py` runs the same files under MPI.

use std::path::Path;
use std::sync::{Barrier, Mutex};
use weft_fabric::engine::ranks::Ranks;
use weft_fabric::plan::Plan;
use weft_fabric::report::Report;
use weft_fabric::simulate::Engine;

/// Letters by sender and receiver.
struct Office {
    letters: Vec<Vec<Mutex<Vec<u64>>>>,
    meeting: Barrier,
}

impl Office {
    fn new(ranks: usize) -> Self {
        let row = |_| (0..ranks).map(|_| Mutex::default()).collect();
        Self { letters: (0..ranks).map(row).collect(), meeting: Barrier::new(ranks) }
    }
}

/// A rank of an office.
struct Rank<'a> {
    office: &'a Office,
    own: usize,
}

impl Ranks for Rank<'_> {
    fn own(&self) -> usize {
        self.own
    }

    fn count(&self) -> usize {
        self.office.letters.len()
    }

    fn exchange(&self, letters: &mut Vec<Vec<u64>>) {
        assert_eq!(letters.len(), self.count());
        for (to, letter) in letters.drain(..).enumerate() {
            *self.office.letters[self.own][to].lock().expect("no rank fails") = letter;
        }
        self.office.meeting.wait();
        let from = self.office.letters.iter();
        letters.extend(from.map(|row| std::mem::take(&mut *row[self.own].lock().expect("no rank fails"))));
        self.office.meeting.wait();
    }
}

fn plan(file: &str, sets: &[&str]) -> Plan {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    Plan::read(&folder.join(file), &sets).unwrap_or_else(|error| panic!("{error}"))
}

fn json(report: &Report) -> String {
    serde_json::to_string_pretty(report).expect("a report is text")
}

/// The report of rank 0; all other ranks have none.
fn ranked(plan: &Plan, ranks: usize) -> Report {
    let office = Office::new(ranks);
    let reports: Vec<_> = std::thread::scope(|scope| {
        let start = |own| {
            let office = &office;
            scope.spawn(move || plan.run_in(&Rank { office, own }, &mut |_| own == 0))
        };
        let all: Vec<_> = (0..ranks).map(start).collect();
        all.into_iter().map(|it| it.join().expect("no rank fails")).collect()
    });
    let mut reports = reports.into_iter();
    let first = reports.next().flatten().expect("rank 0 has the report");
    assert!(reports.all(|report| report.is_none()));
    first
}

/// Runs with contents of all kinds: data, ACKs, probes, credits; signals and schedules; pauses; packets of switches; failures;
/// links over time and samples of reorder queues.
const RUNS: &[(&str, &[&str])] = &[
    ("permutation.toml", &["topology.k=4", "workload.bytes=262144", "flow_rows=true"]),
    ("incast.toml", &["topology.k=4", "workload.senders=12", "workload.bytes=65536"]),
    ("failures.toml", &["workload.bytes=1000000", "hosts.probe={every_us=10,count=4}", "hosts.ev_mode=reps"]),
    ("conweave.toml", &["workload.bytes=262144", "series={every_us=5,links=[\"leaf-0\"],reorder_us=10}"]),
    ("dcqcn.toml", &["workload.bytes=200000", "flow_rows=true"]),
    ("lossless.toml", &["workload.bytes=100000"]),
    ("host_dr.toml", &["topology.k=4", "workload.bytes=65536"]),
    ("ring_all_reduce.toml", &["workload.bytes=262144", "flow_rows=true"]),
    ("goal.toml", &[]),
    ("fsdp.toml", &["workload.bytes=65536"]),
];

#[test]
fn ranks_give_the_bytes_of_one_process() {
    for (file, sets) in RUNS {
        let plan = plan(file, sets);
        let one = json(&plan.run(Engine::Windows, |_| true));
        let edges = plan.network().topology.edges() as usize;
        for ranks in [1, 2, 3, 4, 8].into_iter().filter(|ranks| *ranks <= edges) {
            let found = json(&ranked(&plan, ranks));
            assert!(found == one, "{file} {sets:?}: {ranks} ranks differ\n{found}\n{one}");
        }
    }
}

/// The network has a rack for each thread and rank, and more racks than a byte can count.
#[test]
fn many_threads_and_ranks_give_the_bytes_of_one() {
    let network = ["topology.k=24", "topology.hosts_per_edge=1"];
    let of = |threads: &str| {
        let sets = [&network[..], &["workload.bytes=8192", "workload.kind=permutation", threads]].concat();
        plan("butterfly.toml", &sets)
    };
    let one = json(&of("threads=1").run(Engine::Windows, |_| true));
    assert!(json(&of("threads=288").run(Engine::Windows, |_| true)) == one, "288 threads differ");
    assert!(json(&ranked(&of("threads=1"), 288)) == one, "288 ranks differ");
}
