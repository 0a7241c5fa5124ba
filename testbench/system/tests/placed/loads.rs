//! Differences of completion times between the Verilog and the transaction view where packets wait, are lost,
//! or pass a slow link. The figures are in docs/fabric-engine.md, under "What differs".

use super::{plan, run};
use weft_fabric::simulate::Engine;
use weft_system::placed::{But, Placing, Run};

/// Runs the Verilog at these hosts and compares it with the transaction view with the same registers. Mean
/// completion times must differ by at most `percent`.
fn beside(text: &str, sets: &[&str], hosts: &[u32], percent: f64) -> Run {
    let plan = plan(text, sets);
    let with = run(&plan, hosts, Engine::Windows);
    let placing = Placing::new(&plan, hosts.iter().copied()).unwrap_or_else(|error| panic!("{error}"));
    let without = placing.run_but(Engine::Windows, But::Nothing, &mut |_| true);
    let differs = with.differs(&without.unwrap_or_else(|error| panic!("{error}")));
    assert_eq!(differs.ended, differs.flows, "all end in both");
    let spread = differs.fct_percent.expect("some end");
    assert!(0.0 < spread.mean && spread.mean < percent, "{spread:?}");
    with
}

#[test]
fn a_link_at_a_quarter_of_its_rate() {
    let text = "workload = { kind = 'pod-permutation', bytes = 400000 }\n\
                degrade = [{ a = 'leaf-0', b = 'spine-0', gbps = 25 }]\n";
    let with = beside(text, &[], &[0, 1], 4.0);
    assert_eq!(with.written, 800_000);
    // A packet that is acknowledged while its bytes are read again does not leave.
    assert!(with.report.summary.again > 0 && with.sent > 800_000, "{:?}, {}", with.report.summary, with.sent);
}

#[test]
fn an_incast_without_trimming() {
    let text = "workload = { kind = 'incast', bytes = 200000, senders = 4 }\n";
    // The receiver and one of the senders have the Verilog.
    let with = beside(text, &["switch.trim=false", "switch.queue_bytes=60000"], &[0, 4], 20.0);
    let summary = &with.report.summary;
    assert_eq!((with.written, summary.trims), (800_000, 0));
    assert!(summary.losses.data_queue > 0 && summary.again > 0 && with.sent > 200_000, "{summary:?}");
}

#[test]
fn web_search_at_a_tenth_of_its_sizes() {
    let text = "workload = { kind = 'poisson', load = 0.5, flows = 80, cdf = [[0, 0], [1000, 15], [2000, 20], [3000, 30], \
                [5000, 40], [8000, 53], [20000, 60], [100000, 70], [200000, 80], [500000, 90], [1000000, 97], \
                [3000000, 100]] }\n";
    let with = beside(text, &["hosts.pair_connections=1"], &[0, 5], 25.0);
    let to = |row: &&weft_fabric::report::FlowRow| [0, 5].contains(&row.destination);
    let bytes: u64 = with.report.flows.iter().filter(to).map(|row| row.bytes).sum();
    assert_eq!(with.written, bytes);
    assert!(bytes > 1_000_000, "{bytes}");
}
