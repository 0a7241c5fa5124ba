//! Hosts of the papers' baselines: shares of a link, what is lost and sent again, the same bytes from both engines with any
//! number of threads, keys that cannot be.

use std::path::Path;
use weft_fabric::plan::Plan;
use weft_fabric::report::Report;
use weft_fabric::simulate::Engine;

fn read(file: &str, sets: &[&str]) -> Result<Plan, String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    Plan::read(&file, &sets).map_err(|error| error.to_string())
}

/// Runs it in both engines, with one thread, two and four; its books balance.
fn run(file: &str, sets: &[&str]) -> Report {
    let json = |report: &Report| serde_json::to_string(report).expect("a report");
    let one = |sets: &[&str], engine| read(file, sets).expect(file).run(engine, |_| true);
    let report = one(sets, Engine::Windows);
    for (threads, engine) in
        [("threads=1", Engine::Heap), ("threads=2", Engine::Windows), ("threads=4", Engine::Windows)]
    {
        assert_eq!(json(&one(&[sets, &[threads]].concat(), engine)), json(&report), "{file}, {threads}");
    }
    assert!(report.violations.is_empty(), "{file}: {:?}", report.violations);
    assert!(report.summary.is_complete, "{file}: {:?}", report.summary);
    report
}

const IRN: [&str; 2] = ["hosts.baseline.recovery=irn", "switch.pfc=false"];

/// A flow alone is never marked: it has the line's rate from its first packet to its last, and takes what it must take.
#[test]
fn dcqcn_alone_has_the_line() {
    for sets in [&[][..], &IRN[..]] {
        let report = run("dcqcn.toml", &[sets, &["workload.senders=1"]].concat());
        let slowdown = report.summary.slowdown.most;
        assert!((0.999..1.001).contains(&slowdown), "{slowdown}");
        assert_eq!((report.summary.again, report.summary.marks), (0, 0));
    }
}

/// Two flows of 20 MB into one link: both are cut by the same marks, so each has about half (Jain's index of their rates is
/// that of 1.5 to 1 at least), and the link is idle for less than a third of the time.
#[test]
fn two_flows_of_dcqcn_share_a_link() {
    for sets in [&[][..], &IRN[..]] {
        let sets = [sets, &["workload.senders=2", "workload.bytes=20000000"]].concat();
        let report = read("dcqcn.toml", &sets).expect("a plan").run(Engine::Windows, |_| true);
        let [a, b] = [0, 1].map(|flow| report.flows[flow].fct_us.expect("it ended"));
        let (x, y) = (1.0 / a, 1.0 / b);
        let jain = (x + y) * (x + y) / (2.0 * (x * x + y * y));
        // 40 MB with headers of 48 in 1,000 at 100 Gb/s.
        let least = 40e6 * 1.048 * 8.0 / 100e3;
        assert!(jain > 0.96, "{a} {b}");
        assert!(a.max(b) > least && a.max(b) < 1.5 * least, "{a} {b} {least}");
        assert!(report.summary.marks > 0 && report.summary.losses.all() == 0, "{:?}", report.summary);
    }
}

/// PFC loses nothing, so nothing is sent again, though peers are stopped.
#[test]
fn under_pfc_nothing_goes_again() {
    let report = run("dcqcn.toml", &["workload.senders=31"]);
    let buffer = report.summary.buffer.expect("it is shared");
    assert!(buffer.pauses_sent > 0 && report.summary.again == 0, "{:?}", report.summary);
}

/// Queues of 60 kB lose packets of an incast. IRN sends each lost one again; go-back-N also what came after it.
#[test]
fn what_queues_lose_is_sent_again() {
    let small = ["switch.pfc=false", "switch.buffer_bytes=4194304", "switch.queue_bytes=60000"];
    let irn = run("dcqcn.toml", &[&small[..], &IRN[..1]].concat()).summary;
    assert!(irn.losses.data_queue > 100, "{irn:?}");
    assert!(irn.again >= irn.losses.data_queue && irn.again < irn.losses.data_queue * 11 / 10, "{irn:?}");
    let back = run("dcqcn.toml", &small).summary;
    assert!(back.losses.data_queue > 0 && back.again > back.losses.data_queue, "{back:?}");
    assert!(back.finish_us > irn.finish_us, "{:?} {:?}", back.finish_us, irn.finish_us);
}

#[test]
fn what_a_baseline_cannot_have_is_refused() {
    for (sets, words) in [
        (vec!["hosts.baseline.kind=swift"], "unknown variant `swift`"),
        (vec!["hosts.baseline.nonsense=1"], "unknown field `nonsense`"),
        (vec!["hosts.baseline.gain=2"], "hosts.baseline.gain=2: 2 cannot be; use 0 to 1"),
        (vec!["hosts.baseline.alpha_us=0"], "0 cannot be; use 0.1"),
        (vec!["hosts.baseline.window_bytes=9000"], "only IRN has a window"),
        (vec!["hosts.preset=artifact"], "hosts.preset=artifact: it is the NIC's"),
        (vec!["hosts.ev_mode=ops"], "hosts.ev_mode=ops: it is the NIC's"),
        (vec!["hosts.mtu=100"], "use 256 to 8192"),
        (vec!["switch.pfc=false", "switch.trim=true"], "know no trimmed packets"),
    ] {
        let error = read("dcqcn.toml", &sets).expect_err(words);
        assert!(error.contains(words) && !error.contains('\n'), "{sets:?}: {error}");
    }
    // The latencies of the NIC are none already.
    read("dcqcn.toml", &["hosts.clock_ns=0", "hosts.dma_latency_ns=0"]).expect("it is well");
}
