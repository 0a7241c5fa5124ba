//! Windows of 512 and 1,024 PSNs (`hosts.psns`): what a longer window is for.

mod runs;

use runs::{read, run};

/// A flow alone, over 800 Gb/s with long links.
const LONG: [&str; 6] = [
    "workload.senders=1",
    "workload.bytes=8388608",
    "links.host_gbps=800",
    "links.fabric_gbps=800",
    "links.host_latency_ns=1000",
    "links.fabric_latency_ns=1000",
];

#[test]
fn a_flow_alone_fills_a_long_path() {
    let gbps = |psns: &str| {
        let report = run("incast.toml", &[&LONG[..], &[psns]].concat());
        let [flow] = &report.flows[..] else { panic!("one flow") };
        8_388_608.0 * 8.0 / (flow.fct_us.expect("it ended") * 1e3)
    };
    let [usual, double, fourfold] = ["hosts.psns=256", "hosts.psns=512", "hosts.psns=1024"].map(gbps);
    assert!(usual < 0.8 * fourfold && double > 1.1 * usual, "{usual} {double} {fourfold}");
}

#[test]
fn no_other_windows() {
    for psns in ["0", "255", "257", "2048"] {
        let error = read("incast.toml", &[&format!("hosts.psns={psns}")]).expect_err(psns).to_string();
        assert!(error.contains("use 256, 512 or 1024"), "{error}");
    }
}
